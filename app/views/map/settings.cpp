#include "app/views/map/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/scene/play_head.h"
#include "app/scene/step_spot.h"
#include "app/ui/button.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/stepper.h"
#include "app/ui/text.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

/// Of a larger grid a cell would be several blocks.
constexpr std::uint64_t most_blocks_apart = 64;

constexpr std::array<const char*, 3> scope_words{"launch", "block", "warp"};
constexpr std::array<const char*, 5> colour_words{"block", "warp", "lane", "order", "count"};

/// Controls in a row that wraps.
class SettingRow {
  public:
    explicit SettingRow(const Theme& theme) : theme_(theme), end_(ImGui::GetContentRegionAvail().x) {}
    /// Before a control of this width.
    void place(float width) {
        const float gap = 12 * theme_.fonts.scale;
        if (used_ > 0 && used_ + gap + width <= end_) {
            ImGui::SameLine(0, gap);
            used_ += gap + width;
        } else {
            used_ = width;
        }
    }

  private:
    const Theme& theme_;
    float end_, used_ = 0;
};

/// A choice among words after a caption; -1: none was clicked.
template <std::size_t count>
int choose(const Theme& theme, SettingRow& row, const char* caption,
           const std::array<const char*, count>& words, const std::array<const char*, count>& help,
           std::size_t chosen) {
    std::vector<Segment> options;
    for (std::size_t i = 0; i < count; ++i)
        options.push_back({fmt::format("map {} {}", caption, words[i]), words[i], help[i]});
    const float height = control_height(theme);
    const float before = std::ceil(text_width(theme.fonts.words, caption)) + 8 * theme.fonts.scale;
    const float width = before + segments_width(theme, options);
    row.place(width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.words,
              {at.x, at.y + std::round((height - text_height(theme.fonts.words)) / 2)}, theme.text_dim,
              caption);
    ImGui::SetCursorScreenPos({at.x + before, at.y});
    const std::size_t now = segments(theme, options, chosen);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, height});
    return now == chosen ? -1 : static_cast<int>(now);
}

void choose_array(const Theme& theme, SettingRow& row, const std::vector<analysis::MappedArray>& arrays,
                  MapSettings& settings) {
    const std::string shown = settings.array.empty() ? "all" : settings.array;
    row.place(chooser_width(theme, "array", shown));
    if (!begin_chooser(theme, "map array", "array", shown, "Which array to show; all of them side by side."))
        return;
    if (chooser_item(theme, "map array all", "all", "", settings.array.empty())) settings.array.clear();
    for (const analysis::MappedArray& array : arrays)
        if (chooser_item(theme, "map array " + array.name, array.name, bytes_words(array.bytes),
                         settings.array == array.name))
            settings.array = array.name;
    end_chooser();
}

void choose_columns(const Theme& theme, SettingRow& row, const analysis::MappedArray& guessed,
                    const Scene& scene, MapSettings& settings) {
    const auto set = settings.columns.find(guessed.name);
    const std::uint64_t now = set == settings.columns.end() ? guessed.columns : set->second;
    analysis::MappedArray array = guessed;
    array.columns = now;
    const std::vector<std::uint64_t> lengths = row_lengths(array, scene);
    const auto at = std::ranges::find(lengths, now) - lengths.begin();
    const std::string value = grouped(now), widest = grouped(lengths.back());
    StepperLook look;
    look.name = "map columns";
    look.caption = "row of";
    look.value = value;
    look.widest = widest;
    look.help = "Elements per row of this array, as declared or estimated from the addresses.";
    look.can_go_down = at > 0;
    look.can_go_up = at + 1 < std::ssize(lengths);
    look.turned = now != guessed.columns;
    row.place(stepper_width(theme, look));
    const auto to = static_cast<std::size_t>(at + stepper(theme, look));
    if (lengths[to] == guessed.columns) settings.columns.erase(guessed.name);
    else settings.columns[guessed.name] = lengths[to];
}

/// How many requests of each warp are shown; "play" adds them one after another.
void choose_order(ViewFrame& frame, SettingRow& row, std::uint32_t orders, MapSettings& settings) {
    const Theme& theme = frame.theme;
    const std::uint32_t now = std::min(settings.shown_orders, orders);
    const std::string value = now == orders ? "all" : grouped(now), widest = grouped(orders) + " all";
    StepperLook look;
    look.name = "map requests";
    look.caption = "first requests";
    look.value = value;
    look.widest = widest;
    look.help = "Shows only the first requests of each warp, in program order.";
    look.can_go_down = now > 1;
    look.can_go_up = now < orders;
    look.turned = now != orders;
    row.place(stepper_width(theme, look));
    const int step = stepper(theme, look);
    std::uint32_t next = step < 0 ? now - 1 : step > 0 ? now + 1 : now;
    if (step != 0) settings.playing = false;
    const char* words = settings.playing ? "stop" : "play";
    row.place(text_button_width(theme, words));
    if (text_button(theme, "map play", words, "Adds the requests of all warps one after another.")) {
        settings.playing = !settings.playing;
        if (settings.playing) next = 1;
    } else if (frame.play && frame.play->playing()) {
        // The run plays in all views: the map follows the selected warp.
        settings.playing = false;
        next =
            std::clamp(requests_until(*frame.scene->trace, frame.selection.chosen), 1u, std::max(orders, 1u));
    } else if (settings.playing) {
        next = std::min(orders, now + std::max(1u, orders / 120));
        frame.commands.redraw = true;
        if (next == orders) settings.playing = false;
    }
    settings.shown_orders = next == orders ? no_index : next;
}

}  // namespace

MapScope scope_of(const MapSettings& settings, const Scene& scene) {
    if (settings.scope) return *settings.scope;
    if (settings.common_scope) return *settings.common_scope;
    const trace::Trace& trace = *scene.trace;
    const std::uint64_t blocks = trace.launch.geometry.blocks();
    const bool all = trace::recorded_blocks(trace).size() == blocks;
    return blocks > 1 && blocks <= most_blocks_apart && all ? MapScope::launch : MapScope::block;
}

MapScope common_scope(const Scene& scene, const Scene& other) {
    const bool both = scope_of({}, scene) == MapScope::launch && scope_of({}, other) == MapScope::launch;
    return both ? MapScope::launch : MapScope::block;
}

MapColour colour_of(const MapSettings& settings, const Scene& scene) {
    if (settings.colour) return *settings.colour;
    switch (scope_of(settings, scene)) {
        case MapScope::launch:
            return MapColour::block;
        case MapScope::block:
            return scene.trace->launch.geometry.warps_per_block() > 1 ? MapColour::warp : MapColour::lane;
        case MapScope::warp:
            return MapColour::lane;
    }
    return MapColour::block;
}

WantedMap wanted_of(const MapSettings& settings) {
    const auto columns = settings.columns.find(settings.array);
    return {settings.array, settings.scope,  settings.colour,
            settings.loads, settings.stores, columns == settings.columns.end() ? 0 : columns->second};
}

void take(const WantedMap& wanted, MapSettings& settings) {
    settings.array = wanted.array;
    settings.scope = wanted.scope;
    settings.colour = wanted.colour;
    settings.loads = wanted.loads;
    settings.stores = wanted.stores;
    if (wanted.columns != 0) settings.columns[wanted.array] = wanted.columns;
}

std::vector<std::uint64_t> row_lengths(const analysis::MappedArray& array, const Scene& scene) {
    const std::uint64_t most = std::max<std::uint64_t>(1, array.elements());
    std::vector<std::uint64_t> lengths{array.columns, array.columns - 1, array.columns + 1, most};
    for (std::uint64_t length = 1; length <= most; length *= 2) lengths.push_back(length);
    const LaunchGeometry& geometry = scene.trace->launch.geometry;
    for (const Dim3 extent : {geometry.grid, geometry.block})
        for (const std::uint64_t length : {extent.x, extent.y}) lengths.push_back(length);
    for (const auto& [name, text] : scene.trace->launch.parameters) {
        std::uint64_t value = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), value).ptr == text.data() + text.size())
            lengths.push_back(value);
    }
    std::erase_if(lengths, [&](std::uint64_t length) { return length == 0 || length > most; });
    std::ranges::sort(lengths);
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
}

void map_controls(ViewFrame& frame, const std::vector<analysis::MappedArray>& arrays, std::uint32_t orders,
                  MapSettings& settings) {
    const Theme& theme = frame.theme;
    SettingRow row(theme);
    choose_array(theme, row, arrays, settings);
    const auto scope = static_cast<std::size_t>(scope_of(settings, *frame.scene));
    if (const int now = choose(theme, row, "scope", scope_words,
                               {"The accesses of all recorded blocks.", "Those of the selected block.",
                                "Those of the selected warp."},
                               scope);
        now >= 0)
        settings.scope = static_cast<MapScope>(now);
    const auto colour = static_cast<std::size_t>(colour_of(settings, *frame.scene));
    if (const int now = choose(theme, row, "color", colour_words,
                               {"Color: the block that accesses the element first.",
                                "Color: the warp that accesses the element first.",
                                "Color: the lane that accesses the element first.",
                                "Color: the position of the first access among its warp's requests.",
                                "Color: how often threads access the element."},
                               colour);
        now >= 0)
        settings.colour = static_cast<MapColour>(now);
    const std::size_t operations = settings.loads && settings.stores ? 0 : settings.loads ? 1 : 2;
    if (const int now =
            choose(theme, row, "accesses", std::array<const char*, 3>{"all", "loads", "stores"},
                   {"Loads, stores and atomics.", "Loads and atomics.", "Stores and atomics."}, operations);
        now >= 0) {
        settings.loads = now != 2;
        settings.stores = now != 1;
    }
    const auto shown = std::ranges::find(arrays, settings.array, &analysis::MappedArray::name);
    if (shown != arrays.end()) choose_columns(theme, row, *shown, *frame.scene, settings);
    if (orders > 1) choose_order(frame, row, orders, settings);
    ImGui::Dummy({0, 4 * theme.fonts.scale});
}

}  // namespace warplens::app
