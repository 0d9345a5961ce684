// Which way the conditions of the equations go: written down while somebody wants to know.
#pragma once

#include <cstdint>

namespace dalembert {

/// While one lives, laws that are evaluated on its thread note which way their conditions go. Two evaluations with the same
/// signature are on the same smooth piece of the equations.
class PieceRecord {
 public:
  PieceRecord() : outer_(current_) { current_ = this; }
  ~PieceRecord() { current_ = outer_; }
  PieceRecord(const PieceRecord&) = delete;
  PieceRecord& operator=(const PieceRecord&) = delete;

  static PieceRecord* current() { return current_; }
  void note(std::int64_t way) {  // FNV-1a over whole numbers
    signature_ = (signature_ ^ static_cast<std::uint64_t>(way)) * 1099511628211ULL;
  }
  std::uint64_t signature() const { return signature_; }

 private:
  static inline thread_local PieceRecord* current_ = nullptr;
  PieceRecord* outer_;
  std::uint64_t signature_ = 14695981039346656037ULL;
};

}  // namespace dalembert
