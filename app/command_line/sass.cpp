// `warplens sass FILE.cubin`: the machine code of a cubin's functions, one instruction per line, with offset,
// control fields and source line.
#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "app/command_line/commands.h"
#include "sass/program.h"

namespace warplens::app {

namespace {

/// "B0-----:R-:W2:-:S04": scoreboards waited for, set when read and when written, yield, stall count.
std::string control_text(const sass::Control& control) {
    std::string wait;
    for (int i = 0; i < 6; ++i) wait += control.wait_mask >> i & 1 ? static_cast<char>('0' + i) : '-';
    const auto board = [](int number) { return number == 7 ? std::string("-") : std::to_string(number); };
    return fmt::format("B{}:R{}:W{}:{}:S{:02}", wait, board(control.read_scoreboard),
                       board(control.write_scoreboard), control.yield ? 'Y' : '-', control.stall);
}

void print_function(const sass::CubinFunction& function, const sass::MachineProgram& machine) {
    fmt::print("{} {}  sm_{}  {} registers, {} B shared, {} B stack, {} instructions\n",
               function.kernel ? "kernel" : "function", function.name, machine.sm,
               function.registers_per_thread, function.shared_static_bytes, function.stack_bytes,
               machine.instructions.size());
    for (std::size_t i = 0; i < machine.instructions.size(); ++i) {
        const Site& site = machine.program.sites[i];
        fmt::print("  {:05x}  {}  {:>5}  {}\n", i * sass::instruction_bytes,
                   control_text(machine.instructions[i].control), site.line, site.text);
    }
    if (const auto unknown = unknown_sites(machine); !unknown.empty())
        fmt::print("  {} of {} instructions are unknown, printed as ???\n", unknown.size(),
                   machine.instructions.size());
}

}  // namespace

Result<int> list_machine_code(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return fail("{} cannot be read", path);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto cubin = sass::read_cubin(bytes);
    if (!cubin) return fail("{}: {}", path, cubin.error().message);
    for (const sass::CubinFunction& function : cubin->functions) {
        const auto machine = sass::number_machine_sites(*cubin, function.name);
        if (!machine) return fail("{}: {}", path, machine.error().message);
        print_function(function, *machine);
    }
    return exit_success;
}

}  // namespace warplens::app
