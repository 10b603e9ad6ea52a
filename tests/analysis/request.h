// Request: an Access with addresses of its own, built lane by lane for tests.
#pragma once

#include <functional>

#include "trace/observer.h"

namespace warplens::analysis {

struct Request {
    trace::Addresses addresses{};
    LaneMask mask = LaneMask::all();
    Space space = Space::global;
    Operation operation = Operation::load;
    std::uint32_t bytes_per_lane = 4;

    trace::Access access() const { return {0, mask, space, operation, bytes_per_lane, &addresses}; }
};

inline Request global_request(std::uint32_t bytes,
                              const std::function<std::uint64_t(std::uint64_t)>& address) {
    Request request;
    request.bytes_per_lane = bytes;
    for (std::uint64_t lane = 0; lane < warp_size; ++lane) request.addresses[lane] = address(lane);
    return request;
}

inline Request shared_request(std::uint32_t bytes,
                              const std::function<std::uint64_t(std::uint64_t)>& address) {
    Request request = global_request(bytes, address);
    request.space = Space::shared;
    return request;
}

}  // namespace warplens::analysis
