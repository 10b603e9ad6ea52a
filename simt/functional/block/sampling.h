// The results of a texture unit: address modes, point and linear filters, normalised reads.
// tests/hardware/texture_test.cpp compares them with an H200; docs/textures.md has the results. Pure
// functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/image.h"

namespace warplens::simt {

/// The bits of four channels, 32 each: a float, or a sign-extended integer. Channels that the image lacks
/// read 0.
using TexelBits = std::array<std::uint32_t, 4>;

enum class ImageShape : std::uint8_t { one, two, three, layers_of_one, layers_of_two, cube, layers_of_cube };

/// Where to sample. Integer coordinates count texels and address none outside.
struct SampleAt {
    ImageShape shape = ImageShape::two;
    bool integers = false;
    std::array<float, 3> position{};
    std::array<std::int32_t, 3> texel{};
    std::uint32_t layer = 0;
};

/// A texel's indices; outside the image it reads 0. Layers and faces are in z.
struct TexelIndex {
    std::int64_t x = 0, y = 0, z = 0;
};
bool is_inside(const ImageDescription& image, TexelIndex at);
/// Bytes from the image's start; the index must be inside.
std::uint64_t byte_offset(const ImageDescription& image, TexelIndex at);

struct Sampled {
    TexelBits bits{};
    std::uint64_t offset = 0;  // byte offset of the texel at the coordinates, of the nearest one if outside
};

/// `texels` holds image.bytes() bytes.
Sampled sample(const ImageDescription& image, const std::byte* texels, const SampleAt& at);

/// One channel of the four texels that a linear filter would blend, in the order of tld4.
Sampled gather(const ImageDescription& image, const std::byte* texels, const SampleAt& at,
               std::uint32_t channel);

}  // namespace warplens::simt
