// Barriers in shared memory, which only device code uses.
#pragma once

#include "cuda_runtime.h"
