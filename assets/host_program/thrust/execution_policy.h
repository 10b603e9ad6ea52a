// Where an algorithm runs: thrust::device, thrust::host and thrust::seq. Here all algorithms run on the host,
// so that an algorithm ignores the policy, the stream and the allocator that it is given.
#pragma once

#include <type_traits>
#include <utility>

#include "../runtime/handles.h"

namespace warplens_program {

struct ExecutionPolicy {
    ExecutionPolicy on(cudaStream_t) const { return {}; }
    template <class Allocator>
    ExecutionPolicy operator()(Allocator&&) const {
        return {};
    }
};

}  // namespace warplens_program

namespace thrust {

inline constexpr warplens_program::ExecutionPolicy host, device, seq;

namespace cuda {
inline constexpr warplens_program::ExecutionPolicy par, par_nosync;
}
namespace system {
namespace cuda = thrust::cuda;
}

}  // namespace thrust

// Lets algorithms that are declared before take a policy as their first argument.
#define WARPLENS_TAKES_POLICY(name)                                                 \
    template <class... Arguments>                                                   \
    auto name(const warplens_program::ExecutionPolicy&, Arguments&&... arguments) { \
        return thrust::name(std::forward<Arguments>(arguments)...);                 \
    }
