// ChunkStore: the chunks of an opened .wltrace, found by its table of contents or, without one, by searching
// for them one after another. It checks and unpacks single chunks; assemble.h builds a Trace from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "trace/file/byte_source.h"
#include "trace/file/format.h"
#include "trace/file/trace_file.h"

namespace warplens::trace {

class ChunkStore {
  public:
    static Result<std::unique_ptr<ChunkStore>> open(std::unique_ptr<ByteSource> source, std::string name,
                                                    ReadOptions options);

    const std::string& name() const { return name_; }
    const std::string& damage() const { return damage_; }
    const ReadOptions& options() const { return options_; }
    const std::vector<Chunk>& chunks() const { return chunks_; }
    std::uint64_t bytes_read() const { return source_->bytes_read(); }

    /// Unpacks a chunk after checking its size against the limits and its bytes against its checksum.
    Status load(const Chunk& chunk, std::vector<std::byte>& raw);

  private:
    ChunkStore(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options);
    Status read_file_header();
    Status read_contents();
    Status scan();
    /// Offset of the next chunk header at or after `from`; the file's size if there is none.
    Result<std::uint64_t> find_chunk(std::uint64_t from);
    Result<ChunkHeader> header_at(std::uint64_t offset);

    std::unique_ptr<ByteSource> source_;
    std::string name_;
    ReadOptions options_;
    std::string damage_;
    std::vector<Chunk> chunks_;
    std::vector<std::byte> stored_, differences_;
};

}  // namespace warplens::trace
