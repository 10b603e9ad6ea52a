// The Atomics view: the lanes of an atomic request that meet at one address, and how
// they are serialized. piles.cpp draws its parts.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/memory/stored_request.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/tooltip.h"
#include "app/views/atomics/parts.h"
#include "app/views/shared/request_view.h"
#include "trace/places.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

class AtomicsView : public RequestView {
  public:
    AtomicsView()
        : RequestView({MemoryKind::atomic, "atomics", "rounds", "atomic request",
                       "Atomics update one address from many lanes without losing an update. Choose "
                       "`histogram_global` or `histogram_shared`."}) {}

  private:
    void forget_scene() override {
        request_ = {};
        histogram_site_ = no_index;
    }

    void derive_request(const trace::Trace& trace, const AccessChoice& choice) override {
        const analysis::StoredRequest stored(trace, choice.access);
        const trace::Access access = stored.access();
        request_.detail = analysis::detail_atomic(access);
        request_.places.clear();
        for (const auto& one : request_.detail.addresses)
            request_.places.push_back(
                trace::describe_address(trace, access.space, one.address, access.bytes_per_lane));
        if (histogram_site_ == choice.site) return;
        histogram_site_ = choice.site;
        histogram_ = analysis::contention_of_site(trace, choice.site);
    }

    void draw_title(const Ink& ink, float width, bool compact) const override {
        const Theme& theme = ink.theme;
        ImFont* title = compact ? theme.fonts.words : theme.fonts.title;
        const analysis::AtomicDetail& detail = request_.detail;
        std::vector<TextRun> runs{
            {words_.verb + " ", title, theme.text},
            {words_.expression, compact ? theme.fonts.code : theme.fonts.code_title, theme.text, true},
            {fmt::format(", {}: ", words_.line), title, theme.text},
            {fmt::format("{} at {}, ", counted(static_cast<std::uint64_t>(detail.lanes.count()), "lane"),
                         counted(detail.addresses.size(), "address", "addresses")),
             title, theme.text, false, true},
            {counted(detail.most_lanes(), "round"), title, detail.most_lanes() > 1 ? theme.cost : theme.ideal,
             false, true},
        };
        if (detail.most_lanes() > 1) runs.push_back({" (ideal 1)", title, theme.ideal, false, true});
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float height = ink.paragraph(at, width, runs, 2);
        ImGui::SetCursorScreenPos({at.x, at.y + height});
    }

    std::string arithmetic(const trace::Trace&, int lane) const override {
        const auto& addresses = request_.detail.addresses;
        const auto busiest = std::ranges::max_element(
            addresses, {}, [](const analysis::ContendedAddress& one) { return one.lanes.count(); });
        auto shown = busiest;
        if (lane >= 0)
            for (auto at = addresses.begin(); at != addresses.end(); ++at)
                if (at->lanes.has(lane)) shown = at;
        const auto count = static_cast<std::uint64_t>(shown->lanes.count());
        const std::string& place = request_.places[static_cast<std::size_t>(shown - addresses.begin())];
        if (lane < 0 || !shown->lanes.has(lane))
            return fmt::format("rounds = most lanes at one address = {} at {}", counted(count, "lane"),
                               place);
        const int before = (shown->lanes & LaneMask::first(lane)).count();
        return fmt::format("lane {} updates {} · {} at this address, round {} of {}", lane, place,
                           counted(count, "lane"), before + 1, count);
    }

    void draw_parts(ViewFrame& frame, const Ink& ink, const Box& body) override {
        const Selection& selection = frame.selection;
        const trace::Trace& trace = *frame.scene->trace;
        std::optional<ImVec2> mouse;
        if (frame.interactive && ImGui::IsWindowHovered()) mouse = ImGui::GetIO().MousePos;
        Box piles = body, histogram, sites;
        if (body.width() > ink.px(900)) {
            histogram = piles.take_right(body.width() * 0.36f);
            piles.take_right(ink.px(28));
            sites = histogram.take_bottom(histogram.height() * 0.45f);
        } else {
            histogram = piles.take_bottom(body.height() * 0.36f);
            piles.take_bottom(ink.px(12));
            sites = histogram.take_right(histogram.width() * 0.5f);
            histogram.take_right(ink.px(20));
        }
        histogram.take_bottom(ink.px(16));
        const bool is_chosen = selection.chosen.access == shown_->access;
        const int focus = focus_ >= 0 ? focus_ : selection.hover.lane;
        const int lane =
            draw_atomic_piles(ink, request_, focus, is_chosen ? selection.chosen.lane : -1, mouse, piles);
        const auto rounds = draw_contention(ink, histogram_, request_.detail.most_lanes(), mouse, histogram);
        const auto row = draw_atomic_sites(ink, trace, index(), shown_->site, mouse, sites);
        hit_box("atomics piles", piles.min(), piles.max());
        hit_box("atomics histogram", histogram.min(), histogram.max());
        hit_box("atomics sites", sites.min(), sites.max());
        focus_ = mouse ? lane : -1;
        std::optional<Spot> spot;
        if (lane >= 0) {
            spot = spot_of(trace, *shown_, lane);
            tooltip_card(frame.theme, fmt::format("{} `{}`", words_.verb, words_.expression),
                         parts_of(arithmetic(trace, lane)));
        } else if (rounds) {
            spot = spot_of(trace, choice_of(index(), trace, histogram_.first_access[*rounds]));
            tooltip_card(frame.theme, fmt::format("{} of {} requests take {}. Click to show the first.",
                                                  grouped(histogram_.requests[*rounds]),
                                                  grouped(histogram_.all), counted(*rounds, "round")));
        } else if (row) {
            spot = spot_of(trace, choice_of(index(), trace, index().sites[*row].worst_access));
        }
        if (!spot) return;
        frame.selection.next_hover = *spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = *spot;
    }

    AtomicRequest request_;
    SiteId histogram_site_ = no_index;
    analysis::ContentionHistogram histogram_;
    int focus_ = -1;
};

}  // namespace

std::unique_ptr<View> make_atomics_view() { return std::make_unique<AtomicsView>(); }

}  // namespace warplens::app
