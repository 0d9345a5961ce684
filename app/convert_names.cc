// Other formats allow any name; model files want letters, digits, - and _.
#include <algorithm>
#include <map>
#include <set>

#include "app/convert.h"

namespace dalembert::app {

namespace {

/// New names for old ones, no two alike.
class Renaming {
 public:
  const std::string& operator()(const std::string& old) {
    const auto [found, fresh] = names_.try_emplace(old);
    if (fresh) found->second = unused(plain(old));
    return found->second;
  }
  /// A name that is new in both formats.
  std::string unused(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 2; !taken_.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
    return name;
  }

 private:
  static std::string plain(std::string name) {
    constexpr std::size_t most = 80;  // and room for what is added
    if (name.size() > most) name.resize(most);
    for (char& c : name) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && c != '-') c = '_';
    }
    return name.empty() ? "_" : name;
  }

  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace

void rename_for_models(Draft& draft) {
  Renaming bodies, joints;
  const auto said = [&](const std::string& what, const std::string& old, const std::string& now) {
    if (now != old)
      draft.left_out.push_back("the name of " + what + " '" + old + "': it is '" + now + "' here");
    return now;
  };
  bodies(ground_name);
  for (auto& link : draft.links) link.name = said("link", link.name, bodies(link.name));
  for (auto& joint : draft.joints) {
    for (auto& name : joint.links) name = bodies(name);
    joint.name = said("joint", joint.name, joints(joint.name));
  }
  for (auto& joint : draft.joints)
    if (joint.mimic) {
      joint.mimic->joint = joints(joint.mimic->joint);
      joint.mimic->gear = joints.unused(joint.name + "_mimic");
    }
}

}  // namespace dalembert::app
