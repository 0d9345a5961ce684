// JSON, written from left to right: numbers in the shortest form that reads back exactly, null for what is not finite.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

class JsonText {
 public:
  JsonText& begin_object() { return open('{'); }
  JsonText& end_object() { return close('}'); }
  JsonText& begin_array() { return open('['); }
  JsonText& end_array() { return close(']'); }
  JsonText& key(std::string_view);
  JsonText& value(std::string_view);
  JsonText& value(const char* text) { return value(std::string_view(text)); }
  JsonText& value(double);
  JsonText& value(long);
  JsonText& value(int whole) { return value(static_cast<long>(whole)); }
  JsonText& null();

  /// A key and a list of whatever has a value.
  template <class List>
  JsonText& list(std::string_view name, const List& all) {
    key(name).begin_array();
    for (const auto& each : all) value(each);
    return end_array();
  }
  template <class Value>
  JsonText& member(std::string_view name, const Value& what) {
    return key(name).value(what);
  }

  const std::string& text() const { return text_; }

 private:
  JsonText& open(char);
  JsonText& close(char);
  void separate();
  void quote(std::string_view);

  std::string text_;
  bool first_ = true;  // of its object or array, or directly behind its key
};

}  // namespace dalembert
