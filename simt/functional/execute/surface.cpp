// Surface accesses: texels by integer coordinates, x in bytes, and the treatment of accesses outside.
#include <atomic>
#include <cstring>

#include "analysis/wording.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/texture.h"

namespace warplens::simt {

namespace {

struct SurfacePlace {
    std::byte* at = nullptr;  // nullptr: outside, dropped
    u64 offset = 0;
};

struct Extent {
    s64 x, y, z;  // x in bytes
};

Extent extent_of(const ImageDescription& image) {
    return {s64{image.width} * image.texel_bytes(), std::max<s64>(image.height, 1),
            std::max<s64>(std::max(image.depth, image.layers), 1)};
}

/// Byte, row and slice that the lane's coordinates name.
Extent coordinates(Warp& warp, const DecodedOp& op, const ImageFlags& flags, const ImageDescription& image,
                   int lane) {
    const auto word = [&](std::size_t i) -> s64 {
        return row<const s32>(warp, op.rows[coordinate_row + i])[lane];
    };
    Extent at{word(0), 0, 0};
    switch (flags.shape) {
        case ImageShape::one:
            break;
        case ImageShape::two:
            at.y = word(1);
            break;
        case ImageShape::layers_of_one:
            at = {word(1), 0, word(0)};
            break;
        case ImageShape::layers_of_two:
            at = {word(1), word(2), word(0)};
            break;
        default:
            at.y = word(1);
            at.z = word(2);
            break;
    }
    if (flags.by_texel) at.x *= image.texel_bytes();
    return at;
}

std::string_view verb(Operation operation) {
    return operation == Operation::load ? "reads" : operation == Operation::store ? "writes" : "updates";
}

SurfacePlace place_of(Warp& warp, const DecodedOp& op, int lane, const ImageDescription& image,
                      std::byte* texels, Operation operation) {
    const ImageFlags flags = unpack_image(op.flags);
    const s64 bytes = op.bytes();
    const Extent size = extent_of(image);
    Extent at = coordinates(warp, op, flags, image, lane);
    const auto offset = [&] { return static_cast<u64>((at.z * size.y + at.y) * size.x + at.x); };
    const bool torn = operation == Operation::atomic && size.x % bytes != 0;  // a word that spans two rows
    if (at.x % bytes != 0 || torn) {
        if (!warp.block->reported_before(ProblemKind::misaligned, op.site, 1))
            warp.block->report(warp, op.site, 1u << lane, ProblemKind::misaligned, static_cast<u64>(at.x),
                               fmt::format("{} {} bytes of the surface \"{}\" at x = {}, which counts bytes "
                                           "and is not a multiple of {}",
                                           verb(operation), bytes, image.name, at.x, bytes));
        return {};
    }
    const bool inside =
        at.x >= 0 && at.x + bytes <= size.x && at.y >= 0 && at.y < size.y && at.z >= 0 && at.z < size.z;
    if (inside) return {texels + offset(), offset()};
    if (flags.edge == ImageEdge::zero || size.x < bytes) return {};
    if (flags.edge == ImageEdge::clamp) {
        at.x = std::clamp<s64>(at.x, 0, (size.x - bytes) / bytes * bytes);
        at.y = std::clamp<s64>(at.y, 0, size.y - 1);
        at.z = std::clamp<s64>(at.z, 0, size.z - 1);
        return {texels + offset(), offset()};
    }
    if (!warp.block->reported_before(ProblemKind::out_of_bounds, op.site, 1))
        warp.block->report(
            warp, op.site, 1u << lane, ProblemKind::out_of_bounds, static_cast<u64>(at.x),
            fmt::format("{} {} bytes outside the surface \"{}\", at byte {} of row {}, slice {}: it has {} "
                        "bytes per row, {} rows, {} slices",
                        verb(operation), bytes, image.name, at.x, at.y, at.z,
                        analysis::grouped(static_cast<u64>(size.x)),
                        analysis::grouped(static_cast<u64>(size.y)),
                        analysis::grouped(static_cast<u64>(size.z))));
    return {};
}

/// Calls visit(lane, place) for lanes whose access is inside, outside(lane) for the others, then notifies
/// observers.
template <class Visit, class Outside>
void for_each_place(Warp& warp, const DecodedOp& op, u32 mask, Operation operation, Visit&& visit,
                    Outside&& outside) {
    u32 reported = 0;
    for_each_lane({mask}, [&](int lane) {
        const ImageAtHand image = image_of_lane(warp, op, lane, true);
        SurfacePlace place;
        if (image.texels != nullptr)
            place = place_of(warp, op, lane, *image.description, image.texels, operation);
        if (place.at == nullptr) return outside(lane);
        visit(lane, place.at);
        warp.addresses[static_cast<std::size_t>(lane)] = place.offset;
        reported |= 1u << lane;
    });
    if (reported != 0) notify_image_access(warp, op, reported, operation);
}

void put(Warp& warp, const DecodedOp& op, std::size_t element, int lane, const std::byte* from) {
    u64 bits = 0;
    if (from != nullptr) std::memcpy(&bits, from, op.element_bytes);
    if (op.element_bytes == 8) row<u64>(warp, op.rows[element])[lane] = bits;
    else row<u32>(warp, op.rows[element])[lane] = static_cast<u32>(bits);
}

template <class T>
T updated(ImageUpdate update, T old, T operand) {
    switch (update) {
        case ImageUpdate::add:
            return static_cast<T>(static_cast<u64>(old) + static_cast<u64>(operand));
        case ImageUpdate::min:
            return std::min(old, operand);
        case ImageUpdate::max:
            return std::max(old, operand);
        case ImageUpdate::bit_and:
            return old & operand;
        default:
            return old | operand;
    }
}

template <class T>
void update_at(std::byte* at, ImageUpdate update, T operand) {
    std::atomic_ref<T> shared(*reinterpret_cast<T*>(at));
    T old = shared.load(std::memory_order_relaxed);
    while (!shared.compare_exchange_weak(old, updated(update, old, operand), std::memory_order_relaxed)) {
    }
}

}  // namespace

void load_surface(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_place(
        warp, op, mask, Operation::load,
        [&](int lane, const std::byte* at) {
            for (std::size_t i = 0; i < op.vector_width; ++i)
                put(warp, op, i, lane, at + i * op.element_bytes);
        },
        [&](int lane) {
            for (std::size_t i = 0; i < op.vector_width; ++i) put(warp, op, i, lane, nullptr);
        });
}

void store_surface(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_place(
        warp, op, mask, Operation::store,
        [&](int lane, std::byte* at) {
            for (std::size_t i = 0; i < op.vector_width; ++i) {
                const u64 bits = op.element_bytes == 8 ? row<const u64>(warp, op.rows[i])[lane]
                                                       : row<const u32>(warp, op.rows[i])[lane];
                std::memcpy(at + i * op.element_bytes, &bits, op.element_bytes);
            }
        },
        [](int) {});
}

void update_surface(Warp& warp, const DecodedOp& op, u32 mask) {
    const ImageFlags flags = unpack_image(op.flags);
    for_each_place(
        warp, op, mask, Operation::atomic,
        [&](int lane, std::byte* at) {
            const bool is_signed = ptx::class_of(flags.type) == ptx::TypeClass::signed_integer;
            if (op.element_bytes == 8) {
                const u64 operand = row<const u64>(warp, op.rows[0])[lane];
                if (is_signed) update_at(at, flags.update, static_cast<s64>(operand));
                else update_at(at, flags.update, operand);
            } else {
                const u32 operand = row<const u32>(warp, op.rows[0])[lane];
                if (is_signed) update_at(at, flags.update, static_cast<s32>(operand));
                else update_at(at, flags.update, operand);
            }
        },
        [](int) {});
}

}  // namespace warplens::simt
