// The machine code of other generations than sm_90 against the PTX level: every kernel of the catalogue,
// compiled for each, leaves the same bytes in every buffer.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "both_levels.h"
#include "catalogue_kernels.h"

namespace warplens::app {
namespace {

constexpr const char* gpus[] = {"T4", "A100", "RTX 3090", "RTX 4090", "B200", "RTX 5090"};

/// Kernels whose instructions older GPUs do not have, or, of textures, are not executed before Hopper.
struct Needs {
    std::string_view kernel;
    int sm;
};
constexpr Needs needs[] = {
    {"cluster_histogram", 90}, {"mma_matmul", 80}, {"reduce_redux", 80}, {"texture_blur", 90}};

/// The machine level does not execute them to their end, or they are wrong on purpose, so that what they
/// compute depends on which warp is first: machine_level_test.cpp.
constexpr std::string_view left_out[] = {"child_launch", "missing_barrier", "barrier_in_branch"};

/// Turing multiplies 8 columns at a time, where the PTX level sums 16 before it rounds.
bool rounds_otherwise(std::string_view kernel, std::string_view gpu) {
    return kernel == "wmma_matmul" && gpu == "T4";
}

/// Two for each kernel, in turn, of those that have its instructions: the code for one GPU resembles that for
/// the next.
std::vector<const char*> gpus_for(const std::string& kernel) {
    const auto of = std::ranges::find(needs, kernel, &Needs::kernel);
    std::vector<const char*> able;
    for (const char* name : gpus) {
        const auto gpu = find_gpu(name);
        if (!gpu) ADD_FAILURE() << gpu.error().message;
        else if (of == std::end(needs) || (*gpu)->major * 10 + (*gpu)->minor >= of->sm) able.push_back(name);
    }
    if (able.size() < 2) return able;
    const std::size_t first = kernel.size() % able.size();
    return {able[first], able[(first + able.size() / 2) % able.size()]};
}

class MachineTargets : public testing::TestWithParam<std::shared_ptr<const instrumentation::KernelFile>> {};

TEST_P(MachineTargets, leave_the_same_bytes_as_the_ptx_level) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: only sm_90 is shipped";
    for (const char* name : gpus_for(GetParam()->name)) {
        SCOPED_TRACE(name);
        const LevelRun machine = run_at(GetParam(), Level::machine, name);
        ASSERT_TRUE(machine.report);
        EXPECT_EQ(machine.report->level, Level::machine);
        EXPECT_TRUE(machine.report->unsupported->empty())
            << machine.report->unsupported->front().form << " is not executed";
        EXPECT_TRUE(machine.report->problems.empty()) << machine.report->problems.front().message;
        if (rounds_otherwise(GetParam()->name, name)) {
            EXPECT_EQ(machine.report->golden, "passed");
            continue;
        }
        const LevelRun ptx = run_at(GetParam(), Level::ptx, name);
        expect_the_same_bytes(ptx, machine);
        expect_the_same_printed(ptx, machine);
    }
}

CatalogueKernels executed() {
    return catalogue_kernels([](const instrumentation::KernelFile& kernel) {
        return std::ranges::find(left_out, kernel.name) == std::end(left_out);
    });
}

INSTANTIATE_TEST_SUITE_P(some, MachineTargets, testing::ValuesIn(every(12, executed())),
                         [](const auto& info) { return info.param->name; });
INSTANTIATE_TEST_SUITE_P(others_long, MachineTargets, testing::ValuesIn(all_but_every(12, executed())),
                         [](const auto& info) { return info.param->name; });

/// cluster_histogram knows its clusters' size when it is compiled.
TEST(machine_targets, give_the_constants_of_a_launch_in_clusters) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: only sm_90 is shipped";
    const char* source = R"(/*
[kernel]
title = "Launch constants"
subject = "Tests"
lesson = "None."

[buffers]
out = { type = "u32", length = "96" }
[launch]
grid = ["4", "6"]
block = ["3", "2"]
cluster = ["2", "3"]
dynamic_shared_bytes = "512"
arguments = ["out"]
*/
extern "C" __global__ void constants(unsigned* out) {
    unsigned size, id, blocks, rank, clusters, shared, is_cluster;
    asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(size));
    asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(id));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(shared));
    asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(is_cluster));
    if (threadIdx.x + threadIdx.y != 0) return;
    unsigned* own = out + 4 * (blockIdx.x + gridDim.x * blockIdx.y);
    own[0] = size + 10 * id + 100 * blocks;
    own[1] = rank + 10 * clusters;
    own[2] = shared + 1000 * is_cluster;
    own[3] = blockDim.x + 10 * blockDim.y + 100 * gridDim.x + 1000 * gridDim.y;
}
)";
    const auto kernel = kernel_of("constants", source);
    for (const char* gpu : {"H200", "B200", "RTX 5090"}) {
        SCOPED_TRACE(gpu);
        const LevelRun machine = run_at(kernel, Level::machine, gpu);
        ASSERT_TRUE(machine.report);
        expect_the_same_bytes(run_at(kernel, Level::ptx, gpu), machine);
        const auto* words = reinterpret_cast<const std::uint32_t*>(machine.memory.find("out")->data.data());
        // The block at (3, 5): the second in its cluster's row, the last cluster's rows.
        const std::vector<std::uint32_t> last(words + 92, words + 96);
        EXPECT_THAT(last, testing::ElementsAre(3 + 10 + 600, 1 + 20, 512 + 1000, 3 + 20 + 400 + 6000));
    }
}

/// The jump goes through a table in constant memory; the cubin lists where to.
TEST(machine_targets, jump_through_a_table) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: only sm_90 is shipped";
    const char* source = R"(/*
[kernel]
title = "A switch"
subject = "Tests"
lesson = "None."

[buffers]
io = { type = "i32", length = "256", fill = "formula", value = "i * 7 % 10" }
[launch]
grid = ["2"]
block = ["128"]
arguments = ["io"]
*/
extern "C" __global__ void chooses(int* io) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    int x = io[i];
    switch (x) {
        case 0: x = i * 3; break;
        case 1: x = i / 7; break;
        case 2: x = i ^ 0x55; break;
        case 3: x = i % 11; break;
        case 4: x = i * i * i; break;
        case 5: x = __clz(i); break;
        case 6: x = i >> 3; break;
        case 7: x = __popc(i) * 3; break;
        default: x = -i;
    }
    io[i] = x;
}
)";
    const auto kernel = kernel_of("chooses", source);
    for (const char* gpu : {"T4", "A100", "H200", "B200", "RTX 5090"}) {
        SCOPED_TRACE(gpu);
        const LevelRun machine = run_at(kernel, Level::machine, gpu);
        ASSERT_TRUE(machine.report);
        EXPECT_TRUE(std::ranges::any_of(machine.program.sites,
                                        [](const Site& site) { return site.opcode.starts_with("BRX"); }));
        expect_the_same_bytes(run_at(kernel, Level::ptx, gpu), machine);
    }
}

/// Nothing is guessed: what the driver writes elsewhere in the bank is not known.
TEST(machine_targets, refuse_a_launch_constant_that_is_not_known) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: only sm_90 is shipped";
    const char* source = R"(/*
[kernel]
title = "Launch constants"
subject = "Tests"
lesson = "None."

[buffers]
out = { type = "u32", length = "1" }
[launch]
grid = ["1"]
block = ["1"]
arguments = ["out"]
*/
extern "C" __global__ void reads_envreg(unsigned* out) {
    unsigned value;
    asm volatile("mov.u32 %0, %%envreg3;" : "=r"(value));
    out[0] = value;
}
)";
    const auto kernel = kernel_of("reads_envreg", source);
    const LevelRun machine = run_at(kernel, Level::machine);
    ASSERT_TRUE(machine.report);
    ASSERT_EQ(machine.report->unsupported->size(), 1u);
    EXPECT_EQ(machine.report->unsupported->front().form, "LDC");
}

}  // namespace
}  // namespace warplens::app

#endif
