// thrust::uninitialized_fill.
#pragma once

#include "fill.h"
