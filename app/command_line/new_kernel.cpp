// `warplens new FILE.cu`: a small complete kernel to begin with.
#include <fmt/format.h>

#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "instrumentation/catalog/kernel_template.h"

namespace warplens::app {

Result<int> new_kernel(const std::string& path) {
    WARPLENS_TRY(instrumentation::create_from_template(path));
    print_result(fmt::format("{} written; open it with: warplens {}\n", path, path));
    return exit_success;
}

}  // namespace warplens::app
