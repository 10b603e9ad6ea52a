// thrust::device_free.
#pragma once

#include "device_malloc.h"
