/*
[kernel]
title   = "Kepler's equation in double precision by Halley's steps, with a series for the sine: lanes need different numbers of steps"

[parameters]
orbits = { default = 135168 }

[buffers]
mean_anomaly = { type = "f64", length = "orbits", fill = "random", seed = "909" }
eccentricity = { type = "f64", length = "orbits", fill = "formula", value = "0.05 + 0.85 * random()", seed = "910" }
anomaly = { type = "f64", length = "orbits", fill = "zero" }

[launch]
arguments = ["mean_anomaly", "eccentricity", "anomaly"]
grid  = ["orbits // 256"]
block = ["256"]
*/
extern "C" __global__ void kepler_double(const double* mean_anomaly, const double* eccentricity, double* anomaly) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const double m = mean_anomaly[at], e = eccentricity[at];
    double x = m + e * m;
    for (int i = 0; i < 12; ++i) {
        const double q = x * x;
        const double sine = x * (1 + q * (-1.0 / 6 + q * (1.0 / 120 + q * (-1.0 / 5040 + q * (1.0 / 362880)))));
        const double cosine = 1 + q * (-0.5 + q * (1.0 / 24 + q * (-1.0 / 720 + q * (1.0 / 40320))));
        const double f = x - e * sine - m, slope = 1 - e * cosine, bend = e * sine;
        const double step = f / (slope - 0.5 * f * bend / slope);
        x -= step;
        if (fabs(step) < 1e-12) break;
    }
    anomaly[at] = x;
}
