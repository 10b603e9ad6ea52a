// CUDA's runtime for host code that Warplens runs.
#pragma once

#include "program/words.h"

#include "vector_functions.h"

#include "program/host_math.h"
#include "program/intrinsics.h"
#include "program/lambdas.h"
#include "program/launch.h"
#include "runtime/arrays.h"
#include "runtime/copies.h"
#include "runtime/device.h"
#include "runtime/device_attributes.h"
#include "runtime/events.h"
#include "runtime/functions.h"
#include "runtime/graphs.h"
#include "runtime/launch_calls.h"
#include "runtime/memory.h"
#include "runtime/streams.h"
#include "runtime/symbols.h"
#include "runtime/textures.h"
#include "runtime/volumes.h"
