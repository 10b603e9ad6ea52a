#include "app/window/layout.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "core/number_text.h"
#include "core/read_file.h"
#include "core/whole_file.h"

namespace warplens::app {
namespace {

void set_number(float& into, const std::string& text, float least, float most) {
    const auto value = number_from<float>(text);
    if (value && *value >= least && *value <= most) into = *value;
}

void set_number(int& into, const std::string& text, int least, int most) {
    float value = static_cast<float>(into);
    set_number(value, text, static_cast<float>(least), static_cast<float>(most));
    into = static_cast<int>(value);
}

void set_flag(bool& into, const std::string& text) {
    if (text == "true" || text == "false") into = text == "true";
}

struct Share {
    const char* name;
    float Layout::*value;
};
constexpr Share shares[] = {{"source_share", &Layout::source_share},
                            {"bottom_share", &Layout::bottom_share},
                            {"text_share", &Layout::text_share},
                            {"source_height", &Layout::source_height},
                            {"text_height", &Layout::text_height},
                            {"stacked_source", &Layout::stacked_source},
                            {"stacked_timeline", &Layout::stacked_timeline},
                            {"lecture_text", &Layout::lecture_text}};

const char* word_of(KernelList list) {
    switch (list) {
        case KernelList::by_size:
            return "by_size";
        case KernelList::shown:
            return "shown";
        case KernelList::hidden:
            return "hidden";
    }
    return "";
}

}  // namespace

Layout read_layout(const std::string& text) {
    Layout layout;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto equals = line.find(" = ");
        if (equals == std::string::npos) continue;
        const std::string name = line.substr(0, equals), value = line.substr(equals + 3);
        if (name == "window_width") set_number(layout.window_width, value, 320, 16384);
        if (name == "window_height") set_number(layout.window_height, value, 240, 16384);
        if (name == "maximised") set_flag(layout.maximised, value);
        if (name == "theme" && (value == "dark" || value == "light"))
            layout.theme = value == "dark" ? ThemeName::dark : ThemeName::light;
        if (name == "kernels_width")
            set_number(layout.kernels_width, value, least_pane_width, greatest_pane_width);
        if (name == "explain_width")
            set_number(layout.explain_width, value, least_pane_width, greatest_pane_width);
        for (const Share& share : shares)
            if (name == share.name) set_number(layout.*share.value, value, 0.1f, 0.9f);
        if (name == "text_scale") set_number(layout.text_scale, value, least_text_scale, greatest_text_scale);
        for (const KernelList list : {KernelList::by_size, KernelList::shown, KernelList::hidden})
            if (name == "kernels" && value == word_of(list)) layout.kernels = list;
        if (name == "motion") set_flag(layout.motion, value);
    }
    return layout;
}

std::string to_text(const Layout& layout) {
    std::string text = fmt::format(
        "window_width = {}\nwindow_height = {}\nmaximised = {}\ntheme = {}\nkernels_width = {}\n"
        "explain_width = {}\nkernels = {}\ntext_scale = {}\nmotion = {}\n",
        layout.window_width, layout.window_height, layout.maximised,
        layout.theme == ThemeName::dark ? "dark" : "light", layout.kernels_width, layout.explain_width,
        word_of(layout.kernels), layout.text_scale, layout.motion);
    for (const Share& share : shares) text += fmt::format("{} = {}\n", share.name, layout.*share.value);
    return text;
}

std::string layout_path() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config && *config) return std::string(config) + "/warplens/layout";
    const char* home = std::getenv("HOME");
    if (home && *home) return std::string(home) + "/.config/warplens/layout";
    return {};
}

Layout load_layout(const std::string& path) {
    constexpr std::uint64_t largest = 1u << 20;  // bytes
    return read_layout(read_file(path, largest).value_or(std::string()));
}

Status save_layout(const Layout& layout, const std::string& path) {
    if (path.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    if (auto written = write_regular_file(path, to_text(layout)); !written)
        return fail("The layout could not be saved: {}. Check that the folder is writable.",
                    written.error().message);
    return {};
}

}  // namespace warplens::app
