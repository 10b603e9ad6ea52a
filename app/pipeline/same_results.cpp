#include "app/pipeline/same_results.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::app {
namespace {

/// Of the larger of two numbers, and of the largest in the buffer.
constexpr double of_the_number = 1e-3, of_the_buffer = 1e-5;
/// The same in units of rounding: what few operations in another order cause.
constexpr double roundings_of_the_number = 32, roundings_of_the_buffer = 4;

/// Nothing: they differ by more than sums in another order may; else whether by more than few roundings.
template <class Real>
std::optional<bool> compare_reals(const simt::Allocation& a, const simt::Allocation& b) {
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
    constexpr double rounding = std::numeric_limits<Real>::epsilon();
    bool reordered = false;
    for (std::size_t i = 0; i < count; ++i) {
        const double left = real(a, i), right = real(b, i);
        if (left == right || (std::isnan(left) && std::isnan(right))) continue;
        const double difference = std::abs(left - right), size = std::max(std::abs(left), std::abs(right));
        if (std::isinf(size) || !(difference <= of_the_number * size + of_the_buffer * largest))
            return std::nullopt;
        reordered |=
            difference > rounding * (roundings_of_the_number * size + roundings_of_the_buffer * largest);
    }
    return reordered;
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

/// As compare_reals().
std::optional<bool> same_contents(const simt::Allocation& a, const simt::Allocation& b,
                                  std::string_view type) {
    if (a.bytes != b.bytes) return std::nullopt;
    if (std::memcmp(a.data.data(), b.data.data(), a.bytes) == 0) return false;
    if (type == "f32") return compare_reals<float>(a, b);
    if (type == "f64") return compare_reals<double>(a, b);
    return std::nullopt;
}

}  // namespace

ResultMatch match_results(const instrumentation::KernelFile& kernel, const simt::GlobalMemory& a,
                          const simt::GlobalMemory& b) {
    ResultMatch match;
    for (const instrumentation::BufferDeclaration& buffer : kernel.buffers)
        if ((a.find(buffer.name) == nullptr) != (b.find(buffer.name) == nullptr))
            return {buffer.name, false, false};
    for (const simt::Allocation& left : a.allocations()) {
        // A variable that only one of them has is one that the compiler needs for its code.
        const simt::Allocation* right = b.find(left.name);
        if (is_the_engines(left) || right == nullptr) continue;
        const auto reordered = same_contents(left, *right, element_type(kernel, left.name));
        if (!reordered) return {left.name, false, false};
        match.rounded |= std::memcmp(left.data.data(), right->data.data(), left.bytes) != 0;
        match.reordered |= *reordered;
    }
    return match;
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
