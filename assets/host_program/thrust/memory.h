// thrust::device_malloc, device_free and the casts of pointers.
#pragma once

#include "device_malloc.h"
