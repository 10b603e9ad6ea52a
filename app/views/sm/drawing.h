// The block diagram of one SM in a cycle: four schedulers with their warp slots, pipes and queues above what
// they share. Draws an analysis::SmState and answers what is under the mouse.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/time/sm_state.h"
#include "app/scene/scene.h"
#include "app/ui/ink.h"
#include "app/ui/legend.h"

namespace warplens::app {

struct SmDiagram {
    const Scene& scene;
    const analysis::SmStates& states;
    const analysis::SmState& state;
    std::uint32_t chosen = no_index, hovered = no_index;  // into Schedule::warps
    bool interactive = false;

    bool under_mouse(const Box& box) const {
        return interactive && ImGui::IsWindowHovered() && box.has(ImGui::GetIO().MousePos);
    }
};

/// How much of an SM a box has room for.
enum class SmDetail {
    whole,
    low,    // queues share a line
    slots,  // who issues and the warp slots alone
};
SmDetail sm_detail(const Ink& ink, const SmDiagram& diagram, const Box& box);

/// What is under the mouse.
struct SmHit {
    std::uint32_t warp = no_index;  // into Schedule::warps
    std::string sentence;           // empty: nothing
    std::vector<std::string> lines;
    bool scoreboards = false;  // some slot has room to show them
};

SmHit draw_sm(const Ink& ink, const SmDiagram& diagram, Box box);

/// The states that warps of these SMs are in, and the marks of the diagram.
std::vector<LegendEntry> sm_legend(const Theme& theme, std::initializer_list<const SmDiagram*> diagrams,
                                   SmDetail detail, bool with_scoreboards = true);

struct PipeName {
    Pipe pipe;
    const char *name, *brief;  // "FMA heavy", and shorter
    const char* what;          // it computes
};

}  // namespace warplens::app
