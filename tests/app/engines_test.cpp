// A picture's run by each engine: an emulated GPU, none at all, and recordings by name.
#include "app/pipeline/engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/command_line/target.h"
#include "app/pipeline/gpu/gpu_launch.h"
#include "app/pipeline/recordings.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/compile/shipped_ptx.h"
#include "tests/app/emulated_gpu.h"
#include "trace/file/trace_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using instr::GpuFailure;
using testing::HasSubstr;
using testing::SizeIs;

std::shared_ptr<const instr::KernelFile> kernel(const std::string& name) {
    auto all = catalogue();
    EXPECT_TRUE(all) << all.error().message;
    return std::make_shared<const instr::KernelFile>(**instr::find_kernel(*all, name));
}

RunRequest request(const std::string& name, Engine engine, const Settings& overrides = {}) {
    RunRequest request;
    request.kernel = kernel(name);
    request.overrides = overrides;
    request.engine = engine;
    return request;
}

bool never() { return false; }

class EnginesTest : public testing::Test {
  protected:
    EmulatedGpu emulated;
    fs::path folder;
    std::optional<Engines> engines;

    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = ::mkdtemp(name.data());
        engines.emplace(make_pipeline(), emulated.gpu(), folder.string());
    }
    void TearDown() override { fs::remove_all(folder); }

    /// As `warplens recordings` leaves it.
    void keep_recording(const std::string& name, const Settings& overrides) {
        const auto file = kernel(name);
        const auto scene = engines->run_scene(request(name, Engine::cuda, overrides), never);
        ASSERT_TRUE(scene) << scene.error().message;
        RecordedKernel recorded{instr::source_hash(file->source), {}};
        if (fs::exists(folder / (name + ".json"))) recorded = *read_recorded_kernel(folder.string(), name);
        const Settings& parameters = scene->trace->launch.parameters;
        recorded.recordings.push_back({recording_name(*file, parameters), parameters});
        const std::string path = recording_path(folder.string(), name, recorded.recordings.back().name);
        fs::create_directories(fs::path(path).parent_path());
        ASSERT_TRUE(trace::write(*scene->trace, path));
        ASSERT_TRUE(write_recorded_kernel(folder.string(), name, recorded));
    }
};

TEST_F(EnginesTest, a_gpu_gives_a_scene_with_times_addresses_and_costs_of_both_modes) {
    const auto scene =
        engines->run_scene(request("transpose_tiled", Engine::cuda, {{"W", "128"}, {"H", "128"}}), never);
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_EQ(scene->engine, Engine::cuda);
    EXPECT_EQ(scene->trace->launch.provenance, Provenance::measured);
    EXPECT_GT(scene->report->shared_load.requests, 0u);
    ASSERT_NE(scene->trace->measured, nullptr);
    ASSERT_THAT(scene->trace->measured->perturbations, SizeIs(2));
    EXPECT_EQ(scene->trace->measured->perturbations[0].mode, "light");
    EXPECT_EQ(scene->trace->measured->perturbations[1].mode, "full");
    EXPECT_EQ(scene->trace->measured->addresses, "recorded");
    EXPECT_EQ(scene->notice, "");
}

TEST_F(EnginesTest, a_second_run_with_another_run_time_parameter_instruments_nothing_again) {
    ASSERT_TRUE(engines->run_scene(request("saxpy", Engine::cuda, {{"n", "5000"}}), never));
    ASSERT_TRUE(engines->run_scene(request("saxpy", Engine::cuda, {{"n", "6000"}}), never));
    ASSERT_TRUE(engines->run_scene(request("saxpy", Engine::cuda, {{"block", "512"}}), never));
    ASSERT_THAT(emulated.asked, SizeIs(3));
    for (std::size_t run = 1; run < 3; ++run)
        for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(emulated.asked[0][i].ptx, emulated.asked[run][i].ptx);
}

TEST_F(EnginesTest, the_first_run_of_a_prepared_setting_has_the_forms_that_were_assembled) {
    const Settings small{{"W", "128"}, {"H", "128"}};
    Settings other = small;
    other["PAD"] = "1";
    ASSERT_TRUE(engines->run_scene(request("transpose_tiled", Engine::cuda, small), never));
    EXPECT_EQ(emulated.not_assembled(0), 2u) << "light and full: nothing prepared them";
    engines->prepare(request("transpose_tiled", Engine::cuda, other), never);
    EXPECT_THAT(emulated.asked, SizeIs(1)) << "preparing launches nothing";
    EXPECT_THAT(emulated.assembled, SizeIs(2));
    ASSERT_TRUE(engines->run_scene(request("transpose_tiled", Engine::cuda, other), never));
    ASSERT_THAT(emulated.asked, SizeIs(2));
    EXPECT_EQ(emulated.not_assembled(1), 0u);
}

TEST_F(EnginesTest, a_setting_is_assembled_as_what_its_launches_have_shown_asks_for) {
    emulated.other_addresses = true;  // so that the second run records what would be replayed
    const RunRequest saxpy = request("saxpy", Engine::cuda, {{"n", "5000"}});
    ASSERT_TRUE(engines->run_scene(saxpy, never));
    ASSERT_THAT(emulated.asked, SizeIs(2));
    engines->prepare(saxpy, never);
    ASSERT_TRUE(engines->run_scene(saxpy, never));
    EXPECT_EQ(emulated.not_assembled(2), 0u);
    EXPECT_EQ(emulated.not_assembled(1), 0u) << "it is the form of the second run";
    EXPECT_EQ(emulated.not_assembled(0), 1u);
}

TEST_F(EnginesTest, nothing_is_assembled_once_nobody_waits_for_it_or_before_a_gpu_is_known) {
    engines->prepare(request("saxpy", Engine::cuda), never);
    ASSERT_TRUE(engines->run_scene(request("saxpy", Engine::cuda), never));
    engines->prepare(request("saxpy", Engine::cuda, {{"n", "5000"}}), [] { return true; });
    engines->prepare(request("saxpy", Engine::simt), never);
    EXPECT_THAT(emulated.assembled, testing::IsEmpty());
}

TEST_F(EnginesTest, without_a_gpu_the_cpu_engine_takes_over_and_says_so) {
    emulated.absent = GpuFailure{GpuFailure::Kind::no_driver, "libcuda.so.1 was not found"};
    const auto scene = engines->run_scene(request("saxpy", Engine::cuda), never);
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_EQ(scene->engine, Engine::simt);
    EXPECT_EQ(scene->trace->launch.engine, "simt");
    EXPECT_THAT(scene->notice, HasSubstr("libcuda.so.1 was not found"));
}

TEST_F(EnginesTest, a_fault_on_the_gpu_is_reported_and_the_next_run_works) {
    emulated.failures.push_back({GpuFailure::Kind::time_limit, "the kernel ran longer than 2 s"});
    const auto failed = engines->run_scene(request("saxpy", Engine::cuda), never);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "the kernel ran longer than 2 s");
    EXPECT_TRUE(engines->run_scene(request("saxpy", Engine::cuda), never));
}

TEST_F(EnginesTest, a_recording_is_opened_by_name_where_there_is_no_gpu) {
    keep_recording("transpose_tiled", {{"W", "128"}, {"H", "128"}});
    keep_recording("transpose_tiled", {{"W", "128"}, {"H", "128"}, {"PAD", "1"}});
    emulated.absent = GpuFailure{GpuFailure::Kind::no_driver, "none"};
    const auto scene = engines->run_scene(
        request("transpose_tiled", Engine::recorded, {{"H", "128"}, {"PAD", "1"}, {"W", "128"}}), never);
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_EQ(scene->engine, Engine::recorded);
    EXPECT_EQ(scene->trace->launch.provenance, Provenance::measured);
    EXPECT_EQ(scene->trace->launch.parameters.at("PAD"), "1");
    EXPECT_NE(scene->trace->measured, nullptr);
    EXPECT_EQ(scene->kernel->name, "transpose_tiled");
}

TEST_F(EnginesTest, settings_that_were_not_recorded_name_those_that_were) {
    keep_recording("saxpy", {});
    keep_recording("saxpy", {{"n", "5000"}});
    const auto scene = engines->run_scene(request("saxpy", Engine::recorded, {{"n", "77"}}), never);
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().message, "saxpy was not recorded with n=77; recorded are: default; n=5000");
    const auto other = engines->run_scene(request("vector_add", Engine::recorded), never);
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("there is no recording of vector_add"));
}

TEST_F(EnginesTest, recordings_of_another_state_of_the_source_are_not_shown) {
    keep_recording("saxpy", {});
    auto edited = std::make_shared<instr::KernelFile>(*kernel("saxpy"));
    edited->source += "\n// edited\n";
    RunRequest changed = request("saxpy", Engine::recorded);
    changed.kernel = edited;
    const auto scene = engines->run_scene(changed, never);
    ASSERT_FALSE(scene);
    EXPECT_THAT(scene.error().message, HasSubstr("another version of its source"));
}

TEST(recordings, an_index_that_is_damaged_is_refused_by_its_name) {
    std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
    const fs::path folder = ::mkdtemp(name.data());
    for (const char* text : {"", "[]", "{\"source_hash\": 3, \"recordings\": {}}",
                             "{\"source_hash\": \"x\", \"recordings\": {\"default\": {\"n\": 3}}}"}) {
        std::ofstream(folder / "saxpy.json") << text;
        const auto read = read_recorded_kernel(folder.string(), "saxpy");
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error().message, HasSubstr("saxpy.json"));
    }
    fs::remove_all(folder);
}

TEST(recordings, every_kernel_of_the_catalogue_is_to_be_recorded_at_its_default_and_a_contrast) {
    const auto settings = settings_to_record(recordings_folder());
    ASSERT_TRUE(settings) << settings.error().message;
    const auto all = catalogue();
    ASSERT_TRUE(all) << all.error().message;
    const auto pipeline = make_pipeline();
    std::size_t recorded = 0;
    for (const auto& kernel : *all) {
        const auto found = settings->find(kernel.name);
        // What is wrong on purpose or needs more than a kernel launch is none to record; nor what is refused.
        bool can_be = kernel.wrong.empty() && kernel.note.empty();
        if (can_be) {
            const auto launch = pipeline->load({std::make_shared<instr::KernelFile>(kernel), {}, "", ""});
            ASSERT_TRUE(launch) << launch.error().message;
            can_be = gpu_launch(*launch).has_value();
        }
        if (!can_be) {
            EXPECT_EQ(found, settings->end()) << kernel.name;
            continue;
        }
        ++recorded;
        ASSERT_NE(found, settings->end()) << kernel.name;
        ASSERT_GE(found->second.size(), 2u) << kernel.name;
        EXPECT_TRUE(found->second.front().empty()) << kernel.name;
        for (const Settings& one : found->second) {
            const auto values = instr::resolve_parameters(kernel, one);
            EXPECT_TRUE(values) << kernel.name << ": " << values.error().message;
        }
    }
    EXPECT_EQ(settings->size(), recorded);
}

}  // namespace
}  // namespace warplens::app
