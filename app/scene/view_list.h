// The views as data: one row of app/scene/views.def each. Kernels, the command line, selections and sweeps
// use these rows; app/views/view.h draws a view.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/scene/request_index.h"

namespace warplens::app {

enum class ViewPlace { source, centre, bottom, explain };

/// The subject of a view: it decides what is selected by default, and which requests are preferred.
enum class ViewSubject {
    none,  // whatever costs most
    shared,
    global_or_local,
    atomic,
    branches,
    matrices,
    collectives,  // shuffles, votes and matches
    values,       // what lanes hold: whatever costs most, but no barrier
    clusters,     // accesses to the shared memory of a cluster
    launch,       // the launch as a whole, and two sides of it:
    occupancy,
    roofline,
};
std::optional<MemoryKind> memory_kind(ViewSubject subject);

/// What a run must have for the view to have something to show.
enum class ViewContent {
    always,
    requests,  // of the subject's kind of memory
    accesses,  // of any memory
    collectives,
    clusters,
    matrices,  // instructions of the tensor cores
    values,    // the engine can execute the block again
    trees,
    launches,  // the kernel launches grids
    problems,
    printed,
    parameters,
    measured,    // by a GPU
    activities,  // of streams
    ptx,
    program,  // the kernel's file has host code
};

/// What the view shows in addition to the Scene, which `shot` has to compute, or the part of it that `shot`
/// can choose.
enum class ViewExtra {
    nothing,
    bank_fixes,
    times,   // a range of cycles, measured or modelled, at a level
    moment,  // the same of one cycle
    what_if,
    sweep,
    advice,
    machine_code,
    values,
    map,
    grid
};

struct ViewRow {
    const char* name;   // "banks": for --view and views in a kernel's header
    const char* title;  // "Banks"
    const char* help;   // one sentence
    ViewPlace place;
    ViewSubject subject;
    ViewContent content;
    ViewExtra extra;
    const char* metric;  // of analysis::find_metric: the first to sweep for a kernel of this view
};

/// In the order of the tabs.
std::span<const ViewRow> view_rows();
const ViewRow* find_view_row(std::string_view name);
/// Each place has a view.
const ViewRow& first_view_at(ViewPlace place);
/// Of a view that is not known, ViewSubject::none.
ViewSubject subject_of(std::string_view view);

}  // namespace warplens::app
