#include "analysis/memory/shared_arrays.h"

#include <algorithm>

#include "analysis/memory/banks.h"
#include "core/symbol_name.h"

namespace warplens::analysis {
namespace {

/// Name, position and size, without row extents.
std::vector<SharedArray> arrays_of(const trace::Trace& launch) {
    std::vector<SharedArray> arrays;
    for (const Variable& variable : launch.program.variables) {
        if (variable.space != Space::shared) continue;
        SharedArray array;
        array.name = plain_name(variable.name);
        array.base = variable.offset;
        array.dynamic = variable.bytes == 0;
        array.bytes = array.dynamic ? launch.launch.geometry.dynamic_shared_bytes : variable.bytes;
        array.element_bytes = variable.element_bytes;
        if (array.bytes > 0) arrays.push_back(std::move(array));
    }
    return arrays;
}

struct Use {
    std::uint64_t requests = 0, wasted = 0;
    std::uint32_t narrowest = 16;  // bytes of a lane's access
};

Use use_of(const SharedArray& array, const SharedRequests& requests) {
    Use use;
    for (const auto& [request, count] : requests.counts()) {
        const std::uint64_t first = request.offsets[static_cast<std::size_t>(request.mask.lowest())];
        if (first < array.base || first >= array.base + array.bytes) continue;
        const trace::Addresses addresses = request.addresses();
        const WavefrontCount now = count_wavefronts({request.site, request.mask, Space::shared,
                                                     request.operation, request.bytes_per_lane, &addresses});
        use.requests += count;
        use.wasted += (now.wavefronts - now.ideal_wavefronts) * count;
        use.narrowest = std::min(use.narrowest, request.bytes_per_lane);
    }
    return use;
}

std::string names_of(const std::vector<SharedArray>& arrays) {
    std::string names;
    for (const SharedArray& array : arrays) names += (names.empty() ? "" : ", ") + array.name;
    return names;
}

Result<SharedArray> shaped(SharedArray array, const trace::Trace& launch, const Use& use,
                           std::uint32_t row_elements) {
    array.declared = declared_shape(launch, array.name, array.bytes);
    const bool known = array.declared && !array.dynamic;
    if (known) array.element_bytes = array.declared->element_bytes;
    else if (use.requests > 0) array.element_bytes = use.narrowest;
    if (array.element_bytes == 0) array.element_bytes = bank_bytes;
    const auto in_bytes = [&](std::uint64_t elements) { return elements * array.element_bytes; };
    if (row_elements > 0) {
        if (in_bytes(row_elements) > array.bytes)
            return fail("--row-elements {}: {} has {} elements of {} bytes in total", row_elements,
                        array.name, array.bytes / array.element_bytes, array.element_bytes);
        array.row_elements = row_elements;
    } else if (known && array.declared->row_elements() > 0) {
        array.row_elements = array.declared->row_elements();
        if (array.declared->extents.size() > 2)
            array.rows_of_matrix = array.declared->extents[array.declared->extents.size() - 2];
    } else if (array.declared && array.declared->is_product) {
        return fail("{} is declared as {}{}: specify the elements per row with --row-elements N", array.name,
                    array.name, array.declared->extents_text);
    } else if (!array.declared) {
        return fail(
            "no available source declares {} ({} bytes): specify the elements per row with --row-elements N",
            array.name, array.bytes);
    } else {
        array.flat = true;
        array.row_elements = std::max<std::uint32_t>(1, bank_count * bank_bytes / array.element_bytes);
    }
    return array;
}

}  // namespace

Result<SharedArray> choose_shared_array(const trace::Trace& launch, const SharedRequests& requests,
                                        const std::string& name, std::uint32_t row_elements) {
    const std::vector<SharedArray> arrays = arrays_of(launch);
    if (requests.counts().empty())
        return fail("{} makes no request to shared memory: no layout can be changed", launch.launch.kernel);
    if (arrays.empty())
        return fail("{} names no shared array: no layout can be changed", launch.launch.kernel);
    const SharedArray* chosen = nullptr;
    if (!name.empty()) {
        const auto named = std::ranges::find(arrays, name, &SharedArray::name);
        if (named == arrays.end())
            return fail("--array {}: the kernel's shared arrays are {}", name, names_of(arrays));
        chosen = &*named;
    } else {
        std::uint64_t most = 0;
        for (const SharedArray& array : arrays) {
            const Use use = use_of(array, requests);
            if (use.requests > 0 && (chosen == nullptr || use.wasted > most)) {
                chosen = &array;
                most = use.wasted;
            }
        }
        if (chosen == nullptr)
            return fail("no request to shared memory accesses one of {}", names_of(arrays));
    }
    const Use use = use_of(*chosen, requests);
    if (use.requests == 0) return fail("--array {}: the launch makes no request to it", chosen->name);
    return shaped(*chosen, launch, use, row_elements);
}

}  // namespace warplens::analysis
