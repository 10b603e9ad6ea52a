// Sweeps on the CPU engine, whole launches, for the window and for `shot`.
#pragma once

#include <memory>

#include "app/pipeline/pipeline.h"
#include "app/pipeline/sweep.h"

namespace warplens::app {

RunSweep sweep_on_engine(std::shared_ptr<Pipeline> pipeline);

}  // namespace warplens::app
