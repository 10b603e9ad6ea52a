// main of the test programs that compile kernels or record: the hidden commands of their children come first.
#include <gmock/gmock.h>

#include "instrumentation/hidden_command.h"

int main(int argument_count, char** arguments) {
    if (const auto code = warplens::instrumentation::run_hidden_command(argument_count, arguments))
        return *code;
    testing::InitGoogleMock(&argument_count, arguments);
    return RUN_ALL_TESTS();
}
