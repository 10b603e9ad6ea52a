// The Sectors view: which 32-byte sectors a request moves and how many of their bytes the lanes use.
// lines.cpp and sites.cpp draw its parts.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/memory/stored_request.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/sectors/parts.h"
#include "app/views/shared/request_view.h"

namespace warplens::app {
namespace {

struct SectorRooms {
    Box lines, histogram, sites;
};

class SectorsView : public RequestView {
  public:
    SectorsView()
        : RequestView({MemoryKind::global_or_local, "sectors", "sectors", "global-memory request",
                       "This view is for global and local memory. See Banks for shared memory, or choose "
                       "`copy_strided`."}) {}

  private:
    /// Data derived from the shown request.
    struct RequestData {
        SectorRequest request;
        SiteId histogram_site = no_index;
        analysis::SectorHistogram histogram;
    };

    void forget_scene() override { data_ = {}; }
    void derive_request(const trace::Trace& trace, const AccessChoice& choice) override;
    std::uint64_t cost_of(const trace::Trace& trace, std::uint64_t access) const override {
        return analysis::count_sectors(analysis::StoredRequest(trace, access).access()).sectors;
    }
    void draw_title(const Ink& ink, float width, bool compact,
                    const std::optional<Before>& before) const override;
    Headline headline_of() const override {
        const SectorRequest& request = data_.request;
        return {grouped(request.count.sectors), request.count.sectors == 1 ? "sector" : "sectors",
                request.costly() ? ideal_arithmetic(request) : std::string()};
    }
    std::string arithmetic(const trace::Trace& trace, int lane) const override;
    void draw_parts(ViewFrame& frame, const Ink& ink, const Box& body) override;
    /// The histogram with its axis, and some of the sites under it.
    float body_height(const Ink& ink, const Box& room) override {
        return std::max(room.height(), ink.px(200));
    }
    /// Few lines leave space below; many need the full height, with the charts to their right.
    SectorRooms rooms_in(const Ink& ink, const Box& body) const;
    /// What the mouse is on, with its tooltip.
    std::optional<Spot> spot_under_mouse(const Theme& theme, const trace::Trace& trace,
                                         const SectorFocus& hit, std::optional<std::size_t> on_bin,
                                         std::optional<std::size_t> on_site) const;

    RequestData data_;
    SectorFocus focus_;
};

/// Without a lane: the second active lane, whose index shows the step.
std::string SectorsView::arithmetic(const trace::Trace& trace, int lane) const {
    if (lane < 0) {
        const LaneMask on = data_.request.lanes;
        lane = on.lowest();
        const LaneMask later = on & LaneMask{~(1u << lane)};
        if (!later.empty()) lane = later.lowest();
    }
    return sector_arithmetic(trace, data_.request, lane);
}

void SectorsView::derive_request(const trace::Trace& trace, const AccessChoice& choice) {
    data_.request = sector_request(trace, choice.access, words_.expression);
    if (data_.histogram_site != choice.site) {
        data_.histogram = analysis::sector_histogram(trace, choice.site);
        data_.histogram_site = choice.site;
    }
}

void SectorsView::draw_title(const Ink& ink, float width, bool compact,
                             const std::optional<Before>& before) const {
    const Theme& theme = ink.theme;
    const SectorRequest& request = data_.request;
    ImFont* title = compact ? theme.fonts.words : theme.fonts.title;
    std::vector<TextRun> runs{
        {words_.verb + " ", title, theme.text},
        {words_.expression, compact ? theme.fonts.code : theme.fonts.code_title, theme.text, true},
        {fmt::format(", {}: ", words_.line), title, theme.text},
        {fmt::format("{} sector{}", cost_words(before, request.count.sectors),
                     request.count.sectors == 1 && (!before || before->cost == 1) ? "" : "s"),
         title, request.costly() ? theme.cost : theme.ideal, false, true},
    };
    if (before) {
        runs.push_back({", ", title, theme.text});
        runs.push_back(
            {fewer_words(before->cost, request.count.sectors, before->run), title, theme.text, false, true});
    }
    if (request.costly()) {
        runs.push_back({" ", title, theme.text});
        runs.push_back(
            {fmt::format("(ideal {})", request.count.ideal_sectors), title, theme.ideal, false, true});
    } else if (!before) {
        runs.push_back({", ", title, theme.text});
        runs.push_back({"ideal", title, theme.text, false, true});
    }
    runs.push_back({", ", title, theme.text});
    runs.push_back({fmt::format("{} of {} bytes used", grouped(request.count.used_bytes),
                                grouped(request.moved_bytes())),
                    title, theme.text, false, true});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ink.paragraph(at, width, runs, 2);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
}

SectorRooms SectorsView::rooms_in(const Ink& ink, const Box& body) const {
    Box rest = body;
    SectorRooms rooms;
    const float wanted = comfortable_lines_height(ink, data_.request);
    const float gap = ink.px(24);
    const std::size_t line_count = data_.request.lines.size();
    const bool narrow = body.width() < ink.px(760);
    const bool beside =
        body.height() < ink.px(300) ||
        (body.width() >= ink.px(480) && (narrow ? line_count > 8 : wanted > body.height() * 0.58f));
    if (beside) {
        Box right = rest.take_right(
            std::clamp(body.width() * 0.34f, ink.px(210), std::max(ink.px(480), body.width() * 0.3f)));
        rest.take_right(gap);
        rooms.lines = rest;
        rooms.histogram =
            right.take_top(std::min(right.height() * 0.48f, std::max(ink.px(260), right.height() * 0.35f)));
        right.take_top(ink.px(16));
        rooms.sites = right;
    } else {
        // Few lines can use more room for their threads.
        const float room = body.height() - ink.px(300);
        const float height = line_count <= few_sector_lines ? std::max(wanted, room) : wanted;
        rooms.lines = rest.take_top(std::min(height, body.height() * 0.58f));
        rest.take_top(ink.px(12));
        rest.y1 = std::min(rest.y1, rest.y0 + std::max(ink.px(300), body.height() * 0.55f));
        if (rest.width() >= ink.px(480)) {
            rooms.histogram = rest.take_left(rest.width() * 0.4f);
            rest.take_left(gap);
        } else {
            rooms.histogram = rest.take_top(rest.height() * 0.5f);
            rest.take_top(ink.px(8));
        }
        rooms.sites = rest;
    }
    return rooms;
}

std::optional<Spot> SectorsView::spot_under_mouse(const Theme& theme, const trace::Trace& trace,
                                                  const SectorFocus& hit, std::optional<std::size_t> on_bin,
                                                  std::optional<std::size_t> on_site) const {
    if (hit.any() && hit.lane >= 0) {
        tooltip_card(theme, fmt::format("{} `{}`", words_.verb, words_.expression),
                     parts_of(sector_arithmetic(trace, data_.request, hit.lane)));
        return spot_of(trace, *shown_, hit.lane);
    }
    if (hit.any()) {
        const SectorLine& line = data_.request.lines[static_cast<std::size_t>(hit.line)];
        const int used = std::popcount(line.used[static_cast<std::size_t>(hit.sector)]);
        const std::uint64_t begin = line.address + static_cast<std::uint64_t>(hit.sector) * 32;
        tooltip_card(theme, fmt::format("The entire sector is moved: {} of its 32 bytes are used.", used),
                     fmt::format("address 0x{:x} to 0x{:x}", begin, begin + 31));
        return spot_of(trace, *shown_, hit.lane);
    }
    if (on_bin) {
        const auto& bin = data_.histogram.bins[*on_bin];
        tooltip_card(
            theme,
            fmt::format("{} of {} requests touch {}. Click to show the first.", grouped(bin.requests),
                        grouped(data_.histogram.requests), counted(bin.sectors, "sector")),
            fmt::format("{} of them at their own ideal", grouped(bin.at_ideal)));
        return spot_of(trace, choice_of(index(), trace, bin.first_access));
    }
    if (on_site) return spot_of(trace, choice_of(index(), trace, index().sites[*on_site].worst_access));
    return std::nullopt;
}

void SectorsView::draw_parts(ViewFrame& frame, const Ink& ink, const Box& body) {
    const Selection& selection = frame.selection;
    const trace::Trace& trace = *frame.scene->trace;
    std::optional<ImVec2> mouse;
    if (frame.interactive && ImGui::IsWindowHovered()) mouse = ImGui::GetIO().MousePos;
    SectorFocus highlight = focus_;
    if (!highlight.any() && selection.hover.lane >= 0) highlight.lane = selection.hover.lane;
    const bool is_chosen = selection.chosen.access == shown_->access;
    const SectorsPart part{ink, data_.request, highlight, is_chosen ? selection.chosen.lane : -1, mouse};

    if (const auto other = baseline_request(frame)) {
        const trace::Trace& before = *frame.baseline->trace;
        const AccessWords words = words_of(before, *other);
        const SectorRequest request = sector_request(before, other->access, words.expression);
        draw_sector_sides(ink, {std::string(frame.baseline_name), baseline_place(frame, *other), request},
                          {std::string(frame.scene_name), words_.line, data_.request}, body);
        return;
    }

    const SectorRooms rooms = rooms_in(ink, body);
    const SectorFocus hit = draw_sector_lines(part, rooms.lines);
    const auto on_bin =
        draw_sector_histogram(ink, data_.histogram, data_.request.count.sectors, mouse, rooms.histogram);
    const auto on_site = draw_sector_sites(ink, trace, index(), shown_->site, mouse, rooms.sites);
    hit_box("sectors lines", rooms.lines.min(), rooms.lines.max());
    hit_box("sectors sites", rooms.sites.min(), rooms.sites.max());
    hit_box("sectors histogram", rooms.histogram.min(), rooms.histogram.max());
    focus_ = mouse ? hit : SectorFocus{};

    const std::optional<Spot> spot = spot_under_mouse(frame.theme, trace, hit, on_bin, on_site);
    if (spot) {
        frame.selection.next_hover = *spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = *spot;
    }
}

}  // namespace

std::unique_ptr<View> make_sectors_view() { return std::make_unique<SectorsView>(); }

}  // namespace warplens::app
