#include "instrumentation/catalog/suggestion.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace warplens::instrumentation {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Levenshtein distance, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view given, const std::vector<std::string>& known) {
    if (given.size() > 64) return "";  // no name is that long, and the distance is quadratic
    const std::string* nearest = nullptr;
    std::size_t least = std::max<std::size_t>(1, given.size() / 3) + 1;
    for (const std::string& name : known) {
        if (const std::size_t distance = edit_distance(given, name); distance < least) {
            least = distance;
            nearest = &name;
        }
    }
    return nearest ? "; did you mean `" + *nearest + "`?" : "";
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

}  // namespace warplens::instrumentation
