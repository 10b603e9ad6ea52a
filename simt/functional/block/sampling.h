// What a texture unit answers: address modes, point and linear filters, reading as normalised numbers. Held
// against an H200 by tests/hardware/texture_test.cpp; docs/textures.md says what was found. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/image.h"

namespace warplens::simt {

/// The bits of four channels, each in 32: a float's, or an integer's extended by its sign. Channels that the
/// image does not have read 0.
using TexelBits = std::array<std::uint32_t, 4>;

enum class ImageShape : std::uint8_t { one, two, three, layers_of_one, layers_of_two, cube, layers_of_cube };

/// Where to sample. Integer coordinates count texels and reach no texel outside.
struct SampleAt {
    ImageShape shape = ImageShape::two;
    bool integers = false;
    std::array<float, 3> position{};
    std::array<std::int32_t, 3> texel{};
    std::uint32_t layer = 0;
};

/// A texel by its indices; what lies outside the image reads 0. Layers and faces count in z.
struct TexelIndex {
    std::int64_t x = 0, y = 0, z = 0;
};
bool is_inside(const ImageDescription& image, TexelIndex at);
/// Bytes from the image's start; the index is inside.
std::uint64_t byte_offset(const ImageDescription& image, TexelIndex at);

struct Sampled {
    TexelBits bits{};
    std::uint64_t offset = 0;  // bytes to the texel that the coordinates lie in, the nearest when outside
};

/// `texels` holds image.bytes() bytes.
Sampled sample(const ImageDescription& image, const std::byte* texels, const SampleAt& at);

/// The same channel of the four texels that a linear filter would mix, in the order that tld4 gives them.
Sampled gather(const ImageDescription& image, const std::byte* texels, const SampleAt& at,
               std::uint32_t channel);

}  // namespace warplens::simt
