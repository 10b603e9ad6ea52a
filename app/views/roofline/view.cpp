// Roofline: the kernel's operations per second compared with the limits of memory bandwidth and arithmetic,
// and its trail as knobs change.
#include "analysis/report/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "app/scene/level_of_time.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/roofline/drawing.h"
#include "app/views/roofline/words.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

constexpr std::size_t longest_trail = 8;
constexpr double seconds_to_move = 0.16;

/// The kernel's point with some setting of the knobs.
struct Standing {
    std::string kernel, gpu;
    instrumentation::Values parameters;
    TimingOptions options;
    double intensity = 0, requested = 0;  // FLOP/byte, of the least bytes and of those requested
    double rate = 0;                      // FLOP/s; bytes per second without floating-point operations
    double requested_rate = 0;            // the same; without operations of the bytes requested

    /// It was timed at another level meanwhile.
    bool same_run(const Standing& other) const {
        return parameters == other.parameters && options == other.options;
    }
    bool same_place(const Standing& other) const {
        const auto near = [](double a, double b) { return std::abs(a - b) <= 0.002 * std::abs(b); };
        return near(intensity, other.intensity) && near(requested, other.requested) && near(rate, other.rate);
    }
};

/// The settings that differ from the current ones: "TILE 8 · PAD 1".
std::string roof_difference(const Standing& then, const Standing& now) {
    std::string words;
    const auto add = [&](const std::string& more) { words += (words.empty() ? "" : " · ") + more; };
    for (const auto& [name, value] : then.parameters) {
        const auto today = now.parameters.find(name);
        if (today == now.parameters.end() || today->second != value)
            add(name + " " + instrumentation::to_string(value));
    }
    if (then.options != now.options) {
        const std::string turned = describe(then.options);
        add(turned.empty() ? "as it is" : turned);
    }
    return words;
}

class RooflineView : public View {
  private:
    ViewNeeds needs() const override {
        return {.report = true, .gpu = true, .timed = "The roofline appears here.", .launch = true};
    }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        const Theme& theme = frame.theme;
        follow(*scene);
        const analysis::Roofline& roofline = scene->timing->roofline;
        std::string title = roofline_title(scene->report->launch.kernel, roofline, *scene->gpu);
        if (frame.baseline && baseline_absent(frame).empty())
            title += roofline_change_words(frame.baseline->timing->roofline, frame.baseline_name, roofline);
        title_line(theme, title);
        if (roofline.without_images) {
            empty_state(theme, "The roofline has no point for this kernel.",
                        "The memory layout and traffic of textures and surfaces are unknown.");
            return;
        }
        headline_with_room(theme, roofline_headline(roofline));
        draw_figures(frame, *scene);
        std::string words = provenance(*scene);
        if (const std::string why = baseline_absent(frame); !why.empty()) words += " · not drawn: " + why;
        provenance_line(theme, *scene, words);
    }

    static Standing standing_of(const Scene& scene) {
        const analysis::Roofline& roofline = scene.timing->roofline;
        const double rate =
            roofline.flops > 0 ? rate_of(roofline, roofline.modelled_seconds) : byte_rate_of(roofline);
        return {scene.report->launch.kernel,
                std::string(scene.gpu->name),
                scene.parameters,
                scene.timing->options,
                roofline.intensity,
                requested_intensity(roofline),
                rate,
                roofline.flops > 0 || roofline.dram_bytes_ideal <= 0
                    ? rate
                    : rate * roofline.l2_bytes / roofline.dram_bytes_ideal};
    }

    /// Why the baseline cannot be drawn in this plot; empty: it can, or there is no baseline.
    static std::string baseline_absent(const ViewFrame& frame) {
        const Scene* other = frame.baseline;
        if (!other) return {};
        if (!other->timing || !other->report || standing_of(*other).rate <= 0)
            return "the baseline has no modelled time";
        if ((other->timing->roofline.flops > 0) != (frame.scene->timing->roofline.flops > 0))
            return "only one of the runs has floating-point operations";
        return {};
    }

    static std::optional<Standing> baseline_of(const ViewFrame& frame) {
        if (!frame.baseline || !baseline_absent(frame).empty()) return std::nullopt;
        return standing_of(*frame.baseline);
    }

    /// Remembers earlier positions of the point while the kernel and the GPU stay the same.
    void follow(const Scene& scene) {
        if (scene.timing == timing_) return;
        timing_ = scene.timing;
        Standing next = standing_of(scene);
        if (next.kernel != now_.kernel || next.gpu != now_.gpu) {
            trail_.clear();
            moved_ = seconds_to_move;
        } else if (now_.rate > 0 && !next.same_run(now_) && !next.same_place(now_)) {
            std::erase_if(trail_, [&](const Standing& old) { return old.same_place(next); });
            trail_.push_back(now_);
            if (trail_.size() > longest_trail) trail_.pop_front();
            moved_ = 0;
        }
        now_ = std::move(next);
    }

    std::string provenance(const Scene& scene) const {
        const analysis::Roofline& roofline = scene.timing->roofline;
        std::string words = roofline.estimated ? "operations and bytes: sample scaled to the grid"
                                               : "operations and bytes: exact";
        words += fmt::format(" · {} · time: modelled", to_string(roofline.level));
        if (roofline.level != scene.report->level)
            words += fmt::format(", {}", to_string(scene.report->level));
        if (const std::string turned = describe(scene.timing->options); !turned.empty())
            words += ", what if: " + turned;
        if (roofline.measured_seconds && scene.report->measured)
            words += fmt::format(" · measured on {}, caches {}", scene.report->measured->device,
                                 to_string(scene.report->measured->caches));
        return words;
    }

    void draw_figures(ViewFrame& frame, const Scene& scene) {
        const Theme& theme = frame.theme;
        const analysis::Roofline& roofline = scene.timing->roofline;
        const float below = provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        room.y = std::max(room.y - below, ink.px(180));
        Box box{at.x, at.y, at.x + room.x, at.y + room.y};
        if (room.x > ink.px(920)) {
            Box column = box.take_right(ink.px(424));
            box.take_right(ink.px(32));
            draw_steps(ink, column, scene);
        } else if (room.y > ink.px(460)) {
            Box band = box.take_bottom(steps_height(ink, scene));
            box.take_bottom(ink.px(16));
            draw_steps(ink, band, scene);
        }
        if (roofline.flops > 0 && roofline.dram_bytes_ideal > 0) draw_plot(frame, ink, box, scene);
        else
            draw_bandwidth_bars(ink, box, roofline, *scene.gpu,
                                old_points(frame, RooflinePoint::Shape::modelled, true),
                                old_points(frame, RooflinePoint::Shape::requested, true));
        ImGui::Dummy(room);
    }

    static double cycles(const Scene& scene) {
        return scene.timing->schedule ? scene.timing->schedule->launch.cycles : 0;
    }

    static float step_height(const Ink& ink) { return text_height(ink.theme.fonts.code) + ink.px(7); }
    static float steps_height(const Ink& ink, const Scene& scene) {
        const auto steps = roofline_steps(scene.timing->roofline, *scene.gpu, cycles(scene));
        return step_height(ink) * static_cast<float>(steps.size() + 1) +
               2.6f * text_height(ink.theme.fonts.words);
    }

    static void draw_steps(const Ink& ink, Box box, const Scene& scene) {
        const Theme& theme = ink.theme;
        const analysis::Roofline& roofline = scene.timing->roofline;
        const auto steps = roofline_steps(roofline, *scene.gpu, cycles(scene));
        float names = 0;
        for (const auto& step : steps) names = std::max(names, text_width(theme.fonts.words, step.what));
        ink.text(box.take_top(step_height(ink)), "Calculation", theme.fonts.words, theme.text_dim);
        for (const auto& step : steps) {
            Box row = box.take_top(step_height(ink));
            if (row.height() < step_height(ink) - 1) return;
            ink.text(row.take_left(names + ink.px(12)), step.what, theme.fonts.words, theme.text_dim);
            ink.text(row, step.steps, theme.fonts.code, theme.text);
        }
        box.take_top(ink.px(6));
        const TextRun sentence{requested_bytes_sentence(roofline), theme.fonts.words, theme.text};
        if (box.height() > ink.paragraph(box.min(), box.width(), {&sentence, 1}, 4, false))
            ink.paragraph(box.min(), box.width(), {&sentence, 1}, 4);
    }

    static double requested_intensity(const analysis::Roofline& roofline) {
        return roofline.l2_bytes > 0 ? roofline.flops / roofline.l2_bytes : 0;
    }

    /// The trail of the kernel's point, or of the hollow one; only one of the two is labelled.
    /// While runs are compared it is the baseline's point alone.
    std::vector<RooflinePoint> old_points(const ViewFrame& frame, RooflinePoint::Shape shape,
                                          bool labelled) const {
        std::vector<RooflinePoint> points;
        const auto add = [&](const Standing& old, const std::string& label) {
            const bool requested = shape == RooflinePoint::Shape::requested;
            points.push_back({requested ? old.requested : old.intensity,
                              requested ? old.requested_rate : old.rate, shape, labelled ? label : ""});
        };
        if (frame.baseline) {
            if (const auto other = baseline_of(frame)) add(*other, std::string(frame.baseline_name));
            return points;
        }
        for (const Standing& old : trail_) add(old, roof_difference(old, now_));
        return points;
    }

    void draw_plot(ViewFrame& frame, const Ink& ink, const Box& box, const Scene& scene) {
        using Shape = RooflinePoint::Shape;
        const analysis::Roofline& roofline = scene.timing->roofline;
        const double rate = rate_of(roofline, roofline.modelled_seconds);
        std::vector<RooflinePoint> points;
        if (rate > 0)
            points.push_back({roofline.intensity, rate, Shape::modelled,
                              (frame.baseline ? std::string(frame.scene_name) : scene.report->launch.kernel) +
                                  ", modelled"});
        const bool hollow = rate > 0 && roofline.l2_bytes > 1.02 * roofline.dram_bytes_ideal;
        if (hollow)
            points.push_back(
                {requested_intensity(roofline), rate, Shape::requested, "by the bytes requested"});
        if (roofline.measured_seconds)
            points.push_back({roofline.intensity, rate_of(roofline, roofline.measured_seconds),
                              Shape::measured, "measured"});
        // Another tile size changes the bytes that a kernel requests, not those that it needs: then the
        // hollow point is more informative.
        const std::vector<RooflinePoint> trail =
            old_points(frame, Shape::modelled, !hollow || frame.baseline);
        const std::vector<RooflinePoint> hollow_trail =
            hollow ? old_points(frame, Shape::requested, !frame.baseline) : std::vector<RooflinePoint>();
        std::vector<RooflinePoint> all = trail;
        all.insert(all.end(), hollow_trail.begin(), hollow_trail.end());
        all.insert(all.end(), points.begin(), points.end());
        const bool other_gpu = baseline_of(frame).has_value() && frame.baseline->gpu != scene.gpu;
        RooflinePlot plot(ink, box, roofline, *scene.gpu, all,
                          other_gpu ? &frame.baseline->timing->roofline : nullptr);
        plot.draw_axes();
        const std::size_t reached = roofline.measured_seconds && !points.empty() ? points.size() - 1 : 0;
        if (!points.empty()) plot.keep_headroom_clear(points[reached]);
        plot.draw_roofs();
        if (other_gpu) plot.draw_other_roofs(frame.baseline->gpu->name);
        if (points.empty()) return;
        if (hollow) plot.draw_link(points[1], points[0]);
        std::vector<ImVec2> places;
        for (const RooflinePoint& point : points) places.push_back(plot.at(point));
        if (!trail.empty()) move(frame, plot.at(trail.back()), places[0]);
        if (!hollow_trail.empty()) move(frame, plot.at(hollow_trail.back()), places[1]);
        if (moved_ < seconds_to_move) moved_ += static_cast<double>(ImGui::GetIO().DeltaTime);
        if (frame.baseline) {
            for (const RooflinePoint& other : hollow_trail) plot.draw_arrow(other, places[1]);
            for (const RooflinePoint& other : trail) plot.draw_arrow(other, places[0]);
        } else {
            plot.draw_trail(trail, places[0]);
            if (hollow) plot.draw_trail(hollow_trail, places[1]);
        }
        for (std::size_t i = 0; i < points.size(); ++i) plot.draw_point(points[i], places[i]);
        plot.draw_headroom(points[reached]);
        for (const RooflinePoint& old : trail) plot.draw_old_label(old);
        for (const RooflinePoint& old : hollow_trail) plot.draw_old_label(old);
        const float reach = ink.px(6);
        hit_box("roofline point", {places[0].x - reach, places[0].y - reach},
                {places[0].x + reach, places[0].y + reach});
        if (frame.interactive && ImGui::IsWindowHovered()) explain(frame.theme, plot, points, trail, scene);
    }

    /// `place`, while the point moves there from its old position.
    void move(ViewFrame& frame, ImVec2 from, ImVec2& place) const {
        if (!frame.motion || moved_ >= seconds_to_move) return;
        frame.commands.redraw = true;
        const auto share = static_cast<float>(moved_ / seconds_to_move);
        const float eased = share * share * (3 - 2 * share);
        place = {from.x + (place.x - from.x) * eased, from.y + (place.y - from.y) * eased};
    }

    static void explain(const Theme& theme, const RooflinePlot& plot,
                        const std::vector<RooflinePoint>& points, const std::vector<RooflinePoint>& trail,
                        const Scene& scene) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const auto under = [&](const RooflinePoint& point) {
            const ImVec2 at = plot.at(point);
            return std::hypot(at.x - mouse.x, at.y - mouse.y) < 10 * theme.fonts.scale;
        };
        const analysis::Roofline& roofline = scene.timing->roofline;
        const auto figures = [](const RooflinePoint& point) {
            return fmt::format("{} FLOP/byte, {}", three_digits(point.intensity),
                               scaled(point.rate, "FLOP/s"));
        };
        for (const RooflinePoint& point : points) {
            if (!under(point)) continue;
            if (point.shape == RooflinePoint::Shape::requested)
                tooltip_card(theme, requested_bytes_sentence(roofline),
                             fmt::format("{} / {} = {} FLOP/byte", scaled(roofline.flops, "FLOP"),
                                         scaled(roofline.l2_bytes, "B"), three_digits(point.intensity)));
            else {
                std::vector<std::string> lines;
                for (const auto& step : roofline_steps(roofline, *scene.gpu, cycles(scene)))
                    lines.push_back(step.what + ": " + step.steps);
                tooltip_card(theme, "The kernel, if every byte that it needs is moved once.", lines);
            }
            return;
        }
        for (const RooflinePoint& old : trail)
            if (under(old))
                return tooltip_card(theme, "Previous point with " + old.label + ".", figures(old));
        switch (plot.roof_near(mouse)) {
            case 'm':
                return tooltip_card(
                    theme, "Memory roof: DRAM bandwidth limits every kernel to this line.",
                    fmt::format("FLOP/s = FLOP/byte × {}", scaled(roofline.peak_bytes_per_second, "B/s")));
            case 'c':
                return tooltip_card(theme, fmt::format("Compute roof: the peak of {}.", roofline.peak_unit),
                                    scaled(roofline.peak_flops, "FLOP/s"));
            case 'l':
                return tooltip_card(
                    theme, "L2 roof: the limit if all bytes come from L2.",
                    fmt::format("FLOP/s = FLOP/byte × {}", scaled(l2_bytes_per_second(*scene.gpu), "B/s")));
            default:
                return;
        }
    }

    std::shared_ptr<const SceneTiming> timing_;  // what `now_` is of
    Standing now_;
    std::deque<Standing> trail_;
    double moved_ = seconds_to_move;
};

}  // namespace

std::unique_ptr<View> make_roofline_view() { return std::make_unique<RooflineView>(); }

}  // namespace warplens::app
