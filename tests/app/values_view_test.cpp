// The Values view on real kernels, with the mouse: steps, lanes, words of shared memory and jumps to the
// write before; and the values in Exchange.
#include <gmock/gmock.h>

#include "app/command_line/target.h"
#include "app/pipeline/values/step_values.h"
#include "app/session/values_task.h"
#include "app/ui/number.h"
#include "tests/app/view_stage.h"
#include "trace/query.h"

namespace warplens::app {

std::unique_ptr<View> make_values_view();
std::unique_ptr<View> make_exchange_view();

namespace {

using testing::HasSubstr;

/// A view on a kernel of the catalogue, whose questions are answered between frames.
class AnsweredView {
  public:
    AnsweredView(std::unique_ptr<View> view, const std::string& kernel, ImVec2 size = {1000, 700})
        : stage(std::move(view), run(kernel), size) {
        stage.values = &state_;
        settle();
    }

    void settle() {
        for (int round = 0; round < 4; ++round) {
            stage.headless.frame(2);
            const auto& asked = stage.commands.ask_values;
            if (!asked || (state_.generation != 0 && state_.asked == *asked)) return;
            const auto read = [](const Scene& scene, const ValuesQuestion& question, const auto& cancelled) {
                return values_of_scene(*pipeline(), scene, question, cancelled);
            };
            state_ = read_values(read, *stage.scene, *asked, [] { return false; });
            EXPECT_EQ(state_.failure, "");
        }
    }
    void click(std::string_view box) {
        stage.headless.click(box);
        settle();
    }
    /// Selects the first step of a warp whose opcode begins so.
    void select(std::uint32_t warp, std::string_view opcode, int lane) {
        const trace::Trace& trace = *stage.scene->trace;
        const trace::RecordedSites sites(trace.program);
        const trace::WarpSteps steps(trace, sites, trace.warps[warp]);
        for (std::uint64_t i = 0; i < steps.size(); ++i)
            if (trace.program.sites[steps.at(i).site].opcode.starts_with(opcode)) {
                stage.selection.chosen = {};
                stage.selection.chosen.warp_record = warp;
                stage.selection.chosen.step = static_cast<std::uint32_t>(i);
                stage.selection.chosen.lane = lane;
                return settle();
            }
        FAIL() << opcode;
    }
    std::string words() {
        stage.headless.frame();
        std::string all;
        for (const std::string& one : stage.headless.words()) all += one + "\n";
        return all;
    }
    const StepValues& values() const { return *state_.found; }

    ViewStage stage;

  private:
    static std::shared_ptr<Pipeline> pipeline() {
        static const auto made = make_pipeline();
        return made;
    }
    static std::shared_ptr<const Scene> run(const std::string& name) {
        static const auto all = catalogue();
        for (const auto& kernel : *all)
            if (kernel.name == name) {
                auto scene = pipeline()->run_scene(
                    {std::make_shared<instrumentation::KernelFile>(kernel), {}, "", 0, Engine::simt}, {});
                scene->generation = 1;
                return std::make_shared<const Scene>(std::move(*scene));
            }
        return nullptr;
    }
    ValuesState state_;
};

TEST(values_view, shows_both_values_of_a_race_and_jumps_to_the_store) {
    AnsweredView view(make_values_view(), "missing_barrier");
    view.select(7, "ld.shared", 31);
    EXPECT_THAT(view.words(), HasSubstr("A race: this step reads 0.0"));
    EXPECT_THAT(view.words(), HasSubstr("Who wrote row[0]: 1 write"));
    view.click("values write 0");
    EXPECT_EQ(view.stage.selection.chosen.warp_record, 0u);
    EXPECT_EQ(view.stage.selection.chosen.lane, 0);
    EXPECT_THAT(view.words(), HasSubstr("stores row[0]"));
}

TEST(values_view, steps_and_changes_the_lane) {
    AnsweredView view(make_values_view(), "missing_barrier");
    view.select(1, "st.shared", 3);
    const std::uint32_t step = view.stage.selection.chosen.step;
    view.click("values step +");
    EXPECT_EQ(view.stage.selection.chosen.step, step + 1);
    EXPECT_EQ(view.values().state.at.step, step + 1);
    view.click("values step -");
    view.click("values lane 9");
    EXPECT_EQ(view.stage.selection.chosen.lane, 9);
    EXPECT_THAT(view.words(), HasSubstr("row[41]"));
    view.click("values lane +");
    EXPECT_EQ(view.stage.selection.chosen.lane, 10);
    view.click("values warp -");
    EXPECT_EQ(view.stage.selection.chosen.warp_record, 0u);
}

TEST(values_view, follows_a_word_of_shared_memory_that_is_clicked) {
    AnsweredView view(make_values_view(), "missing_barrier");
    view.select(1, "st.shared", 3);
    ASSERT_TRUE(view.values().history);
    EXPECT_EQ(view.values().history->name, "row[35]");
    view.click("values word 40");
    EXPECT_EQ(view.stage.commands.ask_values->shared_word, 160u);
    EXPECT_EQ(view.values().history->name, "row[40]");
    EXPECT_THAT(view.words(), HasSubstr("Who wrote row[40]"));
    view.click("values lane 4");
    EXPECT_EQ(view.values().history->name, "row[40]") << "the same step: the word is still followed";
    view.click("values step -");
    EXPECT_FALSE(view.stage.commands.ask_values->shared_word);
}

TEST(values_view, words_of_a_row_of_shared_memory_have_equally_many_decimals) {
    AnsweredView view(make_values_view(), "reduce_sequential", {1352, 840});
    view.select(0, "bar.sync", 0);
    EXPECT_THAT(view.words(), HasSubstr("0.9710")) << "as its neighbours, which end in other digits";
}

TEST(values_view, says_why_there_are_none) {
    AnsweredView view(make_values_view(), "missing_barrier");
    view.stage.values = nullptr;
    EXPECT_THAT(view.words(), HasSubstr("executing the block again"));
    ValuesState failed;
    failed.generation = 1;
    failed.failure = "there is not enough memory";
    view.stage.values = &failed;
    EXPECT_THAT(view.words(), HasSubstr("There are no values"));
}

TEST(values_view, says_how_long_it_has_been_waiting_and_for_how_much) {
    AnsweredView view(make_values_view(), "reduce_sequential");
    ValuesState waiting;
    waiting.generation = 1;
    waiting.running = true;
    waiting.since = std::chrono::steady_clock::now();
    view.stage.values = &waiting;
    EXPECT_THAT(view.words(), HasSubstr("The block is executed again …"));
    waiting.since -= std::chrono::seconds(7);
    const std::string words = view.words();
    EXPECT_THAT(words, HasSubstr("for 7 s"));
    EXPECT_THAT(words, HasSubstr(grouped(view.stage.scene->report->steps) + " warp-instructions"));
}

TEST(values_view, fits_small_and_large_rooms) {
    for (const ImVec2 size : {ImVec2{420, 300}, {560, 400}, {1280, 720}, {1900, 1100}}) {
        AnsweredView view(make_values_view(), "reduce_sequential", size);
        EXPECT_THAT(view.words(), HasSubstr("Registers of lane"));
    }
}

TEST(values_view, has_registers_that_differ_between_lanes_where_there_is_no_shared_memory) {
    AnsweredView view(make_values_view(), "saxpy", {1280, 720});
    view.select(0, "ld.global", 0);
    const std::string words = view.words();
    EXPECT_THAT(words, HasSubstr("(index) in every lane"));
    EXPECT_THAT(words, testing::Not(HasSubstr("(n) in every lane"))) << "the same in all lanes";
    // Names first, conditions last.
    EXPECT_LT(words.find("\nblockIdx.x"), words.find("\n%p1"));
    const auto strip = std::ranges::find_if(view.values().registers,
                                            [](const RegisterValue& value) { return value.cuda == "index"; });
    ASSERT_NE(strip, view.values().registers.end());
    view.click("values of " + strip->name + " lane 5");
    EXPECT_EQ(view.stage.selection.chosen.lane, 5);
}

// The partial sums of a warp's reduction, one row per shuffle.
TEST(exchange_view, shows_the_values_that_lanes_give) {
    AnsweredView view(make_exchange_view(), "warp_reduce", {1900, 1100});
    const StepValues& values = view.values();
    ASSERT_EQ(values.state.exchanges.size(), 5u);
    const auto& given = values.state.exchanges;
    for (std::size_t lane = 0; lane < 16; ++lane)
        EXPECT_EQ(static_cast<std::uint32_t>(given[1].before[lane]),
                  static_cast<std::uint32_t>(given[0].before[lane] + given[0].before[lane + 16]));
    EXPECT_THAT(view.words(),
                HasSubstr(std::to_string(static_cast<std::int32_t>(given[4].before[0])) + "\n"));
}

}  // namespace
}  // namespace warplens::app
