#include "analysis/report/roofline.h"

#include <gtest/gtest.h>

#include "analysis/report/launch_report.h"
#include "analysis/warps/operation_count.h"
#include "core/sm_timing.h"
#include "tests/analysis/small_trace.h"

namespace warplens::analysis {
namespace {

using enum OperationKind;

TEST(operation_count, floating_point_counts_as_the_profiler_does) {
    EXPECT_EQ(count_operations("add.f32"), (OperationCount{fp32, 1, 0}));
    EXPECT_EQ(count_operations("sub.rn.ftz.f32"), (OperationCount{fp32, 1, 0}));
    EXPECT_EQ(count_operations("fma.rn.f32"), (OperationCount{fp32, 2, 0}));
    EXPECT_EQ(count_operations("mad.rn.f32"), (OperationCount{fp32, 2, 0}));
    EXPECT_EQ(count_operations("fma.rn.f64"), (OperationCount{fp64, 2, 0}));
    EXPECT_EQ(count_operations("mul.f16x2"), (OperationCount{fp16, 2, 0}));
    EXPECT_EQ(count_operations("fma.rn.bf16x2"), (OperationCount{fp16, 4, 0}));
    EXPECT_EQ(count_operations("fma.rn.f32x2"), (OperationCount{fp32, 4, 0}));
    EXPECT_EQ(count_operations("div.rn.f32"), (OperationCount{fp32, 1, 0}));
    EXPECT_EQ(count_operations("sqrt.approx.f32"), (OperationCount{fp32, 1, 0}));
    EXPECT_EQ(count_operations("ex2.approx.ftz.f32"), (OperationCount{fp32, 1, 0}));
}

TEST(operation_count, what_moves_compares_or_converts_floats_is_no_operation) {
    for (const char* opcode : {"mov.f32", "ld.global.f32", "st.shared.f64", "setp.gt.f32", "min.f32",
                               "neg.f32", "abs.f64", "selp.f32", "cvt.rn.f32.s32", "atom.global.add.f32"})
        EXPECT_EQ(count_operations(opcode), OperationCount{}) << opcode;
}

TEST(operation_count, integers_stand_apart) {
    for (const char* opcode : {"add.s32", "mad.lo.s32", "mul.wide.u32", "shl.b32", "setp.ge.s32", "and.b64",
                               "dp4a.u32.u32", "rem.u32", "add.u16x2"})
        EXPECT_EQ(count_operations(opcode), (OperationCount{integer, 1, 0})) << opcode;
    for (const char* opcode : {"mov.u32", "cvt.u64.u32", "or.pred", "selp.b32", "bra", "bar.sync", "ret",
                               "cvta.to.global.u64", "shfl.sync.down.b32", "atom.shared.add.u32"})
        EXPECT_EQ(count_operations(opcode), OperationCount{}) << opcode;
}

TEST(operation_count, matrix_instructions_count_by_their_shape) {
    EXPECT_EQ(count_operations("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
              (OperationCount{tensor_fp16, 0, 2 * 16 * 8 * 16}));
    EXPECT_EQ(count_operations("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"),
              (OperationCount{tensor_fp16, 0, 2 * 16 * 16 * 16}));
    EXPECT_EQ(count_operations("wmma.load.a.sync.aligned.row.m16n16k16.f16"), OperationCount{});
    EXPECT_EQ(count_operations("mma.sync.m0n8k16.f32"), OperationCount{});
}

Site arithmetic(std::string opcode, bool guarded = false) {
    Site site;
    site.opcode = std::move(opcode);
    site.guarded = guarded;
    return site;
}

constexpr std::uint64_t roofline_base = 4096;

/// One warp: loads 4 sectors, then 32 fused multiply-adds and 8 additions that the others are predicated off
/// of, then 32 integer additions.
LaunchReport small_report(Program& program, std::uint32_t blocks_in_grid, std::uint64_t buffer_bytes) {
    SmallTrace small({SmallTrace::memory_site(Space::global, Operation::load, 4, 1), arithmetic("fma.rn.f32"),
                      arithmetic("add.f64", true), arithmetic("add.s32")});
    small.launch.geometry = {{blocks_in_grid, 1, 1}, {32, 1, 1}, 0};
    small.launch.buffers = {{"x", "f32", 4, roofline_base, buffer_bytes}};
    for (BasicBlockId block = 0; block < 4; ++block) {
        small.visit(0, block, LaneMask::all());
        if (block == 0)
            small.access(0, block, global_request(4, [](auto lane) { return roofline_base + 4 * lane; }));
    }
    program = small.program;
    LaunchFold fold(program);
    small.report_to(fold);
    LaunchReport report = fold.report(small.launch);
    report.sites[2].executed_lanes = 8;
    return report;
}

TEST(roofline, a_whole_launch_is_counted_exactly) {
    Program program;
    const LaunchReport report = small_report(program, 1, 128);
    const Roofline result = roofline(report, program, default_gpu(), nullptr);
    EXPECT_FALSE(result.estimated);
    EXPECT_DOUBLE_EQ(result.fp32_operations, 64);
    EXPECT_DOUBLE_EQ(result.fp64_operations, 8);
    EXPECT_DOUBLE_EQ(result.flops, 72);
    EXPECT_DOUBLE_EQ(result.integer_operations, 32);
    EXPECT_DOUBLE_EQ(result.dram_bytes_ideal, 128);
    EXPECT_DOUBLE_EQ(result.dram_write_bytes_ideal, 0);
    EXPECT_DOUBLE_EQ(result.l2_bytes, 128);
    EXPECT_DOUBLE_EQ(result.intensity, 72.0 / 128);
    EXPECT_DOUBLE_EQ(result.ridge, 72.0 / 64 * 66.9e12 / 4800e9) << "FP64 works beside FP32, and ends first";
    EXPECT_DOUBLE_EQ(result.attainable_flops(), 72.0 / 128 * 4800e9);
    EXPECT_FALSE(result.modelled_seconds.has_value());
}

TEST(roofline, a_sample_grows_with_the_blocks_but_no_buffer_beyond_itself) {
    Program program;
    const LaunchReport report = small_report(program, 10, 640);
    const Roofline result = roofline(report, program, default_gpu(), nullptr);
    EXPECT_TRUE(result.estimated);
    EXPECT_DOUBLE_EQ(result.flops, 720);
    EXPECT_DOUBLE_EQ(result.l2_bytes, 1280);
    EXPECT_DOUBLE_EQ(result.dram_bytes_ideal, 640);
}

TEST(roofline, a_schedule_gives_the_modelled_time) {
    Program program;
    const LaunchReport report = small_report(program, 1, 128);
    trace::Schedule schedule;
    schedule.launch.cycles = 5000;
    const Roofline result = roofline(report, program, default_gpu(), &schedule);
    ASSERT_TRUE(result.modelled_seconds.has_value());
    EXPECT_DOUBLE_EQ(*result.modelled_seconds, 5000 / sm_timing(default_gpu()).clock_hz);
}

TEST(roofline, a_measured_launch_has_the_time_of_the_original_kernel) {
    Program program;
    LaunchReport report = small_report(program, 1, 128);
    EXPECT_FALSE(roofline(report, program, default_gpu(), nullptr).measured_seconds.has_value());
    trace::Measured measured;
    measured.perturbations.resize(1);
    measured.perturbations[0].clean_us = 10;
    measured.perturbations[0].traced_us = 12;
    report.measured = std::make_shared<trace::Measured>(measured);
    const Roofline result = roofline(report, program, default_gpu(), nullptr);
    ASSERT_TRUE(result.measured_seconds.has_value());
    EXPECT_DOUBLE_EQ(*result.measured_seconds, 10e-6);
}

TEST(roofline, what_textures_move_is_not_known_so_there_is_no_intensity) {
    Program program;
    LaunchReport report = small_report(program, 1, 128);
    EXPECT_GT(roofline(report, program, default_gpu(), nullptr).intensity, 0);
    report.texture_load.requests = 1;
    const Roofline result = roofline(report, program, default_gpu(), nullptr);
    EXPECT_TRUE(result.without_images);
    EXPECT_EQ(result.intensity, 0);
    EXPECT_EQ(result.dram_bytes_ideal, 128) << "the ordinary buffer's are still reported";
}

TEST(roofline, a_launch_of_nothing_has_no_point) {
    const Roofline result = roofline({}, {}, default_gpu(), nullptr);
    EXPECT_EQ(result.flops, 0);
    EXPECT_EQ(result.intensity, 0);
}

TEST(operation_count, matrix_instructions_are_of_the_type_that_they_multiply) {
    const auto kind = [](const char* opcode) { return count_operations(opcode).kind; };
    EXPECT_EQ(kind("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"), tensor_tf32);
    EXPECT_EQ(kind("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"), tensor_fp16);
    EXPECT_EQ(kind("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"), tensor_fp64);
    EXPECT_EQ(kind("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32"), tensor_fp8);
    EXPECT_EQ(kind("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32"), tensor_int8);
    EXPECT_EQ(kind("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32"), tensor_other);
    EXPECT_EQ(kind("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"), tensor_other);
    EXPECT_EQ(kind("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32"), tensor_fp16);
}

/// A launch of one warp that executes each of the instructions once.
Roofline roofline_of(const std::vector<std::string>& opcodes, const GpuSpec& gpu) {
    std::vector<Site> sites{SmallTrace::memory_site(Space::global, Operation::load, 4, 1)};
    for (const std::string& opcode : opcodes) sites.push_back(arithmetic(opcode));
    SmallTrace small(sites);
    small.launch.geometry = {{1, 1, 1}, {32, 1, 1}, 0};
    for (BasicBlockId block = 0; block < sites.size(); ++block) {
        small.visit(0, block, LaneMask::all());
        if (block == 0)
            small.access(0, block, global_request(4, [](auto lane) { return roofline_base + 4 * lane; }));
    }
    LaunchFold fold(small.program);
    small.report_to(fold);
    return roofline(fold.report(small.launch), small.program, gpu, nullptr);
}

TEST(operation_count, machine_instructions_count_as_the_profiler_counts_them) {
    EXPECT_EQ(count_operations("FFMA.FTZ"), (OperationCount{fp32, 2, 0}));
    EXPECT_EQ(count_operations("DADD"), (OperationCount{fp64, 1, 0}));
    EXPECT_EQ(count_operations("HFMA2"), (OperationCount{fp16, 4, 0}));
    EXPECT_EQ(count_operations("IMAD.WIDE"), (OperationCount{integer, 1, 0}));
    EXPECT_EQ(count_operations("IMAD.MOV.U32"), (OperationCount{none, 0, 0}));
    EXPECT_EQ(count_operations("LDG.E.128"), (OperationCount{none, 0, 0}));
    EXPECT_EQ(count_operations("HMMA.16816.F32"), (OperationCount{tensor_fp16, 0, 2 * 16 * 8 * 16}));
    EXPECT_EQ(count_operations("HMMA.1684.F32.TF32"), (OperationCount{tensor_tf32, 0, 2 * 16 * 8 * 4}));
    EXPECT_EQ(count_operations("IMMA.16832.S8.S8"), (OperationCount{tensor_int8, 0, 2 * 16 * 8 * 32}));
    EXPECT_EQ(count_operations("DMMA.884"), (OperationCount{tensor_fp64, 0, 2 * 8 * 8 * 4}));
}

TEST(operation_count, what_the_assembler_spells_as_arithmetic_on_zero_is_a_move) {
    const auto count = [](const char* text) {
        Site site = arithmetic(std::string(text).substr(0, std::string(text).find(' ')));
        site.text = text;
        return count_operations(site);
    };
    for (const char* move :
         {"HFMA2.MMA R4, -RZ, RZ, 1.875, 0", "HFMA2 R4, -RZ, RZ, 0, 5.9604644775390625e-08",
          "FADD.FTZ R4, -R4, -RZ", "FADD R4, -RZ, |R5|", "HADD2.F32 R3, -RZ, R2.H0_H0", "DADD R2, -RZ, -R4",
          "IMAD.U32 R3, RZ, RZ, UR4", "IMAD R3, RZ, 0x1, R5"})
        EXPECT_EQ(count(move), OperationCount{}) << move;
    EXPECT_EQ(count("HFMA2.MMA R4, R5, R6, 1.875, 0"), (OperationCount{fp16, 4, 0}));
    EXPECT_EQ(count("HFMA2 R4, R5, R6.reuse, -RZ"), (OperationCount{fp16, 4, 0}));
    // 0 + x is 0 where x is -0: the compiler keeps the addition that the program asks for.
    EXPECT_EQ(count("FADD R0, RZ, R0"), (OperationCount{fp32, 1, 0}));
    EXPECT_EQ(count("FFMA R4, R0, R7, RZ"), (OperationCount{fp32, 2, 0}));
    EXPECT_EQ(count("FFMA R4, R0, R7, -RZ"), (OperationCount{fp32, 2, 0}));
    EXPECT_EQ(count("IMAD.IADD R4, R0, 0x1, R7"), (OperationCount{integer, 1, 0}));
    EXPECT_EQ(count("fma.rn.f32 %f1, %f2, %f3, %f4;"), (OperationCount{fp32, 2, 0}));
    Site guarded = arithmetic("HFMA2.MMA");
    guarded.text = "@!P0 HFMA2.MMA R4, -RZ, RZ, 1.875, 0";
    EXPECT_EQ(count_operations(guarded), OperationCount{});
}

TEST(roofline, each_type_has_the_roof_of_its_own_unit) {
    const char* half = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    EXPECT_DOUBLE_EQ(roofline_of({half}, default_gpu()).peak_flops, 989.4e12);
    EXPECT_EQ(roofline_of({half}, default_gpu()).peak_unit, "FP16 tensor cores");
    EXPECT_DOUBLE_EQ(roofline_of({"fma.rn.f64"}, default_gpu()).peak_flops, 33.5e12);
    EXPECT_DOUBLE_EQ(roofline_of({"fma.rn.f32"}, default_gpu()).peak_flops, 66.9e12);
    const Roofline mixed = roofline_of({half, "fma.rn.f32"}, default_gpu());
    EXPECT_EQ(mixed.peak_unit, "FP16 tensor cores") << "4,096 operations there, 64 here";
    EXPECT_DOUBLE_EQ(mixed.peak_flops, (4096.0 + 64) / (4096 / 989.4e12));
}

TEST(roofline, a_unit_whose_peak_is_not_known_has_no_roof) {
    const Roofline result = roofline_of({"fma.rn.f64"}, **find_gpu("RTX 4090"));
    EXPECT_EQ(result.peak_flops, 0);
    EXPECT_EQ(result.ridge, 0);
    EXPECT_EQ(result.peak_unit, "FP64");
}

}  // namespace
}  // namespace warplens::analysis
