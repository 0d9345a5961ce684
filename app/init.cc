// dalembert init: a first model to change, with a comment for each part.
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/outputs.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string file = "model.toml";
  bool json = false;
};

constexpr const char* first_model =
    R"(# A bar on a hinge, let go from the horizontal. What stands after # is a comment.
title = "A bar swings on a hinge"
space = "planar"              # or "spatial"

# Numbers with names. They can be changed without editing the file:
#   dalembert run FILE --set length="800 mm"
[parameters]
length = "1 m"                # without a unit numbers are in SI units
mass = 2                      # kg
friction = 0.1                # N m s/rad, of the bearing

# A body: its mass, its inertia about the centre of mass, and where that is drawn.
[[body]]
name = "bar"
mass = "mass"                 # a text is a formula of parameters
inertia = "mass*length^2/12"
position = ["length/2", 0]
shape = { kind = "bar", length = "length", width = "length/20" }

# A joint holds two bodies together at a point, given in the ground frame. `ground` does not move.
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "bar"]
at = [0, 0]

# Gravity acts by itself (9.81 m/s^2 downwards); other forces are added like this.
[[force]]
name = "bearing"
kind = "torsion-spring"
joint = "hinge"
damping = "friction"

# What you want to know besides positions, velocities and constraint forces.
[[watch]]
name = "load"                 # the force in the hinge
reaction = "hinge"

# How long, and how accurately.
[run]
end = 10
rtol = 1e-8
)";

Status write(const Call& call) {
  check_outputs({{"FILE", call.file, ".toml"}}, {});
  if (std::filesystem::exists(std::filesystem::symlink_status(call.file)))
    throw Error("'" + call.file + "' exists already", "give another name, as nothing is replaced");
  write_text(call.file, first_model);
  if (call.json) return print({{"file", call.file}}), done;
  const std::string name = shell_word(call.file);
  say("wrote " + call.file + ", a bar on a hinge\n\nnext:\n  dalembert check " + name +
      "                   is it put together as you mean it?\n  dalembert run " + name +
      "                     let it move\n  dalembert run " + name + " --plot bar.svg      see it move\n");
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_init() {
  return {{.name = "init",
           .rank = 118,
           .summary = "write a first model file with comments, to begin with",
           .examples = {"dalembert init", "dalembert init crane.toml"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             arguments.word("FILE", call->file, "the file to write (default: model.toml)");
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return write(*call); };
           }}};
}

}  // namespace dalembert::app
