#include "app/views/source/links.h"

#include <algorithm>

#include "app/scene/machine_code.h"

namespace warplens::app {
namespace {

/// The kernel's own file among the sources of the machine level's line table.
std::uint32_t machine_file(const Scene& scene, std::uint32_t file) {
    const auto& sources = scene.machine->program.sources;
    const auto& ptx_sources = scene.trace->program.sources;
    for (std::uint32_t i = 0; file < ptx_sources.size() && i < sources.size(); ++i)
        if (sources[i].name == ptx_sources[file].name) return i;
    return no_index - 1;  // no site has it
}

class Links {
  public:
    Links(const Scene& scene, std::uint32_t file, const std::vector<analysis::InlinedPlace>& inlined)
        : scene_(scene), file_(file), inlined_(inlined), ptx_(scene.trace->program.sites) {}

    /// Of a line in an inlined function: all that was made of it, and its calls.
    bool has_inlined(std::uint32_t line) const {
        return std::ranges::find(inlined_, analysis::InlinedPlace{file_, line}) != inlined_.end();
    }
    LinkedLines of_inlined_line(std::uint32_t line) {
        lines_.cuda.push_back(line);
        for (SiteId id = 0; id < std::min(ptx_.size(), inlined_.size()); ++id)
            if (inlined_[id] == analysis::InlinedPlace{file_, line}) {
                add_cuda(ptx_[id]);
                add_ptx(id);
            }
        return finish();
    }

    LinkedLines of_spot(const Spot& spot) {
        const bool has_site = spot.site < ptx_.size();
        if (has_site) {
            add_cuda(ptx_[spot.site]);
            if (spot.site < inlined_.size() && inlined_[spot.site].file == file_)
                lines_.cuda.push_back(inlined_[spot.site].line);
            add_ptx(spot.site);
        } else if (spot.source_line != 0) {
            lines_.cuda.push_back(spot.source_line);
        }
        if (spot.source_line != 0) add_all_of(spot.source_line);
        return finish();
    }

    LinkedLines of_ptx_line(std::uint32_t line) {
        for (SiteId id = 0; id < ptx_.size(); ++id)
            if (ptx_[id].ptx_line == line) {
                add_cuda(ptx_[id]);
                add_ptx(id);
            }
        return finish();
    }

    LinkedLines of_machine(SiteId site) {
        lines_.machine.push_back(site + 1);
        if (const std::uint32_t line = cuda_line_of(scene_, file_, site)) lines_.cuda.push_back(line);
        if (const std::uint32_t line = ptx_line_of(scene_, site)) lines_.ptx.push_back(line);
        for (const analysis::MergedAccess& merged : scene_.machine->merged)
            if (merged.machine == site)
                for (const SiteId ptx : merged.ptx) lines_.ptx.push_back(ptx_[ptx].ptx_line);
        return finish();
    }

  private:
    void add_cuda(const Site& site) {
        if (site.file == file_ && site.line != 0) lines_.cuda.push_back(site.line);
    }

    void add_ptx(SiteId id) {
        lines_.ptx.push_back(ptx_[id].ptx_line);
        if (!scene_.machine) return;
        const auto& sites = scene_.machine->program.sites;
        for (SiteId at = 0; at < sites.size(); ++at)
            if (sites[at].ptx_line != 0 && sites[at].ptx_line == ptx_[id].ptx_line)
                lines_.machine.push_back(at + 1);
        for (const analysis::MergedAccess& merged : scene_.machine->merged)
            if (std::ranges::find(merged.ptx, id) != merged.ptx.end())
                lines_.machine.push_back(merged.machine + 1);
    }

    /// Everything that was made of a line of the CUDA.
    void add_all_of(std::uint32_t line) {
        for (const Site& site : ptx_)
            if (site.file == file_ && site.line == line) lines_.ptx.push_back(site.ptx_line);
        if (!scene_.machine) return;
        const auto& sites = scene_.machine->program.sites;
        const std::uint32_t file = machine_file(scene_, file_);
        for (SiteId at = 0; at < sites.size(); ++at)
            if (sites[at].file == file && sites[at].line == line) lines_.machine.push_back(at + 1);
    }

    LinkedLines finish() {
        for (auto* lines : {&lines_.cuda, &lines_.ptx, &lines_.machine}) {
            std::ranges::sort(*lines);
            lines->erase(std::unique(lines->begin(), lines->end()), lines->end());
        }
        return std::move(lines_);
    }

    const Scene& scene_;
    std::uint32_t file_;
    const std::vector<analysis::InlinedPlace>& inlined_;
    const std::vector<Site>& ptx_;
    LinkedLines lines_;
};

}  // namespace

LinkedLines linked_lines(const Scene& scene, std::uint32_t file,
                         const std::vector<analysis::InlinedPlace>& inlined, const Spot& spot,
                         const PickedLine& picked) {
    Links links(scene, file, inlined);
    if (picked.line != 0 && picked.spot == spot) {
        if (picked.level == CodeLevel::cuda && links.has_inlined(picked.line))
            return links.of_inlined_line(picked.line);
        if (picked.level == CodeLevel::ptx) return links.of_ptx_line(picked.line);
        if (picked.level == CodeLevel::machine && scene.machine &&
            picked.line <= scene.machine->program.sites.size())
            return links.of_machine(picked.line - 1);
    }
    return links.of_spot(spot);
}

std::uint32_t ptx_line_of(const Scene& scene, SiteId machine_site) {
    return scene.machine->program.sites[machine_site].ptx_line;
}

std::uint32_t cuda_line_of(const Scene& scene, std::uint32_t file, SiteId machine_site) {
    const Site& site = scene.machine->program.sites[machine_site];
    return site.file == machine_file(scene, file) ? site.line : 0;
}

}  // namespace warplens::app
