// The nearest of the names that would have been right, for error messages about names that are wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::instrumentation {

/// "; did you mean `stride`?" when one of `known` is near to `given`, else "".
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);

/// "a, b, c"; "none" when empty.
std::string listed(const std::vector<std::string>& names);

}  // namespace warplens::instrumentation
