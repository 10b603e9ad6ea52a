// A type's full name is defined once. Two types of one name make functions of one name, of which the linker
// keeps either: a vector of the smaller type then moves its elements as if they were of the larger one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "source_text.h"

namespace {

/// What stands between `begin` and the next of `ends`; empty: the line does not begin so.
std::string name_after(const std::string& line, const std::string& begin, const std::string& ends) {
    if (!line.starts_with(begin)) return {};
    return line.substr(begin.size(), line.find_first_of(ends, begin.size()) - begin.size());
}

/// The type that a line at the beginning of a scope defines.
std::string defined_type(const std::string& line) {
    if (line.find('{') == std::string::npos || line.ends_with(';')) return {};
    for (const char* kind : {"struct ", "class ", "enum class "})
        if (std::string name = name_after(line, kind, " {<"); !name.empty()) return name;
    return {};
}

TEST(house_rules, a_name_of_a_type_is_defined_once) {
    std::map<std::string, std::set<std::string>> places;
    for (const auto& file : files_below(stages, code_endings)) {
        std::vector<std::string> scopes;
        for (const std::string& line : file.lines) {
            if (line.starts_with("namespace {")) scopes.emplace_back();
            else if (const std::string name = name_after(line, "namespace ", " {"); !name.empty())
                scopes.push_back(name);
            else if (line.starts_with("}  // namespace") && !scopes.empty()) scopes.pop_back();
            const std::string type = defined_type(line);
            if (type.empty() || std::ranges::count(scopes, "") > 0) continue;
            std::string whole;
            for (const std::string& scope : scopes) whole += scope + "::";
            places[whole + type].insert(file.path);
        }
    }
    EXPECT_GT(places.size(), 500u);
    std::vector<std::string> wrong;
    for (const auto& [name, files] : places)
        if (files.size() > 1) wrong.push_back(name + " in " + *files.begin() + " and " + *files.rbegin());
    EXPECT_THAT(wrong, testing::IsEmpty());
}

}  // namespace
