#include "tests/support/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "trace/recorder.h"

namespace warplens::trace {

namespace {

constexpr std::string_view source_text =
    R"(// Loads with a stride, reads a column of a shared tile, and takes a branch on which lanes disagree.
__global__ void example(const float* in, float* out, int rounds, int n) {
    __shared__ float tile[1024];
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        tile[threadIdx.x] = in[2 * t];
        __syncthreads();
        float sum = tile[threadIdx.x % 32 * 32 + threadIdx.x / 32];
        if (threadIdx.x % 2 == 0)
            sum += in[(7919 * t + round) % 1024];
        if (t < n) out[t] = sum;
        __syncthreads();
    }
}
)";

constexpr std::string_view ptx_header = R"(.version 7.0
.target sm_70
.address_size 64

.visible .entry example(
    .param .u64 example_in,
    .param .u64 example_out,
    .param .u32 example_rounds,
    .param .u32 example_n
)
{
    .reg .pred %p<4>;
    .reg .b32 %r<20>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<9>;
    .shared .align 4 .b8 tile[4096];

)";

struct Row {
    std::string_view label;  // written before the instruction when not empty
    std::string_view text;
    SiteKind kind;
    std::uint32_t line;
    Space space = Space::none;
    Operation operation = Operation::none;
    std::uint32_t bytes = 0;
    bool ends_block = false;
};

constexpr auto lanewise = SiteKind::lanewise;
constexpr auto memory = SiteKind::memory;
constexpr auto load = Operation::load;
constexpr auto store = Operation::store;

constexpr Row rows[] = {
    {"", "ld.param.u64 %rd1, [example_in];", memory, 2, Space::param, load, 8},
    {"", "ld.param.u64 %rd2, [example_out];", memory, 2, Space::param, load, 8},
    {"", "ld.param.u32 %r1, [example_rounds];", memory, 2, Space::param, load, 4},
    {"", "ld.param.u32 %r2, [example_n];", memory, 2, Space::param, load, 4},
    {"", "mov.u32 %r3, %tid.x;", lanewise, 4},
    {"", "mov.u32 %r4, %ctaid.x;", lanewise, 4},
    {"", "mov.u32 %r5, %ntid.x;", lanewise, 4},
    {"", "mad.lo.s32 %r6, %r4, %r5, %r3;", lanewise, 4},
    {"", "mov.u32 %r7, tile;", lanewise, 6},
    {"", "shl.b32 %r8, %r3, 2;", lanewise, 6},
    {"", "add.s32 %r9, %r7, %r8;", lanewise, 6},
    {"", "mul.wide.s32 %rd3, %r6, 8;", lanewise, 6},
    {"", "add.s64 %rd4, %rd1, %rd3;", lanewise, 6},
    {"", "and.b32 %r10, %r3, 31;", lanewise, 8},
    {"", "shl.b32 %r11, %r10, 7;", lanewise, 8},
    {"", "shr.u32 %r12, %r3, 5;", lanewise, 8},
    {"", "shl.b32 %r13, %r12, 2;", lanewise, 8},
    {"", "add.s32 %r14, %r11, %r13;", lanewise, 8},
    {"", "add.s32 %r15, %r7, %r14;", lanewise, 8},
    {"", "and.b32 %r16, %r3, 1;", lanewise, 9},
    {"", "setp.ne.s32 %p2, %r16, 0;", lanewise, 9},
    {"", "mul.wide.s32 %rd5, %r6, 4;", lanewise, 11},
    {"", "add.s64 %rd6, %rd2, %rd5;", lanewise, 11},
    {"", "setp.lt.s32 %p1, %r6, %r2;", lanewise, 11},
    {"", "mov.u32 %r17, 0;", lanewise, 5, Space::none, Operation::none, 0, true},
    {"$round:", "ld.global.f32 %f1, [%rd4];", memory, 6, Space::global, load, 4},
    {"", "st.shared.f32 [%r9], %f1;", memory, 6, Space::shared, store, 4},
    {"", "bar.sync 0;", SiteKind::barrier, 7, Space::none, Operation::none, 0, true},
    {"", "ld.shared.f32 %f2, [%r15];", memory, 8, Space::shared, load, 4},
    {"", "@%p2 bra $joined;", SiteKind::branch, 9, Space::none, Operation::none, 0, true},
    {"", "mad.lo.s32 %r18, %r6, 7919, %r17;", lanewise, 10},
    {"", "and.b32 %r19, %r18, 1023;", lanewise, 10},
    {"", "mul.wide.u32 %rd7, %r19, 4;", lanewise, 10},
    {"", "add.s64 %rd8, %rd1, %rd7;", lanewise, 10},
    {"", "ld.global.f32 %f3, [%rd8];", memory, 10, Space::global, load, 4},
    {"", "add.f32 %f2, %f2, %f3;", lanewise, 10, Space::none, Operation::none, 0, true},
    {"$joined:", "@%p1 st.global.f32 [%rd6], %f2;", memory, 11, Space::global, store, 4},
    {"", "bar.sync 0;", SiteKind::barrier, 12, Space::none, Operation::none, 0, true},
    {"", "add.s32 %r17, %r17, 1;", lanewise, 5},
    {"", "setp.lt.s32 %p3, %r17, %r1;", lanewise, 5},
    {"", "@%p3 bra $round;", SiteKind::branch, 5, Space::none, Operation::none, 0, true},
    {"", "ret;", SiteKind::exit, 14, Space::none, Operation::none, 0, true},
};

constexpr BasicBlockId prologue = 0, fill = 1, column = 2, gather = 3, joined = 4, again = 5, leave = 6;

constexpr SiteId site_of(std::string_view text, std::size_t nth = 0) {
    for (SiteId id = 0; id < std::size(rows); ++id)
        if (rows[id].text == text && nth-- == 0) return id;
    return no_index;
}

constexpr SiteId load_in = site_of("ld.global.f32 %f1, [%rd4];");
constexpr SiteId store_tile = site_of("st.shared.f32 [%r9], %f1;");
constexpr SiteId first_barrier = site_of("bar.sync 0;");
constexpr SiteId second_barrier = site_of("bar.sync 0;", 1);
constexpr SiteId load_column = site_of("ld.shared.f32 %f2, [%r15];");
constexpr SiteId skip_gather = site_of("@%p2 bra $joined;");
constexpr SiteId load_gather = site_of("ld.global.f32 %f3, [%rd8];");
constexpr SiteId store_out = site_of("@%p1 st.global.f32 [%rd6], %f2;");
constexpr SiteId next_round = site_of("@%p3 bra $round;");
static_assert(load_in != no_index && store_tile != no_index && first_barrier != no_index &&
              second_barrier != no_index && load_column != no_index && skip_gather != no_index &&
              load_gather != no_index && store_out != no_index && next_round != no_index);

constexpr std::uint64_t in_base = 0x7f0000000000;
constexpr std::uint64_t gathered_elements = 1024;  // the gather wraps here, so that `in` has at least as many
constexpr std::uint64_t unguarded_tail = 5;        // threads at the end that are not to store

std::uint64_t threads(const ExampleShape& shape) {
    return std::uint64_t{std::max(shape.blocks, 1u)} * shape.threads_per_block;
}

std::uint64_t in_elements(const ExampleShape& shape) {
    return std::max(2 * threads(shape), gathered_elements);
}

std::uint64_t out_base(const ExampleShape& shape) {
    constexpr std::uint64_t apart = 1 << 20;
    return in_base + (in_elements(shape) * 4 / apart + 2) * apart;
}

/// One warp's part of the launch.
class ExampleWarp {
  public:
    ExampleWarp(const ExampleShape& shape, std::uint64_t block, int warp, BlockObserver& to)
        : shape_(shape), warp_(warp), to_(to) {
        lanes_ = LaneMask::first(static_cast<int>(shape.threads_per_block) - warp * warp_size);
        first_thread_ = static_cast<std::uint64_t>(warp) * warp_size;
        first_global_ = block * shape.threads_per_block + first_thread_;
        out_ = out_base(shape);
        const std::uint64_t n = threads(shape) - std::min(threads(shape), unguarded_tail);
        for_each_lane(lanes_, [&](int lane) {
            if (first_global_ + static_cast<std::uint64_t>(lane) < n) storing_.bits |= 1u << lane;
        });
    }

    void begin() { to_.visit(warp_, prologue, lanes_); }
    void until_first_barrier() {
        to_.visit(warp_, fill, lanes_);
        request(load_in, lanes_, [&](std::uint64_t lane) { return in_base + 8 * (first_global_ + lane); });
        request(store_tile, lanes_, [&](std::uint64_t lane) { return 4 * (first_thread_ + lane); });
        to_.barrier(warp_, first_barrier, lanes_);
    }
    void until_second_barrier(std::uint32_t round) {
        constexpr LaneMask even{0x55555555u};
        to_.visit(warp_, column, lanes_);
        request(load_column, lanes_,
                [&](std::uint64_t lane) { return 128 * lane + 4 * static_cast<std::uint64_t>(warp_); });
        to_.branch(warp_, skip_gather, lanes_, lanes_ & ~even);
        to_.visit(warp_, gather, lanes_ & even);
        request(load_gather, lanes_ & even, [&](std::uint64_t lane) {
            return in_base + 4 * ((7919 * (first_global_ + lane) + round) % gathered_elements);
        });
        to_.visit(warp_, joined, lanes_);
        to_.guard(warp_, store_out, storing_);
        if (!storing_.empty())
            request(store_out, storing_,
                    [&](std::uint64_t lane) { return out_ + 4 * (first_global_ + lane); });
        to_.barrier(warp_, second_barrier, lanes_);
    }
    void finish_round(std::uint32_t round) {
        const bool last = round + 1 == shape_.rounds;
        to_.visit(warp_, again, lanes_);
        to_.branch(warp_, next_round, lanes_, last ? LaneMask::none() : lanes_);
        if (last) to_.visit(warp_, leave, lanes_);
    }

  private:
    template <class AddressOf>
    void request(SiteId site, LaneMask mask, AddressOf address_of) {
        Addresses addresses{};
        for_each_lane(mask, [&](int lane) {
            addresses[static_cast<std::size_t>(lane)] = address_of(static_cast<std::uint64_t>(lane));
        });
        to_.access(warp_, {site, mask, rows[site].space, rows[site].operation, rows[site].bytes, &addresses});
    }

    ExampleShape shape_;
    int warp_;
    BlockObserver& to_;
    LaneMask lanes_, storing_;
    std::uint64_t first_thread_ = 0, first_global_ = 0, out_ = 0;
};

}  // namespace

Program example_program() {
    Program program;
    program.entry = "example";
    program.sources.push_back({"example.cu", std::string(source_text)});
    program.ptx = ptx_header;
    auto line = static_cast<std::uint32_t>(std::count(program.ptx.begin(), program.ptx.end(), '\n'));
    program.basic_blocks.push_back({0, 0});
    for (const Row& row : rows) {
        if (!row.label.empty()) {
            program.ptx += fmt::format("{}\n", row.label);
            ++line;
        }
        program.ptx += fmt::format("    {}\n", row.text);
        ++line;
        Site site;
        site.guarded = row.text.starts_with('@');
        const std::string_view body = site.guarded ? row.text.substr(row.text.find(' ') + 1) : row.text;
        site.opcode = body.substr(0, body.find_first_of(" ;"));
        site.text = row.text;
        site.kind = row.kind;
        site.space = row.space;
        site.operation = row.operation;
        site.bytes_per_lane = row.bytes;
        site.file = 0;
        site.line = row.line;
        site.ptx_line = line;
        site.basic_block = static_cast<BasicBlockId>(program.basic_blocks.size() - 1);
        program.sites.push_back(std::move(site));
        ++program.basic_blocks.back().site_count;
        if (row.ends_block && program.sites.size() < std::size(rows))
            program.basic_blocks.push_back({static_cast<SiteId>(program.sites.size()), 0});
    }
    program.ptx += "}\n";
    program.variables.push_back({"tile", Space::shared, 0, 4096, 4});
    program.parameters = {{"example_in", "u64", 8, 0},
                          {"example_out", "u64", 8, 8},
                          {"example_rounds", "u32", 4, 16},
                          {"example_n", "u32", 4, 20}};
    return program;
}

Launch example_launch(const ExampleShape& shape) {
    Launch launch;
    launch.kernel = "example";
    launch.title = "A strided load, a shared column and a divergent branch";
    launch.parameters = {{"rounds", std::to_string(shape.rounds)}};
    launch.geometry.grid = {std::max(shape.blocks, 1u), 1, 1};
    launch.geometry.block = {shape.threads_per_block, 1, 1};
    launch.buffers = {{"in", "f32", 4, in_base, in_elements(shape) * 4},
                      {"out", "f32", 4, out_base(shape), threads(shape) * 4}};
    launch.resources.shared_static_bytes = 4096;
    launch.gpu = "H200";
    launch.engine = "synthetic";
    return launch;
}

void run_example(const ExampleShape& shape, Observer& observer) {
    const int warps = example_launch(shape).geometry.warps_per_block();
    for (std::uint64_t block = 0; block < shape.blocks; ++block) {
        auto to = observer.begin_block(block);
        if (!to) {
            observer.finish(block, nullptr);
            continue;
        }
        std::vector<ExampleWarp> all;
        for (int warp = 0; warp < warps; ++warp) all.emplace_back(shape, block, warp, *to);
        for (ExampleWarp& warp : all) warp.begin();
        for (std::uint32_t round = 0; round < shape.rounds; ++round) {
            for (ExampleWarp& warp : all) warp.until_first_barrier();
            to->barrier_release();
            for (ExampleWarp& warp : all) warp.until_second_barrier(round);
            to->barrier_release();
            for (ExampleWarp& warp : all) warp.finish_round(round);
        }
        observer.finish(block, std::move(to));
    }
}

Trace make_example(const ExampleShape& shape) {
    Recorder recorder(example_launch(shape), example_program());
    run_example(shape, recorder);
    return recorder.take();
}

}  // namespace warplens::trace
