// The catalogue's kernels, read once per test program, for the tests over all of them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <vector>

#include "app/command_line/target.h"
#include "instrumentation/catalog/kernel.h"
#include "tests/support/every.h"

namespace warplens::instrumentation {

/// What a test's parameter is called: without it each start of the test program prints every kernel's bytes.
inline void PrintTo(const std::shared_ptr<const KernelFile>& kernel, std::ostream* out) {
    *out << kernel->name;
}

}  // namespace warplens::instrumentation

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

}  // namespace warplens::app
