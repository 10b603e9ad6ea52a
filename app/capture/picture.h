// Picture: RGBA pixels in memory, and PNG files made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace warplens::app {

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // rows from the top, 4 bytes per pixel, opaque
};

/// Half as wide and high, each pixel the mean of four: a picture drawn twice as large becomes smooth.
Picture halved(const Picture& picture);
/// Writes all or nothing: an error leaves no partial file behind.
Status write_png(const Picture& picture, const std::string& path);
/// The file's bytes, for tests and for callers that write them elsewhere.
Result<std::vector<std::uint8_t>> encode_png(const Picture& picture);

}  // namespace warplens::app
