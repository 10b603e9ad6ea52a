// Registers and machine instructions of recording, without a GPU: for every launch that gpu_recording_cost
// measures, clean and in each mode, what ptxas makes of the form that the recorder would run in the end, as
// CSV on standard output. What a warp does is seen in the CPU engine, in the first and the last blocks of the
// grid. Start it in the project's root:
//   gpu_recording_registers [--folder FOLDER] [--code FOLDER] [--executed BLOCKS] [KERNEL…]
// --code leaves there the PTX of each form and its machine code, as text. --executed adds a column: how many
// warp instructions that many blocks execute, spread over the grid, at the machine level of the CPU engine.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/pipeline/block_sample.h"
#include "app/pipeline/gpu/recording_size.h"
#include "app/pipeline/gpu/register_limit.h"
#include "instrumentation/compile/assembler.h"
#include "instrumentation/device/protocol.h"
#include "instrumentation/hidden_command.h"
#include "instrumentation/rewrite/instrument.h"
#include "instrumentation/rewrite/whole_warps.h"
#include "ptx/printer.h"
#include "sass/cubin.h"
#include "sass/decoder.h"
#include "sass/printer.h"
#include "tests/gpu/cost_launches.h"
#include "tests/gpu/executed_instructions.h"
#include "tests/hardware/timing_run.h"

namespace warplens {
namespace {

namespace instr = instrumentation;
using instr::RecordMode;

struct Options {
    std::string folder, code;
    std::uint64_t executed = 0;  // blocks; 0: none
    std::set<std::string> wanted;
};

/// What the recorder knows of a launch after it has recorded it once or twice.
struct Seen {
    std::map<RecordMode, app::LaneRoom> rooms;
    bool predict_whole = true, predict_bounds = true, predict_parting = true;
    std::vector<BasicBlockId> parting;
    std::map<RecordMode, std::uint32_t> spills;  // app::register_limit()
    bool few_registers = false;                  // light
};

instr::Decoded as_decoded(const trace::Trace& trace) {
    instr::Decoded decoded;
    for (const trace::Visit& visit : trace.visits)
        decoded.visits.push_back({visit.basic_block, visit.active.bits});
    for (const auto& warp : trace.warps) {
        trace::MeasuredWarp& measured = decoded.warps.emplace_back();
        measured.visits_begin = warp.visits_begin;
        measured.visits_end = warp.visits_end;
    }
    return decoded;
}

/// Whether every visit of a block that is predicted to be one of whole warps was that, those who had left at
/// bounds checks excepted.
bool holds(const instr::WholeWarps& predicted, const instr::RecordingPlan& plan, const instr::Decoded& seen) {
    for (const trace::MeasuredWarp& warp : seen.warps) {
        const std::uint32_t all = seen.visits[warp.visits_begin].active;
        std::uint32_t left = 0;
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
            const trace::MeasuredVisit& visit = seen.visits[i];
            if (predicted.whole[visit.basic_block] && visit.active != all && (visit.active | left) != all)
                return false;
            if (plan.blocks[visit.basic_block].checks_bounds && i + 1 < warp.visits_end)
                left |= visit.active & ~seen.visits[i + 1].active;
        }
    }
    return true;
}

instr::InstrumentOptions options_for(const app::LoadedLaunch& launch, RecordMode mode, const Seen& seen) {
    instr::InstrumentOptions how;
    how.mode = mode;
    how.predict_whole = seen.predict_whole;
    how.predict_bounds = how.leave_at_once = seen.predict_bounds;
    how.predict_parting = seen.predict_parting;
    how.parting = seen.parting;
    how.replay = how.replay_loads = true;
    if (const auto room = seen.rooms.find(mode); room != seen.rooms.end()) {
        how.log_words = room->second.log_words;
        how.log_bits = room->second.log_bits;
        how.tally_bits = room->second.tally_bits;
        how.pass_bits = room->second.pass_bits;
        how.lane_units = room->second.lane_units;
        how.value_words = room->second.value_words;
    }
    how.shared_bytes = static_cast<std::uint32_t>(launch.code->static_shared_bytes() +
                                                  launch.launch.geometry.dynamic_shared_bytes);
    how.launch = instr::KnownLaunch{.geometry = launch.launch.geometry};
    const auto spills = seen.spills.find(mode);
    how.max_registers = app::register_limit(mode, launch.launch, *launch.gpu, false,
                                            spills == seen.spills.end() ? 0 : spills->second);
    return how;
}

Result<Seen> see(const CostLaunch& asked, const app::LoadedLaunch& launch) {
    constexpr std::uint64_t first_blocks = 24, last_blocks = 8;
    const std::uint64_t blocks = launch.launch.geometry.blocks();
    app::ExecuteOptions options;
    options.check_golden = false;
    options.keep_trace = true;
    for (std::uint64_t block = 0; block < blocks; ++block)
        if (block < first_blocks || block + last_blocks >= blocks) options.blocks.push_back(block);
    const app::LoadedLaunch copy = launch;
    WARPLENS_TRY(const auto executed, hardware::pipeline_for(asked.folder).execute(copy, options));
    const instr::Decoded decoded = as_decoded(*executed.trace);
    WARPLENS_TRY(const auto numbered, ptx::number_sites(*launch.module, launch.program.entry, ""));
    const instr::BlockGraph graph = instr::build_block_graph(*launch.module, numbered);
    Seen seen;
    Seen nothing;
    nothing.predict_whole = false;
    WARPLENS_TRY(const auto first_form, instr::instrument(*launch.module, launch.program.entry,
                                                          options_for(launch, RecordMode::light, nothing)));
    app::add_parting_checks(first_form.plan, decoded, seen.parting);
    const auto holds_with = [&](bool bounds, const std::vector<BasicBlockId>& parting) {
        return holds(instr::predict_whole_warps(*launch.module, numbered, graph, bounds, parting),
                     first_form.plan, decoded);
    };
    seen.predict_parting = holds_with(true, {});
    seen.predict_bounds = seen.predict_parting || holds_with(true, seen.parting);
    seen.predict_whole = seen.predict_bounds || holds_with(false, {});
    const std::uint64_t warps = blocks * static_cast<std::uint64_t>(launch.launch.geometry.warps_per_block());
    for (const RecordMode mode : {RecordMode::light, RecordMode::proof, RecordMode::full}) {
        WARPLENS_TRY(const auto plain, instr::instrument(*launch.module, launch.program.entry,
                                                         options_for(launch, mode, nothing)));
        seen.rooms[mode] = app::lane_room(plain.plan, launch.program, decoded, warps, std::uint64_t{2} << 30);
    }
    return seen;
}

struct Form {
    std::string mode, ptx;
    std::optional<instr::RecordingPlan> plan;  // nothing: the kernel as it is
    bool few_registers = false;
};

void write(const Options& asked, const std::string& name, const std::string& ending,
           const std::string& text) {
    std::ofstream(fmt::format("{}/{}.{}", asked.code, name, ending)) << text;
}

/// ",N", or "," if the engine does not execute the form.
std::string executed_column(const Options& asked, app::LoadedLaunch& launch, const sass::Cubin& cubin,
                            const Form& form) {
    if (asked.executed == 0) return {};
    const auto blocks = app::spread_blocks(launch.launch.geometry.blocks(), asked.executed);
    const auto count = executed_instructions(launch, cubin, form.plan ? &*form.plan : nullptr, blocks);
    if (count) return fmt::format(",{}", *count);
    std::fprintf(stderr, "%s %s: %s\n", launch.program.entry.c_str(), form.mode.c_str(),
                 count.error().message.c_str());
    return ",";
}

int print(const Options& asked, const CostLaunch& launch, app::LoadedLaunch& loaded,
          instr::Assembler& assembler, const std::vector<Form>& forms) {
    constexpr int sm = 90;
    const std::string& entry = loaded.program.entry;
    std::vector<instr::AssemblerText> texts;
    for (const Form& form : forms)
        texts.push_back({.ptx = form.ptx, .target = "sm_90", .few_registers = form.few_registers});
    const auto cubins = assembler.assemble(texts);
    std::uint32_t clean = 0;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        if (!asked.code.empty()) write(asked, launch.kernel + "." + forms[i].mode, "ptx", forms[i].ptx);
        const auto cubin = cubins[i] ? sass::read_cubin(*cubins[i]) : Result<sass::Cubin>(fail("refused"));
        if (!cubin) {
            std::fprintf(stderr, "%s %s: %s\n", launch.kernel.c_str(), forms[i].mode.c_str(),
                         cubin.error().message.c_str());
            return 1;
        }
        for (const sass::CubinFunction& function : cubin->functions) {
            if (function.name != entry) continue;
            const auto code = sass::decode(function.code, sm);
            if (i == 0) clean = function.registers_per_thread;
            std::printf("%s,\"%s\",%s,%u,%d,%zu,%u%s\n", launch.kernel.c_str(), launch.parameters.c_str(),
                        forms[i].mode.c_str(), function.registers_per_thread,
                        int(function.registers_per_thread) - int(clean), code.size(), function.stack_bytes,
                        executed_column(asked, loaded, *cubin, forms[i]).c_str());
            std::fflush(stdout);
            if (asked.code.empty()) continue;
            std::string text;
            for (std::size_t at = 0; at < code.size(); ++at)
                text += fmt::format("{:04x} {}\n", at * 16, sass::print(code[at], sm));
            write(asked, launch.kernel + "." + forms[i].mode, "sass", text);
        }
    }
    return 0;
}

sass::CubinFunction assembled(const std::string& ptx, const std::string& entry, instr::Assembler& assembler) {
    const auto bytes = assembler.assemble({{ptx, "sm_90"}}).front();
    const auto cubin = bytes ? sass::read_cubin(*bytes) : Result<sass::Cubin>(fail("refused"));
    if (!cubin) return {};
    for (const sass::CubinFunction& function : cubin->functions)
        if (function.name == entry) return function;
    return {};
}

/// As the recorder sees it in its first launch of a form.
Status see_spills(const app::LoadedLaunch& launch, instr::Assembler& assembler, Seen& seen) {
    const std::string& entry = launch.program.entry;
    if (app::calls_functions(launch.program)) return {};
    const sass::CubinFunction own = assembled(ptx::print(*launch.module), entry, assembler);
    for (const RecordMode mode : {RecordMode::light, RecordMode::proof})
        for (;;) {
            const instr::InstrumentOptions how = options_for(launch, mode, seen);
            if (how.max_registers == 0) break;
            WARPLENS_TRY(const auto made, instr::instrument(*launch.module, entry, how));
            const sass::CubinFunction form = assembled(made.ptx, entry, assembler);
            if (app::spills_more(form.stack_bytes, own.stack_bytes)) {
                ++seen.spills[mode];
                continue;
            }
            if (mode == RecordMode::light)
                seen.few_registers =
                    form.registers_per_thread > own.registers_per_thread + app::most_more_registers;
            break;
        }
    return {};
}

int run(const Options& asked) {
    instr::Assembler assembler;
    if (!assembler.found()) {
        std::fprintf(stderr, "there is no ptxas\n");
        return 2;
    }
    std::printf("kernel,parameters,mode,registers,more,instructions,stack%s\n",
                asked.executed == 0 ? "" : ",executed");
    int failures = 0;
    for (const CostLaunch& launch : cost_launches(asked.folder, asked.wanted)) {
        const auto failed = [&](const Error& error) {
            std::fprintf(stderr, "%s: %s\n", launch.kernel.c_str(), error.message.c_str());
            ++failures;
        };
        auto loaded = hardware::load_kernel({.folder = launch.folder,
                                             .kernel = launch.kernel,
                                             .parameters = hardware::read_parameters(launch.parameters),
                                             .gpu = "H100"});
        if (!loaded) {
            failed(loaded.error());
            continue;
        }
        auto seen = see(launch, *loaded);
        if (seen)
            if (const auto status = see_spills(*loaded, assembler, *seen); !status)
                seen = tl::unexpected(status.error());
        if (!seen) {
            failed(seen.error());
            continue;
        }
        std::vector<Form> forms{{"clean", ptx::print(*loaded->module), {}}};
        for (const RecordMode mode : {RecordMode::light, RecordMode::proof, RecordMode::full}) {
            const auto made =
                instr::instrument(*loaded->module, loaded->program.entry, options_for(*loaded, mode, *seen));
            if (made)
                forms.push_back({std::string(name_of(mode)), made->ptx, made->plan,
                                 mode == RecordMode::light && seen->few_registers});
            else failed(made.error());
        }
        failures += print(asked, launch, *loaded, assembler, forms);
    }
    return failures > 0 ? 1 : 0;
}

}  // namespace
}  // namespace warplens

int main(int argc, char** argv) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argc, argv)) return *code;
    warplens::Options asked;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--folder" && i + 1 < argc) asked.folder = argv[++i];
        else if (word == "--code" && i + 1 < argc) asked.code = argv[++i];
        else if (word == "--executed" && i + 1 < argc) asked.executed = std::strtoull(argv[++i], nullptr, 10);
        else asked.wanted.insert(word);
    }
    return warplens::run(asked);
}
