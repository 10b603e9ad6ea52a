#include "app/command_line/output_format.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/whole_file.h"

namespace warplens::app {

Result<OutputFormat> output_format(std::string_view what, const std::string& format,
                                   const std::string& output, const std::vector<std::string>& texts,
                                   bool can_draw) {
    const std::string ending = std::filesystem::path(output).extension().string();
    const bool text_by_name = ending.empty() || ending == ".txt" || is_written_directly(output);
    OutputFormat chosen;
    chosen.name = !format.empty() ? format : text_by_name ? "text" : ending.substr(1);
    const std::string& name = chosen.name;
    chosen.is_picture = name == "png" || name == "svg";
    if (!chosen.is_picture && std::ranges::find(texts, name) == texts.end())
        return fail("{} is not a format of {}; the formats are {}, png or svg", name, what,
                    fmt::join(texts, ", "));
    if (chosen.is_picture && !can_draw)
        return fail("--format {}: this program draws nothing; warplens does, or take {}", name,
                    fmt::join(texts, ", "));
    if (chosen.is_picture && output.empty()) return fail("--format {} needs -o FILE.{}", name, name);
    if (chosen.is_picture && !output.ends_with("." + name) && !is_written_directly(output))
        return fail("-o {}: a picture's name ends in .{}", output, name);
    if (!output.empty()) WARPLENS_TRY(can_be_written(output));
    return chosen;
}

}  // namespace warplens::app
