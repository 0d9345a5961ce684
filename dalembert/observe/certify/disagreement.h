// Who does not agree, and why: sentences of a certificate.
#pragma once

#include <string>
#include <vector>

#include "dalembert/observe/certify/certify.h"
#include "dalembert/observe/certify/judgement.h"

namespace dalembert {

/// Why a family that was asked has no vote at the end.
std::string why_no_vote(const FamilyRecord&, const Series&, const Sizes&);

/// What a reader of the certificate should know: why digits are missing, where families part, what is not determined.
std::vector<std::string> remarks(const Certificate&, const std::vector<Series>&, const Sizes&);

}  // namespace dalembert
