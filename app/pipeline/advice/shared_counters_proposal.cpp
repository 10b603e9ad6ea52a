#include "app/pipeline/advice/shared_counters_proposal.h"

#include <fmt/format.h>

#include "app/pipeline/advice/kernel_words.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

constexpr std::uint64_t most_bytes = 16 << 10;  // of shared memory

}  // namespace

std::vector<Edit> shared_counters_edits(const std::string& source, std::string_view entry,
                                        const GlobalCounters& counters, std::uint64_t count,
                                        bool threads_in_rows) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const Tokens& tokens = kernel->tokens;
    const std::string own = "block_" + counters.name;
    for (const Token& token : tokens)
        if (token.text == own || token.is("bin")) return {};
    const auto additions = own_additions(
        *kernel, source, counters, own, count == 1 ? OwnAdditions::Into::address : OwnAdditions::Into::array);
    if (!additions) return {};
    const std::string thread = threads_in_rows ? "threadIdx.y * blockDim.x + threadIdx.x" : "threadIdx.x";
    const std::string threads = threads_in_rows ? "blockDim.x * blockDim.y" : "blockDim.x";
    const std::string extent = name_of_number(source, count);
    const std::string each = fmt::format("for (int bin = {}; bin < {}; bin += {})", thread, extent, threads);
    const std::string first_thread =
        threads_in_rows ? "if (threadIdx.x == 0 && threadIdx.y == 0)" : "if (threadIdx.x == 0)";
    std::vector<Edit> edits;
    const auto insert = [&](std::uint32_t line, const std::string& code) {
        edits.push_back({Edit::Kind::insert, line, "    " + code});
    };
    const std::uint32_t begin = tokens[kernel->body].line + 1, end = tokens[kernel->body_end].line;
    if (count == 1) {
        insert(begin, fmt::format("__shared__ {} {};", counters.type, own));
        insert(begin, fmt::format("{} {} = 0;", first_thread, own));
    } else {
        insert(begin, fmt::format("__shared__ {} {}[{}];", counters.type, own, extent));
        insert(begin, fmt::format("{} {}[bin] = 0;", each, own));
    }
    insert(begin, "__syncthreads();");
    for (Edit& edit : edits_of(source, additions->words)) edits.push_back(std::move(edit));
    for (int i = 0; i < additions->opened; ++i) insert(end, "}");
    insert(end, "__syncthreads();");
    if (count == 1) {
        insert(end, fmt::format("{} atomicAdd({}, {});", first_thread, counters.name, own));
    } else {
        insert(end, each);
        insert(end,
               fmt::format("    if ({1}[bin] != 0) atomicAdd(&{0}[bin], {1}[bin]);", counters.name, own));
    }
    return edits;
}

std::optional<Proposal> proposed_shared_counters(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now) {
    const trace::Launch& launch = now.trace->launch;
    const Dim3 block = launch.geometry.block;
    if (kernel->language != instrumentation::Language::cuda || block.z != 1) return std::nullopt;
    const std::string entry = plain_name(now.trace->program.entry);
    for (const GlobalCounters& counters : global_counters(kernel->source, entry)) {
        const auto buffer = counted_buffer(*kernel, launch, counters);
        if (!buffer || buffer->bytes > most_bytes) continue;
        const std::uint64_t count = buffer->elements;
        auto edits = shared_counters_edits(kernel->source, entry, counters, count, block.y > 1);
        if (edits.empty()) continue;
        Proposal proposal = with_changed_lines(
            kernel, overrides, std::move(edits),
            fmt::format("`{}` counted in shared memory first, added once per block", counters.name));
        if (count > 1)
            proposal.change.condition = fmt::format("right for {} elements of {}", count, counters.name);
        return proposal;
    }
    return std::nullopt;
}

}  // namespace warplens::app
