// CompileCache: compiled kernels by a hash of everything they were made from, in memory and in a folder.
// Whatever is wrong with the folder, compiling continues: a damaged entry is as good as none.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "instrumentation/compile/compiler.h"

namespace warplens::instrumentation {

/// Of everything that the result follows from: the compiler and its version, what it is given, the files that
/// it reads. The parts are separated by their lengths.
std::string cache_key(const std::vector<std::string>& parts);

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
