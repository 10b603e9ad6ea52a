// The functions of device code that a host can compute, which cuda_runtime.h has.
#pragma once

#include "cuda_runtime.h"
