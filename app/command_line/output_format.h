// The format of a result that is a text or a picture: what --format says, else what the ending of --output
// is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warplens::app {

struct OutputFormat {
    std::string name;
    bool is_picture = false;
};

/// `what`: "a sweep". `texts`: its formats besides png and svg. `can_draw`: this program draws pictures. The
/// error is said before anything runs; so is that the output cannot be written.
Result<OutputFormat> output_format(std::string_view what, const std::string& format,
                                   const std::string& output, const std::vector<std::string>& texts,
                                   bool can_draw);

}  // namespace warplens::app
