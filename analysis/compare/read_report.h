// Reads the output of `report --format json` by docs/report_json.md: a run's facts from a stored file, such
// as the report of a project's main branch. The file is untrusted and may come from an older Warplens.
#pragma once

#include <string>
#include <string_view>

#include "analysis/compare/run_facts.h"
#include "core/result.h"

namespace warplens::analysis {

inline constexpr std::uint64_t most_report_bytes = std::uint64_t{64} << 20;

/// `name`: of the file, for errors and, at first, as RunFacts::name. A metric that the file does not have is
/// absent.
Result<RunFacts> read_report_json(std::string_view text, const std::string& name);

}  // namespace warplens::analysis
