// LaneCall: one lane's side of a call of a function that CUDA provides.
#pragma once

#include <algorithm>
#include <cstring>

#include "simt/functional/block/warp.h"
#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

class LaneCall {
  public:
    LaneCall(Warp& warp, const CallSite& call, int lane)
        : call_(call), params_(warp.params + static_cast<u32>(lane) * warp.param_bytes) {}

    u64 argument(std::size_t index) const { return argument_as<u64>(index); }

    /// Of any type; what the call does not give stays as T is by default.
    template <class T>
    T argument_as(std::size_t index) const {
        T value{};
        if (index < call_.arguments.size())
            std::memcpy(&value, params_ + call_.arguments[index].from,
                        std::min<std::size_t>(call_.arguments[index].bytes, sizeof value));
        return value;
    }

    void give_back(u64 value) {
        if (!call_.results.empty())
            std::memcpy(params_ + call_.results[0].to, &value,
                        std::min<std::size_t>(call_.results[0].bytes, sizeof value));
    }

  private:
    const CallSite& call_;
    std::byte* params_;
};

}  // namespace warplens::simt
