#include "app/capture/picture.h"

#include <png.h>

#include <algorithm>

#include "core/whole_file.h"

namespace warplens::app {

Picture halved(const Picture& picture) {
    Picture half{picture.width / 2, picture.height / 2, {}};
    half.rgba.resize(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height) * 4);
    const auto stride = static_cast<std::size_t>(picture.width) * 4;
    auto* out = half.rgba.data();
    for (int y = 0; y < half.height; ++y) {
        const std::uint8_t* row = picture.rgba.data() + static_cast<std::size_t>(2 * y) * stride;
        for (int x = 0; x < half.width; ++x, row += 8)
            for (int c = 0; c < 4; ++c)
                *out++ = static_cast<std::uint8_t>((row[c] + row[c + 4] +
                                                    row[stride + static_cast<std::size_t>(c)] +
                                                    row[stride + static_cast<std::size_t>(c) + 4] + 2) /
                                                   4);
    }
    return half;
}

Result<std::vector<std::uint8_t>> encode_png(const Picture& picture) {
    const auto width = static_cast<std::size_t>(std::max(0, picture.width));
    const auto height = static_cast<std::size_t>(std::max(0, picture.height));
    const auto refused = [&] {
        return fail("The image of {} by {} pixels could not be encoded as PNG.", picture.width,
                    picture.height);
    };
    if (width == 0 || height == 0 || picture.rgba.size() != width * height * 4) return refused();
    // Red, green and blue: a picture is opaque.
    std::vector<std::uint8_t> rgb(3 * width * height);
    std::uint8_t* to = rgb.data();
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) to = std::copy_n(&picture.rgba[i], 3, to);

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::vector<std::uint8_t> bytes(size);
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0)
        return refused();
    bytes.resize(size);
    return bytes;
}

Status write_png(const Picture& picture, const std::string& path) {
    WARPLENS_TRY(const auto bytes, encode_png(picture));
    return write_whole_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace warplens::app
