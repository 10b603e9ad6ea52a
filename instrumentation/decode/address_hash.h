// AddressHash: listens to the CPU engine and computes each warp's hash as a kernel in proof mode does
// (WarpHash), so that equal hashes show that the engine's addresses are the GPU's. The engine has
// to run with the buffers where the GPU had them: simt::GlobalMemory::allocate_at.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/decode/decode.h"
#include "instrumentation/decode/warp_hash.h"

namespace warplens::instrumentation {

class AddressHash final : public trace::Observer {
  public:
    /// `read` is what was read back of the recording: where the device had shared and local memory, and the
    /// plan's symbols; without ReadBack::symbol_bases both are as the engine has them. All must outlive it.
    AddressHash(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                const ReadBack& read);
    ~AddressHash() override;

    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t linear_block, std::unique_ptr<trace::BlockObserver> observer) override;

    struct Difference {
        std::uint64_t block = 0;
        std::uint32_t warp = 0;
        std::string sentence;  // "block 3, warp 1: …"
    };
    /// Compares with the hashes of a recording: nothing when every recorded warp has the same.
    std::optional<Difference> first_difference(const Decoded& decoded) const;

  private:
    class Block;
    struct SiteHash {
        std::uint32_t first = no_index, second = no_index;  // RecordingPlan::addresses of which 0 and 1
        bool generic = false;
        bool copies = false;  // cp.async: 0 is the shared address, 1 the global one
    };
    /// The address as the device had it, in the space or generic as the instruction names it.
    std::uint64_t on_device(const SiteHash& site, Space space, std::uint64_t address) const;

    struct Range {
        std::uint64_t begin = 0, end = 0;  // engine's addresses
        std::uint64_t to = 0;
    };

    const LaunchGeometry geometry_;
    const HashTable table_;
    int warps_ = 0;
    std::vector<SiteHash> sites_;
    std::vector<Range> shared_, local_, constant_;  // ascending
    std::uint64_t shared_window_ = 0, local_window_ = 0;
    std::vector<std::uint64_t> blocks_;  // ascending, as finished
    std::vector<std::uint32_t> hashes_;  // warps_ a block
};

}  // namespace warplens::instrumentation
