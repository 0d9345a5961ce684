// Lines of comma separated values, as RFC 4180 writes them; one line is one row, whatever its texts hold.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dalembert {

/// One cell: quoted if it has a comma or a quote; an end of line becomes a blank.
std::string csv_cell(const std::string& text);
/// The cells of a line, without quotes and carriage returns.
std::vector<std::string> csv_cells(const std::string& line);

/// The title of a column: "q.x [m]", or "count" where there is no unit.
std::string with_unit(const std::string& name, const std::string& unit);
/// The other way round: "q.x" and "m".
std::pair<std::string, std::string> name_and_unit(const std::string& title);

}  // namespace dalembert
