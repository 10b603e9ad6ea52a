// CompileCache: compiled kernels by a hash of everything they were made from, in memory and in a folder.
// Whatever is wrong with the folder, compiling continues: a damaged entry is as good as none.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "instrumentation/compile/compiler.h"

namespace warplens::instrumentation {

/// `compiler` names the compiler and its version.
std::string cache_key(const CompileRequest& request, const std::string& compiler);

/// Whether the result follows from the request alone: it does not when files next to the source are included.
bool is_cacheable(const std::string& source);

class CompileCache {
  public:
    /// Only memory is used when `folder` is empty.
    explicit CompileCache(std::string folder) : folder_(std::move(folder)) {}

    std::optional<Compiled> find(const std::string& key);
    void store(const std::string& key, const Compiled& compiled);

  private:
    void remember(const std::string& key, const Compiled& compiled);

    std::string folder_;
    std::mutex mutex_;
    std::map<std::string, Compiled> memory_;
    std::size_t memory_bytes_ = 0;
};

}  // namespace warplens::instrumentation
