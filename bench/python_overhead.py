"""What does it cost to run from Python? Andrews' mechanism with 1000 outputs: the whole call beside the run in it.

    PYTHONPATH=build/release/python python3 bench/python_overhead.py

In processor time, the least of many calls, since other programs disturb.
"""
import time

import dalembert

problem = dalembert.problems["andrews"]
whole = alone = float("inf")
for _ in range(300):
    result = None  # what the last one held is given back before the clock runs
    begin = time.process_time()
    result = problem.run(output=1000)
    whole = min(whole, time.process_time() - begin)
    alone = min(alone, result._record.seconds)
print(f"{1e3 * whole:.3f} ms, of which {1e3 * alone:.3f} ms are the run: {whole / alone:.3f} times")
