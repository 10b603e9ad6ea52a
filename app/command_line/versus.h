// The other side of a comparison, from the words of --versus: settings (PAD=1, gpu=A100, engine=cuda) of the
// same kernel, another kernel or file, a recorded trace, or a file that `report --format json` wrote.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/run_facts.h"
#include "app/command_line/options.h"
#include "app/command_line/reported.h"
#include "core/result.h"

namespace warplens::app {

struct Versus {
    LaunchFlags launch;       // what is run; unless there is
    std::string report_file;  // a .json
};

/// `flags`: the side that --versus is compared with. Another kernel takes over the settings that it has, too.
Result<Versus> parse_versus(const LaunchFlags& flags, const std::vector<std::string>& words);

/// A .cubin that is compared with what says its launch is launched so; no other flags change.
Status give_cubin_its_launch(LaunchFlags& flags, const Versus& versus);

/// Of a picture: `flags` get a launch as above, and a report is refused.
Result<Versus> drawn_versus(LaunchFlags& flags, const std::vector<std::string>& words);

/// A report that `report --format json` wrote.
bool is_report_file(const std::string& versus);

/// Two files of the same kernel, k.cu and k.cubin, are named by their files.
void name_by_files(const std::string& target, analysis::RunFacts& run, const std::string& other_target,
                   analysis::RunFacts& other);

/// A file's own report, bounded in size.
Result<analysis::RunFacts> read_report_file(const std::string& path);

struct VersusFacts {
    analysis::RunFacts facts;
    std::string stopped;  // as Reported::stopped
    std::string why_ptx;  // as analysis::ScheduleSummary::why_ptx
    bool faulty = false;
};
struct BothFacts {
    VersusFacts before, after;
    std::string caution;  // why the times are from PTX; empty: they are not, or were asked for
};
/// What `check --versus` compares with, before the check: a report that was kept, or a kernel, setting or
/// file, which is run. `flags` of the check get a launch, or a level, that the two have in common.
Result<analysis::RunFacts> facts_of_other(LaunchFlags& flags, const std::string& word,
                                          const ReportRunOptions& run_options);
/// Both runs; their times are from the same level, as far as a report that was kept allows.
Result<BothFacts> facts_of_both(const LaunchFlags& flags, const Versus& versus, ReportRunOptions run_options);

}  // namespace warplens::app
