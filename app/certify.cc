// dalembert certify: the digits of a motion on which families of pairs agree that share little.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/certificate.h"
#include "app/commands.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, digits = "6", end, limit = "20", output;
  std::vector<std::string> set, start, keep;
  bool json = false, quiet = false;
};

Status show(const Call& call) {
  const Subject subject = find_subject(call.what, call.set);
  RunSettings mine;
  if (!call.end.empty()) mine.end = to_number("--end", call.end);
  if (!call.output.empty()) mine.output = to_output(call.output);
  mine.start = to_assignments("--start", call.start);
  mine.keep = call.keep;
  RunSettings all = merge(mine, subject.settings());
  if (call.output.empty()) all.output.reset();  // files ask for outputs that nobody reads here
  CertifyOptions options = certify_options(subject, resolve(all, *subject.problem).options);
  options.digits = static_cast<int>(to_count("--digits", call.digits));
  options.limit = to_number("--limit", call.limit);
  if (call.quiet) options.progress = {};
  const Certificate certificate = certify(subject.problem, options);
  if (call.json) {
    Json json = {{"problem", subject.name}};
    json.update(to_json(certificate));
    print(json);
  } else {
    say(fmt::format("{:<13}{}\n", "problem", title(subject)) + report(certificate, table_width()));
  }
  return certificate.reached() ? done : ended_early;
}

Action add_certify(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--digits", call->digits, "how many digits are to be certain, 1 to 12 (default: 6)", "N");
  arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
  arguments.option("--output", call->output,
                   "output times between start and end, as for `dalembert run` (default: none)", "N|DT");
  arguments.option("--start", call->start, "set an initial value, for instance q.x=1 (may be repeated)",
                   "NAME=VALUE");
  arguments.option(
      "--keep", call->keep,
      "an initial value that must not change when the start is made consistent (may be repeated)", "NAME");
  arguments.option("--limit", call->limit,
                   "leave a family out after this many processor seconds of one run (default: 20)", "S");
  arguments.flag("--quiet", call->quiet, "do not show progress");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_certify() {
  return {
      {.name = "certify",
       .rank = 15,
       .summary = "solve a problem in several ways until they agree, and print the digits that are certain",
       .examples = {"dalembert certify andrews", "dalembert certify models/slider-crank.toml --digits 8",
                    "dalembert certify double-pendulum --end 10 --output 5 --json"},
       .add = add_certify}};
}

}  // namespace dalembert::app
