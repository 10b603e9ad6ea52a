// A bare .cubin in the window: its launch is entered in the form, it runs at the machine level, every view
// draws it, and what needs a text or PTX says so.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "app/pipeline/gpu/gpu.h"
#include "app/pipeline/machine_scene.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/scene/site_costs.h"
#include "app/scene/time_scene.h"
#include "app/scene/view_list.h"
#include "app/session/own_file/own_file.h"
#include "app/window/folder_listing.h"
#include "app/window/frame.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/app/example_scene.h"
#include "tests/app/session_folder.h"
#include "tests/support/folders.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class OwnCubin : public SessionFolder {
  protected:
    const fs::path stored = fs::path(source_folder()) / "tests/hardware/machine_code/code/softmax_rows.cubin";
    std::shared_ptr<Pipeline> pipeline = make_pipeline();
    Engines engines{pipeline, gpu_of_this_machine(), "", 2};
    Session session{example_catalogue(),
                    [this](const RunRequest& request, const std::function<bool()>& cancelled) {
                        return engines.run_scene(request, cancelled);
                    },
                    [] {}, timing_model()};
    FindEntries find = [this](const instrumentation::KernelFile& kernel) {
        LaunchRequest asked;
        asked.kernel = std::make_shared<const instrumentation::KernelFile>(kernel);
        return pipeline->entries(asked);
    };
    OwnFile own{session, find};

    void SetUp() override {
        SessionFolder::SetUp();
        session.set_machine_runner(
            [this](const Scene& scene, const std::function<bool()>& cancelled) {
                return machine_code_of(*pipeline, scene, cancelled);
            },
            std::chrono::milliseconds{0});
        const auto kernel = instrumentation::load_kernel_file(stored.string());
        ASSERT_TRUE(kernel) << kernel.error().message;
        if (const auto listed = find(*kernel); !listed)
            GTEST_SKIP() << "needs the machine level: " << listed.error().message;
    }
    std::string file() const {
        fs::copy_file(stored, folder / "softmax.cubin", fs::copy_options::overwrite_existing);
        return (folder / "softmax.cubin").string();
    }
    template <class Condition>
    bool eventually(Condition&& condition) {
        for (int i = 0; i < 4000; ++i) {
            own.poll(0);
            session.poll();
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
    bool lists_kernels() {
        return eventually([&] { return !own.entries().empty() || !session.failure().empty(); });
    }
    /// 96 rows of 1000 columns.
    bool runs() {
        auto& arguments = own.draft().arguments;
        own.draft().grid = {"96", "", ""};
        own.draft().block = {"256", "", ""};
        for (std::size_t i = 0; i < 2; ++i) arguments[i].length = "96000";
        arguments[0].fill = "random";
        instrumentation::set_type(arguments[2], "i32");
        arguments[2].value = "1000";
        own.use_draft();
        own.stop_asking();
        return eventually([&] { return !session.busy() && session.scene(); });
    }
};

TEST_F(OwnCubin, is_launched_from_the_form_by_the_sizes_of_its_parameters) {
    ASSERT_TRUE(own.open(file()));
    ASSERT_TRUE(lists_kernels()) << session.failure();
    EXPECT_TRUE(own.asks_for_launch());
    EXPECT_EQ(own.draft().entry, "softmax_rows");
    const auto& arguments = own.draft().arguments;
    ASSERT_EQ(arguments.size(), 3u);
    EXPECT_EQ(arguments[0].kind, instrumentation::DraftArgument::Kind::buffer);
    EXPECT_THAT(instrumentation::types_that_fit(arguments[0]), ElementsAre("buffer", "i64", "u64", "f64"));
    EXPECT_THAT(instrumentation::types_that_fit(arguments[2]), ElementsAre("i32", "u32", "f32"));
    ASSERT_TRUE(runs()) << session.failure();
    const Scene& scene = *session.scene();
    EXPECT_EQ(session.failure(), "");
    EXPECT_EQ(level_of_counts(scene), Level::machine);
    EXPECT_EQ(scene.gpu->name, "H200");
    // 222,816 warp instructions in 96 blocks on an H200; a picture executes some of them.
    EXPECT_EQ(scene.report->steps * 96, 222816 * scene.blocks_executed);
    EXPECT_EQ(scene.parameters.at("arg2"), instrumentation::Value{std::int64_t{1000}});
    session.set_parameter("arg2", "500");
    ASSERT_TRUE(eventually([&] { return !session.busy(); }));
    EXPECT_LT(session.scene()->report->steps * 96, 222816 * session.scene()->blocks_executed);
}

TEST_F(OwnCubin, takes_a_real_number_for_an_argument_of_four_bytes) {
    instrumentation::DraftArgument argument;
    argument.name = "arg2";
    argument.written_type = "b32";
    instrumentation::set_type(argument, "f32");
    argument.value = "2.5";
    instrumentation::LaunchDraft draft;
    draft.entry = "k";
    draft.grid = draft.block = {"1", "", ""};
    draft.arguments = {argument};
    EXPECT_TRUE(instrumentation::check_draft(draft).empty());
    const auto file = instrumentation::with_launch({}, draft);
    EXPECT_EQ(file.parameters[0].type, "f32");
    EXPECT_THAT(instrumentation::flags_of(draft), HasSubstr("--arg f32=2.5"));
}

TEST_F(OwnCubin, every_view_draws_it_and_the_editor_says_that_it_is_no_text) {
    ASSERT_TRUE(own.open(file()));
    ASSERT_TRUE(lists_kernels());
    Layout layout;
    Frame frame(session, layout);
    frame.set_own_file(&own);
    Headless ui{[&](const Theme& theme) { frame.draw(theme); }, {1760, 1200}};
    ui.frame(3);
    EXPECT_TRUE(ui.shows("Machine code does not say how it is launched."));
    EXPECT_FALSE(ui.find("launch keep"));
    EXPECT_TRUE(ui.shows("softmax_rows is machine code: there is no text to edit.") ||
                ui.shows("softmax is machine code: there is no text to edit."));
    ASSERT_TRUE(ui.click("kind 2"));
    ui.frame();
    ASSERT_TRUE(ui.click("kind 2 f32"));
    ui.frame();
    EXPECT_EQ(own.draft().arguments[2].scalar_type, "f32");
    ASSERT_TRUE(runs()) << session.failure();
    ASSERT_TRUE(eventually([&] { return session.scene()->machine != nullptr; }));
    for (const ViewRow& view : view_rows()) {
        SCOPED_TRACE(view.name);
        frame.open_view(view.name);
        ui.frame(3);
        EXPECT_GT(ui.vertices(), 0);
        EXPECT_EQ(session.failure(), "");
    }
}

/// The trace is of the instructions that are timed: nothing is carried to those of a PTX. The window chooses
/// the most expensive line before the session has asked for the machine code.
TEST_F(OwnCubin, costs_are_those_of_its_own_instructions) {
    ASSERT_TRUE(own.open(file()));
    ASSERT_TRUE(lists_kernels());
    ASSERT_TRUE(runs()) << session.failure();
    ASSERT_TRUE(eventually([&] { return session.scene()->machine != nullptr; }));
    for (const bool has_code : {false, true}) {
        Scene scene = *session.scene();
        if (!has_code) scene.machine = nullptr;
        const auto costs = site_costs(scene, Level::machine);
        ASSERT_TRUE(costs);
        EXPECT_EQ(costs->level, Level::machine);
        const auto& timed = timing_at(scene, Level::machine).timing->cost.sites;
        ASSERT_EQ(costs->cost.sites.size(), timed.size());
        for (std::size_t i = 0; i < timed.size(); ++i)
            EXPECT_EQ(costs->cost.sites[i].exposed, timed[i].exposed) << i;
        EXPECT_GT(std::ranges::count_if(timed, [](const auto& one) { return one.exposed > 0; }), 10);
    }
}

TEST_F(OwnCubin, is_not_changed_and_comes_back_at_the_next_start) {
    const std::string path = file();
    ASSERT_TRUE(own.open(path));
    ASSERT_TRUE(lists_kernels());
    EXPECT_FALSE(own.is_editable());
    const std::string bytes = own.text();
    own.edit("no machine code", 0);
    own.keep_draft_in_text(0);
    EXPECT_EQ(own.text(), bytes);
    EXPECT_THAT(own.save().error().message, HasSubstr("softmax.cubin is machine code"));
    EXPECT_THAT(own.save_as((folder / "other.cu").string()).error().message, HasSubstr("nothing to save"));
    ASSERT_TRUE(runs()) << session.failure();
    session.keep_baseline();

    Layout layout;
    Frame frame(session, layout);
    frame.set_own_file(&own);
    const SavedSession saved = frame.saved();
    ASSERT_TRUE(saved.own);
    EXPECT_FALSE(saved.own->unsaved);
    EXPECT_TRUE(saved.own->launch_in_use);
    ASSERT_TRUE(save_session(saved, this->path));
    EXPECT_EQ(load_session(this->path)->value(), saved);

    OwnFile next(session, find);
    ASSERT_TRUE(next.open(saved.own->path));
    next.restore_draft(*saved.own->launch, saved.own->launch_in_use);
    EXPECT_FALSE(next.asks_for_launch());
}

TEST_F(OwnCubin, is_kept_as_a_baseline_for_the_next_start_with_its_bytes_and_launch) {
    ASSERT_TRUE(own.open(file()));
    ASSERT_TRUE(lists_kernels());
    ASSERT_TRUE(runs()) << session.failure();
    session.set_parameter("arg2", "500");
    ASSERT_TRUE(eventually([&] { return !session.busy(); }));
    session.keep_baseline();
    const std::uint64_t steps = session.scene()->report->steps;
    const auto kernel = session.scene()->kernel;
    Layout layout;
    const SavedSession saved = Frame(session, layout).saved();
    ASSERT_EQ(saved.baselines.size(), 1u);
    ASSERT_TRUE(save_session(saved, path));
    fs::remove(folder / "softmax.cubin");

    session.baselines.remove(0);
    Frame(session, layout).restore(**load_session(path));
    ASSERT_TRUE(eventually([&] { return session.baselines.all().size() == 1; }));
    const Scene& restored = *session.baselines.all().front().scene;
    EXPECT_EQ(restored.report->steps, steps);
    EXPECT_EQ(restored.kernel->language, instrumentation::Language::cubin);
    EXPECT_EQ(restored.kernel->source, kernel->source);
    EXPECT_EQ(restored.kernel->arguments, kernel->arguments);
    EXPECT_EQ(restored.kernel->entry, kernel->entry);
    EXPECT_EQ(restored.parameters, session.scene()->parameters);
    EXPECT_EQ(Frame(session, layout).saved().baselines, saved.baselines) << "and it would be saved the same";
}

/// With the .ptx of the same file, whichever is the baseline: both are drawn at the machine level, where they
/// are equal, and views of PTX say that a .cubin has none.
TEST_F(OwnCubin, is_compared_with_the_ptx_that_it_was_made_from) {
    const std::string files[] = {file(), (folder / "softmax.ptx").string()};
    fs::path ptx = stored;
    fs::copy_file(ptx.replace_extension(".ptx"), files[1], fs::copy_options::overwrite_existing);
    Layout layout;
    Frame frame(session, layout);
    Headless ui{[&](const Theme& theme) { frame.draw(theme); }, {1760, 1200}};
    const auto run = [&](const std::string& path) {
        return own.open(path) && lists_kernels() && runs() &&
               eventually([&] { return !session.busy() && session.scene()->machine != nullptr; });
    };
    for (const bool cubin_first : {true, false}) {
        SCOPED_TRACE(cubin_first);
        ASSERT_TRUE(run(files[cubin_first ? 0 : 1])) << session.failure();
        session.keep_baseline();
        ASSERT_TRUE(run(files[cubin_first ? 1 : 0])) << session.failure();
        if (const std::string why = why_not_machine_counts(*session.scene()); !why.empty())
            GTEST_SKIP() << "needs NVRTC or ptxas: " << why;
        const Scene* before = session.baselines.chosen()->scene.get();
        ASSERT_NE(level_of_counts(*before), level_of_counts(*session.scene()));
        EXPECT_EQ(common_counts(*session.scene(), before, Level::ptx), Level::machine);
        EXPECT_THAT(session.comparison(Level::ptx)->verdict, HasSubstr("no count changed"));
        for (const ViewRow& view : view_rows()) {
            if (view.place != ViewPlace::centre) continue;  // the others are always open
            SCOPED_TRACE(view.name);
            frame.open_view(view.name);
            ui.frame(3);
            EXPECT_FALSE(ui.shows("with which no PTX is compared"));
            const std::string_view name = view.name;
            EXPECT_EQ(ui.shows("and this view follows PTX, which a .cubin does not have."),
                      name == "values" || name == "tree" || name == "passes");
        }
        frame.open_view("exchange");
        ui.frame(3);
        EXPECT_TRUE(ui.shows("5 steps")) << "a sum over 32 lanes, from SHFL";
    }
}

/// Without NVRTC and ptxas the PTX has no machine level: a count of PTX and one of machine code differ
/// without a reason in the kernel.
TEST_F(OwnCubin, is_not_compared_with_ptx_alone) {
    ASSERT_TRUE(own.open(file()));
    ASSERT_TRUE(lists_kernels());
    ASSERT_TRUE(runs()) << session.failure();
    ASSERT_TRUE(eventually([&] { return session.scene()->machine != nullptr; }));
    session.keep_baseline();
    session.set_machine_runner(
        [](const Scene&, const std::function<bool()>&) {
            MachineCode none;
            none.absent = "There is no machine code here.";
            return std::make_shared<const MachineCode>(std::move(none));
        },
        std::chrono::milliseconds{0});
    fs::path ptx = stored;
    fs::copy_file(ptx.replace_extension(".ptx"), folder / "softmax.ptx");
    ASSERT_TRUE(own.open((folder / "softmax.ptx").string()));
    ASSERT_TRUE(lists_kernels());
    ASSERT_TRUE(runs()) << session.failure();
    ASSERT_TRUE(eventually([&] { return !session.busy() && session.scene()->machine != nullptr; }));
    Layout layout;
    Frame frame(session, layout);
    Headless ui{[&](const Theme& theme) { frame.draw(theme); }, {1760, 1200}};
    for (const auto& [view, compares] :
         {std::pair{"grid", false}, std::pair{"roofline", false}, std::pair{"occupancy", true}}) {
        SCOPED_TRACE(view);
        frame.open_view(view);
        frame.state.filled_view = view;
        ui.frame(3);
        EXPECT_EQ(ui.shows("is machine code, with which no PTX is compared. There is no machine code here."),
                  !compares);
    }
}

TEST_F(OwnCubin, on_a_gpu_is_executed_by_the_cpu_engine_which_is_said) {
    ASSERT_TRUE(own.open(file()));
    ASSERT_TRUE(lists_kernels());
    session.set_engine(Engine::cuda);
    ASSERT_TRUE(runs()) << session.failure();
    EXPECT_EQ(session.engine(), Engine::simt);
    EXPECT_THAT(session.scene()->notice, HasSubstr("a GPU records PTX, which a .cubin does not have"));
}

TEST_F(OwnCubin, that_is_damaged_is_refused_with_its_name) {
    std::ofstream(folder / "torn.cubin") << "\x7f"
                                            "ELF";
    ASSERT_TRUE(own.open((folder / "torn.cubin").string()));
    ASSERT_TRUE(lists_kernels());
    EXPECT_THAT(session.failure(), HasSubstr("torn.cubin"));
    EXPECT_FALSE(own.open((folder / "none.cubin").string()));
}

TEST_F(OwnCubin, is_listed_among_the_files_to_open) {
    file();
    const auto listed = list_folder(folder, FileFilter::kernels);
    ASSERT_TRUE(listed);
    ASSERT_EQ(listed->size(), 1u);
    EXPECT_EQ(listed->front().name, "softmax.cubin");
}

}  // namespace
}  // namespace warplens::app
