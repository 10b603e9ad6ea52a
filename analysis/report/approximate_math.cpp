#include "analysis/report/approximate_math.h"

#include <algorithm>

namespace warplens::analysis {
namespace {

constexpr std::string_view everywhere = "all operands";

constexpr ApproximationBound bounds[] = {
    {"div", "approx", "f32", "2 ulp", "divisors of 2^-126 to 2^126 in magnitude", "0.51 ulp"},
    {"div", "full", "f32", "2 ulp", everywhere, "0.51 ulp"},
    {"rcp", "approx", "f32", "1 ulp", everywhere, "0.51 ulp"},
    {"sqrt", "approx", "f32", "2^-22 relative", "positive operands", "2^-23 relative"},
    {"rsqrt", "approx", "f32", "2^-22 relative", "positive operands", "2^-22.9 relative"},
    {"ex2", "approx", "f32", "2 ulp", everywhere, "0.51 ulp"},
    {"lg2", "approx", "f32", "2^-22, absolute from 0.5 to 2 and relative elsewhere", "positive operands",
     "2^-24 absolute, 2^-23 relative"},
    {"sin", "approx", "f32", "2^-20.5 absolute", "-π to π; elsewhere no bound is specified",
     "2^-24 absolute"},
    {"cos", "approx", "f32", "2^-20.5 absolute", "-π to π; elsewhere no bound is specified",
     "2^-24 absolute"},
    {"tanh", "approx", "f32", "2^-11 relative", everywhere, "2^-23 relative"},
    {"rcp", "approx", "f64", "2^-19 relative", "normal numbers", "2^-19.9 relative"},
    {"rsqrt", "approx", "f64", "2^-22 relative", "positive operands", "2^-52 relative"},
    {"ex2", "approx", "f16", "2^-9.9 relative", everywhere, "0.51 ulp"},
    {"ex2", "approx", "f16x2", "2^-9.9 relative", everywhere, "0.51 ulp"},
    {"ex2", "approx", "bf16", "2^-7 relative", everywhere, "0.51 ulp"},
    {"ex2", "approx", "bf16x2", "2^-7 relative", everywhere, "0.51 ulp"},
    {"tanh", "approx", "f16", "2^-10.9 absolute", everywhere, "0.51 ulp"},
    {"tanh", "approx", "f16x2", "2^-10.9 absolute", everywhere, "0.51 ulp"},
    {"tanh", "approx", "bf16", "2^-8 absolute", everywhere, "0.51 ulp"},
    {"tanh", "approx", "bf16x2", "2^-8 absolute", everywhere, "0.51 ulp"},
};

/// The form that reads only the upper half of its operand.
constexpr ApproximationBound rsqrt_of_the_upper_half{"rsqrt",          "approx",         "f64",
                                                     "2^-19 relative", "normal numbers", "2^-19.9 relative"};

bool has_word(std::string_view form, std::string_view word) {
    while (!form.empty()) {
        const std::size_t end = std::min(form.find('.'), form.size());
        if (form.substr(0, end) == word) return true;
        form.remove_prefix(std::min(end + 1, form.size()));
    }
    return false;
}

}  // namespace

const ApproximationBound* approximation_bound(std::string_view form) {
    const std::string_view opcode = form.substr(0, form.find('.'));
    if (opcode == "rsqrt" && has_word(form, "f64") && has_word(form, "ftz")) return &rsqrt_of_the_upper_half;
    for (const ApproximationBound& row : bounds)
        if (row.opcode == opcode && has_word(form, row.word) && has_word(form, row.type)) return &row;
    return nullptr;
}

std::vector<Approximation> approximations(const LaunchReport& report, const Program& program) {
    std::vector<Approximation> found;
    for (const SiteReport& site : report.sites) {
        if (site.steps == 0 || site.site >= program.sites.size()) continue;
        const std::string& form = program.sites[site.site].opcode;
        const ApproximationBound* bound = approximation_bound(form);
        if (bound == nullptr) continue;
        auto same = std::ranges::find(found, form, &Approximation::form);
        if (same == found.end()) same = found.insert(found.end(), {form, bound, 0, {}});
        same->steps += site.steps;
        same->sites.push_back(site.site);
    }
    return found;
}

}  // namespace warplens::analysis
