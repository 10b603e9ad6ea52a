// The cache of compiled kernels: what an entry is found by, and entries that are damaged, or no files.
#include "instrumentation/compile/compile_cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/instrumentation/compile_requests.h"
#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

using testing::HasSubstr;

TEST(cache, keys_show_every_part_apart) {
    const std::string base = cache_key({"NVRTC 13.0", "source", "A", "1"});
    EXPECT_NE(base, cache_key({"NVRTC 12.9", "source", "A", "1"}));
    EXPECT_NE(base, cache_key({"NVRTC 13.0", "sourc", "eA", "1"}));
    EXPECT_NE(base, cache_key({"NVRTC 13.0", "source", "A1", ""}));
    EXPECT_NE(base, cache_key({"NVRTC 13.0", "source", "A", "1", ""}));
    EXPECT_EQ(base, cache_key({"NVRTC 13.0", "source", "A", "1"}));
}

TEST(cache, entries_survive_on_disk_and_damaged_ones_are_ignored) {
    const TemporaryFolder folder;
    const Compiled compiled{
        "line 1\nline 2\n", {{"k", {32, 4096, 8}}, {"_Z1kv", {16, 0, 0}}}, "sm_90", "NVRTC 13.0"};
    CompileCache(folder.path.string()).store("key", compiled);
    const auto found = CompileCache(folder.path.string()).find("key");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->ptx, compiled.ptx);
    EXPECT_EQ(found->target, "sm_90");
    EXPECT_EQ(found->origin, "NVRTC 13.0");
    EXPECT_EQ(found->entries.at("k").registers_per_thread, 32u);
    EXPECT_EQ(found->entries.at("k").shared_static_bytes, 4096u);
    EXPECT_EQ(found->entries.at("k").stack_bytes, 8u);
    EXPECT_EQ(found->entries.size(), 2u);
    EXPECT_FALSE(CompileCache(folder.path.string()).find("other"));

    std::string text;
    {
        std::ifstream file(folder.path / "key", std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    for (std::size_t at = 0; at < text.size(); at += 3) {
        std::string damaged = text;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        std::ofstream(folder.path / "key", std::ios::binary) << damaged;
        EXPECT_FALSE(CompileCache(folder.path.string()).find("key")) << at;
        std::ofstream(folder.path / "key", std::ios::binary) << text.substr(0, at);
        EXPECT_FALSE(CompileCache(folder.path.string()).find("key")) << at;
    }
}

TEST(cache, an_entry_that_is_a_fifo_is_not_written_to) {
    const TemporaryFolder folder;
    const std::string path = folder.path / "key";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);  // without one a writer waits
    CompileCache(folder.path.string()).store("key", Compiled{"ptx", {}, "sm_90", "NVRTC 13.0"});
    char text[16];
    EXPECT_LE(::read(reader, text, sizeof text), 0);
    ::close(reader);
    EXPECT_TRUE(fs::is_fifo(path));
}

TEST(cache, a_folder_that_cannot_be_written_is_no_error) {
    CompileCache cache("/proc/no/such/folder");
    cache.store("key", Compiled{"ptx", {}, "sm_90", "NVRTC 13.0"});
    EXPECT_TRUE(cache.find("key").has_value());  // from memory
    EXPECT_FALSE(CompileCache("/proc/no/such/folder").find("key"));
}

TEST(cache, folder_follows_the_environment) {
    const ScopedVariable home("HOME", "/home/somebody");
    {
        const ScopedVariable cache("XDG_CACHE_HOME", "/caches");
        EXPECT_EQ(default_cache_folder(), "/caches/warplens");
    }
    const ScopedVariable cache("XDG_CACHE_HOME", "");
    EXPECT_EQ(default_cache_folder(), "/home/somebody/.cache/warplens");
}

/// Compiles with a cache in a folder of its own, and notices an answer that came out of it.
class CompilerCache : public testing::Test {
  protected:
    void SetUp() override {
        const auto compiled = make_compiler({})->compile(request_for(small_kernel, {{"N", "1"}}));
        if (!compiled) {
            EXPECT_THAT(message_of(compiled), HasSubstr("libnvrtc is not in use"));
            has_nvrtc = false;
        }
    }

    std::string header(const char* name, const std::string& text) {
        const fs::path path = files.path / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path;
    }

    /// Whatever was compiled is marked, so that a second answer shows where it comes from.
    bool is_kept(const CompileRequest& request) {
        CompilerOptions options;
        options.cache_folder = cache.path.string();
        const auto compiled = make_compiler(options)->compile(request);
        EXPECT_TRUE(compiled) << message_of(compiled);
        if (!compiled || compiled->ptx == "from the cache") return compiled.has_value();
        Compiled marked = *compiled;
        marked.ptx = "from the cache";
        for (const auto& entry : fs::directory_iterator(cache.path)) {
            const std::string key = entry.path().filename().string();
            fs::remove(entry.path());
            CompileCache(cache.path.string()).store(key, marked);
        }
        return false;
    }

    TemporaryFolder cache, files;
    bool has_nvrtc = true;
};

TEST_F(CompilerCache, answers_equal_requests_alone) {
    if (!has_nvrtc) return;
    const CompileRequest base = request_for(small_kernel, {{"N", "7"}});
    EXPECT_FALSE(is_kept(base));
    EXPECT_TRUE(is_kept(base));
    std::vector<CompileRequest> others(6, base);
    others[0].name = "kernels/other.cu";
    others[1].source += "\n";
    others[2].macros = {{"N", "8"}};
    others[3].include_paths = {files.path.string()};
    others[4].target = "sm_80";
    others[5].defines = {"MORE"};
    for (const CompileRequest& other : others) EXPECT_FALSE(is_kept(other));
    EXPECT_TRUE(is_kept(base));
}

TEST_F(CompilerCache, follows_the_headers_that_a_source_includes) {
    if (!has_nvrtc) return;
    header("a.h", "#include <b.h>\n");
    header("inc/b.h", "#include <cstdint>\n#define STEP 1\n");
    CompileRequest request = request_for("#include \"a.h\"\n" + std::string(small_kernel), {{"N", "7"}});
    request.name = (files.path / "k.cu").string();
    request.include_paths = {(files.path / "first").string(), (files.path / "inc").string()};
    EXPECT_FALSE(is_kept(request));
    EXPECT_TRUE(is_kept(request));
    header("inc/b.h", "#include <cstdint>\n#define STEP 2\n");
    EXPECT_FALSE(is_kept(request)) << "a header of a header has changed";
    EXPECT_TRUE(is_kept(request));
    header("first/b.h", "#define STEP 3\n");
    EXPECT_FALSE(is_kept(request)) << "another file is found first";
    EXPECT_TRUE(is_kept(request));
    header("b.h", "#error not the one that <b.h> means\n");
    EXPECT_TRUE(is_kept(request)) << "<b.h> is not searched for beside the source first";
}

TEST_F(CompilerCache, keeps_nothing_whose_files_it_cannot_tell) {
    if (!has_nvrtc) return;
    header("a.h", "#define STEP 1\n");
    for (const char* line :
         {"#define WHICH \"a.h\"\n#include WHICH\n", "/* */ #include \"a.h\"\n", "%:include \"a.h\"\n",
          "#\\\ninclude \"a.h\"\n", "#if __has_include(\"a.h\")\n#endif\n"}) {
        CompileRequest request = request_for(line + std::string(small_kernel), {{"N", "7"}});
        request.name = (files.path / "k.cu").string();
        EXPECT_FALSE(is_kept(request)) << line;
        EXPECT_FALSE(is_kept(request)) << line;
    }
    CompileRequest request = request_for("// #include \"a.h\"\n" + std::string(small_kernel), {{"N", "7"}});
    EXPECT_FALSE(is_kept(request));
    EXPECT_TRUE(is_kept(request)) << "a comment includes nothing";
}

}  // namespace warplens::instrumentation
