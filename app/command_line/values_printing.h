// The values of a step as text and as JSON.
#pragma once

#include <string>

#include "app/pipeline/values/step_values.h"

namespace warplens::app {

std::string values_text(const StepValues& values);
std::string values_json(const StepValues& values);

}  // namespace warplens::app
