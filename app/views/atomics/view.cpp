// The Atomics view: the lanes of an atomic request that meet at one address, and how
// they are serialized. piles.cpp draws its parts.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/memory/element_name.h"
#include "analysis/memory/stored_request.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/tooltip.h"
#include "app/views/atomics/parts.h"
#include "app/views/shared/request_view.h"
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
        other_.reset();
    }

    static AtomicRequest request_of(const trace::Trace& trace, std::uint64_t at) {
        const analysis::StoredRequest stored(trace, at);
        const trace::Access access = stored.access();
        AtomicRequest request{analysis::detail_atomic(access), {}};
        for (const auto& one : request.detail.addresses)
            request.places.push_back(
                analysis::element_name(trace, access.space, one.address, access.bytes_per_lane));
        return request;
    }

    void derive_request(const trace::Trace& trace, const AccessChoice& choice) override {
        request_ = request_of(trace, choice.access);
        if (histogram_site_ == choice.site) return;
        histogram_site_ = choice.site;
        histogram_ = analysis::contention_of_site(trace, choice.site);
    }

    std::uint64_t cost_of(const trace::Trace& trace, std::uint64_t access) const override {
        return static_cast<std::uint64_t>(request_of(trace, access).detail.most_lanes());
    }

    void draw_title(const Ink& ink, float width, bool compact,
                    const std::optional<Before>& before) const override {
        const Theme& theme = ink.theme;
        ImFont* title = compact ? theme.fonts.words : theme.fonts.title;
        const analysis::AtomicDetail& detail = request_.detail;
        const auto rounds = static_cast<std::uint64_t>(detail.most_lanes());
        std::vector<TextRun> runs{
            {words_.verb + " ", title, theme.text},
            {words_.expression, compact ? theme.fonts.code : theme.fonts.code_title, theme.text, true},
            {fmt::format(", {}: ", words_.line), title, theme.text},
            {fmt::format("{} at {}, ", counted(static_cast<std::uint64_t>(detail.lanes.count()), "lane"),
                         counted(detail.addresses.size(), "address", "addresses")),
             title, theme.text, false, true},
            {fmt::format("{} round{}", cost_words(before, rounds),
                         rounds == 1 && (!before || before->cost == 1) ? "" : "s"),
             title, rounds > 1 ? theme.cost : theme.ideal, false, true},
        };
        if (before)
            runs.push_back(
                {", " + fewer_words(before->cost, rounds, before->run), title, theme.text, false, true});
        if (rounds > 1) runs.push_back({" (ideal 1)", title, theme.ideal, false, true});
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float height = ink.paragraph(at, width, runs, 2);
        ImGui::SetCursorScreenPos({at.x, at.y + height});
    }

    Headline headline_of() const override {
        const auto rounds = static_cast<std::uint64_t>(request_.detail.most_lanes());
        return {grouped(rounds), rounds == 1 ? "round" : "rounds", rounds > 1 ? "ideal 1" : ""};
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

    int chosen_lane(const Selection& selection) const {
        return selection.chosen.access == shown_->access ? selection.chosen.lane : -1;
    }

    /// The shown request next to the baseline's; false if there is none.
    bool draw_both(ViewFrame& frame, const Ink& ink, const Box& body, std::optional<ImVec2> mouse) {
        const auto other = baseline_request(frame);
        if (!other) return false;
        const trace::Trace& trace = *frame.baseline->trace;
        if (!other_ || other_of_ != frame.baseline || other_access_ != other->access) {
            other_of_ = frame.baseline;
            other_access_ = other->access;
            other_ =
                Other{request_of(trace, other->access), analysis::contention_of_site(trace, other->site)};
        }
        const AtomicSide before{std::string(frame.baseline_name), baseline_place(frame, *other),
                                other_->request, other_->histogram};
        const AtomicSide after{std::string(frame.scene_name), words_.line, request_, histogram_};
        const int focus = focus_ >= 0 ? focus_ : frame.selection.hover.lane;
        const AtomicSidesHit hit =
            draw_atomic_sides(ink, {before, after, focus, chosen_lane(frame.selection), mouse}, body);
        focus_ = mouse ? hit.lane : -1;
        answer(frame, hit.lane, hit.rounds);
        return true;
    }

    static bool is_wide(const Ink& ink, const Box& body) { return body.width() > ink.px(900); }

    /// The lanes with some rounds; the histogram and the sites are beside or under them.
    float body_height(const Ink& ink, const Box& room) override {
        return std::max(room.height(), ink.px(is_wide(ink, room) ? 240.0f : 330.0f));
    }

    void draw_parts(ViewFrame& frame, const Ink& ink, const Box& body) override {
        const Selection& selection = frame.selection;
        const trace::Trace& trace = *frame.scene->trace;
        std::optional<ImVec2> mouse;
        if (frame.interactive && ImGui::IsWindowHovered()) mouse = ImGui::GetIO().MousePos;
        if (draw_both(frame, ink, body, mouse)) return;
        Box piles = body, histogram, sites;
        if (is_wide(ink, body)) {
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
        const int chosen = chosen_lane(selection), focus = focus_ >= 0 ? focus_ : selection.hover.lane;
        const int lane = draw_atomic_piles({ink, request_, focus, chosen, mouse}, piles);
        const auto rounds =
            draw_contention(ink, {histogram_, request_.detail.most_lanes()}, mouse, histogram);
        const auto row = draw_atomic_sites(ink, trace, index(), shown_->site, mouse, sites);
        hit_box("atomics piles", piles.min(), piles.max());
        hit_box("atomics histogram", histogram.min(), histogram.max());
        hit_box("atomics sites", sites.min(), sites.max());
        focus_ = mouse ? lane : -1;
        if (row && lane < 0 && !rounds)
            point_at(frame, spot_of(trace, choice_of(index(), trace, index().sites[*row].worst_access)));
        else answer(frame, lane, rounds);
    }

    /// What the mouse is on: a lane of the request, or requests of the site by rounds.
    void answer(ViewFrame& frame, int lane, std::optional<std::size_t> rounds) const {
        const trace::Trace& trace = *frame.scene->trace;
        if (lane >= 0) {
            point_at(frame, spot_of(trace, *shown_, lane));
            tooltip_card(frame.theme, fmt::format("{} `{}`", words_.verb, words_.expression),
                         parts_of(arithmetic(trace, lane)));
        } else if (rounds) {
            point_at(frame, spot_of(trace, choice_of(index(), trace, histogram_.first_access[*rounds])));
            tooltip_card(frame.theme, fmt::format("{} of {} requests take {}. Click to show the first.",
                                                  grouped(histogram_.requests[*rounds]),
                                                  grouped(histogram_.all), counted(*rounds, "round")));
        }
    }

    static void point_at(ViewFrame& frame, const Spot& spot) {
        frame.selection.next_hover = spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
    }

    struct Other {  // the baseline's
        AtomicRequest request;
        analysis::ContentionHistogram histogram;
    };

    AtomicRequest request_;
    SiteId histogram_site_ = no_index;
    analysis::ContentionHistogram histogram_;
    int focus_ = -1;
    std::optional<Other> other_;
    SceneIdentity other_of_;
    std::uint64_t other_access_ = no_access;
};

}  // namespace

std::unique_ptr<View> make_atomics_view() { return std::make_unique<AtomicsView>(); }

}  // namespace warplens::app
