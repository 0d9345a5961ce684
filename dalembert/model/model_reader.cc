// From the text of a model to a mechanism: bodies first, then joints, forces, drives and watches, each in the order of the
// files. Everything that is wrong is collected; a mechanism is returned only if nothing is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/model/element_keys.h"
#include "dalembert/model/expansion.h"
#include "dalembert/model/model_cut.h"
#include "dalembert/model/model_sections.h"
#include "dalembert/multibody/network/network.h"

namespace dalembert {

namespace {

using Space = ElementEntry::Space;

/// Finds the entry of an element, and names for it.
class Kinds {
 public:
  explicit Kinds(Space space) : space_(space) {
    for (const ElementEntry& entry : all_elements())
      if (entry.space == space || entry.space == Space::both)
        by_kind_[entry.section + "/" + entry.kind] = &entry;
  }
  const ElementEntry* find(const std::string& section, const std::string& kind) const {
    const auto found = by_kind_.find(section + "/" + kind);
    return found == by_kind_.end() ? nullptr : found->second;
  }
  std::vector<std::string> all(const std::string& section) const {
    std::vector<std::string> names;
    for (const ElementEntry& entry : all_elements())
      if (entry.section == section && (entry.space == space_ || entry.space == Space::both))
        names.push_back(entry.kind);
    return names;
  }
  /// Does the other space know it?
  bool elsewhere(const std::string& section, const std::string& kind) const {
    return std::any_of(all_elements().begin(), all_elements().end(),
                       [&](const ElementEntry& e) { return e.section == section && e.kind == kind; });
  }

 private:
  Space space_;
  std::unordered_map<std::string, const ElementEntry*> by_kind_;
};

std::vector<double> breaks_of(const ElementFields::Formula& formula, const std::string& what, double begin,
                              double end) try {
  return formula.expression.breaks(formula.t, begin, end);
} catch (const Error& error) {
  throw Error("a formula of " + what + " " + error.what(), error.hint());
}

class ModelReader {
 public:
  ModelReader(ModelFiles& files, const std::map<std::string, double>& set) : files_(files), set_(set) {}

  Model read(const Document& document);

 private:
  void read_head(const Document&);
  bool names_later_joint(const Task&, const Kinds&, const Expansion&);
  void build(const Task&, const Kinds&, const Expansion&);
  void build(const Task&, const Kinds&, Scope&);
  const ElementEntry* entry_of(const Task&, const Scope&, const Kinds&);
  std::optional<std::string> name_of(const Task&, const ElementEntry&, const Scope&);
  bool is_free(const Task&, const std::string& name, const Value& where);
  void check_ties(const Expansion&);
  void settle_network(const Expansion&);
  enum class Built { yes, no };
  void note(const Task&, const std::string& name, const ElementFields&, Built, int joints_before);
  void read_defaults();
  void check_tolerances();
  void read_known_digits();
  void cut_mechanism();
  Mechanism& mechanism() { return planar_ ? static_cast<Mechanism&>(*planar_) : *spatial_; }

  ModelFiles& files_;
  const std::map<std::string, double>& set_;
  Complaints complaints_;
  FileScope top_;
  Directory directory_;
  Model model_;
  std::shared_ptr<PlanarMechanism> planar_;
  std::shared_ptr<SpatialMechanism> spatial_;
  std::unordered_map<std::string, Place> others_;         ///< forces and watches, by section and name
  std::unordered_map<std::string, const Task*> network_;  ///< nodes and branches, by section and name
  std::map<std::string, int> unnamed_;
  std::set<const Value*> wrong_;  ///< elements, of which one repetition was wrong
};

Model ModelReader::read(const Document& document) {
  if (document.trouble()) throw ModelError({*document.trouble()});
  read_head(document);
  Expansion expansion(files_, complaints_, directory_.dimension());
  expansion.expand(top_);
  const Kinds kinds(directory_.space);
  for (int section = 0; section < static_cast<int>(std::size(element_sections)); ++section) {
    std::vector<const Task*> waiting;  // for joints further down the file
    for (const Task& task : expansion.tasks())
      if (task.section == section && !wrong_.contains(task.table)) {
        if (names_later_joint(task, kinds, expansion))
          waiting.push_back(&task);
        else
          build(task, kinds, expansion);
      }
    for (const Task* task : waiting)
      if (!wrong_.contains(task->table)) build(*task, kinds, expansion);
    if (section == 0) check_ties(expansion);
    if (element_sections[section] == std::string("branch")) settle_network(expansion);
  }
  if (mechanism().bodies().empty() && directory_.nodes.empty() && complaints_.count() == 0)
    complaints_.add({{document.name(), 1, 1}, "", "the model has no body", "add [[body]]"});
  read_defaults();
  complaints_.settle();
  check_tolerances();  // their labels need the mechanism
  read_known_digits();
  complaints_.settle();
  model_.remarks = complaints_.remarks();
  for (const Document& each : files_.documents()) model_.texts.push_back({each.name(), each.text()});
  model_.mechanism = planar_ ? std::shared_ptr<const Mechanism>(planar_) : spatial_;
  cut_mechanism();
  complaints_.settle();
  return std::move(model_);
}

void ModelReader::read_head(const Document& document) {
  top_.document = &document;
  check_top_keys(document, "", complaints_);
  top_.parameters = read_parameters(document, set_, complaints_);
  for (const Parameter& p : top_.parameters) top_.values[p.name] = p.value;
  std::vector<std::string> known;
  for (const Parameter& p : top_.parameters) known.push_back(p.name);
  for (const auto& [name, value] : set_) {
    if (!top_.values.contains(name)) {
      if (known.empty()) throw Error("unknown parameter '" + name + "'", "the model has no parameters");
      throw unknown("parameter", name, known);
    }
    if (!std::isfinite(value)) throw Error("parameter '" + name + "' is not finite");
  }
  const Head head = read_model_head(Scope(top_, complaints_));
  directory_.space = head.space == "spatial" ? Space::spatial : Space::planar;
  if (directory_.space == Space::planar)
    planar_ = std::make_shared<PlanarMechanism>(Point2{head.gravity[0], head.gravity[1]});
  else
    spatial_ = std::make_shared<SpatialMechanism>(head.gravity);
  model_.title = head.title;
  model_.space = head.space;
  model_.gravity = head.gravity;
  model_.parameters = top_.parameters;
}

/// By its kind; of an element without one, by the key that is the name of a kind.
const ElementEntry* ModelReader::entry_of(const Task& task, const Scope& scope, const Kinds& kinds) {
  const std::string section = element_sections[task.section];
  const std::string space = directory_.space == Space::planar ? "in the plane" : "in space";
  const Member* kind = task.table->find("kind");
  if (kind != nullptr) {
    const auto text = scope.text(kind->value, "kind");
    if (!text) return nullptr;
    if (const auto* found = kinds.find(section, *text)) return found;
    if (kinds.elsewhere(section, *text)) {
      std::string all;
      for (const auto& each : kinds.all(section)) all += (all.empty() ? "" : ", ") + each;
      scope.complain(kind->value, "there is no " + section + " of kind '" + *text + "' " + space,
                     "there are: " + all);
    } else {
      complaints_.add_unknown(scope.document(), kind->value.spot, "kind of " + section, *text,
                              kinds.all(section));
    }
    return nullptr;
  }
  if (section == "body") return kinds.find(section, "rigid");
  if (section == "node") return kinds.find(section, "electrical");
  for (const auto& each : kinds.all(section))
    if (task.table->find(each) != nullptr) return kinds.find(section, each);
  std::string all;
  for (const auto& each : kinds.all(section)) all += (all.empty() ? "" : ", ") + each;
  const bool by_key = section == "drive" || section == "watch";
  scope.complain(*task.table, "this " + section + (by_key ? " says not of what" : " has no kind"),
                 (by_key ? "it needs one of these keys: " : "add kind = ..., one of: ") + all);
  return nullptr;
}

std::optional<std::string> ModelReader::name_of(const Task& task, const ElementEntry& entry,
                                                const Scope& scope) {
  const Member* given = task.table->find("name");
  const std::string section = entry.section;
  if (given == nullptr) {
    if (section != "body" && section != "joint" && section != "node") {
      const Member* of = task.table->find(entry.kind);
      if (section == "watch" && of != nullptr && of->value.kind == Value::Kind::text &&
          of->value.text.size() < 40)
        if (const auto text = scope.text(of->value, entry.kind)) {
          const std::string name = task.file->prefix + *text + "." + entry.kind;
          if (others_.try_emplace(section + "/" + name).second) return name;
        }
      const std::string stem = task.file->prefix + (section == "drive" ? section : entry.kind);
      std::string name;
      do name = stem + std::to_string(++unnamed_[section + "/" + stem]);
      while (others_.contains(section + "/" + name) ||
             (section == "drive" && directory_.joints.contains(name)));
      return name;
    }
    complaints_.add(scope.document(), task.table->spot, "this " + section + " has no name",
                    "add name = \"...\"");
    return {};
  }
  const auto text = scope.text(given->value, "name");
  if (!text) return {};
  const bool plain =
      !text->empty() && text->size() <= 100 && text->find_first_of(" \t\r\n\"'{}=,;|") == std::string::npos &&
      std::none_of(text->begin(), text->end(), [](char c) { return static_cast<unsigned char>(c) < 32; });
  if (!plain || *text == "ground") {
    scope.complain(given->value, "'" + text->substr(0, 40) + "' cannot be the name of a " + section,
                   *text == "ground" ? "the ground is there without being described"
                                     : "take up to 100 letters, digits, - and _");
    return {};
  }
  return task.file->prefix + *text;
}

/// Joints and drives share their names: both are joints to the rest of the program.
bool ModelReader::is_free(const Task& task, const std::string& name, const Value& where) {
  const std::string section = element_sections[task.section];
  const Place here{task.file->document->name(), static_cast<int>(where.spot.line),
                   static_cast<int>(where.spot.column)};
  const Place* first = nullptr;
  if (section == "body" || section == "joint" || section == "drive") {
    auto& places = section == "body" ? model_.bodies : model_.joints;
    const auto [found, fresh] = places.try_emplace(name, here);
    if (!fresh) first = &found->second;
  } else {
    const auto [found, fresh] = others_.try_emplace(section + "/" + name, here);
    if (!fresh && found->second.line > 0) first = &found->second;
  }
  if (first == nullptr) return true;
  complaints_.add(*task.file->document, where.spot, "there are two of the name '" + name + "'",
                  fmt::format("the other one is at {}:{}:{}", first->file, first->line, first->column));
  return false;
}

/// A gear may be written before the joints of its wheels.
bool ModelReader::names_later_joint(const Task& task, const Kinds& kinds, const Expansion& expansion) {
  const Member* kind = task.table->find("kind");
  if (element_sections[task.section] != std::string("joint") || kind == nullptr) return false;
  const ElementEntry* entry = kinds.find("joint", kind->value.text);
  if (entry == nullptr) return false;
  Complaints unheard;
  Scope scope(*task.file, unheard);
  scope.set_indices(expansion.indices(task));
  return std::any_of(entry->keys.begin(), entry->keys.end(), [&](const Key& key) {
    const Member* named = key.type == Key::Type::joint ? task.table->find(key.name) : nullptr;
    if (named == nullptr || named->value.kind != Value::Kind::text) return false;
    const auto name = scope.text(named->value, key.name);
    return name && !directory_.joints.contains(task.file->prefix + *name);
  });
}

void ModelReader::build(const Task& task, const Kinds& kinds, const Expansion& expansion) {
  const auto before = complaints_.count();
  Scope scope(*task.file, complaints_);
  scope.set_indices(expansion.indices(task));
  build(task, kinds, scope);
  if (complaints_.count() == before) return;
  wrong_.insert(task.table);
  if (task.repetition >= 0) directory_.incomplete = true;
}

void ModelReader::build(const Task& task, const Kinds& kinds, Scope& scope) {
  const std::string section = element_sections[task.section];
  const auto before = complaints_.count();
  const int joints_before = static_cast<int>(mechanism().joints().size());
  const ElementEntry* entry = entry_of(task, scope, kinds);
  std::optional<std::string> name;
  if (entry != nullptr) {
    name = name_of(task, *entry, scope);
  } else if (const Member* given = task.table->find("name");
             given && given->value.kind == Value::Kind::text) {
    name = task.file->prefix + given->value.text;  // others may refer to it
  }
  const Member* named = task.table->find("name");
  if (name) is_free(task, *name, named == nullptr ? *task.table : named->value);
  if (entry == nullptr) {
    if (name && section == "body") directory_.bodies.try_emplace(*name, Directory::broken);
    if (name && section == "joint") directory_.joints.try_emplace(*name, Directory::broken);
    if (name && section == "node") directory_.nodes.try_emplace(*name, Directory::broken);
    return;
  }
  const std::string what = named == nullptr || !name ? "this " + section : section + " '" + *name + "'";
  ElementFields fields(*entry, *task.table, name.value_or(""), what, scope, directory_);
  if (fields.good() && complaints_.count() == before) {
    Construction construction{planar_.get(), spatial_.get(), model_.watches};
    try {
      entry->build(fields, construction);
      for (const ElementFields::Formula& formula : fields.formulas()) {
        if (formula.expression.switches(formula.t)) mechanism().has_switches();
        mechanism().breaks_at(
            [formula, what](double begin, double end) { return breaks_of(formula, what, begin, end); });
      }
    } catch (const Error& error) {
      complaints_.add(scope.document(), task.table->spot, error.what(), error.hint());
    }
  }
  if (name)
    note(task, *name, fields, complaints_.count() == before && fields.good() ? Built::yes : Built::no,
         joints_before);
}

/// What later elements may refer to.
void ModelReader::note(const Task& task, const std::string& name, const ElementFields& fields, Built built,
                       int joints_before) {
  const std::string section = element_sections[task.section];
  if (section == "node" || section == "branch") network_.try_emplace(section + "/" + name, &task);
  if (section == "body") {
    const int id =
        built == Built::yes ? static_cast<int>(mechanism().bodies().size()) - 1 : Directory::broken;
    directory_.bodies.try_emplace(name, id);
    if (built == Built::no) return;
    directory_.positions.resize(mechanism().bodies().size());
    directory_.positions.back() = fields.vector("position");
    if (const Shape* shape = fields.shape()) model_.shapes[name] = *shape;
    return;
  }
  if (section == "node") {
    const auto id = static_cast<int>(directory_.node_kinds.size());
    directory_.nodes.try_emplace(name, built == Built::yes ? id : Directory::broken);
    if (built == Built::yes) directory_.node_kinds.push_back(fields.description().kind);
    return;
  }
  if (built == Built::yes) model_.elements.push_back(fields.description());
  if (section == "joint" || section == "drive") {
    directory_.joints.try_emplace(name, built == Built::yes ? joints_before : Directory::broken);
  }
}

void ModelReader::check_ties(const Expansion& expansion) {
  for (const Tie& tie : expansion.ties()) {
    if (directory_.bodies.contains(tie.body) || directory_.incomplete) continue;
    std::vector<std::string> known = {"ground"};
    for (const auto& [name, id] : directory_.bodies)
      if (known.size() < 1000) known.push_back(name);
    complaints_.add_unknown(*tie.file->document, tie.value->spot, "body", tie.body, known);
    directory_.incomplete = true;
  }
}

/// What is wrong with the network is said at the branch or the node that it is about; what is wrong with the whole, at its first branch.
void ModelReader::settle_network(const Expansion& expansion) {
  if (directory_.nodes.empty() || complaints_.count() > 0) return;
  try {
    mechanism().forces<Network>().settle(mechanism());
  } catch (const Error& error) {
    const auto& tasks = expansion.tasks();
    const auto first = std::find_if(tasks.begin(), tasks.end(), [](const Task& task) {
      return element_sections[task.section] == std::string("branch");
    });
    const Task* at = first == tasks.end() ? &tasks.front() : &*first;
    if (const auto* known = dynamic_cast<const NetworkError*>(&error)) {
      const char* section = known->part() == NetworkError::Part::node ? "node/" : "branch/";
      const std::string& name = known->name();
      // A valve or a cylinder is several branches: "valve.pa".
      for (const std::string& called : {name, name.substr(0, name.rfind('.'))})
        if (const auto found = network_.find(section + called); found != network_.end()) {
          at = found->second;
          break;
        }
    }
    complaints_.add(*at->file->document, at->table->spot, error.what(), error.hint());
  }
}

void ModelReader::read_defaults() {
  model_.run = read_run(Scope(top_, complaints_));
  if (model_.run.end) mechanism().ends_at(*model_.run.end);
}

void ModelReader::check_tolerances() {
  try {
    Tolerance{.named = model_.run.atol_of}.refuse_unknown(mechanism().report());
  } catch (const Error& error) {
    const Document& document = *top_.document;
    complaints_.add(document, document.root().find("run")->value.find("atol")->spot, error.what(),
                    error.hint());
  }
}

void ModelReader::read_known_digits() {
  if (!set_.empty()) return;  // digits of another motion, perhaps of another mechanism
  for (KnownDigits& digits : read_references(Scope(top_, complaints_), mechanism().report())) {
    mechanism().knows(std::move(digits.state));
    model_.references.push_back(std::move(digits.reference));
  }
}

/// A cut brings the methods of its fields, and the options of the iteration between them.
void ModelReader::cut_mechanism() {
  const Scope scope(top_, complaints_);
  ModelCut cut = read_cut(scope, model_.mechanism);
  if (!cut.problem) return;
  const Member* run = scope.document().root().find("run");
  for (const char* key : {"method", "formulation"})
    if (const Member* given = run == nullptr ? nullptr : run->value.find(key))
      scope.complain(given->value, std::string(key) + " is given, but the mechanism is cut into fields",
                     "leave it out; each [[field]] has its method");
  model_.cut = std::move(cut.problem);
  model_.run.formulation = "fields";
  model_.run.method = std::move(cut.methods);
  model_.run.options = std::move(cut.options);
}

}  // namespace

Model Model::from_file(const std::filesystem::path& path, const std::map<std::string, double>& set) {
  return ModelFamily::from_file(path).model(set);
}

Model Model::from_text(const std::string& text, const std::filesystem::path& name,
                       const std::map<std::string, double>& set) {
  return ModelFamily::from_text(text, name).model(set);
}

ModelFamily ModelFamily::from_file(const std::filesystem::path& path) {
  const auto files = std::make_shared<ModelFiles>();
  return {files, files->open_top(path)};
}

ModelFamily ModelFamily::from_text(const std::string& text, const std::filesystem::path& name) {
  const auto files = std::make_shared<ModelFiles>();
  return {files, files->open_top(name, text)};
}

Model ModelFamily::model(const std::map<std::string, double>& set) const {
  return ModelReader(*files_, set).read(*top_);
}

}  // namespace dalembert
