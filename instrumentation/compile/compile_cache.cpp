#include "instrumentation/compile/compile_cache.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "core/read_file.h"
#include "core/whole_file.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_memory = 64u << 20;  // bytes of code kept in memory
constexpr std::size_t most_files = 4096;        // kept in the folder
constexpr std::string_view file_head = "warplens compiled kernel 4\n";

std::string hash_of(std::string_view text) {
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Head, hash of the rest, target, origin, number of entries, one line an entry, bytes of machine code,
/// machine code, PTX.
std::string file_text(const Compiled& compiled) {
    std::string body = fmt::format("{}\n{}\n{}\n", compiled.target, compiled.origin, compiled.entries.size());
    for (const auto& [name, entry] : compiled.entries) {
        body += fmt::format("{} {} {} {}\n", name, entry.registers_per_thread, entry.shared_static_bytes,
                            entry.stack_bytes);
    }
    body += fmt::format("{}\n", compiled.cubin.size());
    body += compiled.cubin;
    body += compiled.ptx;
    return fmt::format("{}{}\n{}", file_head, hash_of(body), body);
}

std::optional<Compiled> compiled_from(const std::string& text) {
    constexpr std::size_t hash_length = 32;
    const std::size_t body_at = file_head.size() + hash_length + 1;
    if (text.size() < body_at || text.compare(0, file_head.size(), file_head) != 0) return std::nullopt;
    const std::string body = text.substr(body_at);
    if (text.compare(file_head.size(), hash_length, hash_of(body)) != 0) return std::nullopt;
    std::istringstream stream(body);
    Compiled compiled;
    std::size_t count = 0;
    std::getline(stream, compiled.target);
    std::getline(stream, compiled.origin);
    stream >> count;
    for (std::size_t i = 0; i < count && stream; ++i) {
        std::string name;
        EntryResources entry;
        stream >> name >> entry.registers_per_thread >> entry.shared_static_bytes >> entry.stack_bytes;
        compiled.entries[name] = entry;
    }
    std::size_t cubin_bytes = 0;
    stream >> cubin_bytes;
    if (!stream || stream.get() != '\n') return std::nullopt;
    const auto cubin_at = static_cast<std::size_t>(stream.tellg());
    if (cubin_bytes > body.size() - cubin_at) return std::nullopt;
    compiled.cubin = body.substr(cubin_at, cubin_bytes);
    compiled.ptx = body.substr(cubin_at + cubin_bytes);
    return compiled;
}

/// A cache that cannot be written is not an error; no other process ever sees half a file.
void write_if_possible(const fs::path& path, const std::string& text) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    [[maybe_unused]] const auto written = write_regular_file(path, text);
}

/// Throws the older half away when there are too many.
void prune(const fs::path& folder) {
    std::error_code error;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        files.emplace_back(fs::last_write_time(entry.path(), error), entry.path());
    }
    if (files.size() <= most_files) return;
    std::sort(files.begin(), files.end());
    for (std::size_t i = 0; i < files.size() / 2; ++i) fs::remove(files[i].second, error);
}

}  // namespace

std::string default_cache_folder() {
    if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) {
        return (fs::path(cache) / "warplens").string();
    }
    if (const char* const home = std::getenv("HOME"); home && *home) {
        return (fs::path(home) / ".cache" / "warplens").string();
    }
    return "";
}

std::string cache_key(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += fmt::format("{}:{}", part.size(), part);
    return hash_of(all);
}

std::optional<Compiled> CompileCache::find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (const auto found = memory_.find(key); found != memory_.end()) return found->second;
    if (folder_.empty()) return std::nullopt;
    const auto text = read_file(fs::path(folder_) / key);
    if (!text) return std::nullopt;
    std::optional<Compiled> compiled = compiled_from(*text);
    if (compiled) remember(key, *compiled);
    return compiled;
}

void CompileCache::store(const std::string& key, const Compiled& compiled) {
    const std::lock_guard lock(mutex_);
    const bool first = memory_.empty();
    remember(key, compiled);
    if (folder_.empty()) return;
    write_if_possible(fs::path(folder_) / key, file_text(compiled));
    if (first) prune(folder_);
}

void CompileCache::remember(const std::string& key, const Compiled& compiled) {
    if (memory_bytes_ > most_memory) {
        memory_.clear();
        memory_bytes_ = 0;
    }
    if (memory_.emplace(key, compiled).second) memory_bytes_ += compiled.ptx.size() + compiled.cubin.size();
}

}  // namespace warplens::instrumentation
