#include "instrumentation/host_program/build_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "core/gpu_spec.h"
#include "core/read_file.h"
#include "core/whole_file.h"
#include "instrumentation/compile/compile_cache.h"
#include "instrumentation/compile/included_files.h"
#include "instrumentation/device/child_process.h"
#include "instrumentation/host_code/known_words.h"
#include "instrumentation/host_program/program_source.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

constexpr auto compile_seconds = std::chrono::seconds(120);

/// The first of the usual compilers that PATH has; empty: there is none.
std::string host_compiler() {
    const char* const path = std::getenv("PATH");
    for (const char* name : {"c++", "g++", "clang++"}) {
        std::istringstream folders(path != nullptr ? path : "");
        for (std::string folder; std::getline(folders, folder, ':');) {
            const std::string program = (fs::path(folder) / name).string();
            if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) return program;
        }
    }
    return {};
}

/// The properties that the program reads of its GPU.
std::string device_header() {
    std::string text = "#pragma once\n";
    for (const auto& [name, number] : host_code::device_limits())
        text += fmt::format("constexpr long long warplens_device_{} = {};\n", name, number);
    return text +
           fmt::format("constexpr const char* warplens_device_name = \"NVIDIA {}\";\n", default_gpu().name);
}

/// Where the program's own text lies: so deep that the "../" of headers' names stay below the folder.
fs::path source_folder(const ProgramRequest& request, const std::vector<host_code::File>& files) {
    std::ptrdiff_t up = 0;
    for (std::size_t i = 1; i < files.size(); ++i) {
        const fs::path name = fs::path(files[i].name).lexically_normal();
        up = std::max(up, std::count(name.begin(), name.end(), ".."));
    }
    fs::path folder = fs::path(request.folder) / "source";
    while (up-- > 0) folder /= "below";
    return folder;
}

std::string first_error(const std::string& log) {
    std::istringstream lines(log);
    std::string first;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("error:") != std::string::npos) return line;
        if (first.empty()) first = line;
    }
    return first.empty() ? "the compiler says nothing" : first;
}

Status write_sources(const ProgramRequest& request, const std::vector<host_code::File>& files) {
    std::error_code error;
    const fs::path sources = source_folder(request, files);
    fs::create_directories(sources, error);
    for (std::size_t i = 1; i < files.size(); ++i) {
        if (!fs::path(files[i].name).is_relative()) continue;
        const fs::path path = (sources / files[i].name).lexically_normal();
        fs::create_directories(path.parent_path(), error);
        WARPLENS_TRY(write_regular_file(path.string(), files[i].text));
    }
    WARPLENS_TRY(
        write_regular_file((fs::path(request.folder) / "warplens_device.h").string(), device_header()));
    return write_regular_file(
        (sources / "program.cpp").string(),
        fmt::format("#line 1 \"{}\"\n{}", fs::path(request.path).filename().string(), files.front().text));
}

std::vector<std::string> compiler_command(const ProgramRequest& request, const fs::path& sources,
                                          const std::string& compiler, const std::string& program) {
    const fs::path folder = fs::path(request.path).parent_path();
    std::vector<std::string> command{compiler,
                                     "-std=gnu++20",
                                     "-O1",
                                     "-w",
                                     "-fpermissive",
                                     "-rdynamic",
                                     "-I" + sources.string(),
                                     "-I" + request.folder,
                                     "-I" + (folder.empty() ? "." : folder.string())};
    for (const std::string& path : request.include_paths) command.push_back("-I" + path);
    command.push_back("-I" + request.headers);
    for (const std::string& define : request.defines) command.push_back("-D" + define);
    for (const char* word : {"-include", "warplens_program.h", "-o"}) command.emplace_back(word);
    command.push_back(program);
    command.push_back((sources / "program.cpp").string());
    command.insert(command.end(), {"-ldl", "-lpthread"});
    return command;
}

/// Without its output, which the file `log` gets.
Status run_compiler(const std::vector<std::string>& command, const std::string& log,
                    const std::function<bool()>& cancelled) {
    const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (output < 0) return fail("{}: cannot be written", log);
    auto child =
        ChildProcess::start_with_socket({.command = command, .descriptors = {null_device, output, output}});
    ::close(output);
    if (!child) return fail("{} cannot be {}", command.front(), child.error().message);
    const auto deadline = Clock::now() + compile_seconds;
    while (!child->ended_by(Clock::now() + std::chrono::milliseconds(20))) {
        if (cancelled && cancelled()) return fail("the run was cancelled");
        if (Clock::now() > deadline)
            return fail("{} did not end within {} s", command.front(), compile_seconds.count());
    }
    if (child->how_it_ended() == "ended with exit code 0") return {};
    const auto said = read_file(log);
    if (said && said->find("undefined reference to `main'") != std::string::npos)
        return fail("it has no function main that could be run");
    return fail("its host code does not compile here: {}", first_error(said ? *said : std::string()));
}

}  // namespace

Result<std::string> build_program(const ProgramRequest& request, const std::function<bool()>& cancelled) {
    const std::string compiler = host_compiler();
    if (compiler.empty())
        return fail(
            "{}: to run its host code a C++ compiler is needed, and PATH has none of c++, g++ and "
            "clang++",
            request.path);
    const SourceFiles read = source_and_headers(request.path, request.source, request.include_paths);
    WARPLENS_TRY(const auto files, program_source(read.files, request.defines));
    std::error_code error;
    fs::create_directories(request.folder, error);
    if (error) return fail("{}: {}", request.folder, error.message());
    const fs::path folder(request.folder);
    const std::string program = (folder / "program").string();
    const std::vector<std::string> command =
        compiler_command(request, source_folder(request, files), compiler, program);
    std::vector<std::string> parts = command;
    for (const host_code::File& file : files) parts.insert(parts.end(), {file.name, file.text});
    for (const auto& header : fs::recursive_directory_iterator(request.headers, error))
        if (header.is_regular_file(error))
            if (auto text = read_file(header.path().string())) parts.push_back(std::move(*text));
    const std::string key = cache_key(parts), key_file = (folder / "key").string();
    const auto made_of = read_file(key_file);
    if (made_of && *made_of == key && fs::exists(program, error)) return program;
    WARPLENS_TRY(write_sources(request, files));
    if (auto status = run_compiler(command, (folder / "compiler.log").string(), cancelled); !status)
        return fail("{}: {}", request.path, status.error().message);
    WARPLENS_TRY(write_regular_file(key_file, key));
    return program;
}

}  // namespace warplens::instrumentation
