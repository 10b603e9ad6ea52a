// ImageDescription: how a piece of device memory is read as a texture or written as a surface — its texels'
// format and extents, and how coordinates address them. simt/functional/block/sampling.h computes samples.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

enum class ChannelFormat : std::uint8_t { u8, s8, u16, s16, u32, s32, f16, f32 };
enum class TextureFilter : std::uint8_t { point, linear };
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

inline constexpr std::array<std::string_view, 8> channel_format_names{"u8",  "i8",  "u16", "i16",
                                                                      "u32", "i32", "f16", "f32"};
inline constexpr std::array<std::string_view, 4> address_mode_names{"wrap", "clamp", "mirror", "border"};

/// Texels are contiguous: x first, then y, then z, layer or face. A GPU may store arrays differently.
struct ImageDescription {
    std::string name;
    bool is_surface = false;
    ChannelFormat format = ChannelFormat::f32;
    std::uint32_t channels = 1;                      // 1, 2 or 4
    std::uint32_t width = 0, height = 0, depth = 0;  // texels; 0: the image has no such dimension
    std::uint32_t layers = 0;                        // 0: not layered; of a cube the faces, 6 per layer
    TextureFilter filter = TextureFilter::point;
    AddressMode address = AddressMode::clamp;
    bool normalised = false;        // coordinates run from 0 to 1
    bool reads_normalised = false;  // integers of 8 and 16 bits are read as 0 to 1, or -1 to 1

    std::uint32_t channel_bytes() const {
        return format <= ChannelFormat::s8                                    ? 1
               : format <= ChannelFormat::s16 || format == ChannelFormat::f16 ? 2
                                                                              : 4;
    }
    std::uint32_t texel_bytes() const { return channels * channel_bytes(); }
    std::uint64_t texels() const {
        return std::uint64_t{width} * std::max(height, 1u) * std::max(depth, 1u) * std::max(layers, 1u);
    }
    std::uint64_t bytes() const { return texels() * texel_bytes(); }
    bool is_float() const { return format >= ChannelFormat::f16; }
    bool is_signed() const {
        return format == ChannelFormat::s8 || format == ChannelFormat::s16 || format == ChannelFormat::s32;
    }
};

}  // namespace warplens
