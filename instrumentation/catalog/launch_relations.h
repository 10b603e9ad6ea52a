// How the numbers of a launch in host code are related: lengths of buffers and the grid as expressions over
// the integers that the kernel gets. Internal to host_launch.cpp.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/catalog/lua_sandbox.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {

/// An expression over the launch's integers that has this value, so that a turned knob keeps the launch
/// whole; the number itself where there is none. Only a number that the program computes from an argument's
/// literals is related to it: equal ones may be equal by chance.
class Relations {
  public:
    using Roots = host_code::Roots;

    void add(const std::string& name, std::int64_t value, const Roots& roots) {
        if (value > 1 && !roots.empty()) names_.push_back({lua_name(name), value, roots});
    }

    /// `bytes`: of an element, of which `value` counts; a pitch counts bytes.
    std::string length(std::int64_t value, const Roots& roots, std::int64_t bytes = 1) const {
        constexpr std::int64_t most = std::int64_t{1} << 31;
        constexpr std::int64_t most_times = 4, most_more = 2;  // channels; the end of the last row
        const auto is_part = [&](const Integer& name) { return host_code::includes(roots, name.roots); };
        const auto related = [&](const Integer& name) { return name.value > 8 && is_part(name); };
        for (const Integer& name : names_)
            if (name.value == value && related(name)) return name.name;
        // Of several products the one of more of the numbers that it is computed from, then the one that is
        // taken fewer times.
        std::string product;
        std::size_t most_roots = 0;
        std::int64_t fewest_times = most_times + 1;
        for (std::size_t i = 0; i < names_.size(); ++i)
            for (std::size_t j = i; j < names_.size(); ++j) {
                const Integer &a = names_[i], &b = names_[j];
                if (a.value > most || b.value > most) continue;
                // A square is computed from no other number than the size of an element: small ones, too.
                const bool square = i == j;
                if (square ? !is_part(a) || roots.size() > a.roots.size() + 1 : !related(a) || !related(b))
                    continue;
                const std::int64_t times = value / (a.value * b.value);
                const std::size_t of = host_code::merged(a.roots, b.roots).size();
                if (times < 1 || times > most_times || times * a.value * b.value != value ||
                    of < most_roots || (of == most_roots && times >= fewest_times))
                    continue;
                most_roots = of;
                fewest_times = times;
                product = a.name + " * " + b.name + (times > 1 ? fmt::format(" * {}", times) : "");
            }
        for (std::size_t i = 0; i < names_.size() && product.empty() && bytes > 1; ++i)
            for (std::size_t j = i + 1; j < names_.size(); ++j) {
                const Integer &a = names_[i], &b = names_[j];
                if (a.value <= most && b.value <= most && related(a) && related(b) &&
                    a.value * b.value == value * bytes)
                    product = fmt::format("{} * {} // {}", a.name, b.name, bytes);
            }
        if (!product.empty()) return product;
        // A volume, of three different numbers.
        for (std::size_t i = 0; i < names_.size(); ++i)
            for (std::size_t j = i + 1; j < names_.size(); ++j)
                for (std::size_t k = j + 1; k < names_.size(); ++k) {
                    const Integer &a = names_[i], &b = names_[j], &c = names_[k];
                    if (!related(a) || !related(b) || !related(c) || a.value > most || b.value > most)
                        continue;
                    if (value % (a.value * b.value) == 0 && value / (a.value * b.value) == c.value)
                        return fmt::format("{} * {} * {}", a.name, b.name, c.name);
                }
        for (const Integer& name : names_) {
            if (!related(name)) continue;
            const std::int64_t times = value / name.value, more = value - name.value;
            if (times > 1 && times <= most_times && times * name.value == value)
                return fmt::format("{} * {}", name.name, times);
            if (more > 0 && more <= most_more) return fmt::format("{} + {}", name.name, more);
        }
        return std::to_string(value);
    }

    /// A block may do the work of several threads' elements: of twice, four or eight times as many as it has.
    std::string blocks(std::int64_t grid, std::int64_t block, const Roots& roots) const {
        const auto over = [](const std::string& name, std::int64_t elements) {
            return elements == 1 ? name : fmt::format("ceil_div({}, {})", name, elements);
        };
        if (const Integer* divided = divided_number(grid, roots))
            return over(divided->name, host_code::divisor_of(roots, divided->roots));
        // Of several that give it the smallest: a pitch is rounded up.
        for (const std::int64_t times : {1, 2, 4, 8}) {
            const std::int64_t work = block * times;
            const Integer* smallest = nullptr;
            for (const Integer& name : names_)
                if ((grid > 1 || times == 1) && block > 0 && host_code::includes(roots, name.roots) &&
                    (name.value + work - 1) / work == grid && (!smallest || name.value < smallest->value))
                    smallest = &name;
            if (smallest) return over(smallest->name, work);
        }
        // Several threads may share the work of an element: up to a warp, or the whole block.
        constexpr std::int64_t warp = 32;
        for (std::int64_t threads = 2; threads <= block; threads *= 2)
            for (const Integer& name : names_) {
                const std::int64_t elements = block / threads;
                if (grid <= 1 || block % threads != 0 || (threads > warp && elements != 1) ||
                    !host_code::includes(roots, name.roots) || (name.value + elements - 1) / elements != grid)
                    continue;
                return over(name.name, elements);
            }
        return std::to_string(grid);
    }

  private:
    struct Integer {
        std::string name;
        std::int64_t value = 0;
        Roots roots;
    };
    /// The number that the program divides, rounding up or down, to get the grid's side; null: none.
    const Integer* divided_number(std::int64_t side, const Roots& roots) const {
        const Integer* smallest = nullptr;
        for (const Integer& name : names_) {
            const std::int64_t divisor = host_code::divisor_of(roots, name.roots);
            if (divisor > 1 && (name.value + divisor - 1) / divisor == side &&
                (!smallest || name.value < smallest->value))
                smallest = &name;
        }
        return smallest;
    }

    std::vector<Integer> names_;
};

}  // namespace warplens::instrumentation
