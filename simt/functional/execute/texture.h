// tex, tld4, txq, suld, sust, sured and suq: the flags that decode/texture.cpp sets for their executors.
#pragma once

#include "ptx/types.h"
#include "simt/functional/block/sampling.h"
#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// rows: 0 to 3 data, 4 to 7 coordinates as written, 8 the object's handle (none when `named`).
inline constexpr std::size_t coordinate_row = 4;

enum class ImageEdge : u8 { trap, clamp, zero };  // for surface accesses outside
enum class ImageUpdate : u8 { add, min, max, bit_and, bit_or };
enum class ImageQuery : u8 { width, height, depth, layers, normalised, one };

struct ImageFlags {
    ImageShape shape = ImageShape::two;
    bool integers = false;  // texture coordinates
    bool named = false;     // the object is a variable: DecodedKernel::image_names[immediate]
    bool by_texel = false;  // surface: x counts texels, not bytes
    u8 component = 0;       // tld4
    ImageEdge edge = ImageEdge::trap;
    ImageUpdate update = ImageUpdate::add;
    ptx::Type type = ptx::Type::none;  // of the data
};
constexpr u32 pack(ImageFlags f) {
    return static_cast<u32>(f.shape) | u32{f.integers} << 4 | u32{f.named} << 5 | u32{f.by_texel} << 6 |
           u32{f.component} << 8 | static_cast<u32>(f.edge) << 10 | static_cast<u32>(f.update) << 12 |
           static_cast<u32>(f.type) << 16;
}
constexpr ImageFlags unpack_image(u32 bits) {
    return {static_cast<ImageShape>(bits & 0xf),
            (bits >> 4 & 1) != 0,
            (bits >> 5 & 1) != 0,
            (bits >> 6 & 1) != 0,
            static_cast<u8>(bits >> 8 & 3),
            static_cast<ImageEdge>(bits >> 10 & 3),
            static_cast<ImageUpdate>(bits >> 12 & 7),
            static_cast<ptx::Type>(bits >> 16 & 0xff)};
}

void sample_texture(Warp& warp, const DecodedOp& op, u32 mask);
void gather_texture(Warp& warp, const DecodedOp& op, u32 mask);
/// rows[0] = one property; `element_bytes` is an ImageQuery.
void query_image(Warp& warp, const DecodedOp& op, u32 mask);
void load_surface(Warp& warp, const DecodedOp& op, u32 mask);
void store_surface(Warp& warp, const DecodedOp& op, u32 mask);
void update_surface(Warp& warp, const DecodedOp& op, u32 mask);

/// The lane's object with its texels, or nullptr after reporting that there is none.
struct ImageAtHand {
    const ImageDescription* description = nullptr;
    std::byte* texels = nullptr;
};
ImageAtHand image_of_lane(Warp& warp, const DecodedOp& op, int lane, bool surface);

/// Notifies the observer of a request whose byte offsets are in warp.addresses; its bytes are those that a
/// lane reads or writes. Races on textures and surfaces are not detected.
void notify_image_access(Warp& warp, const DecodedOp& op, u32 mask, Operation operation);

}  // namespace warplens::simt
