#include "simt/functional/block/sampling.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "simt/functional/execute/half_values.h"

namespace warplens::simt {

namespace {

constexpr std::int64_t whole = 256;  // a weight of 1: coordinates keep 8 fractional bits

/// Number of texels along x, y and z; a missing dimension has one.
std::array<std::int64_t, 3> extents(const ImageDescription& image) {
    return {image.width, std::max(image.height, 1u), std::max(std::max(image.depth, image.layers), 1u)};
}

/// The texel that an index addresses, also out of range; -1 for the border.
std::int64_t addressed(std::int64_t index, std::int64_t count, AddressMode mode) {
    switch (mode) {
        case AddressMode::clamp:
            return std::clamp<std::int64_t>(index, 0, count - 1);
        case AddressMode::border:
            return index >= 0 && index < count ? index : -1;
        case AddressMode::wrap:
            return ((index % count) + count) % count;
        case AddressMode::mirror: {
            const std::int64_t in_two = ((index % (2 * count)) + 2 * count) % (2 * count);
            return in_two < count ? in_two : 2 * count - 1 - in_two;
        }
    }
    return -1;
}

/// Wrapping and mirroring need normalised coordinates; with others they clamp.
AddressMode mode_of(const ImageDescription& image, const SampleAt& at) {
    if (at.shape == ImageShape::cube || at.shape == ImageShape::layers_of_cube) return AddressMode::clamp;
    const bool repeats = image.address == AddressMode::wrap || image.address == AddressMode::mirror;
    return repeats && !image.normalised ? AddressMode::clamp : image.address;
}

u32 raw_channel(const ImageDescription& image, const std::byte* texel, u32 channel) {
    u32 bits = 0;
    std::memcpy(&bits, texel + channel * image.channel_bytes(), image.channel_bytes());
    if (!image.is_signed()) return bits;
    const int unused = 32 - 8 * static_cast<int>(image.channel_bytes());
    return static_cast<u32>(static_cast<s32>(bits << unused) >> unused);
}

/// A channel's value: its integer, or the floating-point number it holds.
double number_of(const ImageDescription& image, u32 bits) {
    if (image.format == ChannelFormat::f32) return std::bit_cast<float>(bits);
    if (image.format == ChannelFormat::f16) return half_to_float(static_cast<u16>(bits));
    return image.is_signed() ? static_cast<double>(static_cast<s32>(bits)) : static_cast<double>(bits);
}

double largest_of(const ImageDescription& image) {
    const int bits = 8 * static_cast<int>(image.channel_bytes()) - (image.is_signed() ? 1 : 0);
    return std::ldexp(1.0, bits) - 1.0;
}

bool gives_floats(const ImageDescription& image) { return image.is_float() || image.reads_normalised; }

u32 point_value(const ImageDescription& image, u32 raw) {
    if (!gives_floats(image)) return raw;
    double value = number_of(image, raw);
    if (image.format == ChannelFormat::f32) return raw;
    if (!image.is_float()) value = std::max(value / largest_of(image), -1.0);
    return std::bit_cast<u32>(static_cast<float>(value));
}

/// The result of a linear filter; `sum` is the sum of channel values times weights that add up to `whole`.
/// f32 and f16 are rounded to their own format, normalised integers to 16 bits with ties away from zero.
u32 filtered_value(const ImageDescription& image, double sum) {
    constexpr double one = static_cast<double>(whole);
    if (image.format == ChannelFormat::f32)
        return static_cast<u32>(round_to(format_f32, sum / one, Rounding::nearest_away, 0x7fffffffu));
    if (image.format == ChannelFormat::f16)
        return std::bit_cast<u32>(half_to_float(half_from_double(sum / one, Rounding::nearest_away)));
    const double steps = image.is_signed() ? 32767.0 : 65535.0;
    const double rounded = std::round(sum * (steps / largest_of(image)) / one) / steps;
    return std::bit_cast<u32>(static_cast<float>(std::max(rounded, -1.0)));
}

struct Position {
    std::array<double, 3> scaled{};  // in texels
    std::int64_t layer = 0;
    int dimensions = 2;
    bool layered = false;
};

/// "CUDA: cubemap textures": the face selected by the largest component, and the position on it.
void enter_face(const SampleAt& at, Position& position) {
    const auto [x, y, z] = at.position;
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    float s = 0, t = 0, major = az;
    int face = z >= 0 ? 4 : 5;
    if (ax >= ay && ax >= az) face = x >= 0 ? 0 : 1;
    else if (ay >= az) face = y >= 0 ? 2 : 3;
    switch (face) {
        case 0:
            s = -z, t = -y, major = ax;
            break;
        case 1:
            s = z, t = -y, major = ax;
            break;
        case 2:
            s = x, t = z, major = ay;
            break;
        case 3:
            s = x, t = -z, major = ay;
            break;
        case 4:
            s = x, t = -y;
            break;
        default:
            s = -x, t = -y;
            break;
    }
    const double scale = major == 0 ? 0.0 : 1.0 / major;
    position.scaled = {(s * scale + 1) / 2, (t * scale + 1) / 2, 0};
    position.layer = position.layer * 6 + face;
}

Position position_of(const ImageDescription& image, const SampleAt& at) {
    const auto extent = extents(image);
    Position position;
    position.dimensions = at.shape == ImageShape::one || at.shape == ImageShape::layers_of_one ? 1
                          : at.shape == ImageShape::three                                      ? 3
                                                                                               : 2;
    position.layered = at.shape >= ImageShape::layers_of_one;
    const bool cube = at.shape == ImageShape::cube || at.shape == ImageShape::layers_of_cube;
    if (at.shape == ImageShape::layers_of_one || at.shape == ImageShape::layers_of_two)
        position.layer = std::min<std::int64_t>(at.layer, extent[2] - 1);  // never negative
    if (at.shape == ImageShape::layers_of_cube)
        position.layer = std::min<std::int64_t>(at.layer, extent[2] / 6 - 1);
    if (cube) enter_face(at, position);
    for (int i = 0; i < position.dimensions; ++i) {
        const auto axis = static_cast<std::size_t>(i);
        double& u = position.scaled[axis];
        if (!cube) u = at.position[axis];
        if (image.normalised || cube) u *= static_cast<double>(extent[axis]);
        // So far outside that every mode's result no longer changes; a NaN selects the first texel.
        u = u == u ? std::clamp(u, -0x1p40, 0x1p40) : 0.0;
    }
    return position;
}

/// The eight weights of two texels along each of three dimensions, which sum to `whole`. `fraction` is a
/// dimension's weight of its second texel; products are rounded in the order x with z, then with y.
std::array<std::int64_t, 8> weights_of(const std::array<std::int64_t, 3>& fraction) {
    const auto [x, y, z] = fraction;
    const std::int64_t both = (x * z + whole / 2) / whole;
    const std::array<std::int64_t, 4> plane{whole - x - z + both, x - both, z - both, both};
    std::array<std::int64_t, 8> weights{};
    for (std::size_t k = 0; k < plane.size(); ++k) {
        const std::int64_t upper = (plane[k] * y + whole / 2 - 1) / whole;
        const std::size_t at = (k & 1) | (k & 2) << 1;
        weights[at] = plane[k] - upper;
        weights[at | 2] = upper;
    }
    return weights;
}

/// The same over x and y only.
std::array<std::int64_t, 8> plane_weights(std::int64_t x, std::int64_t y) {
    const std::int64_t both = (x * y + whole / 2) / whole;
    return {whole - x - y + both, x - both, y - both, both, 0, 0, 0, 0};
}

struct Footprint {
    std::array<std::int64_t, 3> first{};     // texel with the lower index
    std::array<std::int64_t, 3> fraction{};  // weight of the next one
};

Footprint footprint_of(const Position& position) {
    Footprint footprint;
    for (int i = 0; i < position.dimensions; ++i) {
        const auto axis = static_cast<std::size_t>(i);
        const auto fixed = static_cast<std::int64_t>(std::floor((position.scaled[axis] - 0.5) * whole + 0.5));
        footprint.first[axis] = fixed >> 8;
        footprint.fraction[axis] = fixed & (whole - 1);
    }
    if (position.dimensions ==
        1) {  // as an image of height 1 sampled at y = 0: half of the filter is above the edge
        footprint.first[1] = -1;
        footprint.fraction[1] = whole / 2;
    }
    return footprint;
}

class Reader {
  public:
    Reader(const ImageDescription& image, const std::byte* texels, AddressMode mode, const Position& position)
        : image_(image), texels_(texels), mode_(mode), position_(position), extent_(extents(image)) {}

    /// nullptr: the border.
    const std::byte* texel(std::array<std::int64_t, 3> index) const {
        std::array<std::int64_t, 3> at{};
        for (std::size_t i = 0; i < 3; ++i) {
            at[i] = addressed(index[i], extent_[i], mode_);
            if (i == 2 && position_.layered)
                at[i] = std::clamp<std::int64_t>(position_.layer, 0, extent_[2] - 1);
            else if (i == 2 && position_.dimensions < 3) at[i] = 0;
            if (at[i] < 0) return nullptr;
        }
        return texels_ + byte_offset(image_, {at[0], at[1], at[2]});
    }

    std::uint64_t nearest_offset() const {
        TexelIndex at;
        at.x = inside(0);
        at.y = position_.dimensions > 1 ? inside(1) : 0;
        at.z = position_.layered          ? std::clamp<std::int64_t>(position_.layer, 0, extent_[2] - 1)
               : position_.dimensions > 2 ? inside(2)
                                          : 0;
        return byte_offset(image_, at);
    }

  private:
    std::int64_t inside(std::size_t axis) const {
        const auto index = static_cast<std::int64_t>(std::floor(position_.scaled[axis]));
        const AddressMode mode = mode_ == AddressMode::border ? AddressMode::clamp : mode_;
        return addressed(index, extent_[axis], mode);
    }

    const ImageDescription& image_;
    const std::byte* texels_;
    AddressMode mode_;
    const Position& position_;
    std::array<std::int64_t, 3> extent_;
};

TexelBits filtered(const ImageDescription& image, const Reader& reader, const Position& position) {
    const Footprint footprint = footprint_of(position);
    const auto weights = position.dimensions == 3
                             ? weights_of(footprint.fraction)
                             : plane_weights(footprint.fraction[0], footprint.fraction[1]);
    std::array<double, 4> sums{};
    for (std::size_t corner = 0; corner < weights.size(); ++corner) {
        if (weights[corner] == 0) continue;
        auto index = footprint.first;
        for (std::size_t axis = 0; axis < 3; ++axis)
            index[axis] += static_cast<std::int64_t>(corner >> axis & 1);
        const std::byte* texel = reader.texel(index);
        if (texel == nullptr) continue;
        for (u32 c = 0; c < image.channels; ++c)
            sums[c] += static_cast<double>(weights[corner]) * number_of(image, raw_channel(image, texel, c));
    }
    TexelBits bits{};
    for (u32 c = 0; c < image.channels; ++c) bits[c] = filtered_value(image, sums[c]);
    return bits;
}

Sampled fetch(const ImageDescription& image, const std::byte* texels, const SampleAt& at) {
    TexelIndex index{at.texel[0], 0, 0};
    if (at.shape != ImageShape::one && at.shape != ImageShape::layers_of_one) index.y = at.texel[1];
    if (at.shape == ImageShape::three) index.z = at.texel[2];
    if (at.shape >= ImageShape::layers_of_one) index.z = at.layer;
    Sampled sampled;
    if (!is_inside(image, index)) return sampled;
    sampled.offset = byte_offset(image, index);
    for (u32 c = 0; c < image.channels; ++c)
        sampled.bits[c] = point_value(image, raw_channel(image, texels + sampled.offset, c));
    return sampled;
}

}  // namespace

bool is_inside(const ImageDescription& image, TexelIndex at) {
    const auto extent = extents(image);
    return at.x >= 0 && at.x < extent[0] && at.y >= 0 && at.y < extent[1] && at.z >= 0 && at.z < extent[2];
}

std::uint64_t byte_offset(const ImageDescription& image, TexelIndex at) {
    const auto extent = extents(image);
    return static_cast<std::uint64_t>((at.z * extent[1] + at.y) * extent[0] + at.x) * image.texel_bytes();
}

Sampled sample(const ImageDescription& image, const std::byte* texels, const SampleAt& at) {
    if (at.integers) return fetch(image, texels, at);
    const Position position = position_of(image, at);
    const Reader reader(image, texels, mode_of(image, at), position);
    Sampled sampled;
    sampled.offset = reader.nearest_offset();
    if (image.filter == TextureFilter::linear && gives_floats(image)) {
        sampled.bits = filtered(image, reader, position);
        return sampled;
    }
    std::array<std::int64_t, 3> index{};
    for (int i = 0; i < position.dimensions; ++i) {
        const auto axis = static_cast<std::size_t>(i);
        index[axis] = static_cast<std::int64_t>(std::floor(position.scaled[axis]));
    }
    if (const std::byte* texel = reader.texel(index))
        for (u32 c = 0; c < image.channels; ++c)
            sampled.bits[c] = point_value(image, raw_channel(image, texel, c));
    return sampled;
}

Sampled gather(const ImageDescription& image, const std::byte* texels, const SampleAt& at,
               std::uint32_t channel) {
    const Position position = position_of(image, at);
    const Reader reader(image, texels, mode_of(image, at), position);
    const Footprint footprint = footprint_of(position);
    Sampled sampled;
    sampled.offset = reader.nearest_offset();
    if (channel >= image.channels) return sampled;
    constexpr std::array<std::array<std::int64_t, 2>, 4> corners{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const std::byte* texel =
            reader.texel({footprint.first[0] + corners[i][0], footprint.first[1] + corners[i][1], 0});
        if (texel != nullptr) sampled.bits[i] = point_value(image, raw_channel(image, texel, channel));
    }
    return sampled;
}

}  // namespace warplens::simt
