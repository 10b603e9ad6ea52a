#include "app/views/source/problems.h"

#include <fmt/core.h>

#include "analysis/report/grouped_notes.h"
#include "app/scene/scene_notes.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/problem_words.h"

namespace warplens::app {

bool stands_at(const Program& program, SiteId id, std::uint32_t file, std::uint32_t line, bool is_ptx) {
    if (id >= program.sites.size()) return false;
    const Site& site = program.sites[id];
    return is_ptx ? site.ptx_line == line : site.file == file && site.line == line;
}

namespace {

/// The locations of the form, if the problem is about a form that the engine does not execute.
const std::vector<SiteId>* sites_of_form(const Scene& scene, const Problem& problem) {
    if (problem.kind != ProblemKind::unsupported_instruction || !scene.report->unsupported) return nullptr;
    for (const analysis::UnsupportedForm& missing : *scene.report->unsupported)
        if (std::ranges::find(missing.sites, problem.site) != missing.sites.end()) return &missing.sites;
    return nullptr;
}

/// A problem of a grid that device code launched: its kernel is not part of the program, but of the file.
bool stands_in_child(const Program& program, const Problem& problem, std::uint32_t file) {
    return !problem.child.empty() && problem.line != 0 && file < program.sources.size() &&
           program.sources[file].name == problem.file;
}

}  // namespace

const Problem* problem_at(const Scene& scene, std::uint32_t file, std::uint32_t line, bool is_ptx) {
    const Program& program = scene.trace->program;
    for (const Problem& problem : scene.report->problems)
        if (stands_at(program, problem.site, file, line, is_ptx) ||
            (problem.other && stands_at(program, problem.other->site, file, line, is_ptx)) ||
            (!is_ptx && problem.line == line && stands_in_child(program, problem, file)))
            return &problem;
    for (const Problem& problem : scene.report->problems)
        if (const auto* sites = sites_of_form(scene, problem))
            for (const SiteId site : *sites)
                if (stands_at(program, site, file, line, is_ptx)) return &problem;
    return nullptr;
}

std::vector<std::uint32_t> problem_lines(const Scene& scene, std::uint32_t file, bool is_ptx) {
    const Program& program = scene.trace->program;
    std::vector<std::uint32_t> lines;
    const auto add = [&](SiteId id) {
        if (id >= program.sites.size()) return;
        const Site& site = program.sites[id];
        const std::uint32_t line = is_ptx ? site.ptx_line : site.file == file ? site.line : 0;
        if (line != 0) lines.push_back(line);
    };
    for (const Problem& problem : scene.report->problems) {
        add(problem.site);
        if (problem.other) add(problem.other->site);
        if (const auto* sites = sites_of_form(scene, problem))
            for (const SiteId site : *sites) add(site);
        if (!is_ptx && stands_in_child(program, problem, file)) lines.push_back(problem.line);
    }
    return lines;
}

std::vector<std::uint32_t> note_lines(const Scene& scene, std::uint32_t file, bool is_ptx) {
    std::vector<std::uint32_t> lines;
    for (const analysis::GroupedNote& note : analysis::grouped_notes(notes_of(scene)))
        for (const SiteId id : note.sites) {
            if (id >= scene.trace->program.sites.size()) continue;
            const Site& site = scene.trace->program.sites[id];
            const std::uint32_t line = is_ptx ? site.ptx_line : site.file == file ? site.line : 0;
            if (line != 0) lines.push_back(line);
        }
    return lines;
}

std::string note_at(const Scene& scene, std::uint32_t file, std::uint32_t line, bool is_ptx) {
    for (const analysis::GroupedNote& note : analysis::grouped_notes(notes_of(scene)))
        for (const SiteId site : note.sites)
            if (stands_at(scene.trace->program, site, file, line, is_ptx)) return note.sentence();
    return {};
}

void explain_problem(const Theme& theme, const Problem& problem) {
    std::vector<std::string> places;
    const auto add = [&](std::uint32_t line, Dim3 block, Dim3 thread) {
        places.push_back(fmt::format("line {}: block ({}, {}, {}), thread ({}, {}, {})", line, block.x,
                                     block.y, block.z, thread.x, thread.y, thread.z));
    };
    if (analysis::is_found_at_load(problem)) places.push_back("not reached by the executed blocks");
    else add(problem.line, problem.block, problem.thread);
    if (problem.other) add(problem.other->line, problem.other->block, problem.other->thread);
    tooltip_card(theme, kind_words(problem.kind) + ": " + problem.message + ".", places);
}

}  // namespace warplens::app
