// Functions that CUDA provides: device code may call them although no module contains their text.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

inline std::optional<Callee> provided_function(std::string_view name) {
    if (name == "vprintf") return Callee::print;
    if (name == "__assertfail") return Callee::assertion;
    if (name == "malloc") return Callee::allocate;
    if (name == "free") return Callee::release;
    // Since CUDA 12 the compiler gives the device run-time's functions this prefix.
    constexpr std::string_view prefix = "__cudaCDP2";
    const bool prefixed = name.starts_with(prefix);
    if (!prefixed && !name.starts_with("cuda")) return std::nullopt;
    name.remove_prefix(prefixed ? prefix.size() : std::string_view("cuda").size());
    constexpr std::pair<std::string_view, Callee> device_runtime[] = {
        {"GetParameterBufferV2", Callee::launch_buffer}, {"LaunchDeviceV2", Callee::launch},
        {"LaunchDeviceV2_ptsz", Callee::launch},         {"GetLastError", Callee::last_error},
        {"PeekAtLastError", Callee::peek_error},         {"StreamCreateWithFlags", Callee::create_stream},
        {"StreamDestroy", Callee::destroy_stream},
    };
    for (const auto& [function, callee] : device_runtime)
        if (name == function) return callee;
    return std::nullopt;
}

/// Part of the device run-time, whose calls depend on the order of threads.
constexpr bool is_of_device_runtime(Callee callee) { return callee >= Callee::launch_buffer; }

}  // namespace warplens::simt
