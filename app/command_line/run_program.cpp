#include "app/command_line/run_program.h"

#include <filesystem>
#include <utility>

#include "instrumentation/catalog/catalogue.h"

namespace warplens::app {

Result<ProgramInputs> run_program(Pipeline& pipeline, ProgramInputsRequest request) {
    WARPLENS_TRY(const auto folders, instrumentation::installed_folders());
    request.headers = (std::filesystem::path(folders.assets) / "host_program").string();
    request.folder = program_folder(request.kernel);
    return program_inputs(pipeline, request);
}

}  // namespace warplens::app
