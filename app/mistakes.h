// Calls and files that are wrong, as people and as programs read it.
#pragma once

#include "app/commands.h"
#include "app/json.h"
#include "dalembert/model/model.h"

namespace dalembert::app {

Json to_json(const Place&);  ///< null where it is not known
Json to_json(const Complaint&);

/// What is wrong and what would be right: {"error": {"message": ..., "hint": ...}}; of a file also where the first mistake is,
/// and all of them.
Json mistake(const Error&);

/// Does the call ask for JSON, whatever else is wrong with it?
bool asks_for_json(int argc, const char* const* argv);

/// Obeys the call. What goes wrong is said on standard error, and as JSON on standard output if that is asked for.
Status answer(int argc, const char* const* argv);

}  // namespace dalembert::app
