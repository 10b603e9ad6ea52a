// Of a warp, which only device code uses.
#pragma once

#include "../../cuda_runtime.h"
