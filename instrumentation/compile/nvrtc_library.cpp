#include "instrumentation/compile/nvrtc_library.h"

#include <dlfcn.h>

#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/bounded.h"
#include "instrumentation/compile/host_headers.h"
#include "instrumentation/compile/toolkit_folders.h"
#include "instrumentation/compile/work_in_child.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

using Program = void*;  // nvrtcProgram
using Code = int;       // nvrtcResult, 0 being success
constexpr Code success = 0;
constexpr Code compilation_failed = 6;  // NVRTC_ERROR_COMPILATION

constexpr const char* library_names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

/// Folders to look into, best first; "" stands for the loader's own search.
std::vector<fs::path> library_folders() {
    std::vector<fs::path> folders{""};
    for (const std::string& toolkit : toolkit_roots(ToolkitPlaces::of_this_machine())) {
        for (const char* inside : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
            folders.push_back(fs::path(toolkit) / inside);
        }
    }
    return folders;
}

}  // namespace

struct NvrtcLibrary::Functions {
    void* library = nullptr;
    Code (*version)(int*, int*) = nullptr;
    Code (*architecture_count)(int*) = nullptr;
    Code (*architectures)(int*) = nullptr;
    Code (*create)(Program*, const char* source, const char* name, int headers, const char* const* texts,
                   const char* const* names) = nullptr;
    Code (*destroy)(Program*) = nullptr;
    Code (*compile)(Program, int count, const char* const* options) = nullptr;
    Code (*log_size)(Program, std::size_t*) = nullptr;
    Code (*log)(Program, char*) = nullptr;
    Code (*ptx_size)(Program, std::size_t*) = nullptr;
    Code (*ptx)(Program, char*) = nullptr;
    Code (*cubin_size)(Program, std::size_t*) = nullptr;
    Code (*cubin)(Program, char*) = nullptr;
    const char* (*error_text)(Code) = nullptr;
    Code (*add_name)(Program, const char* expression) = nullptr;

    std::string path;  // as the loader knows it
    std::string version_text;
    std::vector<int> supported;
    std::vector<std::string> include_folders;

    // The library is never closed: it registers handlers that run when the process ends.

    bool open(const fs::path& name) {
        library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        bool complete = library != nullptr;
        const auto find = [&](auto& function, const char* name) {
            if (complete) function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
            complete = complete && function;
        };
        find(version, "nvrtcVersion");
        find(architecture_count, "nvrtcGetNumSupportedArchs");
        find(architectures, "nvrtcGetSupportedArchs");
        find(create, "nvrtcCreateProgram");
        find(destroy, "nvrtcDestroyProgram");
        find(compile, "nvrtcCompileProgram");
        find(log_size, "nvrtcGetProgramLogSize");
        find(log, "nvrtcGetProgramLog");
        find(ptx_size, "nvrtcGetPTXSize");
        find(ptx, "nvrtcGetPTX");
        find(cubin_size, "nvrtcGetCUBINSize");
        find(cubin, "nvrtcGetCUBIN");
        find(error_text, "nvrtcGetErrorString");
        find(add_name, "nvrtcAddNameExpression");
        return complete;
    }

    bool learn() {
        int major = 0, minor = 0, count = 0;
        if (version(&major, &minor) != success || architecture_count(&count) != success || count <= 0) {
            return false;
        }
        version_text = fmt::format("{}.{}", major, minor);
        supported.resize(static_cast<std::size_t>(count));
        if (architectures(supported.data()) != success) return false;
        Dl_info where{};
        std::error_code error;
        if (!dladdr(reinterpret_cast<void*>(version), &where)) return false;
        path = where.dli_fname;
        const fs::path library = fs::canonical(path, error);
        include_folders = instrumentation::toolkit_include_folders(ToolkitPlaces::of_this_machine(),
                                                                   library.parent_path().string());
        return true;
    }

    std::string text_of(Program program, Code (*size_of)(Program, std::size_t*),
                        Code (*read)(Program, char*)) const {
        std::size_t size = 0;
        if (size_of(program, &size) != success || size == 0) return "";
        std::string text(size, '\0');
        return read(program, text.data()) == success ? text : "";
    }
};

namespace {

/// NVRTC names its own header as if it lay in the folder that the program runs in; a kernel's PTX is to be
/// the same in every folder.
void drop_folder_of_own_header(std::string& ptx) {
    constexpr std::string_view header = "__nv_nvrtc_builtin_header.h";
    for (auto at = ptx.find(header); at != std::string::npos; at = ptx.find(header, at + 1)) {
        const auto quote = ptx.rfind('"', at);
        if (quote == std::string::npos) continue;
        ptx.erase(quote + 1, at - quote - 1);
        at = quote + 1;
    }
}

}  // namespace

NvrtcLibrary::NvrtcLibrary() : functions_(std::make_unique<Functions>()) {}
NvrtcLibrary::~NvrtcLibrary() = default;

Result<std::unique_ptr<NvrtcLibrary>> NvrtcLibrary::open(bool keeps_ready) {
    std::unique_ptr<NvrtcLibrary> found(new NvrtcLibrary);
    Functions& functions = *found->functions_;
    for (const fs::path& folder : library_folders()) {
        for (const char* name : library_names) {
            if (!functions.open(folder / name) || !functions.learn()) continue;
            found->keeps_ready_ = keeps_ready;
            if (keeps_ready) found->ready_ = found->start_child();
            return found;
        }
    }
    return fail("libnvrtc was not found");
}

std::string NvrtcLibrary::version() const { return functions_->version_text; }
const std::vector<int>& NvrtcLibrary::architectures() const { return functions_->supported; }
const std::vector<std::string>& NvrtcLibrary::toolkit_include_folders() const {
    return functions_->include_folders;
}

namespace {

/// The parts, each after its length.
std::string packed(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) {
        const std::uint64_t size = part.size();
        all.append(reinterpret_cast<const char*>(&size), sizeof size) += part;
    }
    return all;
}

std::vector<std::string> unpacked(std::string_view all) {
    std::vector<std::string> parts;
    while (all.size() >= sizeof(std::uint64_t)) {
        std::uint64_t size = 0;
        std::memcpy(&size, all.data(), sizeof size);
        if (!are_within(sizeof size, size, all.size())) break;
        parts.emplace_back(all.substr(sizeof size, size));
        all.remove_prefix(sizeof size + size);
    }
    return parts;
}

}  // namespace

std::unique_ptr<WorkingChild> NvrtcLibrary::start_child() const {
    return std::make_unique<WorkingChild>(nvrtc_word, functions_->path);
}

Result<NvrtcOutput> NvrtcLibrary::compile(const NvrtcInput& input) const {
    const std::string& name = input.name;
    std::vector<std::string> headers;
    for (const auto& [header, text] : input.headers) headers.insert(headers.end(), {header, text});
    const std::vector<std::string> question{name, input.source, packed(input.options), packed(headers),
                                            packed(input.kernels)};
    std::unique_ptr<WorkingChild> child;
    if (keeps_ready_) {
        const std::lock_guard lock(mutex_);
        child = std::move(ready_);
    }
    if (!child || !child->running()) child = start_child();
    const auto answer = child->ask(packed(question));
    if (keeps_ready_) {
        const std::lock_guard lock(mutex_);
        if (!ready_) ready_ = start_child();
    }
    if (!answer) return fail("{}: NVRTC {} {}", name, version(), answer.error().message);
    std::vector<std::string> parts = unpacked(*answer);
    if (parts.size() == 1) return fail("{}", parts[0]);
    if (parts.size() != 4) return fail("{}: NVRTC {} sent an incomplete answer", name, version());
    return NvrtcOutput{parts[0] == "1", std::move(parts[1]), std::move(parts[2]), std::move(parts[3])};
}

Result<NvrtcOutput> NvrtcLibrary::compile_here(const NvrtcInput& input) const {
    const Functions& nvrtc = *functions_;
    const std::string& name = input.name;
    Program program = nullptr;
    std::vector<const char*> header_names, header_texts;
    for (const auto& [header, text] : input.headers) {  // before the host's: the first of a name counts
        header_names.push_back(header.c_str());
        header_texts.push_back(text.c_str());
    }
    for (const HostHeader& header : host_headers()) {
        header_names.push_back(header.name);
        header_texts.push_back(header.text.c_str());
    }
    Code code = nvrtc.create(&program, input.source.c_str(), name.c_str(),
                             static_cast<int>(header_names.size()), header_texts.data(), header_names.data());
    if (code != success) return fail("NVRTC cannot begin with {}: {}", name, nvrtc.error_text(code));
    for (const std::string& kernel : input.kernels) {
        code = nvrtc.add_name(program, kernel.c_str());
        if (code != success) return fail("NVRTC cannot make {}: {}", kernel, nvrtc.error_text(code));
    }
    std::vector<const char*> texts;
    for (const std::string& option : input.options) texts.push_back(option.c_str());
    code = nvrtc.compile(program, static_cast<int>(texts.size()), texts.data());
    NvrtcOutput output;
    output.succeeded = code == success;
    output.log = nvrtc.text_of(program, nvrtc.log_size, nvrtc.log);
    if (output.succeeded) {
        output.ptx = nvrtc.text_of(program, nvrtc.ptx_size, nvrtc.ptx);
        output.cubin = nvrtc.text_of(program, nvrtc.cubin_size, nvrtc.cubin);
    }
    nvrtc.destroy(&program);
    drop_folder_of_own_header(output.ptx);
    for (std::string* text : {&output.log, &output.ptx}) {
        while (!text->empty() && text->back() == '\0') text->pop_back();
    }
    if (code != success && code != compilation_failed) {
        return fail("NVRTC {} failed on {}: {}{}{}", version(), name, nvrtc.error_text(code),
                    output.log.empty() ? "" : ": ", output.log);
    }
    return output;
}

int nvrtc_main(int argument_count, char** arguments) {
    NvrtcLibrary nvrtc;
    bool opened = false;
    const auto prepare = [&](const std::string& path, const std::function<bool()>& asked) {
        opened = nvrtc.functions_->open(path);
        // The library reads more of itself when it first compiles.
        if (opened && !asked())
            (void)nvrtc.compile_here(
                {"empty", "__global__ void empty() {}", {"--gpu-architecture=sm_90"}, {}, {}});
    };
    return answer_parent(argument_count, arguments, prepare, [&](const std::string& question) {
        const std::vector<std::string> parts = unpacked(question);
        if (parts.size() != 5 || !opened) return packed({"libnvrtc was found, but cannot be opened again"});
        NvrtcInput input{parts[0], parts[1], unpacked(parts[2]), {}, unpacked(parts[4])};
        const std::vector<std::string> headers = unpacked(parts[3]);
        for (std::size_t i = 0; i + 1 < headers.size(); i += 2)
            input.headers.emplace_back(headers[i], headers[i + 1]);
        const auto output = nvrtc.compile_here(input);
        if (!output) return packed({output.error().message});
        return packed({output->succeeded ? "1" : "0", output->log, output->ptx, output->cubin});
    });
}

}  // namespace warplens::instrumentation
