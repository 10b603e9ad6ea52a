// `warplens report`: executes a launch, or folds a recorded one, and prints what its warps did.
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/reported.h"

namespace warplens::app {
namespace {

std::string formatted(const analysis::LaunchReport& report, const Program& program,
                      const std::string& format) {
    if (format == "text") return analysis::to_text(report, program);
    if (format == "json") return analysis::to_json(report, program);
    return analysis::to_csv(report, program);
}

}  // namespace

Result<int> report(const ReportOptions& options) {
    if (!options.versus.empty()) return report_versus(options);
    if (options.format == "markdown")
        return fail("--format markdown is of a comparison; add --versus SETTING, KERNEL or FILE");
    if (options.format != "text" && options.format != "json" && options.format != "csv") {
        return fail("--format {} is not known; it is text, json or csv", options.format);
    }
    ReportWish wish;
    wish.races = races_named(options.check_races);
    const auto reported = report_of(options.launch, wish);
    if (!reported) return tl::unexpected(reported.error());
    const std::string text = formatted(*reported->report, reported->program, options.format);
    print_result(text);
    if (!text.empty() && text.back() != '\n') print_result("\n");
    if (!reported->stopped.empty()) {
        print_message(reported->stopped);
        return exit_kernel_problems;
    }
    return is_faulty(*reported->report) ? exit_kernel_problems : exit_success;
}

}  // namespace warplens::app
