#include "tests/soak/mutation.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace warplens::soak {
namespace {

constexpr std::string_view hostile_numbers[] = {"0",
                                                "-1",
                                                "16",
                                                "255",
                                                "65536",
                                                "2147483648",
                                                "4294967295",
                                                "4294967296",
                                                "9223372036854775807",
                                                "18446744073709551616",
                                                "1e400",
                                                "nan",
                                                "0x7fffffff"};

constexpr std::string_view hostile_words[] = {
    "bar.sync 16;\n",
    "bar.red.popc.u32 %r1, 200, %p1;\n",
    "@%p1 bra $L__BB0_1;\n",
    "$L__BB0_1:\n",
    ".shared .align 16 .b8 big[1099511627776];\n",
    ".reg .b32 %q<4000000000>;\n",
    "cp.async.ca.shared.global [%r1], [%rd1], 4294967300;\n",
    "ld.local.v4.u64 {%rd1, %rd1, %rd1, %rd1}, [%rd1+9223372036854775807];\n",
    "{{{{{{{{((((((((",
    "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\n",
    "x = { length = \"2^40\", type = \"f64\", fill = \"iota\" }\n",
    "[[[[[[[[[[[[[[[[",
    "\x1b]0;title\x07",
    "\xef\xbb\xbf",
    "\xff\xfe",
};

template <class List>
std::string_view one_of(const List& list, Random& random) {
    return list[random() % std::size(list)];
}

std::size_t place(const std::string& text, Random& random) {
    return text.empty() ? 0 : random() % (text.size() + 1);
}

void replace_number(std::string& text, Random& random) {
    const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(place(text, random));
    const auto begin = std::find_if(from, text.end(), digit);
    text.replace(begin, std::find_if_not(begin, text.end(), digit), one_of(hostile_numbers, random));
}

void mutate_once(std::string& text, const std::vector<std::string>& seeds, Random& random) {
    const std::size_t at = place(text, random), other = place(text, random);
    const std::size_t begin = std::min(at, other),
                      length = std::min<std::size_t>(std::max(at, other) - begin, 4096);
    switch (random() % 8) {
        case 0:
        case 1:
            if (at < text.size()) text[at] = static_cast<char>(random());
            break;
        case 2:
            if (at < text.size()) text[at] ^= static_cast<char>(1u << random() % 8);
            break;
        case 3:
            replace_number(text, random);
            break;
        case 4:
            text.insert(at, one_of(hostile_words, random));
            break;
        case 5:
            text.erase(begin, length);
            break;
        case 6:
            text.insert(place(text, random), text.substr(begin, length));
            break;
        default: {
            const std::string& from = seeds[random() % seeds.size()];
            text.insert(at, from.substr(place(from, random), 512));
        }
    }
}

}  // namespace

std::string mutated(const std::vector<std::string>& seeds, Random& random) {
    std::string text = seeds[random() % seeds.size()];
    for (std::uint64_t left = 1 + random() % 6; left > 0; --left) mutate_once(text, seeds, random);
    return text;
}

std::vector<std::string> hostile_command(Random& random) {
    static constexpr std::string_view kernels[] = {"saxpy",     "vector_add", "none", "",
                                                   "/dev/zero", "x.wltrace",  ".",    "a\nb"};
    static constexpr std::string_view flags[] = {
        "--set",    "--grid",      "--block",       "--cluster", "--dynamic-shared", "--arg",
        "--blocks", "--max-steps", "--stack-bytes", "--seed",    "--heap-bytes",     "--gpu"};
    static constexpr std::string_view values[] = {
        "n=64", "n=-1", "n=1e400", "n=nan", "i32=2147483648", "u32=-1", "0-4294967296", "1,1,99999", "=", ""};
    std::vector<std::string> words{std::string(random() % 4 == 0 ? "list" : "report")};
    if (words[0] == "list") return words;
    words.emplace_back(one_of(kernels, random));
    words.insert(words.end(), {"--time-limit", "2"});
    for (std::uint64_t left = random() % 4; left > 0; --left) {
        words.emplace_back(one_of(flags, random));
        words.emplace_back(random() % 2 == 0 ? one_of(values, random) : one_of(hostile_numbers, random));
    }
    return words;
}

}  // namespace warplens::soak
