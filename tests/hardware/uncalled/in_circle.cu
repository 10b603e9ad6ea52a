/*
[kernel]
title   = "Delaunay: whether the fourth point of each pair of triangles lies in the circle of the other three, in double precision"

[parameters]
edges = { default = 67584 }

[buffers]
points = { type = "f64", length = "32768 * 2", fill = "random", seed = "2081" }
corners = { type = "u32", length = "edges * 4", fill = "random", seed = "2082", below = "32768" }
flips = { type = "u32", length = "edges // 32", fill = "zero" }

[launch]
arguments = ["points", "corners", "flips"]
grid  = ["edges // 256"]
block = ["256"]
*/
extern "C" __global__ void in_circle(const double2* __restrict__ points, const uint4* __restrict__ corners, unsigned* __restrict__ flips) {
    const unsigned edge = blockIdx.x * 256 + threadIdx.x;
    const uint4 c = corners[edge];
    const double2 d = points[c.w];
    double2 p = points[c.x], q = points[c.y], r = points[c.z];
    p.x -= d.x;
    p.y -= d.y;
    q.x -= d.x;
    q.y -= d.y;
    r.x -= d.x;
    r.y -= d.y;
    const double pp = p.x * p.x + p.y * p.y, qq = q.x * q.x + q.y * q.y, rr = r.x * r.x + r.y * r.y;
    const double inside = pp * (q.x * r.y - r.x * q.y) - qq * (p.x * r.y - r.x * p.y) + rr * (p.x * q.y - q.x * p.y);
    const double turn = (q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y);
    const unsigned votes = __ballot_sync(0xffffffffu, turn > 0 ? inside > 0 : inside < 0);
    if (threadIdx.x % 32 == 0) flips[edge / 32] = votes;
}
