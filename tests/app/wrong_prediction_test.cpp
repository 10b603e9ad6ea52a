// A recording that relies on whole warps where a warp is not: the launch runs again without, and the picture
// is that of the CPU engine. On the GPU emulated by the CPU engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/command_line/target.h"
#include "app/pipeline/agree.h"
#include "app/pipeline/gpu/record_launch.h"
#include "tests/app/emulated_gpu.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// In each round `step` more lanes leave; that it is so seems to depend on data, so that nothing is replayed.
/// A comparison of an index with a limit before a return is expected to pass for all lanes.
constexpr const char* leaving_lanes = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry leaving(.param .u64 out, .param .u32 rounds, .param .u32 step)
{
.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [rounds];
ld.param.u32 %r2, [step];
mov.u32 %r3, %tid.x;
mov.u32 %r4, 0;
ld.global.u32 %r6, [%rd1+128];
and.b32 %r6, %r6, 0;
add.u32 %r5, %r6, 32;
mul.wide.u32 %rd2, %r3, 4;
add.u64 %rd3, %rd1, %rd2;
$L:
setp.ge.u32 %p1, %r3, %r5;
@%p1 bra $E;
st.global.u32 [%rd3], %r4;
sub.u32 %r5, %r5, %r2;
add.u32 %r4, %r4, 1;
setp.lt.u32 %p2, %r4, %r1;
@%p2 bra $L;
$E:
ret;
}
)";

class WrongPrediction : public testing::Test {
  protected:
    void SetUp() override { std::ofstream(path_) << leaving_lanes; }
    void TearDown() override { std::filesystem::remove(path_); }

    LoadedLaunch launch(int rounds, int step) {
        LaunchFlags flags;
        flags.target = path_;
        flags.grid = "4";
        flags.block = "32";
        flags.arguments = {"buffer:u32[33]=zero", "u32=" + std::to_string(rounds),
                           "u32=" + std::to_string(step)};
        const auto request = launch_request(flags);
        EXPECT_TRUE(request) << request.error().message;
        auto loaded = pipeline_->load(*request);
        EXPECT_TRUE(loaded) << loaded.error().message;
        return std::move(*loaded);
    }

    /// Records in light mode, relying on whole warps where it may.
    GpuRecorded record(int rounds, int step) {
        GpuRecordOptions gpu_options;
        gpu_options.mode = instr::RecordMode::light;
        gpu_options.predict_whole = true;
        auto recorded = launcher_.record(launch(rounds, step), gpu_options);
        EXPECT_TRUE(recorded) << recorded.error().message;
        return std::move(*recorded);
    }

    void expect_the_engines_picture(const GpuRecorded& recorded, int rounds, int step) {
        EXPECT_THAT(recorded.notes, testing::IsEmpty());
        const auto agreement = agree_with_engine(*pipeline_, launch(rounds, step), *recorded.trace);
        ASSERT_TRUE(agreement) << agreement.error().message;
        EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
        EXPECT_GT(agreement->records, 0u);
    }

    const std::string& form_of(std::size_t run) { return emulated_.asked.at(run).front().ptx; }

    // Tests run at the same time.
    const std::string path_ = testing::TempDir() + "warplens_leaving_" + std::to_string(getpid()) + ".ptx";
    const std::shared_ptr<Pipeline> pipeline_ = make_pipeline();
    EmulatedGpu emulated_;
    GpuLauncher launcher_{emulated_.gpu()};
};

constexpr const char* relying = "%warplens_apart";

constexpr const char* logging = "%warplens_log";
/// Lanes count their passes through the loop, and take chunks for records.
constexpr const char* counting = "%warplens_passes";
constexpr const char* chunks = "atom.global.add.u32 %warplens_new";

TEST_F(WrongPrediction, of_whole_warps_costs_a_launch_and_changes_no_record) {
    const GpuRecorded recorded = record(6, 4);
    ASSERT_THAT(emulated_.asked, SizeIs(3));
    EXPECT_THAT(form_of(0), Not(HasSubstr(relying))) << "nothing was known of what a warp writes";
    EXPECT_THAT(form_of(1), HasSubstr(relying));
    EXPECT_THAT(form_of(1), Not(HasSubstr(logging))) << "the bounds check was expected to hold";
    EXPECT_THAT(form_of(2), HasSubstr(logging)) << "the prediction was wrong";
    expect_the_engines_picture(recorded, 6, 4);
}

TEST_F(WrongPrediction, without_bounds_checks_too_costs_two_launches_and_changes_no_record) {
    emulated_.apart = true;
    const GpuRecorded recorded = record(6, 4);
    ASSERT_THAT(emulated_.asked, SizeIs(4));
    EXPECT_THAT(form_of(2), HasSubstr(logging));
    EXPECT_THAT(form_of(3), Not(HasSubstr(relying)));
    expect_the_engines_picture(recorded, 6, 4);
    emulated_.asked.clear();
    expect_the_engines_picture(record(7, 3), 7, 3);
    ASSERT_THAT(emulated_.asked, SizeIs(1));
    EXPECT_THAT(form_of(0), Not(HasSubstr(relying))) << "what was wrong is remembered";
}

TEST_F(WrongPrediction, that_ends_in_a_fault_costs_a_launch_and_changes_no_record) {
    record(3, 0);
    emulated_.asked.clear();
    emulated_.failures.push_back({instr::GpuFailure::Kind::kernel_fault, "an illegal address was written"});
    const GpuRecorded recorded = record(3, 0);
    ASSERT_THAT(emulated_.asked, SizeIs(2));
    EXPECT_THAT(form_of(0), HasSubstr(relying));
    expect_the_engines_picture(recorded, 3, 0);
}

TEST_F(WrongPrediction, of_how_much_a_lane_logs_costs_launches_and_changes_no_record) {
    record(6, 4);
    emulated_.asked.clear();
    const GpuRecorded many = record(3000, 0);
    ASSERT_THAT(emulated_.asked, SizeIs(testing::Ge(3u)));
    EXPECT_THAT(form_of(0), HasSubstr(logging));
    EXPECT_THAT(form_of(0), HasSubstr(counting));
    EXPECT_THAT(form_of(1), HasSubstr(logging)) << "with more room, and a bit for each pass";
    EXPECT_THAT(form_of(1), Not(HasSubstr(counting)));
    EXPECT_THAT(form_of(2), Not(HasSubstr(logging))) << "that did not suffice";
    expect_the_engines_picture(many, 3000, 0);
}

// In the first launch lanes with lower numbers leave in each round, so that others lead the records of the
// rest; in the second one the first lane leads all.
TEST_F(WrongPrediction, of_how_much_a_lane_leads_gives_it_more_room_and_no_chunks) {
    std::string text(leaving_lanes);
    const std::string own = "mov.u32 %r3, %tid.x;\n";
    text.replace(text.find(own), own.size(), own + "sub.u32 %r3, 31, %r3;\n");
    std::ofstream(path_) << text;
    GpuRecordOptions gpu_options;
    gpu_options.mode = instr::RecordMode::light;
    gpu_options.predict_whole = false;
    ASSERT_TRUE(launcher_.record(launch(6, 4), gpu_options));
    emulated_.asked.clear();
    const auto many = launcher_.record(launch(40, 0), gpu_options);
    ASSERT_TRUE(many) << many.error().message;
    ASSERT_THAT(emulated_.asked, SizeIs(2));
    EXPECT_GT(emulated_.asked[1].front().chunk_units, emulated_.asked[0].front().chunk_units);
    for (const auto& run : emulated_.asked) EXPECT_THAT(run.front().ptx, Not(HasSubstr(chunks)));
    expect_the_engines_picture(*many, 40, 0);
}

TEST_F(WrongPrediction, is_remembered_for_the_kernel) {
    record(6, 4);
    emulated_.asked.clear();
    const GpuRecorded recorded = record(7, 3);
    ASSERT_THAT(emulated_.asked, SizeIs(1));
    EXPECT_THAT(form_of(0), HasSubstr(logging));
    expect_the_engines_picture(recorded, 7, 3);
}

TEST_F(WrongPrediction, of_how_much_a_warp_writes_costs_a_launch_and_changes_no_record) {
    const GpuRecorded few = record(3, 0);  // no lane leaves
    ASSERT_THAT(emulated_.asked, SizeIs(2));
    EXPECT_THAT(form_of(1), HasSubstr(relying));
    expect_the_engines_picture(few, 3, 0);
    emulated_.asked.clear();
    const GpuRecorded many = record(3000, 0);
    ASSERT_THAT(emulated_.asked, SizeIs(testing::Ge(3u)));
    EXPECT_THAT(form_of(0), HasSubstr(relying));
    EXPECT_THAT(form_of(1), HasSubstr(relying)) << "with more room";
    EXPECT_GT(emulated_.asked[1].front().chunk_units, emulated_.asked[0].front().chunk_units);
    EXPECT_THAT(form_of(2), Not(HasSubstr(relying))) << "that did not suffice";
    expect_the_engines_picture(many, 3000, 0);
}

TEST_F(WrongPrediction, of_how_much_a_warp_writes_costs_no_prediction_where_some_more_room_suffices) {
    record(60, 0);
    emulated_.asked.clear();
    const GpuRecorded more = record(200, 0);
    ASSERT_THAT(emulated_.asked, SizeIs(2));
    EXPECT_THAT(form_of(0), HasSubstr(relying));
    EXPECT_THAT(form_of(1), HasSubstr(relying));
    expect_the_engines_picture(more, 200, 0);
}

}  // namespace
}  // namespace warplens::app
