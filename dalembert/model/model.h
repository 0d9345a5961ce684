// A model file, read: a mechanism with its watches and the defaults of its run.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/run_settings.h"
#include "dalembert/core/error.h"
#include "dalembert/core/parameters.h"
#include "dalembert/core/place.h"
#include "dalembert/model/model_element.h"
#include "dalembert/multibody/mechanism.h"
#include "dalembert/observe/watch.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

class Document;
class ModelFiles;

/// One thing that is wrong with a file.
struct Complaint {
  Place place;
  std::string text;  ///< the offending text
  std::string what, hint;
  std::string sentence() const;  ///< "file:line:column: what; hint"
};

/// All that is wrong with a file.
class ModelError : public Error {
 public:
  explicit ModelError(std::vector<Complaint>);
  const std::vector<Complaint>& complaints() const { return complaints_; }

 private:
  std::vector<Complaint> complaints_;
};

/// What a body looks like; its equations do not know.
struct Shape {
  std::string kind;                                  ///< "bar"
  std::map<std::string, std::vector<double>> sizes;  ///< "length" -> {1}
};

/// Digits that are known at a time: which ones, Mechanism::exact() says.
struct Reference {
  double t = 0;
  std::string source;            ///< where they are from
  std::optional<double> within;  ///< how far a run may be from them at the tolerance of the file
};

/// A file that a model was read from.
struct ModelText {
  std::string name, text;
};

/// A mechanism as a file describes it, with what the file says besides. A run of it is that of problem().
struct Model {
  /// Throws ModelError with everything that is wrong. `set` changes parameters of the file.
  static Model from_file(const std::filesystem::path&, const std::map<std::string, double>& set = {});
  /// The same from text; includes are looked for beside `name`, which stands for the file in messages.
  static Model from_text(const std::string& text, const std::filesystem::path& name = "model.toml",
                         const std::map<std::string, double>& set = {});

  std::string title, space;  ///< "planar" or "spatial"
  std::shared_ptr<const Mechanism> mechanism;
  std::shared_ptr<const Partitioned> cut;  ///< the mechanism in fields, if the file cuts it
  /// What is solved: the mechanism, in fields if it is cut.
  std::shared_ptr<const Problem> problem() const {
    return cut ? std::shared_ptr<const Problem>(cut) : mechanism;
  }
  std::vector<Watch> watches;
  std::vector<Parameter> parameters;            ///< with the values that hold
  std::map<std::string, Place> bodies, joints;  ///< where each is described, by name; drives are joints
  std::map<std::string, Shape> shapes;          ///< by body
  std::vector<ModelElement> elements;  ///< joints, forces, drives and watches, as they were put together
  std::vector<ModelText> texts;        ///< the file, then those it includes
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<Complaint> remarks;     ///< what can be simulated, but looks like a slip of the pen
  std::vector<Reference> references;  ///< none if parameters were changed: they are of another motion
  RunSettings run;                    ///< [run]: what holds unless the caller says otherwise
};

/// The models of one file, by the values of its parameters. The text is read once; what follows from parameters is computed
/// for each. A ProblemFamily:
///
///   Solver solver(ModelFamily::from_file("crane.toml"), options);
///   solver.run({}, {{"load", 1200}});
///
/// A family belongs to one thread, the models that it makes do not.
class ModelFamily {
 public:
  /// Both throw as those of Model do; what is wrong with the model itself is said when one is made.
  static ModelFamily from_file(const std::filesystem::path&);
  static ModelFamily from_text(const std::string& text, const std::filesystem::path& name = "model.toml");

  /// The model with these parameters; throws as Model::from_text does.
  Model model(const std::map<std::string, double>& set = {}) const;
  /// What is solved of it.
  std::shared_ptr<const Problem> operator()(const std::map<std::string, double>& set) const {
    return model(set).problem();
  }

 private:
  ModelFamily(std::shared_ptr<ModelFiles> files, const Document& top)
      : files_(std::move(files)), top_(&top) {}
  std::shared_ptr<ModelFiles> files_;
  const Document* top_;
};

}  // namespace dalembert
