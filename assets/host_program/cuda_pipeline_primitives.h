// Asynchronous copies into shared memory, which only device code calls.
#pragma once

#include "cuda_runtime.h"
