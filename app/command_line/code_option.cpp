#include "app/command_line/code_option.h"

#include <sstream>
#include <string>

namespace warplens::app {

Result<ShownCode> parse_code_option(std::string_view text) {
    ShownCode shown{false, false, false};
    std::istringstream words{std::string(text)};
    for (std::string word; std::getline(words, word, ',');) {
        if (word == "cuda") shown.cuda = true;
        else if (word == "ptx") shown.ptx = true;
        else if (word == "machine") shown.machine = true;
        else
            return fail(
                "--code {}: {} is not known; it is cuda, ptx, machine, or several of them, joined "
                "by commas",
                text, word.empty() ? "an empty word" : word);
    }
    return shown;
}

}  // namespace warplens::app
