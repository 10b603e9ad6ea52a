#include "app/capture/picture.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <new>

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

[[noreturn]] void fail_png(png_struct* png, const char*) { png_longjmp(png, 1); }

void append(png_struct* png, png_byte* data, std::size_t size) {
    auto& bytes = *static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(png));
    try {
        bytes.insert(bytes.end(), data, data + size);
    } catch (const std::bad_alloc&) {
        png_error(png, "no memory");
    }
}

/// Row by row, so that a large picture is not in memory twice. False: libpng jumped back here from its error,
/// over frames of its own and of fail_png() alone.
bool write_rows(png_struct* png, png_info* info, const Picture& picture, std::vector<std::uint8_t>& bytes) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_write_fn(png, &bytes, append, nullptr);
    const auto width = static_cast<png_uint_32>(picture.width);
    png_set_IHDR(png, info, width, static_cast<png_uint_32>(picture.height), 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // Drawings repeat the row above: with this filter alone a file is about as small as with the best of all
    // filters for each row, in half the time.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_set_compression_strategy(png, 0);  // zlib's default, which libpng replaces for filtered rows
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);  // a picture is opaque
    for (int y = 0; y < picture.height; ++y)
        png_write_row(png, picture.rgba.data() + std::size_t{4} * width * static_cast<std::size_t>(y));
    png_write_end(png, info);
    return true;
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
    std::vector<std::uint8_t> bytes;
    png_struct* png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail_png, nullptr);
    if (png == nullptr) return refused();
    png_info* info = png_create_info_struct(png);
    const bool written = info != nullptr && write_rows(png, info, picture, bytes);
    png_destroy_write_struct(&png, &info);
    if (!written) return refused();
    return bytes;
}

Status write_png(const Picture& picture, const std::string& path) {
    WARPLENS_TRY(const auto bytes, encode_png(picture));
    return write_whole_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace warplens::app
