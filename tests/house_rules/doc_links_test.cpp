// Links between the pages of the documentation lead to a page that exists, and to a heading of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <regex>

#include "source_text.h"

namespace {

/// The name by which a link reaches a heading, as GitHub makes it: "## Six registers" is #six-registers.
std::string anchor(const std::string& heading) {
    std::string name;
    for (const char letter : heading) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == ' ') name += '-';
        else if (std::isalnum(code) != 0 || letter == '-' || letter == '_' || code >= 0x80)
            name += static_cast<char>(std::tolower(code));
    }
    return name;
}

/// The lines of a page outside of its blocks of code.
std::vector<std::string> text_of(const fs::path& page) {
    std::vector<std::string> text;
    bool code = false;
    for (const std::string& line : lines_of(page)) {
        if (line.starts_with("```")) code = !code;
        else if (!code) text.push_back(line);
    }
    return text;
}

std::set<std::string> anchors_of(const fs::path& page) {
    std::set<std::string> anchors;
    for (const std::string& line : text_of(page))
        if (line.starts_with('#')) anchors.insert(anchor(line.substr(line.find_first_not_of('#') + 1)));
    return anchors;
}

std::vector<fs::path> pages() {
    std::vector<fs::path> pages;
    for (const auto& entry : fs::directory_iterator(root))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    for (const SourceText& page : files_below({"docs", "tests", "assets"}, {".md"}))
        pages.push_back(root / page.path);
    return pages;
}

TEST(house_rules, links_of_the_documentation_lead_somewhere) {
    const std::regex link(R"(\]\(([^)#\s]*)(#[^)\s]*)?\))");
    std::vector<std::string> broken;
    std::size_t links = 0;
    for (const fs::path& page : pages())
        for (const std::string& line : text_of(page))
            for (std::sregex_iterator found(line.begin(), line.end(), link), end; found != end; ++found) {
                const std::string target = (*found)[1], heading = (*found)[2];
                if (target.find("://") != std::string::npos) continue;
                ++links;
                const fs::path to = target.empty() ? page : page.parent_path() / target;
                if (!fs::exists(to) || (!heading.empty() && !anchors_of(to).contains(heading.substr(1))))
                    broken.push_back(fs::relative(page, root).generic_string() + ": " + target + heading);
            }
    EXPECT_THAT(broken, testing::IsEmpty());
    EXPECT_GT(links, 100U) << "the pages that were read have hardly a link";
}

}  // namespace
