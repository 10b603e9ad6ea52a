#include "app/pipeline/same_results.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
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

/// The heap of malloc, for example: names of the engine's own allocations are words, and no variable's has a
/// blank.
bool is_the_engines(const simt::Allocation& allocation) {
    return allocation.name.find(' ') != std::string::npos;
}

/// Empty: of a variable of the program.
std::string_view element_type(const instrumentation::KernelFile& kernel, std::string_view name) {
    const auto found = std::ranges::find(kernel.buffers, name, &instrumentation::BufferDeclaration::name);
    return found == kernel.buffers.end() ? std::string_view() : std::string_view(found->element_type);
}

bool same_contents(const simt::Allocation& a, const simt::Allocation& b, std::string_view type) {
    if (a.bytes != b.bytes) return false;
    if (std::memcmp(a.data.data(), b.data.data(), a.bytes) == 0) return true;
    if (type == "f32") return same_reals<float>(a, b);
    if (type == "f64") return same_reals<double>(a, b);
    return false;
}

}  // namespace

bool same_results(const instrumentation::KernelFile& kernel, const simt::GlobalMemory& a,
                  const simt::GlobalMemory& b) {
    const auto is_in_both = [&](const instrumentation::BufferDeclaration& buffer) {
        return (a.find(buffer.name) == nullptr) == (b.find(buffer.name) == nullptr);
    };
    return std::ranges::all_of(kernel.buffers, is_in_both) &&
           std::ranges::all_of(a.allocations(), [&](const simt::Allocation& left) {
               // A variable that only one of them has is one that the compiler needs for its code.
               const simt::Allocation* right = b.find(left.name);
               if (is_the_engines(left) || right == nullptr) return true;
               return same_contents(left, *right, element_type(kernel, left.name));
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
