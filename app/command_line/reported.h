// The report of what the command line names: a kernel or file run by any engine, or a recorded trace. report,
// check and sweep use it and print it in their own ways.
#pragma once

#include <memory>
#include <string_view>

#include "analysis/report/launch_report.h"
#include "app/command_line/options.h"
#include "app/pipeline/pipeline.h"
#include "trace/observer.h"

namespace warplens::app {

struct Reported {
    std::shared_ptr<const analysis::LaunchReport> report;
    Program program;
    std::string stopped = {};  // why the report is of a part, and of which; empty: it is whole
};

struct ReportRunOptions {
    bool model_time = true;              // the schedule and the roofline; recordings have them always
    bool count_machine_code = false;     // in addition, where --level does not say
    bool time_machine_code = true;       // where --level does not say, and the machine code can be had
    std::shared_ptr<Pipeline> pipeline;  // null: one of its own
    int threads = 0;                     // of the CPU engine; 0: as many as the machine has
    ExecuteOptions::Races races = ExecuteOptions::Races::off;
};

/// The value of --check-races: "on", "off", else "auto".
ExecuteOptions::Races races_named(std::string_view word);

/// Errors are bad input; a kernel's own faults are problems of the report.
Result<Reported> report_of(const LaunchFlags& flags, const ReportRunOptions& run_options = {});

/// It has problems, or its golden check failed.
bool is_faulty(const analysis::LaunchReport& report);

}  // namespace warplens::app
