#include "instrumentation/decode/replay.h"

#include <algorithm>
#include <cstring>

namespace warplens::instrumentation {

namespace {

using Kind = ReplaySource::Kind;

// Behind the plan's own slots:
constexpr std::uint32_t thread_place = 0, block_place = 3, lane_place = 6, constants_place = 7;

std::uint32_t axis_of(Dim3 extent, std::uint64_t axis) {
    return axis == 0 ? extent.x : axis == 1 ? extent.y : extent.z;
}

constexpr std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t with_sign(std::uint64_t value, unsigned bits) {
    const unsigned rest = 64 - bits;
    return static_cast<std::int64_t>(value << rest) >> rest;
}

/// As many bits as the operation reads, filled up by their sign or by zeros.
struct Reader {
    unsigned bits;
    bool is_signed;
    std::uint64_t operator()(std::uint64_t value) const {
        const std::uint64_t low = low_bits(value, bits);
        return is_signed ? static_cast<std::uint64_t>(with_sign(low, bits)) : low;
    }
    bool less(std::uint64_t a, std::uint64_t b) const {
        return is_signed ? static_cast<std::int64_t>((*this)(a)) < static_cast<std::int64_t>((*this)(b))
                         : (*this)(a) < (*this)(b);
    }
};

std::uint64_t shifted_left(std::uint64_t value, std::uint64_t by, unsigned bits) {
    return by >= bits ? 0 : value << by;
}

/// `value` is filled up by its sign, if it has one.
std::uint64_t shifted_right(std::uint64_t value, std::uint64_t by, const Reader& read) {
    if (by >= read.bits)
        return read.is_signed && static_cast<std::int64_t>(value) < 0 ? ~std::uint64_t{0} : 0;
    return read.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> by) : value >> by;
}

/// Of the product.
std::uint64_t upper_half(std::uint64_t a, std::uint64_t b, const Reader& read) {
    const auto wide = [&](std::uint64_t value) {
        return read.is_signed ? static_cast<__int128>(static_cast<std::int64_t>(read(value)))
                              : static_cast<__int128>(read(value));
    };
    // Of two numbers without sign the product may take all 128 bits.
    const auto product = static_cast<unsigned __int128>(wide(a)) * static_cast<unsigned __int128>(wide(b));
    return static_cast<std::uint64_t>(product >> read.bits);
}

/// By zero: all ones, and the dividend as the rest, as GPUs have it.
std::uint64_t divided(std::uint64_t a, std::uint64_t b, const Reader& read) {
    const std::uint64_t by = read(b);
    if (by == 0) return ~std::uint64_t{0};
    if (!read.is_signed) return read(a) / by;
    return by == ~std::uint64_t{0} ? 0 - read(a)
                                   : static_cast<std::uint64_t>(static_cast<std::int64_t>(read(a)) /
                                                                static_cast<std::int64_t>(by));
}

std::uint64_t rest_of(std::uint64_t a, std::uint64_t b, const Reader& read) {
    return read(b) == 0 ? read(a) : read(a) - divided(a, b, read) * read(b);
}

}  // namespace

std::uint32_t lanes_with(const ReplayedLanes& predicate, bool wanted) {
    std::uint32_t lanes = 0;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane)
        if ((predicate[lane] != 0) == wanted) lanes |= 1u << lane;
    return lanes;
}

Result<Replay> Replay::make(const RecordingPlan& plan, const LaunchGeometry& geometry, const ReadBack& read,
                            const SpaceReader& space) {
    constexpr std::uint32_t most_slots = 1u << 20;
    Replay made;
    made.plan_ = &plan;
    made.geometry_ = &geometry;
    made.read_ = &read;
    made.space_ = &space;
    if (plan.replay_slots > most_slots) return fail("the recording plan replays too many registers");
    for (const ReplayStep& step : plan.replay) {
        const auto is_width = [](unsigned bits) {
            return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
        };
        if (step.result >= plan.replay_slots || !is_width(step.bits) || !is_width(step.result_bits) ||
            (!made.steps_.empty() && made.steps_.back().what.site > step.site))
            return fail("the recording plan replays site {} with registers that it does not have", step.site);
        Step& added = made.steps_.emplace_back();
        added.what = step;
        WARPLENS_TRY(const auto first, made.place(step.first));
        WARPLENS_TRY(const auto second, made.place(step.second));
        WARPLENS_TRY(const auto third, made.place(step.third));
        added.first = first;
        added.second = second;
        added.third = third;
        if (step.guard.kind == Kind::none) continue;
        WARPLENS_TRY(const auto guard, made.place(step.guard));
        added.guard = guard;
    }
    return made;
}

std::uint32_t Replay::constant(std::uint64_t value) {
    const auto at = std::ranges::find(constants_, value) - constants_.begin();
    if (static_cast<std::size_t>(at) == constants_.size()) constants_.push_back(value);
    return plan_->replay_slots + constants_place + static_cast<std::uint32_t>(at);
}

Result<std::uint32_t> Replay::place(const ReplaySource& source) {
    const std::uint32_t own = plan_->replay_slots;
    switch (source.kind) {
        case Kind::none:
            return constant(0);
        case Kind::slot:
            if (source.number < own) return static_cast<std::uint32_t>(source.number);
            break;
        case Kind::constant:
            return constant(source.number);
        case Kind::thread:
            return own + thread_place + static_cast<std::uint32_t>(std::min<std::uint64_t>(source.number, 2));
        case Kind::block:
            return own + block_place + static_cast<std::uint32_t>(std::min<std::uint64_t>(source.number, 2));
        case Kind::lane:
            return own + lane_place;
        case Kind::block_shape:
            return constant(axis_of(geometry_->block, source.number));
        case Kind::grid_shape:
            return constant(axis_of(geometry_->grid, source.number));
        case Kind::parameter: {
            if (source.number >= read_->arguments.size())
                return fail("byte {} of the launch's arguments is needed to read the recording, of {}",
                            source.number, read_->arguments.size());
            std::uint64_t value = 0;
            std::memcpy(&value, read_->arguments.data() + source.number,
                        std::min<std::size_t>(sizeof(value), read_->arguments.size() - source.number));
            return constant(value);
        }
        case Kind::symbol:
            if (source.number < plan_->symbols.size()) return constant(space_->symbol(source.number));
            break;
        case Kind::shared_window:
            return constant(space_->head().shared_window);
        case Kind::local_window:
            return constant(space_->head().local_window);
    }
    return fail("the recording plan replays what it does not have");
}

void Replay::begin(std::uint64_t linear_block, int warp, ReplayedWarp& slots) const {
    const std::uint32_t own = plan_->replay_slots;
    slots.resize(own + constants_place + constants_.size());
    for (std::uint32_t i = 0; i < own; ++i) slots[i].fill(0);
    const Dim3 block = coordinates(linear_block, geometry_->grid);
    for (std::uint32_t axis = 0; axis < 3; ++axis) slots[own + block_place + axis].fill(axis_of(block, axis));
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        const Dim3 thread =
            coordinates(static_cast<std::uint64_t>(warp) * warp_size + lane, geometry_->block);
        for (std::uint32_t axis = 0; axis < 3; ++axis)
            slots[own + thread_place + axis][lane] = axis_of(thread, axis);
        slots[own + lane_place][lane] = lane;
    }
    for (std::size_t i = 0; i < constants_.size(); ++i) slots[own + constants_place + i].fill(constants_[i]);
}

void Replay::run_until(SiteId site, std::uint32_t mask, std::uint32_t& next, ReplayedWarp& slots) const {
    for (; next < steps_.size() && steps_[next].what.site < site; ++next) execute(steps_[next], mask, slots);
}

std::uint64_t Replay::loaded(std::uint64_t address, unsigned bytes) const {
    std::uint64_t value = 0;
    for (const DeviceMemory& memory : read_->memory) {
        const std::uint64_t offset = address - memory.address;
        if (offset >= memory.bytes.size() || memory.bytes.size() - offset < bytes) continue;
        std::memcpy(&value, memory.bytes.data() + offset, bytes);
        break;
    }
    return value;
}

void Replay::execute(const Step& step, std::uint32_t mask, ReplayedWarp& slots) const {
    const ReplayStep& what = step.what;
    const Reader read{what.bits, what.is_signed};
    const ReplayedLanes &a = slots[step.first], &b = slots[step.second], &c = slots[step.third];
    ReplayedLanes result;
    std::uint32_t lanes = mask;
    if (step.guard != no_index) {
        const ReplayedLanes& guard = slots[step.guard];
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((guard[lane] != 0) == what.guard.negated) lanes &= ~(1u << lane);
    }
    // One loop for each operation, so that it takes all lanes at once.
    const auto each = [&](const auto& compute) {
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            result[lane] = compute(a[lane], b[lane], c[lane]);
    };
    using Word = std::uint64_t;
    switch (what.op) {
        case ReplayOp::move:
            each([&](Word x, Word, Word) { return read(x); });
            break;
        case ReplayOp::add:
            each([&](Word x, Word y, Word) { return x + y; });
            break;
        case ReplayOp::subtract:
            each([&](Word x, Word y, Word) { return x - y; });
            break;
        case ReplayOp::multiply:
            each([&](Word x, Word y, Word) { return read(x) * read(y); });
            break;
        case ReplayOp::multiply_high:
            each([&](Word x, Word y, Word) { return upper_half(x, y, read); });
            break;
        case ReplayOp::multiply_add:
            each([&](Word x, Word y, Word z) { return read(x) * read(y) + z; });
            break;
        case ReplayOp::shift_left:
            each([&](Word x, Word y, Word) { return shifted_left(x, low_bits(y, 32), what.bits); });
            break;
        case ReplayOp::shift_right:
            each([&](Word x, Word y, Word) { return shifted_right(read(x), low_bits(y, 32), read); });
            break;
        case ReplayOp::bit_and:
            each([&](Word x, Word y, Word) { return x & y; });
            break;
        case ReplayOp::bit_or:
            each([&](Word x, Word y, Word) { return x | y; });
            break;
        case ReplayOp::bit_xor:
            each([&](Word x, Word y, Word) { return x ^ y; });
            break;
        case ReplayOp::bit_not:
            each([&](Word x, Word, Word) { return ~x; });
            break;
        case ReplayOp::negate:
            each([&](Word x, Word, Word) { return 0 - x; });
            break;
        case ReplayOp::minimum:
            each([&](Word x, Word y, Word) { return read.less(y, x) ? y : x; });
            break;
        case ReplayOp::maximum:
            each([&](Word x, Word y, Word) { return read.less(x, y) ? y : x; });
            break;
        case ReplayOp::divide:
            each([&](Word x, Word y, Word) { return divided(x, y, read); });
            break;
        case ReplayOp::remainder:
            each([&](Word x, Word y, Word) { return rest_of(x, y, read); });
            break;
        case ReplayOp::equal:
            each([&](Word x, Word y, Word) { return Word{read(x) == read(y)}; });
            break;
        case ReplayOp::unequal:
            each([&](Word x, Word y, Word) { return Word{read(x) != read(y)}; });
            break;
        case ReplayOp::less:
            each([&](Word x, Word y, Word) { return Word{read.less(x, y)}; });
            break;
        case ReplayOp::less_or_equal:
            each([&](Word x, Word y, Word) { return Word{!read.less(y, x)}; });
            break;
        case ReplayOp::greater:
            each([&](Word x, Word y, Word) { return Word{read.less(y, x)}; });
            break;
        case ReplayOp::greater_or_equal:
            each([&](Word x, Word y, Word) { return Word{!read.less(x, y)}; });
            break;
        case ReplayOp::select:
            each([&](Word x, Word y, Word z) { return z != 0 ? x : y; });
            break;
        case ReplayOp::load:
            for_each_lane({lanes}, [&](int lane) {
                const auto at = static_cast<std::size_t>(lane);
                result[at] = read(loaded(a[at] + b[at], what.bits / 8u));
            });
            break;
    }
    ReplayedLanes& to = slots[what.result];
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        if ((lanes >> lane & 1u) != 0) to[lane] = low_bits(result[lane], what.result_bits);
}

}  // namespace warplens::instrumentation
