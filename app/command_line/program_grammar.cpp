#include <memory>

#include "app/command_line/grammar.h"

namespace warplens::app {

void add_program(CLI::App& app, Result<int>& outcome, const DrawProgram& draw) {
    auto* command = app.add_subcommand("program",
                                       "Build and run the host code of a .cu file, execute all its launches "
                                       "on the CPU engine, and list them "
                                       "by the time that is modelled for them");
    const auto options = std::make_shared<ProgramOptions>();
    command->add_option("file", options->launch.target, "A .cu file with a main function")
        ->type_name("FILE")
        ->required();
    command->add_option("--format", options->format, "text, json, png or svg");
    command->add_option("-o,--output", options->output, "The file to write; a picture needs one");
    command->add_option("--size", options->size, "Of a picture, in pixels: 1280x800");
    command->add_option("--theme", options->theme, "Of a picture: dark or light");
    command
        ->add_option("--time-limit", options->launch.time_limit_s,
                     "Seconds that the program may run, and its launches (60 each); what was executed is "
                     "listed")
        ->check(CLI::PositiveNumber);
    command->add_option("-I,--include", options->launch.include_paths, "Folder to look for included files")
        ->take_all()
        ->allow_extra_args(false);
    command
        ->add_option("-D,--define", options->launch.defines,
                     "Define a macro while compiling: NAME or NAME=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->callback([&outcome, options, draw] { outcome = list_launches(*options, draw); });
}

}  // namespace warplens::app
