// Takes the place of the page's assets in builds without Node.
#include "dalembert/page/assets.h"

namespace dalembert {

extern const PageAssets page_assets{"", "", ""};

}  // namespace dalembert
