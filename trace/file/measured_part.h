// The measured part of a .wltrace, read block by block together with the Trace's own warps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "trace/file/assemble.h"
#include "trace/file/measured_description.h"
#include "trace/file/slices.h"
#include "trace/measured.h"

namespace warplens::trace {

class MeasuredPart {
  public:
    MeasuredPart(ChunkStore& store, Budget& budget, const Selection& selection);

    /// Without a description nothing was measured: the functions below then find nothing.
    Status describe(std::string_view json);
    bool described() const { return description_.has_value(); }
    /// Blocks in the file with only recorded times.
    std::uint64_t blocks_alone() const { return description_ ? count(description_->alone) : 0; }

    /// The next chosen block with measured warps; std::nullopt if there is none. After an error the next call
    /// continues after the damage.
    tl::expected<std::optional<std::uint64_t>, Obstacle> next_block();
    /// Takes the measured warps of `block`, if it has any, and continues after them. `alone`: the Trace has
    /// no warps of the block. The block is lost if expected data are missing.
    Attempt take_block(std::uint64_t block, bool alone);

    void mark();     // remembers the current state
    void go_back();  // returns to the remembered state
    /// Returns the result; null if nothing was measured.
    std::shared_ptr<const Measured> take();

  private:
    Attempt take_warp(const MeasuredWarp& warp);

    Budget& budget_;
    Selection selection_;
    Slices<MeasuredWarp> warps_;
    Slices<MeasuredVisit> visits_;
    std::optional<MeasuredDescription> description_;
    std::vector<MeasuredWarp> made_warps_;
    std::vector<MeasuredVisit> made_visits_;
    std::size_t marked_warps_ = 0, marked_visits_ = 0;
    std::size_t chunk_ = 0, record_ = 0;    // of warps_: the next
    std::uint64_t visits_taken_until_ = 0;  // as the file counts them
};

}  // namespace warplens::trace
