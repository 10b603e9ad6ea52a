// ./run finds its own folder wherever it is called from and by whatever name, and passes its words on
// unchanged.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace warplens {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
    std::string text;
    FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return text;
}

void script(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << text;
    fs::permissions(path, fs::perms::owner_all);
}

TEST(run_script, works_through_a_link_from_another_folder_and_with_spaces_in_its_path) {
    std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
    const fs::path folder = ::mkdtemp(name.data());
    const fs::path clone = folder / "a clone";
    fs::create_directories(clone);
    fs::copy_file(fs::path(WARPLENS_SOURCE_FOLDER) / "run", clone / "run");
    script(clone / "third_party/install_packages.sh", "echo installing >&2\n");
    script(clone / "third_party/build.sh", "echo building >&2\n");
    script(clone / "build/release/warplens", "for word; do echo \"<$word>\"; done\n");
    fs::create_symlink(clone / "run", folder / "lens");
    for (const fs::path& called : {clone / "run", folder / "lens"}) {
        EXPECT_EQ(output_of("cd / && '" + called.string() + "' report 'my file.cu' --set n=3 2>/dev/null"),
                  "<report>\n<my file.cu>\n<--set>\n<n=3>\n");
    }
    fs::remove_all(folder);
}

}  // namespace
}  // namespace warplens
