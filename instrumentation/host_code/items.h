// Items: the declarations at namespace scope, and the members of a class, as ranges of tokens with what can
// be said of them without knowing their types: functions, types, variables, the names they declare, and
// whether they are marked for the device. Whatever the text, every token lies in at most one item of a level.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/host_code/preprocess.h"

namespace warplens::instrumentation::host_code {

enum class ItemKind : std::uint8_t { function, type, variable, other };

struct Item {
    ItemKind kind = ItemKind::other;
    std::size_t begin = 0, end = 0;                // tokens; `end` after the last
    std::size_t name = 0;                          // token of a function's or type's name; 0: none
    std::size_t parameters = 0;                    // token of a function's `(`; 0: none
    std::size_t body = 0;                          // token of the `{` of a function or a type; 0: none
    std::string scope;                             // "sums", "sums::Matrix"
    std::vector<std::string_view> declares;        // names
    bool is_kernel = false;                        // __global__
    bool is_device = false;                        // __global__, __device__, __constant__, …
    bool is_local = false;                         // static, or in a namespace without a name
    bool is_constant = false;                      // const or constexpr before the name
    std::vector<std::size_t> template_parameters;  // tokens of their names
};

/// The items from `begin` to `end`, those in namespaces and in extern "C" { … } included.
std::vector<Item> items_of(const Tokens& tokens, std::size_t begin, std::size_t end, const Macros& macros,
                           const std::string& scope = "");

/// Adds `name`, and if it is a macro, every word of what it stands for.
void add_words(std::string_view name, const Macros& macros, std::set<std::string_view>& words);

}  // namespace warplens::instrumentation::host_code
