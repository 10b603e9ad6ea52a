// The calls of CUDA's runtime, which are in one header here.
#pragma once

#include "cuda_runtime.h"
