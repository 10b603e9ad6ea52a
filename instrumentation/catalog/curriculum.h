// Curriculum: the order in which a course goes through the kernels, from the file curriculum.txt of their
// folder: a subject a line, its kernels indented below it, comments after #.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

struct Curriculum {
    struct Subject {
        std::string name;
        std::vector<std::string> kernels;
    };
    std::vector<Subject> subjects;
};

Curriculum read_curriculum(std::string_view text);
/// Kernels that it does not list come last in their subject, other subjects last of all; both keep their
/// order.
void sort_by(const Curriculum& curriculum, std::vector<KernelFile>& kernels);

}  // namespace warplens::instrumentation
