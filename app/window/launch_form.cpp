#include "app/window/launch_form.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/window/launch_note.h"
#include "instrumentation/catalog/doubtful_arguments.h"

namespace warplens::app {
namespace {

using instrumentation::DraftArgument;
using instrumentation::DraftError;
using instrumentation::LaunchDraft;

constexpr const char* element_types[] = {"f32", "f64", "i32", "u32", "i64", "u64",
                                         "i16", "u16", "i8",  "u8",  "f16"};
constexpr std::pair<const char*, const char*> fills[] = {
    {"zero", "all 0"},
    {"iota", "0, 1, 2, …"},
    {"random", "reals 0 to 1, integers 0 to 255"},
    {"constant", "one value everywhere"},
    {"file", "the bytes of a file"},
    {"formula", "an expression of the index i, such as i % 7 or 97 + random(26)"},
};

constexpr std::pair<const char*, const char*> cooperative_choices[] = {
    {"no", "blocks run as space allows"},
    {"yes", "all blocks run at the same time"},
};

class Form {
  public:
    Form(const Theme& theme, LaunchDraft& draft)
        : theme_(theme), draft_(draft), errors_(instrumentation::check_draft(draft)) {}

    bool wrong() const { return !errors_.empty(); }

    void geometry() {
        heading("Grid in blocks and block in threads: x, y, z");
        extent("grid", draft_.grid, draft_.grid_guessed, draft_.grid_from);
        extent("block", draft_.block, draft_.block_guessed, draft_.block_from);
        const ImVec2 at = begin_row("dynamic shared", draft_.shared_guessed);
        if (field("shared", draft_.dynamic_shared_bytes, 120)) draft_.shared_guessed = false;
        remark("bytes per block");
        end_row(at, {"shared"});
    }

    void arguments() {
        if (draft_.arguments.empty()) return;
        heading("Arguments");
        for (std::size_t i = 0; i < draft_.arguments.size(); ++i) {
            ImGui::PushID(static_cast<int>(i));
            argument(draft_.arguments[i], std::to_string(i));
            ImGui::PopID();
        }
    }

    /// How blocks depend on each other.
    void clusters() {
        heading(
            "Cluster size in blocks, which share their shared memory; empty: __cluster_dims__ or "
            "none");
        bool guessed = false;
        extent("cluster", draft_.cluster, guessed);
        const ImVec2 at = begin_row("cooperative", draft_.cooperative_guessed);
        std::string word = draft_.cooperative ? "yes" : "no";
        if (choice("cooperative", word, cooperative_choices,
                   "Whether all blocks must run at the same time.")) {
            draft_.cooperative = word == "yes";
            draft_.cooperative_guessed = false;
        }
        remark("yes if blocks wait for each other, as with `grid.sync()`: the grid must fit on the GPU");
        end_row(at, {});
    }

  private:
    float scaled(float pixels) const { return std::round(pixels * theme_.fonts.scale); }

    void heading(const char* words) {
        ImGui::Dummy({1, scaled(10)});
        text_item(theme_.fonts.small, theme_.ideal, words);
        ImGui::Dummy({1, scaled(2)});
    }

    /// The name, and where the row starts; fields follow it.
    ImVec2 begin_row(const std::string& name, bool guessed) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float text_top =
            at.y + std::round((control_height(theme_) - text_height(theme_.fonts.code)) / 2);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        draw_text(list, theme_.fonts.code, {at.x, text_top}, theme_.text,
                  fit_text(theme_.fonts.code, name, scaled(130)));
        if (guessed)
            draw_text(list, theme_.fonts.small, {at.x + scaled(138), text_top + scaled(2)}, theme_.cost,
                      "guess");
        ImGui::SetCursorScreenPos({at.x + scaled(184), at.y});
        return at;
    }

    void end_row(ImVec2 at, const std::vector<std::string>& fields) {
        float y = at.y + control_height(theme_) + scaled(4);
        for (const std::string& field : fields)
            if (const DraftError* error = error_of(field)) {
                ImGui::SetCursorScreenPos({at.x + scaled(184), y - scaled(2)});
                text_wrapped(theme_.fonts.small, theme_.error, "× " + error->message);
                y = ImGui::GetCursorScreenPos().y + scaled(2);
            }
        ImGui::SetCursorScreenPos({at.x, y});
    }

    const DraftError* error_of(const std::string& field) const {
        const auto found = std::ranges::find(errors_, field, &DraftError::field);
        return found == errors_.end() ? nullptr : &*found;
    }

    /// True when it was typed in.
    bool field(const std::string& name, std::string& text, float width) {
        const bool is_wrong = error_of(name) != nullptr;
        compat::push_font(theme_.fonts.code);
        ImGui::SetNextItemWidth(scaled(width));
        const float pad = std::max(0.0f, std::round((control_height(theme_) - ImGui::GetFontSize()) / 2));
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {scaled(8), pad});
        ImGui::PushStyleColor(ImGuiCol_FrameBg, theme_.raised);
        const bool changed = ImGui::InputText(("##" + name).c_str(), &text);
        hit_box_of_item("field", name);
        note_words(text);
        if (is_wrong)
            compat::add_rect(*ImGui::GetWindowDrawList(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                             theme_.error, 4 * theme_.fonts.scale, theme_.fonts.scale);
        ImGui::PopStyleColor();
        ImGui::PopStyleVar();
        ImGui::PopFont();
        ImGui::SameLine(0, scaled(6));
        return changed;
    }

    void remark(std::string_view words) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_text(*ImGui::GetWindowDrawList(), theme_.fonts.small,
                  {at.x + scaled(4),
                   at.y + std::round((control_height(theme_) - text_height(theme_.fonts.small)) / 2)},
                  theme_.text_dim, words);
    }

    void extent(const char* name, std::vector<std::string>& texts, bool& guessed,
                const std::string& from = "") {
        texts.resize(3);
        const ImVec2 at = begin_row(name, guessed);
        for (int i = 0; i < 3; ++i)
            if (field(fmt::format("{} {}", name, i), texts[static_cast<std::size_t>(i)],
                      i < 2 ? 190.0f : 90.0f))
                guessed = false;
        if (guessed && !from.empty()) remark(from);
        end_row(at, {fmt::format("{} 0", name), fmt::format("{} 1", name), fmt::format("{} 2", name)});
    }

    bool choice(const std::string& name, std::string& value,
                std::span<const std::pair<const char*, const char*>> of, const char* help) {
        bool changed = false;
        if (begin_chooser(theme_, name, "", value, help)) {
            for (const auto& [word, meaning] : of)
                if (chooser_item(theme_, name + " " + word, word, meaning, value == word)) {
                    changed = value != word;
                    value = word;
                }
            end_chooser();
        }
        ImGui::SameLine(0, scaled(6));
        return changed;
    }

    /// Machine code says how long an argument is, and not what.
    void choose_type(DraftArgument& row, const std::string& number) {
        const std::vector<std::string> fit = instrumentation::types_that_fit(row);
        std::vector<std::pair<const char*, const char*>> types;
        for (const std::string& type : fit) types.emplace_back(type.c_str(), "");
        std::string type = row.kind == DraftArgument::Kind::buffer ? "buffer" : row.scalar_type;
        if (choice("kind " + number, type, types, "What the argument is."))
            instrumentation::set_type(row, type);
    }

    void argument(DraftArgument& row, const std::string& number) {
        const ImVec2 at = begin_row(row.name, row.guessed);
        bool touched = false;
        if (instrumentation::is_untyped(row)) choose_type(row, number);
        if (row.kind == DraftArgument::Kind::buffer) {
            std::vector<std::pair<const char*, const char*>> types;
            for (const char* type : element_types) types.emplace_back(type, "");
            if (row.shares.empty()) {
                touched |=
                    choice("type " + number, row.element_type, types, "Type of the buffer's elements.");
                touched |= field("length " + number, row.length, 190);
                touched |=
                    choice("fill " + number, row.fill, fills, "Contents of the buffer before the launch.");
            }
            if (row.shares.empty() &&
                (row.fill == "constant" || (row.fill == "random" && !row.value.empty())))
                touched |= field("value " + number, row.value, 90);
            if (row.shares.empty() && (row.fill == "formula" || row.fill == "file"))
                touched |= field("value " + number, row.value, 190);
            if (!row.shares.empty() || !row.offset.empty())
                touched |= field("offset " + number, row.offset, 90);
        } else {
            touched |=
                field("value " + number, row.value, row.kind == DraftArgument::Kind::scalar ? 190 : 330);
        }
        std::string words = row.written_type;
        if (row.kind == DraftArgument::Kind::structure) words += fmt::format(", {} bytes", row.bytes);
        if (!row.shares.empty()) words += ", elements after the beginning of " + row.shares;
        else if (!row.offset.empty()) words += ", passed from this element on";
        if (row.guessed && !row.from.empty()) words += ", " + row.from;
        const std::string contents = instrumentation::contents_words(row);
        if (row.guessed && !contents.empty()) words += "; " + contents;
        remark(words);
        if (touched) row.guessed = false;
        end_row(at, {"length " + number, "offset " + number, "value " + number});
    }

    const Theme& theme_;
    LaunchDraft& draft_;
    std::vector<DraftError> errors_;
};

void entry_row(const Theme& theme, OwnFile& own) {
    if (own.entries().size() == 1) {
        text_item(theme.fonts.code_title, theme.text, own.draft().entry);
        return;
    }
    if (begin_chooser(theme, "entry", "kernel", own.draft().entry, "The __global__ function to launch.")) {
        for (const auto& entry : own.entries())
            if (chooser_item(theme, "entry " + entry.name, entry.name,
                             fmt::format("{} argument{}", entry.parameters.size(),
                                         entry.parameters.size() == 1 ? "" : "s"),
                             entry.name == own.draft().entry))
                own.choose_entry(entry.name);
        end_chooser();
    }
    text_item(theme.fonts.small, theme.text_dim,
              fmt::format("one of {} kernels in the file", own.entries().size()));
}

/// The program's own inputs in place of guesses.
void program_row(const Theme& theme, OwnFile& own) {
    if (!own.has_program()) return;
    ImGui::Dummy({1, std::round(8 * theme.fonts.scale)});
    if (own.runs_program()) {
        text_item(theme.fonts.words, theme.text_dim, "The program is built and run …");
    } else {
        if (text_button(theme, "run program", run_program_words, run_program_help)) own.run_program();
        ImGui::SameLine(0, std::round(8 * theme.fonts.scale));
        const float top = ImGui::GetCursorPosY();
        ImGui::SetCursorPosY(top + std::round((control_height(theme) - text_height(theme.fonts.words)) / 2));
        text_item(theme.fonts.words, theme.text_dim, "up to its launch");
        ImGui::SameLine(0, std::round(8 * theme.fonts.scale));
        ImGui::SetCursorPosY(top);
        int number = own.program_number();
        compat::push_font(theme.fonts.code);
        ImGui::SetNextItemWidth(std::round(90 * theme.fonts.scale));
        if (ImGui::InputInt("##program launch", &number)) own.set_program_number(number);
        hit_box_of_item("field", "program launch");
        ImGui::PopFont();
    }
    if (!own.program_failure().empty())
        text_wrapped(theme.fonts.small, theme.error, "× " + own.program_failure());
}

}  // namespace

void launch_form(const Theme& theme, Session& session, OwnFile& own) {
    if (!session.failure().empty()) {
        text_wrapped(theme.fonts.words, theme.error, session.failure());
        ImGui::Dummy({1, 8 * theme.fonts.scale});
    }
    if (own.entries().empty() || own.draft().entry.empty()) {
        if (own.finding_entries()) empty_state(theme, "Compiling …", "Finding kernels …");
        else empty_state(theme, "No kernels were found.", "Fix the file and save it to retry.");
        return;
    }
    const float gap = std::round(8 * theme.fonts.scale);
    text_item(theme.fonts.title, theme.text, "Launch settings");
    const std::string& from = own.draft().from;
    text_wrapped(
        theme.fonts.words, theme.text_dim,
        !own.is_editable()
            ? std::string("Machine code does not say how it is launched. Values marked as guesses come from "
                          "the sizes of "
                          "its parameters, and from the types in the kernel's name where there are any. "
                          "Lengths, grid "
                          "and block may use the integer parameters.")
            : "The file has no header. Values marked as guesses come from " +
                  (from.empty() ? std::string()
                                : "the launch in " + from + ", as far as they follow, and from ") +
                  "the names and types of its parameters. Lengths, grid and block may use the integer "
                  "parameters.");
    ImGui::Dummy({1, gap});
    entry_row(theme, own);
    program_row(theme, own);
    Form form(theme, own.draft());
    ImGui::Dummy({1, gap});
    const bool wrong = form.wrong();
    if (text_button(theme, "launch run", "▶ run",
                    own.is_editable() ? "Run with these settings until the file has a header."
                                      : "Run with these settings.") &&
        !wrong) {
        own.use_draft();
        own.stop_asking();
    }
    ImGui::SameLine(0, gap);
    if (own.is_editable()) {
        if (text_button(theme, "launch keep", "keep this launch in the file",
                        "Add these settings to the text as a header; save to write the file.") &&
            !wrong)
            own.keep_draft_in_text(ImGui::GetTime());
        ImGui::SameLine(0, gap);
    }
    if (text_button(theme, "launch copy", "copy as flags", "Copy as command-line flags to the clipboard."))
        ImGui::SetClipboardText(instrumentation::flags_of(own.draft()).c_str());
    if (session.scene()) {
        ImGui::SameLine(0, gap);
        if (text_button(theme, "launch cancel", "cancel", "Keep the current launch settings."))
            own.stop_asking();
    }
    if (wrong) text_wrapped(theme.fonts.small, theme.error, "× Fix the marked fields first.");
    form.geometry();
    form.arguments();
    form.clusters();
}

}  // namespace warplens::app
