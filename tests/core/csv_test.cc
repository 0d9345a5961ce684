// Do cells come back from lines of comma separated values as they were?
#include "dalembert/core/csv.h"

#include <gtest/gtest.h>

namespace dalembert {
namespace {

TEST(Csv, CellsComeBack) {
  const std::vector<std::string> cells = {"a", "", "1,5", "say \"no\"", "max(v.x')", "\""};
  std::string line;
  for (const auto& cell : cells) line += (&cell == cells.data() ? "" : ",") + csv_cell(cell);
  EXPECT_EQ(csv_cells(line), cells);
  EXPECT_EQ(csv_cells(line + "\r"), cells);
  EXPECT_EQ(csv_cell("two\nlines"), "\"two lines\"");
}

TEST(Csv, TitlesHaveUnits) {
  EXPECT_EQ(with_unit("q.x", "m"), "q.x [m]");
  EXPECT_EQ(with_unit("count", ""), "count");
  for (const std::string unit : {"m", ""})
    EXPECT_EQ(name_and_unit(with_unit("q.x", unit)), (std::pair<std::string, std::string>("q.x", unit)));
}

}  // namespace
}  // namespace dalembert
