// Provenance: the origin of every number on screen, and the level at which it holds.
#pragma once

#include <string_view>

namespace warplens {

enum class Provenance {
    exact,      // follows from the program and its launch
    measured,   // counted or timed on a GPU
    simulated,  // executed by the CPU engine
    modelled,   // computed by the timing model
};

/// PTX is the output of the compiler's front end; the machine code may merge, drop or unroll its
/// instructions.
enum class Level { ptx, machine };

constexpr std::string_view to_string(Provenance provenance) {
    switch (provenance) {
        case Provenance::exact:
            return "exact";
        case Provenance::measured:
            return "measured";
        case Provenance::simulated:
            return "simulated";
        case Provenance::modelled:
            return "modelled";
    }
    return "";
}

constexpr std::string_view to_string(Level level) {
    return level == Level::ptx ? "PTX level" : "machine level";
}

/// What is executed or timed at the level, to follow "from".
constexpr std::string_view code_of_level(Level level) { return level == Level::ptx ? "PTX" : "machine code"; }

}  // namespace warplens
