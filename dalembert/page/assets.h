// What a page is made of besides its data: written by page/build.mjs from page/src where Node is there when the program is
// built, otherwise empty.
#pragma once

#include <string_view>

namespace dalembert {

struct PageAssets {
  std::string_view shell;            ///< the document, with places marked for the rest; "": there are none
  std::string_view planar, spatial;  ///< the program of the page, deflated, as base64
};
extern const PageAssets page_assets;

}  // namespace dalembert
