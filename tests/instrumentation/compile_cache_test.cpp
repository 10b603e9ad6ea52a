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

TEST(cache, keys_show_every_part_of_a_request_apart) {
    const CompileRequest base = request_for("source", {{"A", "1"}});
    std::vector<CompileRequest> others(6, base);
    others[0].name = "kernels/other.cu";
    others[1].source = "sourc";
    others[2].macros = {{"A", "2"}};
    others[3].macros = {{"A1", ""}};
    others[4].include_paths = {"include"};
    others[5].target = "sm_80";
    for (const CompileRequest& other : others) {
        EXPECT_NE(cache_key(base, "NVRTC 13.0"), cache_key(other, "NVRTC 13.0"));
    }
    EXPECT_NE(cache_key(base, "NVRTC 13.0"), cache_key(base, "NVRTC 12.9"));
    EXPECT_EQ(cache_key(base, "NVRTC 13.0"), cache_key(request_for("source", {{"A", "1"}}), "NVRTC 13.0"));
}

TEST(cache, sources_with_includes_are_not_kept) {
    EXPECT_TRUE(is_cacheable(small_kernel));
    EXPECT_FALSE(is_cacheable("#include \"mine.h\"\n"));
    EXPECT_FALSE(is_cacheable("  # \tinclude <mine.h>\n"));
    EXPECT_FALSE(is_cacheable("#if __has_include(\"mine.h\")\n#endif\n"));
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

TEST(cache, the_compiler_answers_from_the_folder) {
    const TemporaryFolder folder;
    CompilerOptions options;
    options.cache_folder = folder.path.string();
    const CompileRequest request = request_for(small_kernel, {{"N", "7"}});
    const auto first = make_compiler(options)->compile(request);
    if (!first) {
        EXPECT_THAT(message_of(first), HasSubstr("libnvrtc is not in use"));
        return;
    }
    // A marked entry shows that the second compiler did not compile again.
    Compiled marked = *first;
    marked.ptx = "from the cache";
    const auto file = fs::directory_iterator(folder.path)->path();
    fs::remove(file);
    CompileCache(folder.path.string()).store(file.filename().string(), marked);
    EXPECT_EQ(make_compiler(options)->compile(request).value_or(Compiled{}).ptx, "from the cache");
}

}  // namespace warplens::instrumentation
