/*
[kernel]
title   = "Macroscopic cross sections: each thread finds its energy in a unionized grid by bisection, then gathers two rows of each of eight nuclides"

[parameters]
lookups = { default = 33792 }

[buffers]
energies = { type = "f64", length = "lookups", fill = "random", seed = "1102" }
grid = { type = "f64", length = "16384", fill = "formula", value = "i / 16384" }
indices = { type = "i32", length = "16384 * 8", fill = "random", seed = "1103", below = "2047" }
tables = { type = "f64", length = "8 * 2048 * 4", fill = "random", seed = "1104" }
sections = { type = "f64", length = "lookups * 3", fill = "zero" }

[launch]
arguments = ["energies", "grid", "indices", "tables", "sections"]
grid  = ["lookups // 128"]
block = ["128"]
*/
extern "C" __global__ void cross_section_lookup(const double* __restrict__ energies, const double* __restrict__ grid,
                                                const int* __restrict__ indices, const double* __restrict__ tables,
                                                double* __restrict__ sections) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    const double energy = energies[i];
    int low = 0, high = 16384;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (grid[middle] > energy) high = middle;
        else low = middle;
    }
    double sums[3] = {0, 0, 0};
    for (int nuclide = 0; nuclide < 8; ++nuclide) {
        const double* row = tables + (nuclide * 2048 + indices[low * 8 + nuclide]) * 4;
        const double part = energy - row[0] * energy;
        for (int k = 0; k < 3; ++k) sums[k] += row[1 + k] * (1 - part) + row[5 + k] * part;
    }
    for (int k = 0; k < 3; ++k) sections[i * 3 + k] = sums[k];
}
