#include "app/pipeline/undefined_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "app/pipeline/kernel_code.h"
#include "app/pipeline/launch_run.h"
#include "instrumentation/word_search.h"
#include "simt/functional/block/value_log.h"

namespace warplens::app {
namespace {

using instrumentation::is_word;

constexpr std::uint64_t most_traced = 400'000;  // instructions of a block
constexpr std::string_view in_message = "the value is undefined; ";

bool is_undefined(const Problem& problem) {
    return problem.kind == ProblemKind::absent_lane && problem.site != no_index && problem.child.empty() &&
           problem.message.find(in_message) != std::string::npos;
}

/// Their results depend on no other lane and on no memory, and are not conditions.
bool is_lanewise(std::string_view opcode) {
    static constexpr std::array<std::string_view, 20> words{"add", "sub", "mul", "mad", "fma", "min", "max",
                                                            "and", "or",  "xor", "not", "shl", "shr", "mov",
                                                            "cvt", "neg", "abs", "ex2", "lg2", "rcp"};
    return std::ranges::find(words, opcode.substr(0, opcode.find('.'))) != words.end();
}

class UndefinedFlow {
  public:
    UndefinedFlow(const Program& program, const ptx::Module& module, std::vector<SiteId> sites)
        : program_(program), module_(module), sites_(std::move(sites)) {}

    void take(const trace::ValueEvent& event) {
        if (used || event.site >= program_.sites.size()) return;
        const std::string& opcode = program_.sites[event.site].opcode;
        if (opcode.starts_with("shfl") && !event.written.empty() && !event.read.empty())
            return shuffle(event);
        const u32 read = undefined_in(event, 0) & event.lanes.bits;
        if (is_in_address(event)) used = true;
        const bool plain = is_lanewise(opcode) && event.accessed.bits == 0 && !event.written.empty();
        if (read != 0 && !plain) used = true;
        for (const trace::RegisterBits& written : event.written) set(event, written, read);
    }

    bool used = false;

  private:
    using u32 = std::uint32_t;

    u32& of(const trace::ValueEvent& event, u32 index) {
        return undefined_[{event.warp, event.function, index}];
    }

    u32 undefined_in(const trace::ValueEvent& event, std::size_t from) {
        u32 lanes = 0;
        for (std::size_t i = from; i < event.read.size(); ++i) lanes |= of(event, event.read[i].index);
        return lanes;
    }

    /// An address is not among the values that are read.
    bool is_in_address(const trace::ValueEvent& event) const {
        const std::string_view text = program_.sites[event.site].text;
        const std::size_t open = text.find('[');
        if (open == std::string_view::npos || event.function >= module_.functions.size()) return false;
        const auto& registers = module_.functions[event.function].registers;
        return std::ranges::any_of(undefined_, [&](const auto& entry) {
            const auto& [key, lanes] = entry;
            if (key[0] != event.warp || key[1] != event.function || (lanes & event.lanes.bits) == 0 ||
                key[2] >= registers.size())
                return false;
            const std::string_view name = registers[key[2]].name, address = text.substr(open);
            const std::size_t at = address.find(name);
            return at != std::string_view::npos &&
                   (at + name.size() == address.size() || !is_word(address[at + name.size()]));
        });
    }

    void set(const trace::ValueEvent& event, const trace::RegisterBits& written, u32 undefined) {
        u32& lanes = of(event, written.index);
        lanes = (lanes & ~event.lanes.bits) | (undefined & event.lanes.bits);
    }

    /// A lane whose source does not take part is reported as its own source; so is one whose source is out of
    /// range, which is taken for undefined, too.
    void shuffle(const trace::ValueEvent& event) {
        const u32 before = of(event, event.read[0].index);
        u32 undefined = undefined_in(event, 1);
        const bool here = std::ranges::find(sites_, event.site) != sites_.end();
        for_each_lane(event.exchanged, [&](int lane) {
            const int source = event.sources[static_cast<std::size_t>(lane)];
            if ((before >> source & 1u) != 0 || (here && source == lane)) undefined |= u32{1} << lane;
        });
        set(event, event.written[0], undefined);
        if (event.written.size() > 1 && undefined_in(event, 1) != 0) used = true;
    }

    const Program& program_;
    const ptx::Module& module_;
    std::vector<SiteId> sites_;  // of shuffles with an absent source
    std::map<std::array<u32, 3>, u32> undefined_;
};

/// Problems of one line are one: the shuffles of an unrolled loop.
void add_sites_of_line(const Program& program, SiteId site, std::vector<SiteId>& sites) {
    const Site& here = program.sites.at(site);
    for (SiteId other = 0; other < program.sites.size(); ++other) {
        const Site& there = program.sites[other];
        const bool same_line = here.line != 0 && there.line == here.line && there.file == here.file;
        if (other == site || (same_line && there.opcode.starts_with("shfl"))) sites.push_back(other);
    }
}

/// False also where the block cannot be followed to its end.
bool is_unused_in(std::uint64_t block, LoadedLaunch launch, const std::vector<SiteId>& sites,
                  const std::function<bool()>& cancelled) {
    const std::shared_ptr<const ptx::Module> module = launch.module;
    const std::shared_ptr<const simt::Kernel> code = launch.code;
    const Program program = launch.program;
    UndefinedFlow flow(program, *module, sites);
    simt::ValueLog log(*code, *module, block, most_traced,
                       [&](const trace::ValueEvent& event) { flow.take(event); });
    LaunchRun::Keep keep;
    keep.listener = &log;
    keep.interrupted = true;
    keep.keep_report = false;
    auto run = LaunchRun::start_again(std::move(launch), std::move(keep));
    if (!run) return false;
    simt::RunOptions options;
    options.blocks = {block};
    options.watch = &log;
    options.max_printed = 0;
    options.cancelled = cancelled;
    const Status done = (*run)->execute(options);
    return done && !log.cut() && !flow.used;
}

}  // namespace

void settle_undefined_values(analysis::LaunchReport& report, const LoadedLaunch& launch,
                             const std::function<bool()>& cancelled) {
    if (launch.level != Level::ptx || !launch.module || !launch.code) return;
    std::vector<SiteId> sites;
    const Dim3 grid = launch.launch.geometry.grid;
    std::vector<std::uint64_t> blocks{launch.launch.geometry.blocks() - 1};
    for (const Problem& problem : report.problems) {
        if (!is_undefined(problem)) continue;
        add_sites_of_line(launch.program, problem.site, sites);
        const std::uint64_t block =
            problem.block.x +
            std::uint64_t{grid.x} * (problem.block.y + std::uint64_t{grid.y} * problem.block.z);
        if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);
    }
    constexpr std::size_t most_blocks = 4;
    if (sites.empty() || blocks.size() > most_blocks) return;
    for (const std::uint64_t block : blocks)
        if (!is_unused_in(block, launch, sites, cancelled)) return;
    std::vector<Problem> notes;
    for (Problem& problem : report.problems) {
        if (!is_undefined(problem)) continue;
        problem.message.resize(problem.message.find(in_message));
        problem.message += "the value is undefined, and is not used";
        notes.push_back(problem);
    }
    std::erase_if(report.problems, [](const Problem& problem) {
        return problem.kind == ProblemKind::absent_lane && problem.message.ends_with("and is not used");
    });
    merge_problems(report.notes, notes);
}

namespace {

bool has_shuffle(const Program& program) {
    return std::ranges::any_of(program.sites,
                               [](const Site& site) { return site.opcode.starts_with("shfl"); });
}

/// The first of as many blocks as the steps allow, and the last.
std::vector<std::uint64_t> affordable_blocks(const analysis::LaunchReport& report, std::uint64_t blocks) {
    constexpr std::uint64_t budget = 20'000'000;  // steps, as of races
    const std::uint64_t of_block =
        std::max<std::uint64_t>(report.steps / std::max<std::uint64_t>(report.blocks_executed, 1), 1);
    std::vector<std::uint64_t> chosen;
    for (std::uint64_t block = 0; block + 1 < blocks && block < budget / of_block; ++block)
        chosen.push_back(block);
    chosen.push_back(blocks - 1);
    return chosen;
}

/// The shuffle of the problem's line in the machine code, else the line's first instruction.
SiteId site_of_line(const Program& program, const Problem& problem) {
    SiteId first = no_index;
    for (SiteId site = 0; site < program.sites.size(); ++site) {
        const Site& here = program.sites[site];
        if (here.line == 0 || here.line != problem.line) continue;
        if (here.opcode.starts_with("SHFL")) return site;
        if (first == no_index) first = site;
    }
    return first;
}

}  // namespace

void add_undefined_values(analysis::LaunchReport& report, const LoadedLaunch& launch,
                          const std::function<bool()>& cancelled) {
    if (launch.level != Level::machine || !launch.built || !launch.built->module ||
        !has_shuffle(launch.built->program))
        return;
    LoadedLaunch of_ptx = launch;
    of_ptx.code = launch.built->kernel;
    of_ptx.module = launch.built->module;
    of_ptx.program = launch.built->program;
    of_ptx.timed_code = nullptr;
    of_ptx.level = Level::ptx;
    LaunchRun::Keep keep;
    keep.interrupted = true;
    keep.keep_report = false;
    auto run = LaunchRun::start_again(of_ptx, std::move(keep));
    if (!run) return;
    simt::RunOptions options;
    options.blocks = affordable_blocks(report, launch.launch.geometry.blocks());
    options.max_printed = 0;
    options.cancelled = cancelled;
    if (!(*run)->execute(options)) return;
    analysis::LaunchReport found;
    std::ranges::copy_if((*run)->problems(), std::back_inserter(found.problems), is_undefined);
    if (found.problems.empty()) return;
    settle_undefined_values(found, of_ptx, cancelled);
    for (std::vector<Problem>* list : {&found.problems, &found.notes})
        for (Problem& problem : *list) problem.site = site_of_line(launch.program, problem);
    merge_problems(report.problems, found.problems);
    merge_problems(report.notes, found.notes);
}

}  // namespace warplens::app
