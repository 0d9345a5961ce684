// What a run says of itself, for the trust strip and the tables of a page.
#pragma once

#include "dalembert/page/json_text.h"
#include "dalembert/page/page.h"

namespace dalembert {

/// Writes the members "summary" and "counts".
void write_verdict(JsonText&, const PageRun&);

}  // namespace dalembert
