#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/scene/default_selection.h"
#include "app/ui/number.h"
#include "app/views/banks/parts.h"
#include "app/views/banks/request.h"
#include "app/views/shared/access_choice.h"
#include "app/views/shared/access_words.h"
#include "tests/app/catalogue_stage.h"
#include "trace/query.h"

namespace warplens::app {
std::unique_ptr<View> make_banks_view();

namespace {

constexpr std::uint32_t row_store = 6, column_load = 8;  // lines of the synthetic kernel

TEST(banks_view, tells_a_newcomer_what_to_do_before_the_first_run) {
    ViewStage stage(make_banks_view(), nullptr);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("No kernel has run yet"));
}

TEST(banks_view, says_that_a_kernel_without_shared_requests_has_none) {
    ViewStage stage(make_banks_view(), stage_scene(trace::ExampleShape::empty()));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("no shared-memory request"));
}

TEST(banks_view, begins_with_the_worst_request_and_gives_its_numbers) {
    ViewStage stage(make_banks_view(), stage_scene(trace::ExampleShape::tiny()));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("32 wavefronts"));
    EXPECT_TRUE(stage.headless.shows("(ideal 1)"));
    EXPECT_TRUE(stage.headless.shows("line 8"));
    EXPECT_TRUE(stage.headless.shows("simulated 2 of 1,024 blocks"));
}

TEST(banks_view, shows_the_request_that_is_chosen_elsewhere) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    stage.selection.chosen.access = find_request(*scene->trace, Space::shared, row_store);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("no conflict"));
    EXPECT_TRUE(stage.headless.shows("tile[threadIdx.x]"));
}

TEST(banks_view, keeps_its_request_when_something_else_is_chosen) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    stage.headless.frame(2);
    stage.selection.chosen.access = find_request(*scene->trace, Space::global, 6);
    stage.selection.chosen.site = scene->trace->accesses[stage.selection.chosen.access].site;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("32 wavefronts"));
}

TEST(banks_view, steps_to_the_next_site_by_its_arrow) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("banks site next"));
    stage.headless.frame();
    ASSERT_LT(stage.selection.chosen.access, scene->trace->accesses.size());
    EXPECT_EQ(scene->trace->program.sites[stage.selection.chosen.site].line, row_store);
    EXPECT_TRUE(stage.headless.shows("no conflict"));
}

TEST(banks_view, steps_through_the_requests_of_a_warp_and_stops_at_the_last) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("banks request next"));
    stage.headless.frame();
    EXPECT_TRUE(stage.headless.shows("request 2 of 2"));
    const std::uint64_t last = stage.selection.chosen.access;
    stage.headless.click("banks request next");
    EXPECT_EQ(stage.selection.chosen.access, last);
}

TEST(banks_view, tries_paddings_when_asked_and_lists_them_best_first) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    BankFixState state;
    stage.bank_fixes = &state;
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("try paddings"));
    stage.headless.frame();
    ASSERT_TRUE(stage.commands.try_bank_fixes) << "the session is asked, nothing is computed in a frame";
    state = bank_fixes_of(*scene, *stage.commands.try_bank_fixes);
    ASSERT_TRUE(state.found) << state.failure;
    stage.commands = {};
    stage.headless.frame(2);
    EXPECT_FALSE(stage.commands.try_bank_fixes) << "once is enough";
    const analysis::BankFixes& fixes = state.found->fixes;
    EXPECT_TRUE(stage.headless.shows("Alternative layouts of"));
    EXPECT_TRUE(stage.headless.shows(name_of(fixes.best(), fixes.array)));
    EXPECT_TRUE(stage.headless.shows(grouped(fixes.best().wavefronts)));
    EXPECT_TRUE(stage.headless.shows("as it is now"));
    EXPECT_TRUE(stage.headless.shows(change_of(fixes.best(), fixes.array)));
    // Another scene asks again.
    auto next = std::make_shared<Scene>(*scene);
    next->generation = 2;
    stage.scene = next;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.commands.try_bank_fixes);
    ASSERT_TRUE(stage.headless.click("close paddings"));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("Alternative layouts of"));
}

/// The fixes that were found for the column's load, with the knob that `add_knob` puts into them.
template <class AddKnob>
BankFixState fixes_of(const Scene& scene, AddKnob&& add_knob) {
    BankFixState state = bank_fixes_of(scene, "");
    if (!state.found) return state;
    auto with_knob = std::make_shared<BankFixRun>(*state.found);
    add_knob(*with_knob);
    state.found = with_knob;
    state.array = shared_array_of(*scene.trace, find_request(*scene.trace, Space::shared, column_load));
    return state;
}

TEST(banks_view, a_row_that_a_knob_makes_is_a_button_and_a_swizzle_is_none) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    const BankFixState state = fixes_of(*scene, [](BankFixRun& run) { run.settings = {{1, {"PAD", "1"}}}; });
    ASSERT_TRUE(state.found) << state.failure;
    stage.bank_fixes = &state;
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("try paddings"));
    stage.headless.frame(2);
    int rows = 0, buttons = 0;
    for (; stage.headless.find(fmt::format("padding {}", rows)); ++rows) {
        stage.commands.set_parameters.clear();
        stage.headless.click(fmt::format("padding {}", rows));
        if (stage.commands.set_parameters.empty()) continue;
        ++buttons;
        EXPECT_EQ(stage.commands.set_parameters.back().name, "PAD");
        EXPECT_EQ(stage.commands.set_parameters.back().value, "1");
    }
    EXPECT_GT(rows, 1);
    EXPECT_EQ(buttons, 1);
}

TEST(banks_view, offers_the_knob_that_makes_the_pad_and_no_button_where_nothing_conflicts) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    const BankFixState state = fixes_of(*scene, [](BankFixRun& run) { run.setting = {"PAD", "1"}; });
    ASSERT_TRUE(state.found) << state.failure;
    stage.bank_fixes = &state;
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("try paddings"));
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("padding knob"));
    stage.headless.frame();
    ASSERT_FALSE(stage.commands.set_parameters.empty());
    EXPECT_EQ(stage.commands.set_parameters.back().name, "PAD");

    ViewStage calm(make_banks_view(), scene);
    calm.bank_fixes = &state;
    calm.selection.chosen.access = find_request(*scene->trace, Space::shared, row_store);
    calm.headless.frame(2);
    EXPECT_FALSE(calm.headless.find("try paddings"));
}

TEST(banks_view, a_click_on_the_heatmap_chooses_a_request_of_the_kernel) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    stage.headless.frame(2);
    const HitBox* map = stage.headless.find("banks heatmap");
    ASSERT_NE(map, nullptr);
    const ImVec2 first_column{map->min.x + 58, map->centre().y};
    stage.headless.move_mouse(first_column);
    stage.headless.frame(2);
    ASSERT_NE(stage.hovered().site, no_index);
    EXPECT_EQ(scene->trace->program.sites[stage.hovered().site].line, row_store);
    stage.headless.click_at(first_column);
    EXPECT_EQ(stage.selection.chosen.access, find_request(*scene->trace, Space::shared, row_store));
}

TEST(banks_view, hovering_a_lane_writes_its_bank_out_and_marks_it_in_the_other_views) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_banks_view(), scene);
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.hover("banks lane 5"));
    stage.headless.frame(2);
    EXPECT_EQ(stage.hovered().lane, 5);
    EXPECT_TRUE(stage.headless.shows("160 mod 32 = 0"));  // tile[5 × 32 + 0]
    stage.headless.click("banks lane 5");
    EXPECT_EQ(stage.selection.chosen.lane, 5);
}

TEST(banks_view, follows_a_new_scene_and_a_stale_selection) {
    ViewStage stage(make_banks_view(), stage_scene({8, 256, 3}, 1));
    stage.selection.chosen.access = stage.scene->trace->accesses.size() - 1;
    stage.selection.chosen.warp_record = 60;
    stage.headless.frame(2);
    stage.scene = stage_scene(trace::ExampleShape::tiny(), 2);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("32 wavefronts"));
    stage.scene = nullptr;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("No kernel has run yet"));
}

/// The example with its tile declared with rows of `pitch` words and addressed so.
std::shared_ptr<Scene> padded_scene(std::uint64_t pitch, std::uint64_t generation) {
    const auto scene = stage_scene(trace::ExampleShape::tiny(), generation);
    auto recorded = std::make_shared<trace::Trace>(*scene->trace);
    recorded->program.sources[0].text =
        "__shared__ float tile[32][" + std::to_string(pitch) + "];\n" + recorded->program.sources[0].text;
    recorded->program.variables[0].bytes = 32 * pitch * 4;
    scene->trace = recorded;
    return scene;
}

TEST(banks_view, moves_the_colours_for_a_moment_when_the_padding_changes_and_asks_for_frames_until_then) {
    ViewStage stage(make_banks_view(), padded_scene(32, 1));
    stage.motion = true;
    stage.headless.frame(2);
    EXPECT_FALSE(stage.commands.redraw);
    stage.scene = padded_scene(33, 2);
    stage.headless.frame();
    EXPECT_TRUE(stage.headless.shows("tile[32][33]"));
    EXPECT_TRUE(stage.commands.redraw);
    stage.commands.redraw = false;
    stage.headless.frame(60);
    stage.commands.redraw = false;
    stage.headless.frame();
    EXPECT_FALSE(stage.commands.redraw);

    stage.motion = false;
    stage.scene = padded_scene(34, 3);
    stage.headless.frame(2);
    EXPECT_FALSE(stage.commands.redraw);
}

TEST(banks_view, draws_every_size_and_theme_inside_its_region) {
    const auto scene = stage_scene({4, 256, 4});
    for (const ThemeName theme : {ThemeName::dark, ThemeName::light})
        for (const ImVec2 size :
             {ImVec2{640, 400}, ImVec2{300, 900}, ImVec2{1280, 800}, ImVec2{3840, 2160}}) {
            ViewStage stage(make_banks_view(), scene, size, theme);
            stage.interactive = false;
            stage.headless.frame(2);
            EXPECT_GT(stage.headless.vertices(), 1000);
            for (const char* part : {"banks lanes", "banks array", "banks heatmap"}) {
                const HitBox* box = stage.headless.find(part);
                ASSERT_NE(box, nullptr) << part;
                EXPECT_LE(box->max.x, size.x) << part;
                EXPECT_LE(box->max.y, size.y) << part;
                EXPECT_GT(box->max.x, box->min.x) << part;
                EXPECT_GT(box->max.y, box->min.y) << part;
            }
        }
}

TEST(banks_view, a_large_trace_costs_no_more_to_draw_than_a_small_one) {
    ViewStage small(make_banks_view(), stage_scene({8, 1024, 8}));
    ViewStage large(make_banks_view(), stage_scene(trace::ExampleShape::huge(400'000)));
    small.headless.frame(2);
    large.headless.frame(2);
    EXPECT_TRUE(large.headless.shows("32 wavefronts"));
    EXPECT_TRUE(large.headless.shows("requests of block 0"));
    EXPECT_LT(large.headless.vertices(), 2 * small.headless.vertices());
}

TEST(banks_view, says_what_a_column_shows_that_stands_for_several_requests) {
    constexpr std::uint32_t rounds = 100;  // of 2 sites and 8 warps, which share 320 columns
    ViewStage many(make_banks_view(), stage_scene({8, 256, rounds}), {1920, 1080});
    many.headless.frame(2);
    EXPECT_TRUE(many.headless.shows("a column stands for up to 5, each bank at its worst"));
    ViewStage few(make_banks_view(), stage_scene(trace::ExampleShape::tiny()));
    few.headless.frame(2);
    EXPECT_FALSE(few.headless.shows("stands for"));
}

trace::Trace with_request(std::uint32_t bytes, const trace::Addresses& addresses, LaneMask mask) {
    trace::Trace trace;
    Site site;
    site.opcode = "ld.shared";
    site.kind = SiteKind::memory;
    site.space = Space::shared;
    site.operation = Operation::load;
    site.bytes_per_lane = bytes;
    trace.program.sites.push_back(site);
    trace.accesses.push_back({0, mask, 0, 0, Space::shared, true});
    for_each_lane(mask,
                  [&](int lane) { trace.exceptions.push_back(addresses[static_cast<std::size_t>(lane)]); });
    return trace;
}

TEST(bank_request, gives_one_token_to_each_word_and_merges_lanes_that_share_it) {
    trace::Addresses addresses{};
    for (std::size_t lane = 0; lane < 32; ++lane) addresses[lane] = lane / 2 * 128;  // 16 words of bank 0
    const BankRequest request = bank_request(with_request(4, addresses, LaneMask::all()), 0);
    ASSERT_EQ(request.tokens.size(), 16u);
    for (const BankToken& token : request.tokens) {
        EXPECT_EQ(token.bank, 0);
        EXPECT_EQ(token.lanes.count(), 2);
    }
    EXPECT_EQ(request.wavefronts(), 16u);
    EXPECT_EQ(request.banks_used, 1);
}

TEST(bank_request, no_bank_gives_two_words_in_one_wavefront_of_any_width) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
        for (const std::uint64_t stride : {0u, 1u, 2u, 3u, 8u, 17u, 32u}) {
            trace::Addresses addresses{};
            for (std::size_t lane = 0; lane < 32; ++lane) addresses[lane] = lane * stride * bytes;
            const BankRequest request = bank_request(with_request(bytes, addresses, LaneMask::all()), 0);
            ASSERT_EQ(request.group_of.size(), request.wavefronts()) << bytes << " bytes, stride " << stride;
            for (const BankToken& token : request.tokens) {
                ASSERT_LT(token.wavefront, request.wavefronts());
                const LaneMask served = request.detail.wavefronts[token.wavefront];
                EXPECT_EQ(token.lanes & served, token.lanes) << bytes << " bytes, stride " << stride;
                for (const BankToken& other : request.tokens)
                    if (&other != &token && other.wavefront == token.wavefront) {
                        EXPECT_NE(other.bank, token.bank);
                    }
            }
        }
}

TEST(bank_request, writes_the_arithmetic_of_a_lane_out) {
    trace::Addresses addresses{};
    for (std::size_t lane = 0; lane < 32; ++lane) addresses[lane] = (lane * 33 + 3) * 4;
    const BankRequest request = bank_request(with_request(4, addresses, LaneMask::all()), 0);
    analysis::SharedLayout layout;
    layout.variable = "tile";
    layout.bytes = 32 * 33 * 4;
    layout.pitch_bytes = 33 * 4;
    layout.rows = 32;
    layout.columns = 33;
    layout.pitch_known = true;
    layout.cells.resize(32 * 33);
    EXPECT_EQ(bank_arithmetic(request, layout, 5),
              "lane 5 reads tile[5][3]: word 5 × 33 + 3 = 168 · bank = 168 mod 32 = 8");
    EXPECT_EQ(bank_arithmetic(request, layout, 40), "lane 40 is inactive in this request");
}

TEST(access_words, find_the_index_expression_that_a_load_or_a_store_means) {
    EXPECT_EQ(
        index_expression("output[y * H + x] = tile[threadIdx.x][threadIdx.y];", "tile", Operation::load),
        "tile[threadIdx.x][threadIdx.y]");
    EXPECT_EQ(index_expression("tile[a[i]][j] = tile[k][l];", "tile", Operation::store), "tile[a[i]][j]");
    EXPECT_EQ(index_expression("tile[a[i]][j] = tile[k][l];", "tile", Operation::load), "tile[k][l]");
    EXPECT_EQ(index_expression("sums[t] += sums[t + s];", "sums", Operation::store), "sums[t]");
    EXPECT_EQ(index_expression("sums[t] += sums[t + s];", "sums", Operation::load), "");
    EXPECT_EQ(index_expression("x = my_tile[i];", "tile", Operation::load), "");
    EXPECT_EQ(index_expression("if (in[i] <= 3)", "in", Operation::load), "in[i]");
    EXPECT_EQ(index_expression("x = in[i", "in", Operation::load), "");
    EXPECT_EQ(index_expression("x = all[i].place.x;", "all", Operation::load), "all[i].place.x");
}

TEST(banks_view, the_arrays_of_two_runs_take_the_room_that_few_wavefronts_leave) {
    const auto strip_end = [](const char* before, const char* after) {
        auto was = std::make_shared<Scene>(*timed_kernel("transpose_tiled", {{"PAD", before}}));
        auto now = std::make_shared<Scene>(*timed_kernel("transpose_tiled", {{"PAD", after}}));
        was->generation = 1;
        now->generation = 2;
        ViewStage stage(make_banks_view(), now, {1280, 720});
        stage.interactive = false;
        stage.baseline = was;
        stage.selection.chosen = default_selection(*now, "banks");
        stage.headless.frame(2);
        const HitBox* strip = stage.headless.find("banks after");
        EXPECT_TRUE(strip);
        return strip ? strip->max.x : 0;
    };
    EXPECT_LT(strip_end("2", "1"), 640);
    EXPECT_GT(strip_end("0", "1"), 640) << "32 wavefronts need the room themselves";
}

TEST(banks_view, the_legend_explains_the_sign_for_several_lanes) {
    const auto legend_of = [](const char* kernel) {
        const auto scene = std::make_shared<Scene>(*timed_kernel(kernel));
        ViewStage stage(make_banks_view(), scene, {1872, 1000});
        stage.interactive = false;
        stage.selection.chosen = default_selection(*scene, "banks");
        stage.headless.frame(2);
        EXPECT_TRUE(stage.headless.shows("faint numbers: bank 0"));
        return stage.headless.shows("×: by how many");
    };
    EXPECT_TRUE(legend_of("matmul_tiled")) << "two lanes load each element";
    EXPECT_FALSE(legend_of("transpose_tiled"));
}

}  // namespace
}  // namespace warplens::app
