// Streams: the copies, kernels and graph launches of a host's plan as spans on one clock, one variant of the
// work above the other: as a GPU measured them, or as a model schedules them (app/pipeline/model_streams.h).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/ui/empty_state.h"
#include "app/ui/legend.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/streams/drawing.h"
#include "app/views/view.h"
#include "core/stream_costs.h"

namespace warplens::app {
namespace {

class StreamsView : public View {
  private:
    ViewNeeds needs() const override { return {.of_two_levels = TwoLevels::either}; }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        const bool is_modelled = scene->trace->activities.empty();
        if (is_modelled && !modelled_streams(*scene)) {
            draw_nothing(frame, *scene);
            return;
        }
        if (frame.baseline) {
            follow_both(frame);
        } else if (!picture_ || fastest_ || trace_ != scene->trace || modelled_ != modelled_streams(*scene)) {
            trace_ = scene->trace;
            modelled_ = modelled_streams(*scene);
            fastest_.reset();
            picture_.emplace(activities_of(*scene),
                             is_modelled ? Provenance::modelled : Provenance::measured);
        }
        shows_fastest_ = frame.baseline && !has_room_for_all(frame);
        const StreamsPicture& shown = shows_fastest_ ? *fastest_ : *picture_;
        title_line(frame.theme, shown.sentence);
        draw_headline(frame, shown);
        legend(frame.theme, activity_legend(frame.theme, shown));
        draw_figures(frame, shown);
    }

    /// As measured, else as modelled; empty: there are none.
    static const std::vector<trace::Activity>& activities_of(const Scene& scene) {
        static const std::vector<trace::Activity> none;
        if (scene.trace && !scene.trace->activities.empty()) return scene.trace->activities;
        const auto modelled = modelled_streams(scene);
        return modelled ? *modelled : none;
    }
    using Modelled = std::shared_ptr<const std::vector<trace::Activity>>;
    static Modelled modelled_streams(const Scene& scene) {
        return scene.timing ? scene.timing->streams : nullptr;
    }
    static bool is_measured(const Scene& scene) { return scene.trace && !scene.trace->activities.empty(); }

    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene &scene = *frame.scene, &baseline = *frame.baseline;
        if (!baseline.trace || activities_of(baseline).empty())
            return fmt::format("{} has no streams to compare with.", frame.baseline_name);
        if (activities_of(scene).empty() || is_measured(scene) == is_measured(baseline)) return {};
        return is_measured(scene)
                   ? fmt::format("{} has no measured streams, only modelled ones.", frame.baseline_name)
                   : fmt::format("{} has no modelled streams, only measured ones.", frame.baseline_name);
    }

    /// The pictures of both runs, made again when one of them or its name changes.
    void follow_both(const ViewFrame& frame) {
        const bool same =
            fastest_ && scene_ == frame.scene && baseline_ == frame.baseline &&
            names_ == std::pair(std::string(frame.baseline_name), std::string(frame.scene_name));
        if (same) return;
        scene_ = frame.scene;
        baseline_ = frame.baseline;
        names_ = {std::string(frame.baseline_name), std::string(frame.scene_name)};
        const auto run = [](std::string_view name, const Scene& scene) {
            return StreamsOfRun{name, scene.trace->launch.kernel, activities_of(scene)};
        };
        const StreamsOfRun before = run(frame.baseline_name, *frame.baseline),
                           after = run(frame.scene_name, *frame.scene);
        const Provenance provenance = is_measured(*frame.scene) ? Provenance::measured : Provenance::modelled;
        fastest_ = picture_of_runs(before, after, provenance, false);
        picture_ = picture_of_runs(before, after, provenance, same_variants(before, after));
    }

    /// The pairs of all variants have lanes that are high enough for their names, below title and legend.
    bool has_room_for_all(const ViewFrame& frame) const {
        return has_room(frame, *picture_, 80 * frame.theme.fonts.scale);
    }

    /// All lanes are high enough for the names of their spans if the picture begins `below` the cursor, in
    /// pixels.
    static bool has_room(const ViewFrame& frame, const StreamsPicture& picture, float below) {
        const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const float foot = provenance_line_height(frame.theme) + ImGui::GetStyle().ItemSpacing.y;
        const Box area{at.x, at.y + below, at.x + room.x, at.y + room.y - foot};
        return StreamsDrawing(ink, picture, area).lane_height() >=
               text_height(frame.theme.fonts.small) + ink.px(3);
    }

    /// The fastest variant's time, where the lanes keep their names.
    static void draw_headline(const ViewFrame& frame, const StreamsPicture& picture) {
        const Theme& theme = frame.theme;
        const auto fastest =
            std::ranges::min_element(picture.figures, {}, &analysis::ActivityFigures::total_us);
        if (fastest == picture.figures.end() ||
            !has_room(frame, picture, headline_height(theme) + 50 * theme.fonts.scale))
            return;
        const trace::Activity& of =
            picture.activities[static_cast<std::size_t>(fastest - picture.figures.begin())];
        const std::string time = analysis::microseconds(fastest->total_us);
        const std::size_t blank = time.rfind(' ');
        if (blank != std::string::npos)
            headline_with_room(theme, {time.substr(0, blank), time.substr(blank + 1),
                                       fmt::format("{}, {}", of.name, to_string(picture.provenance))});
    }

    static void draw_nothing(const ViewFrame& frame, const Scene& scene) {
        const Theme& theme = frame.theme;
        const std::string& name = scene.trace->launch.kernel;
        if (scene.model_streams && !scene.timing && frame.modelling)
            return empty_state(theme, "The timing model is running.",
                               "Copies, kernels and graph launches appear here as spans on one clock.");
        if (scene.timing && !scene.timing->streams_absent.empty())
            return empty_state(theme, fmt::format("The streams of `{}` have no model", name),
                               scene.timing->streams_absent);
        if (scene.kernel && scene.kernel->streams) {
            empty_state(
                theme, fmt::format("The streams of `{}` have not been measured", name),
                fmt::format("This view shows copies, kernels and graph launches as spans on one clock, "
                            "for {} variants of the work, and the time that overlap saves. "
                            "On a machine with an NVIDIA GPU, `warplens record {} -o x.wltrace --engine "
                            "cuda` measures them; the file opens on any machine.",
                            scene.kernel->streams->variants.size(), name));
            return;
        }
        empty_state(theme, fmt::format("`{}` does not use streams", name),
                    "A kernel's header can declare the host's copies and launches, and their streams. "
                    "Open `streams_pipeline` or `graph_replay`.");
    }

    void draw_figures(ViewFrame& frame, const StreamsPicture& picture) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        const float above = ink.px(6);
        const Box least{at.x, at.y, at.x + room.x, at.y};
        const std::string source =
            picture.provenance == Provenance::modelled ? model_words() : measured_words(frame, picture);
        room.y = std::max(room.y - source_height(theme, source) - ImGui::GetStyle().ItemSpacing.y,
                          above + StreamsDrawing(ink, picture, least).least_height());
        const Box area{at.x, at.y + above, at.x + room.x, at.y + room.y};
        const StreamsDrawing drawing(ink, picture, area);
        StreamsSpot hovered;
        if (frame.interactive && ImGui::IsWindowHovered()) hovered = drawing.spot_at(ImGui::GetMousePos());
        drawing.draw(hovered);
        if (hovered.any) tooltip_card(theme, spot_sentence(picture, hovered), spot_lines(picture, hovered));
        ImGui::Dummy(room);
        draw_source(theme, source);
    }

    static std::string model_words() {
        const StreamCosts costs;
        return fmt::format(
            "modelled: kernels by the timing model, one at a time · copies {:.0f} GB/s and {} each, and what "
            "host calls cost, as on an {}",
            costs.copy_in_bytes_per_us / 1000, analysis::microseconds(costs.copy_in_latency_us),
            costs.measured_on);
    }

    /// "H200 · driver 570 · 2026-01-01"
    static std::string device_words(const trace::Activity& of) {
        std::string words;
        for (const std::string* part : {&of.device, &of.driver, &of.date})
            if (!part->empty()) words += (words.empty() ? "" : " · ") + *part;
        return words;
    }

    static std::string measured_words(const ViewFrame& frame, const StreamsPicture& picture) {
        const trace::Activity &first = picture.activities.front(), &last = picture.activities.back();
        double bound = 0;
        for (const trace::Activity& activity : picture.activities)
            bound = std::max(bound, activity.timer_bound_us);
        const std::string device = device_words(first), other = device_words(last);
        std::string words = "measured";
        if (frame.baseline && device != other)
            words += fmt::format(" · {}: {} · {}: {}", frame.baseline_name, device, frame.scene_name, other);
        else if (!device.empty()) words += " · " + device;
        words += fmt::format(" · spans ± {} from events around each; hatched: inferred",
                             analysis::microseconds(bound));
        if (first.repeats > 0)
            words += fmt::format(" · totals and savings: median of {}, no events inside", first.repeats);
        return words;
    }

    /// The origin of the numbers; the Scene's line is about blocks, which do not apply here.
    static void draw_source(const Theme& theme, const std::string& words) {
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const TextRun run{words, theme.fonts.small, theme.text_dim};
        ink.paragraph({at.x, at.y + 2}, width, {&run, 1}, most_source_lines);
        ImGui::Dummy({width, source_height(theme, words)});
    }
    static float source_height(const Theme& theme, const std::string& words) {
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const TextRun run{words, theme.fonts.small, theme.text_dim};
        const float high =
            ink.paragraph({0, 0}, ImGui::GetContentRegionAvail().x, {&run, 1}, most_source_lines, false);
        return std::max(provenance_line_height(theme), high + 2);
    }
    static constexpr int most_source_lines = 2;

    std::shared_ptr<const trace::Trace> trace_;
    Modelled modelled_;
    std::optional<StreamsPicture> picture_, fastest_;  // fastest_: of two runs, the fastest variant of each
    bool shows_fastest_ = false;
    SceneIdentity scene_, baseline_;
    std::pair<std::string, std::string> names_;
};

}  // namespace

std::unique_ptr<View> make_streams_view() { return std::make_unique<StreamsView>(); }

}  // namespace warplens::app
