// Marks for a profiler, at their earlier place.
#pragma once

#include "nvtx3/nvToolsExt.h"
