// CUDA's driver interface for host code that Warplens runs: its calls are those of the runtime. A module is
// the program's own file, whose kernels are found by their symbols; kernels of other files are not there.
#pragma once

#include "cuda_runtime.h"
#include "driver/types.h"

#include "driver/contexts.h"
#include "driver/memory.h"
#include "driver/modules.h"
#include "driver/streams.h"
