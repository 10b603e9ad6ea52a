// Runs a file's program with what comes with Warplens, for the command line and the window.
#pragma once

#include "app/pipeline/program_inputs.h"
#include "app/pipeline/program_launches.h"

namespace warplens::app {

/// As program_inputs, with the headers of assets/host_program and a folder in the cache.
Result<ProgramInputs> run_program(Pipeline& pipeline, ProgramInputsRequest request);

/// As program_launches, likewise.
Result<ProgramLaunches> run_whole_program(Pipeline& pipeline, ProgramInputsRequest request,
                                          const std::function<void(const ProgramLaunches&)>& so_far = {});

}  // namespace warplens::app
