#include "dalembert/problem/partitioned.h"

#include <algorithm>
#include <set>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

/// The field of every entry; throws Error unless each has exactly one.
std::vector<std::size_t> owners(const std::vector<Partitioned::Field>& fields,
                                std::vector<Eigen::Index> Partitioned::Field::*part, Eigen::Index size,
                                const std::string& what) {
  const std::size_t nobody = fields.size();
  std::vector<std::size_t> owner(static_cast<std::size_t>(size), nobody);
  for (std::size_t j = 0; j < fields.size(); ++j)
    for (const Eigen::Index i : fields[j].*part) {
      if (i < 0 || i >= size)
        throw Error("field '" + fields[j].name + "' has no entry " + std::to_string(i) + " of " + what,
                    "there are " + std::to_string(size));
      std::size_t& mine = owner[static_cast<std::size_t>(i)];
      if (mine != nobody)
        throw Error("entry " + std::to_string(i) + " of " + what + " lies in two fields, '" +
                    fields[mine].name + "' and '" + fields[j].name + "'");
      mine = j;
    }
  for (std::size_t i = 0; i < owner.size(); ++i)
    if (owner[i] == nobody) throw Error("entry " + std::to_string(i) + " of " + what + " lies in no field");
  return owner;
}

}  // namespace

Partitioned::Partitioned(std::shared_ptr<const Mechanical> whole, std::vector<Field> fields)
    : whole_(std::move(whole)), fields_(std::move(fields)) {
  if (fields_.size() < 2) throw Error("a partitioned problem needs two fields or more");
  if (whole_->events() != nullptr)
    throw Error("a problem with events cannot be cut into fields", "run it in one piece");
  const Mechanical::Sizes n = whole_->sizes();
  owners(fields_, &Field::q, n.q, "q");
  owners(fields_, &Field::s, n.s, "s");
  const auto owner = owners(fields_, &Field::v, n.v, "v");

  const State start = whole_->start();
  const auto at = whole_->placed_at(start);
  Entries J;
  whole_->jacobian(*at, J);
  std::vector<std::set<std::size_t>> seen(static_cast<std::size_t>(n.rows()));
  for (std::size_t k = 0; k < J.size(); ++k)
    seen[static_cast<std::size_t>(J.row(k))].insert(owner[static_cast<std::size_t>(J.column(k))]);
  rows_of_.resize(fields_.size());
  for (Eigen::Index r = 0; r < n.rows(); ++r) {
    const auto& some = seen[static_cast<std::size_t>(r)];
    if (some.empty()) throw Error("constraint row " + std::to_string(r) + " sees no field");
    fields_of_.emplace_back(some.begin(), some.end());
    for (const std::size_t j : some) rows_of_[j].push_back(r);
    if (some.size() > 1) interface_.push_back(r);
  }
}

const Mechanical* as_mechanical(const Problem& problem) {
  if (const auto* fields = as<Partitioned>(&problem)) return fields->whole().get();
  return as<Mechanical>(&problem);
}

std::shared_ptr<const Partitioned> cut_in_two(std::shared_ptr<const Mechanical> whole,
                                              Eigen::Index positions) {
  if (!whole->plain()) throw Error("only a problem with q' = v is cut by counting coordinates");
  const Mechanical::Sizes n = whole->sizes();
  if (positions < 1 || positions >= n.q)
    throw Error("a cut after " + std::to_string(positions) + " coordinates leaves an empty field",
                "there are " + std::to_string(n.q));
  std::vector<Partitioned::Field> fields = {{.name = "x", .q = {}, .v = {}}, {.name = "y", .q = {}, .v = {}}};
  for (Eigen::Index i = 0; i < n.q; ++i) {
    auto& field = fields[i < positions ? 0 : 1];
    field.q.push_back(i);
    field.v.push_back(i);
  }
  for (Eigen::Index i = 0; i < n.s; ++i) fields[0].s.push_back(i);
  return std::make_shared<const Partitioned>(std::move(whole), std::move(fields));
}

}  // namespace dalembert
