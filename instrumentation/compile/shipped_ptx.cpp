#include "instrumentation/compile/shipped_ptx.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/json_text.h"
#include "core/number_text.h"
#include "core/read_file.h"
#include "instrumentation/compile/packed_bytes.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;
namespace {

constexpr std::string_view install_hint =
    "install NVRTC (part of NVIDIA's CUDA Toolkit; no GPU is needed) to compile it";

Result<std::string> file_text(const fs::path& path) { return read_file(path); }

Status write_text(const fs::path& path, const std::string& text) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) return fail("{} cannot be written", path.string());
    return {};
}

constexpr std::size_t most_cubin_bytes = 16 << 20;  // the largest that is shipped has less than 0.1 MiB

/// How far two values are apart: numbers by their ratio, words by being different.
double distance(const std::string& a, const std::string& b) {
    if (a == b) return 0;
    const auto x = number_from<double>(a), y = number_from<double>(b);
    return x && y ? 1 + std::abs(std::log2((1 + std::abs(*x)) / (1 + std::abs(*y)))) : 2;
}

std::string nearest_combinations(const ShippedKernel& shipped, const Macros& wanted) {
    std::vector<std::pair<double, std::string>> ranked;
    for (const ShippedKernel::Combination& candidate : shipped.combinations) {
        double total = 0;
        for (const auto& [name, value] : candidate.macros) {
            const auto same = std::find_if(wanted.begin(), wanted.end(),
                                           [&name = name](const auto& macro) { return macro.first == name; });
            total += same == wanted.end() ? 10 : distance(same->second, value);
        }
        ranked.emplace_back(total, combination_name(candidate.macros));
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (std::size_t i = 0; i < ranked.size() && i < 3; ++i) text += (i ? "; " : "") + ranked[i].second;
    return text;
}

}  // namespace

std::string combination_name(const Macros& macros) {
    std::string name;
    for (const auto& [macro, value] : macros)
        name += fmt::format("{}{}={}", name.empty() ? "" : ",", macro, value);
    return name.empty() ? "default" : name;
}

std::string source_hash(const std::string& source) {
    const XXH128_hash_t hash = XXH3_128bits(source.data(), source.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<ShippedKernel> read_shipped_kernel(const std::string& folder, const std::string& kernel) {
    const fs::path path = fs::path(folder) / (kernel + ".json");
    WARPLENS_TRY(const auto text, file_text(path));
    const auto json = parse_json(text);
    if (!json) return fail("{} is not JSON", path.string());
    std::string missing;  // the first member
    const auto member = [&](const Json& from, const char* name, auto is) -> const Json& {
        const Json& found = from[name];
        if (missing.empty() && !(found.*is)()) missing = name;
        return found;
    };
    const auto number = [&](const Json& from, const char* name) {
        return static_cast<std::uint32_t>(member(from, name, &Json::is_unsigned).as_unsigned());
    };
    ShippedKernel shipped;
    shipped.source_hash = member(*json, "source_hash", &Json::is_string).as_string();
    shipped.compiler = member(*json, "compiler", &Json::is_string).as_string();
    shipped.target = member(*json, "target", &Json::is_string).as_string();
    for (const Json& listed : member(*json, "combinations", &Json::is_array)) {
        ShippedKernel::Combination& combination = shipped.combinations.emplace_back();
        for (const auto& [name, value] : member(listed, "macros", &Json::is_object).members())
            combination.macros.emplace_back(name, value.as_string());
        for (const auto& [name, entry] : member(listed, "entries", &Json::is_object).members())
            combination.entries[name] = {number(entry, "registers_per_thread"),
                                         number(entry, "shared_static_bytes"), number(entry, "stack_bytes")};
    }
    if (!missing.empty()) return fail("{} is damaged: `{}` is missing", path.string(), missing);
    return shipped;
}

Status write_shipped_kernel(const std::string& folder, const std::string& kernel,
                            const ShippedKernel& shipped) {
    Json json;
    json["source_hash"] = shipped.source_hash;
    json["compiler"] = shipped.compiler;
    json["target"] = shipped.target;
    json["combinations"] = Json::array();
    for (const ShippedKernel::Combination& combination : shipped.combinations) {
        Json listed;
        listed["macros"] = Json::object();
        for (const auto& [name, value] : combination.macros) listed["macros"][name] = value;
        for (const auto& [name, entry] : combination.entries) {
            listed["entries"][name] = {{"registers_per_thread", entry.registers_per_thread},
                                       {"shared_static_bytes", entry.shared_static_bytes},
                                       {"stack_bytes", entry.stack_bytes}};
        }
        json["combinations"].push_back(std::move(listed));
    }
    return write_text(fs::path(folder) / (kernel + ".json"), json_text(json, 1) + "\n");
}

std::vector<std::string> shipped_code_files(const std::string& kernel, const Macros& macros) {
    const std::string name = (fs::path(kernel) / combination_name(macros)).string();
    return {name + ".ptx", name + ".cubin.zst"};
}

Result<ShippedCode> read_shipped_code(const std::string& folder, const std::string& kernel,
                                      const Macros& macros) {
    const auto files = shipped_code_files(kernel, macros);
    WARPLENS_TRY(auto ptx, file_text(fs::path(folder) / files[0]));
    const fs::path path = fs::path(folder) / files[1];
    WARPLENS_TRY(const auto stored, file_text(path));
    auto cubin = unpacked(stored, most_cubin_bytes);
    if (!cubin) return fail("{} is damaged: {}", path.string(), cubin.error().message);
    return ShippedCode{std::move(ptx), std::move(*cubin)};
}

Status write_shipped_code(const std::string& folder, const std::string& kernel, const Macros& macros,
                          const ShippedCode& code) {
    const auto files = shipped_code_files(kernel, macros);
    WARPLENS_TRY(write_text(fs::path(folder) / files[0], code.ptx));
    return write_text(fs::path(folder) / files[1], packed(code.cubin));
}

Result<Compiled> load_shipped(const std::string& folder, const CompileRequest& request) {
    const std::string kernel = fs::path(request.name).stem().string();
    std::error_code error;
    if (folder.empty() || !fs::exists(fs::path(folder) / (kernel + ".json"), error)) {
        return fail("{}: libnvrtc is not in use, and no PTX is shipped for this file; {}", request.name,
                    install_hint);
    }
    WARPLENS_TRY(const auto shipped, read_shipped_kernel(folder, kernel));
    if (shipped.source_hash != source_hash(request.source)) {
        return fail("{}: libnvrtc is not in use, and this file is not the one whose PTX is shipped; {}",
                    request.name, install_hint);
    }
    if (shipped.target != request.target) {
        return fail("{}: libnvrtc is not in use, and PTX is shipped for {} only, not for {}; {}",
                    request.name, shipped.target, request.target, install_hint);
    }
    Macros wanted = request.macros;
    std::sort(wanted.begin(), wanted.end());
    const auto found =
        std::find_if(shipped.combinations.begin(), shipped.combinations.end(),
                     [&](const ShippedKernel::Combination& candidate) { return candidate.macros == wanted; });
    if (found == shipped.combinations.end()) {
        return fail("{}: libnvrtc is not in use, and no PTX is shipped for {} (nearest: {}); {}",
                    request.name, combination_name(wanted), nearest_combinations(shipped, wanted),
                    install_hint);
    }
    WARPLENS_TRY(auto code, read_shipped_code(folder, kernel, found->macros));
    return Compiled{std::move(code.ptx), found->entries, shipped.target, "shipped PTX",
                    std::move(code.cubin)};
}

}  // namespace warplens::instrumentation
