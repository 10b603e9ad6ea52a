// The formatter of device printf, compared with the output of an H100 and, where there is none, with the CUDA
// programming guide.
#include "simt/functional/printing/printf_text.h"

#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <map>
#include <stdexcept>
#include <vector>

#include "simt/functional/printing/printf_conversion.h"
#include "tests/support/folders.h"

namespace warplens::simt {
namespace {

/// Values in order; strings have made-up addresses.
class ListedArguments final : public PrintfArguments {
  public:
    struct Value {
        std::uint32_t bytes = 4;
        std::uint64_t bits = 0;
    };
    std::vector<Value> values;
    std::map<std::uint64_t, std::string> texts;
    std::size_t used = 0;

    void add_text(std::string text) {
        const std::uint64_t address = 0x1000 * (texts.size() + 1);
        texts[address] = std::move(text);
        values.push_back({8, address});
    }
    std::optional<std::uint64_t> next(std::uint32_t bytes) override {
        if (used == values.size()) return std::nullopt;
        EXPECT_EQ(values[used].bytes, bytes) << "argument " << used;
        return values[used++].bits;
    }
    std::string text_at(std::uint64_t address, std::size_t longest) override {
        return texts.at(address).substr(0, longest);
    }
};

std::string formatted(std::string_view format, std::vector<ListedArguments::Value> values = {}) {
    ListedArguments arguments;
    arguments.values = std::move(values);
    return printf_text(format, arguments).text;
}

std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') plain += text[i];
        else if (text[i + 1] == 'x') {
            plain += static_cast<char>(std::stoi(std::string(text.substr(i + 2, 2)), nullptr, 16));
            i += 3;
        } else plain += text[++i] == 't' ? '\t' : '\\';
    }
    return plain;
}

std::vector<std::string> split_at_tabs(const std::string& line) {
    std::vector<std::string> parts(1);
    for (const char c : line) {
        if (c == '\t') parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

void add(ListedArguments& arguments, const std::string& word) {
    if (word == "null") return arguments.values.push_back({8, 0});
    const std::string kind = word.substr(0, 3), value = word.substr(4);
    if (kind == "i32") arguments.values.push_back({4, static_cast<std::uint32_t>(std::stol(value))});
    else if (kind == "i64") arguments.values.push_back({8, static_cast<std::uint64_t>(std::stoll(value))});
    else if (kind == "f64" || kind == "ptr") arguments.values.push_back({8, std::stoull(value, nullptr, 16)});
    else if (kind == "str") arguments.add_text(unescaped(value));
    else throw std::runtime_error(word);
}

TEST(printf_text, prints_and_returns_what_an_h100_did) {
    std::ifstream file(source_folder() + "/tests/simt/printed_by_an_h100.tsv");
    std::string line;
    int cases = 0;
    while (std::getline(file, line)) {
        if (line.starts_with("# ")) continue;
        const auto columns = split_at_tabs(line);
        ASSERT_GE(columns.size(), 3u) << line;
        ListedArguments arguments;
        for (std::size_t i = 3; i < columns.size(); ++i) add(arguments, columns[i]);
        const PrintfText printed = printf_text(unescaped(columns[0]), arguments);
        EXPECT_EQ(printed.text, unescaped(columns[1])) << line;
        EXPECT_EQ(std::to_string(printed.arguments), columns[2]) << line;
        ++cases;
    }
    EXPECT_GE(cases, 790);
}

TEST(printf_text, takes_four_bytes_for_int_and_eight_for_long_double_and_pointers) {
    ListedArguments arguments;
    arguments.values = {{4, 1}, {8, 2}, {4, 3}, {8, 0x4000000000000000}, {8, 0x10}};
    EXPECT_EQ(printf_text("%d %ld %hu %g %p", arguments).text, "1 2 3 2 0x10");
    EXPECT_EQ(arguments.used, 5u);
}

TEST(printf_text, does_not_know_n_and_takes_no_argument_for_it) {
    ListedArguments arguments;
    arguments.values = {{4, 7}};
    const PrintfText printed = printf_text("%n|%d", arguments);
    EXPECT_EQ(printed.text, "%n|7");
    EXPECT_EQ(printed.arguments, 1);
}

TEST(printf_text, leaves_conversions_behind_the_32nd_argument_as_written) {
    std::string format, expected;
    ListedArguments arguments;
    for (std::uint32_t i = 0; i < 34; ++i) {
        format += "%5d";
        expected += i < 32 ? "    " + std::to_string(i % 10) : "%5d";
        arguments.values.push_back({4, i % 10});
    }
    const PrintfText printed = printf_text(format, arguments);
    EXPECT_EQ(printed.text, expected);
    EXPECT_EQ(printed.arguments, 32);
}

TEST(printf_text, a_combination_without_a_meaning_stays_as_written_and_takes_its_argument) {
    ListedArguments arguments;
    arguments.add_text("wide");
    arguments.values.push_back({4, 5});
    EXPECT_EQ(printf_text("%ls %d", arguments).text, "%ls 5");
}

TEST(printf_text, a_missing_argument_prints_as_zero) {
    EXPECT_EQ(formatted("%d %d", {{4, 3}}), "3 0");
    EXPECT_EQ(formatted("%s"), "(null)");
}

TEST(printf_text, no_field_is_longer_than_the_longest) {
    EXPECT_EQ(formatted("%1000000000d", {{4, 1}}).size(), longest_printf_field);
    EXPECT_EQ(formatted("%99999999999999999999d", {{4, 1}}).size(), longest_printf_field);
    EXPECT_EQ(formatted("%*d", {{4, 0x7fffffff}, {4, 1}}).size(), longest_printf_field);
    EXPECT_EQ(formatted("%*d", {{4, 0x80000000}, {4, 1}}).size(), longest_printf_field);
    EXPECT_EQ(formatted("%.2000000000f", {{8, 0x3ff0000000000000}}).size(), longest_printf_field);
}

TEST(printf_conversion, takes_a_conversion_apart) {
    const auto conversion = parse_conversion("%-+8.3lldxyz");
    ASSERT_TRUE(conversion.has_value());
    EXPECT_EQ(conversion->kind, PrintfKind::integer);
    EXPECT_EQ(conversion->flags, "-+");
    EXPECT_EQ(conversion->width, "8");
    EXPECT_TRUE(conversion->has_precision);
    EXPECT_EQ(conversion->precision, "3");
    EXPECT_EQ(conversion->length, "ll");
    EXPECT_EQ(conversion->letter, 'd');
    EXPECT_EQ(conversion->spelling, "%-+8.3lld");
    EXPECT_TRUE(conversion->takes_wide());
}

TEST(printf_conversion, knows_less_than_c) {
    for (const char* text :
         {"%", "%l", "%zu", "%jd", "%Lf", "%.*f", "%n", "%5%", "%'d", "%1$d", "%hhd", "%y"})
        EXPECT_FALSE(parse_conversion(text).has_value()) << text;
}

}  // namespace
}  // namespace warplens::simt
