#include "core/own_gpu.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>

#include "core/number_text.h"

namespace warplens {
namespace {

constexpr std::string_view joint = " with ";

constexpr std::array limits{
    GpuLimit{"sms", "SMs", &GpuSpec::sm_count, "", 1, 1, 1024, 1},
    GpuLimit{"warps", "warps per SM", &GpuSpec::max_warps_per_sm, "", 1, 4, 64, 4},
    GpuLimit{"blocks", "blocks per SM", &GpuSpec::max_blocks_per_sm, "", 1, 1, 64, 1},
    GpuLimit{"registers", "registers per SM", &GpuSpec::registers_per_sm, "", 1, 4096, 262144, 1024},
    GpuLimit{"shared", "KiB shared per SM", &GpuSpec::shared_bytes_per_sm, "KiB", 1024, 1, 256, 1},
    GpuLimit{"reserve", "KiB reserved per block", &GpuSpec::reserved_shared_bytes_per_block, "KiB", 1024, 0,
             16, 1},
};

std::string in_lower_case(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

const GpuLimit* limit_with(std::string_view key) {
    const auto found = std::ranges::find(limits, key, &GpuLimit::key);
    return found == limits.end() ? nullptr : &*found;
}

std::string keys() {
    std::string out;
    for (const GpuLimit& limit : limits) out += (out.empty() ? "" : ", ") + std::string(limit.key);
    return out;
}

Result<int> checked(const GpuLimit& limit, int amount) {
    if (amount >= limit.least && amount <= limit.most && amount % limit.step == 0) return amount;
    return fail("{}={}{}: it can be {} to {}{}{}", limit.key, amount, limit.suffix, limit.least, limit.most,
                limit.suffix, limit.step > 1 ? fmt::format(" in steps of {}", limit.step) : "");
}

/// "100KiB", or "16" of a limit without a unit. 0 needs none.
Result<int> parse_amount(const GpuLimit& limit, std::string_view text) {
    std::string_view rest = text;
    const auto amount = take_number<int>(rest);
    if (amount && (in_lower_case(rest) == in_lower_case(limit.suffix) || (rest.empty() && *amount == 0)))
        return checked(limit, *amount);
    return fail("{}={} is not an amount such as {}={}{}", limit.key, text, limit.key, limit.most,
                limit.suffix);
}

std::string text_of(const GpuSpec& gpu, const GpuLimit& limit) {
    const int amount = limit.amount_of(gpu);
    return fmt::format("{}={}{}", limit.key, amount, amount == 0 ? "" : limit.suffix);
}

/// The GPU of the table that an own GPU was made of; itself for a GPU of the table.
const GpuSpec& base_of(const GpuSpec& gpu) {
    const auto same = std::ranges::find(gpu_specs(), gpu.based_on, &GpuSpec::name);
    return same == gpu_specs().end() ? gpu : *same;
}

std::string name_of(const GpuSpec& base, const GpuSpec& own) {
    std::string changed;
    for (const GpuLimit& limit : limits)
        if (own.*limit.value != base.*limit.value)
            changed += (changed.empty() ? "" : " ") + text_of(own, limit);
    return std::string(base.name) + (changed.empty() ? "" : std::string(joint) + changed);
}

/// What follows from the limits: peaks are those of all SMs, and a block gets what the system leaves of an
/// SM's shared memory.
Status settle(const GpuSpec& base, GpuSpec& own) {
    const int left = own.shared_bytes_per_sm - own.reserved_shared_bytes_per_block;
    if (left <= 0)
        return fail("{} leaves nothing of {}", text_of(own, *limit_with("reserve")),
                    text_of(own, *limit_with("shared")));
    own.max_shared_bytes_per_block = left;
    const double sms = double(own.sm_count) / base.sm_count;
    for (double* peak :
         {&own.peaks.fp16, &own.peaks.fp32, &own.peaks.fp64, &own.peaks.tensor_fp16, &own.peaks.tensor_tf32,
          &own.peaks.tensor_fp64, &own.peaks.tensor_fp8, &own.peaks.tensor_int8})
        *peak *= sms;
    return {};
}

struct KeptGpu {
    std::string name, source;
    GpuSpec spec;
};

/// Kept until the program ends, since a GpuSpec is referred to by pointer; one per name.
const GpuSpec* kept(const GpuSpec& base, const GpuSpec& own) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<const KeptGpu>> all;
    const std::string name = name_of(base, own);
    const std::scoped_lock lock(mutex);
    std::unique_ptr<const KeptGpu>& found = all[name];
    if (!found) {
        auto gpu = std::make_unique<KeptGpu>();
        gpu->name = name;
        gpu->source = "the limits in its name; otherwise that of " + std::string(base.name) + ": " +
                      std::string(base.source);
        gpu->spec = own;
        gpu->spec.name = gpu->name;
        gpu->spec.source = gpu->source;
        gpu->spec.based_on = base.name;
        found = std::move(gpu);
    }
    return &found->spec;
}

}  // namespace

std::span<const GpuLimit> gpu_limits() { return limits; }

Result<std::string> with_limit(const GpuSpec& gpu, const GpuLimit& limit, int amount) {
    GpuSpec own = gpu;
    WARPLENS_TRY(const int held, checked(limit, amount));
    own.*limit.value = held * limit.unit;
    const GpuSpec& base = base_of(gpu);
    WARPLENS_TRY(settle(base, own));
    return name_of(base, own);
}

bool names_own_gpu(std::string_view name) { return in_lower_case(name).find(joint) != std::string::npos; }

std::string_view base_name(std::string_view name) { return name.substr(0, in_lower_case(name).find(joint)); }

Result<const GpuSpec*> find_own_gpu(const GpuSpec& base, std::string_view name) {
    GpuSpec own = base;
    std::string_view rest = name.substr(base_name(name).size() + joint.size());
    while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        if (word.empty()) continue;
        const auto equals = std::min(word.find('='), word.size());
        const GpuLimit* limit = limit_with(in_lower_case(word.substr(0, equals)));
        if (!limit || equals == word.size())
            return fail("{}: `{}` is not a limit; limits are {}, as in \"H200 with shared=100KiB\"", name,
                        word, keys());
        const auto amount = parse_amount(*limit, word.substr(equals + 1));
        if (!amount) return fail("{}: {}", name, amount.error().message);
        own.*limit->value = *amount * limit->unit;
    }
    if (const auto status = settle(base, own); !status) return fail("{}: {}", name, status.error().message);
    if (name_of(base, own) == base.name) return &base;
    return kept(base, own);
}

}  // namespace warplens
