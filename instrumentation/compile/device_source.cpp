#include "instrumentation/compile/device_source.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "instrumentation/compile/compile_log.h"
#include "instrumentation/compile/host_headers.h"
#include "instrumentation/host_code/lambdas.h"
#include "instrumentation/host_code/launches.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_attempts = 8;

/// NVRTC takes this byte, which no UTF-8 text has, for the end of the file.
constexpr char taken_for_end = '\xff';

/// Of the toolkit, but for host code alone.
constexpr std::array<std::string_view, 20> host_libraries{"cublas",
                                                          "cufft",
                                                          "cusparse",
                                                          "cusolver",
                                                          "curand.h",
                                                          "nvToolsExt",
                                                          "nvtx3",
                                                          "nvrtc",
                                                          "npp",
                                                          "cudnn",
                                                          "nccl",
                                                          "cuda.h",
                                                          "cudaProfiler",
                                                          "cuda_profiler_api.h",
                                                          "cuda_gl_interop.h",
                                                          "cuda_occupancy.h",
                                                          "helper_",
                                                          "cudaGL",
                                                          "driver_types.h",
                                                          "nvml"};

/// Large, and with device code of their own that few kernels use.
constexpr std::array<std::string_view, 2> template_libraries{"thrust", "cub"};

}  // namespace

DeviceSource::DeviceSource(CompileRequest request, std::vector<std::string> toolkit_folders)
    : request_(std::move(request)), toolkit_folders_(std::move(toolkit_folders)), defines_(request_.defines) {
    for (const auto& [name, value] : request_.macros) defines_.push_back(name + "=" + value);
    SourceFiles read = source_and_headers(request_.name, request_.source, request_.include_paths);
    files_ = std::move(read.files);
    unusable_ = std::move(read.unusable);
    complete_ = read.complete;
    on_disk_ = files_;
    for (host_code::File& file : files_) std::ranges::replace(file.text, taken_for_end, '?');
    const host_code::HostCode host = host_code::read_host_code(files_, defines_);
    for (const std::string& lambda : host.lambdas) lambdas_ += lambda;
    files_.front().text += lambdas_;
    std::vector<std::pair<std::string, std::string>> initializers = request_.initializers;
    for (const auto& [name, variable] : host.copied_symbols) {
        const bool known =
            std::ranges::find(initializers, name, &std::pair<std::string, std::string>::first) !=
            initializers.end();
        auto text = known ? std::nullopt : host_code::initializer_of(variable);
        if (text) initializers.emplace_back(name, std::move(*text));
    }
    added_ = {lambdas_};
    for (const auto& [name, text] : initializers) added_.insert(added_.end(), {name, text});
    if (!initializers.empty()) host_code::add_initializers(files_, initializers);
    for (const host_code::HostLaunch& launch : host.launches) {
        const bool needs_name = !launch.template_arguments.empty() || launch.is_local;
        if (needs_name && std::ranges::find(kernels_, launch.expression()) == kernels_.end())
            kernels_.push_back(launch.expression());
    }
    separate();
    if (!code_.changed) kernels_.clear();
}

void DeviceSource::separate() {
    const auto exists = [&](std::string_view name) {
        return std::ranges::any_of(toolkit_folders_, [&](const std::string& folder) {
            std::error_code error;
            return fs::is_regular_file(fs::path(folder) / name, error);
        });
    };
    const auto may_include = [&](std::string_view name, const std::set<std::string_view>& words) {
        const auto known = std::ranges::find(
            host_headers(), name, [](const HostHeader& header) { return std::string_view(header.name); });
        if (known != host_headers().end())
            return known->needs == nullptr || (words.contains("std") && exists(known->needs));
        const auto begins = [&](std::string_view with) { return name.starts_with(with); };
        if (std::ranges::any_of(host_libraries, begins)) return false;
        for (const std::string_view library : template_libraries)
            if (begins(std::string(library) + "/") && !words.contains(library)) return false;
        // Without a toolkit its headers stay, and the compiler's message names them.
        return exists(name) || (toolkit_folders_.empty() && is_of_toolkit(name));
    };
    code_ = host_code::device_code(files_, defines_, may_include, refused_, kernels_);
    request_.source = code_.files.front().text;
}

std::vector<std::pair<std::string, std::string>> DeviceSource::headers() const {
    std::vector<std::pair<std::string, std::string>> headers;
    for (std::size_t i = 1; i < files_.size(); ++i)
        if (code_.files[i].text != on_disk_[i].text)
            headers.emplace_back(code_.files[i].name, code_.files[i].text);
    return headers;
}

void DeviceSource::set_aside(const std::string& log) {
    changed_ = false;
    const auto before = std::pair{code_.files.front().text, headers()};
    const std::size_t kernels = kernels_.size();
    const std::size_t places = refused_.size();
    for (const Diagnostic& diagnostic : read_compile_log(log)) {
        if (!diagnostic.is_error || is_endless_include(diagnostic)) continue;
        if (diagnostic.file.starts_with("__nv_name_map")) {
            // The quoted line is "#pragma nv_mangled_name EXPRESSION".
            std::erase_if(kernels_, [&](const std::string& kernel) {
                return diagnostic.quoted.find(kernel) != std::string::npos;
            });
            continue;
        }
        for (std::uint32_t file = 0; file < files_.size(); ++file)
            if (diagnostic.file == files_[file].name ||
                (file != 0 && fs::path(diagnostic.file).filename() == fs::path(files_[file].name).filename()))
                refused_.insert({file, static_cast<std::uint32_t>(std::max(diagnostic.line, 0))});
    }
    if (refused_.size() == places && kernels_.size() == kernels && lambdas_.empty()) return;
    if (++attempts_ > most_attempts) return;
    separate();
    changed_ = std::pair{code_.files.front().text, headers()} != before || kernels_.size() != kernels;
    if (changed_ || lambdas_.empty()) return;
    // What a lambda names may not be known where its structure is; other kernels are still available.
    files_.front().text.resize(files_.front().text.size() - lambdas_.size());
    lambdas_.clear();
    std::erase_if(kernels_, [](const std::string& kernel) {
        return kernel.find(host_code::lambda_name) != std::string::npos;
    });
    separate();
    changed_ = gave_up_lambdas_ = true;
}

bool DeviceSource::says(std::string_view word) const {
    return std::ranges::any_of(files_,
                               [&](const host_code::File& file) { return has_word(file.text, word); });
}

Status DeviceSource::check_headers() const {
    for (const host_code::SetAsideInclude& include : code_.includes) {
        const auto found = std::ranges::find(unusable_, include.name, &UnusableHeader::name);
        if (found != unusable_.end())
            return fail("{}:{}: includes {}, and {}", files_[include.file].name, include.line, include.name,
                        found->reason);
    }
    return {};
}

std::string DeviceSource::why_no_kernel() const {
    if (code_.template_kernels.empty()) return "the file has no kernel: it needs a __global__ function";
    const std::string& kernel = code_.template_kernels.front();
    return fmt::format(
        "no kernel was compiled: {0} is a template, and no launch says with which arguments, in a "
        "form that can be followed; name an instance after the kernel: "
        "template __global__ void {0}<…>(…);",
        kernel);
}

std::string DeviceSource::what_is_missing() const {
    const std::string& device_code = code_.files.front().text;
    // <torch/extension.h> of a kernel that takes a torch::PackedTensorAccessor32
    const auto is_used = [&](const std::string& name) {
        const std::size_t slash = name.find('/');
        return slash != std::string::npos && has_word(device_code, name.substr(0, slash)) &&
               device_code.find(name.substr(0, slash) + "::") != std::string::npos;
    };
    std::string text;
    for (const host_code::SetAsideInclude& header : code_.includes)
        if (header.file == 0 && !header.name.starts_with("helper_") &&
            (header.quoted || is_used(header.name)))
            text += fmt::format("; {} in line {} was not found and was set aside: give its folder with -I",
                                header.name, header.line);
    return text;
}

}  // namespace warplens::instrumentation
