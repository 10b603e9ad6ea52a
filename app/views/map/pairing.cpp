#include "app/views/map/pairing.h"

#include <algorithm>

namespace warplens::app {

using analysis::MappedArray;

const MappedArray* array_before(const std::vector<MappedArray>& now, const std::vector<MappedArray>& before,
                                const MappedArray& array) {
    const auto same = std::ranges::find(before, array.name, &MappedArray::name);
    if (same != before.end()) return &*same;
    const auto candidates = [&](const std::vector<MappedArray>& of, const std::vector<MappedArray>& others) {
        std::vector<const MappedArray*> found;
        for (const MappedArray& one : of)
            if (one.space == array.space && one.loaded == array.loaded && one.stored == array.stored &&
                std::ranges::find(others, one.name, &MappedArray::name) == others.end())
                found.push_back(&one);
        return found;
    };
    const auto mine = candidates(now, before), theirs = candidates(before, now);
    const auto at = std::ranges::find(mine, array.name, [](const MappedArray* one) { return one->name; });
    const auto index = static_cast<std::size_t>(at - mine.begin());
    return at != mine.end() && index < theirs.size() ? theirs[index] : nullptr;
}

namespace {

void share_shape(MappedArray& one, MappedArray& other) {
    MappedArray& flat = one.is_flat() ? one : other;
    const MappedArray& known = one.is_flat() ? other : one;
    if (!flat.is_flat() || known.is_flat() || known.space != Space::global) return;
    if (flat.elements() != known.elements() || flat.element_bytes != known.element_bytes) return;
    flat.columns = known.columns;
    flat.columns_known = true;
    flat.like = known.like;
}

}  // namespace

void fit_rows(const ScopedArray& now, const std::optional<ScopedArray>& before, std::uint64_t most_columns) {
    if (before) share_shape(now.array, before->array);
    if (!now.array.is_flat()) return;
    const auto accessed = [](const ScopedArray& of) {
        analysis::MapFilter filter = of.filter;
        filter.last_order = no_index;
        const auto range = analysis::accessed_range(of.trace, of.array, filter);
        return range ? range->last - range->first + 1 : of.array.elements();
    };
    const bool both = before && before->array.is_flat();
    const std::uint64_t elements = std::max(accessed(now), both ? accessed(*before) : 0);
    now.array.columns = easy_columns(now.array, elements, most_columns);
    if (both) before->array.columns = easy_columns(before->array, elements, most_columns);
}

}  // namespace warplens::app
