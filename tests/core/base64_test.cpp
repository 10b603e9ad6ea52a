#include "core/base64.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

TEST(base64, writes_the_examples_of_rfc_4648_and_reads_them) {
    const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                            {"f", "Zg=="},
                                                            {"fo", "Zm8="},
                                                            {"foo", "Zm9v"},
                                                            {"foob", "Zm9vYg=="},
                                                            {"fooba", "Zm9vYmE="},
                                                            {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : examples) {
        EXPECT_EQ(base64(bytes), text);
        EXPECT_EQ(from_base64(text), bytes);
    }
    std::string all;
    for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
    EXPECT_EQ(from_base64(base64(all)), all);
    EXPECT_EQ(base64("\xff\xef\xbe"), "/+++");
}

TEST(base64, refuses_what_it_would_not_have_written) {
    for (const char* text :
         {"Zg", "Zg=", "Z", "Zh==", "Zm9=", "====", "=", "==", "Zm 9", "Zm9v\n", "Zg==Zg==", "Zm9-"})
        EXPECT_FALSE(from_base64(text)) << text;
}

}  // namespace
}  // namespace warplens
