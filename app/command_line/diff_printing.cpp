#include "app/command_line/diff_printing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/wording.h"
#include "app/scene/instruction_diff.h"
#include "core/json_text.h"

namespace warplens::app {
namespace {

using analysis::grouped;
using Kind = InstructionPair::Kind;

constexpr std::uint64_t bytes_per_instruction = 16;
/// Equal instructions printed before and after a difference.
constexpr std::size_t context = 2;

/// Executions of all instructions; empty: not executed.
std::optional<std::uint64_t> steps_of(const Build& build) {
    return build.report ? std::optional(build.report->steps) : std::nullopt;
}

std::string signed_difference(std::uint64_t before, std::uint64_t after) {
    if (before == after) return "=";
    return after > before ? "+" + grouped(after - before) : "-" + grouped(before - after);
}

std::string sum_row(const char* name, std::uint64_t before, std::uint64_t after) {
    return fmt::format("  {:<28} {:>14} {:>14}  {}\n", name, grouped(before), grouped(after),
                       signed_difference(before, after));
}

std::string sums_text(const Build& before, const Build& after) {
    std::string out = fmt::format("  {:<28} {:>14} {:>14}\n", "", "before", "after");
    out += sum_row("instructions", before.program.sites.size(), after.program.sites.size());
    out += sum_row("registers per thread", before.registers, after.registers);
    out += sum_row("static shared memory, bytes", before.shared_bytes, after.shared_bytes);
    out += sum_row("stack per thread, bytes", before.stack_bytes, after.stack_bytes);
    const auto ran_before = steps_of(before), ran_after = steps_of(after);
    if (ran_before && ran_after) {
        out += sum_row("executed by warps", *ran_before, *ran_after);
        const auto sum = [](const Build& build, auto field) {
            std::uint64_t all = 0;
            for (const analysis::SiteReport& site : build.report->sites) all += site.access.*field;
            return all;
        };
        using analysis::AccessTotals;
        out += sum_row("sectors", sum(before, &AccessTotals::sectors), sum(after, &AccessTotals::sectors));
        out += sum_row("wavefronts", sum(before, &AccessTotals::wavefronts),
                       sum(after, &AccessTotals::wavefronts));
    }
    return out;
}

std::string opcodes_text(const InstructionDiff& diff) {
    std::string out;
    for (const auto& [opcode, counts] : diff.opcodes)
        if (counts.first != counts.second)
            out += fmt::format("  {:<28} {:>14} {:>14}  {}\n", opcode, counts.first, counts.second,
                               signed_difference(counts.first, counts.second));
    if (out.empty()) return "The opcodes and their counts are equal.\n";
    return "Opcodes whose counts differ\n" + out;
}

std::string executed(const Build& build, SiteId site) {
    if (site == no_index || !build.report) return "";
    return grouped(build.report->sites[site].steps);
}

std::string offset(SiteId site) {
    return site == no_index ? "" : fmt::format("{:05x}", site * bytes_per_instruction);
}

/// "~ 00030 00040  128  256  IMAD R1, …": the text is the one after, where there is one.
std::string pair_line(const Build& before, const Build& after, const InstructionPair& pair) {
    constexpr char signs[] = {' ', '~', '-', '+'};
    const auto row = [&](char sign, SiteId a, SiteId b, const std::string& text) {
        return fmt::format("{} {:>5} {:>5}  {:>12} {:>12}  {}\n", sign, offset(a), offset(b),
                           executed(before, a), executed(after, b), text);
    };
    const char sign = signs[static_cast<std::size_t>(pair.kind)];
    if (pair.kind != Kind::operands)
        return row(sign, pair.before, pair.after,
                   pair.after == no_index ? before.program.sites[pair.before].text
                                          : after.program.sites[pair.after].text);
    return row(sign, pair.before, pair.after,
               fmt::format("{}  →  {}", before.program.sites[pair.before].text,
                           after.program.sites[pair.after].text));
}

/// Whether an aligned pair is worth a line: the code differs, or how often it was executed.
bool differs(const Build& before, const Build& after, const InstructionPair& pair) {
    if (pair.kind != Kind::same) return true;
    return before.report && after.report &&
           before.report->sites[pair.before].steps != after.report->sites[pair.after].steps;
}

std::string pairs_text(const Build& before, const Build& after, const InstructionDiff& diff) {
    std::vector<bool> shown(diff.pairs.size(), false);
    for (std::size_t i = 0; i < diff.pairs.size(); ++i) {
        if (!differs(before, after, diff.pairs[i])) continue;
        const std::size_t end = std::min(diff.pairs.size(), i + context + 1);
        for (std::size_t at = i - std::min(i, context); at < end; ++at) shown[at] = true;
    }
    std::string out = fmt::format("  {:>5} {:>5}  {:>12} {:>12}\n", "", "", "executed", "executed");
    for (std::size_t i = 0; i < diff.pairs.size();) {
        if (shown[i]) {
            out += pair_line(before, after, diff.pairs[i++]);
            continue;
        }
        const std::size_t first = i;
        while (i < diff.pairs.size() && !shown[i]) ++i;
        out += fmt::format("  … {} equal\n", analysis::grouped(i - first));
    }
    return out;
}

Json build_json(const Build& build) {
    Json out{{"name", build.name},
             {"entry", build.entry},
             {"target", build.target},
             {"instructions", build.program.sites.size()},
             {"registers_per_thread", build.registers},
             {"shared_static_bytes", build.shared_bytes},
             {"stack_bytes", build.stack_bytes},
             {"steps", nullptr}};
    if (build.report) out["steps"] = build.report->steps;
    return out;
}

Json site_json(const Build& build, SiteId id) {
    if (id == no_index) return nullptr;
    const Site& site = build.program.sites[id];
    Json out{{"machine_offset", id * bytes_per_instruction},
             {"text", site.text},
             {"line", site.line},
             {"ptx_line", site.ptx_line},
             {"steps", nullptr}};
    if (!build.report) return out;
    const analysis::SiteReport& counts = build.report->sites[id];
    out["steps"] = counts.steps;
    out["sectors"] = counts.access.sectors;
    out["wavefronts"] = counts.access.wavefronts;
    return out;
}

}  // namespace

std::string diff_text(const Build& before, const Build& after) {
    const InstructionDiff diff = diff_instructions(before.program, after.program);
    std::string out = fmt::format("{} ({}) → {} ({}), machine level\n\n", before.name, before.target,
                                  after.name, after.target);
    out += sums_text(before, after) + "\n" + opcodes_text(diff) + "\n";
    out += fmt::format("{} equal, {} with other operands, {} removed, {} added\n",
                       analysis::counted(diff.count(Kind::same), "instruction"), diff.count(Kind::operands),
                       diff.count(Kind::removed), diff.count(Kind::added));
    out += pairs_text(before, after, diff);
    if (!before.report || !after.report)
        out += "\nA .cubin is compared but not executed: it does not say how it is launched.\n";
    return out;
}

std::string diff_json(const Build& before, const Build& after) {
    const InstructionDiff diff = diff_instructions(before.program, after.program);
    Json out{{"level", "machine"},
             {"before", build_json(before)},
             {"after", build_json(after)},
             {"opcodes", Json::array()},
             {"instructions", Json::array()}};
    for (const auto& [opcode, counts] : diff.opcodes)
        out["opcodes"].push_back({{"opcode", opcode}, {"before", counts.first}, {"after", counts.second}});
    constexpr const char* kinds[] = {"same", "operands", "removed", "added"};
    for (const InstructionPair& pair : diff.pairs)
        out["instructions"].push_back({{"kind", kinds[static_cast<std::size_t>(pair.kind)]},
                                       {"before", site_json(before, pair.before)},
                                       {"after", site_json(after, pair.after)}});
    return json_text(out, 2) + "\n";
}

}  // namespace warplens::app
