// `shot --map`: what the map view shows, as text.
#pragma once

#include <string_view>

#include "app/scene/wanted_map.h"
#include "core/result.h"
#include "trace/trace.h"

namespace warplens::app {

/// "array=in,scope=block,color=lane,accesses=loads,columns=64", or some of it.
Result<WantedMap> parse_map_option(std::string_view text);
/// The trace has the array.
Status check_map(const WantedMap& wanted, const trace::Trace& trace);

}  // namespace warplens::app
