// Findables: everything that the palette finds, collected from the tables that exist — the catalogue, the
// views, the kernel's parameters and source lines, the GPUs, the commands, the lessons, recent files and the
// definitions — and ranked by what was typed. It draws nothing: app/window/palette/palette.h does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/palette/window_commands.h"

namespace warplens::app {

enum class FindableKind { command, kernel, subject, view, knob, gpu, lesson, file, line, term };
const char* word_of(FindableKind kind);

struct Findable {
    FindableKind kind = FindableKind::command;
    std::string words;           // what is found and shown: "PAD 1"
    std::string detail;          // dimmed after it; found, too, but later
    std::string key;             // of a command: "Ctrl+Z"
    std::function<void()> open;  // null: the detail is all there is to it
};

/// What can be opened now. Valid while the context, its catalogue and its kernel are.
std::vector<Findable> collect_findables(const CommandContext& context);
/// Knobs at the value that ends the query: "W 512" of a range too wide to list.
std::vector<Findable> typed_knob_values(const CommandContext& context, std::string_view query);

struct RankedFindable {
    const Findable* findable = nullptr;
    int score = 0;
    std::vector<std::size_t> letters;  // of `words`, byte offsets: what was found
};

/// Best first; those that fit far worse than the best are left out. An empty query gives what can be chosen
/// without one, in the order of the tables.
std::vector<RankedFindable> rank(const std::vector<Findable>& findables, std::string_view query);

}  // namespace warplens::app
