// The state spaces a memory instruction can name, and what it does there.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens {

/// `shared_cluster` is another block's shared memory, or one's own reached through the cluster's window: its
/// addresses are (rank of the block in the cluster) << 24 | offset. For `texture` and `surface` the address
/// is the linear byte offset of the texel, as if rows were contiguous; NVIDIA does not document how a GPU
/// stores them.
enum class Space : std::uint8_t {
    none,
    global,
    shared,
    local,
    constant,
    param,
    shared_cluster,
    texture,
    surface
};
inline constexpr int space_count = 9;
enum class Operation : std::uint8_t { none, load, store, atomic };

constexpr std::string_view to_string(Space space) {
    switch (space) {
        case Space::none:
            return "none";
        case Space::global:
            return "global";
        case Space::shared:
            return "shared";
        case Space::local:
            return "local";
        case Space::constant:
            return "constant";
        case Space::param:
            return "param";
        case Space::shared_cluster:
            return "shared_cluster";
        case Space::texture:
            return "texture";
        case Space::surface:
            return "surface";
    }
    return "";
}

constexpr std::string_view to_string(Operation operation) {
    switch (operation) {
        case Operation::none:
            return "none";
        case Operation::load:
            return "load";
        case Operation::store:
            return "store";
        case Operation::atomic:
            return "atomic";
    }
    return "";
}

}  // namespace warplens
