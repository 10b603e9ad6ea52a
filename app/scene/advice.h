// Advice: changes of a kernel that were tried by running it, with the result of each, and changes that only
// the model could try. Changes that did not run, caused problems or improved nothing are left out.
// app/pipeline/advice/advise.h tries them; advice_text.cpp has the words, which Explain and `report` share.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/report/launch_report.h"
#include "analysis/report/launch_tree.h"
#include "app/scene/what_if.h"
#include "core/provenance.h"

namespace warplens::app {

/// One line of the kernel's source.
struct Edit {
    enum class Kind : std::uint8_t { replace, insert, remove };
    Kind kind = Kind::replace;
    std::uint32_t line = 0;  // of the source as it is, 1-based; what is inserted comes before it
    std::string code;        // as it should be written; of `remove`, what is there now
};

/// A line of the source as it is before and after a change, or one beside it that stays.
struct ChangedLine {
    enum class Kind : std::uint8_t { stays, goes, comes };
    Kind kind = Kind::stays;
    std::uint32_t line = 0;  // of the source as it is; 0: the line comes
    std::string code;        // indented as it is there

    bool operator==(const ChangedLine&) const = default;
};

/// One setting of a parameter, or lines of the source written in another way, or another launch, which those
/// lines may make.
struct Change {
    std::string parameter, value;  // empty: a change of the source or of the launch
    std::vector<Edit> edits;       // ascending lines
    std::string launch;            // "grid 264 (2 per SM) instead of 128"; with edits: that they make
    std::string condition = {};    // of its being right, which no run can tell; empty: none
    std::string summary = {};      // of edits whose code takes many words: "`__restrict__` at the pointers"
    std::vector<ChangedLine> diff = {};  // of the edits
};

/// The requests of one source line to one kind of memory.
struct LineRequests {
    std::uint32_t file = no_index, line = 0;
    Space space = Space::none;
    Operation operation = Operation::none;
    analysis::AccessTotals totals;

    bool same_requests(const LineRequests& other) const {
        return file == other.file && line == other.line && space == other.space &&
               operation == other.operation;
    }
    bool counts_sectors() const { return totals.sectors > 0; }
    /// Sectors or wavefronts beyond the ideal.
    std::uint64_t excess() const;
    /// Sectors or wavefronts: of all requests, and of each in the mean.
    std::uint64_t moved() const;
    double each() const;
};
/// The requests of each line, those with most excess first.
std::vector<LineRequests> requests_by_line(const analysis::LaunchReport& report, const Program& program);

/// Those of the same line, space and operation; null: none.
const LineRequests* find_same(const std::vector<LineRequests>& lines, const LineRequests& wanted);
/// Of requests beyond the ideal: a share that is worth a change where the cycles stay the same.
inline constexpr double least_excess_saving = 0.1;

/// The result of one run, as far as it serves to compare changes.
struct RunFigures {
    double cycles = 0;               // of the launch, modelled; 0: the model gave none, or saw too few blocks
    double blocks_per_executed = 1;  // of the launch, for each that was executed and counted
    std::vector<LineRequests> lines;
    std::vector<LineRequests> machine_lines;  // at the machine level; empty: not known there
    std::vector<ProblemKind> problems;        // ascending, each once
    analysis::GridWork below;                 // of the grids that the kernel launches, which cycles leave out

    /// A count of the executed blocks, scaled to the launch.
    double of_launch(std::uint64_t count) const { return static_cast<double>(count) * blocks_per_executed; }
    /// Of all requests of the launch: a change computes the same, so that less of it is less work.
    double excess() const;
};
RunFigures figures_of(const analysis::LaunchReport& report, const Program& program);

/// A change after which the kernel computes and prints the same.
struct TriedChange {
    Change change;
    RunFigures after;
    std::vector<std::string> effect;  // "line 54: 32 → 1 wavefronts", "−18 % cycles"

    std::string effect_words() const;  // joined by commas
};

/// A change that was run and is not offered.
struct VainChange {
    Change change;
    std::string reason;     // "+3 % cycles", "other results"
    RunFigures after = {};  // of one that only its time speaks against; else without cycles
};

struct Advice {
    RunFigures now;
    std::vector<TriedChange> helpful;   // at most one a parameter, the most helpful first
    std::vector<VainChange> vain;       // in the order of the trials
    std::vector<std::string> modelled;  // sentences: changes that only the model has tried, with their limit
    std::size_t tried = 0;              // changes that were run
    std::uint64_t blocks_run = 0;       // of the grid, by each run
    std::uint64_t blocks = 0;           // of the grid
    std::size_t questions = 0;          // estimated by the model
    bool complete = true;               // false: there was no time for all
    Level level = Level::ptx;           // of the cycles
    std::string absent;                 // why nothing could be tried, a sentence; empty: it could
    std::string untimed;                // untimed_grids() of the launch
};

/// In fewer cycles, by more than the model's error.
bool is_faster(const RunFigures& now, const RunFigures& after);
/// It is faster, or takes as long with less excess, or has none of the problems. Never where it leaves
/// another part of the work to grids that it launches: their time is not known.
bool improves(const RunFigures& now, const RunFigures& after);
/// The better of two changes: fewer problems, then fewer cycles, then less excess.
bool is_better(const RunFigures& a, const RunFigures& b);
/// Neither is better: they have the same excess, and times that the model cannot tell apart.
bool is_as_good(const RunFigures& a, const RunFigures& b);
/// The first of sorted changes of each parameter, of the source and of the launch; its effect names the other
/// settings that are as good.
void keep_one_of_each(std::vector<TriedChange>& helpful);
/// The most helpful first. Of changes whose modelled times do not differ significantly, the one that leaves
/// less excess, which is exact, goes first; of equal ones the earlier, which is nearer to what is set.
void sort_by_help(std::vector<TriedChange>& helpful);
/// "line 54: 32 → 1 wavefronts", "−18 % cycles"
std::vector<std::string> effect_of(const Change& change, const RunFigures& now, const RunFigures& after);
/// Why a change that ran is not offered: its problems, or its cycles and excess.
std::string reason_against(const RunFigures& now, const RunFigures& after);
/// "PAD 1"; "line 40: `__shared__ float tile[32][33];`"; "before lines 6 and 9: `__syncthreads();`"; "Launch
/// with grid 264 (2 per SM) instead of 128"
std::string title_of(const Change& change);
/// In a few words: as title_of, but of the source its summary.
std::string name_of(const Change& change);
/// Whether its lines are shown one below the other: more are edited than a title holds.
bool has_lines_to_show(const Change& change);
/// name_of() as the beginning of a sentence where its lines are shown, else title_of().
std::string heading_of(const Change& change);
/// Its lines without what all are indented by, each with its number and sign: "  10 - for (…) {"
std::vector<std::string> lines_to_show(const Change& change);
/// A change that was run, whether it is offered or not.
struct RunChange {
    std::string name;        // name_of it
    bool of_launch = false;  // another grid or block: it is worth what it is with a cost and without
    bool same_lines = true;  // no line was inserted or removed, so that requests are found by their lines
    RunFigures after = {};
};
/// The model's answers about changes that the kernel could make, as sentences that say what they assume. A
/// cost that a change of the code removes has none: it would repeat the change, or promise what its run
/// disproved. Where a change removes a part and saves nothing, the sentence says so. `lines_of_structures`:
/// of the source, where lanes access members of arrays of structures; `rewritten`: that an offered change
/// writes in another way, so that atomics on them are not to be combined again.
std::vector<std::string> modelled_changes(const WhatIf& what_if, const RunFigures& now,
                                          const std::vector<RunChange>& tried,
                                          const std::set<std::uint32_t>& lines_of_structures = {},
                                          const std::set<std::uint32_t>& rewritten = {});
/// One sentence on how the advice was found, or that nothing helps. What its times leave out is
/// Advice::untimed.
std::string basis_of(const Advice& advice);

/// "before line 13: `#pragma unroll 4`: +2 % cycles": each change that is not offered.
std::vector<std::string> vain_lines(const Advice& advice);
/// "What to try" as `report` prints it; several lines.
std::string advice_text(const Advice& advice);

}  // namespace warplens::app
