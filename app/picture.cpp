#include "app/picture.h"

#include <stb_image_write.h>

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
    std::vector<std::uint8_t> bytes;
    const auto append = [](void* into, void* data, int size) {
        auto* out = static_cast<std::vector<std::uint8_t>*>(into);
        const auto* from = static_cast<const std::uint8_t*>(data);
        out->insert(out->end(), from, from + size);
    };
    if (!stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 4, picture.rgba.data(),
                                picture.width * 4))
        return fail("The picture of {} by {} pixels could not be made into a PNG.", picture.width,
                    picture.height);
    return bytes;
}

Status write_png(const Picture& picture, const std::string& path) {
    const auto bytes = encode_png(picture);
    if (!bytes) return tl::unexpected(bytes.error());
    return write_whole_file(path, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

}  // namespace warplens::app
