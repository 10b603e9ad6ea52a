// `warplens report` of a kernel with instructions that the CPU engine does not execute: all of them are
// listed, in JSON and for a terminal, and a .ptx with a syntax of the future is read around it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Unsupported = TypedCommands;

// Only block 1 reaches the first two; no block reaches the last two.
constexpr const char* ptx = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<4>;
	.loc 1 11 3
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %ctaid.x;
	setp.ne.u32 %p1, %r1, 1;
	@%p1 bra STORE;
	.loc 1 13 3
	multimem.red.global.add.u32 [%rd1], %r1;
	multimem.red.global.add.u32 [%rd1], %r1;
STORE:
	.loc 1 15 3
	st.global.u32 [%rd1], %r1;
	ret;
	.loc 1 17 3
	frobnicate.kind::new.b32 %r1 <- {%r2 : %r3};
	ld.global.fresh.u32 %r1, [%rd1];
}
.file 1 "absent.cu"
)";

std::vector<std::string> unsupported_report_of(const std::string& source, const std::string& blocks,
                                               const std::string& format) {
    return {"report", source,  "--grid",         blocks,     "--block",
            "32",     "--arg", "buffer:u32[32]", "--format", format};
}

TEST_F(Unsupported, forms_are_all_listed_in_json_with_their_places_whether_reached_or_not) {
    const std::string source = file("k.ptx", ptx);
    const Outcome outcome = warplens(unsupported_report_of(source, "2", "json"));
    EXPECT_EQ(outcome.code, 1) << outcome.error;
    const auto json = read_json(outcome.out);
    const auto& forms = json["unsupported"];
    ASSERT_EQ(forms.size(), 3u);
    EXPECT_EQ(forms[0]["form"], "multimem.red.global.add.u32");
    EXPECT_EQ(forms[0]["count"], 2);
    EXPECT_EQ(forms[0]["ptx_line"], 15);
    EXPECT_EQ(forms[0]["line"], 13);
    EXPECT_THAT(forms[0]["file"], HasSubstr("absent.cu"));
    EXPECT_EQ(forms[0]["sites"].size(), 2u);
    EXPECT_EQ(forms[1]["form"], "frobnicate.kind::new.b32");
    EXPECT_EQ(forms[1]["ptx_line"], 22);
    EXPECT_EQ(forms[2]["form"], "ld.global.fresh.u32");
    EXPECT_THAT(forms[2]["reason"], HasSubstr(".fresh"));

    // The problem of block 1 names its thread; the problem of a form that no thread reached names none.
    ASSERT_EQ(json["problems"].size(), 3u);
    EXPECT_EQ(json["problems"][0]["block"], nlohmann::json({1, 0, 0}));
    EXPECT_EQ(json["problems"][0]["ptx_line"], 15);
    EXPECT_TRUE(json["problems"][1]["block"].is_null());
    EXPECT_EQ(json["problems"][1]["element"], "frobnicate.kind::new.b32");
}

TEST_F(Unsupported, forms_are_listed_for_a_terminal_and_what_happened_beside_them) {
    const std::string source = file("k.ptx", ptx);
    const Outcome met = warplens(unsupported_report_of(source, "2", "text"));
    EXPECT_EQ(met.code, 1);
    EXPECT_THAT(
        met.out,
        AllOf(HasSubstr("does not execute 3 instruction forms of this kernel"),
              HasSubstr("absent.cu:13, PTX line 15 and 1 more: it accesses the memory of several GPUs"),
              HasSubstr("frobnicate.kind::new.b32"), HasSubstr("ld.global.fresh.u32"), HasSubstr("Problems"),
              HasSubstr("block (1,0,0), thread (0,0,0)")));
    const Outcome missed = warplens(unsupported_report_of(source, "1", "text"));
    EXPECT_EQ(missed.code, 1);
    EXPECT_THAT(missed.out,
                AllOf(HasSubstr("does not execute 3 instruction forms"), Not(HasSubstr("Problems"))));
}

TEST_F(Unsupported, a_call_of_a_virtual_function_in_machine_code_says_what_it_is) {
    const std::string source =
        file("shapes.cu",
             "struct Shape { __device__ virtual float area(float x) const = 0; };\n"
             "struct Square : Shape { __device__ float area(float x) const override { return x * x; } };\n"
             "struct Twice : Shape { __device__ float area(float x) const override { return x + x; } };\n"
             "__global__ void k(float* out, int n) {\n  Shape* shape;\n"
             "  if (n > 7) shape = new Square;\n  else shape = new Twice;\n"
             "  if (n > 100) out[threadIdx.x] = shape->area(n);\n}\n"
             "int main() {\n  float* out;\n  cudaMalloc(&out, 4096);\n  k<<<1, 32>>>(out, 5);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    if (outcome.out.find("not counted") == std::string::npos) GTEST_SKIP() << "needs machine code";
    EXPECT_THAT(outcome.out, HasSubstr("it calls a virtual function or through a table of functions"));
}

TEST_F(Unsupported, forms_of_a_kernel_that_has_none_are_an_empty_list) {
    const Outcome outcome = warplens({"report", "saxpy", "--set", "n=100", "--format", "json"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(read_json(outcome.out)["unsupported"], nlohmann::json::array());
    EXPECT_THAT(warplens({"report", "saxpy", "--set", "n=100"}).out, Not(HasSubstr("does not execute")));
}

}  // namespace
}  // namespace warplens::app
