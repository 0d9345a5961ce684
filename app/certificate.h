// What run --certify and certify share: which certificate is asked for, and how programs read it.
#pragma once

#include "app/json.h"
#include "app/subject.h"
#include "dalembert/observe/certify/certify.h"

namespace dalembert::app {

/// For a run of the subject with these options; says on standard error which run is made, and listens to Ctrl-C.
CertifyOptions certify_options(const Subject&, const RunOptions&);

Json to_json(const Certificate&);

}  // namespace dalembert::app
