// Pipes: the execution pipes of one scheduler, each free again some cycles after it accepted an instruction.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/sm_timing.h"

namespace warplens::simt {

class Pipes {
  public:
    explicit Pipes(const SmTiming& timing) : timing_(&timing) {}

    /// The first cycle at which the pipe accepts an instruction; special functions wait in a queue before it.
    std::uint32_t free_at(Pipe pipe) const {
        if (pipe == Pipe::xu) return xu_queue_[xu_next_];
        return pipe == Pipe::fma ? free_[lighter_half()] : free_[static_cast<std::size_t>(pipe)];
    }
    struct Taken {
        Pipe unit;            // of two halves, the one that took it
        std::uint32_t begin;  // later than the cycle asked for if it waits in the queue
        std::uint32_t free;   // the cycle from which it accepts another
    };
    Taken take(Pipe pipe, std::uint32_t cycle) {
        const std::size_t unit = pipe == Pipe::fma ? lighter_half() : static_cast<std::size_t>(pipe);
        const bool half = split() && (unit == heavy || unit == light);
        const auto interval = half ? (*timing_)[Pipe::fma_heavy].interval : (*timing_)[pipe].interval;
        const std::uint32_t begin = std::max(cycle, free_[unit]);
        free_[unit] = begin + interval;
        if (pipe == Pipe::xu) {
            xu_queue_[xu_next_] = begin;
            xu_next_ = (xu_next_ + 1) % xu_queue_.size();
        }
        return {static_cast<Pipe>(unit), begin, free_[unit]};
    }

  private:
    static constexpr std::size_t heavy = static_cast<std::size_t>(Pipe::fma_heavy);
    static constexpr std::size_t light = static_cast<std::size_t>(Pipe::fma);

    /// If an FMA takes half the time of an integer multiply-add, the pipe has two halves: FMAs use either,
    /// integer multiply-adds the heavy one.
    bool split() const { return (*timing_)[Pipe::fma].interval < (*timing_)[Pipe::fma_heavy].interval; }
    std::size_t lighter_half() const {
        if (!split()) return heavy;
        return free_[light] <= free_[heavy] ? light : heavy;
    }

    const SmTiming* timing_;
    std::array<std::uint32_t, pipe_count> free_{};
    // Published for the queues behind a scheduler: four places. When those in it leave, the next first.
    std::array<std::uint32_t, 4> xu_queue_{};
    std::size_t xu_next_ = 0;
};

}  // namespace warplens::simt
