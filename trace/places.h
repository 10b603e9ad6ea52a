// Readable locations: an address as buffer and element ("in[1024]"), a source line as its sites. Reads only
// the static part of a Trace.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/program.h"
#include "trace/trace.h"

namespace warplens::trace {

/// A place inside a named array.
struct Place {
    std::string name;
    std::uint64_t element = 0;        // counted in element_bytes
    std::uint32_t element_bytes = 1;  // of the array, or of the access if that of the array is not known
    std::uint32_t byte = 0;           // bytes into the element; 0 for an aligned access
};

/// The device buffer or shared variable that contains `address`, a byte address in `space` as in an Access.
/// `access_bytes` (bytes per lane) is used if the PTX does not state the element's size. std::nullopt if no
/// array contains it.
std::optional<Place> place_of(const Trace& trace, Space space, std::uint64_t address,
                              std::uint32_t access_bytes);
/// "in[1024]", or "in[1024] + 2 bytes".
std::string to_string(const Place& place);
/// The same, or if no array contains the address its number: "global 0x7f0000000400", "shared byte 128".
std::string describe_address(const Trace& trace, Space space, std::uint64_t address,
                             std::uint32_t access_bytes);

/// The sites of each line of the sources and of the PTX. Built once per Program.
class LineIndex {
  public:
    explicit LineIndex(const Program& program);
    /// Sites of a 1-based line of Program::sources[file], ascending.
    std::span<const SiteId> of_source(std::uint32_t file, std::uint32_t line) const;
    /// Sites of a 1-based line of Program::ptx, ascending.
    std::span<const SiteId> of_ptx(std::uint32_t line) const;

  private:
    struct Lines {
        std::vector<std::uint64_t> keys;  // file and line, ascending, one per site
        std::vector<SiteId> sites;        // parallel to keys
        void add(std::uint32_t file, std::uint32_t line, SiteId site);
        void sort();
        std::span<const SiteId> find(std::uint32_t file, std::uint32_t line) const;
    };
    Lines source_, ptx_;
};

}  // namespace warplens::trace
