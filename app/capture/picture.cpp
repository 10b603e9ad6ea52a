#include "app/capture/picture.h"

#include <zlib.h>

#include <algorithm>
#include <span>
#include <string_view>

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

namespace {

void put32(std::vector<std::uint8_t>& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

/// "PNG specification: Chunk layout": length, name, contents, and the check sum of the last two.
void put_chunk(std::vector<std::uint8_t>& out, std::string_view name,
               std::span<const std::uint8_t> contents) {
    put32(out, static_cast<std::uint32_t>(contents.size()));
    const std::size_t checked = out.size();
    out.insert(out.end(), name.begin(), name.end());
    out.insert(out.end(), contents.begin(), contents.end());
    put32(out, static_cast<std::uint32_t>(
                   crc32(0, out.data() + checked, static_cast<uInt>(out.size() - checked))));
}

}  // namespace

Result<std::vector<std::uint8_t>> encode_png(const Picture& picture) {
    const auto width = static_cast<std::size_t>(std::max(0, picture.width));
    const auto height = static_cast<std::size_t>(std::max(0, picture.height));
    const auto refused = [&] {
        return fail("The image of {} by {} pixels could not be encoded as PNG.", picture.width,
                    picture.height);
    };
    if (width == 0 || height == 0 || picture.rgba.size() != width * height * 4) return refused();
    // Red, green and blue: a picture is opaque. Rows stand as they are, because flat colours and text repeat
    // whole stretches, which a filter would hide from the compressor.
    std::vector<std::uint8_t> rows(height * (1 + 3 * width));
    std::uint8_t* to = rows.data();
    const std::uint8_t* from = picture.rgba.data();
    for (std::size_t y = 0; y < height; ++y) {
        *to++ = 0;  // no filter
        for (std::size_t x = 0; x < width; ++x, from += 4) to = std::copy_n(from, 3, to);
    }
    uLongf size = compressBound(static_cast<uLong>(rows.size()));
    std::vector<std::uint8_t> packed(size);
    if (compress2(packed.data(), &size, rows.data(), static_cast<uLong>(rows.size()), Z_BEST_COMPRESSION) !=
        Z_OK)
        return refused();
    packed.resize(size);
    std::vector<std::uint8_t> bytes{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    std::vector<std::uint8_t> header;
    put32(header, static_cast<std::uint32_t>(width));
    put32(header, static_cast<std::uint32_t>(height));
    header.insert(header.end(), {8, 2, 0, 0, 0});  // bits, true colour, deflate, filters, not interlaced
    put_chunk(bytes, "IHDR", header);
    put_chunk(bytes, "IDAT", packed);
    put_chunk(bytes, "IEND", {});
    return bytes;
}

Status write_png(const Picture& picture, const std::string& path) {
    const auto bytes = encode_png(picture);
    if (!bytes) return tl::unexpected(bytes.error());
    return write_whole_file(path, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

}  // namespace warplens::app
