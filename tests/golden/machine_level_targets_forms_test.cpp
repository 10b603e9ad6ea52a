// Instructions and constants of single generations that the catalogue's kernels do not have: each kernel is
// made by NVRTC for the GPUs that have them, must execute the machine instruction that it is for, and must
// leave the same bytes at both levels.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include "both_levels.h"

namespace warplens::app {
namespace {

struct TargetKernel {
    std::string name;
    std::vector<std::string> gpus;
    std::vector<std::string> opcodes;  // that are executed, or their beginnings
    std::string before;                // the kernel
    std::string body;
};

/// 64 threads; `numbers` are in [0, 1), `out` has 32 words for each thread.
std::string text_for_target(const TargetKernel& kernel) {
    return fmt::format(
        "/*\n[kernel]\ntitle = \"{0}\"\nsubject = \"Forms\"\nlesson = \"{0}\"\n\n[buffers]\n"
        "words = {{ type = \"u32\", length = \"2048\", fill = \"random\", below = \"4294967295\", seed = "
        "\"5\" }}\n"
        "numbers = {{ type = \"f32\", length = \"2048\", fill = \"random\", seed = \"6\" }}\n"
        "out = {{ type = \"u32\", length = \"2048\", fill = \"zero\" }}\n\n[launch]\n"
        "arguments = [\"words\", \"numbers\", \"out\"]\ngrid = [\"2\"]\nblock = [\"32\"]\n*/\n{1}"
        "extern \"C\" __global__ void {0}(const unsigned* words, const float* numbers, unsigned* out) {{\n"
        "    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;\n    const unsigned* a = words + 32 * "
        "t;\n    const float* f = numbers + 32 * t;\n    unsigned* d = out + 32 * t;\n{2}}}\n",
        kernel.name, kernel.before, kernel.body);
}

void expect_target_agrees(const TargetKernel& form) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: these kernels have no shipped code";
    const auto kernel = kernel_of(form.name, text_for_target(form));
    for (const std::string& gpu : form.gpus) {
        SCOPED_TRACE(form.name + " on " + gpu);
        const LevelRun ptx = run_at(kernel, Level::ptx, gpu), machine = run_at(kernel, Level::machine, gpu);
        ASSERT_TRUE(ptx.report && machine.report);
        for (const LevelRun* run : {&ptx, &machine})
            for (const Problem& problem : run->report->problems) ADD_FAILURE() << problem.message;
        for (const analysis::UnsupportedForm& each : *machine.report->unsupported)
            ADD_FAILURE() << each.form << " is not executed: " << each.reason;
        for (const std::string& opcode : form.opcodes)
            EXPECT_TRUE(executes(machine, opcode)) << "no " << opcode << " is executed";
        expect_the_same_bytes(ptx, machine);
    }
}

const std::vector<std::string>& gpus_since_turing() {
    static const std::vector<std::string> names{"T4",   "A100", "RTX 3090", "RTX 4090",
                                                "H200", "B200", "RTX 5090"};
    return names;
}

TEST(machine_level_targets_forms, two_numbers_at_once) {
    expect_target_agrees(
        {"two_at_once",
         {"B200"},
         {"FADD2", "FMUL2", "FFMA2"},
         "__device__ void keep(unsigned*& d, float2 v) { ((float2*)d)[0] = v; d += 2; }\n",
         "    const float2 x{f[0] * 9 - 4, f[1]}, y{f[2], f[3] * 1e-30f}, z{f[4], -f[5]}; const float q = "
         "f[6];\n"
         "    keep(d, __ffma2_rn(x, float2{q, q}, z)); keep(d, __fadd2_rn(float2{x.y, x.x}, y));\n"
         "    keep(d, __fmul2_rn(x, float2{q, q})); keep(d, __fmul2_rn(x, float2{2.5f, 2.5f}));\n"
         "    keep(d, __ffma2_rn(float2{x.y, x.x}, float2{y.y, y.x}, float2{z.y, z.x}));\n"
         "    keep(d, __fadd2_rn(x, float2{-y.x, -y.y})); keep(d, __fadd2_rn(x, float2{fabsf(y.x), "
         "fabsf(y.y)}));\n"
         "    keep(d, __ffma2_rn(x, float2{-y.x, y.y}, z)); keep(d, __ffma2_rn(x, float2{y.x, -y.y}, z));\n"
         "    keep(d, __ffma2_rn(x, y, float2{-z.x, z.y})); keep(d, __fadd2_rn(x, float2{q, q}));\n"
         "    keep(d, __ffma2_rn(x, float2{-y.y, y.x}, z)); keep(d, __fmul2_rn(y, y));\n"
         "    keep(d, __ffma2_rn(x, float2{2, 2}, z));\n"});
}

TEST(machine_level_targets_forms, extremum_of_three_numbers) {
    expect_target_agrees({"extremum_of_three",
                          {"B200"},
                          {"FMNMX3"},
                          "",
                          "    const float x = f[0] - 0.5f, y = t % 5 ? f[1] - 0.5f : nanf(\"\"), z = f[2];\n"
                          "    d[0] = __float_as_uint(fmaxf(fmaxf(x, y), z));\n"
                          "    d[1] = __float_as_uint(fminf(fminf(x, y), -z));\n"
                          "    d[2] = __float_as_uint(fmaxf(fmaxf(fabsf(x), z), y));\n"});
}

TEST(machine_level_targets_forms, reductions_over_the_warp) {
    expect_target_agrees({"warp_reductions",
                          {"B200"},
                          {"CREDUX"},
                          "",
                          "    d[0] = __reduce_max_sync(~0u, a[0]); d[1] = __reduce_min_sync(~0u, a[0]);\n"
                          "    d[2] = __reduce_max_sync(~0u, (int)a[1]); d[3] = __reduce_min_sync(~0u, "
                          "(int)a[1]);\n"});
}

TEST(machine_level_targets_forms, halves_into_single_precision) {
    expect_target_agrees(
        {"halves_into_single",
         {"B200"},
         {"FHADD", "FHFMA"},
         "",
         "    float r; const unsigned short h = a[0] & 0xbbff, g = a[1] & 0x3bff;\n"
         "    asm(\"add.f32.f16 %0, %1, %2;\" : \"=f\"(r) : \"h\"(h), \"f\"(f[0])); d[0] = "
         "__float_as_uint(r);\n"
         "    asm(\"sub.f32.bf16 %0, %1, %2;\" : \"=f\"(r) : \"h\"(h), \"f\"(f[0])); d[1] = "
         "__float_as_uint(r);\n"
         "    asm(\"fma.rn.f32.f16 %0, %1, %2, %3;\" : \"=f\"(r) : \"h\"(h), \"h\"(g), \"f\"(f[1])); d[2] = "
         "__float_as_uint(r);\n"
         "    asm(\"fma.rn.f32.bf16 %0, %1, %2, %3;\" : \"=f\"(r) : \"h\"(h), \"h\"(g), \"f\"(f[1])); d[3] = "
         "__float_as_uint(r);\n"});
}

TEST(machine_level_targets_forms, bytes_of_four_numbers) {
    expect_target_agrees(
        {"bytes_of_four",
         {"RTX 4090", "H200", "B200", "RTX 5090"},
         {"F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C", "F2FP.F16.E4M3.UNPACK_B", "F2FP.F16.E5M2.UNPACK_B"},
         "__device__ unsigned packed(float x, float y) {\n    unsigned short r;\n"
         "    asm(\"cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;\" : \"=h\"(r) : \"f\"(x), \"f\"(y));\n"
         "    return r;\n}\n",
         "    d[0] = packed(f[0] * 900 - 450, f[1]) << 16 | packed(f[2], -f[3]);\n"
         "    unsigned lower, upper; const unsigned short l = a[0], u = a[0] >> 16;\n"
         "    asm(\"cvt.rn.f16x2.e4m3x2 %0, %1;\" : \"=r\"(lower) : \"h\"(l));\n"
         "    asm(\"cvt.rn.f16x2.e4m3x2 %0, %1;\" : \"=r\"(upper) : \"h\"(u)); d[1] = lower; d[2] = upper;\n"
         "    asm(\"cvt.rn.f16x2.e5m2x2 %0, %1;\" : \"=r\"(lower) : \"h\"(l));\n"
         "    asm(\"cvt.rn.relu.f16x2.e5m2x2 %0, %1;\" : \"=r\"(upper) : \"h\"(u)); d[3] = lower; d[4] = "
         "upper;\n"});
}

TEST(machine_level_targets_forms, approximate_functions_of_halves) {
    expect_target_agrees({"functions_of_halves",
                          {"RTX 4090", "H200", "B200"},
                          {"MUFU.TANH.F16", "MUFU.EX2.F16"},
                          "",
                          "    unsigned r; const unsigned x = a[0] & 0xbbffbbff;\n"
                          "    asm(\"tanh.approx.f16x2 %0, %1;\" : \"=r\"(r) : \"r\"(x)); d[0] = r;\n"
                          "    asm(\"ex2.approx.f16x2 %0, %1;\" : \"=r\"(r) : \"r\"(x)); d[1] = r;\n"});
}

TEST(machine_level_targets_forms, pointers_to_constants) {
    expect_target_agrees(
        {"pointer_to_constant",
         gpus_since_turing(),
         {"LD"},
         "__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};\n",
         "    const int* p = a[0] % 2 ? table + t % 8 : (const int*)a + 1;\n    d[0] = *p;\n"
         "    const int* q = table + t % 7; asm volatile(\"\" : \"+l\"(q)); d[1] = *q + table[t "
         "% 8];\n"});
}

TEST(machine_level_targets_forms, addresses_in_variables) {
    expect_target_agrees(
        {"addresses_in_variables",
         gpus_since_turing(),
         {"LDG"},
         "__device__ int x[4] = {1, 2, 3, 4}; __device__ int* px = x + 1; __constant__ int c[4] = {5, 6, 7, "
         "8};\n__device__ const int* pc = c + 2; __constant__ int* cpx = x + 2;\n"
         "__constant__ const int* pointers[3] = {x, x + 3, x + 1}; __device__ const int** ppc = &pc;\n",
         "    d[0] = *px; d[1] = *pc; d[2] = *cpx; d[3] = **ppc; d[4] = *pointers[t % 3];\n    if (t > 99) "
         "px "
         "= x + 3;\n"});
}

}  // namespace
}  // namespace warplens::app

#endif
