// The algorithms of cub that host code calls for a whole device: sums, extremes, prefix sums, sorting,
// selection and histograms. The host computes them. On a GPU cub would launch kernels for this. Those
// launches are not shown. What cub offers to kernels is left out: the bodies of kernels are not compiled
// here.
#pragma once

#include "device/device_histogram.cuh"
#include "device/device_merge_sort.cuh"
#include "device/device_radix_sort.cuh"
#include "device/device_reduce.cuh"
#include "device/device_run_length_encode.cuh"
#include "device/device_scan.cuh"
#include "device/device_segmented_reduce.cuh"
#include "device/device_select.cuh"
#include "util_type.cuh"
