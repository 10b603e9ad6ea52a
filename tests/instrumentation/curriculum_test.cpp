#include "instrumentation/catalog/curriculum.h"

#include <gmock/gmock.h>

#include <fstream>

#include "instrumentation/catalog/catalogue.h"
#include "tests/support/folders.h"

namespace warplens::instrumentation {
namespace {

using testing::ElementsAre;

std::vector<KernelFile> kernels_of(const std::vector<std::pair<std::string, std::string>>& rows) {
    std::vector<KernelFile> kernels;
    for (const auto& [subject, name] : rows) {
        KernelFile kernel;
        kernel.subject = subject;
        kernel.name = name;
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

std::vector<std::string> names_of(const std::vector<KernelFile>& kernels) {
    std::vector<std::string> names;
    for (const KernelFile& kernel : kernels) names.push_back(kernel.name);
    return names;
}

TEST(curriculum, what_it_lacks_comes_last_in_its_subject_and_other_subjects_last_of_all) {
    const Curriculum order = read_curriculum("# a course\nBanks # first\n    b\n\ta\r\n\nScan\n    s\n");
    auto kernels = kernels_of(
        {{"Alone", "x"}, {"Banks", "a"}, {"Scan", "s"}, {"Banks", "unknown"}, {"Banks", "b"}, {"Else", "y"}});
    sort_by(order, kernels);
    EXPECT_THAT(names_of(kernels), ElementsAre("b", "a", "unknown", "s", "x", "y"));
}

TEST(curriculum, without_one_kernels_keep_their_order_by_subject) {
    auto kernels = kernels_of({{"B", "1"}, {"A", "2"}, {"B", "3"}});
    sort_by(read_curriculum("    a kernel before any subject\n"), kernels);
    EXPECT_THAT(names_of(kernels), ElementsAre("1", "3", "2"));
}

TEST(curriculum, the_catalogue_is_exactly_what_the_curriculum_lists_in_its_order) {
    std::ifstream file(source_folder() + "/kernels/curriculum.txt");
    const Curriculum order = read_curriculum(std::string(std::istreambuf_iterator<char>(file), {}));
    std::vector<std::pair<std::string, std::string>> listed, read;
    for (const auto& subject : order.subjects)
        for (const std::string& kernel : subject.kernels) listed.emplace_back(subject.name, kernel);
    const auto catalogue = read_catalogue(source_folder() + "/kernels");
    ASSERT_TRUE(catalogue) << catalogue.error().message;
    for (const KernelFile& kernel : *catalogue) read.emplace_back(kernel.subject, kernel.name);
    EXPECT_EQ(read, listed);
}

}  // namespace
}  // namespace warplens::instrumentation
