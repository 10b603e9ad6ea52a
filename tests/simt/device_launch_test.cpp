// Kernels that launch kernels: what the device run-time's functions do, and the grids that are executed
// below.
#include <gmock/gmock.h>

#include "kernel_under_test.h"
#include "simt/functional/launch_tree.h"

namespace warplens::simt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string runtime_declared =
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 g[12], "
    ".param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2GetLastError ();\n";
const std::string launch_registers = "{\n.reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %d<32>;\n";

/// Launches `kernel` with %d1 and %r9 as its arguments; a null buffer skips the launch, as compiled code
/// does.
std::string launch_of(const std::string& kernel, const std::string& grid, const std::string& block,
                      const std::string& stream, const std::string& label) {
    return "mov.u64 %d8, " + kernel +
           ";\n{\n.param .b64 a;\n.param .align 4 .b8 g[12];\n.param .align 4 .b8 b[12];\n.param .b32 s;\n"
           ".param .b64 r;\nst.param.b64 [a], %d8;\nst.param.b32 [g], " +
           grid + ";\nst.param.b32 [g+4], 1;\nst.param.b32 [g+8], 1;\nst.param.b32 [b], " + block +
           ";\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], 0;\n"
           "call.uni (r), __cudaCDP2GetParameterBufferV2, (a, g, b, s);\nld.param.b64 %d9, [r];\n}\n"
           "setp.eq.s64 %p7, %d9, 0;\n@%p7 bra " +
           label +
           ";\nst.u64 [%d9], %d1;\nst.u32 [%d9+8], %r9;\n{\n.param .b64 p;\n.param .b64 s;\n"
           ".param .b32 r;\nst.param.b64 [p], %d9;\nst.param.b64 [s], " +
           stream + ";\ncall.uni (r), __cudaCDP2LaunchDeviceV2, (p, s);\nld.param.b32 %r20, [r];\n}\n" +
           label + ":\n";
}

std::string launching_kernel(const std::string& name, const std::string& body) {
    return ".visible .entry " + name + "(.param .u64 out, .param .u32 n)\n" + launch_registers +
           "ld.param.u64 %d1, [out];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, "
           "%ctaid.x;\n" +
           body + "ret;\n}\n";
}
/// out[at] = a count that every store raises: the order in which grids store.
std::string note_order_at(const std::string& at) {
    return "atom.global.add.u32 %r10, [%d1], 1;\nadd.u32 %r10, %r10, 1;\nmul.wide.u32 %d2, " + at +
           ", 4;\nadd.s64 %d2, %d1, %d2;\nst.global.u32 [%d2], %r10;\n";
}

/// Counts the grids and remembers who launched them.
struct GridListener : ChildGridListener {
    std::vector<ChildGrid> grids;
    std::uint64_t steps = 0;
    trace::Observer* begin(const ChildGrid& grid, const Kernel&) override {
        grids.push_back(grid);
        return nullptr;
    }
    void end(const ChildGrid&, const RunResult& run) override { steps += run.steps; }
};

struct LaunchedTree {
    GlobalMemory memory;
    GridListener listener;
    RunResult parent;
    ChildGridsRun children;

    /// The entry `k` of the text on `geometry`, with `words` zeros and `n` as its arguments; then its grids.
    LaunchedTree(const std::string& kernels, LaunchGeometry geometry, std::uint32_t n, std::size_t words = 64,
                 ChildGridOptions options = {}) {
        // A kernel's text comes before those that name it.
        const std::size_t begin = kernels.find(".visible .entry k("),
                          end = kernels.find("ret;\n}\n", begin) + 7;
        const std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n" + runtime_declared +
                                 kernels.substr(end) + kernels.substr(begin, end - begin);
        auto parsed = ptx::parse(text, "test.ptx");
        if (!parsed) throw std::runtime_error(parsed.error().message);
        ModuleKernels module([&](const std::string& entry) { return Kernel::load(*parsed, entry, text); });
        const auto kernel = module.find("k");
        if (!kernel) throw std::runtime_error(kernel.error().message);
        EXPECT_THAT((*kernel)->unsupported(), IsEmpty());
        EXPECT_TRUE((*kernel)->launches_grids());
        std::vector<std::byte> arguments(16);
        const std::uint64_t out = memory.allocate("out", std::vector<std::byte>(words * 4));
        std::memcpy(arguments.data(), &out, 8);
        std::memcpy(arguments.data() + 8, &n, 4);
        parent = simt::run(**kernel, geometry, arguments, memory, options.run, nullptr);
        auto done = run_child_grids(std::move(parent.launches), module, memory, options, &listener);
        if (!done) throw std::runtime_error(done.error().message);
        children = *std::move(done);
    }
    std::vector<std::uint32_t> out(std::size_t words) const {
        std::vector<std::uint32_t> values(words);
        std::memcpy(values.data(), memory.allocations()[0].data.data(), words * 4);
        return values;
    }
};

const std::string child_kernel = launching_kernel("child", note_order_at("%r9"));
constexpr LaunchGeometry one_thread_grid{{1, 1, 1}, {1, 1, 1}, 0};

TEST(device_launch, each_lane_launches_a_grid_with_its_own_arguments) {
    const std::string body =
        "mad.lo.u32 %r9, %r2, 4, %r1;\nadd.u32 %r9, %r9, 1;\n" + launch_of("child", "1", "1", "0", "L1");
    const LaunchedTree tree(launching_kernel("k", body) + child_kernel, {{2, 1, 1}, {4, 1, 1}, 0}, 0);
    EXPECT_THAT(tree.parent.problems, IsEmpty());
    EXPECT_EQ(tree.children.grids, 8u);
    EXPECT_TRUE(tree.children.completed);
    EXPECT_THAT(tree.out(9), ElementsAre(8, 1, 2, 3, 4, 5, 6, 7, 8)) << "by block, then by lane";
    const DeviceLaunch& sixth = tree.listener.grids[5].launch;
    EXPECT_EQ(sixth.entry, "child");
    EXPECT_EQ(sixth.by_block, (Dim3{1, 0, 0}));
    EXPECT_EQ(sixth.by_thread, (Dim3{1, 0, 0}));
    EXPECT_EQ(tree.listener.grids[5].depth, 1u);
}

TEST(device_launch, tail_launches_come_after_all_other_grids_of_their_parent) {
    const std::string middle = launching_kernel(
        "middle", note_order_at("%r9") + "add.u32 %r9, %r9, 10;\n" + launch_of("child", "1", "1", "3", "M1") +
                      "add.u32 %r9, %r9, 10;\n" + launch_of("child", "1", "1", "0", "M2"));
    const std::string body = "mov.u32 %r9, 1;\n" + launch_of("child", "1", "1", "3", "L1") +
                             "mov.u32 %r9, 2;\n" + launch_of("middle", "1", "1", "0", "L2") +
                             "mov.u32 %r9, 3;\n" + launch_of("child", "1", "1", "4", "L3");
    const LaunchedTree tree(launching_kernel("k", body) + child_kernel + middle, one_thread_grid, 0);
    const auto out = tree.out(32);
    // middle 2, its child 22, its tail 12, the forgotten 3, then the tail 1 of k.
    EXPECT_THAT((std::vector{out[2], out[22], out[12], out[3], out[1]}), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_EQ(tree.listener.grids[1].depth, 2u);
    EXPECT_EQ(tree.listener.grids[2].depth, 1u) << "a tail launch adds no level";
}

TEST(device_launch, the_last_error_says_that_no_grid_runs) {
    const std::string body = launch_of("child", "0", "32", "0", "L1") +
                             "{\n.param .b32 r;\ncall.uni (r), __cudaCDP2GetLastError, ();\n"
                             "ld.param.b32 %r21, [r];\n}\nst.global.u32 [%d1+4], %r21;\n" +
                             "{\n.param .b32 r;\ncall.uni (r), __cudaCDP2GetLastError, ();\n"
                             "ld.param.b32 %r21, [r];\n}\nst.global.u32 [%d1+8], %r21;\n";
    const LaunchedTree tree(launching_kernel("k", body) + child_kernel, one_thread_grid, 0);
    EXPECT_EQ(tree.children.grids, 0u);
    EXPECT_THAT(tree.out(3), ElementsAre(0, 9, 0)) << "cudaErrorInvalidConfiguration, once";
    ASSERT_EQ(tree.parent.problems.size(), 1u);
    EXPECT_EQ(tree.parent.problems[0].kind, ProblemKind::failed_launch);
    EXPECT_THAT(tree.parent.problems[0].message, HasSubstr("a grid has at least one"));
}

TEST(device_launch, a_block_is_not_larger_than_its_kernel_allows) {
    const std::string bounded = ".visible .entry child(.param .u64 out, .param .u32 n)\n.maxntid 64, 1, 1\n" +
                                launch_registers + "ret;\n}\n";
    const LaunchedTree fits(launching_kernel("k", launch_of("child", "1", "64", "0", "L1")) + bounded,
                            one_thread_grid, 0);
    EXPECT_EQ(fits.children.grids, 1u);
    const LaunchedTree large(launching_kernel("k", launch_of("child", "1", "96", "0", "L1")) + bounded,
                             one_thread_grid, 0);
    EXPECT_EQ(large.children.grids, 0u);
    ASSERT_EQ(large.parent.problems.size(), 1u);
    EXPECT_THAT(large.parent.problems[0].message, HasSubstr("its __launch_bounds__ allow 64"));
    const LaunchedTree huge(launching_kernel("k", launch_of("child", "1", "2048", "0", "L1")) + child_kernel,
                            one_thread_grid, 0);
    ASSERT_EQ(huge.parent.problems.size(), 1u);
    EXPECT_THAT(huge.parent.problems[0].message, HasSubstr("a block has 1 to 1,024"));
}

TEST(device_launch, a_recursion_ends_when_a_gpu_s_pending_launches_are_used_up) {
    const LaunchedTree tree(launching_kernel("k", note_order_at("1") + launch_of("k", "1", "1", "0", "L1")),
                            one_thread_grid, 0);
    EXPECT_EQ(tree.children.grids, 2046u) << "as on an H100";
    EXPECT_EQ(tree.out(1)[0], 2047u);
    ASSERT_EQ(tree.children.problems.size(), 1u);
    EXPECT_THAT(tree.children.problems[0].message, HasSubstr("cudaErrorLaunchPendingCountExceeded"));
    EXPECT_EQ(tree.children.problems[0].child, "k");
    EXPECT_EQ(tree.children.problems[0].site, no_index) << "of another program than the host's grid";
}

TEST(device_launch, a_chain_of_tail_launches_has_no_levels_and_the_engine_s_limit_ends_it) {
    ChildGridOptions options;
    options.most_grids = 100;
    const LaunchedTree tree(launching_kernel("k", note_order_at("1") + launch_of("k", "1", "1", "3", "L1")),
                            one_thread_grid, 0, 64, options);
    EXPECT_EQ(tree.children.grids, 100u);
    EXPECT_FALSE(tree.children.completed);
    EXPECT_EQ(tree.children.left_out, 1u);
    ASSERT_EQ(tree.children.problems.size(), 1u);
    EXPECT_THAT(tree.children.problems[0].message, HasSubstr("does the recursion end?"));
}

TEST(device_launch, more_than_the_default_pending_launches_are_noted_and_run) {
    const std::string body = launch_of("child", "1", "1", "0", "L1");
    const LaunchedTree at_limit(launching_kernel("k", body) + child_kernel, {{66, 1, 1}, {31, 1, 1}, 0}, 1);
    EXPECT_THAT(at_limit.parent.notes, IsEmpty());
    const LaunchedTree above(launching_kernel("k", body) + child_kernel, {{67, 1, 1}, {31, 1, 1}, 0}, 1);
    ASSERT_EQ(above.parent.notes.size(), 1u);
    EXPECT_THAT(above.parent.notes[0].message, HasSubstr("cudaErrorLaunchPendingCountExceeded"));
    EXPECT_EQ(above.children.grids, 67u * 31);
}

TEST(device_launch, errors_of_a_grid_name_its_kernel_and_count_over_grids) {
    const std::string outside = launching_kernel("outside", "st.global.u32 [%d1+4096], %r9;\n");
    const LaunchedTree tree(launching_kernel("k", launch_of("outside", "1", "1", "0", "L1")) + outside,
                            {{1, 1, 1}, {3, 1, 1}, 0}, 0);
    ASSERT_EQ(tree.children.problems.size(), 1u);
    EXPECT_EQ(tree.children.problems[0].kind, ProblemKind::out_of_bounds);
    EXPECT_EQ(tree.children.problems[0].child, "outside");
    EXPECT_EQ(tree.children.problems[0].count, 3u);
}

TEST(device_launch, a_trap_ends_what_waits) {
    const std::string traps = launching_kernel("traps", "trap;\n");
    const LaunchedTree tree(launching_kernel("k", launch_of("traps", "1", "1", "0", "L1") +
                                                      launch_of("child", "1", "1", "0", "L2")) +
                                traps + child_kernel,
                            one_thread_grid, 1);
    EXPECT_EQ(tree.children.grids, 1u);
    EXPECT_EQ(tree.children.left_out, 1u);
    EXPECT_FALSE(tree.children.completed);
}

TEST(device_launch, a_pointer_that_is_no_kernel_launches_nothing) {
    std::string body = launch_of("child", "1", "1", "0", "L1");
    body.replace(body.find("mov.u64 %d8, child"), 18, "mov.u64 %d8, 12345");
    const LaunchedTree tree(launching_kernel("k", body) + child_kernel, one_thread_grid, 0);
    EXPECT_EQ(tree.children.grids, 0u);
    ASSERT_EQ(tree.parent.problems.size(), 1u);
    EXPECT_THAT(tree.parent.problems[0].message, HasSubstr("not a kernel of this file"));
}

TEST(device_launch, a_budget_of_steps_leaves_grids_out) {
    ChildGridOptions options;
    options.step_budget = 1;
    const LaunchedTree tree(launching_kernel("k", launch_of("child", "1", "1", "0", "L1")) + child_kernel,
                            {{1, 1, 1}, {4, 1, 1}, 0}, 0, 64, options);
    EXPECT_EQ(tree.children.grids, 1u);
    EXPECT_EQ(tree.children.left_out, 3u);
    EXPECT_FALSE(tree.children.completed);
}

}  // namespace
}  // namespace warplens::simt
