// Instructions that the catalogue's kernels do not have, at the machine level against the PTX level: each
// kernel is made by NVRTC from inline PTX, must have the machine instruction that it is for, and must leave
// the same bytes at both levels.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include "both_levels.h"

namespace warplens::app {
namespace {

struct FormKernel {
    std::string name;     // of the entry
    std::string opcodes;  // that the machine code must have, apart by blanks
    std::string code;
    std::string more = {};  // of the header
};

/// 64 threads in two blocks; `in` has small random words, `out` 32 words for each thread.
std::string text_of(const FormKernel& kernel) {
    return fmt::format(
        "/*\n[kernel]\ntitle = \"{0}\"\nsubject = \"Forms\"\nlesson = \"{0}\"\n\n[buffers]\n"
        "in = {{ type = \"u32\", length = \"4096\", fill = \"random\", below = \"4294967295\", seed = \"5\" "
        "}}\n"
        "numbers = {{ type = \"f32\", length = \"4096\", fill = \"random\", seed = \"6\" }}\n"
        "out = {{ type = \"u32\", length = \"2048\", fill = \"zero\" }}\n{2}\n*/\n"
        "typedef unsigned u32; typedef unsigned long long u64;\n{1}",
        kernel.name, kernel.code,
        kernel.more.empty() ? "\n[launch]\narguments = [\"in\", \"numbers\", \"out\"]\ngrid = [\"2\"]\n"
                              "block = [\"32\"]\ndynamic_shared_bytes = \"0\"\n"
                            : kernel.more);
}

std::string entry(const std::string& name, const std::string& body) {
    return "extern \"C\" __global__ void " + name +
           "(const u32* in, const float* numbers, u32* out) {\n"
           "    const u32 t = blockIdx.x * blockDim.x + threadIdx.x;\n    const u32* a = in + 16 * t;\n"
           "    u32* d = out + 32 * t;\n" +
           body + "\n}\n";
}

/// An mma of `registers` of d, a, b and c; f64 in registers of 64 bits.
std::string product(const std::string& opcode, std::array<int, 4> registers, bool doubles = false) {
    std::string text = "    " + std::string(doubles ? "double" : "u32") + " r[8];\n";
    std::string outputs, inputs, operands;
    int number = 0;
    for (std::size_t operand = 0; operand < 4; ++operand) {
        operands += operand == 0 ? "{" : ",{";
        for (int i = 0; i < registers[operand]; ++i) {
            operands += fmt::format("{}%{}", i == 0 ? "" : ",", number++);
            const char* kind = doubles ? "d" : "r";
            if (operand == 0) outputs += fmt::format("{}\"={}\"(r[{}])", i == 0 ? "" : ",", kind, i);
            else
                inputs += fmt::format(
                    "{}\"{}\"({})", inputs.empty() ? "" : ",", kind,
                    doubles ? fmt::format("(double)numbers[16 * t + {}]", number)
                            : fmt::format("a[{}]{}", number - registers[0],
                                          opcode.find("tf32") != std::string::npos ? " & 0x3fffe000u" : ""));
        }
        operands += "}";
    }
    text += "    asm volatile(\"" + opcode + " " + operands + ";\" : " + outputs + " : " + inputs + ");\n";
    for (int i = 0; i < registers[0]; ++i)
        text += doubles ? fmt::format("    ((double*)d)[{0}] = r[{0}];\n", i)
                        : fmt::format("    d[{0}] = r[{0}];\n", i);
    return text;
}

FormKernel product_kernel(const std::string& name, const std::string& machine, const std::string& opcode,
                          std::array<int, 4> registers, bool doubles = false) {
    return {name, machine, entry(name, product(opcode, registers, doubles))};
}

std::vector<FormKernel> product_kernels() {
    const std::string mma = "mma.sync.aligned.";
    return {
        product_kernel("dmma_8_8_4", "DMMA.8x8x4", mma + "m8n8k4.row.col.f64.f64.f64.f64", {2, 1, 1, 2},
                       true),
        product_kernel("dmma_16_8_4", "DMMA.16x8x4", mma + "m16n8k4.row.col.f64.f64.f64.f64", {4, 2, 1, 4},
                       true),
        product_kernel("dmma_16_8_8", "DMMA.16x8x8", mma + "m16n8k8.row.col.f64.f64.f64.f64", {4, 4, 2, 4},
                       true),
        product_kernel("dmma_16_8_16", "DMMA.16x8x16", mma + "m16n8k16.row.col.f64.f64.f64.f64", {4, 8, 4, 4},
                       true),
        product_kernel("hmma_tf32_4", "HMMA.1684.F32.TF32", mma + "m16n8k4.row.col.f32.tf32.tf32.f32",
                       {4, 2, 1, 4}),
        product_kernel("hmma_tf32_8", "HMMA.1688.F32.TF32", mma + "m16n8k8.row.col.f32.tf32.tf32.f32",
                       {4, 4, 2, 4}),
        product_kernel("imma_u8_u8", "IMMA.16816.U8.U8", mma + "m16n8k16.row.col.s32.u8.u8.s32",
                       {4, 2, 1, 4}),
        product_kernel("imma_s8_u8", "IMMA.16832.S8.U8", mma + "m16n8k32.row.col.s32.s8.u8.s32",
                       {4, 4, 2, 4}),
        product_kernel("imma_u8_s8", "IMMA.16832.U8.S8.SAT", mma + "m16n8k32.row.col.satfinite.s32.u8.s8.s32",
                       {4, 4, 2, 4}),
        product_kernel("imma_small", "IMMA.", mma + "m8n8k16.row.col.s32.s8.s8.s32", {2, 1, 1, 2}),
        product_kernel("imma_s4_s4", "IMMA.", mma + "m16n8k64.row.col.s32.s4.s4.s32", {4, 4, 2, 4}),
        product_kernel("bmma_and", "BMMA.168256.AND", mma + "m16n8k256.row.col.s32.b1.b1.s32.and.popc",
                       {4, 4, 2, 4}),
    };
}

std::vector<FormKernel> atomic_and_lane_kernels() {
    const std::string barrier =
        "    __shared__ u64 bar; __shared__ __align__(16) u32 tile[64];\n"
        "    u32 b = (u32)__cvta_generic_to_shared(&bar), s = (u32)__cvta_generic_to_shared(tile), done = "
        "0;\n"
        "    u64 token, left; u32 pending;\n"
        "    if (threadIdx.x == 0) asm volatile(\"mbarrier.init.shared.b64 [%0], 32;\" :: \"r\"(b));\n"
        "    __syncthreads();\n";
    const std::string wait_parity =
        "    while (!done) asm volatile(\"{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; "
        "selp.u32 %0, 1, 0, p;}\" : \"=r\"(done) : \"r\"(b) : \"memory\");\n";
    return {
        {"shared_float_atomics", "ATOMS.CAST.SPIN ATOMS.CAST.SPIN.64",
         entry("shared_float_atomics",
               "    __shared__ float f[8]; __shared__ double g[8];\n"
               "    if (threadIdx.x < 8) { f[threadIdx.x] = 1; g[threadIdx.x] = 2; }\n    __syncthreads();\n"
               "    float x = atomicAdd(&f[threadIdx.x / 4], 0.5f * threadIdx.x);\n"
               "    double y = atomicAdd(&g[threadIdx.x / 4], 0.25 * threadIdx.x);\n    __syncthreads();\n"
               "    d[0] = __float_as_uint(f[threadIdx.x / 4]); ((double*)d)[1] = g[threadIdx.x / 4];\n"
               "    d[4] = x >= 1; d[5] = y >= 2;")},
        {"generic_float_atomics", "ATOM.E.ADD.F32 QSPC.E.S ATOMS.CAST.SPIN",
         entry("generic_float_atomics",
               "    __shared__ float f[32];\n    f[threadIdx.x] = 1;\n    __syncthreads();\n"
               "    float* p = a[0] % 3 == 0 ? (float*)(d + 1) : &f[threadIdx.x];\n    atomicAdd(p, 2.5f);\n"
               "    d[0] = __float_as_uint(f[threadIdx.x]);")},
        // Number and count of the first are in one register.
        {"barriers_by_registers", "BAR.SYNC.DEFER_BLOCKING",
         entry("barriers_by_registers",
               "    const u32 id = 1 + (in[0] + blockIdx.x) % 7, count = in[1] == 5 ? 64 : 32;\n"
               "    asm volatile(\"bar.sync %0, %1;\" :: \"r\"(id), \"r\"(count) : \"memory\");\n"
               "    asm volatile(\"bar.sync 9, %0;\" :: \"r\"(count) : \"memory\");\n"
               "    asm volatile(\"bar.sync %0;\" :: \"r\"(id) : \"memory\"); d[0] = id;")},
        {"barrier_reductions", "BAR.RED.POPC BAR.RED.AND BAR.RED.OR B2R.RESULT",
         entry("barrier_reductions",
               "    d[0] = __syncthreads_count(a[0] % 3 == 0); d[1] = __syncthreads_and(threadIdx.x < 40);\n"
               "    d[2] = __syncthreads_or(threadIdx.x == 77); d[3] = __syncthreads_and(a[1] & 1);")},
        {"special_registers", "CS2R S2R",
         entry("special_registers",
               "    u32 w, n, m; u64 g, h;\n"
               "    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(g));\n"
               "    asm(\"mov.u32 %0, %warpid;\" : \"=r\"(w)); asm(\"mov.u32 %0, %nwarpid;\" : \"=r\"(n));\n"
               "    asm(\"mov.u32 %0, %smid;\" : \"=r\"(m));\n"
               "    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(h));\n"
               "    d[0] = w; d[1] = n; d[2] = m; d[3] = h >= g;")},
        {"chosen_doubles", "DSETP.MAX.AND DSETP.MIN.AND",
         entry(
             "chosen_doubles",
             "    const double special[] = {0.0, -0.0, 1.5, -2.5, __longlong_as_double(0x7ff8000000000000),\n"
             "        __longlong_as_double(0x7ff0000000000000), __longlong_as_double(0xfff0000000000000), "
             "3};\n"
             "    double x = special[t % 8], y = special[t / 8], big = fmax(x, y), small = fmin(x, y);\n"
             "    d[0] = big != big; d[1] = small != small;\n"
             "    if (big == big) ((double*)d)[1] = big; if (small == small) ((double*)d)[2] = small;")},
        {"saturating_sum", "PLOP3.LUT",
         entry(
             "saturating_sum",
             "    u32 r; asm(\"add.sat.s32 %0, %1, %2;\" : \"=r\"(r) : \"r\"(a[0]), \"r\"(a[1])); d[0] = r;\n"
             "    asm(\"sub.sat.s32 %0, %1, %2;\" : \"=r\"(r) : \"r\"(a[0]), \"r\"(a[1])); d[1] = r;")},
        {"bytes_of_floats", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C",
         entry("bytes_of_floats",
               "    unsigned short r; float x = numbers[t] * 900 - 450, y = numbers[t + 64] * 0.01f;\n"
               "    asm(\"cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;\" : \"=h\"(r) : \"f\"(x), \"f\"(y)); d[0] "
               "= r;\n"
               "    asm(\"cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;\" : \"=h\"(r) : \"f\"(x), \"f\"(y)); d[1] "
               "= r;")},
        {"arrivals", "SYNCS.EXCH.64 SYNCS.ARRIVE.TRANS64.A1T0 SYNCS.PHASECHK.TRANS64.TRYWAIT SYNCS.CCTL.IV",
         entry("arrivals",
               barrier +
                   "    asm volatile(\"mbarrier.arrive.shared.b64 %0, [%1];\" : \"=l\"(token) : \"r\"(b));\n"
                   "    asm volatile(\"mbarrier.pending_count.b64 %0, %1;\" : \"=r\"(pending) : "
                   "\"l\"(token));\n"
                   "    tile[threadIdx.x] = pending;\n" +
                   wait_parity +
                   "    done = 0; while (!done) asm volatile(\"{.reg .pred p; mbarrier.test_wait.shared.b64 "
                   "p, [%1], "
                   "%2; selp.u32 %0, 1, 0, p;}\" : \"=r\"(done) : \"r\"(b), \"l\"(token) : \"memory\");\n"
                   "    u32 sum = 0; for (int i = 0; i < 32; ++i) sum += tile[i];\n    d[0] = sum;\n"
                   "    __syncthreads(); if (threadIdx.x == 0) asm volatile(\"mbarrier.inval.shared.b64 "
                   "[%0];\" :: "
                   "\"r\"(b));")},
        {"counted_copies", "LDGSTS.E SYNCS.ARRIVE.TRANS64.RED.A0T1 ARRIVES.LDGSTSBAR.64.TRANSCNT",
         entry(
             "counted_copies",
             barrier +
                 "    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(s + 4 * "
                 "threadIdx.x), "
                 "\"l\"(a));\n"
                 "    asm volatile(\"cp.async.mbarrier.arrive.shared.b64 [%0];\" :: \"r\"(b));\n"
                 "    asm volatile(\"mbarrier.arrive.shared.b64 %0, [%1];\" : \"=l\"(token) : \"r\"(b));\n" +
                 wait_parity + "    d[0] = tile[31 - threadIdx.x];")},
        {"bulk_copies", "UBLKCP.S.G UBLKCP.G.S ELECT FENCE.VIEW.ASYNC UTMACMDFLUSH SYNCS.ARRIVE.TRANS64",
         entry(
             "bulk_copies",
             barrier +
                 "    if (threadIdx.x == 0) {\n"
                 "        asm volatile(\"mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;\" :: \"r\"(b));\n"
                 "        asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], 256, "
                 "[%2];\" :: \"r\"(s), \"l\"(in + 64 * blockIdx.x), \"r\"(b) : \"memory\");\n"
                 "    } else asm volatile(\"mbarrier.arrive.shared.b64 %0, [%1];\" : \"=l\"(token) : "
                 "\"r\"(b));\n" +
                 wait_parity +
                 "    d[0] = tile[63 - threadIdx.x];\n    __syncthreads(); tile[threadIdx.x] = t; tile[32 + "
                 "threadIdx.x] = 7;\n"
                 "    asm volatile(\"fence.proxy.async;\" ::: \"memory\"); __syncthreads();\n"
                 "    if (threadIdx.x == 0) asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], "
                 "[%1], 64;\\n"
                 "cp.async.bulk.commit_group;\\n cp.async.bulk.wait_group 0;\" :: \"l\"(out + 1024 * "
                 "blockIdx.x + 16), "
                 "\"r\"(s) : \"memory\");")},
    };
}

const char* image_header =
    "image = { type = \"f32\", length = \"1024\", fill = \"random\", seed = \"9\" }\n"
    "pixels = { type = \"u32\", length = \"1024\", fill = \"iota\" }\n"
    "layered = { type = \"u32\", length = \"1024\", fill = \"iota\" }\n"
    "[textures]\nplane = { buffer = \"image\", width = \"16\", height = \"64\", filter = \"linear\", address "
    "= "
    "\"clamp\", normalised = false }\n"
    "texels = { buffer = \"image\", width = \"16\", height = \"64\", address = \"clamp\", normalised = false "
    "}\n"
    "[surfaces]\nto = { buffer = \"pixels\", width = \"16\", height = \"64\" }\n"
    "layers = { buffer = \"layered\", width = \"16\", height = \"16\", layers = 4 }\n"
    "\n[launch]\narguments = [\"plane\", \"texels\", \"to\", \"layers\", \"out\"]\ngrid = [\"2\"]\n"
    "block = [\"32\"]\ndynamic_shared_bytes = \"0\"\n";

std::vector<FormKernel> image_kernels() {
    const auto on_images = [](const std::string& name, const std::string& body) {
        return "extern \"C\" __global__ void " + name +
               "(u64 plane, u64 texels, u64 to, u64 layers, u32* out) {\n"
               "    const u32 t = blockIdx.x * blockDim.x + threadIdx.x;\n    u32* d = out + 32 * t;\n"
               "    float x = 0.37f * (t % 40), y = 0.9f * t, r0, r1, r2, r3; u32 w, v;\n" +
               body + "\n}\n";
    };
    return {
        {"fetches", "TEX.LL TLD4.R TLD.LZ",
         on_images(
             "fetches",
             "    asm(\"tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];\" : \"=f\"(r0), \"=f\"(r1), "
             "\"=f\"(r2), \"=f\"(r3) : "
             "\"l\"(plane), \"f\"(x), \"f\"(y)); d[0] = __float_as_uint(r0); d[1] = __float_as_uint(r3);\n"
             "    asm(\"tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];\" : \"=f\"(r0), \"=f\"(r1), "
             "\"=f\"(r2), \"=f\"(r3) : "
             "\"l\"(plane), \"f\"(x), \"f\"(y)); d[2] = __float_as_uint(r0); d[3] = __float_as_uint(r1);\n"
             "    d[4] = __float_as_uint(r2); d[5] = __float_as_uint(r3);\n"
             "    asm(\"tex.2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}];\" : \"=f\"(r0), \"=f\"(r1), "
             "\"=f\"(r2), \"=f\"(r3) : "
             "\"l\"(texels), \"r\"(t % 17), \"r\"(t)); d[6] = __float_as_uint(r0); d[7] = "
             "__float_as_uint(r2);"),
         image_header},
        {"fetch_by_lanes", "R2UR R2UR.OR TEX.LL BRA.U.ANY",
         on_images("fetch_by_lanes",
                   "    asm(\"tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];\" : \"=f\"(r0), \"=f\"(r1), "
                   "\"=f\"(r2), \"=f\"(r3) : "
                   "\"l\"(t % 3 ? plane : texels), \"f\"(x), \"f\"(y)); d[0] = __float_as_uint(r0);"),
         image_header},
        {"surfaces", "SULD.D.BA.2D SUST.D.BA.2D SUST.D.BA.2D_ARRAY SURED.D.BA.2D",
         on_images("surfaces",
                   "    asm volatile(\"suld.b.2d.b32.trap %0, [%1, {%2,%3}];\" : \"=r\"(w) : \"l\"(to), "
                   "\"r\"(4 * (t % 16)), \"r\"(t));\n"
                   "    asm volatile(\"sust.b.2d.b32.trap [%0, {%1,%2}], %3;\" :: \"l\"(to), \"r\"(4 * (t % "
                   "16)), \"r\"(t), \"r\"(w * "
                   "3));\n"
                   "    asm volatile(\"suld.b.2d.v2.b32.clamp {%0,%1}, [%2, {%3,%4}];\" : \"=r\"(w), "
                   "\"=r\"(v) : \"l\"(to), \"r\"(8 * (t "
                   "% 9)), \"r\"(t)); d[0] = w; d[1] = v;\n"
                   "    asm volatile(\"suld.b.2d.b8.zero %0, [%1, {%2,%3}];\" : \"=r\"(w) : \"l\"(to), "
                   "\"r\"(t), \"r\"(t)); d[2] = w;\n"
                   "    asm volatile(\"sust.b.a2d.b32.zero [%0, {%1,%2,%3,%4}], %5;\" :: \"l\"(layers), "
                   "\"r\"(t / 16), \"r\"(4 * (t % "
                   "5)), \"r\"(t % 16), \"r\"(0), \"r\"(1000 + t));\n"
                   "    asm volatile(\"sured.b.add.2d.u32.trap [%0, {%1,%2}], %3;\" :: \"l\"(to), \"r\"(60), "
                   "\"r\"(t), \"r\"(t));"),
         image_header},
    };
}

void expect_levels_agree(const FormKernel& form) {
    SCOPED_TRACE(form.name);
    const auto kernel = kernel_of(form.name, text_of(form));
    const LevelRun ptx = run_at(kernel, Level::ptx), machine = run_at(kernel, Level::machine);
    ASSERT_TRUE(ptx.report && machine.report);
    for (const LevelRun* run : {&ptx, &machine})
        for (const Problem& problem : run->report->problems) ADD_FAILURE() << problem.message;
    EXPECT_THAT(machine.report->unsupported.value_or(std::vector<analysis::UnsupportedForm>()),
                testing::IsEmpty());
    std::string_view wanted = form.opcodes;
    while (!wanted.empty()) {
        const std::string_view opcode = wanted.substr(0, wanted.find(' '));
        wanted.remove_prefix(std::min(wanted.size(), opcode.size() + 1));
        EXPECT_TRUE(executes(machine, opcode)) << "no " << opcode << " is executed";
    }
    expect_the_same_bytes(ptx, machine);
}

void expect_all_agree(const std::vector<FormKernel>& forms) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: these kernels have no shipped code";
    for (const FormKernel& form : forms) expect_levels_agree(form);
}

TEST(machine_level_forms, matrix_products_leave_the_same_bytes) { expect_all_agree(product_kernels()); }
TEST(machine_level_forms, atomics_and_barriers_leave_the_same_bytes) {
    expect_all_agree(atomic_and_lane_kernels());
}
TEST(machine_level_forms, textures_and_surfaces_leave_the_same_bytes) { expect_all_agree(image_kernels()); }

}  // namespace
}  // namespace warplens::app

#endif
