// SessionFolder: a test with a folder of its own, and in it the path of a saved session.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace warplens::app {

class SessionFolder : public testing::Test {
  protected:
    std::filesystem::path folder;
    std::string path;

    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = ::mkdtemp(name.data());
        path = (folder / "state" / "session.json").string();
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
};

}  // namespace warplens::app
