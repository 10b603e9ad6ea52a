#include "instrumentation/compile/compiler.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "core/number_text.h"
#include "core/symbol_name.h"
#include "instrumentation/compile/compile_cache.h"
#include "instrumentation/compile/compile_log.h"
#include "instrumentation/compile/cubin_reader.h"
#include "instrumentation/compile/device_source.h"
#include "instrumentation/compile/host_headers.h"
#include "instrumentation/compile/macros.h"
#include "instrumentation/compile/nvrtc_library.h"
#include "instrumentation/compile/relocatable.h"
#include "instrumentation/compile/shipped_ptx.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

/// "sm_90" -> 90, "sm_90a" -> 90; 0 for anything else.
int architecture_of(const std::string& target) {
    if (target.rfind("sm_", 0) != 0) return 0;
    std::string_view left = std::string_view(target).substr(3);
    const auto number = take_number<int>(left);
    const bool whole = left.empty() || (left.size() == 1 && left[0] >= 'a' && left[0] <= 'z');
    return whole ? number.value_or(0) : 0;
}

/// NVRTC writes the source's name into the line table with the working folder before it; the name as given is
/// put back, so that PTX is the same on every machine.
std::string with_plain_file_names(const std::string& ptx, const std::string& name) {
    const std::string tail = fmt::format("/{}", fs::path(name).lexically_normal().string());
    std::string result;
    std::size_t at = 0;
    while (at < ptx.size()) {
        const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
        std::string line = ptx.substr(at, end - at);
        const std::size_t open = line.find('"'), close = line.rfind('"');
        const std::size_t first = line.find_first_not_of(" \t");
        if (first != std::string::npos && line.compare(first, 6, ".file\t") == 0 && open < close) {
            const std::string path = line.substr(open + 1, close - open - 1);
            const bool is_source =
                path.size() >= tail.size() && path.compare(path.size() - tail.size(), tail.size(), tail) == 0;
            if (is_source) line.replace(open + 1, path.size(), name);
        }
        result += line;
        if (end < ptx.size()) result += '\n';
        at = end + 1;
    }
    return result;
}

class NvrtcCompiler final : public Compiler {
  public:
    NvrtcCompiler(std::unique_ptr<NvrtcLibrary> library, std::string cache_folder)
        : library_(std::move(library)), cache_(std::move(cache_folder)) {}

    std::string description() const override { return "NVRTC " + library_->version(); }

    Result<Compiled> compile(const CompileRequest& request) override {
        if (const auto source = source_with_macros(request); !source)
            return fail("{}: {}", request.name, source.error().message);
        WARPLENS_TRY(check_target(request.target));
        DeviceSource source(request, library_->toolkit_include_folders());
        WARPLENS_TRY(source.check_headers());
        const std::string key = key_of(request, source);
        if (!key.empty()) {
            if (auto cached = cache_.find(key)) return std::move(*cached);
        }
        Result<Compiled> compiled = compile_uncached(request, source);
        if (compiled && !key.empty()) cache_.store(key, *compiled);
        return compiled;
    }

  private:
    Status check_target(const std::string& target) const {
        const int wanted = architecture_of(target);
        const std::vector<int>& known = library_->architectures();
        if (std::find(known.begin(), known.end(), wanted) != known.end()) return {};
        std::string names;
        for (const int architecture : known) names += fmt::format(" sm_{}", architecture);
        return fail("{} cannot compile for {}; it can for{}", description(), target, names);
    }

    /// Without what the language has for textures and for launches from the device NVRTC is ready sooner,
    /// with the same code. Whoever may name any of that has all of it.
    static bool leaves_out_libraries(const CompileRequest& request) {
        constexpr std::array names{"cuda", "tex1", "tex2",    "tex3",       "texC",
                                   "surf", "<<<",  "include", "cooperative"};
        const auto names_any = [&](const std::string& text) {
            return std::ranges::any_of(names, [&](const char* name) { return text.find(name) != text.npos; });
        };
        return !names_any(request.source) && std::ranges::none_of(request.defines, names_any) &&
               std::ranges::none_of(request.macros,
                                    [&](const auto& macro) { return names_any(macro.second); });
    }

    /// nvcc's own language, or the next one where the file's words are of that.
    static const char* language_of(const DeviceSource& source) {
        constexpr std::array words{"concept", "concepts", "requires", "consteval", "constinit"};
        const bool newer = std::ranges::any_of(words, [&](const char* word) { return source.says(word); });
        return newer ? "--std=c++20" : "--std=c++17";
    }

    std::vector<std::string> options_for(const CompileRequest& request, const DeviceSource& source) const {
        // With nvcc every file has the names of these: <cuda_runtime.h> brings them.
        std::vector<std::string> options{"--gpu-architecture=" + request.target,
                                         "-lineinfo",
                                         language_of(source),
                                         "--pre-include=sys/types.h",
                                         "--pre-include=cstddef",
                                         "--pre-include=cstdint",
                                         "--pre-include=limits.h",
                                         "--pre-include=cmath"};
        for (const std::string& folder : request.include_paths) options.push_back("--include-path=" + folder);
        for (const std::string& define : request.defines) options.push_back("--define-macro=" + define);
        for (const std::string& folder : library_->toolkit_include_folders()) {
            options.push_back("--include-path=" + folder);
        }
        return options;
    }

    /// Of the first attempt, from which the others follow. Empty where the compiler may read what we cannot
    /// tell.
    std::string key_of(const CompileRequest& request, const DeviceSource& source) const {
        const auto files = source.files_read();
        if (files.empty()) return "";
        std::vector<std::string> parts{description(), request.name};
        const auto add = [&](const std::vector<std::string>& list) {
            parts.push_back(std::to_string(list.size()));
            parts.insert(parts.end(), list.begin(), list.end());
        };
        add(options_for(request, source));
        add(source.kernels());
        add(source.added());
        parts.push_back(std::to_string(files.size()));
        for (const host_code::File& file : files) parts.insert(parts.end(), {file.name, file.text});
        for (const auto& [name, value] : request.macros) parts.insert(parts.end(), {name, value});
        for (const HostHeader& header : host_headers()) parts.insert(parts.end(), {header.name, header.text});
        for (const std::string& folder : library_->toolkit_include_folders()) {
            std::error_code error;  // a toolkit that was installed again has another time
            parts.push_back(std::to_string(fs::last_write_time(folder, error).time_since_epoch().count()));
        }
        return cache_key(parts);
    }

    /// As often as something that the compiler refused, and that is not marked for the device, can be set
    /// aside.
    Result<Compiled> compile_uncached(const CompileRequest& request, DeviceSource& source) const {
        const bool has_toolkit = !library_->toolkit_include_folders().empty();
        std::optional<Error> first;
        bool relocatable = names_relocatable_code(request.source);
        bool minimal = leaves_out_libraries(source.request());
        while (true) {
            auto text = source_with_macros(source.request());
            if (!text) return tl::unexpected(text.error());
            NvrtcInput input{request.name, std::move(*text), options_for(request, source), source.headers(),
                             source.kernels()};
            if (source.has_host_code()) input.options.emplace_back("--device-as-default-execution-space");
            if (relocatable) input.options.emplace_back("--relocatable-device-code=true");
            if (minimal) input.options.emplace_back("--minimal");
            auto output = library_->compile(input);
            // What is wrong is said of the whole language; an older NVRTC does not know the option.
            if (std::exchange(minimal, false) && (!output || !output->succeeded)) continue;
            if (!output) return tl::unexpected(output.error());
            if (output->succeeded) {
                auto compiled = compiled_from(request, std::move(*output), source);
                if (!compiled && first && source.gave_up_lambdas()) return tl::unexpected(std::move(*first));
                return compiled;
            }
            if (!first)
                first = Error{describe_compile_failure(request, output->log, has_toolkit) +
                              source.what_is_missing()};
            source.set_aside(output->log);
            if (source.changed()) continue;
            if (relocatable || !needs_device_runtime(output->log)) return tl::unexpected(std::move(*first));
            relocatable = true;
            first.reset();  // what is wrong with a launch of the device is said of code that may launch
        }
    }

    /// One run gives both: the PTX of sm_90 is that of compute_90, and the machine code says the resources.
    Result<Compiled> compiled_from(const CompileRequest& request, NvrtcOutput output,
                                   const DeviceSource& source) const {
        auto entries = read_cubin(output.cubin);
        if (!entries) return fail("{}: {}{}", request.name, source.why_no_kernel(), source.what_is_missing());
        if (output.ptx.empty()) return fail("{}: {} gave no PTX", request.name, description());
        return Compiled{with_plain_file_names(output.ptx, request.name), std::move(*entries), request.target,
                        description(), std::move(output.cubin)};
    }

    std::unique_ptr<NvrtcLibrary> library_;
    CompileCache cache_;
};

class ShippedCompiler final : public Compiler {
  public:
    ShippedCompiler(std::string folder, std::string reason)
        : folder_(std::move(folder)), reason_(std::move(reason)) {}

    std::string description() const override { return "shipped PTX only: " + reason_; }

    Result<Compiled> compile(const CompileRequest& request) override {
        for (const auto& [name, value] : request.macros) {
            if (const Status status = check_macro(name, value); !status) {
                return fail("{}: {}", request.name, status.error().message);
            }
        }
        if (!request.defines.empty())
            return fail("{}: -D {} means a new compilation, and {}", request.name, request.defines.front(),
                        description());
        return load_shipped(folder_, request);
    }

  private:
    std::string folder_;
    std::string reason_;
};

}  // namespace

std::unique_ptr<Compiler> make_compiler(CompilerOptions options) {
    const std::string shipped =
        options.assets_folder.empty() ? "" : (fs::path(options.assets_folder) / "ptx").string();
    const char* const wanted = std::getenv("WARPLENS_NVRTC");
    if (wanted && std::string_view(wanted) == "off") {
        return std::make_unique<ShippedCompiler>(shipped, "WARPLENS_NVRTC is off");
    }
    if (!options.use_nvrtc) return std::make_unique<ShippedCompiler>(shipped, "NVRTC was switched off");
    auto library = NvrtcLibrary::open(options.keeps_ready);
    if (!library) return std::make_unique<ShippedCompiler>(shipped, library.error().message);
    return std::make_unique<NvrtcCompiler>(std::move(*library), std::move(options.cache_folder));
}

Result<std::string> find_entry(const Compiled& compiled, const std::string& entry) {
    if (compiled.entries.count(entry)) return entry;
    std::vector<std::string> matches;
    std::string names;
    for (const auto& [mangled, resources] : compiled.entries) {
        const std::string qualified = qualified_name(mangled);
        names += (names.empty() ? "" : ", ") + qualified;
        if (entry.empty() || is_called(mangled, entry)) matches.push_back(mangled);
    }
    if (matches.size() == 1) return matches.front();
    if (entry.empty()) return fail("the file has several kernels; name one of {}", names);
    if (matches.empty()) return fail("there is no kernel `{}` in the file; it has {}", entry, names);
    names.clear();
    for (const std::string& match : matches) names += (names.empty() ? "" : ", ") + demangled(match);
    return fail("the kernel name `{}` matches several; say which: {}", entry, names);
}

}  // namespace warplens::instrumentation
