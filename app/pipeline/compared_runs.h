// Compared runs: whether a kernel with another setting, source or launch computes and prints the same as it
// is. Both are executed, on each of the contents of the buffers that tell. Advice offers only changes that
// do, and a sweep has a best setting only where all do.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "app/pipeline/same_threads.h"

namespace warplens::app {

/// The changed launch against the launch as it is.
struct ResultDifference {
    bool known = true;     // false: they cannot be compared, or `where` they would differ was not seen
    std::string where;     // "`out`", "what it prints"; empty: nothing differs
    bool rounded = false;  // real numbers differ by rounding, as sums in another order do
    bool none() const { return known && where.empty(); }
};

class ComparedRuns {
  public:
    /// `report` is of a run of `program` as it is: it shows what a block costs. `steps`: warp-instructions
    /// that one run may take; of a larger grid some blocks are compared.
    ComparedRuns(Pipeline& pipeline, LaunchRequest as_it_is, const analysis::LaunchReport& report,
                 const Program& program, double steps, std::function<bool()> cancelled);

    /// Executes the launch as it is and keeps its results, once. From any thread; difference() does it too.
    void run_as_it_is(int threads);

    /// Executes the changed launch, and before the first one the launch as it is. From any thread. `ratio`:
    /// as blocks_of_the_same_work() has it, where the changed text says it.
    ResultDifference difference(const LaunchRequest& changed, int threads, BlockRatio ratio = {});

    /// Of the launch as it is, those whose results are compared; 0: all.
    std::size_t sampled_blocks() const { return blocks_.size(); }

    /// Whether buffers hold different values where results were compared: equal zeros are not equal results.
    bool contents_tell() const { return contents_tell_; }

    /// The launch with the contents of its own buffers. Nothing where it does not run, or where it cannot be
    /// compared because its blocks compute other parts of the results.
    std::optional<Executed> run(const LaunchRequest& request, int threads, bool check_golden,
                                BlockRatio ratio = {},
                                std::uint64_t max_steps_per_warp = simt::default_step_limit);

  private:
    void keep_results(int threads);

    Pipeline& pipeline_;
    LaunchRequest request_;
    LaunchGeometry geometry_;            // as it is
    std::vector<std::uint64_t> blocks_;  // of it, those that are compared; empty: all
    std::function<bool()> cancelled_;
    std::once_flag first_;
    /// The launch as it is, with some contents of its buffers.
    struct Reference {
        std::vector<instrumentation::BufferDeclaration> buffers;
        Executed executed;
    };
    std::vector<Reference> as_it_is_;
    bool contents_tell_ = false;
};

}  // namespace warplens::app
