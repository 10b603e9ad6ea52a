// TraceFile: a .wltrace opened by its header and table of contents alone; blocks are read when asked for. A
// file that is cut short or damaged still opens when its chunks can be found, says so, and gives what is
// whole. Nothing in a file is trusted: see ReadOptions. The format is docs/trace_format.md.
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
    bool check_checksums = true;                          // false only to fuzz the code after them
};

/// What could be read of a file.
struct Recovered {
    Trace trace;
    std::string note;  // what is missing, a sentence; empty when nothing is
};

class ChunkStore;

/// Not for two threads at once.
class TraceFile {
  public:
    static Result<TraceFile> open(const std::string& path, ReadOptions options = {});
    /// `name` replaces the path in messages.
    static Result<TraceFile> from_memory(std::vector<std::byte> bytes, std::string name,
                                         ReadOptions options = {});
    TraceFile(TraceFile&&) noexcept;
    TraceFile& operator=(TraceFile&&) noexcept;
    ~TraceFile();

    /// What is wrong with the file as far as opening it shows; empty when nothing is.
    const std::string& damage() const;
    std::span<const Chunk> chunks() const;
    std::uint64_t bytes_read() const;

    /// Any damage is an error, which says what could still be read.
    Result<Trace> read_all() const;
    /// Only blocks with a linear index from `first` to `last`, both included, from only the chunks that hold
    /// them. The Trace's arrays hold those blocks alone.
    Result<Trace> read_blocks(std::uint64_t first, std::uint64_t last) const;
    /// All blocks that are whole. Fails only when the launch and program cannot be read, or memory is short.
    Result<Recovered> recover() const;

  private:
    explicit TraceFile(std::unique_ptr<ChunkStore> store);
    std::unique_ptr<ChunkStore> store_;
};

struct WriteOptions {
    bool compress = true;  // false: much larger, for tools that look into the bytes
    /// For files that are written once and shipped: down to a twentieth of the size, some three times the
    /// work. Readers from before it was known refuse them.
    bool small = false;
};

/// Writes beside `path` and renames, so that no failure leaves a partial file or harms an existing one.
Status write(const Trace& trace, const std::string& path, WriteOptions options = {});
Result<std::vector<std::byte>> to_bytes(const Trace& trace, WriteOptions options = {});

}  // namespace warplens::trace
