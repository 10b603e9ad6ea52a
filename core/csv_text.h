// Fields of a CSV file, as RFC 4180 has them.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Quoted if the text contains a comma, a quote or a line break.
std::string csv_field(std::string_view text);

}  // namespace warplens
