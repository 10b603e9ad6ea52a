#include "app/window/file_dialogs.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/text.h"
#include "core/whole_path.h"

namespace warplens::app {
namespace {

constexpr ImGuiWindowFlags card_flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoResize | ImGuiWindowFlags_AlwaysAutoResize |
                                        ImGuiWindowFlags_NoSavedSettings;

bool is_machine_code(const instrumentation::KernelFile& kernel) {
    return kernel.language == instrumentation::Language::cubin;
}

/// A name that no file in the folder has: my_kernel.cu, my_kernel_2.cu, …
std::string free_name(const std::filesystem::path& folder, const std::string& stem) {
    std::error_code error;
    for (int number = 1;; ++number) {
        std::string name = number == 1 ? stem + ".cu" : stem + "_" + std::to_string(number) + ".cu";
        if (!std::filesystem::exists(folder / name, error)) return name;
    }
}

}  // namespace

void FileDialogs::menu(const Theme& theme, Session& session, OwnFile& own) {
    if (!begin_chooser(theme, "file", "", "file", "Create, open and save your own kernel files.")) return;
    const auto item = [&](const char* name, const char* words, const char* detail) {
        return chooser_item(theme, std::string("file ") + name, words, detail, false);
    };
    if (item("new", "New …", "a small kernel to start from")) ask_new();
    if (item("open", "Open …", "a .cu, .ptx or .cubin file; or drop it on the window")) ask_open();
    if (own.is_open()) {
        const std::string name = own.name();
        if (own.is_editable() && item("save", "Save", name.c_str())) save(session, own);
        if (!own.has_header() && item("launch", "Launch …", "grid, block and arguments")) {
            own.show();
            own.ask_for_launch();
        }
        if (item("close", "Close", name.c_str())) {
            if (own.is_changed()) ask_unsaved(After::close_file);
            else own.close();
        }
    }
    for (const std::string& path : recent) {
        if (own.is_open() && own.path() == path) continue;
        const std::filesystem::path file(path);
        const std::string name = file.filename().string(), folder = file.parent_path().string();
        if (item(("recent " + name).c_str(), name.c_str(), folder.c_str())) {
            open_now(std::string(path), own);
            break;  // opening changes the list
        }
    }
    if (session.kernel() && !is_machine_code(*session.kernel()) &&
        item("save as", "Save as …", "under a new name"))
        ask_save_as(session, own);
    end_chooser();
}

void FileDialogs::ask(Question question, std::string path) {
    question_ = question;
    path_ = std::move(path);
    error_.clear();
    appearing_ = focus_ = true;
}

/// In the folder of the last file; an empty stem proposes no name.
void FileDialogs::ask_for_file(Question question, const std::string& stem) {
    browser_.start(recent.empty() ? "" : std::filesystem::path(recent.front()).parent_path(), recent);
    ask(question, stem.empty() ? "" : free_name(browser_.folder(), stem));
}

void FileDialogs::ask_new() { ask_for_file(Question::create, "my_kernel"); }
void FileDialogs::ask_open() { ask_for_file(Question::open, ""); }

void FileDialogs::open_now(const std::string& path, OwnFile& own) {
    if (own.is_changed()) return ask_unsaved(After::nothing);
    if (const auto opened = own.open(path); !opened) say(opened.error().message);
}

void FileDialogs::note_opened(const std::string& path) {
    constexpr std::size_t most_recent = 10;
    const std::string whole = whole_path(path);
    if (!recent.empty() && recent.front() == whole) return;
    std::erase(recent, whole);
    recent.insert(recent.begin(), whole);
    if (recent.size() > most_recent) recent.resize(most_recent);
}

void FileDialogs::save(Session& session, OwnFile& own) {
    if (own.is_shown() && !own.is_editable())
        return say(own.name() + " is machine code: there is nothing to save.");
    if (!own.is_shown() || own.is_copy()) {
        ask_save_as(session, own);
        return;
    }
    const auto status = own.save();
    say(status ? own.name() + " saved." : status.error().message);
}

void FileDialogs::ask_save_as(Session& session, OwnFile& own) {
    if (!session.kernel()) return;
    if (is_machine_code(*session.kernel()))
        return say(session.kernel()->name + " is machine code: there is no text to save.");
    if (!own.is_shown()) own.copy(*session.kernel());
    ask_for_file(Question::save_as, std::filesystem::path(own.path()).stem().string());
}

void FileDialogs::ask_unsaved(After after) {
    after_ = after;
    ask(Question::unsaved, "");
}

void FileDialogs::finish(OwnFile& own) {
    question_ = Question::none;
    const After after = std::exchange(after_, After::nothing);
    if (after == After::close_file) own.close();
    close_window_ = after == After::close_window;
}

Status FileDialogs::answer(const std::string& path, OwnFile& own) {
    switch (question_) {
        case Question::open:
            return own.open(path);
        case Question::create:
            return own.create(path);
        case Question::save_as:
            return own.save_as(path);
        case Question::none:
        case Question::unsaved:
            break;
    }
    return {};
}

/// The name; arrows move in the list, and Backspace in an empty field leads to the folder above.
void FileDialogs::draw_field(const Theme& theme) {
    if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    const bool was_empty = path_.empty();
    compat::push_font(theme.fonts.code);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    entered_ = ImGui::InputTextWithHint(
        "##path", question_ == Question::open ? "a name to look for, or a path" : "", &path_,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    hit_box_of_item("path field");
    ImGui::PopFont();
    if (!ImGui::IsItemActive()) return;
    browser_.take_arrows();
    if (was_empty && compat::key_pressed(compat::Key::backspace)) browser_.enter_parent();
}

/// A folder is entered; a file answers the question.
void FileDialogs::take_path(OwnFile& own) {
    const FolderEntry* marked = browser_.marked();
    std::error_code error;
    // The first letters of a name are enough where they mean one file.
    if (!marked && !std::filesystem::exists(path_from(path_, browser_.folder()), error))
        marked = browser_.only_match();
    const std::filesystem::path path = path_from(marked ? marked->name : path_, browser_.folder());
    if (std::filesystem::is_directory(path, error)) {
        browser_.enter(path);
        path_.clear();
        error_.clear();
        focus_ = true;
        return;
    }
    if (question_ == Question::open && own.is_changed()) {
        error_ = own.name() + " has unsaved changes; save or close it first.";
        return;
    }
    const bool saving = question_ == Question::save_as;
    if (auto status = answer(path.string(), own); !status) {
        error_ = status.error().message;
        focus_ = true;
        return;
    }
    if (saving) say(own.name() + " saved.");
    finish(own);
}

void FileDialogs::ask_for_path(const Theme& theme, OwnFile& own) {
    const float scale = theme.fonts.scale;
    const char* title = question_ == Question::open     ? "Open a kernel file"
                        : question_ == Question::create ? "A new kernel file"
                                                        : "Save as";
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(760 * scale, std::max(1.0f, display.x - 80 * scale));
    text_item(theme.fonts.title, theme.text, title);
    ImGui::Dummy({width, 4 * scale});
    draw_field(theme);
    ImGui::Dummy({1, 4 * scale});
    const float height = std::clamp(display.y - 320 * scale, 120 * scale, 420 * scale);
    bool done = entered_;
    // What is typed to find a file filters; what was clicked, or is to be written, hides no other file.
    const bool filters = question_ == Question::open && path_ != picked_;
    const auto chosen = browser_.draw(theme, {width, height}, filters ? path_ : "");
    if (chosen) {
        path_ = picked_ = chosen->name;
        done = done || chosen->accept;
    }
    if (!error_.empty()) text_wrapped(theme.fonts.words, theme.error, error_, width);
    ImGui::Dummy({1, 4 * scale});
    const char* verb = question_ == Question::open     ? "open"
                       : question_ == Question::create ? "create"
                                                       : "save";
    done = text_button(theme, "path ok", verb, "") || done;
    ImGui::SameLine(0, 8 * scale);
    if (text_button(theme, "path cancel", "cancel", "") || compat::key_pressed(compat::Key::escape)) {
        question_ = Question::none;
        after_ = After::nothing;
    } else if (done) {
        take_path(own);
    }
}

void FileDialogs::ask_what_of_changes(const Theme& theme, Session& session, OwnFile& own) {
    const float scale = theme.fonts.scale;
    text_item(theme.fonts.title, theme.text, "Save the changes?");
    text_wrapped(theme.fonts.words, theme.text_dim, own.name() + " has unsaved changes.", 420 * scale);
    if (!error_.empty()) text_wrapped(theme.fonts.words, theme.error, error_, 420 * scale);
    ImGui::Dummy({1, 4 * scale});
    if (text_button(theme, "unsaved save", "save", "")) {
        if (own.is_copy()) {
            const After after = after_;
            own.show();
            ask_save_as(session, own);
            after_ = after;
        } else if (auto status = own.save(); !status) {
            error_ = status.error().message;
        } else {
            finish(own);
        }
    }
    ImGui::SameLine(0, 8 * scale);
    if (text_button(theme, "unsaved discard", "discard", "Your changes are lost.")) {
        if (after_ == After::nothing) after_ = After::close_file;
        finish(own);
    }
    ImGui::SameLine(0, 8 * scale);
    if (text_button(theme, "unsaved cancel", "cancel", "") || compat::key_pressed(compat::Key::escape)) {
        question_ = Question::none;
        after_ = After::nothing;
    }
}

void FileDialogs::draw(const Theme& theme, Session& session, OwnFile& own) {
    if (question_ == Question::none) return;
    const float scale = theme.fonts.scale;
    if (std::exchange(appearing_, false)) ImGui::OpenPopup("file question");
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24 * scale, 20 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8 * scale);
    ImGui::PushStyleColor(ImGuiCol_PopupBg, theme.panel);
    if (ImGui::BeginPopupModal("file question", nullptr, card_flags)) {
        if (question_ == Question::unsaved) ask_what_of_changes(theme, session, own);
        else ask_for_path(theme, own);
        if (question_ == Question::none) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

}  // namespace warplens::app
