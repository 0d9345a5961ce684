#include "tests/attack/metamorphic.h"

#include <cmath>

#include "dalembert/core/error.h"

namespace dalembert::attack {

namespace {

World draw_world(Dice& dice, const std::string& change, bool planar) {
  World world;
  if (change == "order") world.order = dice.seed() | 1;
  if (change == "space") world.lifted = true;
  if (change == "frame") {
    const Eigen::Vector3d axis = planar ? Eigen::Vector3d(Eigen::Vector3d::UnitZ()) : dice.direction(3);
    world.turn = Eigen::AngleAxisd(dice.number(-3, 3), axis).toRotationMatrix();
    world.shift = dice.number(0, 3) * dice.direction(planar ? 2 : 3);
  }
  if (change == "units") {
    world.length = dice.one_of(std::vector<double>{1, 100, 1000});
    world.mass = dice.one_of(std::vector<double>{1, .001, 1000});
    world.time = dice.one_of(std::vector<double>{1, 1, 1000});
  }
  return world;
}

/// Where bodies are and how they move, in the frame and the units of the drawing.
Table poses(const Table& table, const std::vector<std::string>& bodies, const World& world) {
  Table all;
  all.times = table.times;
  const auto column = [&](const std::string& name) {
    for (std::size_t i = 0; i < table.names.size(); ++i)
      if (table.names[i] == name) return static_cast<Eigen::Index>(i);
    return Eigen::Index{-1};
  };
  const auto vector = [&](const Vector& row, const std::vector<std::string>& names) {
    Eigen::Vector3d v = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < 3; ++i)
      if (const Eigen::Index at = column(names[i]); at >= 0) v[static_cast<Eigen::Index>(i)] = row[at];
    return v;
  };
  const std::vector<std::pair<std::string, int>> told = {
      {"position", 3}, {"velocity", 3}, {"attitude", 9}, {"spin", 3}};
  for (const std::string& body : bodies)
    for (const auto& [group, count] : told)
      for (int i = 0; i < count; ++i) {
        all.names.push_back(body + "." + group + std::to_string(i));
        all.groups.push_back(group);
      }
  for (const Vector& row : table.rows) {
    std::vector<Eigen::Vector3d> numbers;
    for (const std::string& body : bodies) {
      const std::string q = "q." + body, v = "v." + body;
      numbers.push_back(world.point_back(vector(row, {q + ".x", q + ".y", q + ".z"})));
      numbers.push_back(world.vector_back(vector(row, {v + ".x'", v + ".y'", v + ".z'"}), speed));
      Eigen::Matrix3d stands = Eigen::Matrix3d::Zero();  // of a point mass
      Eigen::Vector3d turning(0, 0, 0);
      if (const Eigen::Index angle = column(q + ".angle"); angle >= 0) {
        stands = Eigen::AngleAxisd(row[angle], Eigen::Vector3d::UnitZ()).toRotationMatrix();
        turning[2] = row[column(v + ".angle'")];
      } else if (const Eigen::Index e = column(q + ".e0"); e >= 0) {
        stands =
            Eigen::Quaterniond(row[e], row[e + 1], row[e + 2], row[e + 3]).normalized().toRotationMatrix();
        turning = stands * vector(row, {v + ".omega1", v + ".omega2", v + ".omega3"});
      }
      stands = (world.turn.transpose() * stands).eval();
      for (int i = 0; i < 3; ++i) numbers.push_back(stands.col(i));
      numbers.push_back(world.vector_back(turning, spin));
    }
    Vector flat(3 * static_cast<Eigen::Index>(numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      flat.segment(3 * static_cast<Eigen::Index>(i), 3) = numbers[i];
    all.rows.push_back(flat);
  }
  return all;
}

Table last_row(const Table& table) {
  Table last = table;
  last.times = {table.times.back()};
  last.rows = {table.rows.back()};
  return last;
}

/// The columns of `table` in the order of `like`.
Table sorted_as(const Table& table, const Table& like) {
  Table sorted = like;
  sorted.rows.clear();
  std::map<std::string, Eigen::Index> where;
  for (std::size_t i = 0; i < table.names.size(); ++i) where[table.names[i]] = static_cast<Eigen::Index>(i);
  for (const Vector& row : table.rows) {
    Vector all(static_cast<Eigen::Index>(like.names.size()));
    for (std::size_t i = 0; i < like.names.size(); ++i) {
      const auto found = where.find(like.names[i]);
      all[static_cast<Eigen::Index>(i)] = found == where.end() ? not_a_number : row[found->second];
    }
    sorted.rows.push_back(all);
  }
  return sorted;
}

}  // namespace

Twins draw_twins(std::uint64_t seed) {
  Dice dice(seed);
  const std::string change =
      dice.one_of(std::vector<std::string>{"frame", "units", "order", "space", "outputs"});
  Twins twins{change, {}, {}, {}};
  std::uint64_t drawn = dice.seed();
  twins.first = draw_mechanism(drawn);
  while (change == "space" && !twins.first.liftable) twins.first = draw_mechanism(drawn = dice.seed());
  twins.world = draw_world(dice, change, twins.first.planar);
  twins.second = draw_mechanism(drawn, twins.world);
  if (change == "outputs") twins.second.pieces = static_cast<int>(20 + dice.below(100));
  return twins;
}

TwinVerdict compare_twins(const Twins& twins, std::uint64_t seed) {
  Dice dice(seed);
  TwinVerdict result;
  const Model first = Model::from_text(twins.first.text()), second = Model::from_text(twins.second.text());
  result.run = draw_run(dice, *first.mechanism);
  const Trial a = attempt(first, result.run, {.pieces = twins.first.pieces});
  const Trial b = attempt(second, result.run, {.pieces = twins.second.pieces});
  result.first = a.outcome();
  result.second = b.outcome();
  if (!a.ok() || !b.ok()) {
    result.sort = TwinVerdict::Sort::refused;
    return result;
  }
  // Where laws switch, forces jump at times that are not exactly the same.
  const bool smooth = !first.mechanism->switches() && first.mechanism->events() == nullptr;
  const bool same_rows = smooth && (twins.change == "order" || twins.change == "outputs");
  const auto seen = [&](const Table& table, const World& world) {
    return same_rows ? table : poses(table, twins.first.bodies, world);
  };
  Table x = seen(a.table, {}), y = sorted_as(seen(b.table, twins.world), x);
  if (twins.change == "outputs") {
    x = last_row(x);
    y = last_row(y);
  }
  const double accuracy = 2 * generous * result.run.tolerance * twins.world.loosened();
  const auto allowed = [&](ByGroup numbers) {
    for (auto& [group, number] : numbers) number *= accuracy;
    return numbers;
  };
  Truth truth(first, twins.first.pieces, [&](const Table& t) { return seen(t, {}); });
  result.verdict = compare(y, x, allowed(sizes(x)));
  if (result.verdict.wrong()) {
    const auto grown = truth.table() != nullptr ? truth.growth(accuracy) : std::nullopt;
    if (!grown) return result;
    result.verdict = compare(y, x, allowed(*grown));
  }
  result.sort = result.verdict.wrong() ? TwinVerdict::Sort::differ : TwinVerdict::Sort::agree;
  return result;
}

}  // namespace dalembert::attack
