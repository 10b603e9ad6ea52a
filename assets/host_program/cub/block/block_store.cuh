// Of a block, which only device code uses.
#pragma once

#include "../../cuda_runtime.h"
