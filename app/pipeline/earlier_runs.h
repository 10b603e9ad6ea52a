// EarlierRuns: what the launches of a program before the one that is asked for leave in its buffers. They are
// executed on the CPU, in the program's order, with their whole grids, and what they leave is kept, so that a
// knob that does not change them does not run them again. A launch whose buffers no other launch of the
// program has written costs nothing. Safe to call from several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// What the buffers hold, in order; where null, what their fills say.
using WrittenBuffers = std::vector<std::shared_ptr<const std::vector<std::byte>>>;

struct EarlierContents {
    WrittenBuffers buffers;
    std::string run;                   // a sentence: which launches were run; empty: none
    std::vector<std::string> missing;  // buffers whose contents stay a guess
    std::string why_missing;           // a sentence for each reason; empty: nothing is missing
};

class EarlierRuns {
  public:
    /// Warp-instructions of all launches before one, at most: about 1.5 s of the engine.
    static constexpr std::uint64_t most_steps = 100'000'000;

    /// `values`, `prepared`: of the asked launch. Fails only when cancelled.
    Result<EarlierContents> before(Pipeline& pipeline, const LaunchRequest& asked,
                                   const instrumentation::Values& values,
                                   const instrumentation::PreparedLaunch& prepared);

  private:
    struct Left {
        std::shared_ptr<const std::vector<std::byte>> bytes;  // null: see `why`
        std::string why;
    };
    struct Node;
    class Order;

    std::timed_mutex mutex_;
    std::map<std::string, Left> left_;  // by launch, its settings and the buffer
    std::uint64_t kept_bytes_ = 0;
};

/// Puts what was found into the launch, and says what was not.
void take_earlier(LoadedLaunch& launch, EarlierContents earlier);

void put_written(instrumentation::PreparedLaunch& launch, const WrittenBuffers& written);

/// Variables of the device that kernels of the module may change, and that its entry uses, as in the PTX.
std::vector<std::string> changing_variables(const Program& program);

/// The launch with its buffers filled once more.
Result<instrumentation::PreparedLaunch> prepare_again(const LoadedLaunch& launch);

}  // namespace warplens::app
