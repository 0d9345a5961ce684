// How a kind of body, joint, force, drive, node, branch or watch is entered so that model files can use it. The table of keys is everything
// there is to know: the reader checks files against it, the schema and the reference pages are written from it.
//
//   [[joint]]
//   name = "main"
//   kind = "revolute"        # the entry with section "joint" and kind "revolute"
//   bodies = ["ground", "crank"]
//   at = [0, 0]
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/model/model_element.h"
#include "dalembert/multibody/law.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// One key of an element.
struct Key {
  enum class Type {
    number,   ///< a number or an expression of parameters
    vector,   ///< two numbers in the plane, three in space
    numbers,  ///< a list of numbers of any length
    matrix,   ///< rows of numbers: a list of lists, or one list for a diagonal
    text,     ///< one of `words` if there are any
    body,     ///< the name of a body, or "ground"
    bodies,   ///< two of them
    joint,    ///< the name of a joint that came before
    node,     ///< the name of a node of the network, or "ground"
    /// A list of nodes, one for each of `words`. Their unit says of which domain: V or Pa.
    nodes,
    branch,   ///< the name of a branch, or of a part of one: "valve.pa"
    end,      ///< { body = "crank", at = [0, 0] }: a point fixed to a body, in the ground frame at the start
    law,      ///< a number, or an expression of parameters and of the variables in `words`
    laws,     ///< a vector of laws
    motion,   ///< an expression of parameters and of t, differentiated twice
    motions,  ///< a vector of motions
    /// How a body stands. In the plane an angle, read by number(). In space [w, x, y, z], { axis = [...], angle = ... } or
    /// { euler = [...], order = "zxz" }, read by numbers() as w, x, y, z.
    orientation,
    shape,  ///< { kind = "bar", length = 1 }: for the eye only; the reader keeps it
  };
  /// Vectors and laws of the ground frame are turned where an include is. Those with unit m are points: they are shifted too.
  /// If the element has a text key "frame" that says "body", its other vectors and laws are the body's.
  enum class Frame { ground, body };
  enum class Sign { any, rarely_negative, not_negative, positive };  ///< rarely: it is remarked on
  std::string name;
  Type type;
  std::string unit;     ///< "N/m"; in space and plane alike
  std::string meaning;  ///< half a sentence
  std::string preset =
      {};  ///< what holds if the key is left out, as it would be written ("0"); "-": nothing; "": it is required
  std::vector<std::string> words = {};
  Frame frame = Frame::ground;
  Sign sign = Sign::any;  ///< of numbers
};

/// One element of a file, read and checked against its keys: asking for a key that is not in the table is a mistake of the
/// program. In the plane vectors have z = 0.
class ElementKeys {
 public:
  virtual ~ElementKeys() = default;
  virtual const std::string& name() const = 0;
  virtual bool has(const std::string& key) const = 0;  ///< given in the file, or preset to something
  virtual double number(const std::string& key) const = 0;
  virtual Eigen::Vector3d vector(const std::string& key) const = 0;
  virtual std::vector<double> numbers(const std::string& key) const = 0;
  virtual Eigen::MatrixXd matrix(const std::string& key) const = 0;
  virtual std::string text(const std::string& key) const = 0;
  virtual int body(const std::string& key) const = 0;
  virtual std::array<int, 2> bodies(const std::string& key) const = 0;
  virtual int joint(const std::string& key) const = 0;  ///< Mechanism::Joint
  virtual int node(const std::string& key) const = 0;   ///< Network::node(); -1: the ground
  virtual std::vector<int> nodes(const std::string& key) const = 0;
  virtual Attachment end(const std::string& key) const = 0;
  virtual Law law(
      const std::string& key) const = 0;  ///< its arguments are the words of the key, in that order
  virtual std::vector<Law> laws(const std::string& key) const = 0;
  virtual Motion motion(const std::string& key) const = 0;
  virtual std::vector<Motion> motions(const std::string& key) const = 0;
  /// Something about this key is wrong in a way the table cannot say. The file is refused after all of it was read.
  virtual void complain(const std::string& key, const std::string& what, const std::string& hint) const = 0;
};

/// The mechanism that is being put together.
struct Construction {
  PlanarMechanism* planar = nullptr;  ///< one of these two
  SpatialMechanism* spatial = nullptr;
  std::vector<Watch>& watches;
  Mechanism& mechanism() const { return planar ? static_cast<Mechanism&>(*planar) : *spatial; }
};

struct ElementEntry {
  enum class Space { planar, spatial, both };
  std::string section;  ///< body, joint, force, drive, node, branch, watch
  std::string kind;
  Space space;
  std::string summary;
  std::string carries;    ///< of joints: the components of the reaction, and the frame they are given in
  std::vector<Key> keys;  ///< besides name and kind
  std::string example;    ///< as in a file
  /// An Error thrown here is reported at the element's place in the file.
  std::function<void(const ElementKeys&, Construction&)> build;
};

/// Generated from dalembert/model/elements/*.cc, each of which ends with `std::vector<ElementEntry> elements_in_<file>()`.
const std::vector<ElementEntry>& all_elements();

}  // namespace dalembert
