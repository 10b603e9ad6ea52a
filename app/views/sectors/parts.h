// The drawings of the Sectors view: a request's lanes on the 128-byte lines they touch, the distribution of
// sectors per request, and the table of sites. Each draws into a box and returns what the mouse is on;
// view.cpp arranges them and keeps their data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/coalescing.h"
#include "analysis/memory/sector_histogram.h"
#include "app/ui/ink.h"
#include "app/views/shared/access_choice.h"
#include "app/views/view.h"
#include "trace/trace.h"

namespace warplens::app {

/// One 128-byte line that the request touches.
struct SectorLine {
    std::uint64_t address = 0;  // multiple of 128
    std::uint64_t gap = 0;      // bytes between the line before and this one; 0: it follows directly
    std::string words;          // the element at its start: "in[1,024]"
    std::uint32_t sectors = 0;  // of its four, those that are fetched
    std::uint32_t used_bytes = 0;
    std::array<std::uint32_t, 4> used{};  // byte masks of the sectors; meaningful where `fetched`
    std::array<bool, 4> fetched{};
};

/// A stretch of bytes that one lane, or several, use; within one line.
struct SectorStretch {
    std::size_t line = 0;     // index into SectorRequest::lines
    std::uint32_t begin = 0;  // byte within the line
    std::uint32_t end = 0;
    LaneMask lanes;
};

/// One global or local request arranged for drawing.
struct SectorRequest {
    LaneMask lanes;
    trace::Addresses addresses{};
    Space space = Space::global;
    Operation operation = Operation::load;
    std::uint32_t bytes_per_lane = 4;
    /// The source sees structs or vectors where the buffer holds numbers: its index is not the buffer's, so
    /// positions are bytes from the start of the array.
    bool in_bytes = false;
    analysis::SectorCount count;
    std::vector<SectorLine> lines;  // ascending by address
    std::vector<SectorStretch> stretches;

    bool costly() const { return count.sectors > count.ideal_sectors; }
    std::uint64_t moved_bytes() const { return std::uint64_t{count.sectors} * analysis::sector_bytes; }
};
/// `expression` as the source has it, if it is known: "particles[index].x".
SectorRequest sector_request(const trace::Trace& trace, std::uint64_t access,
                             std::string_view expression = {});

/// The arithmetic of one lane: "lane 5 reads in[0 + 5 × 8] = in[40]: address 0x…, line 1, sector 1 of 4".
std::string sector_arithmetic(const trace::Trace& trace, const SectorRequest& request, int lane);

/// Where the ideal comes from: "ideal 4 = 32 lanes × 4 B / 32 B, packed and aligned".
std::string ideal_arithmetic(const SectorRequest& request);

struct SectorFocus {
    int lane = -1;
    int line = -1, sector = -1;  // a fetched sector; both set
    bool any() const { return lane >= 0 || line >= 0; }
};

struct SectorsPart {
    const Ink& ink;
    const SectorRequest& request;
    SectorFocus focus;
    int chosen_lane = -1;
    std::optional<ImVec2> mouse;
};

/// Up to this number of lines, each lane is connected to its bytes.
inline constexpr std::size_t few_sector_lines = 2;

/// Lanes above, lines of four sectors of eight words below, one row per line.
SectorFocus draw_sector_lines(const SectorsPart& part, const Box& box);
float comfortable_lines_height(const Ink& ink, const SectorRequest& request);

/// A request under the name of its run.
struct SectorSide {
    std::string name, place;  // "stride=1", "line 12"
    const SectorRequest& request;
};
/// Two runs at one scale: for each the sectors moved with the bytes used in them, and both amounts as bars.
void draw_sector_sides(const Ink& ink, const SectorSide& before, const SectorSide& after, const Box& box);

/// Where an axis of sectors per request ends on which so many are the most: few shapes, so that pictures
/// compare.
std::uint32_t sector_axis_end(std::uint32_t sectors);
/// Bars: how many of the site's requests touch how many sectors. Returns the bin under the mouse.
std::optional<std::size_t> draw_sector_histogram(const Ink& ink, const analysis::SectorHistogram& histogram,
                                                 std::uint32_t shown_sectors, std::optional<ImVec2> mouse,
                                                 const Box& box);

/// The sites, worst first. Returns the row under the mouse.
std::optional<std::size_t> draw_sector_sites(const Ink& ink, const trace::Trace& trace,
                                             const RequestIndex& index, SiteId shown,
                                             std::optional<ImVec2> mouse, const Box& box);

}  // namespace warplens::app
