// The step of another run that corresponds to a step, and the Values view of two runs.
#include "app/scene/same_step.h"

#include <gmock/gmock.h>

#include "app/pipeline/values/step_values.h"
#include "app/scene/default_selection.h"
#include "app/scene/own_source.h"
#include "app/scene/step_spot.h"
#include "app/session/values_task.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/shared/cell_text.h"
#include "app/views/values/pair.h"
#include "tests/app/catalogue_stage.h"
#include "trace/query.h"

namespace warplens::app {

std::unique_ptr<View> make_values_view();

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Knobs = std::map<std::string, std::string>;

std::vector<SiteId> sites_in_order(const trace::Trace& trace, const trace::WarpRecord& warp) {
    const trace::RecordedSites sites(trace.program);
    const trace::WarpSteps steps(trace, sites, warp);
    std::vector<SiteId> order;
    for (std::uint64_t i = 0; i < steps.size(); ++i) order.push_back(steps.at(i).site);
    return order;
}

Spot step_of(const Scene& scene, std::uint64_t block, std::uint32_t warp, std::uint64_t step, int lane = -1) {
    const trace::WarpRecord* record = trace::find_warp(*scene.trace, block, warp);
    Spot spot =
        *spot_of_step(*scene.trace, static_cast<std::uint32_t>(record - scene.trace->warps.data()), step);
    spot.lane = lane;
    return spot;
}

/// With PAD, the loop of the up-sweep has other instructions, but as many rounds.
TEST(same_step, is_the_same_execution_of_the_same_instruction) {
    const auto from = timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "0"}}),
               to = timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "1"}});
    const trace::Trace &old_trace = *from->trace, &trace = *to->trace;
    const trace::WarpRecord &old_warp = *trace::find_warp(old_trace, 0, 1),
                            &warp = *trace::find_warp(trace, 0, 1);
    const auto before = sites_in_order(old_trace, old_warp), after = sites_in_order(trace, warp);
    ASSERT_NE(before.size(), after.size());
    std::size_t found = 0, in_loops = 0;
    for (std::size_t step = 0; step < before.size(); ++step) {
        const auto same = same_step(*from, step_of(*from, 0, 1, step, 5), *to);
        if (!same) continue;
        ++found;
        EXPECT_EQ(same->lane, 5);
        EXPECT_EQ(trace.warps[same->warp_record].warp, 1u);
        ASSERT_EQ(after[same->step], same->site);
        const Site &was = old_trace.program.sites[before[step]], &now = trace.program.sites[same->site];
        EXPECT_EQ(was.opcode, now.opcode);
        const auto earlier =
            std::count(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(step), before[step]);
        EXPECT_EQ(earlier, std::count(after.begin(), after.begin() + same->step, same->site));
        in_loops += earlier > 0 ? 1 : 0;
    }
    EXPECT_GT(found, before.size() / 2);
    EXPECT_GT(in_loops, 10u);
}

/// The kernel in a file of another name, where it begins two lines further down.
std::shared_ptr<const Scene> in_another_file(const Scene& scene) {
    auto other = std::make_shared<Scene>(scene);
    auto trace = std::make_shared<trace::Trace>(*scene.trace);
    trace->launch.kernel = "after";
    SourceFile& source = trace->program.sources[own_source(trace->program)];
    source.name = "after.cu";
    source.text = "// edited\n\n" + source.text;
    for (Site& site : trace->program.sites)
        if (site.line != 0) site.line += 2;
    other->trace = std::move(trace);
    return other;
}

TEST(same_step, is_found_in_a_text_of_the_kernel_in_another_file) {
    const auto from = timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}});
    const auto to = in_another_file(*from);
    const Spot spot = default_selection(*from, "banks");
    ASSERT_NE(spot.access, no_access);
    const Spot carried = carried_over(*from, spot, *to, {});
    EXPECT_EQ(carried.access, spot.access);
    EXPECT_EQ(carried.site, spot.site);
    ASSERT_TRUE(same_step(*from, step_of(*from, 0, 1, 20), *to));
    EXPECT_EQ(same_step(*from, step_of(*from, 0, 1, 20), *to)->step, 20u);
    // Of another function nothing corresponds.
    auto unlike = std::make_shared<Scene>(*to);
    auto trace = std::make_shared<trace::Trace>(*to->trace);
    trace->program.entry = "another";
    unlike->trace = std::move(trace);
    EXPECT_EQ(carried_over(*from, spot, *unlike, {}), Spot{});
    EXPECT_FALSE(same_step(*from, step_of(*from, 0, 1, 20), *unlike));
}

TEST(same_step, a_selected_step_is_carried_over_to_it) {
    const auto from = timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "0"}}),
               to = timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "1"}});
    for (const std::uint64_t step : {40, 60, 61}) {
        const Spot spot = step_of(*from, 0, 1, step, 3);
        if (spot.access != no_access) continue;
        const auto same = same_step(*from, spot, *to);
        ASSERT_TRUE(same) << same.error().message;
        EXPECT_EQ(carried_over(*from, spot, *to, {}), *same);
    }
}

TEST(same_step, says_what_is_missing) {
    const auto large = timed_kernel("reduce_sequential", {{"n", "4096"}, {"block", "256"}}),
               small = timed_kernel("reduce_sequential", {{"n", "4096"}, {"block", "64"}}),
               other = timed_kernel("saxpy", {{"n", "4096"}});
    EXPECT_EQ(same_step(*large, {}, *other).error().message,
              "step that corresponds: it runs another kernel, `saxpy`");
    EXPECT_EQ(same_step(*large, step_of(*large, 0, 7, 0), *small).error().message,
              "record of warp 7 of block 0");
    const auto order = sites_in_order(*large->trace, *trace::find_warp(*large->trace, 0, 0));
    std::string last;
    for (std::uint64_t step = 0; step < order.size(); ++step)
        if (const auto same = same_step(*large, step_of(*large, 0, 0, step), *small); !same)
            last = same.error().message;
    EXPECT_THAT(last,
                AllOf(HasSubstr("step that corresponds: its warp executes `"), HasSubstr(" times, not 8")))
        << "256 values need two rounds more than 64";
}

TEST(same_registers, are_those_at_the_same_places) {
    const auto a = timed_kernel("saxpy", {{"n", "512"}}), b = timed_kernel("saxpy", {{"n", "1024"}});
    for (const auto& [from, to] : same_registers(a->trace->program, b->trace->program)) EXPECT_EQ(from, to);
    Program first, second;
    const auto site = [](const char* opcode, std::string text) {
        Site made;
        made.opcode = opcode;
        made.text = std::move(text);
        return made;
    };
    first.sites = {site("mov.u32", "mov.u32 %r1, %tid.x;"), site("add.s32", "add.s32 %r2, %r1, 4;"),
                   site("st.global.u32", "st.global.u32 [%rd1], %r2;")};
    second.sites = {site("mov.u32", "mov.u32 %r7, %tid.x;"), site("mul.lo.s32", "mul.lo.s32 %r9, %r7, 3;"),
                    site("add.s32", "add.s32 %r8, %r9, 4;"),
                    site("st.global.u32", "st.global.u32 [%rd1], %r8;")};
    const auto pairs = same_registers(first, second);
    EXPECT_EQ(pairs.at("%r2"), "%r8");
    EXPECT_EQ(pairs.at("%rd1"), "%rd1");
    EXPECT_FALSE(pairs.contains("%r1")) << "in one of two places it is %r7, in the other %r9";
}

/// Values of both runs at the step of `spot` and at the one that corresponds.
class ValuesOfTwo : public ViewStage {
  public:
    ValuesOfTwo(std::shared_ptr<const Scene> before, std::shared_ptr<const Scene> after, const Spot& spot,
                ImVec2 size = {1600, 1000})
        : ViewStage(make_values_view(), after, size) {
        baseline = before;
        interactive = false;
        selection.chosen = spot;
        now_ = ask(*after, spot);
        if (const auto same = same_step(*after, spot, *before)) was_ = ask(*before, *same);
        values = &now_;
        baseline_values = &was_;
    }
    const StepValues& now() const { return *now_.found; }
    const StepValues& was() const { return *was_.found; }

  private:
    static ValuesState ask(const Scene& scene, const Spot& spot) {
        static const auto pipeline = make_pipeline();
        const auto read = [](const Scene& of, const ValuesQuestion& question, const auto& cancelled) {
            return values_of_scene(*pipeline, of, question, cancelled);
        };
        return read_values(read, scene, question_of_spot(*scene.trace, spot), [] { return false; });
    }
    ValuesState now_, was_;
};

std::shared_ptr<const Scene> numbered(std::shared_ptr<const Scene> scene, std::uint64_t generation) {
    auto copy = std::make_shared<Scene>(*scene);
    copy->generation = generation;
    return copy;
}

/// The step that multiplies with `a`, the knob that differs.
TEST(values_of_two_runs, mark_each_register_that_differs) {
    const auto before = numbered(timed_kernel("saxpy", {{"n", "512"}, {"a", "2"}}), 1),
               after = numbered(timed_kernel("saxpy", {{"n", "512"}, {"a", "3"}}), 2);
    const auto order = sites_in_order(*after->trace, after->trace->warps.front());
    const auto& sites = after->trace->program.sites;
    std::uint64_t step = 0;
    while (step < order.size() && !sites[order[step]].opcode.starts_with("fma")) ++step;
    ASSERT_LT(step, order.size());
    for (const ImVec2 size : {ImVec2(800, 600), ImVec2(1280, 720), ImVec2(1600, 1000)}) {
        ValuesOfTwo stage(before, after, step_of(*after, 0, 0, step, 7), size);
        const std::string words = drawn_words(stage);
        // One PTX: registers have the same names.
        std::size_t differ = 0;
        for (const RegisterValue& value : stage.now().registers)
            for (const RegisterValue& other : stage.was().registers)
                differ += value.name == other.name && value.state.written_after.has(7) &&
                          register_text(value, 7, true) != register_text(other, 7, true);
        ASSERT_GT(differ, 0u);
        EXPECT_THAT(words, HasSubstr(fmt::format("first run → second run: {} of ", differ)));
        EXPECT_THAT(words, HasSubstr("registers of lane 7 differ"));
        const RegisterValue* result = nullptr;
        for (const RegisterValue& value : stage.now().registers)
            if (value.result) result = &value;
        ASSERT_TRUE(result);
        const HitBox *now = stage.headless.find("values register " + result->name),
                     *was = stage.headless.find("values before register " + result->name);
        ASSERT_TRUE(now && was);
        EXPECT_FLOAT_EQ(now->min.y, was->min.y) << "beside each other";
        expect_legible(stage, size);
    }
}

TEST(values_of_two_runs, rows_of_registers_correspond) {
    const auto before =
                   numbered(timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "0"}}), 1),
               after =
                   numbered(timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "1"}}), 2);
    const Spot spot = *same_step(*before, step_of(*before, 0, 1, 60, 3), *after);
    ValuesOfTwo stage(before, after, spot);
    const auto to_before = same_registers(after->trace->program, before->trace->program),
               to_after = same_registers(before->trace->program, after->trace->program);
    const ComparedRows rows = paired_rows({stage.was(), stage.now(), to_before, to_after, "a", "b"});
    ASSERT_EQ(rows.before.size(), rows.after.size());
    std::size_t both = 0, differ = 0;
    for (std::size_t i = 0; i < rows.after.size(); ++i) {
        const RegisterRow &was = rows.before[i], &now = rows.after[i];
        EXPECT_FALSE(was.index == RegisterRow::nothing && now.index == RegisterRow::nothing);
        if (was.index == RegisterRow::nothing || now.index == RegisterRow::nothing) {
            EXPECT_FALSE(was.differs || now.differs);
            continue;
        }
        const RegisterValue &old = stage.was().registers[was.index],
                            &value = stage.now().registers[now.index];
        EXPECT_EQ(to_before.at(value.name), old.name);
        EXPECT_EQ(to_after.at(old.name), value.name);
        const bool differs = register_text(old, 3, true) != register_text(value, 3, true);
        EXPECT_EQ(was.differs, differs);
        EXPECT_EQ(now.differs, differs);
        ++both;
        differ += differs ? 1 : 0;
    }
    EXPECT_EQ(rows.both, both);
    EXPECT_EQ(rows.differ, differ);
    EXPECT_GT(differ, 0u) << "padded indices";
    EXPECT_THAT(drawn_words(stage), HasSubstr("not compared: its sizes differ"));
}

TEST(values_of_two_runs, say_why_they_are_not_compared) {
    const auto before = numbered(timed_kernel("matmul_naive", {{"N", "64"}}), 1),
               after = numbered(timed_kernel("saxpy", {{"n", "512"}}), 2);
    ValuesOfTwo other(before, after, step_of(*after, 0, 0, 3));
    EXPECT_THAT(drawn_words(other),
                AllOf(HasSubstr("first run has no step that corresponds: it runs another kernel"),
                      HasSubstr("Step 3, warp 0"), Not(HasSubstr("second run"))));
    ValuesOfTwo unread(numbered(timed_kernel("saxpy", {{"n", "1024"}}), 1), after, step_of(*after, 0, 0, 3));
    unread.baseline_values = nullptr;
    EXPECT_THAT(drawn_words(unread), HasSubstr("first run has no values: the CPU engine has not read them."));
    ValuesState waits;
    waits.running = true;
    unread.baseline_values = &waits;
    EXPECT_THAT(drawn_words(unread), HasSubstr("The block of first run is executed again"));
    unread.values = nullptr;
    EXPECT_THAT(drawn_words(unread), HasSubstr("second run has no values to compare with first run."));
}

/// In the window: the question about the baseline follows the selection.
TEST(values_of_two_runs, ask_for_the_step_that_corresponds) {
    const auto before =
                   numbered(timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "0"}}), 1),
               after =
                   numbered(timed_kernel("scan_blelloch", {{"n", "128"}, {"block", "64"}, {"PAD", "1"}}), 2);
    ValuesOfTwo stage(before, after, step_of(*after, 0, 1, 81, 3));
    stage.interactive = true;
    stage.headless.frame(2);
    const auto same = same_step(*after, stage.selection.chosen, *before);
    ASSERT_TRUE(same) << same.error().message;
    ASSERT_TRUE(stage.commands.ask_baseline_values);
    EXPECT_EQ(stage.commands.ask_baseline_values->at.step, same->step);
    EXPECT_EQ(stage.commands.ask_baseline_values->lane, 3);
    EXPECT_NE(same->step, stage.selection.chosen.step);
    ASSERT_TRUE(stage.headless.click("values step +"));
    stage.headless.frame(2);
    const auto next = same_step(*after, stage.selection.chosen, *before);
    ASSERT_TRUE(next) << next.error().message;
    EXPECT_EQ(stage.commands.ask_baseline_values->at.step, next->step);
}

TEST(cell_text, keeps_the_size_of_a_number_in_a_narrow_cell) {
    std::string narrow, wide, whole, nothing, small, beside;
    int digits = 0, all = -1;
    std::vector<std::string> fractions, wholes;
    Headless ui(
        [&](const Theme& theme) {
            ImGui::Begin("cells");
            const Ink ink{ImGui::GetWindowDrawList(), theme};
            narrow = cell_text(ink, "10240.0", text_width(theme.fonts.small, "1024"));
            wide = cell_text(ink, "10240.0", text_width(theme.fonts.small, "10240.0"));
            whole = cell_text(ink, "-105808", text_width(theme.fonts.small, "-10580"));
            small = cell_text(ink, "0.00866012", text_width(theme.fonts.small, "9e-3"));
            nothing = cell_text(ink, "105808", text_width(theme.fonts.small, "10"));
            const std::string row[] = {"0.5665615", "0.25"};
            digits = digits_that_fit(ink, row, text_width(theme.fonts.small, "0.5666"));
            all = digits_that_fit(ink, row, text_width(theme.fonts.small, "0.5665615"));
            const std::string mixed[] = {"0.5665615", "0.0807", "1.0", "true"};
            fractions = cell_texts(ink, mixed, text_width(theme.fonts.small, "0.08") + 1);
            const std::string sums[] = {"1111", "7888", "12"};
            wholes = cell_texts(ink, sums, text_width(theme.fonts.small, "7.9k") + 1);
            beside = cell_text(ink, "0.7457812", text_width(theme.fonts.small, "0.5665615"), 4);
            ImGui::End();
        },
        {400, 200});
    ui.frame();
    EXPECT_EQ(narrow, "10k");
    EXPECT_EQ(wide, "10240.0");
    EXPECT_EQ(whole, "-106k");
    EXPECT_EQ(small, "9e-3");
    EXPECT_EQ(nothing, "…") << "half a number is another number";
    EXPECT_EQ(digits, 4);
    EXPECT_EQ(all, 0) << "nothing needs to be shortened";
    EXPECT_THAT(fractions, testing::ElementsAre("0.57", "0.08", "1.00", "true")) << "equally many decimals";
    EXPECT_THAT(wholes, testing::ElementsAre("1.1k", "7.9k", "12"))
        << "1111 would fit, its neighbour would not";
    EXPECT_EQ(beside, "0.7458") << "as its neighbours, though more would fit";
}

}  // namespace
}  // namespace warplens::app
