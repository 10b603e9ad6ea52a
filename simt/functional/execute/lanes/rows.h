// All tables of this folder, declared for the baseline variant.
#pragma once

#include "simt/functional/execute/executor_table.h"

#ifndef WARPLENS_LANES
#define WARPLENS_LANES lanes_baseline
#endif

#include "simt/functional/execute/lanes/variant_rows.h"
