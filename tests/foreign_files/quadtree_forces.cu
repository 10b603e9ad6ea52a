// N-body tree: a pool of nodes in device memory with child POINTERS built on the host and fixed up; virtual-free C++ classes.
#include <cuda_runtime.h>
#include <iostream>
#include <vector>
#include <memory>
#include <random>
#include <cmath>
#include <cstdlib>
struct Body { float x, y, m; };
struct Quad { float cx, cy, half, mass, mx, my; Quad *child[4]; const Body *body; };
class Tree {
  std::vector<Quad> quads_; const std::vector<Body> &bodies_;
  std::vector<std::array<int, 4>> kids_; std::vector<int> body_;
public:
  explicit Tree(const std::vector<Body> &b) : bodies_(b) { add(0.5f, 0.5f, 0.5f); for (int i = 0; i < (int)b.size(); i++) insert(0, i, 0); sum(0); }
  int add(float cx, float cy, float h) { quads_.push_back({cx, cy, h, 0, 0, 0, {}, nullptr}); kids_.push_back({-1, -1, -1, -1}); body_.push_back(-1); return quads_.size() - 1; }
  void insert(int q, int b, int depth) {
    bool leaf = kids_[q][0] < 0 && kids_[q][1] < 0 && kids_[q][2] < 0 && kids_[q][3] < 0;
    if (leaf && body_[q] < 0) { body_[q] = b; return; }
    if (leaf) { int old = body_[q]; body_[q] = -1; down(q, old, depth); }
    down(q, b, depth);
  }
  void down(int q, int b, int depth) {
    int k = (bodies_[b].x > quads_[q].cx) + 2 * (bodies_[b].y > quads_[q].cy);
    if (kids_[q][k] < 0) { float h = quads_[q].half / 2; int n = add(quads_[q].cx + (k & 1 ? h : -h), quads_[q].cy + (k & 2 ? h : -h), h); kids_[q][k] = n; }
    insert(kids_[q][k], b, depth + 1);
  }
  void sum(int q) {
    Quad &n = quads_[q]; if (body_[q] >= 0) { auto &b = bodies_[body_[q]]; n.mass = b.m; n.mx = b.x; n.my = b.y; return; }
    float m = 0, x = 0, y = 0; for (int k : kids_[q]) if (k >= 0) { sum(k); auto &c = quads_[k]; m += c.mass; x += c.mass * c.mx; y += c.mass * c.my; }
    n.mass = m; n.mx = m ? x / m : 0; n.my = m ? y / m : 0;
  }
  Quad *upload(const Body *dBodies) {
    Quad *d; cudaMalloc(&d, quads_.size() * sizeof(Quad));
    for (size_t i = 0; i < quads_.size(); i++) { for (int k = 0; k < 4; k++) quads_[i].child[k] = kids_[i][k] < 0 ? nullptr : d + kids_[i][k]; quads_[i].body = body_[i] < 0 ? nullptr : dBodies + body_[i]; }
    cudaMemcpy(d, quads_.data(), quads_.size() * sizeof(Quad), cudaMemcpyHostToDevice);
    return d;
  }
};
__global__ void forces(const Quad *root, const Body *bodies, float2 *f, int n, float theta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body b = bodies[i]; float2 a = {0, 0};
  const Quad *stack[64]; int top = 0; stack[top++] = root;
  while (top) {
    const Quad *q = stack[--top];
    if (q->body == bodies + i || q->mass == 0) continue;
    float dx = q->mx - b.x, dy = q->my - b.y, d2 = dx * dx + dy * dy + 1e-4f;
    if (q->body || 4 * q->half * q->half < theta * theta * d2) { float inv = rsqrtf(d2); float s = q->mass * inv * inv * inv; a.x += s * dx; a.y += s * dy; }
    else for (int k = 0; k < 4; k++) if (q->child[k]) stack[top++] = q->child[k];
  }
  f[i] = a;
}
int main() {
  std::mt19937 g(9); std::uniform_real_distribution<float> u(0, 1);
  std::vector<Body> b(600); for (auto &x : b) x = {u(g), u(g), 0.5f + u(g)};
  Tree t(b);
  Body *d; float2 *f; cudaMalloc(&d, b.size() * sizeof(Body)); cudaMalloc(&f, b.size() * sizeof(float2));
  cudaMemcpy(d, b.data(), b.size() * sizeof(Body), cudaMemcpyHostToDevice);
  Quad *q = t.upload(d);
  forces<<<(b.size() + 95) / 96, 96>>>(q, d, f, b.size(), 0.3f);
  std::vector<float2> r(b.size()); cudaMemcpy(r.data(), f, r.size() * sizeof(float2), cudaMemcpyDeviceToHost);
  double err = 0, ref = 0;
  for (size_t i = 0; i < b.size(); i++) { double x = 0, y = 0; for (size_t j = 0; j < b.size(); j++) if (j != i) { double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, s = b[j].m / pow(dx * dx + dy * dy + 1e-4, 1.5); x += s * dx; y += s * dy; } err += hypot(x - r[i].x, y - r[i].y); ref += hypot(x, y); }
  std::cout << "relative error " << (err / ref < 0.02 ? "below 2 %" : "LARGE") << std::endl;
  return err / ref >= 0.02;
}
