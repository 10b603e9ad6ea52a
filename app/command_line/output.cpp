#include "app/command_line/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "core/printable.h"
#include "core/whole_file.h"

namespace warplens::app {
namespace {

std::string& program_name() {
    static std::string name = "warplens";
    return name;
}

}  // namespace

void name_program(std::string name) { program_name() = std::move(name); }

void print_result(std::string_view text) {
    const std::string shown = printable(text);
    std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void print_message(std::string_view message) {
    const std::string line = program_name() + ": " + one_line(message) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void print_about(std::string_view output, std::string_view sentence) {
    const std::string line = one_line(sentence) + "\n";
    std::FILE* to = is_standard_output(output) ? stderr : stdout;
    std::fwrite(line.data(), 1, line.size(), to);
}

Status flush_result() {
    errno = 0;
    std::cout.flush();
    if (std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
    return fail("standard output cannot be written: {}", std::strerror(errno != 0 ? errno : EIO));
}

}  // namespace warplens::app
