// FailedSource: the text that a run failed with, and the lines that its failure names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::app {

struct FailedSource {
    struct Line {
        std::uint32_t line = 0;  // 1-based
        std::string words;       // may be empty: one more error, whose words are not known
        friend bool operator==(const Line&, const Line&) = default;
    };
    std::string file;
    std::string text;
    std::vector<Line> lines;  // the first is the one that the failure begins with
};

}  // namespace warplens::app
