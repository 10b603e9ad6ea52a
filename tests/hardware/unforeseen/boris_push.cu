/*
[kernel]
title   = "Charged particles of a plasma: fields between four nodes of a grid, a rotation in the magnetic field, new places"

[parameters]
particles = { default = 270336 }

[buffers]
places = { type = "f32", length = "particles * 2", fill = "formula", value = "(i // 2 % 4096 // 32 + random(1000) / 1000) / 128", seed = "1519" }
speeds = { type = "f32", length = "particles * 3", fill = "random", seed = "1520" }
fields = { type = "f32", length = "129 * 129 * 4", fill = "random", seed = "1521" }

[launch]
arguments = ["places", "speeds", "fields", "particles"]
grid  = ["particles // 128"]
block = ["128"]
*/
extern "C" __global__ void boris_push(float2* __restrict__ places, float* __restrict__ speeds, const float4* __restrict__ fields,
                                      int particles) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= particles) return;
    const float2 place = places[i];
    const float gx = fminf(place.x * 128, 127.999f), gy = fminf(place.y * 128, 127.999f);
    const int ix = int(gx), iy = int(gy);
    const float fx = gx - ix, fy = gy - iy;
    const float4 a = fields[iy * 129 + ix], b = fields[iy * 129 + ix + 1], c = fields[iy * 129 + 129 + ix],
                 d = fields[iy * 129 + 130 + ix];
    const float wa = (1 - fx) * (1 - fy), wb = fx * (1 - fy), wc = (1 - fx) * fy, wd = fx * fy;
    const float ex = a.x * wa + b.x * wb + c.x * wc + d.x * wd, ey = a.y * wa + b.y * wb + c.y * wc + d.y * wd;
    const float ez = a.z * wa + b.z * wb + c.z * wc + d.z * wd, bz = a.w * wa + b.w * wb + c.w * wc + d.w * wd;
    float vx = speeds[i] + 0.01f * ex, vy = speeds[particles + i] + 0.01f * ey, vz = speeds[2 * particles + i] + 0.01f * ez;
    const float t = 0.02f * bz, s = 2 * t / (1 + t * t);
    const float px = vx + vy * t, py = vy - vx * t;
    vx += py * s;
    vy -= px * s;
    vx += 0.01f * ex;
    vy += 0.01f * ey;
    vz += 0.01f * ez;
    speeds[i] = vx;
    speeds[particles + i] = vy;
    speeds[2 * particles + i] = vz;
    float x = place.x + 0.001f * vx, y = place.y + 0.001f * vy;
    places[i] = make_float2(x - floorf(x), y - floorf(y));
}
