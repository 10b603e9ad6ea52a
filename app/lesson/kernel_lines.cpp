#include "app/lesson/kernel_lines.h"

#include <algorithm>
#include <string_view>

namespace warplens::app {
namespace {

/// Comments are not executed.
std::string without_comment(std::string_view line) {
    line = line.substr(0, line.find("//"));
    const auto last = line.find_last_not_of(" \t\r");
    return std::string(line.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

bool is_blank(const KernelLine& line) { return line.text.find_first_not_of(" \t\r") == std::string::npos; }

/// `#ifndef PAD`, `#define PAD 0`, `#endif`, of a knob PAD.
bool is_knob_default(const std::vector<KernelLine>& lines, std::size_t at,
                     const instrumentation::KernelFile& kernel) {
    if (at + 2 >= lines.size() || lines[at + 2].code != "#endif") return false;
    return std::ranges::any_of(kernel.parameters, [&](const auto& knob) {
        return lines[at].code == "#ifndef " + knob.name &&
               lines[at + 1].code.starts_with("#define " + knob.name + " ");
    });
}

}  // namespace

std::vector<KernelLine> listed_lines(const instrumentation::KernelFile& kernel) {
    std::vector<KernelLine> lines = kernel_lines(kernel), listed;
    std::erase_if(lines, [](const KernelLine& line) { return line.code.empty() && !is_blank(line); });
    for (std::size_t at = 0; at < lines.size(); ++at) {
        if (is_knob_default(lines, at, kernel)) at += 2;
        else if (!listed.empty() || !is_blank(lines[at])) listed.push_back(std::move(lines[at]));
    }
    return listed;
}

std::vector<KernelLine> kernel_lines(const instrumentation::KernelFile& kernel) {
    const std::string& source = kernel.source;
    const auto header_end = source.find("*/");
    const std::size_t skipped = header_end == std::string::npos ? 0 : header_end + 2;
    std::vector<KernelLine> lines;
    std::uint32_t number = 0;
    for (std::size_t begin = 0; begin < source.size();) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        ++number;
        if (begin >= skipped) {
            const std::string_view line(source.data() + begin, end - begin);
            if (!lines.empty() || line.find_first_not_of(" \t\r") != std::string_view::npos)
                lines.push_back({number, std::string(line), without_comment(line)});
        }
        begin = end + 1;
    }
    while (!lines.empty() && lines.back().text.find_first_not_of(" \t\r") == std::string::npos)
        lines.pop_back();
    return lines;
}

Result<std::uint32_t> line_with(const instrumentation::KernelFile& kernel, const std::string& part) {
    std::uint32_t found = 0, count = 0;
    for (const KernelLine& line : kernel_lines(kernel)) {
        if (line.code.find(part) == std::string::npos) continue;
        found = line.number;
        ++count;
    }
    if (count == 1) return found;
    return fail("{} of the lines of {}.cu contain `{}`; give a part of exactly one line",
                count == 0 ? "none" : std::to_string(count), kernel.name, part);
}

}  // namespace warplens::app
