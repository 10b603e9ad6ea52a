// StepValues: what a warp's registers and the memory that it touches hold at one step. The CPU engine
// executes the block again up to the step (simt/functional/block/replay_block.h), and once more to follow one
// location in memory; names and types come from the PTX, the line table and the launch. The window asks in
// the background (app/session/values_task.h), `warplens values` prints the same.
//
// The state is that of the run: where other blocks wrote what the block accesses, they are executed again
// too, in the run's order. A GPU may execute warps and blocks in another order: see replay_block.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "app/pipeline/values/values_question.h"
#include "app/scene/selection.h"
#include "ptx/types.h"
#include "simt/functional/block/memory_history.h"
#include "simt/functional/block/step_state.h"
#include "trace/trace.h"

namespace warplens::app {

struct ValuesRequest {
    LaunchRequest launch;
    /// The blocks of the run, ascending, one list per call of the engine; an empty list is the whole grid.
    std::vector<std::vector<std::uint64_t>> run;
    /// No other block of the run writes what the block accesses: it is executed on its own.
    bool alone = false;
    std::uint64_t max_steps_per_warp = simt::default_step_limit;
    ValuesQuestion question;
};

struct RegisterValue {
    std::string name;                      // "%r5"
    std::string cuda;                      // "i", "threadIdx.x"; empty: not known
    ptx::Type type;                        // in which instructions use it
    bool operand = false, result = false;  // of the step's instruction
    simt::RegisterState state;
};

/// One request of the step, with the elements that its lanes access.
struct RequestValue {
    simt::StepRequest request;
    ptx::Type type = ptx::Type::none;                 // of an element
    std::array<std::string, warp_size> elements;      // "tile[33]"; of lanes outside the mask empty
    std::vector<simt::MemoryHistory::Around> values;  // per lane
};

/// Every write to one location, until the block ends.
struct LocationHistory {
    simt::MemoryPlace place;
    std::string name;  // "tile[33]"
    ptx::Type type = ptx::Type::none;
    simt::PlaceBytes initial{};
    bool initially_written = true;  // false: shared or local memory, whose first contents mean nothing
    std::vector<simt::MemoryWrite> writes;
    std::size_t before_step = 0;  // the writes before the step
    /// The writes that race with the step's access: indices into `writes`.
    std::vector<std::size_t> races;
};

struct StepValues {
    trace::Trace named;  // the launch and the program, without records
    simt::StepState state;
    int lane = 0;
    std::vector<RegisterValue> registers;
    std::vector<RequestValue> requests;
    std::optional<LocationHistory> history;
    std::vector<ptx::Type> register_types;  // of the function of the step
    std::vector<ptx::Type> data_types;  // per site: of the elements that it loads or stores; none: not memory
    std::uint64_t blocks_before = 0;    // executed again before the block, since it depends on them
    std::uint64_t steps = 0;            // warp-instructions that were executed again, in all
    double milliseconds = 0;
};

/// Fails with a sentence: the kernel does not compile, the warp has fewer steps.
Result<StepValues> step_values(Pipeline& pipeline, const ValuesRequest& request,
                               const std::function<bool()>& cancelled);

/// The same of a picture's run, which Pipeline::run_scene made.
Result<StepValues> values_of_scene(Pipeline& pipeline, const Scene& scene, const ValuesQuestion& question,
                                   const std::function<bool()>& cancelled);

/// The step that a Spot means (app/scene/step_spot.h), in its own warp or the trace's first.
ValuesQuestion question_of_spot(const trace::Trace& trace, const Spot& spot);
/// The warp's last step, after which all its exchanges are known.
ValuesQuestion question_of_exchanges(const trace::Trace& trace, std::uint32_t warp_record);

/// Whether another recorded block writes global memory that the block accesses.
bool depends_on_other_blocks(const trace::Trace& trace, std::uint64_t block);

/// "1.5", or the elements of a vector: "1, 2, 3, 4".
std::string place_text(const simt::PlaceBytes& bytes, std::uint32_t count, ptx::Type type);
/// The word of shared memory at byte `offset`: "tile[33]".
std::string shared_name(const StepValues& values, std::uint64_t offset);
/// The value of a register in a lane: "7", or "–" if the lane has not written it.
std::string register_text(const RegisterValue& value, int lane, bool after);

}  // namespace warplens::app
