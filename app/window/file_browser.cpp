#include "app/window/file_browser.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/window/palette/fuzzy_match.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_places = 6;

float row_height(const Theme& theme) { return std::round(26 * theme.fonts.scale); }

/// A row of a list: its name on the left, dim words on the right. Under `box` in tests.
bool row(const Theme& theme, const std::string& box, const std::string& name, const std::string& detail,
         bool marked) {
    const float pad = std::round(8 * theme.fonts.scale), height = row_height(theme);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
    const bool clicked = invisible_button(box.c_str(), {width, height});
    hit_box_of_item(box);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + width, at.y + height};
    if (marked || ImGui::IsItemHovered())
        list.AddRectFilled(at, end, marked ? theme.raised : theme.hovered, 4 * theme.fonts.scale);
    ImFont *words = theme.fonts.words, *small = theme.fonts.small;
    const float taken = detail.empty() ? 0 : text_width(small, detail) + pad;
    draw_text(list, words, {at.x + pad, at.y + std::round((height - text_height(words)) / 2)}, theme.text,
              fit_text(words, name, width - 2 * pad - taken));
    draw_text_right(list, small, {end.x - pad, at.y + std::round((height - text_height(small)) / 2)},
                    theme.text_dim, detail);
    return clicked;
}

std::string detail_of(const FolderEntry& entry) {
    if (entry.is_folder) return {};
    return fmt::format("{}   {:%Y-%m-%d %H:%M}", bytes_words(entry.bytes), fmt::localtime(entry.changed));
}

}  // namespace

void FileBrowser::start(fs::path folder, const std::vector<std::string>& recent) {
    places_.clear();
    std::error_code error;
    const auto add = [&](std::string name, const fs::path& place) {
        const bool known = std::ranges::find(places_, place, &Place::folder) != places_.end();
        if (!known && places_.size() < most_places && fs::is_directory(place, error))
            places_.push_back({std::move(name), place});
    };
    const fs::path here = fs::current_path(error);
    add("Start folder", here);
    if (const fs::path home = home_folder(); !home.empty()) add("Home", home);
    for (const std::string& file : recent) {
        const fs::path place = fs::path(file).parent_path();
        add(place.filename().string(), place);
    }
    enter(folder.empty() ? here : std::move(folder));
}

void FileBrowser::enter(fs::path folder) {
    folder_ = std::move(folder);
    read();
}

void FileBrowser::read() {
    entries_.clear();
    error_.clear();
    if (auto listed = list_folder(folder_, filter_)) entries_ = std::move(*listed);
    else error_ = listed.error().message;
    filter("");
}

void FileBrowser::filter(const std::string& typed) {
    typed_ = typed;
    marked_ = -1;
    shown_.clear();
    const bool is_path = typed.find('/') != std::string::npos || typed.starts_with('~');
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (is_path || fuzzy_match(typed, entries_[i].name)) shown_.push_back(i);
}

const FolderEntry* FileBrowser::marked() const {
    return marked_ < 0 ? nullptr : &entries_[shown_[static_cast<std::size_t>(marked_)]];
}

const FolderEntry* FileBrowser::only_match() const {
    return typed_.empty() || shown_.size() != 1 ? nullptr : &entries_[shown_.front()];
}

void FileBrowser::take_arrows() {
    const int count = static_cast<int>(shown_.size());
    const int by =
        (compat::key_pressed(compat::Key::down) ? 1 : 0) - (compat::key_pressed(compat::Key::up) ? 1 : 0);
    if (by == 0 || count == 0) return;
    marked_ = std::clamp(marked_ + by, 0, count - 1);
    reveal_ = true;
}

std::optional<FileBrowser::Chosen> FileBrowser::draw(const Theme& theme, ImVec2 size,
                                                     const std::string& typed) {
    if (typed != typed_) filter(typed);
    const float gap = std::round(8 * theme.fonts.scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_head(theme, size.x);
    const float top = at.y + control_height(theme) + gap, height = size.y - control_height(theme) - gap;
    const float places = std::round(size.x * 0.24f);
    ImGui::SetCursorScreenPos({at.x, top});
    draw_places(theme, {places, height});
    ImGui::SetCursorScreenPos({at.x + places + gap, top});
    return draw_rows(theme, {size.x - places - gap, height});
}

/// The folder, the way up, and which files are shown.
void FileBrowser::draw_head(const Theme& theme, float width) {
    const float gap = std::round(8 * theme.fonts.scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (text_button(theme, "folder up", "↑", "The folder above.")) enter_parent();
    const float up = text_button_width(theme, "↑") + gap;
    const char* shown = filter_ == FileFilter::kernels ? ".cu, .ptx and .cubin" : "all files";
    const float choice = chooser_width(theme, "", shown);
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.words,
              {at.x + up, at.y + std::round((control_height(theme) - text_height(theme.fonts.words)) / 2)},
              theme.text_dim, fit_text(theme.fonts.words, folder_.string(), width - up - choice - gap));
    ImGui::SetCursorScreenPos({at.x + width - choice, at.y});
    if (!begin_chooser(theme, "file filter", "", shown, "Which files are listed.")) return;
    for (const FileFilter one : {FileFilter::kernels, FileFilter::all}) {
        const bool kernels = one == FileFilter::kernels;
        if (chooser_item(theme, kernels ? "filter kernels" : "filter all",
                         kernels ? ".cu, .ptx and .cubin" : "all files", "", one == filter_)) {
            filter_ = one;
            read();
        }
    }
    end_chooser();
}

void FileBrowser::draw_places(const Theme& theme, ImVec2 size) {
    compat::begin_child("places", size);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    std::optional<fs::path> go;
    for (const Place& place : places_)
        if (row(theme, "place " + place.name, place.name, "", place.folder == folder_)) go = place.folder;
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (go) enter(*go);
}

std::optional<FileBrowser::Chosen> FileBrowser::draw_rows(const Theme& theme, ImVec2 size) {
    std::optional<Chosen> chosen;
    std::optional<fs::path> go;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.background);
    compat::begin_child("files", size);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    if (!error_.empty() || shown_.empty())
        text_wrapped(theme.fonts.words, theme.text_dim,
                     !error_.empty()  ? error_
                     : typed_.empty() ? "No folder and no such file is here."
                                      : "No name in this folder contains these letters.");
    const float height = row_height(theme);
    if (std::exchange(reveal_, false) && marked_ >= 0) {
        const float y = static_cast<float>(marked_) * height, room = ImGui::GetWindowHeight() - height;
        ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), std::max(0.0f, y - room), y));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(shown_.size()), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const FolderEntry& entry = entries_[shown_[static_cast<std::size_t>(i)]];
            const std::string name = entry.name + (entry.is_folder ? "/" : "");
            const bool clicked = row(theme, "entry " + entry.name, name, detail_of(entry), i == marked_);
            const bool twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
            if (clicked && entry.is_folder) go = folder_ / entry.name;
            else if (clicked || (twice && !entry.is_folder)) chosen = Chosen{entry.name, twice};
        }
    clipper.End();
    ImGui::PopStyleVar();
    ImGui::EndChild();
    ImGui::PopStyleColor();
    if (go) enter(*go);
    return chosen;
}

}  // namespace warplens::app
