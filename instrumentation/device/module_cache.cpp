#include "instrumentation/device/module_cache.h"

#include <algorithm>
#include <vector>

#include "instrumentation/device/wire.h"

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

namespace {

constexpr std::size_t most_modules = 64;

/// "8.7" of ".version 8.7"; "?" when there is none.
std::string_view version_of(std::string_view ptx) {
    constexpr std::string_view word = ".version";
    std::size_t at = ptx.find(word);
    if (at == std::string_view::npos) return "?";
    at = ptx.find_first_not_of(" \t", at + word.size());
    if (at == std::string_view::npos) return "?";
    return ptx.substr(at, ptx.find_first_of(" \t\r\n;", at) - at);
}

}  // namespace

std::string first_lines(std::string_view log, int count) {
    std::string text;
    while (!log.empty() && count > 0) {
        const std::size_t end = std::min(log.find('\n'), log.size());
        std::string_view line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        if (line.empty()) continue;
        text += text.empty() ? "" : "; ";
        text += line;
        --count;
    }
    return text;
}

struct ModuleCache::Attempt {
    cuda::Code code = cuda::success;
    cuda::Module module = nullptr;
    std::vector<char> log = std::vector<char>(16 * 1024, '\0');
};

bool ModuleCache::load(const std::vector<ModuleText>& modules) {
    const Clock::time_point begun = Clock::now();
    std::vector<Attempt> attempts(modules.size());
    for (std::size_t i = 0; i < modules.size(); ++i) {
        Attempt& one = attempts[i];
        int options[] = {cuda::error_log, cuda::error_log_bytes};
        void* values[] = {one.log.data(),
                          reinterpret_cast<void*>(static_cast<std::uintptr_t>(one.log.size() - 1))};
        one.code = calls_.driver().load_module(&one.module, modules[i].image.c_str(), 2, options, values);
    }
    load_ms_ += std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    bool good = true;
    for (std::size_t i = 0; i < modules.size(); ++i) good = keep(modules[i], attempts[i]) && good;
    return good;
}

bool ModuleCache::keep(const ModuleText& text, const Attempt& attempt) {
    const cuda::Code code = attempt.code;
    const std::string& image = text.image;
    calls_.set_subject(text.subject);
    switch (code) {
        case cuda::success:
            break;
        case cuda::unsupported_ptx_version:
            return calls_.fail_with(
                Kind::load_failed,
                fmt::format(
                    "the PTX of {} is of version {}, which this driver ({}) is too old for: install a newer "
                    "driver, or compile with an older toolkit",
                    calls_.subject(), version_of(image), calls_.driver_text()));
        case cuda::no_binary_for_gpu:
        case cuda::invalid_image:
        case cuda::invalid_ptx:
        case cuda::jit_compiler_not_found:
        case cuda::jit_compilation_disabled: {
            const std::string said = first_lines(attempt.log.data(), 4);
            return calls_.fail_with(
                Kind::load_failed,
                fmt::format("the driver cannot assemble the PTX of {} ({}){}{}", calls_.subject(),
                            calls_.driver().name_of(code), said.empty() ? "" : ": ", said));
        }
        default:
            return calls_.ok(code, "loading a module");
    }
    modules_[text.hash] = {attempt.module, ++uses_};
    return true;
}

cuda::Function ModuleCache::find(const std::string& hash, const std::string& entry) {
    const auto found = modules_.find(hash);
    cuda::Function function = nullptr;
    if (found == modules_.end()) {
        calls_.fail_with(Kind::protocol, fmt::format("the module of {} did not come", calls_.subject()));
        return nullptr;
    }
    found->second.used = ++uses_;
    const cuda::Code code = calls_.driver().find_function(&function, found->second.module, entry.c_str());
    if (code == cuda::not_found) {
        calls_.fail_with(Kind::load_failed, fmt::format("the module has no kernel {}", entry));
        return nullptr;
    }
    return calls_.ok(code, "looking the kernel up") ? function : nullptr;
}

void ModuleCache::trim() {
    while (modules_.size() > most_modules) {
        const auto oldest =
            std::min_element(modules_.begin(), modules_.end(),
                             [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
        calls_.driver().unload_module(oldest->second.module);
        modules_.erase(oldest);
    }
}

double ModuleCache::take_load_ms() { return std::exchange(load_ms_, 0.0); }

bool prepare_kernel(DeviceCalls& calls, cuda::Function function, const LaunchGeometry& geometry,
                    GpuKernelFacts& facts) {
    const cuda::CudaDriver& driver = calls.driver();
    const auto ask = [&](cuda::FunctionAttribute which, int& value) {
        return calls.ok(driver.function_attribute(&value, which, function), "asking about the kernel");
    };
    int most_threads = 0;
    if (!ask(cuda::registers, facts.registers) || !ask(cuda::local_bytes, facts.local_bytes) ||
        !ask(cuda::shared_static_bytes, facts.shared_static_bytes) || !ask(cuda::max_threads, most_threads)) {
        return false;
    }
    if (geometry.block.count() > static_cast<std::uint64_t>(most_threads)) {
        return calls.fail_with(
            Kind::launch_refused,
            fmt::format(
                "{} cannot be launched: with {} registers per thread a block has at most {} threads on this "
                "GPU, and the launch has {}",
                calls.subject(), facts.registers, most_threads, geometry.block.count()));
    }
    const std::uint64_t shared =
        static_cast<std::uint64_t>(facts.shared_static_bytes) + geometry.dynamic_shared_bytes;
    const auto most_shared = static_cast<std::uint64_t>(calls.attribute(cuda::shared_bytes_opt_in));
    if (shared > most_shared) {
        return calls.fail_with(
            Kind::launch_refused,
            fmt::format(
                "{} cannot be launched: a block needs {} bytes of shared memory, and this GPU has {} for one",
                calls.subject(), shared, most_shared));
    }
    const int dynamic = static_cast<int>(geometry.dynamic_shared_bytes);
    if (dynamic > 0 &&
        !calls.ok(driver.set_function_attribute(function, cuda::max_dynamic_shared_bytes, dynamic),
                  "asking for dynamic shared memory")) {
        return false;
    }
    return calls.ok(driver.resident_blocks(&facts.blocks_per_sm, function, geometry.threads_per_block(),
                                           geometry.dynamic_shared_bytes),
                    "asking how many blocks an SM holds");
}

}  // namespace warplens::instrumentation
