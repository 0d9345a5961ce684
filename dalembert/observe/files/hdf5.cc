#ifdef DALEMBERT_HAS_HDF5

#include "dalembert/observe/files/hdf5.h"

#include <algorithm>
#include <limits>

namespace dalembert::hdf5 {

namespace {

herr_t collect(unsigned, const H5E_error2_t* error, void* into) {
  auto& said = *static_cast<std::vector<std::string>*>(into);
  if (error->desc != nullptr) said.emplace_back(error->desc);
  return 0;
}

Handle text_type() {
  Handle type(h5().H5Tcopy(*h5().H5T_C_S1_g), h5().H5Tclose, "make a type");
  check(h5().H5Tset_size(type, H5T_VARIABLE), "make a type");
  check(h5().H5Tset_cset(type, H5T_CSET_UTF8), "make a type");
  return type;
}

Handle scalar() {
  return {h5().H5Screate(H5S_SCALAR), h5().H5Sclose, "make a space"};
}

void set(hid_t object, const std::string& name, hid_t type, const void* value) {
  if (h5().H5Aexists(object, name.c_str()) > 0)
    check(h5().H5Adelete(object, name.c_str()), "replace '" + name + "'");
  Handle attribute(h5().H5Acreate2(object, name.c_str(), type, scalar(), H5P_DEFAULT, H5P_DEFAULT),
                   h5().H5Aclose, "write '" + name + "'");
  check(h5().H5Awrite(attribute, type, value), "write '" + name + "'");
}

/// In chunks of about so many bytes.
Handle make_array(hid_t parent, const std::string& name, hid_t type, std::size_t columns,
                  std::size_t row_bytes) {
  constexpr std::size_t chunk_bytes = 65536;
  const hsize_t rows = std::clamp<std::size_t>(chunk_bytes / std::max<std::size_t>(row_bytes, 1), 1, 8192);
  const hsize_t now[] = {0, columns}, most[] = {H5S_UNLIMITED, columns}, chunk[] = {rows, columns};
  const int rank = columns > 0 ? 2 : 1;
  Handle space(h5().H5Screate_simple(rank, now, most), h5().H5Sclose, "make a space");
  Handle list(h5().H5Pcreate(*h5().H5P_CLS_DATASET_CREATE_ID_g), h5().H5Pclose, "make a list");
  check(h5().H5Pset_chunk(list, rank, chunk), "make chunks");
  return {h5().H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT), h5().H5Dclose,
          "make '" + name + "'"};
}

Handle open_array(hid_t parent, const std::string& name) {
  return {h5().H5Dopen2(parent, name.c_str(), H5P_DEFAULT), h5().H5Dclose, "open '" + name + "'"};
}

/// Rows, and what is in one.
std::pair<hsize_t, hsize_t> sizes(hid_t array) {
  Handle space(h5().H5Dget_space(array), h5().H5Sclose, "read a size");
  hsize_t size[H5S_MAX_RANK] = {1};
  const int rank = h5().H5Sget_simple_extent_dims(space, size, nullptr);
  hsize_t one = 1;
  for (int i = 1; i < rank; ++i) one *= size[i];
  return {size[0], one};
}

void set_size(hid_t array, hsize_t rows, std::size_t columns, const std::string& name) {
  const hsize_t size[] = {rows, columns};
  check(h5().H5Dset_extent(array, size), "write '" + name + "'");
}

void append_rows(hid_t array, hid_t type, const void* values, std::size_t rows, std::size_t columns,
                 const std::string& name) {
  if (rows == 0) return;
  const hsize_t before = sizes(array).first;
  set_size(array, before + rows, columns, name);
  const hsize_t first[] = {before, 0}, count[] = {rows, columns};
  Handle whole(h5().H5Dget_space(array), h5().H5Sclose, "read a size");
  check(h5().H5Sselect_hyperslab(whole, H5S_SELECT_SET, first, nullptr, count, nullptr),
        "write '" + name + "'");
  Handle part(h5().H5Screate_simple(columns > 0 ? 2 : 1, count, nullptr), h5().H5Sclose, "make a space");
  check(h5().H5Dwrite(array, type, part, whole, H5P_DEFAULT, values), "write '" + name + "'");
}

}  // namespace

Handle::Handle(hid_t id, Close closer, const std::string& what) : id_(id), close_(closer) {
  if (id < 0) check(-1, what);
}

void Handle::close(const std::string& what) {
  check(close_(std::exchange(id_, -1)), what);
}

namespace {

std::recursive_mutex in_use;

}  // namespace

Quiet::Quiet() : alone_(in_use) {
  // Every file is closed where it was opened. What is left of one that could not be (a full disk) the library would try to
  // close again at exit, and complain to people.
  static const herr_t once = h5().H5dont_atexit();
  (void)once;
  h5().H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  h5().H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Quiet::~Quiet() {
  h5().H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

namespace {

/// Of the machine, if that is what the library met; otherwise what it says itself.
std::string reason() {
  std::vector<std::string> said;
  h5().H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &said);
  const std::string mark = "error message = '";
  for (const auto& text : said)
    if (const auto at = text.find(mark); at != std::string::npos) {
      const std::string rest = text.substr(at + mark.size());
      return rest.substr(0, rest.find('\''));
    }
  return said.empty() ? "the HDF5 library does not say why" : said.front();
}

}  // namespace

void check(herr_t result, const std::string& what) {
  if (result < 0) throw Failure(what, reason());
}

Handle open_file(const std::string& path, unsigned flags) {
  return {h5().H5Fopen(path.c_str(), flags, H5P_DEFAULT), h5().H5Fclose, "open '" + path + "' as HDF5"};
}

Handle create_file(const std::string& path) {
  return {h5().H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), h5().H5Fclose,
          "write '" + path + "'"};
}

bool exists(hid_t parent, const std::string& name) {
  return h5().H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0;
}

Handle group(hid_t parent, const std::string& name) {
  if (exists(parent, name))
    return {h5().H5Gopen2(parent, name.c_str(), H5P_DEFAULT), h5().H5Gclose, "open '" + name + "'"};
  return {h5().H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), h5().H5Gclose,
          "make '" + name + "'"};
}

void set_attribute(hid_t object, const std::string& name, const std::string& text) {
  const char* const value = text.c_str();
  set(object, name, text_type(), &value);
}
void set_attribute(hid_t object, const std::string& name, double value) {
  set(object, name, *h5().H5T_NATIVE_DOUBLE_g, &value);
}
void set_attribute(hid_t object, const std::string& name, long long value) {
  set(object, name, *h5().H5T_NATIVE_LLONG_g, &value);
}

std::string text_attribute(hid_t object, const std::string& name) {
  if (h5().H5Aexists(object, name.c_str()) <= 0) return {};
  Handle attribute(h5().H5Aopen(object, name.c_str(), H5P_DEFAULT), h5().H5Aclose, "read '" + name + "'");
  char* value = nullptr;
  check(h5().H5Aread(attribute, text_type(), &value), "read '" + name + "'");
  std::string text = value != nullptr ? value : "";
  h5().H5free_memory(value);
  return text;
}

double number_attribute(hid_t object, const std::string& name) {
  double value = std::numeric_limits<double>::quiet_NaN();
  if (h5().H5Aexists(object, name.c_str()) <= 0) return value;
  Handle attribute(h5().H5Aopen(object, name.c_str(), H5P_DEFAULT), h5().H5Aclose, "read '" + name + "'");
  check(h5().H5Aread(attribute, *h5().H5T_NATIVE_DOUBLE_g, &value), "read '" + name + "'");
  return value;
}

void append(hid_t parent, const std::string& name, const std::vector<double>& values, std::size_t columns) {
  const std::size_t one = std::max<std::size_t>(columns, 1);
  const Handle array = exists(parent, name)
                           ? open_array(parent, name)
                           : make_array(parent, name, *h5().H5T_IEEE_F64LE_g, columns, one * sizeof(double));
  append_rows(array, *h5().H5T_NATIVE_DOUBLE_g, values.data(), values.size() / one, columns, name);
}

void append(hid_t parent, const std::string& name, const std::vector<std::string>& values) {
  const Handle type = text_type();
  const Handle array =
      exists(parent, name) ? open_array(parent, name) : make_array(parent, name, type, 0, 4096);
  std::vector<const char*> all;
  for (const auto& value : values) all.push_back(value.c_str());
  append_rows(array, type, all.data(), all.size(), 0, name);
}

void set_rows(hid_t parent, const std::string& name, std::size_t rows) {
  if (!exists(parent, name)) return;
  const Handle array = open_array(parent, name);
  const auto [before, one] = sizes(array);
  set_size(array, rows, one, name);
}

std::size_t rows_of(hid_t parent, const std::string& name) {
  return exists(parent, name) ? static_cast<std::size_t>(sizes(open_array(parent, name)).first) : 0;
}

std::vector<double> numbers(hid_t parent, const std::string& name) {
  const Handle array = open_array(parent, name);
  const auto [rows, one] = sizes(array);
  std::vector<double> all(static_cast<std::size_t>(rows * one));
  if (!all.empty())
    check(h5().H5Dread(array, *h5().H5T_NATIVE_DOUBLE_g, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()),
          "read '" + name + "'");
  return all;
}

std::vector<std::string> texts(hid_t parent, const std::string& name) {
  const Handle array = open_array(parent, name), type = text_type();
  std::vector<char*> all(static_cast<std::size_t>(sizes(array).first), nullptr);
  if (!all.empty())
    check(h5().H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "read '" + name + "'");
  std::vector<std::string> found;
  for (char* text : all) {
    found.emplace_back(text != nullptr ? text : "");
    h5().H5free_memory(text);
  }
  return found;
}

void set_bytes(hid_t parent, const std::string& name, const std::string& bytes) {
  const Handle array =
      exists(parent, name) ? open_array(parent, name) : make_array(parent, name, *h5().H5T_STD_U8LE_g, 0, 16);
  set_size(array, bytes.size(), 0, name);
  if (!bytes.empty())
    check(h5().H5Dwrite(array, *h5().H5T_NATIVE_UINT8_g, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
          "write '" + name + "'");
}

std::string bytes(hid_t parent, const std::string& name) {
  if (!exists(parent, name)) return {};
  const Handle array = open_array(parent, name);
  std::string all(static_cast<std::size_t>(sizes(array).first), '\0');
  if (!all.empty())
    check(h5().H5Dread(array, *h5().H5T_NATIVE_UINT8_g, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()),
          "read '" + name + "'");
  return all;
}

}  // namespace dalembert::hdf5

#endif
