#include "simt/functional/execute/texture.h"

#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/half_values.h"

namespace warplens::simt {

namespace {

std::array<u32, 4> coordinates(Warp& warp, const DecodedOp& op, int lane) {
    std::array<u32, 4> words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = row<const u32>(warp, op.rows[coordinate_row + i])[lane];
    return words;
}

SampleAt sample_at(const ImageFlags& flags, const std::array<u32, 4>& words) {
    SampleAt at;
    at.shape = flags.shape;
    at.integers = flags.integers;
    const bool layered = flags.shape == ImageShape::layers_of_one ||
                         flags.shape == ImageShape::layers_of_two ||
                         flags.shape == ImageShape::layers_of_cube;
    if (layered) at.layer = words[0];
    for (std::size_t i = 0; i < 3; ++i) {
        const u32 word = words[i + (layered ? 1 : 0)];
        if (flags.integers) at.texel[i] = static_cast<s32>(word);
        else at.position[i] = std::bit_cast<float>(word);
    }
    return at;
}

/// Stores channels in the instruction's type: 32 bits unchanged, or halves, one or two per word.
void put_channels(Warp& warp, const DecodedOp& op, ptx::Type type, int lane, const TexelBits& bits) {
    const auto half = [&](std::size_t channel) -> u32 {
        return half_from_double(double{std::bit_cast<float>(bits[channel])});
    };
    for (std::size_t i = 0; i < op.vector_width; ++i) {
        u32 word = bits[i];
        if (type == ptx::Type::f16) word = half(i);
        if (type == ptx::Type::f16x2) word = half(2 * i) | half(2 * i + 1) << 16;
        row<u32>(warp, op.rows[i])[lane] = word;
    }
}

template <bool Gather>
void sample_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    const ImageFlags flags = unpack_image(op.flags);
    u32 reported = 0;
    for_each_lane({mask}, [&](int lane) {
        const ImageAtHand image = image_of_lane(warp, op, lane, false);
        Sampled sampled;
        if (image.texels != nullptr) {
            const SampleAt at = sample_at(flags, coordinates(warp, op, lane));
            sampled = Gather ? gather(*image.description, image.texels, at, flags.component)
                             : sample(*image.description, image.texels, at);
            reported |= 1u << lane;
        }
        warp.addresses[static_cast<std::size_t>(lane)] = sampled.offset;
        put_channels(warp, op, flags.type, lane, sampled.bits);
    });
    if (reported != 0) notify_image_access(warp, op, reported, Operation::load);
}

}  // namespace

ImageAtHand image_of_lane(Warp& warp, const DecodedOp& op, int lane, bool surface) {
    BlockRunner& block = *warp.block;
    const Images& images = block.launch().memory->images();
    const bool named = unpack_image(op.flags).named;
    const u64 handle = named ? 0 : row<const u64>(warp, op.rows[address_row])[lane];
    const BoundImage* found =
        named ? images.find(block.kernel().image_names[op.immediate]) : images.find(handle);
    if (found != nullptr && found->description.is_surface == surface) {
        const ImageDescription& about = found->description;
        if (std::byte* texels = block.launch().memory->at(found->address, about.bytes()))
            return {&about, texels};
    }
    if (block.reported_before(ProblemKind::out_of_bounds, op.site, 1)) return {};
    const std::string what = named ? fmt::format("\"{}\"", block.kernel().image_names[op.immediate])
                                   : fmt::format("{:#x}", handle);
    const char* kind = surface ? "surface" : "texture";
    block.report(warp, op.site, 1u << lane, ProblemKind::out_of_bounds, handle,
                 fmt::format("accesses the {0} {1}, but the launch has no such {0}: none is declared in the "
                             "header's [{0}s] and named among the arguments",
                             kind, what));
    return {};
}

void notify_image_access(Warp& warp, const DecodedOp& op, u32 mask, Operation operation) {
    if (warp.observer == nullptr) return;
    warp.observer->access(static_cast<int>(warp.index),
                          {op.site, {mask}, op.space, operation, op.bytes(), &warp.addresses});
}

void sample_texture(Warp& warp, const DecodedOp& op, u32 mask) { sample_lanes<false>(warp, op, mask); }
void gather_texture(Warp& warp, const DecodedOp& op, u32 mask) { sample_lanes<true>(warp, op, mask); }

void query_image(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        const ImageAtHand image = image_of_lane(warp, op, lane, op.space == Space::surface);
        u32 value = 0;
        if (image.description != nullptr) {
            const ImageDescription& about = *image.description;
            switch (static_cast<ImageQuery>(op.element_bytes)) {
                case ImageQuery::width:
                    value = about.width;
                    break;
                case ImageQuery::height:
                    value = about.height;
                    break;
                case ImageQuery::depth:
                    value = about.depth;
                    break;
                case ImageQuery::layers:
                    value = about.layers;
                    break;
                case ImageQuery::normalised:
                    value = about.normalised ? 1 : 0;
                    break;
                case ImageQuery::one:
                    value = 1;
                    break;
            }
        }
        row<u32>(warp, op.rows[0])[lane] = value;
    });
}

}  // namespace warplens::simt
