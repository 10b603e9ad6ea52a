// Textures and surfaces from the command line: the catalogue's kernel, the user's own file with a header or
// with flags, PTX that names a .texref, and the messages for unknown or unsupported parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

using Textures = TypedCommands;

json report_of(std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    words.insert(words.end(), {"--format", "json"});
    const Outcome outcome = warplens(words);
    EXPECT_NE(outcome.code, 2) << outcome.error;
    return read_json(outcome.out);
}

TEST_F(Textures, the_blur_equals_its_reference_beyond_every_border_and_in_every_number_of_fetches) {
    for (const char* address : {"clamp", "border", "wrap", "mirror"})
        for (const char* fetches : {"4", "9"}) {
            const json report =
                report_of({"texture_blur", "--set", "W=37", "--set", "H=21", "--set",
                           std::string("address=") + address, "--set", std::string("FETCHES=") + fetches});
            EXPECT_EQ(report["golden"], "passed") << address << " " << fetches;
            EXPECT_TRUE(report["problems"].empty());
        }
}

TEST_F(Textures, four_fetches_do_what_nine_did) {
    // 250 × 150 texels in blocks of 16 × 16: 75 pairs of rows in 16 columns of blocks reach into the image.
    for (const std::uint64_t fetches : {4, 9}) {
        const json report = report_of({"texture_blur", "--set", "FETCHES=" + std::to_string(fetches)});
        EXPECT_EQ(report["texture_load"]["requests"], 75 * 16 * fetches);
        EXPECT_EQ(report["global_store"]["requests"], 75 * 16);
        EXPECT_EQ(report["global_load"]["requests"], 0);
        std::uint64_t of_sites = 0;
        for (const json& site : report["sites"]) {
            if (site["space"] != "texture") continue;
            EXPECT_EQ(site["sectors"], 0) << "how a GPU lays a texture out is not known";
            EXPECT_EQ(site["wavefronts"], 0);
            of_sites += site["requests"].get<std::uint64_t>();
        }
        EXPECT_EQ(of_sites, 75 * 16 * fetches);
    }
}

TEST_F(Textures, what_is_unknown_about_them_is_stated_and_not_computed) {
    const json report = report_of({"texture_blur"});
    EXPECT_TRUE(report["schedule"].is_null());
    EXPECT_THAT(report["schedule_absent"].get<std::string>(),
                HasSubstr("textures or surfaces, whose units the timing model does not model"));
    EXPECT_TRUE(report["roofline"]["without_images"]);
    EXPECT_TRUE(report["roofline"]["intensity"].is_null());
    EXPECT_EQ(report["roofline"]["dram_write_bytes_ideal"], (250 * 150 * 4 + 31) / 32 * 32)
        << "the sectors of the ordinary buffer";
    EXPECT_THAT(
        warplens({"report", "texture_blur"}).out,
        AllOf(HasSubstr("texture load"), HasSubstr("their memory layout is not known"),
              HasSubstr("without the traffic of textures and surfaces"), HasSubstr("Golden check  passed")));
    EXPECT_FALSE(report_of({"saxpy", "--set", "n=100"})["roofline"]["without_images"]);
}

TEST_F(Textures, their_requests_are_a_metric_to_check_and_to_sweep) {
    EXPECT_EQ(warplens({"check", "texture_blur", "--max", "texture_load.requests=4800"}).code, 0);
    const Outcome broken = warplens({"check", "texture_blur", "--max", "texture_load.requests=4799"});
    EXPECT_EQ(broken.code, 1);
    EXPECT_THAT(broken.out, HasSubstr("kernels/texture_blur.cu:"));
    EXPECT_THAT(warplens({"check", "texture_blur", "--max", "schedule.cycles=1"}).out,
                HasSubstr("no modelled time: the kernel reads or writes textures"));
    EXPECT_THAT(warplens({"check", "texture_blur", "--max", "roofline.intensity=1"}).out,
                HasSubstr("the traffic of the kernel's textures and surfaces is not known"));
    EXPECT_THAT(warplens({"sweep", "texture_blur", "--over", "FETCHES=4,9", "--metric",
                          "texture_load.requests", "--format", "csv"})
                    .out,
                AllOf(HasSubstr("4,4800"), HasSubstr("9,10800")));
}

TEST_F(Textures, no_gpu_is_asked_to_record_them) {
    const char* const sentence = "texture_blur is not recorded on a GPU: kernels with textures or surfaces";
    EXPECT_THAT(refusal({"report", "texture_blur", "--engine", "cuda"}), HasSubstr(sentence));
    EXPECT_THAT(refusal({"agree", "texture_blur"}), HasSubstr(sentence));
    EXPECT_THAT(refusal({"record", "texture_blur", "--engine", "cuda", "-o", path("x.wltrace")}),
                HasSubstr(sentence));
}

TEST_F(Textures, a_trace_keeps_their_requests) {
    const std::string kept = path("blur.wltrace");
    ASSERT_EQ(warplens({"record", "texture_blur", "--set", "W=32", "--set", "H=16", "-o", kept}).code, 0);
    const json report = report_of({kept});
    EXPECT_EQ(report["texture_load"]["requests"], 2 * 8 * 4);
}

constexpr const char* own_source_text = R"(
struct Look { float gain; cudaTextureObject_t colours; };
extern "C" __global__ void look(cudaTextureObject_t photo, cudaSurfaceObject_t out, Look by, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x >= width) return;
    const float texel = tex2D<float>(photo, x + 0.5f, y + 0.5f);
    const float2 colour = tex1D<float2>(by.colours, texel);
    surf2Dwrite(by.gain * (colour.x + colour.y), out, 4 * x, y);
}
)";

TEST_F(Textures, of_a_file_of_ones_own_are_passed_by_flags) {
    const std::string source = file("look.cu", own_source_text);
    std::vector<std::string> words{"report",   source,
                                   "--grid",   "8",
                                   "--block",  "32",
                                   "--arg",    "texture:f32[32,8]=iota,filter=linear",
                                   "--arg",    "surface:f32[32,8]",
                                   "--arg",    "struct:{f32=2,texture:f32x2[64]=const:1,address=border}",
                                   "--arg",    "i32=32",
                                   "--format", "json"};
    const Outcome outcome = warplens(words);
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error << outcome.out;
    const json report = read_json(outcome.out);
    EXPECT_EQ(report["texture_load"]["requests"], 16);
    EXPECT_EQ(report["surface_store"]["requests"], 8);
    EXPECT_EQ(report["global_load"]["requests"], 0);

    words[7] = "texture:f32[32,8]=iota,filter=liner";
    EXPECT_THAT(refusal(words), AllOf(HasSubstr("--arg texture:"), HasSubstr("did you mean `linear`?")));
    words[7] = "texture:u8[32,8]=iota,filter=linear";
    EXPECT_THAT(refusal(words), HasSubstr("set reads_normalised"));
    words[7] = "buffer:f32[256]";
    const Outcome wrong = warplens(words);
    EXPECT_EQ(wrong.code, 1) << "an address is not a texture's handle";
    EXPECT_THAT(wrong.out, HasSubstr("the launch has no such texture"));
    EXPECT_THAT(refusal({"report", source}),
                AllOf(HasSubstr("--arg texture:f32["), HasSubstr("surface:f32[")));
}

TEST_F(Textures, of_a_file_of_ones_own_are_declared_by_its_header) {
    const std::string header = R"(/*
[kernel]
[parameters]
width = { default = 20, min = 1, max = 32 }
[buffers]
pixels = { type = "f32", length = "width * 8", fill = "iota" }
[textures]
photo   = { buffer = "pixels", width = "width", height = 8 }
colours = { type = "f32", channels = 2, width = 256, fill = "iota" }
[surfaces]
out = { type = "f32", width = "width", height = 8 }
[launch]
arguments = ["photo", "out", "struct:{f32=0.5, texture=colours}", "width"]
grid  = ["8"]
block = ["32"]
[golden.out]
lua = "return function(i) local at = math.min(pixels[i], 255) return 0.5 * (colours[2 * at] + colours[2 * at + 1]) end"
*/)";
    const std::string source = file("look.cu", header + own_source_text);
    const Outcome outcome = warplens({"report", source, "--format", "json"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error << outcome.out;
    EXPECT_EQ(read_json(outcome.out)["golden"], "passed") << "a surface is checked as a buffer is";
    std::string wrong = header + own_source_text;
    wrong.replace(wrong.find("width = \"width\", height = 8 }\ncolours"), 17, "");
    EXPECT_THAT(refusal({"report", file("wrong.cu", wrong)}),
                AllOf(HasSubstr("wrong.cu:8: "), HasSubstr("lacks its `width`")));
}

TEST_F(Textures, a_texref_of_ptx_is_bound_by_its_name) {
    const std::string ptx = file("k.ptx", R"(/*
[kernel]
[textures]
image = { type = "u32", width = 32, fill = "iota" }
[buffers]
out = { type = "u32", length = "32", fill = "zero" }
[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
[golden.out]
lua = "return function(i) return i end"
*/
.version 7.0
.target sm_75
.address_size 64
.global .texref image;
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [image, {%r1}];
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}
)");
    const json report = report_of({ptx});
    EXPECT_EQ(report["golden"], "passed");
    EXPECT_EQ(report["texture_load"]["requests"], 1);
}

}  // namespace
}  // namespace warplens::app
