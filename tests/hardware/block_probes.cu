// Which SM runs which block, and when; work that is taken from a queue by additions or by compare-and-swap; and a level of
// breadth-first search without one or the other of its atomics.
// nvcc -O3 -arch=sm_90; prints CSV rows what,parameters,value,unit, and with `blocks` a row for each block.
#include "probe_support.cuh"

#include <map>
#include <string>

__device__ __forceinline__ unsigned sm_id() {
    unsigned sm;
    asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
    return sm;
}
__device__ __forceinline__ U64 nanoseconds() {
    U64 t;
    asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(t)::"memory");
    return t;
}
__device__ __forceinline__ void spin(long long cycles) {
    const long long t0 = now();
    while (now() - t0 < cycles) {}
}
struct Stay {
    long long begin, end;
    U64 from, to;
    unsigned sm, warp;
};

// ---- which SM runs which block -----------------------------------------------------------------------------
__global__ void stay(Stay* stays, const int* lengths) {
    const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    const long long t0 = now();
    const U64 from = nanoseconds();
    const int length = lengths[block];
    if (length > 0) spin(length);
    if (threadIdx.x == 0) {
        unsigned warp;
        asm volatile("mov.u32 %0,%%warpid;" : "=r"(warp));
        stays[block] = {t0, now(), from, nanoseconds(), sm_id(), warp};
    }
}
void place(const char* name, dim3 grid, int threads, int shared, const std::vector<int>& lengths) {
    const int blocks = grid.x * grid.y;
    Stay* stays;
    int* on_device;
    CK(cudaMalloc(&stays, sizeof(Stay) * blocks));
    CK(cudaMalloc(&on_device, 4 * blocks));
    CK(cudaMemcpy(on_device, lengths.data(), 4 * blocks, cudaMemcpyHostToDevice));
    CK(cudaFuncSetAttribute(stay, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    std::vector<Stay> host(blocks);
    for (int run = 0; run < 2; ++run) {
        stay<<<grid, threads, shared>>>(stays, on_device);
        CK(cudaDeviceSynchronize());
        CK(cudaMemcpy(host.data(), stays, sizeof(Stay) * blocks, cudaMemcpyDeviceToHost));
        U64 first = host[0].from;
        for (const Stay& s : host) first = std::min(first, s.from);
        if (run > 0)
            for (int b = 0; b < blocks; ++b)
                std::printf("block,%s,%d,%d,%u,%u,%llu,%llu,%lld,%lld\n", name, b, lengths[b], host[b].sm, host[b].warp, host[b].from - first, host[b].to - first, host[b].begin, host[b].end);
    }
    CK(cudaFree(stays)); CK(cudaFree(on_device));
}
void blocks() {
    std::printf("block,case,block,length,sm,warp,from_ns,to_ns,begin,end\n");
    unsigned seed = 1;
    const auto random = [&](int least, int most) { seed = seed * 1664525u + 1013904223u; return least + int((seed >> 8) % unsigned(most - least)); };
    std::vector<int> triangle, mixed, long_ones, even(4224, 6000);
    for (int row = 0; row < 64; ++row) for (int column = 0; column < 64; ++column) triangle.push_back(row > column ? 0 : 8000);
    for (int i = 0; i < 1584; ++i) mixed.push_back(random(2000, 20000));
    for (int i = 0; i < 1584; ++i) long_ones.push_back(i % 97 == 5 ? 60000 : random(3000, 6000));
    place("triangle", dim3(64, 64), 64, 1024, triangle);
    place("even_64", dim3(4224), 64, 1024, even);
    place("even_1024", dim3(528), 1024, 0, even);
    place("mixed_8_resident", dim3(1584), 256, 0, mixed);
    place("mixed_1_resident", dim3(1056), 256, 120 * 1024, mixed);
    place("long_ones", dim3(1584), 128, 24 * 1024, long_ones);
    place("of_192", dim3(16, 12), 128, 24 * 1024, even);
    place("of_300", dim3(300), 256, 60 * 1024, even);
}

// ---- work from a queue -------------------------------------------------------------------------------------
struct Taken {
    unsigned sm, taken, attempts;
    long long waited;
};
template <int SWAPS>  // 0: atomicAdd, 1: compare-and-swap with what the last attempt saw
__global__ void queue(Taken* of, Stay* stays, unsigned* next, unsigned items, int work, int own) {
    __shared__ unsigned item;
    unsigned taken = 0, attempts = 0;
    long long waited = 0;
    const long long t0 = now();
    const U64 from = nanoseconds();
    unsigned* head = next + (own ? blockIdx.x * own : 0);
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) {
            const long long asked = now();
            if (SWAPS) {
                unsigned seen = *(volatile unsigned*)head, was;
                while (seen < items && (++attempts, was = atomicCAS(head, seen, seen + 1)) != seen) seen = was;
                item = seen;
            } else {
                ++attempts;
                item = atomicAdd(head, 1u);
            }
            waited += now() - asked;
        }
        __syncthreads();
        if (item >= items) break;
        ++taken;
        if (work) spin(work);
    }
    if (threadIdx.x == 0) {
        of[blockIdx.x] = {sm_id(), taken, attempts, waited};
        stays[blockIdx.x] = {t0, now(), from, nanoseconds(), sm_id(), 0};
    }
}
template <int SWAPS>
void queue_row(int blocks, unsigned items, int work, int own) {
    static Taken* of = nullptr;
    static Stay* stays = nullptr;
    static unsigned* next = nullptr;
    if (!of) { CK(cudaMalloc(&of, sizeof(Taken) * 1024)); CK(cudaMalloc(&stays, sizeof(Stay) * 1024)); CK(cudaMalloc(&next, 4 << 20)); }
    std::vector<Taken> host(blocks);
    const double cycles = repeat([&] { CK(cudaMemset(next, 0, 4 << 20)); queue<SWAPS><<<blocks, 128>>>(of, stays, next, items, work, own); },
                                 [&] {
                                     CK(cudaDeviceSynchronize());
                                     std::vector<Stay> span(blocks);
                                     CK(cudaMemcpy(span.data(), stays, sizeof(Stay) * blocks, cudaMemcpyDeviceToHost));
                                     CK(cudaMemcpy(host.data(), of, sizeof(Taken) * blocks, cudaMemcpyDeviceToHost));
                                     long long most = 0;
                                     for (const Stay& s : span) most = std::max(most, s.end - s.begin);
                                     return double(most);
                                 });
    unsigned least = ~0u, most = 0;
    double attempts = 0, waited = 0, taken = 0;
    for (const Taken& t : host) least = std::min(least, t.taken), most = std::max(most, t.taken), attempts += t.attempts, waited += double(t.waited), taken += t.taken;
    char q[128];
    std::snprintf(q, sizeof q, "%s blocks=%d items=%u work=%d own=%d", SWAPS ? "swaps" : "adds", blocks, items, work, own);
    row("queue", q, cycles, "cycles longest block");
    row("queue_attempts", q, attempts / taken, "attempts for an item");
    row("queue_waited", q, waited / (taken + blocks), "cycles a take");
    row("queue_least", q, least, "items of a block");
    row("queue_most", q, most, "items of a block");
    if (blocks == 132 && (work == 0 || work == 20000)) {
        std::map<unsigned, unsigned> by;
        for (const Taken& t : host) by[t.sm] += t.taken;
        std::printf("# %s taken by SM:", q);
        for (const auto& [sm, count] : by) std::printf(" %u", count);
        std::printf("\n");
    }
}
void queues() {
    for (int blocks : {1, 2, 4, 8, 16, 33, 66, 132, 264, 528})
        for (int work : {0, 2000, 20000, 60000}) {
            queue_row<0>(blocks, 1024, work, 0);
            queue_row<1>(blocks, 1024, work, 0);
        }
    // A queue for each block: of a word, a sector, a line, a KiB.
    for (int own : {1, 8, 32, 256}) { queue_row<0>(132, 64, 0, own); queue_row<1>(132, 64, 0, own); }
}

// ---- a level of breadth-first search -----------------------------------------------------------------------
template <int CLAIM, int COUNT>  // how vertices are claimed: 1 compare-and-swap, 2 a plain store; counted: 1 one counter, 2 a counter a block
__global__ void level_of(Stay* stays, const unsigned* __restrict__ begins, const unsigned* __restrict__ targets, const unsigned* __restrict__ frontier_of, unsigned* level, unsigned* next, unsigned* count, int frontier, int depth) {
    const long long t0 = now();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < frontier) {
        const unsigned vertex = frontier_of[i], end = begins[vertex + 1];
        unsigned own = 0;
        for (unsigned edge = begins[vertex]; edge < end; ++edge) {
            const unsigned target = targets[edge];
            if (level[target] != 0) continue;
            bool claimed = true;
            if (CLAIM == 1) claimed = atomicCAS(level + target, 0u, unsigned(depth)) == 0;
            else level[target] = depth;
            if (!claimed) continue;
            if (COUNT == 1) next[atomicAdd(count, 1u)] = target;
            else if (COUNT == 2) next[blockIdx.x * 1024 + atomicAdd(count + 64 * blockIdx.x, 1u)] = target;
            else next[i * 8 + own++] = target;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) stays[blockIdx.x] = {t0, now(), 0, 0, sm_id(), 0};
}
template <int CLAIM, int COUNT>
void level_row(const char* name) {
    constexpr int vertices = 262144, frontier = 40960, blocks = frontier / 128;
    std::vector<unsigned> begins(vertices + 1), targets(vertices * 8 + 8), queue(frontier), level(vertices);
    unsigned seed = 7;
    const auto random = [&](unsigned below) { seed = seed * 1664525u + 1013904223u; return (seed >> 8) % below; };
    for (int i = 0; i <= vertices; ++i) begins[i] = i * 8 + i % 8;
    for (auto& t : targets) t = random(vertices);
    for (int i = 0; i < frontier; ++i) queue[i] = i * 6 + random(6);
    for (auto& l : level) l = random(10) / 7 * 3;
    unsigned *b, *t, *q, *l, *n, *c;
    Stay* stays;
    CK(cudaMalloc(&b, begins.size() * 4)); CK(cudaMalloc(&t, targets.size() * 4)); CK(cudaMalloc(&q, queue.size() * 4)); CK(cudaMalloc(&l, level.size() * 4)); CK(cudaMalloc(&n, 2 << 20)); CK(cudaMalloc(&c, 1 << 20)); CK(cudaMalloc(&stays, sizeof(Stay) * blocks));
    CK(cudaMemcpy(b, begins.data(), begins.size() * 4, cudaMemcpyHostToDevice)); CK(cudaMemcpy(t, targets.data(), targets.size() * 4, cudaMemcpyHostToDevice)); CK(cudaMemcpy(q, queue.data(), queue.size() * 4, cudaMemcpyHostToDevice));
    const double cycles = repeat([&] { CK(cudaMemcpy(l, level.data(), level.size() * 4, cudaMemcpyHostToDevice)); CK(cudaMemset(c, 0, 1 << 20)); level_of<CLAIM, COUNT><<<blocks, 128>>>(stays, b, t, q, l, n, c, frontier, 4); },
                                 [&] {
                                     CK(cudaDeviceSynchronize());
                                     std::vector<Stay> host(blocks);
                                     CK(cudaMemcpy(host.data(), stays, sizeof(Stay) * blocks, cudaMemcpyDeviceToHost));
                                     std::map<unsigned, Span> sms;
                                     for (const Stay& s : host) {
                                         const auto at = sms.try_emplace(s.sm, Span{s.begin, s.end}).first;
                                         at->second.begin = std::min(at->second.begin, s.begin);
                                         at->second.end = std::max(at->second.end, s.end);
                                     }
                                     double most = 0;
                                     for (const auto& [sm, span] : sms) most = std::max(most, double(span.end - span.begin));
                                     return most;
                                 });
    row("level", name, cycles, "cycles longest SM, warm");
}
void levels() {
    level_row<1, 1>("swaps, one counter");
    level_row<1, 2>("swaps, a counter a block");
    level_row<1, 0>("swaps alone");
    level_row<2, 1>("stores, one counter");
    level_row<2, 2>("stores, a counter a block");
    level_row<2, 0>("stores alone");
}

int main(int count, char** arguments) {
    const std::string asked = count > 1 ? arguments[1] : "";
    if (asked.empty() || asked == "levels") levels();
    if (asked.empty() || asked == "queues") queues();
    if (asked == "blocks") blocks();
}
