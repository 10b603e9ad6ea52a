#include "core/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "core/printable.h"

namespace warplens {
namespace {

TEST(json, a_list_of_named_values_is_an_object_and_any_other_list_an_array) {
    EXPECT_EQ(json_text({{"a", 1}, {"b", {1, 2}}}), R"({"a":1,"b":[1,2]})");
    EXPECT_EQ(json_text({"a", "b"}), R"(["a","b"])");
    EXPECT_EQ(json_text({{"a", 1}, {2, 3}}), R"([["a",1],[2,3]])");
    EXPECT_EQ(json_text(Json::array()), "[]");
    EXPECT_EQ(json_text(Json::object()), "{}");
    EXPECT_EQ(json_text(Json()), "null");
}

TEST(json, containers_become_arrays_and_maps_objects) {
    EXPECT_EQ(json_text(std::vector<std::string>{"x", "y"}), R"(["x","y"])");
    EXPECT_EQ(json_text(std::map<std::string, std::vector<int>>{{"k", {1, 2}}}), R"({"k":[1,2]})");
}

TEST(json, members_keep_their_order_or_are_sorted_when_written) {
    Json value{{"b", {{"d", 1}, {"c", 2}}}};
    value["a"] = "x";
    value["b"]["c"] = 3;
    EXPECT_EQ(json_text(value), R"({"b":{"d":1,"c":3},"a":"x"})");
    EXPECT_EQ(json_text(value, -1, MemberOrder::by_name), R"({"a":"x","b":{"c":3,"d":1}})");
    EXPECT_EQ(json_text(value, 1), "{\n \"b\": {\n  \"d\": 1,\n  \"c\": 3\n },\n \"a\": \"x\"\n}");
}

TEST(json, characters_that_a_terminal_obeys_are_escaped_and_read_back) {
    const std::string hostile =
        "\x1b]0;\x7f \xc2\x80 \xc2\x9b"
        "31m \xc2\xa0µ";
    const std::string text = json_text(Json::array({hostile}));
    EXPECT_EQ(text, "[\"\\u001b]0;\\u007f \\u0080 \\u009b31m \xc2\xa0µ\"]");
    EXPECT_EQ(printable(text), text) << "what a command prints would be no JSON";
    const auto read = parse_json(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, Json::array({hostile}));
}

TEST(json, numbers_are_written_so_that_they_are_read_back) {
    EXPECT_EQ(json_text({0.1, 1.0, 1e300, -7, std::numeric_limits<std::uint64_t>::max(), 1e-7}),
              "[0.1,1.0,1e+300,-7,18446744073709551615,1e-07]");
    EXPECT_EQ(json_text(std::numeric_limits<double>::quiet_NaN()), "null");
    const auto read = parse_json("[1, -1, 1.5, 18446744073709551616]");
    ASSERT_TRUE(read);
    EXPECT_TRUE((*read)[0].is_unsigned());
    EXPECT_TRUE((*read)[1].is_integer() && !(*read)[1].is_unsigned());
    EXPECT_FALSE((*read)[2].is_integer());
    EXPECT_FALSE((*read)[3].is_integer());
    EXPECT_EQ((*read)[1].as_double(), -1);
}

TEST(json, what_is_of_another_kind_or_missing_reads_as_nothing) {
    const Json value{{"text", "x"}};
    EXPECT_EQ(value["text"].as_unsigned(), 0u);
    EXPECT_EQ(value["none"].as_string(), "");
    EXPECT_TRUE(value["none"]["deeper"].is_null());
    EXPECT_EQ(value.find("none"), nullptr);
    EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).as_int(),
              std::numeric_limits<std::int64_t>::max());
}

TEST(json, the_last_member_of_a_name_counts) {
    const auto read = parse_json(R"({"a": 1, "a": 2})");
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)["a"], 2);
}

TEST(json, bytes_that_are_not_utf8_are_replaced) {
    EXPECT_EQ(json_text("a\xff\"\n"), "\"a\xef\xbf\xbd\\\"\\n\"");
}

TEST(json, text_that_is_damaged_or_too_deep_is_refused) {
    for (const char* text : {"", "{", "[1,]", "{\"a\":}", "nul", "1 2"})
        EXPECT_FALSE(parse_json(text)) << text;
    EXPECT_TRUE(parse_json(std::string(200, '[') + std::string(200, ']')));
    EXPECT_FALSE(parse_json(std::string(1'000'000, '[')));
    EXPECT_FALSE(parse_json(std::string(1000, '[') + std::string(1000, ']')));
}

TEST(json, a_value_survives_cbor) {
    const Json value{{"text", "x"}, {"list", {1, -2, 0.5, true, nullptr}}, {"object", {{"k", "v"}}}};
    const std::vector<std::uint8_t> bytes = to_cbor(value);
    const auto read = parse_cbor(bytes, 2);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, value);
    EXPECT_FALSE(parse_cbor(bytes, 1));
    EXPECT_FALSE(parse_cbor(std::span(bytes).first(bytes.size() - 1), 2));
    EXPECT_FALSE(parse_cbor(std::vector<std::uint8_t>{0x41, 0x00}, 2)) << "bytes are not JSON";
}

}  // namespace
}  // namespace warplens
