// The steps of `warplens sweep`: options to a plan, a plan to a Sweep, a Sweep to text. The program with a
// window can also draw it (app/command_line/sweep_picture.cpp).
#pragma once

#include <string>

#include "app/command_line/options.h"
#include "app/pipeline/sweep.h"

namespace warplens::app {

/// Errors are bad input, before anything runs.
Result<SweepPlan> plan_of(const SweepWords& words);
/// Runs it on the requested engine. An error if no value could be run.
Result<Sweep> sweep_of(const SweepWords& words);

std::string sweep_text(const Sweep& sweep);
std::string sweep_csv(const Sweep& sweep);
std::string sweep_json(const Sweep& sweep);

}  // namespace warplens::app
