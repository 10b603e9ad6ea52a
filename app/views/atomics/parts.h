// The drawings of the Atomics view: a request's lanes piled on the addresses that they meet at, round below
// round; the site's requests by their rounds; and the table of sites. Each draws into a box and says what the
// mouse is on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/contention.h"
#include "app/ui/ink.h"
#include "app/views/shared/access_choice.h"

namespace warplens::app {

/// The request arranged for drawing.
struct AtomicRequest {
    analysis::AtomicDetail detail;
    std::vector<std::string> places;  // of detail.addresses: "bins[17]"
};

struct AtomicPiles {
    const Ink& ink;
    const AtomicRequest& request;
    int focus = -1, chosen = -1;  // lanes
    std::optional<ImVec2> mouse = std::nullopt;
    const AtomicRequest* other =
        nullptr;              // of another run: both at one scale, and cells that differ outlined
    bool named_lanes = true;  // for clicks: hit boxes of the lanes
};

/// Lanes above, one column per address below, one row per round. Returns the lane under the mouse, or -1.
int draw_atomic_piles(const AtomicPiles& part, const Box& box);
/// The lane that updates the place in the round (0 first); -1: none.
int lane_in_round(const AtomicRequest& request, const std::string& place, std::size_t round);

/// A site's requests by rounds, and those of the baseline's site as outlines on the same axes.
struct ContentionBars {
    const analysis::ContentionHistogram& histogram;
    std::uint32_t shown = 0;  // rounds of the shown request
    const analysis::ContentionHistogram* before = nullptr;
    std::string_view before_name = {};
};
/// Bars: how many of the site's requests take how many rounds. Returns the rounds under the mouse.
std::optional<std::size_t> draw_contention(const Ink& ink, const ContentionBars& bars,
                                           std::optional<ImVec2> mouse, const Box& box);

/// The sites, most rounds per request first. Returns the row under the mouse.
std::optional<std::size_t> draw_atomic_sites(const Ink& ink, const trace::Trace& trace,
                                             const RequestIndex& index, SiteId shown,
                                             std::optional<ImVec2> mouse, const Box& box);

/// The requests of two runs at one scale, with their sites' histograms on one axis.
struct AtomicSide {
    std::string name;   // of its run: "PAD=0"
    std::string place;  // "line 41"
    const AtomicRequest& request;
    const analysis::ContentionHistogram& histogram;
};
struct AtomicSides {
    const AtomicSide &before, &after;
    int focus = -1, chosen = -1;  // lanes of `after`
    std::optional<ImVec2> mouse = std::nullopt;
};
struct AtomicSidesHit {
    int lane = -1;
    std::optional<std::size_t> rounds;
};
AtomicSidesHit draw_atomic_sides(const Ink& ink, const AtomicSides& sides, const Box& box);

}  // namespace warplens::app
