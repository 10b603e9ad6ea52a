#include "app/views/streams/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

using analysis::microseconds;
using trace::Activity;
using trace::ActivityKind;
using trace::ActivitySpan;

namespace {

/// The next of 1, 2, 5 times a power of ten.
double round_step(double least) {
    if (!(least > 0)) return 1;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= least) return step * power;
    return 10 * power;
}

/// "heron, chunk 3" -> "3": the label of a narrow span.
std::string_view number_of(std::string_view name) {
    const std::size_t at = name.rfind(' ');
    return name.find(',') == std::string_view::npos || at == std::string_view::npos ? std::string_view()
                                                                                    : name.substr(at + 1);
}

}  // namespace

ImU32 activity_colour(const Theme& theme, ActivityKind kind) {
    switch (kind) {
        case ActivityKind::copy_to_device:
            return theme.category(0);
        case ActivityKind::copy_to_host:
            return theme.category(4);
        case ActivityKind::kernel:
            return theme.category(2);
        case ActivityKind::graph:
            return mix(theme.category(5), theme.background, 0.3);  // it only holds the others
        case ActivityKind::copy_on_device:
        case ActivityKind::fill:
            break;
    }
    return theme.category(6);
}

std::string_view activity_symbol(ActivityKind kind) {
    switch (kind) {
        case ActivityKind::copy_to_device:
            return "↓";
        case ActivityKind::copy_to_host:
            return "↑";
        case ActivityKind::copy_on_device:
            return "→";
        case ActivityKind::kernel:
        case ActivityKind::graph:
        case ActivityKind::fill:
            break;
    }
    return "";
}

std::vector<LegendEntry> activity_legend(const Theme& theme, const StreamsPicture& picture) {
    const std::pair<ActivityKind, const char*> kinds[] = {
        {ActivityKind::copy_to_device, "copy to the device"},
        {ActivityKind::kernel, "kernel"},
        {ActivityKind::copy_to_host, "copy to the host"},
        {ActivityKind::copy_on_device, "copy on the device"},
        {ActivityKind::fill, "fill"},
        {ActivityKind::graph, "graph launch"}};
    std::vector<LegendEntry> entries;
    for (const auto& [kind, words] : kinds) {
        bool occurs = false;
        for (const Activity& activity : picture.activities)
            for (const ActivitySpan& span : activity.spans) occurs = occurs || span.kind == kind;
        const std::string_view symbol = activity_symbol(kind);
        if (occurs)
            entries.push_back({activity_colour(theme, kind),
                               fmt::format("{}{}{}", symbol, symbol.empty() ? "" : " ", words),
                               LegendEntry::Shape::filled});
    }
    entries.push_back({theme.text_dim, "queued", LegendEntry::Shape::hatched});
    const bool has_events = picture.provenance == Provenance::measured;
    entries.push_back({theme.text, has_events ? "done, with the events that time the spans" : "done",
                       LegendEntry::Shape::upright});
    entries.push_back({theme.category(7), "the host inside its calls", LegendEntry::Shape::filled});
    return entries;
}

StreamsDrawing::StreamsDrawing(const Ink& ink, const StreamsPicture& picture, const Box& area)
    : ink_(ink), picture_(picture) {
    lay_out(area);
}

void StreamsDrawing::lay_out(Box area) {
    std::size_t lanes = 0;
    for (const Activity& activity : picture_.activities) {
        Section& section = sections_.emplace_back();
        if (activity.host_us > 0) section.lanes.push_back({Lane::Kind::host, 0, {}, "host"});
        const auto has = [&](auto&& wanted) {
            return std::any_of(activity.spans.begin(), activity.spans.end(), wanted);
        };
        if (has([](const ActivitySpan& span) { return span.kind == ActivityKind::graph; }))
            section.lanes.push_back({Lane::Kind::graphs, 0, {}, "graphs"});
        for (std::size_t stream = 0; stream < activity.streams.size(); ++stream) {
            const int index = static_cast<int>(stream);
            if (has([&](const ActivitySpan& s) {
                    return s.kind != ActivityKind::graph && s.stream == index;
                }))
                section.lanes.push_back({Lane::Kind::stream, index, {}, activity.streams[stream]});
        }
        lanes += section.lanes.size();
        for (const Lane& lane : section.lanes)
            gutter_ = std::max(gutter_, text_width(ink_.theme.fonts.small, lane.name));
    }
    gutter_ = std::min(gutter_, area.width() * 0.2f) + ink_.px(10);
    const float axis_height = text_height(ink_.theme.fonts.small) + ink_.px(8);
    axis_ = area.take_bottom(axis_height);
    axis_.x0 += gutter_;
    plot_ = {area.x0 + gutter_, area.y0, area.x1, area.y1};
    const float name_line = text_height(ink_.theme.fonts.words) + ink_.px(3);
    const float title_line = text_height(ink_.theme.fonts.small) + ink_.px(2);
    const auto sections = static_cast<float>(std::max<std::size_t>(sections_.size(), 1));
    constexpr float share_between = 0.08f;  // of the height: empty
    const float between = std::min(ink_.px(16), area.height() / sections * share_between);
    const auto lane_height = [&](float heading) {
        return (area.height() - sections * (heading + between)) /
               static_cast<float>(std::max<std::size_t>(lanes, 1));
    };
    titles_ = lane_height(name_line + title_line) >= ink_.px(15);
    const float heading = name_line + (titles_ ? title_line : 0);
    const float least_lane = ink_.px(4);
    const float height = std::clamp(lane_height(heading), least_lane, ink_.px(36));
    lane_height_ = height;
    least_height_ =
        (sections * name_line + static_cast<float>(lanes) * least_lane) / (1 - share_between) + axis_height;
    for (Section& section : sections_) {
        section.heading = area.take_top(heading);
        for (Lane& lane : section.lanes) {
            lane.box = area.take_top(height);
            lane.box.x0 = plot_.x0;
            lane.box.y1 -= std::min(ink_.px(3), height * 0.2f);
        }
        area.take_top(between);
    }
    plot_.y1 = area.y0;
    axis_.y1 = std::min(axis_.y1, plot_.y1 + axis_.height());
    axis_.y0 = plot_.y1;
}

float StreamsDrawing::x_of(double us) const {
    const double share = picture_.end_us > 0 ? us / picture_.end_us : 0;
    const float x = plot_.x0 + static_cast<float>(std::min(share, 2.0)) * (plot_.width() - ink_.px(8));
    return std::min(x, plot_.x1);
}

Box StreamsDrawing::box_of(const Lane& lane, double begin_us, double end_us) const {
    Box box{x_of(begin_us), lane.box.y0, x_of(end_us), lane.box.y1};
    if (begin_us <= picture_.end_us) box.x1 = std::max(box.x1, box.x0 + 1);
    return box;
}

bool StreamsDrawing::lies_in(const ActivitySpan& span, const Lane& lane) {
    if (lane.kind == Lane::Kind::graphs) return span.kind == ActivityKind::graph;
    return lane.kind == Lane::Kind::stream && span.kind != ActivityKind::graph && span.stream == lane.stream;
}

StreamsSpot StreamsDrawing::spot_at(ImVec2 at) const {
    StreamsSpot spot;
    for (std::size_t i = 0; i < sections_.size(); ++i)
        for (const Lane& lane : sections_[i].lanes) {
            if (at.y < lane.box.y0 || at.y >= lane.box.y1) continue;
            const auto& spans = picture_.activities[i].spans;
            for (std::size_t s = 0; s < spans.size(); ++s)
                if (lies_in(spans[s], lane) && box_of(lane, spans[s].begin_us, spans[s].end_us).has(at))
                    spot = {i, s, true};
        }
    return spot;
}

void StreamsDrawing::draw(const StreamsSpot& marked) const {
    draw_axis();
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        draw_saving(i);
        draw_heading(i);
        for (const Lane& lane : sections_[i].lanes) {
            Box name = lane.box;
            name.x0 = plot_.x0 - gutter_;
            name.x1 = plot_.x0 - ink_.px(8);
            ink_.text_if_fits(name, lane.name, ink_.theme.fonts.small, ink_.theme.text_dim, Align::right);
            if (lane.kind == Lane::Kind::host) draw_host(picture_.activities[i], lane);
            else draw_spans(i, lane, marked);
        }
    }
}

void StreamsDrawing::draw_heading(std::size_t activity) const {
    const Theme& theme = ink_.theme;
    const Activity& shown = picture_.activities[activity];
    const analysis::ActivityFigures& figures = picture_.figures[activity];
    Box line = sections_[activity].heading;
    Box title = line.take_bottom(titles_ ? text_height(theme.fonts.small) + ink_.px(2) : 0);
    std::string numbers = microseconds(figures.total_us);
    const double done = picture_.done_us[activity];
    if (done > figures.total_us + shown.timer_bound_us)
        numbers += fmt::format(", {} with events", microseconds(done));
    if (!shown.same_results) numbers = "results differ from the first variant! · " + numbers;
    if (figures.overlap_us > 0)
        numbers += fmt::format(" · {} of the kernels hidden", percent(figures.kernels_hidden(), 0));
    if (shown.calls > 0)
        numbers +=
            fmt::format(" · {} in {}", microseconds(shown.launch_calls_us), counted(shown.calls, "call"));
    // Whole numbers only: the last ones are left out where the name leaves no room for them.
    const float room = line.width() - text_width(theme.fonts.words, shown.name) - ink_.px(16);
    for (std::size_t joint = numbers.rfind(" · ");
         joint != std::string::npos && text_width(theme.fonts.words, numbers) > room;
         joint = numbers.rfind(" · "))
        numbers.resize(joint);
    Box right = line.take_right(
        std::min(std::max(room, line.width() * 0.5f), text_width(theme.fonts.words, numbers) + ink_.px(2)));
    ink_.text(right, numbers, theme.fonts.words, shown.same_results ? theme.text_dim : theme.error,
              Align::right);
    ink_.text(line, shown.name, theme.fonts.words, theme.text);
    if (titles_ && picture_.ends_us[activity] > picture_.end_us) {
        const std::string cut = fmt::format("continues until {} →", microseconds(picture_.ends_us[activity]));
        ink_.text(title.take_right(text_width(theme.fonts.small, cut) + ink_.px(8)), cut, theme.fonts.small,
                  theme.text, Align::right);
    }
    if (titles_) ink_.text(title, shown.title, theme.fonts.small, theme.text_dim);
}

/// The host's total time, and the part of it inside the calls: their sum, since the calls are not timed one
/// by one.
void StreamsDrawing::draw_host(const Activity& activity, const Lane& lane) const {
    Box whole = box_of(lane, 0, activity.host_us);
    const float middle = whole.centre().y, half = std::max(1.0f, whole.height() * 0.12f);
    ink_.fill({whole.x0, middle - half, whole.x1, middle + half}, ink_.theme.hairline);
    Box calls = box_of(lane, 0, std::min(activity.launch_calls_us, activity.host_us));
    calls.y0 += lane.box.height() * 0.2f;
    calls.y1 -= lane.box.height() * 0.2f;
    ink_.fill(calls, ink_.theme.category(7), ink_.px(2));
}

void StreamsDrawing::draw_spans(std::size_t activity, const Lane& lane, const StreamsSpot& marked) const {
    const Theme& theme = ink_.theme;
    const auto& spans = picture_.activities[activity].spans;
    const ActivitySpan* const like =
        marked.any ? &picture_.activities[marked.activity].spans[marked.span] : nullptr;
    for (std::size_t s = 0; s < spans.size(); ++s) {
        const ActivitySpan& span = spans[s];
        if (!lies_in(span, lane) || span.begin_us > picture_.end_us) continue;
        const ImU32 colour = activity_colour(theme, span.kind);
        const double begin = picture_.figures[activity].work_begin_us[s];
        const Box work = box_of(lane, begin, span.end_us);
        Box waiting = box_of(lane, span.begin_us, begin);
        if (begin > span.begin_us && waiting.width() > 2) {
            waiting.y0 += lane.box.height() * 0.3f;
            waiting.y1 -= lane.box.height() * 0.3f;
            ink_.hatch(waiting, mix(colour, theme.background, 0.35), 4);
        }
        // A hairline's room between neighbours, where there is any.
        Box filled = work;
        if (filled.width() > 3) filled.x1 -= 1;
        ink_.fill(filled, colour, std::min(ink_.px(2), filled.width() / 3));
        const Box inner = filled.inset(ink_.px(2));
        const ImU32 words = theme.text_on(colour);
        // Beside the colour a sign says what a copy is, and where there is no room for more, it alone does.
        const std::string_view symbol = activity_symbol(span.kind), number = number_of(span.name);
        ImFont* font = theme.fonts.small;
        const std::string whole = fmt::format("{}{}{}", symbol, symbol.empty() ? "" : " ", span.name);
        // Numbers only if all of them have room: numbers in some of the spans would look meaningful.
        const bool numbered = filled.width() >= text_width(font, "↓88");
        if (!ink_.text_if_fits({inner.x0, filled.y0, inner.x1, filled.y1}, whole, font, words))
            ink_.text_if_fits(filled, fmt::format("{}{}", symbol, numbered ? number : ""), font, words);
        hit_box(fmt::format("span {} {}", activity, s), work.min(), work.max());
        if (!like || span.kind != like->kind || span.name != like->name) continue;
        const bool itself = marked.activity == activity && marked.span == s;
        ink_.outline({waiting.x0 - 1, filled.y0 - 1, filled.x1 + 1, filled.y1 + 1}, theme.selected,
                     ink_.px(itself ? 2 : 1), ink_.px(2));
    }
}

/// From the end of this variant to the end of its reference: the time that it saves or loses. The words say
/// how much without the events.
void StreamsDrawing::draw_saving(std::size_t activity) const {
    const Section& section = sections_[activity];
    if (section.lanes.empty()) return;
    const Theme& theme = ink_.theme;
    const std::size_t reference = picture_.reference[activity];
    const double own = picture_.done_us[activity], first = picture_.done_us[reference];
    const float top = section.lanes.front().box.y0 - ink_.px(1),
                bottom = section.lanes.back().box.y1 + ink_.px(1);
    if (activity != reference && std::abs(own - first) > 0.005 * first) {
        const bool saves = own < first;
        const ImU32 colour = saves ? theme.ideal : theme.cost;
        const Box region{x_of(std::min(own, first)), top, x_of(std::max(own, first)), bottom};
        ink_.fill(region, with_alpha(colour, 0.10));
        ink_.line({x_of(first), top}, {x_of(first), bottom}, with_alpha(colour, 0.8), ink_.px(1));
        const double saved = picture_.figures[reference].total_us - picture_.figures[activity].total_us;
        const std::string words = fmt::format("{} {}", microseconds(saved), picture_.saved_word);
        if (saves && saved > 0)
            ink_.text_if_fits(region.inset(ink_.px(4)), words, theme.fonts.words, theme.text, Align::centre);
    }
    if (own > picture_.end_us) return;
    ink_.line({x_of(own), top}, {x_of(own), bottom}, theme.text, ink_.px(1.5f));
    hit_box(fmt::format("end {}", activity), {x_of(own) - 1, top}, {x_of(own) + 1, bottom});
}

void StreamsDrawing::draw_axis() const {
    const Theme& theme = ink_.theme;
    if (!(picture_.end_us > 0)) return;
    const double pixels_a_us = (plot_.width() - ink_.px(8)) / picture_.end_us;
    const double step = round_step(ink_.px(80) / pixels_a_us);
    for (double us = 0; us <= picture_.end_us; us += step) {
        const float x = x_of(us);
        for (const Section& section : sections_)
            if (!section.lanes.empty())
                ink_.line({x, section.lanes.front().box.y0}, {x, section.lanes.back().box.y1},
                          with_alpha(theme.hairline, 0.6));
        const std::string words = us == 0 ? "0" : microseconds(us);
        const float half = text_width(theme.fonts.small, words) / 2 + 1;
        if (x + half < plot_.x1)
            ink_.text({std::max(plot_.x0, x - half), axis_.y0, x + half, axis_.y1}, words, theme.fonts.small,
                      theme.text_dim, us == 0 ? Align::left : Align::centre);
    }
}

std::string spot_sentence(const StreamsPicture& picture, const StreamsSpot& spot) {
    const Activity& activity = picture.activities[spot.activity];
    const ActivitySpan& span = activity.spans[spot.span];
    const double begin = picture.figures[spot.activity].work_begin_us[spot.span];
    std::string sentence = fmt::format("`{}` in `{}`, {}: {}, {}.", span.name, activity.name,
                                       activity.streams[static_cast<std::size_t>(span.stream)],
                                       microseconds(span.end_us - begin), to_string(picture.provenance));
    if (begin - span.begin_us > activity.timer_bound_us)
        sentence +=
            fmt::format(" Its stream reached it {} before it started.", microseconds(begin - span.begin_us));
    return sentence;
}

std::vector<std::string> spot_lines(const StreamsPicture& picture, const StreamsSpot& spot) {
    const Activity& activity = picture.activities[spot.activity];
    const ActivitySpan& span = activity.spans[spot.span];
    const double begin = picture.figures[spot.activity].work_begin_us[spot.span];
    std::vector<std::string> lines{
        fmt::format("reached {:.1f} µs, worked {:.1f} to {:.1f} µs", span.begin_us, begin, span.end_us)};
    if (activity.timer_bound_us > 0) lines.front() += fmt::format(" (± {:.1f})", activity.timer_bound_us);
    if (span.bytes > 0 && span.end_us > begin)
        lines.push_back(
            fmt::format("{} / {} = {}", bytes_words(span.bytes), microseconds(span.end_us - begin),
                        scaled(static_cast<double>(span.bytes) / (span.end_us - begin) * 1e6, "B/s")));
    return lines;
}

}  // namespace warplens::app
