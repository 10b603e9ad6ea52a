// libFuzzer target: any bytes at all either parse or give a message; what parses prints back to itself, and
// its kernels can be numbered. Seeds are in corpus_ptx/.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ptx/control_flow.h"
#include "ptx/parser.h"
#include "ptx/printer.h"
#include "ptx/program.h"

namespace {

void require(bool holds, std::string_view what) {
    if (holds) return;
    std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto module = ptx::parse(text, "fuzz.ptx");
    if (!module) {
        require(!module.error().message.empty(), "an error without a message");
        return 0;
    }
    const auto again = ptx::parse(ptx::print(*module), "printed");
    require(again.has_value(), again ? "" : again.error().message);
    require(*module == *again, "the printed module parses to another one");
    for (const ptx::Function& function : module->functions)
        ptx::is_irreducible(ptx::build_control_flow(function));
    for (const ptx::Function* entry : module->entries())
        if (const auto numbered = ptx::number_sites(*module, entry->name, ""); !numbered)
            require(numbered.error().message.find("shared memory") != std::string::npos,
                    "an entry that cannot be numbered");
    return 0;
}
