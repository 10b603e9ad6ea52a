// `warplens check --fix`: tries other layouts of a shared array and prints the change to make.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/wording.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/target.h"
#include "app/pipeline/bank_fix_run.h"
#include "core/json_text.h"

namespace warplens::app {
namespace {

using analysis::BankFix;
using analysis::BankFixes;
using analysis::grouped;
using analysis::rounded;
Result<BankFixRun> run_for(const CheckOptions& options) {
    const analysis::BankFixOptions asked{options.array, options.row_elements};
    WARPLENS_TRY(auto kind, target_kind(options.launch.target));
    if (kind == TargetKind::trace_file) {
        WARPLENS_TRY(const auto trace, load_trace(options.launch));
        return trace_bank_fixes(*trace, nullptr, asked);
    }
    WARPLENS_TRY(const auto engine, engine_of(options.launch, Engine::simt));
    if (engine != Engine::simt)
        return fail(
            "--fix runs on the CPU engine, whose addresses are the GPU's; leave out --engine {}, or give a "
            ".wltrace",
            word_of(engine));
    WARPLENS_TRY(check_engine_flags(options.launch, engine));
    WARPLENS_TRY(auto loaded, load_target(options.launch));
    WARPLENS_TRY(auto blocks, parse_blocks(options.launch.blocks, loaded.launch.launch.geometry.blocks()));
    ExecuteOptions execute;
    execute.blocks = blocks;
    if (options.launch.max_steps) execute.max_steps_per_warp = *options.launch.max_steps;
    return run_bank_fixes(*loaded.pipeline, std::move(loaded.launch), execute, asked);
}

class Text {
  public:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        out_ += fmt::format(format, std::forward<Args>(args)...);
        out_.push_back('\n');
    }
    std::string take() { return std::move(out_); }

  private:
    std::string out_;
};

void write_array(Text& text, const BankFixRun& run) {
    const BankFixes& fixes = run.fixes;
    const analysis::SharedArray& array = fixes.array;
    if (array.declared)
        text.line("{}  {}{};  {}:{}", array.name, array.declared->before, array.declared->extents_text,
                  array.declared->source, array.declared->line);
    else text.line("{}  ({} bytes of shared memory)", array.name, grouped(array.bytes));
    if (array.flat)
        text.line(
            "  one row of {} elements of {} bytes: a pad at its end has no effect, so the index is changed "
            "instead, every {} elements (--row-elements N, if its rows have another length)",
            grouped(array.bytes / array.element_bytes), array.element_bytes, array.row_elements);
    else
        text.line("  {} of {} elements of {} bytes", analysis::counted(array.rows(), "row"),
                  array.row_elements, array.element_bytes);
    text.line("  {} requests ({} loads, {} stores, {} atomics), simulated, {} of {} blocks",
              grouped(fixes.requests), grouped(fixes.loads), grouped(fixes.stores), grouped(fixes.atomics),
              grouped(run.blocks_executed), grouped(run.launch.geometry.blocks()));
    text.line("  now {} wavefronts, worst {} ways; ideal {}", grouped(fixes.now.wavefronts),
              rounded(fixes.now.conflict_ways), grouped(fixes.ideal_wavefronts));
    if (fixes.strangers > 0)
        text.line("  {} of the requests reach into other arrays as well, which are not moved",
                  grouped(fixes.strangers));
    if (fixes.left_out > 0)
        text.line("  {} requests did not fit into memory and are left out", grouped(fixes.left_out));
}

void write_table(Text& text, const BankFixes& fixes) {
    std::size_t width = 6;
    const std::vector<const BankFix*> shown = distinct_fixes(fixes);
    for (const BankFix* fix : shown) width = std::max(width, name_of(*fix, fixes.array).size());
    text.line("");
    text.line("  {:<{}}{:>14}{:>12}{:>12}{:>14}", "change", width, "wavefronts", "worst ways", "bytes",
              "blocks per SM");
    for (const BankFix* fix : shown) {
        const std::string name = name_of(*fix, fixes.array);
        if (!fix->refused.empty()) text.line("  {:<{}}  not possible: {}", name, width, fix->refused);
        else
            text.line("  {:<{}}{:>14}{:>12}{:>12}{:>14}", name, width, grouped(fix->wavefronts),
                      rounded(fix->conflict_ways), grouped(fix->bytes), fix->blocks_per_sm);
    }
    text.line("");
}

void write_winner(Text& text, const BankFixRun& run) {
    const BankFixes& fixes = run.fixes;
    if (!fixes.gains()) {
        text.line("{}", fixes.now.wavefronts == fixes.ideal_wavefronts
                            ? "Nothing to change: every request takes its ideal number of wavefronts."
                            : "Nothing to change: no pad and no swizzle needs fewer wavefronts.");
        return;
    }
    const BankFix& best = fixes.best();
    const BankFix* pad = fixes.best_pad();
    const auto setting = [&](const BankFix& fix) {
        return run.setting && &fix == pad
                   ? fmt::format("  (here: --set {}={})", run.setting->first, run.setting->second)
                   : std::string();
    };
    text.line("The change to make: {} wavefronts instead of {}", grouped(best.wavefronts),
              grouped(fixes.now.wavefronts));
    text.line("  {}{}", change_of(best, fixes.array), setting(best));
    if (best.is_swizzle() && pad != nullptr) {
        const bool more = pad->bytes >= fixes.array.bytes;
        text.line("Or with {} bytes {}: {} wavefronts",
                  grouped(more ? pad->bytes - fixes.array.bytes : fixes.array.bytes - pad->bytes),
                  more ? "more" : "fewer", grouped(pad->wavefronts));
        text.line("  {}{}", change_of(*pad, fixes.array), setting(*pad));
    }
}

Json fix_row(const BankFix& fix, const analysis::SharedArray& array) {
    Json row{{"change", name_of(fix, array)}, {"kind", fix.is_swizzle() ? "swizzle" : "pad"}};
    if (fix.is_swizzle()) {
        row["mask"] = fix.mask;
        row["shift"] = fix.shift;
        row["unit"] = fix.unit;
    } else {
        row["pad"] = fix.pad;
    }
    row["bytes"] = fix.bytes;
    if (!fix.refused.empty()) {
        row["refused"] = fix.refused;
    } else {
        row["wavefronts"] = fix.wavefronts;
        row["conflict_ways"] = fix.conflict_ways;
        row["blocks_per_sm"] = fix.blocks_per_sm;
    }
    return row;
}

std::string fix_json(const BankFixRun& run) {
    const BankFixes& fixes = run.fixes;
    Json out{{"kernel", run.launch.kernel},
             {"parameters", run.launch.parameters},
             {"blocks_executed", run.blocks_executed},
             {"array", fixes.array.name},
             {"row_elements", fixes.array.row_elements},
             {"rows", fixes.array.rows()},
             {"element_bytes", fixes.array.element_bytes},
             {"one_dimensional", fixes.array.flat},
             {"requests", fixes.requests},
             {"ideal_wavefronts", fixes.ideal_wavefronts},
             {"now", fix_row(fixes.now, fixes.array)},
             {"gains", fixes.gains()}};
    if (fixes.gains()) out["best"] = fix_row(fixes.best(), fixes.array);
    if (fixes.gains()) out["write"] = change_of(fixes.best(), fixes.array);
    if (const BankFix* pad = fixes.best_pad()) {
        out["best_pad"] = fix_row(*pad, fixes.array);
        out["write_pad"] = change_of(*pad, fixes.array);
    }
    if (run.setting) out["setting"] = {{run.setting->first, run.setting->second}};
    if (fixes.left_out > 0) out["left_out"] = fixes.left_out;
    out["candidates"] = Json::array();
    for (const BankFix& fix : fixes.ranked) out["candidates"].push_back(fix_row(fix, fixes.array));
    return json_text(out, 2) + "\n";
}

}  // namespace

Result<int> propose_fix(const CheckOptions& options) {
    if (!options.max.empty() || !options.min.empty() || !options.limits_file.empty() ||
        !options.lines.empty())
        return fail(
            "--fix searches for a better layout and checks no limit; leave out --max, --min and --limits");
    if (!options.versus.empty() || !options.max_worse.empty() || !options.check_races.empty() ||
        options.allow_problems)
        return fail(
            "--fix searches for a better layout and compares no reports; leave out --versus, --max-worse, "
            "--check-races and --allow-problems");
    if (!options.launch.level.empty())
        return fail("--level {}: --fix counts the PTX's requests; leave it out", options.launch.level);
    if (options.launch.target.empty()) return fail("--fix needs a kernel or a file");
    if (options.format != "text" && options.format != "json")
        return fail("--format {} is not for --fix; it is text or json", options.format);
    WARPLENS_TRY(const auto run, run_for(options));
    if (options.format == "json") {
        print_result(fix_json(run));
        return exit_success;
    }
    Text text;
    write_array(text, run);
    write_table(text, run.fixes);
    write_winner(text, run);
    print_result(text.take());
    return exit_success;
}

}  // namespace warplens::app
