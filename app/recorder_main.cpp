#include "app/command_line/commands.h"

int main(int argument_count, char** arguments) {
    return warplens::app::run_recorder_command_line(argument_count, arguments);
}
