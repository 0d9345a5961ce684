// Pages: do they hold the run they were written from, packed without loss that can be seen, and nothing from outside?
#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dalembert/core/error.h"
#include "dalembert/page/assets.h"
#include "dalembert/page/json_text.h"
#include "dalembert/page/packing.h"
#include "dalembert/page/run_data.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"

namespace dalembert {
namespace {

using Json = nlohmann::json;

std::string unpacked(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  std::string plain(64'000'000, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -15), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

std::uint64_t word(const std::string& bytes, std::size_t at, std::size_t i, std::size_t count, int size) {
  std::uint64_t all = 0;
  for (int plane = 0; plane < size; ++plane)
    all |= std::uint64_t{static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(plane) * count + i])}
           << (8 * plane);
  return all;
}

/// As page/src/run.js reads them.
std::vector<double> levels(const std::string& bytes, std::size_t at, std::size_t count, const Levels& scale) {
  std::vector<double> values;
  std::uint32_t before = 0, earlier = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto change = static_cast<std::uint32_t>(word(bytes, at, i, count, 4));
    const std::uint32_t now = ((change >> 1) ^ (0 - (change & 1))) + 2 * before - earlier;
    values.push_back(now == 0xFFFFFFFF ? not_a_number : scale.low + now * scale.step);
    earlier = before;
    before = now;
  }
  return values;
}

PageRun recorded(const std::string& name, RunOptions options = {}) {
  const bool file = name.ends_with(".toml");
  std::optional<Model> model;
  if (file) model = Model::from_file(std::string(DALEMBERT_MODELS) + "/" + name);
  const std::shared_ptr<const Problem> problem = file ? model->mechanism : make_problem(name);
  if (options.outputs.empty()) options.outputs = output_times(0, options.end.value_or(problem->end()), 50);
  Monitor monitor(options.tolerance);
  RunRecorder recorder(*problem, {}, &monitor);
  const Summary summary = run(problem, options, {&monitor, &recorder});
  PageRun page{recorder.take(summary), problem, model};
  page.record.title = "a <title> & more";
  return page;
}

struct Unpacked {
  explicit Unpacked(const PageRun& run) : bytes(unpacked(packed(run))) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
      length |= std::size_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    json = Json::parse(bytes.substr(4, length));
    numbers = 4 + length;
  }
  double time(std::size_t row) const { return std::bit_cast<double>(word(bytes, numbers, row, rows(), 8)); }
  std::vector<double> column(const std::string& name) const {
    std::size_t at =
        numbers + 8 * (rows() + json["steps"].get<std::size_t>() + json["readings"].get<std::size_t>());
    for (const auto& each : json["columns"]) {
      if (each["name"] == name) return levels(bytes, at, rows(), {each["low"], each["step"]});
      at += 4 * rows();
    }
    ADD_FAILURE() << "no column " << name;
    return {};
  }
  std::size_t rows() const { return json["rows"]; }
  std::string bytes;
  Json json;
  std::size_t numbers = 0;
};

TEST(JsonText, IsJson) {
  JsonText json;
  json.begin_object()
      .member("text", "a \"quote\" \\ and\na line")
      .member("number", 0.1)
      .member("none", not_a_number);
  json.list("list", std::vector<double>{1, -2e-300}).key("empty").begin_array().end_array().end_object();
  const Json read = Json::parse(json.text());
  EXPECT_EQ(read["text"], "a \"quote\" \\ and\na line");
  EXPECT_EQ(read["number"], 0.1);
  EXPECT_TRUE(read["none"].is_null());
  EXPECT_EQ(read["list"][1], -2e-300);
  EXPECT_TRUE(read["empty"].empty());
}

TEST(Packing, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Packing, LevelsKeepTenDigitsOfTheRange) {
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) values.push_back(1e3 * std::sin(0.05 * i) - 200);
  values[77] = not_a_number;
  values[300] = -9e3;  // a jump
  Packing packing;
  const Levels scale = packing.add_levels(values);
  const auto back = levels(unpacked(packing.text()), 0, values.size(), scale);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 77)
      EXPECT_TRUE(std::isnan(back[i]));
    else
      EXPECT_NEAR(back[i], values[i], 1.2e-10 * 1.1e4);
  }
}

TEST(Packing, ConstantAndUnknownColumns) {
  Packing packing;
  const Levels same = packing.add_levels({3, 3, 3});
  EXPECT_EQ(same.low, 3);
  EXPECT_EQ(same.step, 0);
  packing.add_levels({not_a_number, not_a_number, not_a_number});
  const std::string bytes = unpacked(packing.text());
  EXPECT_EQ(levels(bytes, 0, 3, same), (std::vector<double>{3, 3, 3}));
  EXPECT_TRUE(std::isnan(levels(bytes, 12, 3, {})[2]));
}

TEST(RunData, ColumnsAreThoseOfTheRun) {
  const PageRun run = recorded("four-bar.toml");
  const Unpacked page(run);
  ASSERT_EQ(page.rows(), run.record.rows());
  for (std::size_t row = 0; row < page.rows(); ++row) EXPECT_EQ(page.time(row), run.record.times[row]);
  for (std::size_t i = 0; i < run.record.columns.size(); ++i) {
    const auto values = page.column(run.record.columns[i].name);
    double size = 0;
    for (std::size_t row = 0; row < page.rows(); ++row)
      size = std::max(size, std::abs(run.record.value(row, i)));
    for (std::size_t row = 0; row < page.rows(); ++row)
      EXPECT_NEAR(values[row], run.record.value(row, i), 1e-9 * size);
  }
}

TEST(RunData, ReactionsMoveABody) {
  // The force of the hinge is the only one along x: over the whole record it makes the change of momentum.
  RunOptions options;
  options.end = 1;
  options.outputs = output_times(0, 1, 1000);
  const PageRun run = recorded("pendulum.toml", options);
  const Unpacked page(run);
  const auto& body = page.json["scene"]["bodies"][0];
  const auto& joint = page.json["scene"]["joints"][0];
  ASSERT_EQ(joint["force"].size(), 2u);
  const auto x = page.column(joint["name"].get<std::string>() + ".force.x");
  double impulse = 0;  // by the trapezoidal rule
  for (std::size_t k = 1; k < page.rows(); ++k)
    impulse += (page.time(k) - page.time(k - 1)) * (x[k] + x[k - 1]) / 2;
  const std::size_t v = body["v"];
  const double change =
      body["mass"].get<double>() * (run.record.value(page.rows() - 1, v) - run.record.value(0, v));
  EXPECT_GT(std::abs(change), 0.1);
  EXPECT_NEAR(impulse, change, 1e-4 * std::abs(change));
}

TEST(RunData, RedundantRowsAndSingularPositionsAreNamed) {
  RunOptions options;
  options.end = 1;
  const Unpacked bricard(recorded("bricard.toml", options));
  EXPECT_EQ(bricard.json["summary"]["redundancy"]["dependent"].size(), 1u);
  EXPECT_EQ(bricard.json["space"], "spatial");
  options.end = 3;
  const Unpacked bars(recorded("double-four-bar.toml", options));
  EXPECT_FALSE(bars.json["summary"]["passages"].empty());
}

TEST(RunData, ElementsKnowTheirPlaces) {
  RunOptions options;
  options.end = 0.1;
  const PageRun run = recorded("excavator.toml", options);
  const Unpacked page(run);
  int cylinders = 0;
  for (const auto& element : page.json["scene"]["elements"])
    if (element["kind"] == "cylinder") {
      ++cylinders;
      EXPECT_EQ(element["ends"].size(), 2u);
      EXPECT_EQ(element["states"].size(), 2u);
      EXPECT_EQ(element["numbers"]["stroke"].size(), 2u);
      EXPECT_GT(element["line"], 0);
    }
  EXPECT_EQ(cylinders, 3);
}

TEST(RunData, LongRunsAreThinnedAndSaySo) {
  PageRun run = recorded("pendulum");
  RunRecord& record = run.record;
  const std::vector<double> row(record.values.begin(),
                                record.values.begin() + static_cast<std::ptrdiff_t>(record.columns.size()));
  const std::size_t many = 900'000;
  record.times.resize(many);
  record.values.resize(many * record.columns.size());
  for (std::size_t k = 0; k < many; ++k) {
    record.times[k] = static_cast<double>(k);
    std::copy(row.begin(), row.end(), record.values.begin() + static_cast<std::ptrdiff_t>(k * row.size()));
  }
  const Unpacked page(run);
  EXPECT_EQ(page.json["rowsOfRun"], many);
  EXPECT_GT(page.json["stride"], 1);
  EXPECT_LT(page.rows(), 500'000u);
  EXPECT_EQ(page.time(page.rows() - 1), record.times.back());
}

TEST(Sketches, LinksKeepTheirLengths) {
  for (const auto& entry : all_problems()) {
    const auto problem = make_problem(entry.name);
    const auto* drawable = as<Drawable>(problem.get());
    if (drawable == nullptr) continue;
    const Sketch sketch = drawable->sketch();
    const Eigen::Matrix3Xd at = drawable->sketch_points(problem->start());
    ASSERT_EQ(at.cols(), static_cast<Eigen::Index>(sketch.points.size())) << entry.name;
    RunOptions options;
    options.tolerance = {1e-9, 1e-9};
    options.end = problem->start().t + 0.3 * (problem->end() - problem->start().t);
    const Eigen::Matrix3Xd later = drawable->sketch_points(run(problem, options).state);
    for (const Sketch::Part& part : sketch.parts) {
      for (const int point : part.points) EXPECT_LT(point, at.cols()) << entry.name << " " << part.name;
      if (part.kind != Sketch::Kind::link) continue;
      const auto length = [&](const Eigen::Matrix3Xd& p) {
        return (p.col(part.points[0]) - p.col(part.points[1])).norm();
      };
      EXPECT_NEAR(length(later), length(at), 1e-6 * length(at)) << entry.name << " " << part.name;
    }
  }
}

TEST(Page, StandsAlone) {
  if (page_assets.shell.empty()) {
    EXPECT_THROW(page({recorded("pendulum")}), Error);
    GTEST_SKIP() << "built without Node";
  }
  const std::string text = page({recorded("pendulum")});
  EXPECT_NE(text.find("a &lt;title&gt; &amp; more"), std::string::npos);
  EXPECT_EQ(text.find("src="), std::string::npos);
  EXPECT_EQ(text.find("http:"), std::string::npos);
  EXPECT_EQ(text.find("https:"), std::string::npos);
  EXPECT_LT(text.size(), 400'000u);
}

}  // namespace
}  // namespace dalembert
