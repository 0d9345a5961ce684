// The values of an element that have a place or a direction, and the laws of forces and drives. In an include they are
// shifted and turned: r -> R r + s.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/model/element_keys.h"
#include "dalembert/model/part_laws.h"

namespace dalembert {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

Eigen::Quaterniond turn_about(char axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3d::Unit(axis - 'x')));
}

bool is_order(const std::string& order) {
  return order.size() == 3 && order.find_first_not_of("xyz") == std::string::npos && order[0] != order[1] &&
         order[1] != order[2];
}

/// What shapes have, by kind.
const std::map<std::string, std::vector<std::string>>& shape_keys() {
  static const std::map<std::string, std::vector<std::string>> all = {{"bar", {"length", "width"}},
                                                                      {"box", {"size"}},
                                                                      {"disc", {"radius"}},
                                                                      {"sphere", {"radius"}},
                                                                      {"cylinder", {"radius", "length"}}};
  return all;
}

}  // namespace

bool ElementFields::turns(const Key& key) const {
  if (key.frame == Key::Frame::body) return false;
  if (key.unit == "m") return true;
  for (const Key& each : entry_.keys)
    if (each.name == "frame" && each.type == Key::Type::text) {
      const Member* member = table_.find("frame");
      return (member == nullptr ? preset_value(each) : member->value).text != "body";
    }
  return true;
}

ElementFields::Field ElementFields::read_vector(const Key& key, const Value& value) {
  const FileScope& file = scope_.file();
  Vector3d r = Vector3d::Zero();
  const bool zero = &value == &preset_value(key) && value.kind == Value::Kind::number;
  if (!zero) {
    if (!is_list(value, key.name, directory_.dimension())) return {};
    for (std::size_t i = 0; i < value.list.size(); ++i) {
      const auto number = scope_.number(value.list[i], key.name, key.unit);
      if (!number) good_ = false;
      r[static_cast<Eigen::Index>(i)] = number.value_or(0);
    }
  }
  if (turns(key)) r = file.turn * r;
  if (turns(key) && key.unit == "m") r += file.shift;
  return r;
}

ElementFields::Field ElementFields::read_matrix(const Key& key, const Value& value) {
  if (!is_list(value, key.name, -1)) return {};
  const auto n = static_cast<Eigen::Index>(value.list.size());
  const bool diagonal = value.list[0].kind != Value::Kind::list;
  if (diagonal) {
    const auto list = list_of_numbers(value, key.name, key.unit);
    if (!list) return {};
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) result(i, i) = (*list)[static_cast<std::size_t>(i)];
    return result;
  }
  Eigen::MatrixXd result;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto row = list_of_numbers(value.list[static_cast<std::size_t>(i)], key.name, key.unit);
    if (!row) return {};
    if (i == 0) result.resize(n, static_cast<Eigen::Index>(row->size()));
    if (static_cast<Eigen::Index>(row->size()) != result.cols()) {
      refuse(value.list[static_cast<std::size_t>(i)],
             fmt::format("this row of {} has {} entries", key.name, row->size()),
             fmt::format("the first one has {}", result.cols()));
      return {};
    }
    for (Eigen::Index j = 0; j < result.cols(); ++j) result(i, j) = (*row)[static_cast<std::size_t>(j)];
  }
  return result;
}

ElementFields::Field ElementFields::read_orientation(const Key& key, const Value& value) {
  const Matrix3d& turn = scope_.file().turn;
  if (directory_.space == ElementEntry::Space::planar) {
    const auto angle = scope_.number(value, key.name, key.unit);
    if (!angle) return {};
    scope_.add_local(key.name, *angle);
    return turn.isIdentity(0) ? *angle : *angle + std::atan2(turn(1, 0), turn(0, 0));
  }
  const auto rotation = read_rotation(scope_, value, key.name);
  if (!rotation) return {};
  Eigen::Vector4d e = *rotation;
  if (!turn.isIdentity(0)) {
    const Eigen::Quaterniond both = Eigen::Quaterniond(turn) * Eigen::Quaterniond(e[0], e[1], e[2], e[3]);
    e = {both.w(), both.x(), both.y(), both.z()};
  }
  return std::vector<double>{e[0], e[1], e[2], e[3]};
}

std::optional<Eigen::Vector4d> read_rotation(const Scope& scope, const Value& value,
                                             const std::string& what) {
  const std::string expected =
      "[w, x, y, z], { axis = [...], angle = ... } or { euler = [...], order = \"zxz\" } was expected";
  const auto numbers = [&](const Value& list, std::size_t length, const char* unit) {
    std::vector<double> all;
    if (list.kind == Value::Kind::list)
      for (const Value& each : list.list)
        if (const auto number = scope.number(each, what, unit)) all.push_back(*number);
    if (list.kind != Value::Kind::list || list.list.size() != length)
      scope.complain(list, fmt::format("{} has no list of {} numbers", what, length), expected);
    all.resize(length);
    return all;
  };
  if (value.kind == Value::Kind::list) {
    const auto e = numbers(value, 4, "");
    const Eigen::Vector4d result(e[0], e[1], e[2], e[3]);
    if (result.norm() > 0) return result;
    scope.complain(value, what + " is zero", "one that does not turn is [1, 0, 0, 0]");
    return {};
  }
  const Member *axis = value.find("axis"), *angle = value.find("angle"), *euler = value.find("euler"),
               *order = value.find("order");
  if (value.kind != Value::Kind::table || value.table.size() != 2 || !((axis && angle) || (euler && order))) {
    scope.complain(value, what + " cannot be read", expected);
    return {};
  }
  Eigen::Quaterniond turn;
  if (axis != nullptr) {
    const auto a = numbers(axis->value, 3, "");
    const auto by = scope.number(angle->value, "angle", "rad");
    const Vector3d direction(a[0], a[1], a[2]);
    if (!(direction.norm() > 0)) scope.complain(axis->value, "the axis is zero", "give it a direction");
    if (!by || !(direction.norm() > 0)) return {};
    turn = Eigen::AngleAxisd(*by, direction.normalized());
  } else {
    const auto angles = numbers(euler->value, 3, "rad");
    const auto text = scope.text(order->value, "order");
    if (!text) return {};
    if (!is_order(*text)) {
      scope.complain(
          order->value, "order is '" + *text + "'",
          "three of x, y, z, no two neighbours alike: the axes of the body about which it turns, one after "
          "the other");
      return {};
    }
    turn = turn_about((*text)[0], angles[0]) * turn_about((*text)[1], angles[1]) *
           turn_about((*text)[2], angles[2]);
  }
  return Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z());
}

ElementFields::Field ElementFields::read_end(const Key& key, const Value& value) {
  const std::string expected = "{ body = \"crank\", at = [...] } was expected";
  if (value.kind != Value::Kind::table) {
    refuse(value, key.name + " is " + std::string(in_words(value.kind)), expected);
    return {};
  }
  for (const Member& member : value.table)
    if (member.key != "body" && member.key != "at") {
      good_ = false;
      scope_.complaints().add_unknown(scope_.document(), member.spot, "key of " + key.name, member.key,
                                      {"body", "at"});
    }
  const Member *body = value.find("body"), *at = value.find("at");
  if (body == nullptr) {
    refuse(value, key.name + " has no body", expected);
    return {};
  }
  const auto id = body_named(body->value, "body");
  if (!id) return {};
  Attachment end{*id, Vector3d::Zero()};
  if (at != nullptr) {
    const Key place{"at", Key::Type::vector, "m", ""};
    const Field point = read_vector(place, at->value);
    if (!std::holds_alternative<Vector3d>(point)) return {};
    end.at = std::get<Vector3d>(point);
  } else if (*id == Mechanism::ground) {
    refuse(value, key.name + " is on the ground, but says not where", "add at = [...]");
  } else if (*id >= 0) {
    end.at = directory_.positions[static_cast<std::size_t>(*id)];
  }
  return end;
}

ElementFields::Field ElementFields::read_laws(const Key& key, const Value& value) {
  const auto one = [&](const Value& each) {
    const auto found = scope_.expression(each, key.name, key.unit, key.words);
    if (!found) return Law();
    const auto t = std::find(key.words.begin(), key.words.end(), "t") - key.words.begin();
    if (!found->constant()) formulas_.push_back({*found, static_cast<std::size_t>(t)});
    return found->law();
  };
  const PartFrame frame{scope_.file().turn, scope_.file().shift};
  const Components components = turns(key) ? Components::of_ground : Components::of_body;
  if (key.type == Key::Type::law) return moved({one(value)}, key.words, frame, components).front();
  const auto n = static_cast<std::size_t>(directory_.dimension());
  std::vector<Law> all(n);
  if (&value == &preset_value(key) && value.kind == Value::Kind::number) return all;
  if (!is_list(value, key.name, directory_.dimension())) return {};
  for (std::size_t i = 0; i < n; ++i) all[i] = one(value.list[i]);
  return moved(std::move(all), key.words, frame, components);
}

ElementFields::Field ElementFields::read_motions(const Key& key, const Value& value) {
  const auto one = [&](const Value& each) {
    const auto found = scope_.expression(each, key.name, key.unit, {"t"});
    if (!found) return Motion();
    if (!found->constant()) formulas_.push_back({*found, 0});
    return found->motion();
  };
  if (key.type == Key::Type::motion) return one(value);
  const auto n = static_cast<std::size_t>(directory_.dimension());
  if (!is_list(value, key.name, directory_.dimension())) return {};
  std::vector<Motion> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = one(value.list[i]);
  const Matrix3d R = scope_.file().turn;
  const Vector3d shift = key.unit == "m" ? scope_.file().shift : Vector3d::Zero();
  if (!turns(key) || (R.isIdentity(0) && shift.isZero(0))) return all;
  std::vector<Motion> moved(n);
  for (std::size_t i = 0; i < n; ++i)
    moved[i].at = [all, R, offset = shift[static_cast<Eigen::Index>(i)], i, n](double t) {
      Motion::Value sum{offset, 0, 0};
      for (std::size_t j = 0; j < n; ++j) {
        const double factor = R(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        const Motion::Value each = all[j](t);
        sum.f += factor * each.f, sum.rate += factor * each.rate,
            sum.acceleration += factor * each.acceleration;
      }
      return sum;
    };
  return moved;
}

ElementFields::Field ElementFields::read_shape(const Value& value) {
  const Member* kind = value.kind == Value::Kind::table ? value.find("kind") : nullptr;
  if (kind == nullptr) {
    refuse(value, "shape has no kind", "{ kind = \"bar\", length = 1 } was expected");
    return {};
  }
  const auto text = scope_.text(kind->value, "kind");
  if (!text) return {};
  const auto found = shape_keys().find(*text);
  if (found == shape_keys().end()) {
    std::vector<std::string> known;
    for (const auto& [name, keys] : shape_keys()) known.push_back(name);
    scope_.complaints().add_unknown(scope_.document(), kind->value.spot, "shape", *text, known);
    return {};
  }
  Shape shape{*text, {}};
  for (const Member& member : value.table) {
    if (member.key == "kind") continue;
    if (std::find(found->second.begin(), found->second.end(), member.key) == found->second.end()) {
      scope_.complaints().add_unknown(scope_.document(), member.spot, "key of shape", member.key,
                                      found->second);
    } else if (member.value.kind == Value::Kind::list) {
      if (auto sizes = list_of_numbers(member.value, member.key, "m"))
        shape.sizes[member.key] = std::move(*sizes);
    } else if (const auto size = scope_.number(member.value, member.key, "m")) {
      shape.sizes[member.key] = {*size};
    }
  }
  for (const auto& [name, sizes] : shape.sizes)
    for (const double size : sizes)
      if (!(size > 0))
        refuse(value, fmt::format("{} of shape is {:g}", name, size), "it must be larger than 0");
  return shape;
}

}  // namespace dalembert
