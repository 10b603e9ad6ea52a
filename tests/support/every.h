// How a long list of cases is shared between ./test and ./test --all.
#pragma once

#include <cstddef>
#include <vector>

namespace warplens {

/// Every n-th of them, for ./test; the others, in a suite that is called …_long, are for ./test --all.
template <class Case>
std::vector<Case> every(std::size_t n, const std::vector<Case>& all) {
    std::vector<Case> chosen;
    for (std::size_t i = 0; i < all.size(); i += n) chosen.push_back(all[i]);
    return chosen;
}
template <class Case>
std::vector<Case> all_but_every(std::size_t n, const std::vector<Case>& all) {
    std::vector<Case> chosen;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % n != 0) chosen.push_back(all[i]);
    return chosen;
}

}  // namespace warplens
