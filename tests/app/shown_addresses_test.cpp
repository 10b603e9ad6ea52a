// Addresses that follow from the launch alone are hashed until a launch has shown them, and left out of the
// launch that is timed. On the GPU emulated by the CPU engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command_line/target.h"
#include "app/pipeline/agree.h"
#include "app/pipeline/gpu/record_launch.h"
#include "tests/app/emulated_gpu.h"

namespace warplens::app {
namespace {

using instr::RecordMode;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class ShownAddresses : public testing::TestWithParam<RecordMode> {
  protected:
    LoadedLaunch load(const std::string& name, const std::string& set) {
        LaunchFlags flags;
        flags.target = name;
        flags.set = {set};
        const auto request = launch_request(flags);
        EXPECT_TRUE(request) << request.error().message;
        auto loaded = pipeline_->load(*request);
        EXPECT_TRUE(loaded) << loaded.error().message;
        return std::move(*loaded);
    }

    GpuRecorded record(const std::string& name, const std::string& set) {
        emulated_.asked.clear();
        GpuRecordOptions gpu_options;
        gpu_options.mode = GetParam();
        auto recorded = launcher_.record(load(name, set), gpu_options);
        EXPECT_TRUE(recorded) << recorded.error().message;
        return std::move(*recorded);
    }

    void expect_agreement(const GpuRecorded& recorded, const std::string& name, const std::string& set) {
        EXPECT_THAT(recorded.notes, IsEmpty());
        const auto agreement = agree_with_engine(*pipeline_, load(name, set), *recorded.trace);
        ASSERT_TRUE(agreement) << agreement.error().message;
        EXPECT_TRUE(agreement->exact()) << agreement_words(*agreement);
    }

    const std::string& form(std::size_t run) const { return emulated_.asked[run].back().ptx; }

    EmulatedGpu emulated_;
    GpuLauncher launcher_{emulated_.gpu()};
    std::shared_ptr<Pipeline> pipeline_ = make_pipeline();
};

TEST_P(ShownAddresses, are_not_hashed_again) {
    for (const std::size_t runs : {2u, 1u}) {  // the second time nothing has to be shown
        const GpuRecorded recorded = record("reduce_interleaved", "n=2048");
        ASSERT_THAT(emulated_.asked, SizeIs(runs));
        EXPECT_EQ(form(0).find("%warplens_hash") != std::string::npos, runs == 2);
        EXPECT_THAT(form(runs - 1), Not(HasSubstr("%warplens_hash")));
        expect_agreement(recorded, "reduce_interleaved", "n=2048");
    }
}

TEST_P(ShownAddresses, are_alone_left_out_and_those_of_memory_are_hashed_every_time) {
    const GpuRecorded recorded = record("histogram_global", "n=4096");
    ASSERT_THAT(emulated_.asked, SizeIs(2));
    EXPECT_THAT(form(1), HasSubstr("%warplens_hash"));
    expect_agreement(recorded, "histogram_global", "n=4096");
}

TEST_P(ShownAddresses, of_other_arguments_show_nothing) {
    record("reduce_interleaved", "n=2048");
    const GpuRecorded recorded = record("reduce_interleaved", "n=1000");
    ASSERT_THAT(emulated_.asked, SizeIs(2));
    EXPECT_THAT(form(0), Not(HasSubstr("%warplens_hash")));
    EXPECT_THAT(form(1), HasSubstr("%warplens_hash"));
    expect_agreement(recorded, "reduce_interleaved", "n=1000");
}

TEST_P(ShownAddresses, of_other_buffers_show_nothing) {
    emulated_.moves_buffers = true;
    const GpuRecorded recorded = record("reduce_interleaved", "n=2048");
    ASSERT_THAT(emulated_.asked, SizeIs(3));
    EXPECT_THAT(form(1), Not(HasSubstr("%warplens_hash")));
    EXPECT_THAT(form(2), HasSubstr("%warplens_hash"));
    expect_agreement(recorded, "reduce_interleaved", "n=2048");
}

TEST_P(ShownAddresses, must_be_those_of_the_cpu_engine) {
    emulated_.other_addresses = true;
    const GpuRecorded recorded = record("reduce_interleaved", "n=2048");
    EXPECT_EQ(recorded.notes.size(), GetParam() == RecordMode::proof ? 1u : 0u);
    EXPECT_EQ(recorded.measured->addresses, "recorded");
    const GpuRecorded again = record("reduce_interleaved", "n=2048");
    expect_agreement(again, "reduce_interleaved", "n=2048");
    if (GetParam() == RecordMode::proof) {
        EXPECT_THAT(form(0), HasSubstr("%warplens_hash")) << "nothing is shown";
    }
}

INSTANTIATE_TEST_SUITE_P(modes, ShownAddresses, testing::Values(RecordMode::full, RecordMode::proof),
                         [](const auto& info) { return info.param == RecordMode::full ? "full" : "proof"; });

}  // namespace
}  // namespace warplens::app
