#include "simt/functional/decode/call_fit.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::simt {

namespace {

template <class Parameters>
std::string sizes(const Parameters& parameters) {
    if (parameters.empty()) return "none";
    std::string bytes;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        bytes += fmt::format("{}{}",
                             i == 0                       ? ""
                             : i + 1 == parameters.size() ? " and "
                                                          : ", ",
                             parameters[i].bytes);
    return fmt::format("{} of {} bytes", parameters.size(), bytes);
}

bool alike(const std::vector<CopiedParameter>& actual, const std::vector<ParameterPlace>& formal) {
    return std::ranges::equal(actual, formal, {}, &CopiedParameter::bytes, &ParameterPlace::bytes);
}

}  // namespace

u32 function_at(const DecodedKernel& kernel, u64 address) {
    for (u32 i = 1; i < kernel.functions.size(); ++i)
        if (kernel.functions[i].address_taken && kernel.functions[i].address == address) return i;
    return no_index;
}

bool fits(const CallSite& site, const DecodedFunction& function) {
    return alike(site.arguments, function.parameters) && alike(site.results, function.results);
}

std::string misfit(const CallSite& site, const DecodedFunction& function) {
    if (!alike(site.arguments, function.parameters))
        return fmt::format("it takes {}, but gets {}", sizes(function.parameters), sizes(site.arguments));
    return fmt::format("it returns {}, but the call expects {}", sizes(function.results),
                       sizes(site.results));
}

}  // namespace warplens::simt
