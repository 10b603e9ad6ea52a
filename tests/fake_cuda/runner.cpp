// The recorder's child as a program of its own, for test programs that cannot act as the child.
#include "instrumentation/device/runner_main.h"

int main(int argument_count, char** arguments) {
    return warplens::instrumentation::runner_main(argument_count, arguments);
}
