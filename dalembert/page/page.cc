#include "dalembert/page/page.h"

#include "dalembert/core/error.h"
#include "dalembert/page/assets.h"
#include "dalembert/page/run_data.h"

namespace dalembert {

namespace {

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

void replace(std::string& text, std::string_view mark, std::string_view by) {
  const auto found = text.find(mark);
  if (found == std::string::npos) throw Error("the shell of the page has no place " + std::string(mark));
  text.replace(found, mark.size(), by);
}

}  // namespace

void require_pages() {
  if (page_assets.shell.empty())
    throw Error("this program was built without Node, so it has no pages to write",
                "run `tools/setup page`, then build it again");
}

std::string page(const std::vector<PageRun>& runs) {
  require_pages();
  std::string data;
  for (const PageRun& run : runs)
    data += "<script type=\"text/plain\" class=\"run\">" + packed(run) + "</script>\n";
  std::string whole(page_assets.shell);
  replace(whole, "<!--TITLE-->", escaped(runs.front().record.title));
  replace(whole, "<!--DATA-->", data);
  replace(whole, "<!--CODE-->", is_spatial(runs.front()) ? page_assets.spatial : page_assets.planar);
  return whole;
}

}  // namespace dalembert
