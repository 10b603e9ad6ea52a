/*
[kernel]
title   = "Cross sections from poles in double precision: each thread looks up the window of its energy and adds up 4 to 11 poles by a rational function"

[parameters]
lookups = { default = 33792 }

[buffers]
energies = { type = "f64", length = "lookups", fill = "random", seed = "1423" }
windows = { type = "i32", length = "1025", fill = "formula", value = "i * 7 + (i * 3 % 5)" }
poles = { type = "f64", length = "1026 * 7 * 4", fill = "random", seed = "1424" }
sections = { type = "f64", length = "lookups * 2", fill = "zero" }

[launch]
arguments = ["energies", "windows", "poles", "sections", "lookups"]
grid  = ["lookups // 128"]
block = ["128"]
*/
extern "C" __global__ void multipole_lookup(const double* __restrict__ energies, const int* __restrict__ windows,
                                            const double2* __restrict__ poles, double* __restrict__ sections, int lookups) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    const double energy = energies[i], root = sqrt(energy);
    const int window = min(1023, int(energy * 1024));
    double total = 0, absorbed = 0;
    for (int p = windows[window]; p < windows[window + 1]; ++p) {
        const double2 pole = poles[p * 2], residue = poles[p * 2 + 1];
        // w(z) far from the axis: i z (z^2 - 2.5) / (z^4 - 3 z^2 + 0.75), up to a factor.
        const double zr = (root - pole.x) * 3, zi = pole.y + 1;
        const double sr = zr * zr - zi * zi, si = 2 * zr * zi;
        const double qr = sr * sr - si * si - 3 * sr + 0.75, qi = 2 * sr * si - 3 * si;
        const double nr = -(zr * si + zi * (sr - 2.5)), ni = zr * (sr - 2.5) - zi * si;
        const double scale = 1 / (qr * qr + qi * qi);
        const double wr = (nr * qr + ni * qi) * scale, wi = (ni * qr - nr * qi) * scale;
        total += residue.x * wr - residue.y * wi;
        absorbed += residue.y * wr;
    }
    sections[i] = total / energy;
    sections[i + lookups] = absorbed / energy;
}
