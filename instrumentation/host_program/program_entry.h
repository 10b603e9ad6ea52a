// Which of a file's compiled kernels a running program launches.
#pragma once

#include <vector>

#include "instrumentation/catalog/entry_facts.h"
#include "instrumentation/host_program/program_launch.h"

namespace warplens::instrumentation {

/// The entry that a launch is of; null: none, or several could be.
const EntryFacts* entry_of(const ProgramLaunch& launch, const std::vector<EntryFacts>& entries);

}  // namespace warplens::instrumentation
