// threadIdx and its siblings, which cuda_runtime.h has.
#pragma once

#include "cuda_runtime.h"
