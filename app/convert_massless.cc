// Frames without mass, which robot descriptions are full of, become part of the body that carries them.
#include <algorithm>
#include <map>

#include "app/convert.h"

namespace dalembert::app {

void join_massless_links(Draft& draft) {
  std::map<std::string, std::string> part_of;
  const auto owner = [&](std::string name) {
    for (auto found = part_of.find(name); found != part_of.end(); found = part_of.find(name))
      name = found->second;
    return name;
  };
  const auto massless = [&](const std::string& name) {
    return std::any_of(draft.links.begin(), draft.links.end(),
                       [&](const Link& l) { return l.name == name && l.mass == 0; });
  };
  // A joint that lost its links is no joint any more. One that joins a frame may let the next one join: until none does.
  for (bool again = true; again;) {
    again = false;
    for (auto& joint : draft.joints) {
      for (auto& name : joint.links) name = owner(name);
      if (joint.kind != "fixed") continue;
      const auto& [a, b] = joint.links;
      if (!massless(b) && !massless(a) && a != b) continue;
      if (a != b) (massless(b) ? part_of[b] : part_of[a]) = massless(b) ? a : b;
      joint.kind.clear();
      again = true;
    }
  }
  std::erase_if(draft.links, [&](const Link& l) { return part_of.count(l.name) > 0; });
  std::erase_if(draft.joints, [](const Connection& j) { return j.kind.empty(); });
  for (auto& joint : draft.joints)
    for (auto& name : joint.links) name = owner(name);
  for (const auto& link : draft.links)
    if (link.mass == 0)
      draft.left_out.push_back("link '" + link.name +
                               "' has no mass and moves: it is written with mass 0, give it some");
}

}  // namespace dalembert::app
