#include "app/capture/svg/triangles.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace warplens::app::svg {
namespace {

using Triangle = std::array<unsigned, 3>;

/// How many triangles from the first on are a fan around its first corner, each beginning where the one
/// before ended.
std::size_t fan_length(std::span<const Triangle> triangles) {
    std::size_t length = 1;
    while (length < triangles.size() && triangles[length][0] == triangles[0][0] &&
           triangles[length][1] == triangles[length - 1][2])
        ++length;
    return length;
}

bool shares_an_edge(const Triangle& a, const Triangle& b) {
    return std::ranges::count_if(a, [&](unsigned corner) { return std::ranges::count(b, corner) > 0; }) >= 2;
}

/// The edges that belong to one triangle alone, walked around.
Outline outline_of_mesh(std::span<const Triangle> triangles) {
    std::map<std::pair<unsigned, unsigned>, int> edges;
    for (const Triangle& triangle : triangles)
        for (int i = 0; i < 3; ++i) {
            const unsigned from = triangle[i], to = triangle[(i + 1) % 3];
            if (const auto back = edges.find({to, from}); back != edges.end()) {
                if (--back->second == 0) edges.erase(back);
            } else {
                ++edges[{from, to}];
            }
        }
    Outline outline;
    while (!edges.empty()) {
        std::vector<unsigned> ring;
        auto edge = edges.begin();
        const unsigned start = edge->first.first;
        while (edge != edges.end()) {
            const unsigned to = edge->first.second;
            ring.push_back(edge->first.first);
            if (--edge->second == 0) edges.erase(edge);
            if (to == start) break;
            edge = edges.lower_bound({to, 0});
            if (edge != edges.end() && edge->first.first != to) edge = edges.end();
        }
        outline.rings.push_back(std::move(ring));
    }
    return outline;
}

}  // namespace

std::vector<Outline> outlines_of(std::span<const ImDrawIdx> indices) {
    std::vector<Triangle> all(indices.size() / 3);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = {indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]};
    std::vector<Outline> outlines;
    for (std::size_t i = 0; i < all.size();) {
        const auto rest = std::span(all).subspan(i);
        const std::size_t fan = fan_length(rest);
        std::size_t mesh = fan;
        while (mesh < rest.size() && shares_an_edge(rest[mesh - 1], rest[mesh])) ++mesh;
        if (mesh > fan) {
            outlines.push_back(outline_of_mesh(rest.first(mesh)));
        } else {
            Outline outline{{{rest[0][0], rest[0][1]}}};
            for (const Triangle& triangle : rest.first(fan)) outline.rings.front().push_back(triangle[2]);
            outlines.push_back(std::move(outline));
        }
        i += mesh;
    }
    return outlines;
}

}  // namespace warplens::app::svg
