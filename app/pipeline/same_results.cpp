#include "app/pipeline/same_results.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

namespace warplens::app {
namespace {

/// Of the larger of two numbers, and of the largest in the buffer.
constexpr double of_the_number = 1e-3, of_the_buffer = 1e-5;

template <class Real>
bool same_reals(const simt::Allocation& a, const simt::Allocation& b) {
    const auto real = [](const simt::Allocation& from, std::size_t index) {
        Real value;
        std::memcpy(&value, from.data.data() + index * sizeof value, sizeof value);
        return static_cast<double>(value);
    };
    const std::size_t count = a.bytes / sizeof(Real);
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (const double value = std::abs(real(a, i)); std::isfinite(value))
            largest = std::max(largest, value);
    for (std::size_t i = 0; i < count; ++i) {
        const double left = real(a, i), right = real(b, i);
        if (left == right || (std::isnan(left) && std::isnan(right))) continue;
        const double allowed =
            of_the_number * std::max(std::abs(left), std::abs(right)) + of_the_buffer * largest;
        if (!(std::abs(left - right) <= allowed)) return false;
    }
    return true;
}

}  // namespace

bool same_results(const instrumentation::KernelFile& kernel, const simt::GlobalMemory& a,
                  const simt::GlobalMemory& b) {
    return std::ranges::all_of(kernel.buffers, [&](const instrumentation::BufferDeclaration& buffer) {
        const simt::Allocation* left = a.find(buffer.name);
        const simt::Allocation* right = b.find(buffer.name);
        if (left == nullptr || right == nullptr) return left == right;
        if (left->bytes != right->bytes) return false;
        if (std::memcmp(left->data.data(), right->data.data(), left->bytes) == 0) return true;
        if (buffer.element_type == "f32") return same_reals<float>(*left, *right);
        if (buffer.element_type == "f64") return same_reals<double>(*left, *right);
        return false;
    });
}

bool same_texts(const std::optional<PrintedCalls>& a, const std::optional<PrintedCalls>& b) {
    const auto texts_of = [](const std::optional<PrintedCalls>& printed) {
        std::vector<std::string_view> texts;
        if (printed)
            for (const Printed& call : printed->calls) texts.push_back(call.text);
        std::ranges::sort(texts);
        return texts;
    };
    const auto dropped = [](const std::optional<PrintedCalls>& printed) {
        return printed ? printed->dropped : 0;
    };
    return dropped(a) == dropped(b) && texts_of(a) == texts_of(b);
}

}  // namespace warplens::app
