// The command line of CUDA's samples: -name, --name and --name=value.
#pragma once

#include <strings.h>

#include <cstdlib>
#include <cstring>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline int stringRemoveDelimiter(char delimiter, const char* text) {
    int begin = 0;
    while (text[begin] == delimiter) ++begin;
    return text[begin] == '\0' ? 0 : begin;
}

namespace warplens_program {

/// What follows --name of the command line, from its '=' on; null when the name is missing.
inline const char* after_flag(int count, const char** arguments, const char* name) {
    const std::size_t length = std::strlen(name);
    for (int i = 1; i < count; ++i) {
        const char* argument = arguments[i] + stringRemoveDelimiter('-', arguments[i]);
        if (strncasecmp(argument, name, length) != 0) continue;
        if (argument[length] == '\0' || argument[length] == '=') return argument + length;
    }
    return nullptr;
}

}  // namespace warplens_program

inline bool checkCmdLineFlag(int count, const char** arguments, const char* name) {
    return warplens_program::after_flag(count, arguments, name) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char** arguments, const char* name) {
    const char* value = warplens_program::after_flag(count, arguments, name);
    return value == nullptr || *value == '\0' ? 0 : std::atoi(value + 1);
}
inline float getCmdLineArgumentFloat(int count, const char** arguments, const char* name) {
    const char* value = warplens_program::after_flag(count, arguments, name);
    return value == nullptr || *value == '\0' ? 0.0f : static_cast<float>(std::atof(value + 1));
}
inline bool getCmdLineArgumentString(int count, const char** arguments, const char* name, char** text) {
    const char* value = warplens_program::after_flag(count, arguments, name);
    *text = value == nullptr || *value == '\0' ? nullptr : const_cast<char*>(value + 1);
    return *text != nullptr;
}
