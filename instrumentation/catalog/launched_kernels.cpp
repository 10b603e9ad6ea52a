#include "instrumentation/catalog/launched_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/symbol_name.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

using host_code::HostCode;
using host_code::HostLaunch;

namespace {

/// "512" of "(unsigned int)512", "1" of "(bool)1" and "true", "Tile<4>" of "sums::Tile<4ul>": as template
/// arguments are compared.
std::string plain_argument(const std::string& text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end == at) {
            const char c = text[at++];
            if (c == ':') {  // a scope
                while (!plain.empty() && (is_word(plain.back()) || plain.back() == ':')) plain.pop_back();
            } else if (c == ')') {  // a cast
                plain.resize(std::min(plain.rfind('('), plain.size()));
            } else if (c != ' ') {
                plain += c;
            }
            continue;
        }
        std::string word = text.substr(at, end - at);
        at = end;
        if (word[0] >= '0' && word[0] <= '9')  // "256u" of the demangler
            while (word.ends_with('u') || word.ends_with('l')) word.pop_back();
        plain += word == "true" ? "1" : word == "false" ? "0" : word;
    }
    return plain == "unsigned" ? "unsignedint" : plain;
}

/// "sums::reduce" of "(anonymous namespace)::sums::reduce<float, 4>", as host code names it.
std::string without_arguments(std::string_view entry) {
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    std::string name(entry);
    for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed))
        name.erase(at, unnamed.size());
    name.resize(std::min(name.find('<'), name.size()));
    std::erase(name, ' ');
    return name;
}

/// "float2*" of "const float2 *", as declared and as the demangler writes it.
std::string plain_type(std::string text) {
    for (const std::string_view word : {"const", "__restrict__", "volatile"})
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
            text.erase(at, word.size());
    return plain_argument(text);
}

bool is_same_type(const std::string& one, const std::string& other) {
    if (plain_type(one) == plain_type(other)) return true;
    const bool pointer = one.find('*') != std::string::npos || other.find('*') != std::string::npos;
    const auto bytes = host_code::size_of_type(one);
    return !pointer && bytes && bytes == host_code::size_of_type(other) &&
           host_code::is_real_word(one) == host_code::is_real_word(other);
}

/// Of kernels that share a name, which are named with their parameters, whether the launched one is this.
bool is_overload_of(const HostLaunch& launch, const std::string& entry) {
    const std::size_t open = entry.rfind('(');
    if (!entry.ends_with(')') || open == std::string::npos || entry.substr(0, open).ends_with("::"))
        return true;
    std::vector<std::string> types(1);
    int depth = 0;
    for (const char c : std::string_view(entry).substr(open + 1, entry.size() - open - 2)) {
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
        if (c == ',' && depth == 0) types.emplace_back();
        else types.back() += c;
    }
    return std::ranges::equal(types, launch.parameters, is_same_type);
}

/// A guess for comparison, in cycles: an instruction takes 10, and 1 more for each warp that shares
/// one of an H200's schedulers. What is not known of the extents counts as 1.
double time_of(const HostLaunch& launch, double instructions) {
    constexpr double latency = 10, warp = 32, schedulers = 4 * 132;
    double threads = 1;
    for (const auto* extent : {&launch.grid, &launch.block})
        for (const auto& side : *extent) threads *= static_cast<double>(side.value_or(1));
    return instructions * (latency + threads / warp / schedulers);
}

}  // namespace

bool is_launch_of(const HostLaunch& launch, const EntryFacts& entry) {
    const std::size_t colons = launch.kernel.rfind(':');
    const std::string last = colons == std::string::npos ? launch.kernel : launch.kernel.substr(colons + 1);
    if (plain_name(entry.symbol) != last) return false;
    if (launch.arguments.size() > entry.parameters.size()) return false;
    if (launch.template_arguments.empty() && !is_overload_of(launch, entry.name)) return false;
    const std::vector<std::string> made = template_arguments(entry.name);
    if (launch.template_arguments.size() > made.size()) return made.empty();
    for (std::size_t i = 0; i < launch.template_arguments.size(); ++i)
        if (plain_argument(launch.template_arguments[i]) != plain_argument(made[i])) return false;
    return true;
}

const HostLaunch* launch_of(const EntryFacts& entry, const HostCode& code) {
    const HostLaunch* launch = nullptr;
    for (const HostLaunch& other : code.launches) {
        if (!is_launch_of(other, entry)) continue;
        if (launch == nullptr || (!launch->grid[0] && other.grid[0])) launch = &other;
    }
    return launch;
}

const EntryFacts* longest_launched(const HostCode& code, const std::vector<EntryFacts>& entries) {
    const EntryFacts* longest = nullptr;
    double most = 0;
    for (const HostLaunch& launch : code.launches) {
        const auto found = std::ranges::find_if(
            entries, [&](const EntryFacts& entry) { return is_launch_of(launch, entry); });
        if (found == entries.end()) continue;
        const double time = time_of(*launch_of(*found, code), std::max(found->instructions, 1.0));
        if (longest && time <= most) continue;
        longest = &*found;
        most = time;
    }
    return longest;
}

host_code::OccupancyQuery occupancy_of(const std::vector<EntryFacts>& entries) {
    return [entries](const HostLaunch& asked) -> std::optional<host_code::KernelOccupancy> {
        const auto found = std::ranges::find_if(
            entries, [&](const EntryFacts& entry) { return is_launch_of(asked, entry); });
        if (found == entries.end() || !found->blocks_per_sm) return std::nullopt;
        return host_code::KernelOccupancy{static_cast<std::int64_t>(found->most_threads),
                                          found->blocks_per_sm};
    };
}

std::string other_kernels(const LaunchDraft& draft, const HostCode& code) {
    std::vector<std::string> flags;
    for (const HostLaunch& launch : code.launches) {
        const bool overloaded = std::ranges::any_of(code.launches, [&](const HostLaunch& other) {
            return launch.template_arguments.empty() && other.kernel == launch.kernel &&
                   other.parameters != launch.parameters;
        });
        const bool several = std::ranges::any_of(code.launches, [&](const HostLaunch& other) {
            return other.kernel == launch.kernel && other.template_arguments != launch.template_arguments;
        });
        const std::string flag = several      ? fmt::format("--kernel \"{}\"", launch.expression())
                                 : overloaded ? fmt::format("--kernel \"{}({})\"", launch.kernel,
                                                            fmt::join(launch.parameters, ", "))
                                              : "--kernel " + launch.kernel;
        const bool same =
            several      ? plain_argument(draft.entry) == plain_argument(launch.expression())
            : overloaded ? draft.entry.starts_with(launch.kernel + "(") && is_overload_of(launch, draft.entry)
                         : without_arguments(draft.entry) == without_arguments(launch.kernel);
        if (same || std::ranges::find(flags, flag) != flags.end()) continue;
        flags.push_back(flag);
    }
    return flags.empty() ? "--kernel" : fmt::to_string(fmt::join(flags, ", "));
}

}  // namespace warplens::instrumentation
