// DeviceCode: a source and the user's headers with their host code set aside, as NVRTC takes them. What the
// kernels do not need and what only a host can compile becomes spaces; line feeds stay, so every line keeps
// its number. What is kept: functions and variables marked for the device, and the types, constants, aliases
// and constexpr functions that they name. docs/decisions/0016-host-code-by-tokens.md says why this is no C++
// parser.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/host_code/preprocess.h"

namespace warplens::instrumentation::host_code {

/// An #include that is set aside, since its header was not found or cannot be compiled for the device.
struct SetAsideInclude {
    std::string name;
    std::uint32_t file = 0, line = 0;  // where it stands
    bool quoted = false;
};

struct DeviceCode {
    std::vector<File> files;  // as given, the text changed
    bool changed = false;     // there was host code
    std::vector<SetAsideInclude> includes;
    std::vector<std::string> template_kernels;  // their names
};

/// Gives variables of the device initializers: "float mask[4];" becomes "float mask[4] = {1, 2, 3, 4};" on
/// the same line. A variable that has an initializer, or whose declaration has another form, stays as it is.
void add_initializers(std::vector<File>& files,
                      const std::vector<std::pair<std::string, std::string>>& initializers);

/// A file's number and a line in it.
using Place = std::pair<std::uint32_t, std::uint32_t>;

/// `files`: the source, then its headers. `may_include`: whether a header that is not among them can be
/// compiled, given its name and the words of the device code. `refused`: places that the compiler complained
/// about; what stands there is set aside unless it is marked for the device. `kernels`: instances that are
/// wanted, "map<Square>": what their arguments name is kept.
DeviceCode device_code(
    const std::vector<File>& files, const std::vector<std::string>& defines,
    const std::function<bool(std::string_view name, const std::set<std::string_view>& words)>& may_include,
    const std::set<Place>& refused = {}, const std::vector<std::string>& kernels = {});

}  // namespace warplens::instrumentation::host_code
