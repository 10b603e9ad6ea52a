#include "app/window/palette/findable.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "analysis/report/definitions.h"
#include "app/pipeline/knob_steps.h"
#include "app/scene/default_selection.h"
#include "app/scene/requested_selection.h"
#include "app/views/view.h"
#include "app/window/palette/fuzzy_match.h"
#include "app/window/palette/other_words.h"
#include "core/gpu_spec.h"

namespace warplens::app {
namespace {

using instrumentation::ParameterDeclaration;

constexpr int listed_values = 64;  // of a range: more are found when they are typed

struct KindRow {
    FindableKind kind;
    const char* word;
    int points;          // more or less than others that fit as well
    bool without_query;  // listed before anything was typed
};
constexpr std::array<KindRow, 10> kinds{{{FindableKind::command, "command", 6, true},
                                         {FindableKind::kernel, "kernel", 10, true},
                                         {FindableKind::subject, "subject", 6, true},
                                         {FindableKind::view, "view", 8, true},
                                         {FindableKind::knob, "knob", 8, true},
                                         {FindableKind::gpu, "GPU", 4, true},
                                         {FindableKind::lesson, "lesson", 5, true},
                                         {FindableKind::file, "file", 4, true},
                                         {FindableKind::line, "line", -30, false},
                                         {FindableKind::term, "term", -40, false}}};
const KindRow& row_of(FindableKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

void add_commands(const CommandContext& context, std::vector<Findable>& into) {
    for (const WindowCommand& command : window_commands())
        if (command.possible(context))
            into.push_back({FindableKind::command, command.words, "", command.key,
                            [&context, &command] { command.carry_out(context); }});
}

void add_views(const CommandContext& context, std::vector<Findable>& into) {
    for (const ViewEntry& view : view_entries())
        into.push_back({FindableKind::view, view.title, view.help, "", [&context, &view] {
                            context.open_view(view.name);
                            // What has its own pane beside the others is shown alone.
                            if (view.place != ViewPlace::centre) context.state.filled_view = view.name;
                        }});
}

void add_kernels(const CommandContext& context, std::vector<Findable>& into) {
    Session& session = context.session;
    std::string subject;
    for (const auto& kernel : session.catalogue())
        into.push_back({FindableKind::kernel, kernel->name,
                        kernel->lesson.empty() ? kernel->title : kernel->lesson, "",
                        [&session, kernel] { session.open_kernel(kernel); }});
    for (const auto& kernel : session.catalogue()) {
        if (kernel->subject == subject || kernel->subject.empty()) continue;
        subject = kernel->subject;
        const auto count = std::ranges::count(session.catalogue(), subject,
                                              [](const auto& other) { return other->subject; });
        into.push_back(
            {FindableKind::subject, subject,
             fmt::format("{} kernel{}, the first is {}", count, count == 1 ? "" : "s", kernel->name), "",
             [&session, kernel] { session.open_kernel(kernel); }});
    }
}

Findable knob_at(const CommandContext& context, const ParameterDeclaration& parameter,
                 const std::string& value) {
    return {FindableKind::knob, parameter.name + " " + value, parameter.help, "",
            [&context, name = parameter.name, value] {
                context.session.set_parameter(name, value);
                context.state.focused_knob = name;
                context.state.invite = false;
            }};
}

/// The values that a knob steps through, upwards; empty where they are too many to list.
std::vector<std::string> values_of(const ParameterDeclaration& parameter) {
    std::vector<std::string> values;
    for (const auto& value : parameter.values) values.push_back(instrumentation::to_string(value));
    if (!values.empty() || !parameter.minimum || !parameter.maximum || parameter.step <= 0) return values;
    if ((*parameter.maximum - *parameter.minimum) / parameter.step >= listed_values) return values;
    std::string first = instrumentation::to_string(parameter.fallback);
    while (const auto lower = stepped(parameter, first, -1)) first = *lower;
    values.push_back(first);
    while (const auto higher = stepped(parameter, values.back(), 1)) values.push_back(*higher);
    return values;
}

void add_knobs(const CommandContext& context, std::vector<Findable>& into) {
    if (!context.session.kernel()) return;
    for (const auto& parameter : context.session.kernel()->parameters) {
        const std::string now = context.session.value(parameter);
        std::vector<std::string> values = values_of(parameter);
        for (const std::string& value : values)
            if (value != now) into.push_back(knob_at(context, parameter, value));
        if (!values.empty()) continue;
        const std::string allowed = allowed_words(parameter);
        into.push_back(
            {FindableKind::knob, parameter.name,
             fmt::format("{}{}type a value after the name{}", parameter.help,
                         parameter.help.empty() ? "" : "; ", allowed.empty() ? "" : ": " + allowed),
             "", [&context, name = parameter.name] { context.state.focused_knob = name; }});
    }
}

void add_gpus(const CommandContext& context, std::vector<Findable>& into) {
    for (const GpuSpec& gpu : gpu_specs())
        into.push_back({FindableKind::gpu, std::string(gpu.name),
                        fmt::format("compute capability {}.{}, {} SMs", gpu.major, gpu.minor, gpu.sm_count),
                        "", [&context, name = std::string(gpu.name)] { context.session.set_gpu(name); }});
}

void add_lessons(const CommandContext& context, std::vector<Findable>& into) {
    if (!context.lessons) return;
    for (const LessonFile& file : context.lessons->files())
        if (file.lesson)
            into.push_back({FindableKind::lesson, (*file.lesson)->title, (*file.lesson)->about, "",
                            [&context, lesson = *file.lesson] { context.lessons->open(lesson); }});
}

void add_recent_files(const CommandContext& context, std::vector<Findable>& into) {
    if (!context.own) return;
    for (const std::string& path : context.dialogs.recent) {
        const std::filesystem::path file(path);
        into.push_back({FindableKind::file, file.filename().string(), file.parent_path().string(), "",
                        [&context, path] { context.dialogs.open_now(path, *context.own); }});
    }
}

/// Selects the line, and on it what a click there would select.
void open_line(const CommandContext& context, std::uint32_t line) {
    Selection& selection = context.session.selection;
    Spot spot;
    spot.source_line = line;
    if (const Scene* scene = context.session.scene(); scene && scene->trace) {
        SpotRequest request;
        request.line = line;
        if (const auto found = requested_selection(*scene, context.state.centre_view, request)) spot = *found;
    }
    selection.chosen = spot;
    const ViewRow* filled = find_view_row(context.state.filled_view);
    if (filled && filled->place != ViewPlace::source) context.state.filled_view.clear();
}

void add_lines(const CommandContext& context, std::vector<Findable>& into) {
    if (!context.session.kernel()) return;
    std::istringstream source(context.session.kernel()->source);
    std::uint32_t number = 0;
    for (std::string line; std::getline(source, line);) {
        ++number;
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string::npos) continue;
        into.push_back({FindableKind::line, fmt::format("{}  {}", number, line.substr(begin)), "", "",
                        [&context, number] { open_line(context, number); }});
    }
}

void add_terms(std::vector<Findable>& into) {
    for (const auto& definition : analysis::definitions())
        into.push_back({FindableKind::term, definition.word, definition.sentence, "", nullptr});
}

}  // namespace

const char* word_of(FindableKind kind) { return row_of(kind).word; }

std::vector<Findable> collect_findables(const CommandContext& context) {
    std::vector<Findable> all;
    add_commands(context, all);
    add_views(context, all);
    add_knobs(context, all);
    add_kernels(context, all);
    add_lessons(context, all);
    add_recent_files(context, all);
    add_gpus(context, all);
    add_terms(all);
    add_lines(context, all);
    return all;
}

std::vector<Findable> typed_knob_values(const CommandContext& context, std::string_view query) {
    std::vector<Findable> found;
    const std::size_t space = query.find_last_of(" =");
    if (!context.session.kernel() || space == std::string_view::npos) return found;
    const std::string value(query.substr(space + 1)),
        name(query.substr(0, query.find_last_not_of(" =", space) + 1));
    if (value.empty() || name.empty()) return found;
    const auto* kernel = context.session.kernel();
    for (const auto& parameter : kernel->parameters) {
        if (!values_of(parameter).empty() || !fuzzy_match(name, parameter.name)) continue;
        if (instrumentation::resolve_parameters(*kernel, {{parameter.name, value}}))
            found.push_back(knob_at(context, parameter, value));
    }
    return found;
}

std::vector<RankedFindable> rank(const std::vector<Findable>& findables, std::string_view query) {
    std::vector<RankedFindable> ranked;
    const bool empty = query.find_first_not_of(' ') == std::string_view::npos;
    for (const Findable& findable : findables) {
        const KindRow& kind = row_of(findable.kind);
        if (empty) {
            if (kind.without_query) ranked.push_back({&findable, 0, {}});
            continue;
        }
        auto match = fuzzy_match(query, findable.words);
        const std::string_view others = other_words(findable.kind, findable.words);
        const auto other = others.empty() ? std::nullopt : fuzzy_match(query, others);
        // Its own name comes before a name that only means the same.
        const int by_other_words = other ? other->score * 4 / 5 : 0;
        if (by_other_words > (match ? match->score : 0)) {
            ranked.push_back({&findable, by_other_words + kind.points, {}});
        } else if (match) {
            ranked.push_back({&findable, match->score + kind.points, std::move(match->letters)});
        } else if (auto both = fuzzy_match(query, findable.words + " " + findable.detail)) {
            std::erase_if(both->letters, [&](std::size_t at) { return at >= findable.words.size(); });
            ranked.push_back({&findable, both->score / 2 + kind.points, std::move(both->letters)});
        }
    }
    std::ranges::stable_sort(ranked, std::greater<>{}, &RankedFindable::score);
    if (!ranked.empty() && !empty)
        std::erase_if(ranked, [least = ranked.front().score / 3](const RankedFindable& one) {
            return one.score < least;
        });
    return ranked;
}

}  // namespace warplens::app
