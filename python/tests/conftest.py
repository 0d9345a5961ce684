"""What all tests of the package share."""

import matplotlib

matplotlib.use("Agg")
