#include "app/scene/line_map.h"

#include "app/scene/line_diff.h"

namespace warplens::app {

std::vector<std::uint32_t> map_lines(std::string_view before, std::string_view after) {
    const auto old_lines = split_lines(before);
    std::vector<std::uint32_t> map(old_lines.size() + 1, 0);
    std::vector<std::uint32_t> removed;  // of the hunk that is being read
    for (const DiffLine& line : diff_lines(old_lines, split_lines(after))) {
        switch (line.kind) {
            case DiffLine::Kind::same:
                removed.clear();
                map[line.before + 1] = line.after + 1;
                break;
            case DiffLine::Kind::removed:
                removed.push_back(line.before + 1);
                break;
            case DiffLine::Kind::added:
                if (removed.empty()) break;
                map[removed.front()] = line.after + 1;
                removed.erase(removed.begin());
                break;
        }
    }
    return map;
}

}  // namespace warplens::app
