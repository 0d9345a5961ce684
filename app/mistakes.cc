#include "app/mistakes.h"

#include <filesystem>
#include <iostream>
#include <new>

#include "app/memory.h"
#include "app/screen.h"

namespace dalembert::app {

Json to_json(const Place& place) {
  if (place.line == 0) return nullptr;
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json to_json(const Complaint& each) {
  return {{"place", to_json(each.place)}, {"text", each.text}, {"what", each.what}, {"hint", each.hint}};
}

Json mistake(const Error& error) {
  Json all = {{"message", error.what()}, {"hint", error.hint()}};
  if (const auto* of_file = dynamic_cast<const ModelError*>(&error)) {
    const auto& complaints = of_file->complaints();
    if (!complaints.empty()) {
      const Complaint& first = complaints.front();
      all = {{"message", first.what},
             {"hint", first.hint},
             {"file", first.place.file},
             {"line", first.place.line},
             {"column", first.place.column}};
    }
    all["complaints"] = Json::array();
    for (const Complaint& each : complaints) all["complaints"].push_back(to_json(each));
  }
  Json json = Json::object();
  json["error"] = all;
  return json;
}

bool asks_for_json(int argc, const char* const* argv) {
  for (int k = 1; k < argc; ++k)
    if (std::string_view(argv[k]) == "--json") return true;
  return false;
}

namespace {

Status refuse(const Error& error, int argc, const char* const* argv) {
  if (const auto* of_file = dynamic_cast<const ModelError*>(&error)) {
    // one line each, beginning with the place, as editors expect it
    for (const auto& complaint : of_file->complaints()) tell(complaint.sentence());
  } else {
    complain(error.sentence());
  }
  if (asks_for_json(argc, argv)) print(mistake(error));
  return wrong_call;
}

}  // namespace

Status answer(int argc, const char* const* argv) try { return obey(argc, argv); } catch (const Error& error) {
  return refuse(error, argc, argv);
} catch (const std::filesystem::filesystem_error& error) {
  return refuse(
      Error("cannot use '" + error.path1().string().substr(0, 100) + "': " + error.code().message()), argc,
      argv);
} catch (const std::bad_alloc&) {  // of a library that has its own way to ask
  out_of_memory();
} catch (const std::exception& error) {
  return refuse(Error(error.what(), "this should not happen, please report it"), argc, argv);
}

}  // namespace dalembert::app
