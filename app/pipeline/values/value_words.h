// The words for a step's values, which the view and the command line share.
#pragma once

#include <string>
#include <vector>

#include "app/pipeline/values/step_values.h"

namespace warplens::app {

/// "block 0, warp 1, lane 3 (thread 35), step 14".
std::string step_words(const StepValues& values);
/// What a view shows of the step in all lanes: its result, else the data that it stores, else an operand;
/// nullptr: it has none.
const RegisterValue* main_register(const StepValues& values);
/// What the lane's element holds before or after the step: "7", "not written".
std::string element_text(const RequestValue& value, int lane, bool after);
/// "loads row[223]: not written", "stores row[3]: 0.0 → 3.0"; of the lane, one per request.
std::vector<std::string> access_sentences(const StepValues& values);

/// What each lane gave to, or received from, the warp's exchange at a step; empty texts: not known.
std::array<std::string, warp_size> exchanged_texts(const StepValues& values, std::uint64_t step,
                                                   bool received);

/// A word of shared memory, in the type of its last store: "3.5"; "–" if nobody has written it.
std::string shared_text(const StepValues& values, std::size_t word);

std::string initial_text(const LocationHistory& history);
/// What the location holds before or after a write.
std::string write_text(const LocationHistory& history, std::size_t write, bool after);
bool is_racing(const LocationHistory& history, std::size_t write);
/// "block 0, warp 6, lane 31, step 9, line 35".
std::string writer_words(const StepValues& values, const simt::MemoryWrite& write);
/// One line per write, in order, and one for the step itself.
std::vector<std::string> history_lines(const StepValues& values);
/// Both values of a race: "a race: 223 if the store comes first, else not written"; empty: there is none.
std::string race_sentence(const StepValues& values);
/// What the values depend on; empty: on nothing but the block.
std::string order_note(const StepValues& values);

}  // namespace warplens::app
