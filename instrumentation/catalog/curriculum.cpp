#include "instrumentation/catalog/curriculum.h"

#include <algorithm>
#include <utility>

namespace warplens::instrumentation {

Curriculum read_curriculum(std::string_view text) {
    constexpr std::string_view blank = " \t\r";
    Curriculum curriculum;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line = line.substr(0, line.find('#'));
        const std::size_t begin = line.find_first_not_of(blank);
        if (begin == std::string_view::npos) continue;
        const std::string word(line.substr(begin, line.find_last_not_of(blank) + 1 - begin));
        if (begin == 0) curriculum.subjects.push_back({word, {}});
        else if (!curriculum.subjects.empty()) curriculum.subjects.back().kernels.push_back(word);
    }
    return curriculum;
}

void sort_by(const Curriculum& curriculum, std::vector<KernelFile>& kernels) {
    // Subjects that it lacks follow in the order of their first kernel.
    std::vector<std::string> subjects;
    for (const auto& subject : curriculum.subjects) subjects.push_back(subject.name);
    for (const KernelFile& kernel : kernels)
        if (std::ranges::find(subjects, kernel.subject) == subjects.end()) subjects.push_back(kernel.subject);
    const auto place = [&](const KernelFile& kernel) {
        const auto subject = std::ranges::find(subjects, kernel.subject) - subjects.begin();
        const auto listed = static_cast<std::ptrdiff_t>(curriculum.subjects.size());
        if (subject >= listed) return std::pair{subject, std::ptrdiff_t{0}};
        const auto& names = curriculum.subjects[static_cast<std::size_t>(subject)].kernels;
        return std::pair{subject, std::ranges::find(names, kernel.name) - names.begin()};
    };
    std::ranges::stable_sort(kernels, {}, place);
}

}  // namespace warplens::instrumentation
