// libFuzzer target: any text as the compiler's log, which quotes the user's source, and as a symbol's name. A
// person gets one sentence that names the file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/symbol_name.h"
#include "instrumentation/compile/compile_log.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens;
    const std::string text(reinterpret_cast<const char*>(data), size);
    instrumentation::CompileRequest request;
    request.name = "fuzzed.cu";
    request.source = text;
    const std::string said = instrumentation::describe_compile_failure(request, text);
    if (said.empty() || said.find('\n') != std::string::npos) __builtin_trap();
    demangled(text);
    qualified_name(text);
    plain_name(text);
    return 0;
}
