#include "tests/typed_commands.h"

#include "app/command_line/commands.h"

namespace warplens::app {

Outcome warplens(std::vector<std::string> words) { return typed(run_command_line, std::move(words)); }

}  // namespace warplens::app
