// Where a toolkit is searched for, which headers are the user's own, and the message when one is missing.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "instrumentation/compile/compile_log.h"
#include "instrumentation/compile/included_files.h"
#include "instrumentation/compile/ptx_file.h"
#include "instrumentation/compile/toolkit_folders.h"

namespace warplens::instrumentation {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Toolkit : public testing::Test {
  protected:
    fs::path folder;
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder = fs::canonical(::mkdtemp(name.data()));
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string file(const std::string& name, const std::string& text = "") const {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name) << text;
        return (folder / name).string();
    }
    std::string at(const std::string& name) const { return (folder / name).string(); }
    void toolkit(const std::string& name, bool cccl) const {
        file(name + "/include/cuda_fp16.h");
        file(name + "/include/cooperative_groups.h");
        if (cccl) fs::create_directories(folder / name / "include/cccl");
        fs::permissions(file(name + "/bin/nvcc"), fs::perms::owner_all);
    }
};

TEST_F(Toolkit, is_found_where_the_environment_path_or_the_system_say) {
    toolkit("named", true);
    toolkit("on_path", false);
    toolkit("usual", false);
    ToolkitPlaces places;
    places.system = at("system");
    EXPECT_TRUE(toolkit_include_folders(places, "").empty());
    places.usual = {at("usual")};
    EXPECT_THAT(toolkit_include_folders(places, ""), ElementsAre(at("usual/include")));
    fs::create_directories(folder / "links");
    fs::create_symlink(folder / "on_path/bin/nvcc", folder / "links/nvcc");
    places.path = "/nowhere::" + at("links");
    EXPECT_THAT(toolkit_include_folders(places, ""), ElementsAre(at("on_path/include")));
    places.named = {at("absent"), at("named")};
    EXPECT_THAT(toolkit_include_folders(places, ""),
                ElementsAre(at("named/include"), at("named/include/cccl")));
    EXPECT_EQ(toolkit_program(places, "nvcc"), at("named/bin/nvcc"));
    EXPECT_EQ(toolkit_program(places, "ptxas"), "");
    // Python's packages hold the library and the headers in two folders side by side.
    file("site/nvidia/cuda_runtime/include/cuda_fp16.h");
    file("site/nvidia/cuda_runtime/include/cooperative_groups.h");
    fs::create_directories(folder / "site/nvidia/cuda_nvrtc/lib");
    EXPECT_THAT(toolkit_include_folders({.named = {}, .path = "", .usual = {}, .system = at("system")},
                                        at("site/nvidia/cuda_nvrtc/lib")),
                ElementsAre(at("site/nvidia/cuda_runtime/include")));
}

TEST_F(Toolkit, the_users_headers_are_followed_and_one_that_includes_itself_ends) {
    file("inc/b.h", "#pragma once\n#include \"c.h\"\n");
    file("inc/c.h", "  #  include <b.h>\n");
    const std::string source = "#include \"a.h\"\n#include <b.h>\n#include <cuda_fp16.h>\n";
    file("a.h", "#include \"a.h\"\n");
    const std::string path = file("k.cu", source);
    const auto found = find_included_files(path, source, {at("inc")});
    EXPECT_THAT(found.paths, ElementsAre(at("a.h"), at("inc/b.h"), at("inc/c.h")));
    EXPECT_TRUE(found.complete);
    const auto lines = include_lines(path, "\n" + source, {at("inc")});
    ASSERT_EQ(lines.size(), 2u) << "the toolkit's header is none of the user's";
    EXPECT_EQ(lines[0].line, 2u);
    EXPECT_EQ(lines[1].line, 3u);
    EXPECT_THAT(lines[1].paths, ElementsAre(at("inc/b.h"), at("inc/c.h")));
    const std::string before = fingerprint(found);
    file("inc/c.h", "// changed\n");
    EXPECT_NE(fingerprint(found), before);
    EXPECT_FALSE(find_included_files(path, "#include WHICH\n", {}).complete);
    EXPECT_EQ(fingerprint(find_included_files(path, "int x;", {})), "");
}

TEST_F(Toolkit, a_failure_without_a_word_is_said_to_have_none) {
    CompileRequest request;
    request.name = "k.cu";
    EXPECT_THAT(describe_compile_failure(request, "\n"), HasSubstr("the compiler does not say why"));
}

TEST_F(Toolkit, a_missing_header_says_what_to_do) {
    CompileRequest request;
    request.name = "k.cu";
    const auto said = [&](const char* header, bool has_toolkit) {
        return describe_compile_failure(
            request,
            fmt::format("k.cu(3): catastrophic error: cannot open source file \"{}\"\n  #include\n", header),
            has_toolkit);
    };
    EXPECT_THAT(said("cuda_fp16.h", false),
                testing::AllOf(HasSubstr("k.cu:3:"), HasSubstr("CUDA_HOME"), HasSubstr("-I")));
    EXPECT_THAT(said("cooperative_groups/reduce.h", true), HasSubstr("has no such header"));
    EXPECT_THAT(said("vector", false), HasSubstr("only device code"));
    EXPECT_THAT(said("mine/helpers.h", false), HasSubstr("-I FOLDER"));
}

TEST_F(Toolkit, a_ptx_file_names_its_entries_or_what_is_wrong) {
    const auto none = compile_ptx_file("x.ptx", ".version 8.0\n.target sm_70\n.address_size 64\n", "sm_90");
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("no .entry"));
    const auto broken =
        compile_ptx_file("x.ptx", ".version 8.0\n.target sm_70\n.address_size 64\n.entry {", "sm_90");
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().message, HasSubstr("x.ptx:4"));
    const auto file = compile_ptx_file(
        "x.ptx", ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n",
        "sm_90");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->compiled.entries.count("k"), 1u);
    EXPECT_EQ(file->unknown.empty(), file->compiled.entries.at("k").registers_per_thread > 0);
}

}  // namespace
}  // namespace warplens::instrumentation
