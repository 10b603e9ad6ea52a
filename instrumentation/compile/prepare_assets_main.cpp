// warplens_prepare_assets KERNELS_FOLDER ASSETS_FOLDER: compiles every kernel of the folder for every
// combination of its compile-time parameters and writes what instrumentation/compile/shipped_ptx.h reads.
// Files of combinations that are no more are removed. Run it after a kernel changed.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/compile/combinations.h"
#include "instrumentation/compile/shipped_ptx.h"
#include "instrumentation/hidden_command.h"

namespace {

namespace fs = std::filesystem;
using namespace warplens;
using namespace warplens::instrumentation;

/// The kernel's files, relative to `folder`.
Result<std::set<fs::path>> prepare(const KernelFile& kernel, Compiler& compiler, const std::string& folder) {
    WARPLENS_TRY(const auto combinations, macro_combinations(kernel));
    ShippedKernel shipped{source_hash(kernel.source), compiler.description(), "sm_90", {}};
    std::set<fs::path> written{kernel.name + ".json"};
    for (const Macros& macros : combinations) {
        const Result<Compiled> compiled = compiler.compile(shipped_request(kernel, macros));
        if (!compiled) return fail("{}: {}", combination_name(macros), compiled.error().message);
        WARPLENS_TRY(write_shipped_code(folder, kernel.name, macros, {compiled->ptx, compiled->cubin}));
        shipped.combinations.push_back({macros, compiled->entries});
        for (const std::string& file : shipped_code_files(kernel.name, macros)) written.insert(file);
    }
    WARPLENS_TRY(write_shipped_kernel(folder, kernel.name, shipped));
    return written;
}

Result<std::size_t> prepare_all(const std::string& kernels_folder, const fs::path& folder) {
    const auto compiler = make_compiler({});
    if (compiler->description().rfind("NVRTC", 0) != 0) {
        return fail("preparing PTX needs NVRTC, but there is {}", compiler->description());
    }
    WARPLENS_TRY(const auto kernels, read_catalogue(kernels_folder));
    std::set<fs::path> written;
    for (const KernelFile& kernel : kernels) {
        WARPLENS_TRY(const auto files, prepare(kernel, *compiler, folder.string()));
        written.insert(files.begin(), files.end());
    }
    std::error_code error;
    std::vector<fs::path> stale;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
        if (entry.is_regular_file() && !written.count(fs::relative(entry.path(), folder))) {
            stale.push_back(entry.path());
        }
    }
    for (const fs::path& path : stale) fs::remove(path, error);
    return written.size();
}

}  // namespace

int main(int count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(count, arguments)) return *code;
    if (count != 3) {
        fmt::print(stderr, "usage: warplens_prepare_assets KERNELS_FOLDER ASSETS_FOLDER\n");
        return 2;
    }
    const fs::path kernels = fs::absolute(arguments[1]), assets = fs::absolute(arguments[2]);
    fs::current_path("/");  // NVRTC writes the working folder into the machine code's line table
    const auto files = prepare_all(kernels, assets / "ptx");
    if (!files) {
        fmt::print(stderr, "{}\n", files.error().message);
        return 2;
    }
    fmt::print("{} files in {}/ptx\n", *files, arguments[2]);
    return 0;
}
