// What `warplens check` found, in its three forms: text for a person, JSON for a program, and the lines by
// which a build server marks places in the source.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/regressions.h"
#include "app/command_line/limits_file.h"
#include "app/command_line/reported.h"

namespace warplens::app {

struct Checked {
    CheckJob job;
    Reported reported;
    std::vector<LimitOutcome> outcomes;
    std::optional<analysis::Comparison> comparison = {};  // with the job's other report
    std::vector<analysis::Regression> regressions = {};   // of it

    bool faulty() const { return !job.allow_problems && is_faulty(*reported.report); }
    bool held() const;
};

std::string check_text(const std::vector<Checked>& all);
std::string check_json(const std::vector<Checked>& all);
std::string check_annotations(const std::vector<Checked>& all);

}  // namespace warplens::app
