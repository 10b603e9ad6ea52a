// Values: what the registers of a warp and the memory that it touches hold at the selected step, and who
// wrote it before.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/pipeline/values/value_words.h"
#include "app/scene/level_of_time.h"
#include "app/scene/same_step.h"
#include "app/scene/step_spot.h"
#include "app/session/values_task.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/ui/stepper.h"
#include "app/ui/text.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/title_line.h"
#include "app/views/values/pair.h"
#include "app/views/view.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

class ValuesView : public View {
  private:
    ViewNeeds needs() const override { return {.warps = true, .of_two_levels = TwoLevels::none}; }

    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene& baseline = *frame.baseline;
        if (!baseline.trace || baseline.trace->warps.empty())
            return fmt::format("{} has no recorded warps.", frame.baseline_name);
        follow(frame);
        follow_baseline(frame);
        if (!why_.empty()) return fmt::format("{} has no {}.", frame.baseline_name, why_);
        if (frame.interactive) frame.commands.ask_baseline_values = before_question_;
        take_pair(frame);
        if (pair_of_ == frame.scene && pair_before_of_ == frame.baseline) return {};
        // This run's own absence is said in the place of its values.
        if (const ValuesState* own = frame.values; !own || !own->found)
            return own && own->running ? fmt::format("The block of {} is executed again …", frame.scene_name)
                                       : fmt::format("{} has no values to compare with {}.", frame.scene_name,
                                                     frame.baseline_name);
        const ValuesState* state = frame.baseline_values;
        if (state && state->running)
            return fmt::format("The block of {} is executed again …", frame.baseline_name);
        const bool failed = state && !state->failure.empty() && state->generation == baseline.generation;
        return fmt::format("{} has no values: {}.", frame.baseline_name,
                           failed ? state->failure : "the CPU engine has not read them");
    }

    /// The baseline's step follows this run's.
    void follow_baseline(const ViewFrame& frame) {
        if (baseline_ == frame.baseline && scene_ == frame.scene && before_at_ == question_.at &&
            before_question_.lane == spot_.lane)
            return;
        baseline_ = frame.baseline;
        scene_ = frame.scene;
        before_at_ = question_.at;
        const auto same = same_step(*frame.scene, spot_, *frame.baseline);
        why_ = same ? "" : same.error().message;
        if (same) before_question_ = question_of_spot(*frame.baseline->trace, *same);
        before_question_.lane = spot_.lane;
    }

    /// Both answers to the present questions; until they are there, the pair before.
    void take_pair(const ViewFrame& frame) {
        const auto answer = [](const ValuesState* state, const Scene& scene, const simt::StepAt& at) {
            const bool is_it = state && state->found && state->generation == scene.generation &&
                               state->found->state.at == at;
            return is_it ? state->found : nullptr;
        };
        const auto now = answer(frame.values, *frame.scene, question_.at);
        const auto before = answer(frame.baseline_values, *frame.baseline, before_question_.at);
        if (!now || !before || (now == now_ && before == before_)) return;
        if (pair_of_ != frame.scene || pair_before_of_ != frame.baseline) {
            pair_of_ = frame.scene;
            pair_before_of_ = frame.baseline;
            const Program &program = frame.scene->trace->program, &other = frame.baseline->trace->program;
            to_before_ = same_registers(program, other);
            to_after_ = same_registers(other, program);
        }
        now_ = now;
        before_ = before;
        rows_ = paired_rows(pair(frame));
    }

    PairedValues pair(const ViewFrame& frame) const {
        return {*before_, *now_, to_before_, to_after_, frame.baseline_name, frame.scene_name};
    }

    void draw_pair(ViewFrame& frame) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const PairedValues values = pair(frame);
        title_line(theme, paired_title(values, rows_));
        if (frame.interactive) draw_steppers(frame, *now_);
        const LegendEntry entries[] = {{with_alpha(theme.category(2), 0.22), "result of the step"},
                                       {with_alpha(theme.category(0), 0.18), "operand"},
                                       change_entry(theme, "the other run")};
        const PictureArea area =
            picture_area(ink, {std::begin(entries), std::end(entries)}, 2400, frame.interactive ? 200 : 0);
        hit_box("values body", area.box.min(), area.box.max());
        const PairedClicks clicks = draw_paired_values(ink, values, rows_, pinned(*now_), area.box,
                                                       paired_scroll_, frame.interactive);
        if (clicks.lane >= 0) go_to(frame, warp_, question_.at.step, clicks.lane);
        if (clicks.row >= 0) pin(now_->registers[static_cast<std::size_t>(clicks.row)].name);
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
        provenance_line(theme, *frame.scene, provenance(*now_));
    }

    void draw_scene(ViewFrame& frame) override {
        ask(frame);
        if (frame.baseline) return draw_pair(frame);
        const ValuesState* state = frame.values;
        if (!state || state->generation != frame.scene->generation) {
            empty_state(frame.theme, "The CPU engine reads values by executing the block again.",
                        "They appear here for a kernel that it ran.");
            return;
        }
        if (!state->found) {
            if (state->running) draw_wait(frame, *state);
            else
                empty_state(frame.theme, fmt::format("There are no values: {}.", state->failure),
                            level_of_counts(*frame.scene) == Level::ptx
                                ? "Choose the CPU engine, or another step."
                                : "Open the .cu or .ptx file that it was made from.");
            return;
        }
        draw_values(frame, *state->found);
    }

    /// A launch whose blocks depend on one another is executed up to the step, which may take seconds.
    static void draw_wait(const ViewFrame& frame, const ValuesState& state) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - state.since;
        if (passed.count() < 1)
            return empty_state(frame.theme, "The block is executed again …", "The values appear here.");
        const std::uint64_t steps = frame.scene->report ? frame.scene->report->steps : 0;
        empty_state(
            frame.theme, fmt::format("The block is executed again, for {:.0f} s …", passed.count()),
            fmt::format("Blocks that it depends on are executed too, up to {} warp-instructions. Another "
                        "step ends the wait.",
                        grouped(steps)));
    }

    /// The question follows the selection; a word that was clicked is followed until something else is.
    void ask(ViewFrame& frame) {
        follow(frame);
        question_.shared_word = word_;
        if (frame.interactive) frame.commands.ask_values = question_;
    }

    void follow(const ViewFrame& frame) {
        const Scene& scene = *frame.scene;
        const Spot& chosen = frame.selection.chosen;
        if (scene.generation != generation_ || !(chosen == spot_)) {
            const ValuesQuestion wanted = question_of_spot(*scene.trace, chosen);
            if (scene.generation != generation_ || !(wanted.at == question_.at)) {
                word_.reset();
                first_row_ = -1;
            }
            generation_ = scene.generation;
            spot_ = chosen;
            question_ = wanted;
            warp_ = chosen.warp_record < scene.trace->warps.size() ? chosen.warp_record : 0;
            steps_ = steps_of_warp(*scene.trace, warp_);
        }
    }

    void draw_values(ViewFrame& frame, const StepValues& values) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const Site& site = values.named.program.sites[values.state.site];
        title_line(theme, title(values, site));
        if (frame.interactive) draw_steppers(frame, values);
        for (const std::string& sentence : sentences(values, site))
            text_item(theme.fonts.words, theme.text_dim,
                      fit_text(theme.fonts.words, sentence, ImGui::GetContentRegionAvail().x));
        if (const std::string race = race_sentence(values); !race.empty())
            text_wrapped(theme.fonts.words, theme.cost, race);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float foot = provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y;
        Box body{at.x, at.y + ink.px(2), at.x + room.x, at.y + std::max(room.y - foot, ink.px(120))};
        hit_box("values body", body.min(), body.max());
        const Box whole = body;
        draw_body(frame, {ink, values, frame.interactive}, body);
        ImGui::Dummy({whole.width(), whole.height()});
        provenance_line(theme, *frame.scene, provenance(values));
    }

    static std::string provenance(const StepValues& values) {
        return values.blocks_before == 0
                   ? std::string("executed again on the CPU · engine's order of warps · PTX level")
                   : fmt::format("executed again on the CPU after {} · engine's order · PTX level",
                                 counted(values.blocks_before, "block"));
    }

    static std::string title(const StepValues& values, const Site& site) {
        const auto accessed = access_sentences(values);
        const std::string where = fmt::format("Step {}, warp {}, lane {}", grouped(values.state.at.step),
                                              values.state.at.warp, values.lane);
        if (!accessed.empty()) return fmt::format("{} {}", where, accessed.front());
        const RegisterValue* main = main_register(values);
        if (main != nullptr && main->result)
            return fmt::format("{} computes `{}`{} = {}", where, main->name,
                               main->cuda.empty() ? "" : " (" + main->cuda + ")",
                               register_text(*main, values.lane, true));
        return fmt::format("{}: `{}`", where, site.opcode);
    }

    static std::vector<std::string> sentences(const StepValues& values, const Site& site) {
        std::string executed = fmt::format("{} of 32 lanes execute it", values.state.executed.count());
        std::vector<std::string> lines{fmt::format("{}   line {} · block {} · {}", site.text, site.line,
                                                   grouped(values.state.at.block), executed)};
        const auto accessed = access_sentences(values);
        for (std::size_t i = 1; i < accessed.size(); ++i) lines.push_back(accessed[i]);
        return lines;
    }

    void draw_steppers(ViewFrame& frame, const StepValues& values) {
        const std::uint64_t step = question_.at.step, last = std::max<std::uint64_t>(steps_, 1) - 1;
        const int lane = values.lane;
        const std::string of_step = fmt::format("{} of {}", grouped(step), grouped(last)),
                          of_lane = std::to_string(lane),
                          of_warp = fmt::format("{}:{}", values.state.at.block, values.state.at.warp);
        const int by_step = stepper(frame.theme, {.name = "values step",
                                                  .caption = "step",
                                                  .value = of_step,
                                                  .widest = of_step,
                                                  .help = "The warp's instructions in the order it ran them; "
                                                          "the left and right arrow keys do the same",
                                                  .can_go_down = step > 0,
                                                  .can_go_up = step < last});
        ImGui::SameLine(0, std::round(16 * frame.theme.fonts.scale));
        const int by_lane = stepper(frame.theme, {.name = "values lane",
                                                  .caption = "lane",
                                                  .value = of_lane,
                                                  .widest = "31",
                                                  .help = "Whose registers are shown",
                                                  .can_go_down = lane > 0,
                                                  .can_go_up = lane < warp_size - 1});
        ImGui::SameLine(0, std::round(16 * frame.theme.fonts.scale));
        const int by_warp = stepper(frame.theme, {.name = "values warp",
                                                  .caption = "warp",
                                                  .value = of_warp,
                                                  .widest = of_warp,
                                                  .help = "Block and warp; those that the picture holds",
                                                  .can_go_down = warp_ > 0,
                                                  .can_go_up = warp_ + 1 < frame.scene->trace->warps.size()});
        if (by_step != 0) go_to(frame, warp_, step + static_cast<std::uint64_t>(by_step), lane);
        if (by_lane != 0) go_to(frame, warp_, step, lane + by_lane);
        if (by_warp != 0) go_to(frame, warp_ + static_cast<std::uint32_t>(by_warp), step, lane);
        arrow_keys(frame, step, last, lane);
    }

    void arrow_keys(ViewFrame& frame, std::uint64_t step, std::uint64_t last, int lane) const {
        if (!ImGui::IsWindowHovered()) return;
        frame.commands.takes_arrow_keys = true;
        if (compat::key_pressed(compat::Key::right) && step < last) go_to(frame, warp_, step + 1, lane);
        if (compat::key_pressed(compat::Key::left) && step > 0) go_to(frame, warp_, step - 1, lane);
    }

    static void go_to(ViewFrame& frame, std::uint32_t warp, std::uint64_t step, int lane) {
        const trace::Trace& trace = *frame.scene->trace;
        const std::uint64_t steps = steps_of_warp(trace, warp);
        if (steps == 0) return;
        if (auto spot = spot_of_step(trace, warp, std::min(step, steps - 1))) {
            spot->lane = lane;
            frame.selection.chosen = *spot;
        }
    }

    void draw_body(ViewFrame& frame, const ValuesPart& part, Box body) {
        const Ink& ink = part.ink;
        const Theme& theme = ink.theme;
        const StepValues& values = part.values;
        const float line = text_height(theme.fonts.words) + ink.px(4);
        const RegisterValue* strip = pinned(values);
        if (strip != nullptr && body.height() > ink.px(220)) {
            ink.text(body.take_top(line), in_every_lane(*strip), theme.fonts.words, theme.text);
            const int lane =
                draw_lane_strip(part, *strip, body.take_top(lane_strip_height(ink, body.width())));
            if (lane >= 0) go_to(frame, warp_, question_.at.step, lane);
            body.take_top(ink.px(6));
        }
        const bool shared = !values.state.shared.writers.empty();
        // Beside the registers: who wrote the element, then shared memory, or where there is none more
        // registers in all lanes.
        const bool beside = body.width() > ink.px(shared || values.history ? 430 : 860);
        Box registers = beside ? body.take_left(std::min(body.width() * 0.42f, ink.px(420))) : body;
        if (!beside && values.history) {
            Box below = registers.take_bottom(std::min(history_height(ink, values), registers.height() / 2));
            jump(frame, values, draw_history(part, below));
        }
        ink.text(registers.take_top(line), fmt::format("Registers of lane {}", values.lane),
                 theme.fonts.words, theme.text);
        const int clicked = draw_registers(part, register_rows(values), registers, scroll_);
        if (clicked >= 0) pin(values.registers[static_cast<std::size_t>(clicked)].name);
        if (!beside) return;
        body.take_left(ink.px(14));
        if (values.history) {
            const float wanted = history_height(ink, values);
            Box writes = body.take_top(std::min(wanted, body.height() * (shared ? 0.6f : 1)));
            jump(frame, values, draw_history(part, writes));
        }
        if (!shared) {
            if (const int lane = draw_more_strips(part, strip, body); lane >= 0)
                go_to(frame, warp_, question_.at.step, lane);
            return;
        }
        if (body.height() < 2 * line) return;
        ink.heading(body.take_top(line),
                    {"Shared memory after the step; the color is the warp that wrote last",
                     "Shared memory; color: the warp that wrote last", "Shared memory"});
        // Few words leave room for more registers in all lanes.
        const float grid = std::min(shared_grid_height(part, body.width()), body.height());
        if (const std::int64_t word = draw_shared_grid(part, body.take_top(grid), first_row_); word >= 0)
            word_ = static_cast<std::uint64_t>(word) * simt::SharedState::word_bytes;
        body.take_top(ink.px(14));
        if (const int lane = draw_more_strips(part, strip, body); lane >= 0)
            go_to(frame, warp_, question_.at.step, lane);
    }

    void pin(const std::string& name) { pinned_ = pinned_ == name ? std::string() : name; }

    /// The register that was clicked, as long as the function has it; else the step's own.
    const RegisterValue* pinned(const StepValues& values) const {
        const auto at = std::ranges::find(values.registers, pinned_, &RegisterValue::name);
        return at != values.registers.end() ? &*at : main_register(values);
    }

    /// To a write of the history, where its warp is in the picture.
    static void jump(ViewFrame& frame, const StepValues& values, int index) {
        if (index < 0) return;
        const simt::MemoryWrite& write = values.history->writes[static_cast<std::size_t>(index)];
        const trace::Trace& trace = *frame.scene->trace;
        const trace::WarpRecord* warp = trace::find_warp(trace, write.at.block, write.at.warp);
        if (warp == nullptr) return;
        go_to(frame, static_cast<std::uint32_t>(warp - trace.warps.data()), write.at.step,
              write.lanes.lowest());
    }

    std::uint64_t generation_ = 0;
    Spot spot_;
    ValuesQuestion question_;
    std::uint32_t warp_ = 0;
    std::uint64_t steps_ = 0;
    std::optional<std::uint64_t> word_;  // followed instead of the lane's element
    std::int64_t first_row_ = -1;        // of the grid
    float scroll_ = 0;                   // of the registers
    std::string pinned_;                 // the register of the strip; empty: the step's own

    SceneIdentity scene_, baseline_;  // of the baseline's question, and this run's step
    simt::StepAt before_at_;
    ValuesQuestion before_question_;
    std::string why_;  // there is none, as same_step says; empty: there is one
    SceneIdentity pair_of_, pair_before_of_;
    std::shared_ptr<const StepValues> now_, before_;
    std::map<std::string, std::string> to_before_, to_after_;
    ComparedRows rows_;
    PairedScroll paired_scroll_;
};

}  // namespace

std::unique_ptr<View> make_values_view() { return std::make_unique<ValuesView>(); }

}  // namespace warplens::app
