#include "analysis/memory/bank_fix.h"

#include <algorithm>
#include <tuple>

#include "analysis/memory/banks.h"
#include "analysis/memory/shared_arrays.h"
#include "analysis/warps/occupancy.h"

namespace warplens::analysis {
namespace {

constexpr std::uint32_t widest_unit_bytes = 16;  // of an access, and thus of what a swizzle keeps contiguous
constexpr std::uint32_t most_static_bytes = 48 * 1024;  // programming guide, "Shared Memory"

struct Asked {
    SharedRequest request;
    std::uint64_t count = 0;
};

/// The requirements of the array's requests on a layout.
struct Needs {
    std::uint32_t widest = 1;        // bytes of a lane's access
    std::uint32_t columns_used = 0;  // elements of a row, up to the last one accessed
    bool by_matrix = false;          // by an instruction that takes a pitch instead of each element's address
};

bool is_in(const SharedArray& array, std::uint64_t offset) {
    return offset >= array.base && offset < array.base + array.bytes;
}

Needs needs_of(const SharedArray& array, const Program& program, const std::vector<Asked>& asked) {
    Needs needs;
    const std::uint64_t row_bytes = std::uint64_t{array.row_elements} * array.element_bytes;
    for (const Asked& one : asked) {
        needs.widest = std::max(needs.widest, one.request.bytes_per_lane);
        needs.by_matrix |= program.sites[one.request.site].opcode.starts_with("wmma");
        for_each_lane(one.request.mask, [&](int lane) {
            const std::uint64_t offset = one.request.offsets[static_cast<std::size_t>(lane)];
            if (!is_in(array, offset)) return;
            const std::uint64_t end = (offset - array.base) % row_bytes + one.request.bytes_per_lane;
            needs.columns_used =
                std::max(needs.columns_used,
                         static_cast<std::uint32_t>((end + array.element_bytes - 1) / array.element_bytes));
        });
    }
    return needs;
}

/// Maps a byte of the array to its place in the layout.
class Layout {
  public:
    Layout(const SharedArray& array, const BankFix& fix) : array_(array), fix_(fix) {}

    std::uint64_t moved(std::uint64_t offset) const {
        const std::uint64_t at = offset - array_.base;
        const std::uint64_t element = at / array_.element_bytes;
        const std::uint64_t row = element / array_.row_elements;
        std::uint64_t column = element % array_.row_elements;
        if (fix_.mask != 0) {
            const std::uint64_t within = array_.rows_of_matrix == 0 ? row : row % array_.rows_of_matrix;
            column ^= (within >> fix_.shift & fix_.mask) * fix_.unit;
        }
        const auto pitch = static_cast<std::uint64_t>(std::int64_t{array_.row_elements} + fix_.pad);
        return array_.base + (row * pitch + column) * array_.element_bytes + at % array_.element_bytes;
    }

  private:
    const SharedArray& array_;
    const BankFix& fix_;
};

std::uint64_t bytes_with(const SharedArray& array, const BankFix& fix) {
    // The pad of a flat array's last row is never needed.
    const std::uint64_t padded_rows =
        array.flat ? array.rows() - std::min<std::uint64_t>(array.rows(), 1) : array.rows();
    const auto per_pad = static_cast<std::int64_t>(padded_rows * array.element_bytes);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(array.bytes) + per_pad * fix.pad);
}

void count_again(BankFix& fix, const SharedArray& array, const std::vector<Asked>& asked) {
    const Layout layout(array, fix);
    const std::uint64_t row_bytes = std::uint64_t{array.row_elements} * array.element_bytes;
    for (const Asked& one : asked) {
        const SharedRequest& request = one.request;
        trace::Addresses addresses = request.addresses();
        for_each_lane(request.mask, [&](int lane) {
            std::uint64_t& address = addresses[static_cast<std::size_t>(lane)];
            if (!is_in(array, address)) return;
            if (!fix.changes_nothing() &&
                (address - array.base) % row_bytes + request.bytes_per_lane > row_bytes)
                fix.refused = "an access crosses the end of a row";
            const bool was_aligned = address % request.bytes_per_lane == 0;
            address = layout.moved(address);
            if (was_aligned && address % request.bytes_per_lane != 0)
                fix.refused =
                    fmt::format("an access of {} bytes would be misaligned", request.bytes_per_lane);
        });
        if (!fix.refused.empty()) return;
        const WavefrontCount count =
            count_wavefronts({request.site, request.mask, Space::shared, request.operation,
                              request.bytes_per_lane, &addresses});
        fix.wavefronts += count.wavefronts * one.count;
        fix.conflict_ways = std::max(fix.conflict_ways, count.conflict_ways());
    }
}

/// Whether the block still fits, and how many blocks an SM then holds.
void fit(BankFix& fix, const SharedArray& array, const trace::Launch& launch, const GpuSpec& gpu) {
    fix.bytes = bytes_with(array, fix);
    // The array is part of both sums, so they stay positive where it becomes smaller.
    const std::uint64_t now = launch.resources.shared_static_bytes + launch.geometry.dynamic_shared_bytes;
    const std::uint64_t all = now + fix.bytes - array.bytes;
    const std::uint64_t fixed_bytes = all - launch.geometry.dynamic_shared_bytes;
    if (!array.dynamic && fix.bytes > array.bytes && fixed_bytes > most_static_bytes) {
        fix.refused = "static shared memory is limited to 48 KiB per block";
        return;
    }
    if (all > static_cast<std::uint64_t>(gpu.max_shared_bytes_per_block)) {
        fix.refused = fmt::format("a block on {} has at most {} bytes of shared memory", gpu.name,
                                  gpu.max_shared_bytes_per_block);
        return;
    }
    OccupancyInput input;
    input.threads_per_block = launch.geometry.threads_per_block();
    input.registers_per_thread = static_cast<int>(launch.resources.registers_per_thread);
    input.shared_bytes_per_block = static_cast<int>(all);
    fix.blocks_per_sm = occupancy(gpu, input).blocks_per_sm;
}

/// Elements at the end of each row that no request accesses. Where that is most of the row, the launch did
/// not access all of the array, and what is padding is not known.
std::int32_t padding_of(const SharedArray& array, const Needs& needs) {
    if (array.flat || needs.by_matrix || needs.columns_used >= array.row_elements) return 0;
    const std::uint32_t unused = array.row_elements - needs.columns_used;
    return unused < needs.columns_used ? static_cast<std::int32_t>(unused) : 0;
}

/// Pads, less padding, and every XOR that keeps each column in its row.
std::vector<BankFix> candidates(const SharedArray& array, const Needs& needs) {
    std::vector<BankFix> all;
    for (std::int32_t pad = -padding_of(array, needs); pad <= most_pad; ++pad) {
        BankFix fix;
        fix.pad = pad;
        all.push_back(fix);
    }
    if (needs.by_matrix) return all;
    for (std::uint32_t unit = 1; unit == 1 || unit * array.element_bytes <= widest_unit_bytes; unit *= 2) {
        if (unit * array.element_bytes < needs.widest) continue;
        for (std::uint32_t shift = 0; shift <= 4; ++shift)
            for (std::uint32_t size = 2; size <= bank_count; size *= 2) {
                const std::uint32_t group = size * unit;
                if ((needs.columns_used + group - 1) / group * group > array.row_elements) continue;
                if (array.rows() <= std::uint64_t{1} << shift) continue;
                BankFix fix;
                fix.mask = size - 1;
                fix.shift = shift;
                fix.unit = unit;
                all.push_back(fix);
            }
    }
    return all;
}

}  // namespace

const BankFix* BankFixes::best_pad() const {
    for (const BankFix& fix : ranked)
        if (!fix.is_swizzle() && fix.refused.empty()) return fix.wavefronts < now.wavefronts ? &fix : nullptr;
    return nullptr;
}

Result<BankFixes> try_bank_fixes(const trace::Trace& launch, const SharedRequests& requests,
                                 const GpuSpec& gpu, const BankFixOptions& options) {
    BankFixes fixes;
    WARPLENS_TRY(fixes.array, choose_shared_array(launch, requests, options.array, options.row_elements));
    fixes.left_out = requests.left_out();
    std::vector<Asked> asked;
    for (const auto& counted : requests.counts()) {
        const auto& request = counted.first;
        const auto count = counted.second;
        std::uint32_t within = 0;
        for_each_lane(request.mask, [&](int lane) {
            within += is_in(fixes.array, request.offsets[static_cast<std::size_t>(lane)]);
        });
        if (within == 0) continue;
        if (within != static_cast<std::uint32_t>(request.mask.count())) fixes.strangers += count;
        asked.push_back({request, count});
        fixes.requests += count;
        std::uint64_t& kind = request.operation == Operation::load    ? fixes.loads
                              : request.operation == Operation::store ? fixes.stores
                                                                      : fixes.atomics;
        kind += count;
        const trace::Addresses addresses = request.addresses();
        const WavefrontCount now = count_wavefronts({request.site, request.mask, Space::shared,
                                                     request.operation, request.bytes_per_lane, &addresses});
        fixes.ideal_wavefronts += now.ideal_wavefronts * count;
    }
    const Needs needs = needs_of(fixes.array, launch.program, asked);
    fixes.ranked = candidates(fixes.array, needs);
    for (BankFix& fix : fixes.ranked) {
        fit(fix, fixes.array, launch.launch, gpu);
        if (fix.refused.empty()) count_again(fix, fixes.array, asked);
        if (fix.changes_nothing()) fixes.now = fix;
    }
    std::ranges::stable_sort(fixes.ranked, {}, [](const BankFix& fix) {
        return std::tuple(!fix.refused.empty(), fix.wavefronts, fix.bytes, fix.mask != 0, fix.shift, fix.unit,
                          fix.mask);
    });
    return fixes;
}

}  // namespace warplens::analysis
