#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/sectors/parts.h"

namespace warplens::app {
namespace {

constexpr int words_per_line = analysis::line_bytes / 4;

struct LineGeometry {
    Box caption, notes, legend;
    float left = 0;            // width of the address labels
    bool whole_words = false;  // they name the array: "in[40]", else "[40]"
    float right = 0;           // width of the counts
    float x = 0, pitch = 0;    // of a word
    float sector_gap = 0;
    float lane_y = 0, lane_h = 0;
    float number_h = 0;  // of the lanes' numbers above thin cells; 0 if they are inside
    std::vector<float> line_y;
    float line_h = 0;
    float break_h = 0;  // height of a gap between lines
    bool threads = false;

    float byte_x(std::uint32_t byte) const {
        return x + pitch * static_cast<float>(byte) / 4 + sector_gap * static_cast<float>(byte / 32);
    }
    float end_x(std::uint32_t byte) const { return byte_x(byte - 1) + pitch / 4; }
    Box bytes(std::size_t line, std::uint32_t begin, std::uint32_t end) const {
        return {std::round(byte_x(begin)), line_y[line], std::round(end_x(end)), line_y[line] + line_h};
    }
    Box sector(std::size_t line, int s) const {
        return bytes(line, static_cast<std::uint32_t>(s) * 32, static_cast<std::uint32_t>(s) * 32 + 32);
    }
    Box lane(int i) const {
        const auto byte = static_cast<std::uint32_t>(i) * 4;
        return {std::round(byte_x(byte)), lane_y, std::round(end_x(byte + 4)) - 1, lane_y + lane_h};
    }
};

std::size_t breaks_in(const SectorRequest& request) {
    return static_cast<std::size_t>(
        std::count_if(request.lines.begin(), request.lines.end(), [](const auto& l) { return l.gap > 0; }));
}

std::string_view index_only(std::string_view words) {
    const std::size_t bracket = words.find('[');
    return bracket == std::string_view::npos ? words : words.substr(bracket);
}

std::string count_words(const SectorLine& line, bool is_short) {
    return is_short ? fmt::format("{} of {} B", line.used_bytes, line.sectors * analysis::sector_bytes)
                    : fmt::format("{} · {} of {} B", counted(line.sectors, "sector"), line.used_bytes,
                                  line.sectors * analysis::sector_bytes);
}

LineGeometry arrange_lines(const Ink& ink, const SectorRequest& request, const Box& box) {
    const Theme& theme = ink.theme;
    ImFont* small = theme.fonts.small;
    LineGeometry g;
    Box rest = box;
    g.caption = rest.take_top(ink.px(22));
    g.legend = rest.take_bottom(ink.px(22));
    const bool is_short = box.width() < ink.px(620);
    float whole_words = 0;
    for (const SectorLine& line : request.lines) {
        whole_words = std::max(whole_words, text_width(small, line.words));
        g.left = std::max(g.left, text_width(small, index_only(line.words)));
        g.right = std::max(g.right, text_width(small, count_words(line, is_short)));
    }
    g.whole_words = whole_words <= box.width() * 0.18f;
    if (g.whole_words) g.left = whole_words;
    g.left = std::max(std::min(g.left, box.width() * 0.25f), text_width(small, "lane")) + ink.px(10);
    g.right = std::min(g.right, box.width() * 0.25f) + ink.px(10);
    g.sector_gap = ink.px(4);
    g.x = rest.x0 + g.left;
    g.pitch = (rest.width() - g.left - g.right - 3 * g.sector_gap) / words_per_line;
    g.lane_h = std::round(std::clamp(g.pitch, ink.px(12), std::max(ink.px(24), box.height() * 0.05f)));
    if (g.pitch < text_width(small, "00") + ink.px(2)) {
        g.number_h = text_height(small) + ink.px(2);
        g.lane_h = ink.px(8);
        rest.take_top(g.number_h);
    }
    g.lane_y = rest.y0;
    const auto lines = static_cast<float>(std::max<std::size_t>(1, request.lines.size()));
    const auto breaks = static_cast<float>(breaks_in(request));
    g.threads = request.lines.size() <= few_sector_lines;
    const float room = rest.height() - g.lane_h;
    const float least = g.threads ? std::min(ink.px(60), room * 0.4f) : std::min(ink.px(14), room * 0.08f);
    // A gap between lines takes a line of text if there is room for it, else a few pixels, else nothing.
    float gap = request.lines.size() > 1 ? ink.px(4) : 0;
    g.break_h = ink.px(18);
    if (least + breaks * g.break_h + lines * (ink.px(15) + gap) > room) {
        g.break_h = ink.px(4);
        gap = ink.px(1);
    }
    if (least + breaks * g.break_h + lines * (ink.px(7) + gap) > room) {
        g.break_h = 0;
        gap = room / lines >= 4 ? 1.0f : 0.0f;
    }
    const float most =
        request.lines.size() <= 8
            ? std::clamp(g.pitch * 1.3f, ink.px(24), std::max(ink.px(44), rest.height() * 0.1f))
            : std::clamp(g.pitch, ink.px(24), std::max(ink.px(34), rest.height() * 0.08f));
    g.line_h = std::clamp((room - least - breaks * g.break_h) / lines - gap, 1.0f, most);
    if (g.line_h >= 8) g.line_h = std::floor(g.line_h);
    const float used = lines * (g.line_h + gap) + breaks * g.break_h;
    const float threads =
        g.threads ? std::clamp(room - used, least, std::max(ink.px(240), 8 * g.pitch)) : least;
    float y = std::round(g.lane_y + g.lane_h + threads);
    for (const SectorLine& line : request.lines) {
        if (line.gap > 0) y += g.break_h;
        g.line_y.push_back(y);
        y += g.line_h + gap;
    }
    return g;
}

/// A torn edge: the memory between two lines is omitted.
void draw_torn(const Ink& ink, const Box& box) {
    const float middle = std::round(box.centre().y), step = ink.px(6);
    const float rise = std::min(ink.px(2.5f), box.height() / 3);
    float sign = 1;
    for (float x = box.x0; x + step <= box.x1; x += step, sign = -sign)
        ink.line({x, middle + sign * rise}, {x + step, middle - sign * rise}, ink.theme.hairline, ink.px(1));
}

void draw_break(const Ink& ink, Box box, std::uint64_t gap) {
    ImFont* small = ink.theme.fonts.small;
    if (box.height() >= text_height(small)) {
        const std::string words = fmt::format("{} bytes skipped", grouped(gap));
        // Threads to the next lines pass here.
        ink.fill({box.x0, box.y0, box.x0 + text_width(small, words) + ink.px(4), box.y1},
                 ink.theme.background);
        box.x0 += ink.text(box, words, small, ink.theme.text_dim) + ink.px(8);
    }
    draw_torn(ink, box);
}

class LinesDrawing {
  public:
    LinesDrawing(const SectorsPart& part, const Box& box)
        : part_(part),
          ink_(part.ink),
          request_(part.request),
          box_(box),
          g_(arrange_lines(ink_, request_, box)) {
        if (one_lane()) focus_ = focus_ & LaneMask{1u << part.focus.lane};
    }

    /// What the mouse is on.
    SectorFocus draw() {
        draw_heading();
        draw_lanes();
        draw_threads(false);
        for (std::size_t i = 0; i < request_.lines.size(); ++i) draw_line(i);
        draw_stretches();
        draw_threads(true);
        draw_legend();
        return hit_;
    }

  private:
    /// A store fetches nothing.
    bool loads() const { return request_.operation == Operation::load; }
    bool one_lane() const { return part_.focus.lane >= 0; }
    bool is_short() const { return box_.width() < ink_.px(620); }
    bool under_mouse(const Box& cell) const { return part_.mouse && cell.has(*part_.mouse); }
    ImU32 used(bool lit) const { return lit ? theme_.ideal : mix(theme_.ideal, theme_.background, 0.6); }

    void draw_heading() {
        const Box place{g_.x, g_.caption.y0, g_.caption.x1, g_.caption.y1};
        const std::size_t lines = request_.lines.size();
        if (lines == 1)
            ink_.heading(
                place, {"The lanes' bytes in one 128-byte cache line of four sectors", "One 128-byte line"});
        else
            ink_.heading(
                place,
                {fmt::format("The lanes' bytes in {} cache lines of 128 bytes, four sectors each", lines),
                 fmt::format("{} lines of 128 bytes", lines)});
    }

    void draw_lanes() {
        ink_.text({box_.x0, g_.lane_y - g_.number_h, g_.x - ink_.px(10),
                   g_.lane_y + (g_.number_h > 0 ? 0 : g_.lane_h)},
                  "lane", small_, theme_.text_dim, Align::right);
        for (int lane = 0; lane < warp_size; ++lane) {
            const Box cell = g_.lane(lane);
            const bool on = request_.lanes.has(lane);
            const ImU32 fill = used(focus_.has(lane));
            if (on) ink_.fill(cell, fill, ink_.px(2));
            else ink_.hatch(cell, theme_.inactive, 4);
            if (g_.number_h == 0)
                ink_.text(cell, std::to_string(lane), small_, on ? theme_.text_on(fill) : theme_.text_dim,
                          Align::centre);
            else if (lane % 4 == 0)
                ink_.text({cell.centre().x - 2 * g_.pitch, cell.y0 - g_.number_h,
                           cell.centre().x + 2 * g_.pitch, cell.y0},
                          std::to_string(lane), small_, theme_.text_dim, Align::centre);
            if (lane == part_.chosen_lane)
                ink_.outline(cell.inset(-ink_.px(2)), theme_.selected, ink_.px(2), ink_.px(3));
            hit_box(fmt::format("sectors lane {}", lane), cell.min(), cell.max());
            if (under_mouse(cell)) hit_ = {.lane = lane, .line = -1, .sector = -1};
        }
    }

    /// Threads from lane to bytes: all of them where the lines are few, and that of the lane in question over
    /// everything else.
    void draw_threads(bool of_one) {
        for (const SectorStretch& stretch : request_.stretches)
            for_each_lane(stretch.lanes, [&](int lane) {
                const bool lit = one_lane() ? focus_.has(lane) : lane == part_.chosen_lane;
                if (lit != of_one || (!lit && !g_.threads)) return;
                const Box from = g_.lane(lane);
                const Box to = g_.bytes(stretch.line, stretch.begin, stretch.end);
                ink_.thread({from.centre().x, from.y1}, {to.centre().x, to.y0},
                            lit ? theme_.selected : with_alpha(theme_.ideal, one_lane() ? 0.15 : 0.6),
                            ink_.px(lit ? 1.5f : 1.2f));
            });
    }

    void draw_line(std::size_t i) {
        const SectorLine& line = request_.lines[i];
        const float end = g_.end_x(analysis::line_bytes);
        if (line.gap > 0)
            draw_break(ink_, {g_.x, g_.line_y[i] - g_.break_h, end, g_.line_y[i] - ink_.px(1)}, line.gap);
        for (int s = 0; s < 4; ++s) {
            const Box sector = g_.sector(i, s);
            if (!line.fetched[static_cast<std::size_t>(s)]) {
                ink_.outline(sector, theme_.hairline, 1, ink_.px(2));
                continue;
            }
            draw_fetched(i, s, sector);
            if (under_mouse(sector)) hit_ = {.lane = -1, .line = static_cast<int>(i), .sector = s};
        }
        const bool words_fit = g_.line_h >= text_height(small_) * 0.85f;
        const int label_step =
            words_fit ? 1 : static_cast<int>(std::ceil(text_height(small_) / (g_.line_h + g_.break_h + 1)));
        if (static_cast<int>(i) % label_step != 0) return;
        const float middle = g_.line_y[i] + g_.line_h / 2, half = text_height(small_) / 2;
        ink_.text({box_.x0, middle - half, g_.x - ink_.px(10), middle + half},
                  g_.whole_words ? std::string_view(line.words) : index_only(line.words), small_,
                  theme_.text_dim, Align::right);
        ink_.text({end + ink_.px(10), middle - half, box_.x1, middle + half}, count_words(line, is_short()),
                  small_,
                  line.used_bytes < line.sectors * analysis::sector_bytes ? theme_.cost : theme_.ideal);
    }

    void draw_fetched(std::size_t i, int s, const Box& sector) {
        ink_.fill(sector, mix(theme_.cost, theme_.background, 0.86), ink_.px(2));
        // Hatched where no lane's byte covers it.
        const std::uint32_t mask = request_.lines[i].used[static_cast<std::size_t>(s)];
        const std::uint32_t first = static_cast<std::uint32_t>(s) * analysis::sector_bytes;
        for (std::uint32_t byte = 0; byte < analysis::sector_bytes;) {
            std::uint32_t stop = byte;
            while (stop < analysis::sector_bytes && !((mask >> stop) & 1u)) ++stop;
            if (stop > byte)
                ink_.hatch(g_.bytes(i, first + byte, first + stop),
                           mix(theme_.cost, theme_.background, 0.25));
            byte = stop + 1;
        }
        // Word boundaries, so that a sector reads as its eight words.
        for (std::uint32_t word = 1; word < 8 && g_.pitch >= ink_.px(8) && g_.line_h >= ink_.px(8); ++word) {
            if ((mask >> (word * 4 - 1)) & (mask >> (word * 4)) & 1u) continue;
            const float x = std::round(g_.byte_x(first + word * 4)) - 1;
            ink_.fill({x, g_.line_y[i], x + 1, g_.line_y[i] + g_.line_h}, theme_.background);
        }
    }

    void draw_stretches() {
        for (const SectorStretch& stretch : request_.stretches) {
            Box cell = g_.bytes(stretch.line, stretch.begin, stretch.end);
            if (cell.width() >= ink_.px(5)) cell.x1 -= 1;
            const ImU32 fill = used(!(stretch.lanes & focus_).empty());
            ink_.fill(cell, fill, ink_.px(1));
            const int lanes = stretch.lanes.count();
            const std::string words =
                lanes == 1 ? std::to_string(stretch.lanes.lowest()) : fmt::format("×{}", lanes);
            // All numbers of lanes are drawn, with room between them, or none.
            if (g_.pitch * static_cast<float>(stretch.end - stretch.begin) / 4 >=
                text_width(small_, "00") + ink_.px(2))
                numbered_ |= ink_.text_if_fits(cell, words, small_, theme_.text_on(fill));
            if (part_.chosen_lane >= 0 && stretch.lanes.has(part_.chosen_lane))
                ink_.outline(cell.inset(-ink_.px(2)), theme_.selected, ink_.px(2), ink_.px(2));
            if (under_mouse(cell)) hit_ = {.lane = stretch.lanes.lowest(), .line = -1, .sector = -1};
        }
    }

    struct Entry {
        std::string words, short_words;
        void (*swatch)(const Ink&, const Box&);
    };

    std::vector<Entry> legend_entries() const {
        const bool shared = std::any_of(request_.stretches.begin(), request_.stretches.end(),
                                        [](const SectorStretch& s) { return s.lanes.count() > 1; });
        std::vector<Entry> entries{
            {shared ? "used, with its lane or the number of lanes" : "used, with its lane", "used",
             [](const Ink& i, const Box& b) { i.fill(b, i.theme.ideal, i.px(2)); }}};
        if (!numbered_) entries[0].words = "used";
        if (request_.moved_bytes() > request_.count.used_bytes)
            entries.push_back({loads() ? "fetched, not used" : "touched, not used", "not used",
                               [](const Ink& i, const Box& b) {
                                   i.fill(b, mix(i.theme.cost, i.theme.background, 0.86), i.px(2));
                                   i.hatch(b, mix(i.theme.cost, i.theme.background, 0.25), 4);
                               }});
        if (request_.count.sectors < request_.lines.size() * 4)
            entries.push_back(
                {loads() ? "not fetched" : "not touched", loads() ? "not fetched" : "not touched",
                 [](const Ink& i, const Box& b) { i.outline(b, i.theme.hairline, 1, i.px(2)); }});
        if (breaks_in(request_) > 0 && g_.break_h < text_height(small_)) {
            std::uint64_t first = 0;
            bool equal = true;
            for (const SectorLine& line : request_.lines) {
                if (line.gap == 0) continue;
                if (first == 0) first = line.gap;
                equal = equal && line.gap == first;
            }
            if (g_.break_h > 0 || equal)
                entries.push_back(
                    {equal ? fmt::format("{} bytes skipped between lines", grouped(first))
                           : std::string("gaps differ in length"),
                     equal ? fmt::format("{} B skipped", grouped(first)) : std::string("skipped"),
                     [](const Ink& i, const Box& b) {
                         draw_torn(i, {b.x0, b.y0, b.x1 + 1, b.y1});
                     }});
        }
        return entries;
    }

    void draw_legend() {
        float x = is_short() ? box_.x0 : g_.x;
        const float bottom = g_.line_y.empty() ? g_.lane_y : g_.line_y.back() + g_.line_h;
        const float y = std::min(bottom + ink_.px(6), g_.legend.y0);
        const std::vector<Entry> entries = legend_entries();
        float total = 0;
        for (const Entry& entry : entries) total += ink_.px(18 + 16) + text_width(small_, entry.words);
        const bool brief = x + total - ink_.px(16) > box_.x1;
        for (const Entry& entry : entries) {
            const std::string& words = brief ? entry.short_words : entry.words;
            const float width = text_width(small_, words);
            if (x + ink_.px(18) + width > box_.x1) break;
            entry.swatch(ink_, {x, y + ink_.px(3), x + ink_.px(12), y + ink_.px(15)});
            ink_.text({x + ink_.px(18), y, x + ink_.px(18) + width + 1, y + ink_.px(18)}, words, small_,
                      theme_.text_dim);
            x += ink_.px(18 + 16) + width;
        }
    }

    const SectorsPart& part_;
    const Ink& ink_;
    const SectorRequest& request_;
    const Box box_;
    const LineGeometry g_;
    const Theme& theme_ = ink_.theme;
    ImFont* const small_ = theme_.fonts.small;
    LaneMask focus_ = request_.lanes;
    bool numbered_ = false;  // some bytes show their lane
    SectorFocus hit_;
};

}  // namespace

float comfortable_lines_height(const Ink& ink, const SectorRequest& request) {
    const auto lines = static_cast<float>(request.lines.size());
    const float threads = request.lines.size() <= few_sector_lines ? 150.0f : 24.0f;
    return ink.px(22 + 22 + 24 + threads) + lines * ink.px(request.lines.size() <= 8 ? 48 : 24) +
           static_cast<float>(breaks_in(request)) * ink.px(18);
}

SectorFocus draw_sector_lines(const SectorsPart& part, const Box& box) {
    return LinesDrawing(part, box).draw();
}

}  // namespace warplens::app
