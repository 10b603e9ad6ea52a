// The exchanges of a warp, which cuda_runtime.h has.
#pragma once

#include "cuda_runtime.h"
