// The state spaces a memory instruction can name, and what it does there.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens {

enum class Space : std::uint8_t { none, global, shared, local, constant, param };
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
