// The palette: what is found by which letters, in which order, and that the keyboard alone opens it.
#include "app/window/palette/palette.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "app/ui/letter_keys.h"
#include "app/window/frame.h"
#include "app/window/palette/fuzzy_match.h"
#include "app/window/palette/other_words.h"
#include "core/glossary.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/app/example_scene.h"
#include "tests/support/folders.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

int score(std::string_view query, std::string_view name) {
    const auto match = fuzzy_match(query, name);
    return match ? match->score : -1000000;
}

TEST(fuzzy_match, letters_are_found_in_their_order_and_nothing_else) {
    EXPECT_TRUE(fuzzy_match("ttl", "transpose_tiled"));
    EXPECT_TRUE(fuzzy_match("TRANSPOSE", "transpose_tiled"));
    EXPECT_TRUE(fuzzy_match("tiled trans", "transpose_tiled")) << "words in any order";
    EXPECT_TRUE(fuzzy_match("", "saxpy"));
    EXPECT_FALSE(fuzzy_match("ysaxp", "saxpy"));
    EXPECT_FALSE(fuzzy_match("saxpyy", "saxpy"));
    EXPECT_FALSE(fuzzy_match("saxpy bank", "saxpy")) << "every word has to be found";
}

TEST(fuzzy_match, the_letters_that_were_found_are_those_that_fit_best) {
    EXPECT_THAT(fuzzy_match("tile", "transpose_tiled")->letters, ElementsAre(10, 11, 12, 13));
    EXPECT_THAT(fuzzy_match("tt", "transpose_tiled")->letters, ElementsAre(0, 10)) << "beginnings of words";
    EXPECT_THAT(fuzzy_match("bl", "Load balance")->letters, ElementsAre(5, 7));
}

TEST(fuzzy_match, sequences_and_beginnings_of_words_count_more_than_gaps) {
    EXPECT_GT(score("bank", "Banks"), score("bank", "broadcast_and_link"));
    EXPECT_GT(score("red", "reduce_redux"), score("red", "shared_stride"));
    EXPECT_GT(score("scan", "warp_scan"), score("scan", "scatter_and_gather_n"));
    EXPECT_GT(score("saxpy", "saxpy"), score("saxpy", "saxpy_of_many_vectors"));
    EXPECT_GT(score("PAD 1", "PAD 1"), score("PAD 1", "PAD 16")) << "a whole word";
}

TEST(fuzzy_match, a_character_of_several_bytes_is_found_whole_or_not_at_all) {
    EXPECT_TRUE(fuzzy_match("µs", "µs per launch"));
    EXPECT_FALSE(fuzzy_match("µ", "… \xc2\xa7")) << "the first byte alone is not the character";
}

TEST(glossary, terms_are_found_in_singular_and_plural_and_end_with_a_full_stop) {
    ASSERT_NE(find_term("wavefront"), nullptr);
    EXPECT_EQ(find_term("Wavefronts"), find_term("wavefront"));
    EXPECT_EQ(find_term("bank conflicts")->term, "bank conflict");
    EXPECT_EQ(find_term("no such term"), nullptr);
    EXPECT_EQ(find_term(""), nullptr);
    for (const Term& term : glossary()) {
        EXPECT_TRUE(term.definition.ends_with('.')) << term.term;
        EXPECT_EQ(find_term(term.term), &term) << "a term is listed once";
    }
}

/// The window on the real catalogue, with runs that a test scripts.
class PaletteTest : public testing::Test {
  protected:
    static Catalogue real_catalogue() {
        Catalogue catalogue;
        auto kernels = instrumentation::read_catalogue(source_folder() + "/kernels");
        for (auto& kernel : *kernels)
            catalogue.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
        return catalogue;
    }
    ScriptedRun script;
    Session session{real_catalogue(), script.run(), script.wake()};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }};

    void SetUp() override {
        session.open_kernel("transpose_tiled");
        settle();
    }
    void settle() {
        script.wait();
        ui.frame(3);
    }
    void press_ctrl(char letter, bool shift = false) {
        compat::feed_ctrl(true);
        ImGui::GetIO().KeyShift = shift;
        compat::feed_letter(letter, true);
        ui.frame();
        compat::feed_letter(letter, false);
        compat::feed_ctrl(false);
        ImGui::GetIO().KeyShift = false;
        ui.frame(3);
    }
    void find(std::string_view query) {
        press_ctrl('K');
        ui.type(query);
        ui.frame(2);
    }
};

TEST_F(PaletteTest, ctrl_k_finds_a_kernel_and_enter_opens_it) {
    find("hist shared");
    ASSERT_TRUE(ui.find("found kernel histogram_shared"));
    ui.press(compat::Key::enter);
    settle();
    EXPECT_EQ(session.kernel()->name, "histogram_shared");
    EXPECT_FALSE(ui.find("palette field")) << "it closes";
}

TEST_F(PaletteTest, a_slash_opens_it_too_and_escape_closes_it) {
    ui.type("/");
    ui.frame(2);
    ASSERT_TRUE(ui.find("palette field"));
    ui.type("roof");
    EXPECT_TRUE(ui.find("found view Roofline"));
    ui.press(compat::Key::escape);
    EXPECT_FALSE(ui.find("palette field"));
    EXPECT_NE(frame.state.centre_view, "roofline");
}

TEST_F(PaletteTest, a_view_is_opened_by_its_name_and_one_of_another_pane_is_shown_alone) {
    find("sectors");
    ui.press(compat::Key::enter);
    EXPECT_EQ(frame.state.centre_view, "sectors");
    find("timeline");
    ui.press(compat::Key::enter);
    EXPECT_EQ(frame.state.filled_view, "timeline");
}

/// What a person types who knows the subject and not this program.
TEST_F(PaletteTest, things_are_found_by_the_words_that_people_have_for_them) {
    constexpr std::pair<const char*, const char*> asked[] = {
        {"bank conflict", "view Banks"},
        {"uncoalesced", "view Sectors"},
        {"warp divergence", "view Lanes"},
        {"warp stall", "view Timeline"},
        {"stall reason", "view Timeline"},
        {"tail effect", "view Grid"},
        {"LDG", "view Sectors"},
        {"spilling", "kernel register_spill"},
        {"L1 cache", "view Hierarchy"},
        {"cache miss", "view Hierarchy"},
        {"DRAM", "view Hierarchy"},
        {"throughput", "view Roofline"},
        {"memory bound", "view Roofline"},
        {"race condition", "view Problems"},
        {"deadlock", "view Problems"},
        {"block size", "view Occupancy"},
        {"float4", "kernel vector4_copy"},
        {"cuda graph", "view Streams"},
        {"SASS", "view Source"},
        {"speedup", "view What if"},
        {"advice", "view Explain"},
        {"screenshot", "command Save the open view as a picture"},
        {"help", "command Show all keyboard shortcuts"}};
    for (const auto& [query, name] : asked) {
        find(query);
        const HitBox *field = ui.find("palette field"), *row = ui.find(std::string("found ") + name);
        ASSERT_TRUE(field);
        constexpr float rows_looked_at = 4 * 30;
        EXPECT_TRUE(row && row->min.y < field->max.y + rows_looked_at) << query << " does not find " << name;
        ui.press(compat::Key::escape);
        ui.frame(2);
    }
}

TEST(other_words, are_of_views_kernels_and_commands_that_exist) {
    for (const OtherWords& row : all_other_words()) {
        const auto of_view = [&](const ViewRow& view) { return view.title == row.name; };
        const auto of_command = [&](const WindowCommand& command) { return command.words == row.name; };
        const bool exists =
            row.kind == FindableKind::view ? std::ranges::any_of(view_rows(), of_view)
            : row.kind == FindableKind::command
                ? std::ranges::any_of(window_commands(), of_command)
                : std::filesystem::exists(source_folder() + "/kernels/" + std::string(row.name) + ".cu");
        EXPECT_TRUE(exists) << row.name;
        EXPECT_EQ(other_words(row.kind, row.name), row.words) << "listed twice";
    }
}

TEST_F(PaletteTest, a_knob_is_set_by_its_name_and_value) {
    find("PAD 1");
    ASSERT_TRUE(ui.find("found knob PAD 1"));
    ui.press(compat::Key::enter);
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "1");
}

TEST_F(PaletteTest, a_value_of_a_wide_range_is_typed_and_one_outside_it_is_not_offered) {
    find("W 512");
    ASSERT_TRUE(ui.find("found knob W 512"));
    ui.press(compat::Key::enter);
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("W"), "512");
    find("W 513");
    EXPECT_FALSE(ui.find("found knob W 513")) << "not a multiple of 32";
}

TEST_F(PaletteTest, the_arrows_choose_and_go_round) {
    find("");
    const std::string first = ui.words().empty() ? "" : "found command Run the kernel again";
    ASSERT_TRUE(ui.find(first));
    ui.press(compat::Key::up);  // from the first to the last
    EXPECT_FALSE(ui.find(first)) << "the list scrolls";
    ui.press(compat::Key::down);
    ASSERT_TRUE(ui.find(first));
    const auto runs = script.requests.size();
    ui.press(compat::Key::enter);
    settle();
    EXPECT_EQ(script.requests.size(), runs + 1);
}

TEST_F(PaletteTest, a_term_shows_its_definition_and_stays_open) {
    find("bank conflict");
    ASSERT_TRUE(ui.find("found term bank conflict"));
    EXPECT_TRUE(ui.shows(std::string(find_term("bank conflict")->definition)));
    ui.press(compat::Key::enter);
    EXPECT_TRUE(ui.find("palette field"));
}

TEST_F(PaletteTest, a_line_of_the_source_is_found_and_selected) {
    find("__syncthreads");
    ui.press(compat::Key::enter);
    std::istringstream source(session.kernel()->source);
    std::uint32_t number = 0, expected = 0;
    for (std::string line; std::getline(source, line);)
        if (++number; expected == 0 && line.find("__syncthreads();") != std::string::npos) expected = number;
    EXPECT_EQ(session.selection.chosen.source_line, expected);
}

TEST_F(PaletteTest, a_click_opens_a_row) {
    find("saxpy");
    ASSERT_TRUE(ui.click("found kernel saxpy"));
    settle();
    EXPECT_EQ(session.kernel()->name, "saxpy");
}

TEST_F(PaletteTest, nothing_found_is_said) {
    find("qqqqqq");
    EXPECT_TRUE(ui.shows("Nothing has a name like this"));
    ui.press(compat::Key::enter);
    EXPECT_TRUE(ui.find("palette field"));
}

TEST_F(PaletteTest, what_a_person_means_by_a_few_letters_comes_first) {
    CommandContext context{session, frame.state, frame.dialogs, frame.history, nullptr, nullptr, {}};
    const auto all = collect_findables(context);
    const auto first = [&](std::string_view query) {
        const auto ranked = rank(all, query);
        return ranked.empty()
                   ? std::string()
                   : word_of(ranked.front().findable->kind) + (" " + ranked.front().findable->words);
    };
    EXPECT_EQ(first("transpose swi"), "kernel transpose_swizzled");
    EXPECT_EQ(first("saxpy"), "kernel saxpy");
    EXPECT_EQ(first("banks"), "view Banks");
    EXPECT_EQ(first("occ"), "view Occupancy");
    EXPECT_EQ(first("PAD 1"), "knob PAD 1");
    EXPECT_EQ(first("tile 16"), "knob TILE 16");
    EXPECT_EQ(first("H100"), "GPU H100");
    EXPECT_EQ(first("light theme"), "command Switch between the dark and the light theme");
    EXPECT_EQ(first("wavefront"), "term wavefront");
    EXPECT_EQ(first("conflict_ways"), "term shared_load.conflict_ways");
    EXPECT_EQ(first("Reduction"), "subject Reduction");
    EXPECT_EQ(first("redux"), "kernel reduce_redux");
}

TEST_F(PaletteTest, every_kernel_and_view_comes_first_by_its_own_name) {
    CommandContext context{session, frame.state, frame.dialogs, frame.history, nullptr, nullptr, {}};
    const auto all = collect_findables(context);
    for (const Findable& findable : all) {
        if (findable.kind != FindableKind::kernel && findable.kind != FindableKind::view) continue;
        const auto ranked = rank(all, findable.words);
        ASSERT_FALSE(ranked.empty());
        EXPECT_EQ(ranked.front().findable, &findable) << findable.words;
    }
}

}  // namespace
}  // namespace warplens::app
