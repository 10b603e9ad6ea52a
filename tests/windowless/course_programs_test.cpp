// Programs in the style of courses, samples and public repositories, of tests/foreign_files: launch,
// sizes and contents are those that a reader of the host code gets, with no flag.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/folders.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Expected {
    const char* file;
    int code = 0;
    std::vector<const char*> said;
};

const std::vector<Expected> programs{
    {"async_chunks.cu",
     0,
     {"grid ceil_div(count, 256) (line 43), block 256",
      "re f32[524288]=formula:i < 32768 and math.cos(f32(f32(0.001) * i))", "mag f32[524288]=zero",
      "offset=0", "another kernel with --kernel smooth"}},
    {"bfs_levels.cu",
     1,  // threads read a distance while others write it
     {"grid ceil_div(num_vertices, 256) (line 62)",
      "row_ptr i32[num_vertices + 1]=formula:i >= 65536 and 262144",
      "distance i32[num_vertices]=formula:i < 1 and 0 or 2147483647", "level=0", "changed u8[1]=zero"}},
    {"bucket_counts.cu",
     0,
     {"countBuckets", "grid 32 (line 63), block 256", "keys u32[n]=formula:random(4294967296)",
      "counts u32[64]=zero"}},
    {"black_scholes_sample.cu",
     0,
     {"grid ceil_div(optN, 256) (line 21), block 128",
      "d_StockPrice f32[optN]=formula:f32(random() * 25) + 5", "Riskfree=0.02", "Volatility=0.3"}},
    {"conv_layer.cu",
     0,
     {"conv2d_forward<5, true>", "grid ceil_div(width, 16) × ceil_div(height, 16) × 32",
      "x f32[49152]=formula:i % 255 / 255", "`c_bias` holds what the host copies to it in line 76",
      "`c_filters` holds random numbers in the range"}},
    {"cooperative_power.cu",
     0,
     {"power_iteration<2>", "grid ceil_div(n, 256) (line 71), block 256 (line 71), 2048 bytes of dynamic",
      "diagonals f64[163840]=formula:i // 32768 == 2 and 4 or -1 / (1 + math.abs(i // 32768 - 2))",
      "x f64[n]=constant:1", "iterations=4"}},
    {"gamma_streams.cu",
     0,
     {"grid ceil_div(count, 256) (line 21), block 256 (line 48), 1024 bytes of dynamic",
      "in u8[count]=formula:i * 7 & 255", "lut f32[256]=formula:f32(i / 255) ^ f32(0.45454547)"}},
    {"gemm_bf16.cu",
     0,
     {"gemm_kernel<64, 64, 16, 4, 4>", "block 256", "M=512", "K=256",
      "A u16[M * K]=formula:bf16_bits(i // 256 == i % 256 and 1 or 0)",
      "B u16[M * K]=formula:bf16_bits(random() - 0.5)"}},
    {"sgemm_steps.cu",
     0,
     {"sgemm1DBlocktiling<64, 64, 8, 8>",
      "grid ceil_div(M, 64) × ceil_div(M, 64) (line 71), block 512 (line 72)", "M=256 (line 115)",
      "A f32[M * M]=random", "another kernel with --kernel sgemm_naive"}},
    {"hash_table.cu",
     0,
     {"grid ceil_div(numkvs, 1024)", "hashtable u32[262144]=constant:4294967295", "random(4294967295)"}},
    {"overlap_streams.cu",
     0,
     {"grid 256 (line 29), block 256", "from f32[524288]=formula:", "48 + f32(i // 2 % 100 * f32(0.01))",
      "f32(13.4) + f32((i - 1) // 2 // 100 * f32(0.0001))", "offset=0"}},
    {"particles_aos.cu",
     0,
     {"integrate is guessed from line 85: grid ceil_div(n, 256)",
      "particles i32[131072]=formula:i >= 7 and (i - 7) % 1024 % 8 == 0 and -1",
      "math.cos(f32((i - 5) // 1024 * f32(0.1)))",
      "world=struct:{f32=0.01, f32=0, f32=-9.81, f32=0, f32=10, i32=32}"}},
    {"pi_occupancy.cu", 0, {"grid 256 (line 49), block 1024 (line 46)", "hits u64[1]=zero", "seed=1234"}},
    {"reduce_passes.cu",
     0,
     {"reduceKernel<256u>", "grid ceil_div(n, 512) (line 68), block 256", "1024 bytes of dynamic",
      "g_idata i32[n]=formula:i & 255"}},
    {"rmsnorm_half.cu",
     0,
     {"grid 128 (line 52), block 512 (line 45), 64 bytes", "x f16[262144]=formula:(i % 17 - 8) * 0.125",
      "weight f16[49152]=constant:1", "eps=1e-05"}},
    {"rotate_texture.cu",
     0,
     {"grid ceil_div(width, 16) × ceil_div(height, 16)",
      "tex=texture:f32[width,height]=formula:i % 256,filter=linear,address=wrap,normalised", "theta=0.5"}},
    {"scale_overloads.cu",
     0,
     {"scale(float2*, float2, int) is guessed from line 30", "grid ceil_div(n, 256) (line 36), block 256",
      "factor=struct:{f32=0, f32=1}", "--kernel \"sig::kernels::scale(float*, float, int)\""}},
    {"sdf_camera.cu",
     0,
     {"grid ceil_div(width, 16) × ceil_div(height, 8) (line 80), block 16 × 8", "width=640", "maxSteps=128",
      "`cam` holds what the host copies to it in line 73",
      "`lights` holds what the host copies to it in line 75"}},
    {"smith_waterman.cu",
     0,
     {"line 78, pass 32 of 63 of its loop, the largest: grid 32 (line 77), block 32", "diag=31",
      "a i8[1024]=formula:({65, 67, 71, 84, 0})[random(4) + 1] or 0", "H i32[cols * cols]=written before",
      "cols=1025"}},
    {"sobel_pitch.cu",
     0,
     {"grid ceil_div(w, 32) × ceil_div(h, 8) (line 58), block 32 × 8", "inPitch=1024",
      "in u8[inPitch * h]=formula:i % 1024 < 1000", "threshold=200"}},
    {"solve_attention.cu",
     0,
     {"softmax_kernel", "grid M (line 57, size assumed), block 256", "1024 bytes of dynamic",
      "kernel `qk_kernel` in line 62 fills it"}},
};

using CoursePrograms_long = TypedCommands;

TEST_F(CoursePrograms_long, launch_sizes_and_contents_are_the_programs) {
    for (const Expected& expected : programs) {
        SCOPED_TRACE(expected.file);
        const auto file = std::filesystem::path(source_folder()) / "tests" / "foreign_files" / expected.file;
        const Outcome outcome = warplens({"report", file.string(), "--no-advice", "--format", "json"});
        if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
        EXPECT_EQ(outcome.code, expected.code) << outcome.error;
        for (const char* words : expected.said) EXPECT_THAT(outcome.error, HasSubstr(words));
        // Its arguments come from another language.
        const bool is_given_data = std::string(expected.file) == "solve_attention.cu";
        EXPECT_EQ(outcome.error.find("contents guessed") != std::string::npos, is_given_data);
    }
}

// Their contents are guesses: a kernel before fills the image, and the other's numbers overflow.
TEST_F(CoursePrograms_long, a_driver_launch_and_two_pitches_are_followed) {
    const auto said = [&](const char* name, std::vector<std::string> flags = {}) {
        const auto file = std::filesystem::path(source_folder()) / "tests" / "foreign_files" / name;
        std::vector<std::string> words{"report", file.string(), "--no-advice", "--format", "json"};
        words.insert(words.end(), flags.begin(), flags.end());
        return warplens(words);
    };
    const Outcome driver = said("block_max_driver.cu");
    if (!compiles(driver)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(driver.code, 0) << driver.error;
    EXPECT_THAT(driver.error,
                AllOf(HasSubstr("grid ceil_div(n, 1024) (line 46), block 512 (line 46), 2048 bytes"),
                      HasSubstr("in i32[n]="), HasSubstr("out i32[128]=zero")));
    const Outcome rows = said("blur_pitched.cu", {"--kernel", "blurRows"});
    EXPECT_THAT(rows.error, AllOf(HasSubstr("src u8[srcPitch * h]=formula:"), HasSubstr("srcPitch=512"),
                                  HasSubstr("dst f32[dstPitch * h // 4]=zero"), HasSubstr("dstPitch=2048")));
}

}  // namespace
}  // namespace warplens::app
