// Matrices between memory and registers: wmma.load and store, ldmatrix, stmatrix, movmatrix.
#include "analysis/memory/banks.h"
#include "core/matrix_fragment.h"
#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

class Requests final : public trace::Observer {
  public:
    struct Request {
        LaneMask mask;
        Space space;
        Operation operation;
        u32 bytes;
        std::uint64_t first;
        u32 wavefronts;
    };
    std::vector<Request> all;

    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t) override {
        return std::make_unique<Block>(*this);
    }
    void finish(std::uint64_t, std::unique_ptr<trace::BlockObserver>) override {}

  private:
    struct Block final : trace::BlockObserver {
        explicit Block(Requests& to) : to(to) {}
        void access(int, const trace::Access& access) override {
            const auto first = (*access.addresses)[static_cast<std::size_t>(access.mask.lowest())];
            to.all.push_back(
                {access.mask, access.space, access.operation, access.bytes_per_lane, first,
                 access.space == Space::shared ? analysis::count_wavefronts(access).wavefronts : 0});
        }
        Requests& to;
    };
};

std::string registers(int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "%v" : ",%v") + std::to_string(i);
    return text + "}";
}

TEST(tensor_memory, what_wmma_loads_row_by_row_it_stores_column_by_column_as_the_transpose) {
    for (const std::string form :
         {"m16n16k16 f16", "m16n16k16 f32", "m8n32k16 s32", "m32n8k16 f16", "m16n16k8 f32", "m8n8k4 f64"}) {
        const std::string shape = form.substr(0, form.find(' ')), type = form.substr(form.find(' ') + 1);
        const auto matrix = matrix_instruction("wmma.load.c.sync.aligned.row." + shape + "." + type);
        ASSERT_TRUE(matrix) << form;
        const MatrixFragment& c = matrix->fragments[0];
        const auto bytes = static_cast<std::size_t>(bits_of(c.element) / 8);
        const std::string rows = std::to_string(c.rows + 8), columns = std::to_string(c.columns + 8);
        KernelUnderTest test(".reg ." + std::string(bytes == 8 ? "f64" : "b32") + " %v<16>;\n" +
                                 "ld.param.u64 %d1, [out];\nld.param.u64 %d2, [in];\n" +
                                 "wmma.load.c.sync.aligned.row." + shape + ".global." + type + " " +
                                 registers(c.registers()) + ", [%d2], " + columns + ";\n" +
                                 "wmma.store.d.sync.aligned.col." + shape + "." + type + " [%d1], " +
                                 registers(c.registers()) + ", " + rows + ";\nret;",
                             ".param .u64 out, .param .u64 in");
        const auto area = static_cast<std::size_t>((c.rows + 8) * (c.columns + 8)) * bytes;
        std::vector<std::uint8_t> in(area);
        for (std::size_t i = 0; i < area; ++i) in[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
        test.buffer(std::vector<std::uint8_t>(area, 0xcc));
        test.buffer(in);
        ASSERT_TRUE(test.run().problems.empty()) << form;
        const auto out = test.contents<std::uint8_t>();
        for (int r = 0; r < c.rows; ++r)
            for (int k = 0; k < c.columns; ++k)
                for (std::size_t b = 0; b < bytes; ++b)
                    ASSERT_EQ(out[static_cast<std::size_t>(k * (c.rows + 8) + r) * bytes + b],
                              in[static_cast<std::size_t>(r * (c.columns + 8) + k) * bytes + b])
                        << form << " row " << r << " column " << k;
    }
}

/// A tile of shared memory whose 16-bit word i holds i; lane l names `pitch` * l; then `use` and a store of
/// %v0 … %v3.
std::string with_rows(int pitch, const std::string& use) {
    return ".shared .align 16 .b8 tile[4096];\n.reg .b32 %v<8>;\n.reg .b32 %s<4>;\nmov.u32 %r1, %tid.x;\n"
           "mov.u32 %s0, tile;\nmul.lo.u32 %r2, %r1, 128;\nmov.u32 %r3, 0;\n"
           "LOOP:\nadd.u32 %r4, %r2, %r3;\nshr.u32 %r5, %r4, 1;\nadd.u32 %r6, %s0, %r4;\n"
           "cvt.u16.u32 %h1, %r5;\nst.shared.u16 [%r6], %h1;\nadd.u32 %r3, %r3, 2;\nsetp.lt.u32 %p1, %r3, "
           "128;\n"
           "@%p1 bra LOOP;\nbar.sync 0;\nmul.lo.u32 %s1, %r1, " +
           std::to_string(pitch) + ";\nadd.u32 %s1, %s0, %s1;\n" + use +
           "ld.param.u64 %d1, [out];\nmul.wide.u32 %d2, %r1, 16;\nadd.s64 %d1, %d1, %d2;\n"
           "st.global.v4.b32 [%d1], {%v0,%v1,%v2,%v3};\nret;";
}

TEST(tensor_memory, ldmatrix_gives_each_lane_two_elements_of_a_row_or_of_a_column) {
    for (const bool transposed : {false, true}) {
        KernelUnderTest test(with_rows(16, "ldmatrix.sync.aligned.m8n8.x4" +
                                               std::string(transposed ? ".trans" : "") +
                                               ".shared.b16 {%v0,%v1,%v2,%v3}, [%s1];\n"));
        test.buffer(zeros(128));
        ASSERT_TRUE(test.run().problems.empty());
        const auto out = test.contents<u16>();
        for (int lane = 0; lane < 32; ++lane)
            for (int matrix = 0; matrix < 4; ++matrix)
                for (int half = 0; half < 2; ++half) {
                    const int along = lane % 4 * 2 + half, across = lane / 4;
                    const int row = transposed ? along : across, column = transposed ? across : along;
                    EXPECT_EQ(out[static_cast<std::size_t>(lane * 8 + matrix * 2 + half)],
                              matrix * 64 + row * 8 + column);
                }
    }
}

TEST(tensor_memory, ldmatrix_takes_the_wavefronts_that_an_h200_was_measured_to_take) {
    struct Row {
        const char* form;
        const char* results;
        int pitch;
        u32 lanes, wavefronts;
    };
    // tests/hardware/h200_instruction_parameters.csv, ldmatrix with 32 warps: cycles per round and warp.
    for (const Row row :
         {Row{"x1", "{%v0}", 16, 8, 1}, Row{"x2", "{%v0,%v1}", 16, 16, 2},
          Row{"x4", "{%v0,%v1,%v2,%v3}", 16, 32, 4}, Row{"x4", "{%v0,%v1,%v2,%v3}", 64, 32, 16},
          Row{"x4", "{%v0,%v1,%v2,%v3}", 112, 32, 4}}) {
        KernelUnderTest test(with_rows(row.pitch, std::string("ldmatrix.sync.aligned.") + row.form +
                                                      ".m8n8.shared.b16 " + row.results + ", [%s1];\n"));
        test.buffer(zeros(128));
        Requests requests;
        ASSERT_TRUE(test.run(&requests).problems.empty());
        const auto& read = requests.all[requests.all.size() - 2];
        EXPECT_EQ(read.operation, Operation::load);
        EXPECT_EQ(read.bytes, 16u);
        EXPECT_EQ(static_cast<u32>(read.mask.count()), row.lanes) << row.form;
        EXPECT_EQ(read.wavefronts, row.wavefronts) << row.form << " pitch " << row.pitch;
    }
}

TEST(tensor_memory, stmatrix_puts_back_what_ldmatrix_took_and_movmatrix_transposes) {
    KernelUnderTest test(with_rows(16,
                                   "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v0}, [%s1];\n"
                                   "movmatrix.sync.aligned.m8n8.trans.b16 %v1, %v0;\n"
                                   "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%v2}, [%s1];\n"
                                   "add.u32 %s2, %s1, 1024;\n"
                                   "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%s2], {%v1};\n"
                                   "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v3}, [%s2];\n"));
    test.buffer(zeros(128));
    ASSERT_TRUE(test.run().problems.empty());
    const auto out = test.contents();
    for (std::size_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane * 4 + 1], out[lane * 4 + 2]) << "transposed in registers and on the way";
        EXPECT_EQ(out[lane * 4 + 3], out[lane * 4 + 0]) << "there and back";
    }
}

TEST(tensor_memory, wmma_load_reports_a_request_for_each_contiguous_piece) {
    KernelUnderTest test(
        ".reg .b32 %v<8>;\nld.param.u64 %d1, [out];\n"
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " +
        registers(8) + ", [%d1], 16;\nret;");
    const auto base = test.buffer(zeros(128));
    Requests requests;
    ASSERT_TRUE(test.run(&requests).problems.empty());
    ASSERT_EQ(requests.all.size(), 4u);
    const std::uint64_t first[4] = {0, 8 * 32, 16, 8 * 32 + 16};  // rows r and r + 8, columns c and c + 8
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(requests.all[i].first, base + first[i]);
        EXPECT_EQ(requests.all[i].bytes, 4u);
        EXPECT_TRUE(requests.all[i].mask.full());
        EXPECT_EQ(requests.all[i].space, Space::global);
    }
}

TEST(tensor_memory, a_fragment_that_passes_the_end_of_its_buffer_is_reported) {
    KernelUnderTest test(
        ".reg .b32 %v<8>;\nld.param.u64 %d1, [out];\n"
        "wmma.load.c.sync.aligned.row.m16n16k16.f32 " +
        registers(8) + ", [%d1], 16;\nret;");
    test.buffer(zeros(255));
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::out_of_bounds);
}

TEST(tensor_memory, a_matrix_instruction_without_all_32_lanes_is_reported) {
    for (const bool branch : {false, true}) {
        KernelUnderTest test(".reg .b32 %v<8>;\nmov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 31;\n" +
                             std::string(branch ? "@%p1 ret;\n" : "") +
                             "mov.u32 %v0, 0;\nmovmatrix.sync.aligned.m8n8.trans.b16 %v1, %v0;\nret;");
        test.buffer(zeros(1));
        test.geometry.block.x = branch ? 32 : 24;
        const RunResult result = test.run();
        ASSERT_EQ(result.problems.size(), 1u);
        EXPECT_EQ(result.problems[0].kind, ProblemKind::absent_lane);
    }
}

}  // namespace
}  // namespace warplens::simt
