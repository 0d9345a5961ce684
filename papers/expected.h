// Which verdicts a rerun is expected to come to, row by row.
//
// They stand in papers/<paper>/verdicts.txt and are compiled in. A change that is meant to change them is followed by
// tools/verdicts, and the diff shows which ones.
#pragma once

#include <string>
#include <vector>

#include "papers/paper.h"

namespace dalembert {

/// What a rerun says otherwise, a sentence each; rows that have come or gone are said, too. Of a paper without a file of
/// verdicts it is expected that nothing printed differs.
std::vector<std::string> unexpected(const PaperReport&);

/// The verdicts of a report as they stand in the file: the id of a table, then its rows, indented.
std::string verdicts(const PaperReport&);

}  // namespace dalembert
