#include "core/line_of_site.h"

#include <fmt/format.h>

namespace warplens {

std::string line_of(const Site& site) {
    if (site.line != 0) return fmt::format("line {}", site.line);
    return site.ptx_line != 0 ? fmt::format("PTX line {}", site.ptx_line) : "no known line";
}

std::string_view source_of(const Program& program, const Site& site) {
    return site.file < program.sources.size() ? std::string_view(program.sources[site.file].name)
                                              : std::string_view();
}

}  // namespace warplens
