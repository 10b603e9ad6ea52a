#include "simt/timing/machine_operations.h"

#include <array>

namespace warplens::simt {

namespace {

struct PipeChoice {
    Pipe pipe;
    bool balanced = false;
};
constexpr PipeChoice on_balanced{Pipe::alu, true};
constexpr PipeChoice on_fma{Pipe::fma}, on_fma_heavy{Pipe::fma_heavy}, on_alu{Pipe::alu}, on_fp16{Pipe::fp16},
    on_fp64{Pipe::fp64}, on_tensor{Pipe::tensor}, on_xu{Pipe::xu}, on_uniform{Pipe::uniform},
    on_branch{Pipe::branch}, on_mio{Pipe::mio}, on_lsu{Pipe::lsu}, on_none{Pipe::none};

using LatencyOf = int (*)(const SmTiming&);
constexpr LatencyOf latency_of_none = nullptr;
constexpr LatencyOf latency_of_jump = [](const SmTiming& timing) { return timing.branch_latency; };
constexpr LatencyOf latency_of_reconvergence = [](const SmTiming& timing) {
    return timing.reconvergence_latency;
};
constexpr LatencyOf latency_of_shuffle_latency = [](const SmTiming& timing) {
    return timing.shuffle_latency;
};
constexpr LatencyOf latency_of_vote_latency = [](const SmTiming& timing) { return timing.vote_latency; };
constexpr LatencyOf latency_of_reduce_latency = [](const SmTiming& timing) { return timing.reduce_latency; };
constexpr LatencyOf latency_of_shared_load_latency = [](const SmTiming& timing) {
    return timing.shared_load_latency;
};

constexpr std::array machine_rows{
#define WARPLENS_MACHINE(NAME, KIND, PIPE, CYCLES, OF) \
    MachineRow{#NAME, MachineKind::KIND, on_##PIPE.pipe, on_##PIPE.balanced, CYCLES, latency_of_##OF},
#include "simt/timing/machine_operations.def"
#undef WARPLENS_MACHINE
};

}  // namespace

const MachineRow* find_machine_row(std::string_view name) {
    for (const MachineRow& row : machine_rows)
        if (row.name == name) return &row;
    return nullptr;
}

}  // namespace warplens::simt
