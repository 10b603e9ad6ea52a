#include "instrumentation/compile/assembler.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>

#include "core/leftovers.h"
#include "core/read_file.h"
#include "core/start_program.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

constexpr rlim_t most_bytes = rlim_t{4} << 30;
constexpr std::size_t most_refused = 4096;

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

/// One run of ptxas, without its output. It ends when this goes.
class Process {
  public:
    Process(const std::string& program, const AssemblerText& text) {
        if (folder_.path.empty()) return;
        std::ofstream(folder_.source, std::ios::binary) << text.ptx;
        std::vector<std::string> words{program, "-arch=" + text.target, folder_.source, "-o", folder_.cubin};
        if (text.line_table) words.emplace_back("-lineinfo");
        if (text.few_registers) words.emplace_back("--register-usage-level=2");  // 5 by default
        const auto started = start_program({.command = words});
        if (!started) return;
        process_ = *started;
        leftover_ = Leftover::process(process_);
        const rlimit seconds{Assembler::most_seconds, Assembler::most_seconds}, bytes{most_bytes, most_bytes};
        prlimit(process_, RLIMIT_CPU, &seconds, nullptr);
        prlimit(process_, RLIMIT_AS, &bytes, nullptr);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        if (process_ < 0) return;
        ::kill(process_, SIGKILL);
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

    bool ended() {
        if (process_ < 0) return true;
        int status = 0;
        const pid_t found = ::waitpid(process_, &status, WNOHANG);
        if (found == 0 || (found < 0 && errno == EINTR)) return false;
        succeeded_ = found == process_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        leftover_.release();
        process_ = -1;
        return true;
    }
    /// Of one that has ended.
    std::optional<std::string> cubin() const {
        if (!succeeded_) return std::nullopt;
        auto code = read_file(folder_.cubin);
        if (!code || code->empty()) return std::nullopt;
        return std::move(*code);
    }

  private:
    TemporaryFolder folder_;
    pid_t process_ = -1;  // -1: none, or waited for
    Leftover leftover_;
    bool succeeded_ = false;
};

/// The program's path, and what changes when another version is installed there.
std::string identity_of(const std::string& program) {
    std::error_code error;
    const auto size = fs::file_size(program, error);
    const auto written = fs::last_write_time(program, error).time_since_epoch().count();
    return error ? program : fmt::format("{} {} {}", program, size, written);
}

}  // namespace

Assembler::Assembler(std::string cache_folder, const ToolkitPlaces& places)
    : program_(toolkit_program(places, "ptxas")),
      identity_(identity_of(program_)),
      cache_(std::move(cache_folder)) {}

std::vector<std::optional<std::string>> Assembler::assemble(const std::vector<AssemblerText>& texts,
                                                            const std::function<bool()>& cancelled) {
    std::vector<std::optional<std::string>> cubins(texts.size());
    if (!found()) return cubins;
    std::vector<std::string> keys;
    std::vector<std::unique_ptr<Process>> processes(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const AssemblerText& text = texts[i];
        keys.push_back(cache_key(
            {identity_,
             fmt::format("{}{}", text.line_table ? "-lineinfo" : "", text.few_registers ? " few" : ""),
             text.target, text.ptx}));
        if (auto known = cache_.find(keys[i])) {
            cubins[i] = std::move(known->cubin);
            continue;
        }
        const std::lock_guard lock(mutex_);
        if (!refused_.contains(keys[i])) processes[i] = std::make_unique<Process>(program_, text);
    }
    auto pause = std::chrono::microseconds(100);
    while (std::ranges::any_of(processes, [](const auto& one) { return one && !one->ended(); })) {
        if (cancelled && cancelled()) return cubins;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(1000));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!processes[i]) continue;
        cubins[i] = processes[i]->cubin();
        if (cubins[i]) {
            cache_.store(keys[i], {.ptx = "",
                                   .entries = {},
                                   .target = texts[i].target,
                                   .origin = "ptxas",
                                   .cubin = *cubins[i]});
        } else if (!is_interrupted()) {
            const std::lock_guard lock(mutex_);
            if (refused_.size() >= most_refused) refused_.clear();
            refused_.insert(keys[i]);
        }
    }
    // An older ptxas does not know the option.
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (cubins[i] || !texts[i].few_registers) continue;
        AssemblerText plain = texts[i];
        plain.few_registers = false;
        cubins[i] = assemble({std::move(plain)}, cancelled).front();
    }
    return cubins;
}

}  // namespace warplens::instrumentation
