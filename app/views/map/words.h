// The sentences of the map view: its title, the line of the example thread, and what the mouse is on.
#pragma once

#include <string>
#include <vector>

#include "analysis/memory/access_map.h"
#include "app/views/map/panel.h"
#include "app/views/map/settings.h"
#include "app/views/shared/headline.h"

namespace warplens::app {

/// The requests that the map counts: of the scope that the warp belongs to.
analysis::MapFilter filter_of(const MapSettings& settings, const Scene& scene, std::uint32_t warp_record);

/// "Block (0, 0) of `transpose_tiled`: 256 threads read 1,024 elements and write 1,024".
std::string map_title(const Scene& scene, MapScope scope, const analysis::MapFilter& filter,
                      const std::vector<MapPanel>& panels);
/// The same with what the other run accesses of the arrays that correspond: "… 256 threads read 512 → 256
/// elements and write 256 elements, compared with PAD=0".
std::string map_change_title(const Scene& scene, MapScope scope, const analysis::MapFilter& filter,
                             const std::vector<MapPanel>& panels, const std::vector<MapPanel>& before,
                             std::string_view other_run);
/// How often an element is read; empty if none is accessed.
Headline map_headline(const std::vector<MapPanel>& panels);

/// "block (7, 2) · thread (5, 3) · lane 21 of warp 1".
std::string thread_words(const trace::Trace& trace, const analysis::MapThread& thread);
/// The same with the elements that it accesses: "in[35, 117]".
std::string example_words(const trace::Trace& trace, const analysis::MapThread& thread,
                          const std::vector<MapPanel>& panels);
/// "PAD=0: block 0 · thread 3 · in[6]": of the same thread in the other run.
std::string before_words(std::string_view run, const trace::Trace& trace, const analysis::MapThread& thread,
                         const std::vector<MapPanel>& panels);
/// "in[3,149] = row 12, column 77"; "tile[1][5]" where the declaration says so.
std::string element_words(const analysis::MappedArray& array, std::uint64_t element);
/// What an element without a colour means.
std::string untouched_words(const Scene& scene);
/// What the cell's colour and numbers mean: a sentence, then arithmetic.
std::string cell_sentence(const trace::Trace& trace, const MapPanel& panel, const analysis::MapCell& cell);

}  // namespace warplens::app
