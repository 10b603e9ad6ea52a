// The slow path of a record: its stream's chunk is full, or it has none yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "instrumentation/rewrite/passes.h"

namespace warplens::instrumentation {

/// Variants of the same code, to be compared on a GPU: docs/recording_cost.md has the figures. The defaults
/// were the fastest.
struct CodegenChoices {
    bool vote_for_room = false;  // all lanes go to the slow path together, or only the leader
    bool call_for_room = false;  // the slow path is a function, or is at the end of the code
};
inline constexpr CodegenChoices codegen_choices;

inline constexpr std::string_view take_chunk_name = "warplens_take_chunk";

/// Code at the label `full`. Of the lanes that arrive there, those with %full need room. Needs %base, %size,
/// %chunks, %next and %leads; sets the cursor, %next and %leads (false when there is no room left). Lanes go
/// on at the label `onwards`, which the caller places after it. `id`: a number of its own in the function.
std::string take_chunk(const Draft& draft, std::uint32_t id, std::uint32_t units, std::string_view clock,
                       bool identified);

/// The function that the code calls, unless cold code stays in place.
std::string take_chunk_declaration();
Result<ptx::Function> take_chunk_function(const Draft& draft);

}  // namespace warplens::instrumentation
