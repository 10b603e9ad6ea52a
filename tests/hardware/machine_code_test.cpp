// Compares the number of warp instructions that the lowered machine code issues in each launch of
// h200_counters.csv with the profiler's inst_executed. The lowering is an estimate from the PTX alone, so the
// two differ; the bounds below hold over all launches, and nothing was fitted to a single one.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>
#include <mutex>

#include "app/pipeline/pipeline.h"
#include "instrumentation/catalog/arguments.h"
#include "simt/timing/machine_code.h"
#include "tests/hardware/measured_table.h"
#include "tests/hardware/timing_run.h"

namespace warplens::hardware {
namespace {

/// Counts the instructions that each warp would issue: operations of each block that it visits, unrolled in
/// loops.
class IssueCount : public trace::BlockObserver {
  public:
    explicit IssueCount(const simt::MachineProgram& code) : code_(code) {}
    std::uint64_t issued = 0;

    void visit(int warp, BasicBlockId block, LaneMask /*active*/) override {
        Run& run = runs_[warp];
        if (run.block != block) end(run, block);
        run.block = block;
        ++run.visits;
    }
    void finish() {
        for (auto& [warp, run] : runs_) end(run, no_index);
    }

  private:
    struct Run {
        BasicBlockId block = no_index;
        std::uint64_t visits = 0;
    };
    void end(Run& run, BasicBlockId next) {
        if (run.visits == 0) return;
        const simt::MachineBlock& block = code_.blocks[run.block];
        const std::uint64_t unrolled = block.unroll > 1 ? run.visits / block.unroll : 0;
        issued +=
            unrolled * block.unrolled.size() + (run.visits - unrolled * block.unroll) * block.once.size();
        if (block.skips != next) issued += block.skipped.size();
        run.visits = 0;
    }
    const simt::MachineProgram& code_;
    std::map<int, Run> runs_;
};

class LaunchIssueCount : public trace::Observer {
  public:
    explicit LaunchIssueCount(const simt::MachineProgram& code) : code_(code) {}
    std::uint64_t issued = 0;
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t /*block*/) override {
        return std::make_unique<IssueCount>(code_);
    }
    void finish(std::uint64_t /*block*/, std::unique_ptr<trace::BlockObserver> observer) override {
        auto& count = static_cast<IssueCount&>(*observer);
        count.finish();
        issued += count.issued;
    }

  private:
    const simt::MachineProgram& code_;
};

Result<std::uint64_t> issues_of(const MeasuredRow& row) {
    auto launch = load_kernel({"kernels", row.text("kernel"), read_parameters(row.text("parameters"))});
    if (!launch) return tl::unexpected(launch.error());
    const auto machine =
        simt::lower(launch->program, sm_timing(*launch->gpu), launch->launch.resources.registers_per_thread);
    if (!machine) return tl::unexpected(machine.error());
    simt::GlobalMemory memory;
    std::vector<std::uint64_t> addresses;
    for (instrumentation::PreparedBuffer& buffer : launch->prepared.buffers)
        addresses.push_back(memory.allocate(buffer.name, std::move(buffer.data)));
    const auto arguments =
        instrumentation::lay_out_arguments(launch->prepared, launch->program.parameters, addresses);
    if (!arguments) return tl::unexpected(arguments.error());
    LaunchIssueCount count(*machine);
    simt::run(*launch->code, launch->launch.geometry, *arguments, memory, {}, &count);
    return count.issued;
}

/// The measured convolutions divide zeros, as their buffers were never filled, and 0 / 3 takes the routine
/// that the assembler calls for special cases: 28 more instructions per warp. The machine code counts the
/// path without.
bool divides_zeros(const MeasuredRow& row) { return row.text("kernel").starts_with("conv1d"); }

TEST(machine_code, issues_as_many_warp_instructions_as_the_gpu) {
    constexpr double worst_row = 0.12, worst_mean = 0.03;
    double sum = 0;
    int rows = 0;
    for (const MeasuredRow& row : read_measured_table("h200_counters.csv")) {
        if (divides_zeros(row)) continue;
        const Result<std::uint64_t> issued = issues_of(row);
        ASSERT_TRUE(issued) << issued.error().message;
        const double error = double(*issued) / row.real("inst_executed") - 1;
        std::cout << row.text("id") << " " << row.text("kernel") << " " << row.text("parameters") << ": "
                  << *issued << " for " << row.text("inst_executed") << ", " << std::round(1000 * error) / 10
                  << " %\n";
        EXPECT_LT(std::abs(error), worst_row) << row.text("kernel") << " " << row.text("parameters");
        sum += std::abs(error);
        ++rows;
    }
    ASSERT_GT(rows, 40);
    std::cout << "mean absolute error " << 100 * sum / rows << " %\n";
    EXPECT_LT(sum / rows, worst_mean);
}

TEST(machine_code, of_a_division_is_the_path_without_special_cases) {
    for (const MeasuredRow& row : read_measured_table("h200_counters.csv")) {
        if (!divides_zeros(row)) continue;
        const Result<std::uint64_t> issued = issues_of(row);
        ASSERT_TRUE(issued) << issued.error().message;
        const double warps = 1048576.0 / 32;
        const double called_routine = row.real("inst_executed") / warps - double(*issued) / warps;
        EXPECT_NEAR(called_routine, 28, 2) << row.text("kernel");
    }
}

}  // namespace
}  // namespace warplens::hardware
