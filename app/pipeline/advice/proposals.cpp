#include "app/pipeline/advice/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/bank_fix_run.h"
#include "app/pipeline/knob_steps.h"
#include "app/pipeline/sweep.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;

using Overrides = std::map<std::string, std::string>;
using Kernel = std::shared_ptr<const catalog::KernelFile>;

/// Values between the ends of a range that are also tried.
constexpr std::size_t between_the_ends = 5;
/// Whether the expression uses the parameter: it contains its name as a whole word.
bool uses(const std::string& expression, const std::string& name) {
    const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = expression.find(name); at != std::string::npos;
         at = expression.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_name(expression[at - 1])) &&
            (end == expression.size() || !is_name(expression[end])))
            return true;
    }
    return false;
}

bool any_uses(const std::vector<std::string>& expressions, const std::string& name) {
    return std::ranges::any_of(expressions,
                               [&](const std::string& expression) { return uses(expression, name); });
}

/// Whether the buffers' lengths or contents depend on the parameter.
bool makes_buffers(const catalog::KernelFile& kernel, const std::string& name) {
    const auto used = [&](const std::string& expression) { return uses(expression, name); };
    return std::ranges::any_of(kernel.buffers,
                               [&](const catalog::BufferDeclaration& buffer) {
                                   return used(buffer.length) || used(buffer.fill_argument) ||
                                          used(buffer.seed);
                               }) ||
           std::ranges::any_of(kernel.images, [&](const catalog::ImageDeclaration& image) {
               return used(image.width) || used(image.height) || used(image.depth) || used(image.layers);
           });
}

/// Whether the kernel gets the parameter as a number to compute with, and the launch does not depend on it.
bool is_argument(const catalog::KernelFile& kernel, const catalog::ParameterDeclaration& parameter) {
    const std::string& name = parameter.name;
    return !parameter.is_macro && any_uses(kernel.arguments, name) && !any_uses(kernel.grid, name) &&
           !any_uses(kernel.block, name) && !any_uses(kernel.cluster, name) &&
           !uses(kernel.dynamic_shared_bytes, name);
}

std::string without_blanks(std::string text) {
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    text.erase(text.find_last_not_of(" \t\r") + 1);
    return text;
}

/// The line of the source with the pad in the array's declaration; nothing where it cannot be written so.
std::optional<Edit> declaration_with(const analysis::BankFixes& fixes, const analysis::BankFix& pad,
                                     const catalog::KernelFile& kernel) {
    const analysis::SharedArray& array = fixes.array;
    if (array.flat || !array.declared || array.declared->extents.size() < 2) return std::nullopt;
    const std::string_view text = kernel.source;
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < array.declared->line; ++line) {
        begin = text.find('\n', begin);
        if (begin == std::string_view::npos) return std::nullopt;
        ++begin;
    }
    std::string line(text.substr(begin, text.find('\n', begin) - begin));
    const std::string& extents = array.declared->extents_text;
    const std::size_t at = line.find(array.name + extents);
    const std::size_t last = extents.rfind('[');
    if (at == std::string::npos || last == std::string::npos) return std::nullopt;
    line.replace(at + array.name.size(), extents.size(),
                 fmt::format("{}[{} {} {}]", extents.substr(0, last),
                             extents.substr(last + 1, extents.rfind(']') - last - 1), pad.pad < 0 ? '-' : '+',
                             std::abs(pad.pad)));
    return Edit{Edit::Kind::replace, array.declared->line, without_blanks(line)};
}

}  // namespace

Proposal with_changed_lines(const Kernel& kernel, const Overrides& overrides, std::vector<Edit> edits,
                            std::string summary) {
    auto changed = std::make_shared<catalog::KernelFile>(*kernel);
    changed->source = with_edits(changed->source, edits);
    Proposal proposal{{}, std::move(changed), overrides};
    proposal.change.diff = changed_lines(kernel->source, edits);
    proposal.change.edits = std::move(edits);
    proposal.change.summary = std::move(summary);
    return proposal;
}

std::vector<std::string> settings_of(const catalog::ParameterDeclaration& parameter, const std::string& now) {
    std::vector<std::string> settings;
    const auto add = [&](const std::optional<std::string>& value) {
        if (value && *value != now && std::ranges::find(settings, *value) == settings.end())
            settings.push_back(*value);
    };
    for (const int steps : {1, -1}) add(stepped(parameter, now, steps));
    if (parameter.values.empty() && parameter.minimum) {
        add(stepped(parameter, now, -1'000'000'000));
        const std::vector<std::string> ends = sweep_values(parameter, 2);
        if (!ends.empty()) add(stepped(parameter, ends.front(), 1));
    }
    for (const std::string& value : sweep_values(parameter, between_the_ends)) add(value);
    return settings;
}

bool sets_the_problem(const catalog::KernelFile& kernel, const catalog::ParameterDeclaration& parameter) {
    return makes_buffers(kernel, parameter.name) || is_argument(kernel, parameter);
}

std::function<bool(const std::string& parameter)> problem_setters(Kernel kernel) {
    return [kernel = std::move(kernel)](const std::string& name) {
        return std::ranges::any_of(kernel->parameters, [&](const catalog::ParameterDeclaration& parameter) {
            return parameter.name == name && sets_the_problem(*kernel, parameter);
        });
    };
}

std::vector<Proposal> proposed_settings(const Kernel& kernel, const Overrides& overrides) {
    std::vector<Proposal> proposals;
    // Choices of the program before numbers of the launch; the nearest settings of all before the others.
    std::vector<std::pair<std::pair<std::size_t, bool>, Proposal>> ranked;
    for (const auto& parameter : kernel->parameters) {
        const auto set = overrides.find(parameter.name);
        const std::string value =
            set != overrides.end() ? set->second : catalog::to_string(parameter.fallback);
        if (sets_the_problem(*kernel, parameter)) continue;
        std::size_t rank = 0;
        for (const std::string& setting : settings_of(parameter, value)) {
            Proposal proposal{{parameter.name, setting, {}, {}}, kernel, overrides};
            proposal.overrides[parameter.name] = setting;
            ranked.emplace_back(std::pair{rank++, !parameter.is_macro}, std::move(proposal));
        }
    }
    std::ranges::stable_sort(ranked, {}, [](const auto& entry) { return entry.first; });
    for (auto& [rank, proposal] : ranked) proposals.push_back(std::move(proposal));
    return proposals;
}

std::optional<Proposal> proposed_pad(Pipeline& pipeline, const LaunchRequest& request,
                                     const std::vector<std::uint64_t>& blocks,
                                     const std::function<bool()>& cancelled) {
    auto loaded = pipeline.load(request);
    if (!loaded) return std::nullopt;
    ExecuteOptions options;
    options.blocks = blocks;
    options.cancelled = cancelled;
    const auto run = run_bank_fixes(pipeline, std::move(*loaded), options, {});
    if (!run || run->fixes.best_pad() == nullptr) return std::nullopt;
    if (run->setting) {
        Proposal proposal{{}, request.kernel, request.overrides};
        proposal.change.parameter = run->setting->first;
        proposal.change.value = run->setting->second;
        proposal.overrides[run->setting->first] = run->setting->second;
        return proposal;
    }
    auto edit = declaration_with(run->fixes, *run->fixes.best_pad(), *request.kernel);
    if (!edit) return std::nullopt;
    return with_changed_lines(
        request.kernel, request.overrides, {std::move(*edit)},
        fmt::format("a pad of {} in `{}`", run->fixes.best_pad()->pad, run->fixes.array.name));
}

}  // namespace warplens::app
