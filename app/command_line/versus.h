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
/// Both runs; their times are from the same level, as far as a report that was kept allows.
Result<BothFacts> facts_of_both(const LaunchFlags& flags, const Versus& versus, ReportRunOptions run_options);

}  // namespace warplens::app
