// thrust::swap and swap_ranges.
#pragma once

#include "copy.h"
#include "pair.h"
