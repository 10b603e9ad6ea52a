// The source names of mangled symbols: functions, kernels and shared arrays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// "transpose(float*)::tile" of "_ZZ9transposePfE4tile"; the symbol itself where it is not mangled.
std::string demangled(std::string_view symbol);

/// "sums::reduce<256>" of "void sums::reduce<256>(float*)": no result type, no arguments.
std::string qualified_name(std::string_view symbol);

/// "tile" of the first, "reduce" of "void sums::reduce<256>(float*)": no scope, arguments or template
/// arguments.
std::string plain_name(std::string_view symbol);

/// Whether a person may call the kernel so: "reduce", "sums::reduce<256>", "scale(float2*, int)". Spaces do
/// not matter, nor does const in front of or after a parameter's type.
bool is_called(std::string_view symbol, std::string_view name);

/// What stands between the outermost < and > of "reduce<int, (unsigned int)512>", a name that is not mangled;
/// none where it has none.
std::vector<std::string> template_arguments(std::string_view name);

}  // namespace warplens
