#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "app/scene/advice.h"
#include "app/scene/problem_kind.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

constexpr const char* problem_words = "leads to a problem";

}  // namespace

std::string reason_against(const RunFigures& now, const RunFigures& after) {
    if (!after.problems.empty()) {
        const ProblemKind kind = after.problems.front();
        const bool is_old = std::ranges::find(now.problems, kind) != now.problems.end();
        return fmt::format("{}: {}", is_old ? "a problem stays" : problem_words, kind_words(kind));
    }
    if (now.below != after.below) return "leaves other work to the grids that it launches";
    if (now.cycles <= 0 || after.cycles <= 0) return "its time is not known";
    const std::string change = effect_words(now.cycles, after.cycles);
    return change == "no change" ? "the same cycles" : change + " cycles";
}

std::string title_of(const Change& change) {
    if (!change.parameter.empty()) return change.parameter + " " + change.value;
    if (!change.launch.empty() && change.edits.empty()) return "Launch with " + change.launch;
    std::vector<std::string> parts;
    for (auto edit = change.edits.begin(); edit != change.edits.end();) {
        std::vector<std::string> lines;
        const Edit& first = *edit;
        while (edit != change.edits.end() && edit->kind == first.kind && edit->code == first.code)
            lines.push_back(std::to_string(edit++->line));
        const std::string last = lines.back();
        const char* many = lines.size() == 1 ? "" : "s";
        lines.pop_back();
        const std::string all = lines.empty() ? last : fmt::format("{} and {}", fmt::join(lines, ", "), last);
        parts.push_back(fmt::format("{}line{} {}: {}`{}`", first.kind == Edit::Kind::insert ? "before " : "",
                                    many, all, first.kind == Edit::Kind::remove ? "no " : "", first.code));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string name_of(const Change& change) {
    return change.summary.empty() ? title_of(change) : change.summary;
}

bool has_lines_to_show(const Change& change) { return change.edits.size() > 1 && !change.diff.empty(); }

std::string heading_of(const Change& change) {
    if (!has_lines_to_show(change)) return title_of(change);
    std::string name = name_of(change);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

std::vector<std::string> lines_to_show(const Change& change) {
    std::size_t shared = std::string::npos;
    std::uint32_t last = 0;
    for (const ChangedLine& line : change.diff) {
        if (!line.code.empty()) shared = std::min(shared, line.code.find_first_not_of(" \t"));
        last = std::max(last, line.line);
    }
    const std::size_t digits = std::to_string(last).size();
    std::vector<std::string> lines;
    for (const ChangedLine& line : change.diff)
        lines.push_back(fmt::format("{:>{}} {} {}", line.line == 0 ? "" : std::to_string(line.line), digits,
                                    line.kind == ChangedLine::Kind::stays  ? ' '
                                    : line.kind == ChangedLine::Kind::goes ? '-'
                                                                           : '+',
                                    line.code.size() > shared ? line.code.substr(shared) : ""));
    return lines;
}

std::string basis_of(const Advice& advice) {
    if (!advice.absent.empty()) return advice.absent;
    const bool faulty = !advice.now.problems.empty();
    std::vector<std::string> done;
    if (advice.tried > 0)
        done.push_back(fmt::format(
            "{} run by the CPU engine{}", counted(advice.tried, "change"),
            advice.complete || advice.blocks_run >= advice.blocks
                ? ""
                : fmt::format(" on {} of {} blocks", grouped(advice.blocks_run), grouped(advice.blocks))));
    if (advice.questions > 0)
        done.push_back(
            fmt::format("{} estimated by the timing model", done.empty() ? counted(advice.questions, "change")
                                                                         : std::to_string(advice.questions)));
    if (done.empty())
        return !advice.complete ? "There was no time to try changes of this launch."
               : faulty         ? "The kernel has no setting to try; fix its problems first."
                                : "The kernel has no setting to try.";
    const std::string basis =
        fmt::format("{}{}", fmt::join(done, ", "), advice.complete ? "" : "; there was no time for others");
    if (!advice.helpful.empty() || !advice.modelled.empty())
        return fmt::format("Tried: {}.{}", basis,
                           faulty || advice.now.cycles <= 0 ? ""
                           : advice.level == Level::machine ? " Cycles are modelled from machine code."
                                                            : " Cycles are modelled from PTX.");
    return fmt::format("No change that was tried {}: {}.", faulty ? "removes the problems" : "helps", basis);
}

std::vector<std::string> vain_lines(const Advice& advice) {
    std::vector<std::string> lines;
    // A kernel whose text holds the size of its block says so of each other one.
    std::map<std::string, std::size_t> launches;  // that lead to one problem
    const auto is_wrong_launch = [](const VainChange& vain) {
        return !vain.change.launch.empty() && vain.change.edits.empty() &&
               vain.reason.starts_with(problem_words);
    };
    for (const VainChange& vain : advice.vain)
        if (is_wrong_launch(vain)) ++launches[vain.reason];
    for (const VainChange& vain : advice.vain) {
        std::string name = name_of(vain.change);
        if (is_wrong_launch(vain) && launches[vain.reason] != 1) {
            const std::size_t count = std::exchange(launches[vain.reason], 0);
            if (count == 0) continue;
            name = fmt::format("{} of other sizes", counted(count, "launch", "launches"));
        }
        lines.push_back(fmt::format("{}: {}", name, vain.reason));
    }
    return lines;
}

std::string advice_text(const Advice& advice) {
    std::string text = "What to try\n";
    for (const TriedChange& tried : advice.helpful) {
        text += fmt::format("  {}: {}\n", heading_of(tried.change), tried.effect_words());
        if (has_lines_to_show(tried.change))
            for (const std::string& line : lines_to_show(tried.change)) text += fmt::format("    {}\n", line);
    }
    for (const std::string& sentence : advice.modelled) text += fmt::format("  {}\n", sentence);
    const bool is_timed = advice.absent.empty() && advice.tried + advice.questions > 0;
    text += fmt::format("  {}{}{}\n", basis_of(advice), is_timed && !advice.untimed.empty() ? " " : "",
                        is_timed ? advice.untimed : "");
    if (!advice.vain.empty()) text += "  Not offered:\n";
    for (const std::string& line : vain_lines(advice)) text += fmt::format("    {}\n", line);
    return text;
}

}  // namespace warplens::app
