// Do includes point to the same room or downwards, as dalembert/rooms.txt lists them, and to no sub-folder that is not named
// there? See docs/decisions/0001-layer-order.md and 0033-rooms.md.
#include <gtest/gtest.h>

#include "tests/support/source_files.h"
#include "tools/rooms.h"

namespace dalembert {
namespace {

const std::vector<Room>& rooms() {
  static const std::vector<Room> all = read_rooms(DALEMBERT_SOURCE);
  return all;
}

/// May `from` include `to`, both relative to the root?
bool allowed(const std::string& from, const std::string& to) {
  const auto in = [](const std::string& path, const char* folder) { return path.starts_with(folder); };
  if (in(from, "dalembert/")) return may_include(rooms(), from, to);
  if (const Room* room = room_of(rooms(), to); room != nullptr && room->is_private && !in(from, "tests/"))
    return false;
  if (in(from, "problems/")) return in(to, "dalembert/") || in(to, "problems/");
  if (in(from, "papers/")) return in(to, "dalembert/") || in(to, "problems/") || in(to, "papers/");
  if (in(from, "app/")) return !in(to, "tests/") && !in(to, "bench/");
  return !in(to, "app/");
}

std::vector<std::string> violations(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const auto& file : files)
    for (const auto& to : includes_of(file.text))
      if (!allowed(file.path, to)) found.push_back(file.path + " includes " + to);
  return found;
}

TEST(Layering, EveryFolderOfTheLibraryIsARoomAndEveryRoomAFolder) {
  const auto files = source_files(DALEMBERT_SOURCE, "dalembert");
  for (const auto& file : files) {
    if (is_front_door(file.path)) continue;
    const Room* room = room_of(rooms(), file.path);
    ASSERT_NE(room, nullptr) << file.path << " is in no room of dalembert/rooms.txt";
    const std::string folder = file.path.substr(10, file.path.rfind('/') - 10);
    EXPECT_EQ(room->name, folder) << "dalembert/rooms.txt does not list " << folder;
  }
  for (const Room& room : rooms())
    EXPECT_TRUE(
        std::filesystem::is_directory(std::filesystem::path(DALEMBERT_SOURCE) / "dalembert" / room.name))
        << room.name;
}

TEST(Layering, IncludesPointDownwards) {
  std::size_t seen = 0;
  for (const char* folder : {"dalembert", "problems", "papers", "app", "python", "tests", "bench", "tools"}) {
    const auto files = source_files(DALEMBERT_SOURCE, folder);
    seen += files.size();
    for (const auto& violation : violations(files)) ADD_FAILURE() << violation;
  }
  EXPECT_GT(seen, 100u);
}

TEST(Layering, NoSubFolderIsNamedThatIsNotIncluded) {
  const auto files = source_files(DALEMBERT_SOURCE, "dalembert");
  for (const Room& room : rooms())
    for (const auto& used : room.uses) {
      const bool needed = std::any_of(files.begin(), files.end(), [&](const SourceFile& file) {
        if (room_of(rooms(), file.path) != &room) return false;
        const auto all = includes_of(file.text);
        return std::any_of(all.begin(), all.end(), [&](const std::string& to) {
          const Room* at = room_of(rooms(), to);
          return at != nullptr && at->top() == room.top() && at->name.ends_with("/" + used);
        });
      });
      EXPECT_TRUE(needed) << room.name << " does not include anything of " << used;
    }
}

TEST(Layering, ViolationsAreFound) {
  const auto bad = [](const char* path, const char* text) { return violations({{path, text}}).size(); };
  EXPECT_EQ(bad("dalembert/linear/a.h", "#include <vector>\n#include \"dalembert/problem/problem.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/problem/a.cc", "#include \"dalembert/constraints/mechanics.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/control/a.cc", "  #  include \"dalembert/observe/trajectory.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/core/a.cc", "#include \"problems/reference.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/method/a.cc", "#include \"half_explicit.h\"\n"), 1u);  // paths start at the root
  EXPECT_EQ(bad("dalembert/analysis/a.cc", "#include \"dalembert/dalembert.h\"\n"), 1u);
  EXPECT_EQ(bad("problems/a.cc", "#include \"papers/paper.h\"\n"), 1u);
  EXPECT_EQ(bad("papers/a.cc", "#include \"app/print.h\"\n#include \"problems/violin.h\"\n"), 1u);
  EXPECT_EQ(bad("tests/a.cc", "#include \"app/print.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/method/a.cc",
                "#include \"dalembert/core/error.h\"\n#include \"dalembert/method/b.h\"\n"),
            0u);
  EXPECT_EQ(bad("dalembert/control/a.cc", "#include \"dalembert/dalembert.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/dalembert.h", "#include \"dalembert/control/run.h\"\n"), 0u);
}

TEST(Layering, ViolationsWithinARoomAreFound) {
  const auto bad = [](const char* path, const char* text) { return violations({{path, text}}).size(); };
  EXPECT_EQ(bad("dalembert/multibody/forces/a.h", "#include \"dalembert/multibody/planar/rows.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/multibody/planar/a.h", "#include \"dalembert/multibody/spatial/rows.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/multibody/planar/a.h", "#include \"dalembert/multibody/forces/elastic.h\"\n"), 0u);
  EXPECT_EQ(bad("dalembert/multibody/planar/a.h", "#include \"dalembert/multibody/measure.h\"\n"), 0u);
  EXPECT_EQ(bad("dalembert/observe/a.cc", "#include \"dalembert/control/singular/gap.h\"\n"), 1u);
  EXPECT_EQ(bad("app/a.cc", "#include \"dalembert/control/singular/gap.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/control/run.cc", "#include \"dalembert/control/singular/gap.h\"\n"), 0u);
}

}  // namespace
}  // namespace dalembert
