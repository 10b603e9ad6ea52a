#include "instrumentation/compile/ptx_file.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/leftovers.h"
#include "core/read_file.h"
#include "core/start_program.h"
#include "instrumentation/compile/cubin_reader.h"
#include "instrumentation/compile/toolkit_folders.h"
#include "ptx/parser.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "warplens_XXXXXX").string();
        if (!::mkdtemp(name.data())) return;
        path = name;
        source = (path / "kernel.ptx").string();
        cubin = (path / "kernel.cubin").string();
        leftovers_ = {Leftover::folder(name), Leftover::file(source), Leftover::file(cubin)};
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code error;
        if (!path.empty()) fs::remove_all(path, error);
    }
    fs::path path;  // empty where there is none
    std::string source, cubin;

  private:
    std::array<Leftover, 3> leftovers_;
};

std::string text_of(const fs::path& path) { return read_file(path).value_or(std::string()); }

/// The assembler's time grows with the square of a file's labels, and its memory with the file.
constexpr rlim_t most_seconds = 20, most_bytes = rlim_t{4} << 30;

/// Runs a program within limits on processor time and memory, without its output; true if it succeeds.
bool succeeds(const std::vector<std::string>& words) {
    const auto started = start_program({.command = words});
    if (!started) return false;
    const pid_t child = *started;
    const Leftover leftover = Leftover::process(child);
    const rlimit seconds{most_seconds, most_seconds}, bytes{most_bytes, most_bytes};
    prlimit(child, RLIMIT_CPU, &seconds, nullptr);
    prlimit(child, RLIMIT_AS, &bytes, nullptr);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// The cubin's entries for the first of the targets that the assembler takes.
bool assemble(const std::string& text, const std::vector<std::string>& targets, Compiled& compiled) {
    const std::string assembler = toolkit_program(ToolkitPlaces::of_this_machine(), "ptxas");
    const TemporaryFolder folder;
    if (assembler.empty() || folder.path.empty()) return false;
    const std::string &source = folder.source, &cubin = folder.cubin;
    std::ofstream(source, std::ios::binary) << text;
    for (const std::string& target : targets) {
        if (is_interrupted()) return false;
        if (!succeeds({assembler, "-lineinfo", "-arch=" + target, source, "-o", cubin})) continue;
        std::string code = text_of(cubin);
        auto entries = read_cubin(code);
        if (!entries) return false;
        compiled.cubin = std::move(code);
        for (auto& [name, resources] : *entries)
            if (compiled.entries.count(name)) compiled.entries[name] = resources;
        compiled.target = target;
        return true;
    }
    return false;
}

}  // namespace

Result<PtxFile> compile_ptx_file(const std::string& name, const std::string& text,
                                 const std::string& target) {
    WARPLENS_TRY(const auto module, ptx::parse(text, name));
    PtxFile file;
    Compiled& compiled = file.compiled;
    for (const ptx::Function& function : module.functions)
        if (function.is_entry && !function.is_declaration) compiled.entries[function.name] = {};
    if (compiled.entries.empty())
        return fail("{}: the file has no .entry, so there is no kernel in it", name);
    compiled.ptx = text;
    compiled.origin = "the file itself";
    compiled.target = target;
    std::vector<std::string> targets{target};
    if (!module.targets.empty() && module.targets.front() != target)
        targets.push_back(module.targets.front());
    if (!assemble(text, targets, compiled))
        file.unknown = fmt::format(
            "Registers are not known, so occupancy leaves them out: the CUDA Toolkit's ptxas, which assigns "
            "them, is not installed, does not accept this file or needs more than {} s for it.",
            most_seconds);
    return file;
}

}  // namespace warplens::instrumentation
