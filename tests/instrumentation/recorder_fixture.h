// Shared by the tests of the GPU recorder: launches for the driver without a GPU (tests/fake_cuda), and the
// environment of its child.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/device/gpu_recorder.h"
#include "tests/support/folders.h"

namespace warplens::instrumentation {

/// The recorder's child, a child that misbehaves, and the driver without a GPU.
inline std::string runner() { return build_folder() + "/tests/test_runner"; }
inline std::string fake_child() { return build_folder() + "/tests/test_fake_child"; }
inline std::string fake_driver() { return build_folder() + "/tests/libfake_cuda.so"; }

/// Text that the stand-in takes for a module; `orders` are lines such as "fault 700".
inline std::string fake_module(const std::vector<std::string>& orders, bool instrumented = false) {
    std::string text = ".version 8.0\n.entry saxpy(\n";
    if (instrumented) text += ".param .align 8 .b8 warplens_space[40]\n";
    for (const std::string& order : orders) text += "// fake: " + order + "\n";
    return text;
}

class GpuRecorderTest : public testing::Test {
  protected:
    void SetUp() override {
        log_path_ = testing::TempDir() + "fake_cuda_" +
                    testing::UnitTest::GetInstance()->current_test_info()->name() + ".log";
        std::filesystem::remove(log_path_);
        set("WARPLENS_CUDA_DRIVER", fake_driver());
        set("FAKE_CUDA_LOG", log_path_);
        values_ = std::vector<std::vector<std::uint32_t>>{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {50, 60}};
    }
    void TearDown() override {
        for (const std::string& name : variables_) unsetenv(name.c_str());
    }
    /// For children started from now on.
    void set(const std::string& name, const std::string& value) {
        setenv(name.c_str(), value.c_str(), 1);
        variables_.push_back(name);
    }

    /// Four blocks of 64 threads that add to the first of two buffers.
    GpuLaunch launch(const std::vector<std::string>& orders = {}) {
        GpuLaunch launch;
        launch.ptx = fake_module(orders);
        launch.entry = "saxpy";
        launch.geometry = {{4, 1, 1}, {64, 1, 1}, 0};
        launch.arguments.resize(12);
        launch.arguments[8] = std::byte{10};
        launch.pointers = {{0, 0}};
        launch.buffers = {{"y", std::as_bytes(std::span(values_[0]))},
                          {"x", std::as_bytes(std::span(values_[1]))}};
        return launch;
    }
    static GpuVariant variant(const std::vector<std::string>& orders = {}) {
        GpuVariant variant;
        variant.ptx = fake_module(orders, true);
        variant.chunk_units = 8;
        variant.space_bytes = chunk_offset(64, 8, 0);
        return variant;
    }

    /// How often each line's first word occurs in the stand-in's log, and the sum of its numbers.
    std::map<std::string, std::pair<int, std::uint64_t>> log() const {
        std::map<std::string, std::pair<int, std::uint64_t>> counts;
        std::ifstream file(log_path_);
        std::string what;
        std::uint64_t number = 0;
        while (file >> what >> number) {
            ++counts[what].first;
            counts[what].second += number;
        }
        return counts;
    }
    void forget_log() { std::filesystem::remove(log_path_); }

    std::vector<std::vector<std::uint32_t>> values_;

  private:
    std::string log_path_;
    std::vector<std::string> variables_;
};

/// The words of a failed run; empty when it did not fail.
template <class T>
std::string message_of(const GpuResult<T>& result) {
    return result ? "" : result.error().message;
}

}  // namespace warplens::instrumentation
