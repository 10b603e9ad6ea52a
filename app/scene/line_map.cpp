#include "app/scene/line_map.h"

#include <algorithm>

#include "app/scene/line_diff.h"
#include "app/scene/rewritten_lines.h"

namespace warplens::app {
namespace {

/// Lines between two that both texts have.
struct Rewrite {
    std::vector<std::uint32_t> removed, added;

    void pair(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after,
              std::vector<std::uint32_t>& map) {
        if (removed.size() == added.size()) {
            for (std::size_t i = 0; i < removed.size(); ++i) map[removed[i] + 1] = added[i] + 1;
        } else {
            const auto texts = [](const auto& lines, const auto& of) {
                std::vector<std::string_view> found;
                for (const std::uint32_t line : of) found.push_back(lines[line]);
                return found;
            };
            for (const RewrittenLine& one : rewritten_lines(texts(before, removed), texts(after, added)))
                map[removed[one.before] + 1] = added[one.after] + 1;
        }
        removed.clear();
        added.clear();
    }
};

}  // namespace

std::vector<std::uint32_t> map_lines(std::string_view before, std::string_view after) {
    const auto old_lines = split_lines(before), lines = split_lines(after);
    std::vector<std::uint32_t> map(old_lines.size() + 1, 0);
    Rewrite rewrite;
    for (const DiffLine& line : diff_lines(old_lines, lines)) {
        switch (line.kind) {
            case DiffLine::Kind::same:
                rewrite.pair(old_lines, lines, map);
                map[line.before + 1] = line.after + 1;
                break;
            case DiffLine::Kind::removed:
                rewrite.removed.push_back(line.before);
                break;
            case DiffLine::Kind::added:
                rewrite.added.push_back(line.after);
                break;
        }
    }
    rewrite.pair(old_lines, lines, map);
    return map;
}

}  // namespace warplens::app
