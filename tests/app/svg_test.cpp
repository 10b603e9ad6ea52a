// Pictures as SVG, read back: every view's document is well formed and contains the words that were drawn,
// and a known drawing is written as the primitives that a person would choose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <functional>
#include <map>
#include <set>

#include "app/capture/svg/vector_capture.h"
#include "app/capture/svg/write_svg.h"
#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/window/pictures.h"
#include "example_scene.h"
#include "view_stage.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;

/// A parsed document.
class Document {
  public:
    explicit Document(const std::string& svg) {
        EXPECT_EQ(xml_.Parse(svg.c_str(), svg.size()), tinyxml2::XML_SUCCESS) << xml_.ErrorStr();
        if (xml_.RootElement()) visit(*xml_.RootElement());
    }
    const tinyxml2::XMLElement& root() const { return *xml_.RootElement(); }
    int count(const std::string& element) const {
        const auto found = elements_.find(element);
        return found == elements_.end() ? 0 : static_cast<int>(found->second.size());
    }
    const tinyxml2::XMLElement& the(const std::string& element, std::size_t index = 0) const {
        return *elements_.at(element).at(index);
    }
    std::vector<std::string> texts() const {
        std::vector<std::string> all;
        if (const auto found = elements_.find("text"); found != elements_.end())
            for (const auto* text : found->second) all.emplace_back(text->GetText());
        return all;
    }
    const std::multiset<std::string>& ids() const { return ids_; }
    const std::set<std::string>& references() const { return references_; }

  private:
    void visit(const tinyxml2::XMLElement& element) {
        elements_[element.Name()].push_back(&element);
        if (const char* id = element.Attribute("id")) ids_.insert(id);
        for (const auto* at = element.FirstAttribute(); at; at = at->Next())
            if (const std::string value = at->Value(); value.starts_with("url(#"))
                references_.insert(value.substr(5, value.size() - 6));
        for (const auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
            visit(*child);
    }

    tinyxml2::XMLDocument xml_{true, tinyxml2::PRESERVE_WHITESPACE};
    std::map<std::string, std::vector<const tinyxml2::XMLElement*>> elements_;
    std::multiset<std::string> ids_;
    std::set<std::string> references_;
};

Document drawn(const std::function<void(const Theme&, ImDrawList&)>& draw) {
    return Document(svg::write_svg(svg::capture(320, 200, 1, ThemeName::light, [&](const Theme& theme) {
        draw(theme, *ImGui::GetBackgroundDrawList());
    })));
}

TEST(svg, shapes_come_out_as_what_they_are) {
    const Document document = drawn([](const Theme&, ImDrawList& list) {
        list.AddRectFilled({10, 20}, {60, 40}, IM_COL32(255, 0, 0, 255));
        list.AddRectFilled({10, 50}, {60, 70}, IM_COL32(0, 0, 255, 128), 4);
        list.AddCircleFilled({100, 30}, 9, IM_COL32(0, 255, 0, 255));
        list.AddTriangleFilled({140, 10}, {160, 10}, {150, 30}, IM_COL32(9, 9, 9, 255));
        list.AddLine({200, 10}, {230, 50}, IM_COL32(1, 2, 3, 255), 2);
        compat::add_rect(list, {240, 10}, {280, 50}, IM_COL32(4, 5, 6, 255), 0, 2);
        list.AddBezierCubic({10, 100}, {60, 100}, {60, 150}, {110, 150}, IM_COL32(7, 8, 9, 255), 1.5f);
    });
    // The background, two filled and one outlined.
    ASSERT_EQ(document.count("rect"), 4);
    const auto& plain = document.the("rect", 1);
    EXPECT_STREQ(plain.Attribute("fill"), "#ff0000");
    EXPECT_EQ(plain.FloatAttribute("x"), 10);
    EXPECT_EQ(plain.FloatAttribute("width"), 50);
    EXPECT_EQ(plain.FindAttribute("rx"), nullptr);
    const auto& round = document.the("rect", 2);
    EXPECT_EQ(round.FloatAttribute("rx"), 4);
    EXPECT_NEAR(round.FloatAttribute("fill-opacity"), 128 / 255.0, 1e-3);
    const auto& outlined = document.the("rect", 3);
    EXPECT_STREQ(outlined.Attribute("fill"), "none");
    EXPECT_EQ(outlined.FloatAttribute("stroke-width"), 2);
    EXPECT_EQ(outlined.FloatAttribute("x"), 240);
    EXPECT_EQ(outlined.FloatAttribute("width"), 39);
    ASSERT_EQ(document.count("circle"), 1);
    EXPECT_EQ(document.the("circle").FloatAttribute("r"), 9);
    EXPECT_EQ(document.count("polygon"), 1);
    ASSERT_EQ(document.count("line"), 1);
    EXPECT_EQ(document.the("line").FloatAttribute("x2"), 230.5f);
    EXPECT_EQ(document.count("polyline"), 1);
}

TEST(svg, words_stay_words_with_blanks_and_signs) {
    const Document document = drawn([](const Theme& theme, ImDrawList& list) {
        draw_text(list, theme.fonts.words, {10, 10}, theme.text, "32 wavefronts → 1 <would> do & \"more\"");
        draw_text(list, theme.fonts.code, {10, 40}, theme.cost, "tile[threadIdx.x]");
    });
    EXPECT_THAT(document.texts(),
                ElementsAre("32 wavefronts → 1 <would> do & \"more\"", "tile[threadIdx.x]"));
    EXPECT_STREQ(document.the("text", 0).Attribute("class"), "words");
    EXPECT_STREQ(document.the("text", 1).Attribute("class"), "code");
    EXPECT_EQ(document.the("text", 0).FloatAttribute("x"), 10);
    EXPECT_THAT(document.the("text", 0).FloatAttribute("textLength"), Gt(200));
    EXPECT_THAT(std::string(document.the("style").GetText()), HasSubstr("font-family:Inter"));
}

TEST(svg, a_hatch_is_one_path_and_cells_of_one_colour_are_one_rectangle) {
    const Document document = drawn([](const Theme& theme, ImDrawList& list) {
        draw_hatched(list, theme, {10, 10}, {90, 60}, theme.ideal);
        for (int i = 0; i < 8; ++i) {
            const auto x = static_cast<float>(100 + i * 10);
            list.AddRectFilled({x, 10}, {x + 10, 20}, theme.cost);
        }
    });
    EXPECT_EQ(document.count("path"), 1);
    EXPECT_EQ(document.count("line"), 0);
    ASSERT_EQ(document.count("rect"), 2);
    EXPECT_EQ(document.the("rect", 1).FloatAttribute("width"), 80);
}

TEST(svg, colours_that_run_along_an_axis_become_a_gradient) {
    const Document document = drawn([](const Theme&, ImDrawList& list) {
        const ImU32 red = IM_COL32(255, 0, 0, 255), blue = IM_COL32(0, 0, 255, 255);
        list.AddRectFilledMultiColor({10, 10}, {90, 30}, red, blue, blue, red);
        list.AddRectFilledMultiColor({10, 40}, {90, 60}, red, red, blue, blue);
    });
    ASSERT_EQ(document.count("linearGradient"), 2);
    EXPECT_EQ(document.references(), (std::set<std::string>{"fade-1", "fade-2"}));
    std::set<int> across;
    for (const std::size_t i : {0u, 1u}) across.insert(document.the("linearGradient", i).IntAttribute("x2"));
    EXPECT_EQ(across, (std::set<int>{0, 1}));
}

TEST(svg, what_a_clip_rectangle_hides_is_cut_clipped_or_left_out) {
    const Document document = drawn([](const Theme& theme, ImDrawList& list) {
        list.PushClipRect({50, 0}, {100, 100});
        list.AddRectFilled({0, 10}, {70, 20}, theme.cost);   // reaches out: cut
        list.AddRectFilled({0, 10}, {40, 20}, theme.cost);   // outside
        list.AddCircleFilled({100, 50}, 9, theme.cost);      // half of it
        list.AddRectFilled({60, 70}, {80, 80}, theme.cost);  // inside
        list.PopClipRect();
    });
    ASSERT_EQ(document.count("clipPath"), 1);
    EXPECT_EQ(document.references(), (std::set<std::string>{"clip-1"}));
    ASSERT_EQ(document.count("rect"), 4) << "the clip's, the background, and two";
    EXPECT_EQ(document.the("rect", 2).FloatAttribute("x"), 50);
    EXPECT_EQ(document.the("rect", 2).FloatAttribute("width"), 20);
    EXPECT_EQ(document.count("circle"), 1);
}

class EveryViewSvg : public testing::TestWithParam<ViewEntry> {};

/// The text without blanks and the signs that only steer its layout.
std::string letters(std::string_view text) {
    std::string kept;
    for (const char c : text)
        if (c != ' ' && c != '`' && c != '\n' && c != '\t') kept += c;
    return kept;
}

TEST_P(EveryViewSvg, is_well_formed) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    for (const ThemeName theme : {ThemeName::dark, ThemeName::light}) {
        const auto svg = capture_view_svg(*scene, GetParam().name, {1100, 760}, theme, {});
        ASSERT_TRUE(svg) << svg.error().message;
        const Document document(*svg);
        EXPECT_STREQ(document.root().Name(), "svg");
        EXPECT_STREQ(document.root().Attribute("viewBox"), "0 0 1100 760");
        for (const std::string& id : document.ids()) EXPECT_EQ(document.ids().count(id), 1u) << id;
        for (const std::string& reference : document.references())
            EXPECT_EQ(document.ids().count(reference), 1u) << reference;
        EXPECT_GE(document.count("text"), 3);
        EXPECT_LT(document.count("rect"), 20'000);
    }
}

TEST_P(EveryViewSvg, says_every_word_of_the_view) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    const auto view = GetParam().make();
    FrameNotes notes;
    Selection selection;
    const Document document =
        Document(svg::write_svg(svg::capture(1600, 1000, 1, ThemeName::dark, [&](const Theme& theme) {
            notes = {};
            record_notes(&notes);
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
            ImGui::Begin("page", nullptr, ImGuiWindowFlags_NoDecoration);
            Commands commands;
            ViewFrame frame{scene.get(), selection, commands, theme, false};
            view->draw(frame);
            ImGui::End();
        })));
    std::string all;
    for (const std::string& text : document.texts()) all += letters(text);
    ASSERT_FALSE(notes.words.empty());
    for (const std::string& words : notes.words) {
        // Text beyond the edge of a pane is cut there, so only its beginning is compared.
        std::string beginning = letters(words).substr(0, 6);
        while (!beginning.empty() && static_cast<unsigned char>(beginning.back()) >= 0x80)
            beginning.pop_back();
        EXPECT_THAT(all, HasSubstr(beginning)) << words;
    }
}

TEST_P(EveryViewSvg, is_the_same_each_time) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    const auto once = capture_view_svg(*scene, GetParam().name, {900, 600}, ThemeName::light, {});
    const auto again = capture_view_svg(*scene, GetParam().name, {900, 600}, ThemeName::light, {});
    ASSERT_TRUE(once && again);
    EXPECT_EQ(*once, *again);
}

INSTANTIATE_TEST_SUITE_P(views, EveryViewSvg, testing::ValuesIn(view_entries()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(svg, the_whole_window_is_a_document_too) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    const auto svg = capture_window_svg(*scene, example_catalogue(), "", {1600, 900}, ThemeName::dark, {});
    ASSERT_TRUE(svg) << svg.error().message;
    const Document document(*svg);
    EXPECT_THAT(document.texts(), testing::IsSupersetOf({"Banks", "Timeline"}));
}

TEST(svg, a_view_that_is_not_there_is_refused_in_a_sentence) {
    const auto svg = capture_view_svg({}, "bancs", {}, ThemeName::dark, {});
    ASSERT_FALSE(svg);
    EXPECT_THAT(svg.error().message, HasSubstr("There is no view named bancs"));
}

}  // namespace
}  // namespace warplens::app
