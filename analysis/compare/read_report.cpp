#include "analysis/compare/read_report.h"

#include <array>
#include <cmath>

#include "core/bounded.h"
#include "core/json_text.h"

namespace warplens::analysis {
namespace {

/// A figure that has no meaning if another one in its object is 0.
struct Condition {
    std::string_view figure, needs;
};
constexpr std::array conditions{
    Condition{"conflict_ways", "wavefronts"}, Condition{"most_lanes_per_address", "requests"},
    Condition{"intensity", "dram_bytes_ideal"}, Condition{"registers_per_thread", "registers_per_thread"}};

const Json* member(const Json& of, std::string_view key) { return of.find(key); }

std::optional<double> number(const Json* node) {
    if (!node) return std::nullopt;
    if (node->is_array()) return static_cast<double>(node->size());  // problems: how many
    if (!node->is_number()) return std::nullopt;
    const double value = node->as_double();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// A metric's name is its path.
std::optional<double> at_path(const Json& report, std::string_view path) {
    const Json* node = &report;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
        node = member(*node, path.substr(0, dot));
        if (!node) return std::nullopt;
        path.remove_prefix(dot + 1);
    }
    for (const Condition& condition : conditions)
        if (condition.figure == path && number(member(*node, condition.needs)) == 0) return std::nullopt;
    return number(member(*node, path));
}

std::optional<std::string> text_at(const Json& report, std::string_view key) {
    const Json* node = member(report, key);
    return node && node->is_string() ? std::optional(node->as_string()) : std::nullopt;
}

std::optional<std::uint64_t> count_at(const Json* node) {
    if (!node || !node->is_integer()) return std::nullopt;
    if (node->is_unsigned()) return node->as_unsigned();
    return narrowed<std::uint64_t>(node->as_int());
}

std::optional<Dim3> extent_at(const Json& report, std::string_view key) {
    const Json* node = member(report, key);
    if (!node || !node->is_array() || node->size() != 3) return std::nullopt;
    std::array<std::uint32_t, 3> sides{};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto count = count_at(&(*node)[i]);
        const auto side = count ? narrowed<std::uint32_t>(*count) : std::nullopt;
        if (!side || *side == 0) return std::nullopt;
        sides[i] = *side;
    }
    return Dim3{sides[0], sides[1], sides[2]};
}

/// The provenance that the file names for its counts.
std::optional<Provenance> counted_by(const Json& report) {
    const Json* words = member(report, "provenance");
    const auto word = words ? text_at(*words, "memory") : std::nullopt;
    for (const Provenance provenance : {Provenance::simulated, Provenance::measured})
        if (word == to_string(provenance)) return provenance;
    return std::nullopt;
}

/// The level that an object of the file names for its numbers.
std::optional<Level> level_in(const Json& object) {
    const auto word = text_at(object, "level");
    if (word == "PTX") return Level::ptx;
    if (word == "machine") return Level::machine;
    return std::nullopt;
}

/// What the file says of the sources of its numbers, as a report has it.
LaunchReport sources_in(const Json& report, Provenance counted, Level level) {
    LaunchReport sources;
    sources.launch.provenance = counted;
    sources.level = level;
    const Json* schedule = member(report, "schedule");
    if (schedule && schedule->is_object())
        sources.schedule.emplace().level = level_in(*schedule).value_or(Level::ptx);
    return sources;
}

}  // namespace

Result<RunFacts> read_report_json(std::string_view text, const std::string& name) {
    const auto parsed = parse_json(text);
    if (!parsed)
        return fail("{}: this is not JSON; write it with `warplens report KERNEL --format json > {}`", name,
                    name);
    const Json& report = *parsed;
    const auto foreign = [&](std::string_view key) {
        return fail(
            "{}: `{}` is missing or not as docs/report_json.md describes it; write the file with `warplens "
            "report KERNEL --format json`",
            name, key);
    };
    RunFacts run;
    run.name = name;
    for (const auto& [key, into] :
         {std::pair{"kernel", &run.kernel}, std::pair{"gpu", &run.gpu}, std::pair{"golden", &run.golden}}) {
        auto value = text_at(report, key);
        if (!value) return foreign(key);
        *into = std::move(*value);
    }
    const auto level = level_in(report);
    if (!level) return foreign("level");
    const Json* parameters = member(report, "parameters");
    if (!parameters || !parameters->is_object()) return foreign("parameters");
    for (const auto& [key, value] : parameters->members())
        run.parameters[key] = value.is_string() ? value.as_string() : json_text(value);
    const auto grid = extent_at(report, "grid"), block = extent_at(report, "block");
    if (!grid) return foreign("grid");
    if (!block) return foreign("block");
    const auto plane = checked_product(grid->x, grid->y);
    if (!plane || !checked_product(*plane, grid->z)) return foreign("grid");
    run.grid = *grid;
    run.block = *block;
    const auto executed = count_at(member(report, "blocks_executed"));
    if (!executed || *executed > run.grid.count()) return foreign("blocks_executed");
    run.blocks_executed = *executed;
    const auto counted = counted_by(report);
    if (!counted) return foreign("provenance");
    run.counted = *counted;
    if (const Json* schedule = member(report, "schedule"); schedule && schedule->is_object()) {
        run.blocks_on_sm = count_at(member(*schedule, "blocks_on_sm")).value_or(0);
        run.blocks_modelled = count_at(member(*schedule, "blocks_modelled")).value_or(run.blocks_on_sm);
    }
    if (const Json* launches = member(report, "launches"); launches && launches->is_object()) {
        run.launched_grids = count_at(member(*launches, "grids")).value_or(0);
        if (const Json* children = member(*launches, "children"); children && children->is_object())
            run.launched_steps = count_at(member(*children, "steps")).value_or(0);
    }
    const LaunchReport sources = sources_in(report, run.counted, *level);
    for (const Metric& metric : metrics()) {
        MetricFact fact{
            at_path(report, metric.name), {}, provenance_of(metric, sources), level_of(metric, sources)};
        if (!fact.value) fact.absent = fmt::format("{} has no such number", name);
        run.facts.push_back(std::move(fact));
    }
    return run;
}

}  // namespace warplens::analysis
