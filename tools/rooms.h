// dalembert/rooms.txt and the include graph, for the layering test and for the pages that show them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace dalembert {

/// A folder of the library: a room ("linear") or a sub-folder of one ("linear/saddle").
struct Room {
  std::string name, sentence;
  std::vector<std::string> uses{};  ///< sub-folders of the same room that it may include
  bool is_private = false;          ///< included from its own room only
  std::string top() const { return name.substr(0, name.find('/')); }
  bool is_top() const { return name.find('/') == std::string::npos; }
};

inline std::string whole_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// From the bottom up.
inline std::vector<Room> read_rooms(const std::filesystem::path& root) {
  static const std::regex line("([a-z_/]+)(?: \\(([a-z_, ]+)\\))?: (.+)");
  std::vector<Room> rooms;
  std::istringstream text(whole_file(root / "dalembert/rooms.txt"));
  for (std::string one; std::getline(text, one);) {
    if (one.empty() || one.starts_with("#")) continue;
    std::smatch found;
    if (!std::regex_match(one, found, line)) throw std::runtime_error("rooms.txt: not understood: " + one);
    Room room{found[1], found[3]};
    static const std::regex word("[a-z_]+");
    const std::string marks = found[2];
    for (std::sregex_iterator it(marks.begin(), marks.end(), word), end; it != end; ++it)
      if (it->str() == "private")
        room.is_private = true;
      else
        room.uses.push_back(it->str());
    rooms.push_back(std::move(room));
  }
  return rooms;
}

/// The innermost room that "dalembert/linear/saddle/order.h" is in; nullptr if there is none.
inline const Room* room_of(const std::vector<Room>& rooms, const std::string& path) {
  const Room* found = nullptr;
  for (const Room& room : rooms)
    if (path.starts_with("dalembert/" + room.name + "/") &&
        (found == nullptr || room.name.size() > found->name.size()))
      found = &room;
  return found;
}

/// What a file includes, as paths from the root.
inline std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex include("(?:^|\n)[ \t]*#[ \t]*include[ \t]*\"([^\"]+)\"");
  std::vector<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it)
    all.push_back((*it)[1]);
  return all;
}

/// "dalembert/dalembert.h": in no room but above all of them.
inline bool is_front_door(const std::string& path) {
  return path.starts_with("dalembert/") && path.find('/', 10) == std::string::npos;
}

/// May a file of the library at `from` include the one at `to`?
inline bool may_include(const std::vector<Room>& rooms, const std::string& from, const std::string& to) {
  const Room *a = room_of(rooms, from), *b = room_of(rooms, to);
  if (is_front_door(from)) return b != nullptr && !b->is_private;
  if (a == nullptr || b == nullptr) return false;
  const auto height = [&](const Room& of) {
    return std::find_if(rooms.begin(), rooms.end(), [&](const Room& r) { return r.name == of.top(); });
  };
  if (a->top() != b->top()) return height(*b) < height(*a) && !b->is_private;
  if (a == b || a->is_top() || b->is_top()) return true;
  const std::string last = b->name.substr(b->name.rfind('/') + 1);
  return std::find(a->uses.begin(), a->uses.end(), last) != a->uses.end();
}

}  // namespace dalembert
