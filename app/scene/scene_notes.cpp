#include "app/scene/scene_notes.h"

#include <algorithm>

#include "app/scene/machine_code.h"

namespace warplens::app {

namespace {

/// The assembler's line table may name a file with its whole path.
bool is_file(const std::string& path, const std::string& name) {
    return path == name || path.ends_with("/" + name) || name.ends_with("/" + path);
}

SiteId first_site_on(const Program& program, const std::string& file, std::uint32_t line) {
    const auto found = std::ranges::find_if(program.sites, [&](const Site& site) {
        return line != 0 && site.line == line && site.file < program.sources.size() &&
               is_file(program.sources[site.file].name, file);
    });
    return found == program.sites.end() ? no_index : static_cast<SiteId>(found - program.sites.begin());
}

}  // namespace

std::vector<Problem> notes_of(const Scene& scene) {
    std::vector<Problem> notes = scene.report->notes;
    if (!scene.machine || !scene.machine->report || !scene.trace) return notes;
    const bool same_sites = scene.report->level == Level::machine;
    for (Problem note : scene.machine->report->notes) {
        if (note.kind != ProblemKind::shared_register) continue;
        if (!same_sites) note.site = first_site_on(scene.trace->program, note.file, note.line);
        notes.push_back(std::move(note));
    }
    return notes;
}

}  // namespace warplens::app
