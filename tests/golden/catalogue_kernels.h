// The catalogue's kernels, read once per test program, for the tests over all of them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "app/command_line/target.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

using CatalogueKernels = std::vector<std::shared_ptr<const instrumentation::KernelFile>>;

inline const CatalogueKernels& catalogue_kernels() {
    static const CatalogueKernels all = [] {
        CatalogueKernels kernels;
        const auto read = catalogue();
        if (!read) ADD_FAILURE() << read.error().message;
        if (read)
            for (const auto& kernel : *read)
                kernels.push_back(std::make_shared<instrumentation::KernelFile>(kernel));
        return kernels;
    }();
    return all;
}

inline CatalogueKernels catalogue_kernels(
    const std::function<bool(const instrumentation::KernelFile&)>& wanted) {
    CatalogueKernels chosen;
    for (const auto& kernel : catalogue_kernels())
        if (wanted(*kernel)) chosen.push_back(kernel);
    return chosen;
}

/// Every n-th of them, for ./test; the others, in a suite that is called …_long, are for ./test --all.
inline CatalogueKernels every(std::size_t n, const CatalogueKernels& all) {
    CatalogueKernels chosen;
    for (std::size_t i = 0; i < all.size(); i += n) chosen.push_back(all[i]);
    return chosen;
}
inline CatalogueKernels all_but_every(std::size_t n, const CatalogueKernels& all) {
    CatalogueKernels chosen;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % n != 0) chosen.push_back(all[i]);
    return chosen;
}

}  // namespace warplens::app
