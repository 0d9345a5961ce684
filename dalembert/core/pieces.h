// Which way the conditions of the equations go: written down while somebody wants to know.
#pragma once

#include <cstdint>
#include <vector>

namespace dalembert {

/// A smooth piece of the equations, as seen at one of its points.
struct Piece {
  std::uint64_t signature = 14695981039346656037ULL;  ///< equal on the same piece
  /// How far each condition is from going the other way, in the units of what it compares; of one sign on a piece.
  std::vector<double> margins{};

  bool operator==(const Piece& other) const { return signature == other.signature; }
};

/// While one lives, laws that are evaluated on its thread note which way their conditions go.
class PieceRecord {
 public:
  PieceRecord() : outer_(current_) { current_ = this; }
  ~PieceRecord() { current_ = outer_; }
  PieceRecord(const PieceRecord&) = delete;
  PieceRecord& operator=(const PieceRecord&) = delete;

  static PieceRecord* current() { return current_; }
  void note(std::int64_t way, double margin) {  // FNV-1a over whole numbers
    piece_.signature = (piece_.signature ^ static_cast<std::uint64_t>(way)) * 1099511628211ULL;
    piece_.margins.push_back(margin);
  }
  const Piece& piece() const { return piece_; }

 private:
  static inline thread_local PieceRecord* current_ = nullptr;
  PieceRecord* outer_;
  Piece piece_;
};

}  // namespace dalembert
