// The three drawings of the Banks view: lanes on banks with their wavefronts, the array in memory,
// and the heatmap over all requests. Each draws into a box and returns what the mouse is on; view.cpp
// arranges them and keeps their data.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/memory/bank_heatmap.h"
#include "app/session/bank_fix_task.h"
#include "app/ui/ink.h"
#include "app/views/banks/request.h"
#include "app/views/shared/access_choice.h"
#include "app/views/view.h"

namespace warplens::app {

/// Room at the left of the lanes and of the heatmap for their rows' names, in design pixels.
inline constexpr float lanes_gutter = 52;

/// What the mouse is on within the Banks view; at most one is set.
struct BankFocus {
    int lane = -1;
    int bank = -1;
    int wavefront = -1;

    bool any() const { return lane >= 0 || bank >= 0 || wavefront >= 0; }
    friend bool operator==(const BankFocus&, const BankFocus&) = default;
};

/// The lanes of the focus: all active ones when it is empty.
LaneMask focused_lanes(const BankRequest& request, const BankFocus& focus);

struct BanksPart {
    const Ink& ink;
    const BankRequest& request;
    BankFocus focus;  // as of the last frame: what is highlighted
    int chosen_lane = -1;
    std::optional<ImVec2> mouse;  // nothing when the view is not interactive or the mouse is elsewhere
};

/// Lanes above, banks below with a token for each word, and next to them one row per wavefront.
BankFocus draw_bank_lanes(const BanksPart& part, const Box& box);
/// Height at which nothing is squeezed.
float comfortable_lanes_height(const Ink& ink, const BankRequest& request);

/// The array's cells in their banks' colours. `pitch_words` is the layout's, or between the former one
/// and it while the colours shear from the one to the other.
BankFocus draw_bank_array(const BanksPart& part, const analysis::SharedLayout& layout, double pitch_words,
                          const Box& box);

/// A request with its array, under the name of its run.
struct BankSide {
    std::string name, place;  // "PAD=0", "line 54"
    const BankRequest& request;
    const analysis::SharedLayout& layout;
};
/// Two runs at one scale: for each the wavefronts as columns of 32 lanes on a common ruler, and its array.
void draw_bank_sides(const Ink& ink, const BankSide& before, const BankSide& after, const Box& box);

/// The requests of one site.
struct HeatmapStrip {
    SiteId site = no_index;
    std::string words;  // "line 14 · store"
    analysis::BankHeatmap map;
};

struct HeatmapHit {
    std::uint64_t access = ~std::uint64_t{0};  // clicked or hovered request
    int bank = -1;
    std::size_t strip = 0, column = 0;
};

/// What the heatmap shows: all requests, or one block's where all would not fit column by column.
struct BankHeatmapData {
    std::vector<HeatmapStrip> strips;
    std::vector<std::string> headings;  // wordings, longest first
};
/// `block` is a linear index of the grid.
BankHeatmapData derive_bank_heatmap(const trace::Trace& trace, const RequestIndex& index,
                                    std::uint64_t block);
/// Whether `derive_bank_heatmap` gives the same result for every block.
bool shows_all_blocks(const RequestIndex& index);

/// One strip per site, in program order; the column of `shown` is outlined. Returns what the mouse is on.
std::optional<HeatmapHit> draw_bank_heatmap(const Ink& ink, const BankHeatmapData& data, SiteId shown_site,
                                            std::uint64_t shown, std::optional<ImVec2> mouse, const Box& box);

/// The name of the shared array that a request goes to; empty where none is named.
std::string shared_array_of(const trace::Trace& trace, std::uint64_t access);

/// What was clicked.
struct BankFixAnswer {
    bool closed = false;
    std::optional<std::pair<std::string, std::string>> set;  // a knob, and its value
};
/// The table of other layouts, in the heatmap's place.
BankFixAnswer draw_bank_fixes(const Ink& ink, const BankFixState& state, bool interactive, const Box& box);

}  // namespace warplens::app
