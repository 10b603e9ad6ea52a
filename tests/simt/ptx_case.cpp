#include "tests/simt/ptx_case.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "ptx/types.h"
#include "tests/support/folders.h"

namespace warplens {

namespace {

constexpr std::string_view comment_mark = "// ";

struct FloatParts {
    int mantissa_bits = 0;
    int bits = 0;  // 0: no floating-point type
};

FloatParts float_parts(std::string_view type) {
    if (type == "f16") return {10, 16};
    if (type == "bf16") return {7, 16};
    if (type == "f32") return {23, 32};
    if (type == "f64") return {52, 64};
    return {};
}

bool is_nan(FloatParts parts, std::uint64_t value) {
    const std::uint64_t magnitude = value & ((std::uint64_t{1} << (parts.bits - 1)) - 1);
    const std::uint64_t mantissa = (std::uint64_t{1} << parts.mantissa_bits) - 1;
    const std::uint64_t infinity = ((std::uint64_t{1} << (parts.bits - 1)) - 1) & ~mantissa;
    return magnitude > infinity;
}

double to_double(FloatParts parts, std::uint64_t value) {
    if (parts.bits == 64) return std::bit_cast<double>(value);
    if (parts.bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    const int bias = (1 << (parts.bits - 2 - parts.mantissa_bits)) - 1;
    const auto magnitude = static_cast<int>(value & 0x7fffu);
    const int exponent = std::max(magnitude >> parts.mantissa_bits, 1);
    const int steps = magnitude - ((exponent - 1) << parts.mantissa_bits);
    const double number = std::ldexp(steps, exponent - bias - parts.mantissa_bits);
    return (value & 0x8000u) != 0 ? -number : number;
}

/// Bits as a number that grows with the value, so that differences count steps between neighbours.
std::int64_t step_number(FloatParts parts, std::uint64_t value) {
    const std::uint64_t sign = std::uint64_t{1} << (parts.bits - 1);
    const auto magnitude = static_cast<std::int64_t>(value & (sign - 1));
    return (value & sign) != 0 ? -magnitude : magnitude;
}

/// "2^-22" or "0.5".
double bound_from(const std::string& text) {
    if (text.rfind("2^", 0) == 0) return std::exp2(std::strtod(text.c_str() + 2, nullptr));
    return std::strtod(text.c_str(), nullptr);
}

Result<PtxCaseResult> read_result(std::istringstream& words) {
    PtxCaseResult result;
    words >> result.type;
    if (bytes_of_ptx_type(result.type) == 0) return fail("result of unknown type '{}'", result.type);
    std::string word;
    bool in_bound = false;
    std::vector<std::string> bound;
    while (words >> word) {
        if (word == "within") in_bound = true;
        else if (in_bound) bound.push_back(word);
        else result.form += (result.form.empty() ? "" : " ") + word;
    }
    if (!in_bound) return result;
    if (bound.size() != 2 || float_parts(result.type).bits == 0)
        return fail("'{}' has a bound that is neither N ulp, absolute 2^N nor relative 2^N", result.form);
    if (bound[1] == "ulp") {
        result.nearness = Nearness::ulp;
        result.tolerance = bound_from(bound[0]);
    } else {
        result.nearness = bound[0] == "absolute" ? Nearness::absolute : Nearness::relative;
        result.tolerance = bound_from(bound[1]);
    }
    return result;
}

Result<PtxCaseRow> read_row(const std::string& line, const PtxCase& ptx_case) {
    PtxCaseRow row;
    std::istringstream words(line);
    std::string word;
    bool behind_colon = false;
    while (words >> word) {
        if (word == ":") {
            behind_colon = true;
            continue;
        }
        ExpectedValue value;
        value.any_nan = word == "nan";
        if (!value.any_nan) {
            char* end = nullptr;
            value.bits = std::strtoull(word.c_str(), &end, 16);
            if (*end != '\0') return fail("'{}' in {} is not a hexadecimal number", word, ptx_case.name);
        }
        if (behind_colon) row.results.push_back(value);
        else row.inputs.push_back(value.bits);
    }
    if (row.inputs.size() != ptx_case.input_types.size() || row.results.size() != ptx_case.results.size())
        return fail("row '{}' of {} has not as many values as the lines above say", line, ptx_case.name);
    return row;
}

/// One line of the comment before `rows`.
Status read_property(const std::string& line, PtxCase& ptx_case) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "in") {
        std::string type;
        while (words >> type) ptx_case.input_types.push_back(type);
    } else if (key == "out") {
        auto result = read_result(words);
        if (!result) return tl::unexpected(result.error());
        ptx_case.results.push_back(std::move(*result));
    } else if (key == "block") {
        words >> ptx_case.block.x >> ptx_case.block.y >> ptx_case.block.z;
    } else if (key == "dynamic_shared") {
        words >> ptx_case.dynamic_shared_bytes;
    } else if (key == "problem") {
        words >> ptx_case.problem;
    } else if (key == "argument") {
        PtxCaseArgument argument;
        words >> argument.type >> std::hex >> argument.bits;
        ptx_case.arguments.push_back(argument);
    } else {
        return fail("'{}' in {} is none of in, out, block, dynamic_shared, problem, argument, rows", key,
                    ptx_case.name);
    }
    return {};
}

}  // namespace

int bytes_of_ptx_type(std::string_view type) {
    const auto found = ptx::type_from(type);
    return found ? ptx::size_of(*found) : 0;
}

std::filesystem::path ptx_case_folder() { return std::filesystem::path(source_folder()) / "tests/ptx_cases"; }

std::vector<std::string> ptx_case_files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(ptx_case_folder()))
        if (entry.path().extension() == ".ptx") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

Result<std::vector<PtxCase>> read_ptx_cases(std::string_view text) {
    std::vector<PtxCase> cases;
    std::istringstream lines{std::string(text)};
    std::string line;
    enum class Part : std::uint8_t { code, properties, rows } part = Part::code;
    while (std::getline(lines, line)) {
        if (!line.starts_with(comment_mark)) {
            part = Part::code;
            continue;
        }
        const std::string content = line.substr(comment_mark.size());
        if (content.starts_with("case ")) {
            part = Part::properties;
            cases.emplace_back().name = content.substr(5);
            cases.back().block = {0, 1, 1};
        } else if (part == Part::properties && content == "rows") {
            part = Part::rows;
        } else if (part == Part::properties) {
            if (auto read = read_property(content, cases.back()); !read) return tl::unexpected(read.error());
        } else if (part == Part::rows) {
            auto row = read_row(content, cases.back());
            if (!row) return tl::unexpected(row.error());
            cases.back().rows.push_back(std::move(*row));
        }
    }
    for (PtxCase& ptx_case : cases) {
        if (ptx_case.block.x == 0) ptx_case.block.x = static_cast<std::uint32_t>(ptx_case.rows.size());
        if (ptx_case.block.count() != ptx_case.rows.size() || ptx_case.rows.empty())
            return fail("{} has {} rows for a block of {}", ptx_case.name, ptx_case.rows.size(),
                        to_string(ptx_case.block));
    }
    return cases;
}

bool is_as_expected(const PtxCaseResult& result, const ExpectedValue& expected, std::uint64_t got) {
    const FloatParts parts = float_parts(result.type);
    if (expected.any_nan) return parts.bits != 0 && is_nan(parts, got);
    if (got == expected.bits) return true;
    if (result.nearness == Nearness::exact || is_nan(parts, got)) return false;
    const double wanted = to_double(parts, expected.bits);
    const double value = to_double(parts, got);
    // Zeros, infinities and NaNs are always meant exactly.
    if (wanted == 0 || !std::isfinite(wanted) || !std::isfinite(value)) return false;
    switch (result.nearness) {
        case Nearness::ulp: {
            const std::int64_t steps = step_number(parts, got) - step_number(parts, expected.bits);
            return std::abs(static_cast<double>(steps)) <= result.tolerance;
        }
        case Nearness::absolute:
            return std::abs(value - wanted) <= result.tolerance;
        default:
            return std::abs(value - wanted) <= result.tolerance * std::abs(wanted);
    }
}

}  // namespace warplens
