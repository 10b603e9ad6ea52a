// TraceFile: a .wltrace, opened by reading only its header and table of contents; blocks are read on request.
// A truncated or damaged file still opens if its chunks can be found, reports the damage, and returns what is
// complete. Nothing in a file is trusted: see ReadOptions. The format is docs/trace_format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "trace/file/format.h"
#include "trace/trace.h"

namespace warplens::trace {

struct ReadOptions {
    std::uint64_t memory_limit = std::uint64_t{8} << 30;  // bytes a Trace may take; more is an error
    bool check_checksums = true;                          // false only for fuzzing the code behind the checks
};

/// The readable part of a file.
struct Recovered {
    Trace trace;
    std::string note;  // a sentence on what is missing; empty if nothing is
};

class ChunkStore;

/// Not thread-safe.
class TraceFile {
  public:
    static Result<TraceFile> open(const std::string& path, ReadOptions options = {});
    /// `name` replaces the path in messages.
    static Result<TraceFile> from_memory(std::vector<std::byte> bytes, std::string name,
                                         ReadOptions options = {});
    TraceFile(TraceFile&&) noexcept;
    TraceFile& operator=(TraceFile&&) noexcept;
    ~TraceFile();

    /// The damage found when opening the file; empty if none.
    const std::string& damage() const;
    std::span<const Chunk> chunks() const;
    std::uint64_t bytes_read() const;

    /// Any damage is an error, which reports what can still be read.
    Result<Trace> read_all() const;
    /// Only blocks with a linear index from `first` to `last`, both included, from only the chunks that
    /// contain them. The Trace's arrays only have those blocks.
    Result<Trace> read_blocks(std::uint64_t first, std::uint64_t last) const;
    /// All complete blocks. Fails only if the launch and program cannot be read, or memory is short.
    Result<Recovered> recover() const;

  private:
    explicit TraceFile(std::unique_ptr<ChunkStore> store);
    std::unique_ptr<ChunkStore> store_;
};

struct WriteOptions {
    bool compress = true;  // false: much larger, for tools that inspect the bytes
    /// For files that are written once and shipped: down to a twentieth of the size, about three times the
    /// work. Older readers reject them.
    bool small = false;
};

/// Writes next to `path` and renames, so that no failure leaves a partial file or damages an existing one.
Status write(const Trace& trace, const std::string& path, WriteOptions options = {});
Result<std::vector<std::byte>> to_bytes(const Trace& trace, WriteOptions options = {});

}  // namespace warplens::trace
