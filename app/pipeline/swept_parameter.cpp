#include "app/pipeline/swept_parameter.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/sweep.h"

namespace warplens::app {
namespace {

using instrumentation::KernelFile;
using instrumentation::ParameterDeclaration;

constexpr std::size_t not_named = ~std::size_t{0};

struct Word {
    std::string text;
    std::size_t at = 0;
};

/// Runs of letters, digits and `others`.
std::vector<Word> words_of(const std::string& text, std::string_view others = "") {
    std::vector<Word> words;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!std::isalnum(static_cast<unsigned char>(text[i])) &&
            others.find(text[i]) == std::string_view::npos)
            continue;
        if (words.empty() || words.back().at + words.back().text.size() != i) words.push_back({"", i});
        words.back().text += text[i];
    }
    return words;
}

std::string lower(std::string word) {
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word.size() > 3 && word.ends_with('s')) word.pop_back();  // "warps" and "warp" are one word
    return word;
}

/// Where the lesson names the parameter. Single letters are words of their own, "the n x n scores", so that
/// they count only as macros; and "block" is in sentences about anything.
std::size_t named_at(const ParameterDeclaration& parameter, const std::vector<Word>& lesson) {
    const std::vector<Word> parts = words_of(parameter.name);
    if (parameter.name == "block" || parts.empty()) return not_named;
    if (parameter.name.size() == 1 && !parameter.is_macro) return not_named;
    std::size_t first = not_named;
    for (const Word& part : parts) {
        const bool exact = part.text.size() == 1 && parts.size() == 1;
        const auto at = std::ranges::find_if(lesson, [&](const Word& word) {
            if (exact) return word.text == part.text;
            const std::string said = lower(word.text), name = lower(part.text);
            return name.size() < 3 ? said == name : said.starts_with(name);  // PAD is what "padding" is about
        });
        if (at == lesson.end()) return not_named;
        first = std::min(first, at->at);
    }
    return first;
}

bool names(const std::vector<std::string>& expressions, const std::string& parameter) {
    return std::ranges::any_of(expressions, [&](const std::string& expression) {
        // An identifier's parts are words, too: "block_x" is not "block".
        for (std::size_t at = expression.find(parameter); at != std::string::npos;
             at = expression.find(parameter, at + 1)) {
            const auto is_part = [&](std::size_t i) {
                return i < expression.size() &&
                       (std::isalnum(static_cast<unsigned char>(expression[i])) || expression[i] == '_');
            };
            if (!(at > 0 && is_part(at - 1)) && !is_part(at + parameter.size())) return true;
        }
        return false;
    });
}

/// Whether the launch depends on it. A number of the host's plan, such as how often it launches, changes
/// nothing that a sweep shows.
bool reaches_the_launch(const KernelFile& kernel, const ParameterDeclaration& parameter) {
    if (parameter.is_macro || !kernel.images.empty()) return true;
    std::vector<std::string> expressions{kernel.dynamic_shared_bytes};
    for (const auto& buffer : kernel.buffers)
        for (const std::string& part : {buffer.length, buffer.fill_argument, buffer.seed})
            expressions.push_back(part);
    return names(expressions, parameter.name) || names(kernel.arguments, parameter.name) ||
           names(kernel.grid, parameter.name) || names(kernel.block, parameter.name) ||
           names(kernel.cluster, parameter.name);
}

}  // namespace

const ParameterDeclaration* swept_parameter(const KernelFile& kernel) {
    const std::vector<Word> lesson = words_of(kernel.lesson, "_");  // a kernel's name is one word
    const ParameterDeclaration* chosen = nullptr;
    std::tuple<int, std::size_t, std::size_t> least;
    for (const ParameterDeclaration& parameter : kernel.parameters) {
        const std::size_t count = sweep_values(parameter).size();
        if (count < 2 || parameter.name == "seed") continue;
        if (kernel.streams && !reaches_the_launch(kernel, parameter)) continue;
        const std::size_t named = named_at(parameter, lesson);
        const bool of_block = names(kernel.block, parameter.name),
                   of_grid = names(kernel.grid, parameter.name);
        int place = named != not_named ? 0 : 2;
        // How the problem is divided among blocks is less often the subject than what a block does.
        if (named != not_named) place += of_grid ? 1 : 0;
        else place += of_block ? 1 : of_grid ? 2 : 0;
        // A lesson may be about the problem in other words. Without one a person asks how to compute, not
        // what: runs that solve different problems have no best one, and a switch of two has no curve.
        if (lesson.empty() && sets_the_problem(kernel, parameter)) place += 4;
        else if (lesson.empty() && count == 2) place += 2;
        // A real number is a factor of what is computed: it changes results, and rarely the work.
        if (named == not_named && std::holds_alternative<double>(parameter.fallback)) place += 2;
        // A knob with a small range is what a lesson changes; a list of values comes after it, and a switch
        // of two, which has no curve, after both.
        const std::tuple rank(place, named, count == 2 ? 64 : count + (parameter.values.empty() ? 0 : 8));
        if (chosen != nullptr && rank >= least) continue;
        chosen = &parameter;
        least = rank;
    }
    return chosen;
}

}  // namespace warplens::app
