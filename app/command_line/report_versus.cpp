// `warplens report A --versus B`: two runs compared.
#include "analysis/compare/comparison_printing.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/target.h"
#include "app/command_line/versus.h"

namespace warplens::app {

Result<int> report_versus(const ReportOptions& options) {
    const std::string& format = options.format;
    if (format != "text" && format != "json" && format != "markdown")
        return fail("--format {} is not a format of a comparison; it is text, json or markdown", format);
    WARPLENS_TRY(const Versus versus, parse_versus(options.launch, options.versus));
    ReportRunOptions run_options;
    run_options.races = races_named(options.check_races);
    run_options.pipeline = make_pipeline();
    WARPLENS_TRY(BothFacts both, facts_of_both(options.launch, versus, run_options));
    auto& [before, after, caution] = both;
    analysis::Comparison comparison = analysis::compare(std::move(before.facts), std::move(after.facts));
    if (!caution.empty()) comparison.cautions.push_back(caution);
    print_result(format == "text"   ? analysis::comparison_text(comparison)
                 : format == "json" ? analysis::comparison_json(comparison)
                                    : analysis::comparison_markdown(comparison));
    for (const std::string& stopped : {before.stopped, after.stopped})
        if (!stopped.empty()) print_message(stopped);
    const bool whole = before.stopped.empty() && after.stopped.empty();
    return whole && !before.faulty && !after.faulty ? exit_success : exit_kernel_problems;
}

}  // namespace warplens::app
