#include "instrumentation/host_code/launch_numbers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace warplens::instrumentation::host_code {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// "256 in line 2: 256 255 256", each number as it stands in the source.
std::vector<std::string> found_in(const std::string& source) {
    std::vector<std::string> found;
    for (const LaunchNumber& launch : launch_numbers(source)) {
        found.push_back(
            fmt::format("{}{} in line {}:", launch.along_x ? "x " : "", launch.value, launch.line));
        for (const NamedNumber& place : launch.places)
            found.back() += " " + source.substr(place.offset, place.digits);
    }
    return found;
}

TEST(launch_numbers, stand_in_the_configuration_and_in_template_arguments) {
    EXPECT_THAT(found_in("int main() {\n"
                         "    sum<float, 256><<<(n + 255) / 256, 256, 4 * 256u>>>(a);\n"
                         "    sum<2><<<n, 64>>>(a);\n"
                         "    k<<<n, 128>>>(b < 128, c > 128);\n"
                         "}\n"),
                ElementsAre("256 in line 2: 256 255 256 256 256", "64 in line 3: 64", "128 in line 4: 128"));
}

TEST(launch_numbers, a_grid_of_a_number_alone_stays) {
    EXPECT_THAT(found_in("k<<<256, 256>>>(a);"), ElementsAre("256 in line 1: 256"));
    EXPECT_THAT(found_in("k<<<dim3(16, n / 16), dim3(16, 2)>>>(a);"),
                ElementsAre("16 in line 1: 16 16", "2 in line 1: 2"));
}

TEST(launch_numbers, are_followed_into_declarations) {
    EXPECT_THAT(found_in("dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);\n"
                         "k<<<grid, block>>>(a);\n"),
                ElementsAre("16 in line 2: 16 15 16", "8 in line 2: 8 7 8"));
    EXPECT_THAT(found_in("int threads = 256;\nint blocks = ceil((n + 255) / 256);\n"
                         "k<<<blocks, threads, threads * 4>>>(a);\n"),
                ElementsAre("256 in line 3: 256 255 256"));
    EXPECT_THAT(found_in("dim3 b = dim3(32, 32), g = dim3(n / 32, 4);\nk<<<g, b>>>(a);"),
                ElementsAre("32 in line 2: 32 32 32", "x 32 in line 2: 32 32"));
    EXPECT_THAT(found_in("k<<<dim3((w + 7) / 8, (h + 7) / 8), dim3(8, 8)>>>(a);"),
                ElementsAre("8 in line 1: 7 8 7 8 8 8", "x 8 in line 1: 7 8 8"));
}

TEST(launch_numbers, launches_that_share_a_declaration_are_one) {
    EXPECT_THAT(found_in("int threads = 64;\n"
                         "k<<<n / 64, threads>>>(a);\n"
                         "l<<<m / 64 + 1, threads>>>(a);\n"),
                ElementsAre("64 in line 2: 64 64 64"));
}

TEST(launch_numbers, any_text_may_be_read) {
    for (const char* text : {"k<256><<<256", "<<<", "<<<,>>>", "k<<<(,(>>>", "<<<a,b>>>", "b(<<<a,b",
                             "k<<<b,b", "dim3 b(k<<<g,b", "x = <<<x,x>>>"})
        EXPECT_THAT(found_in(text), IsEmpty()) << text;
    EXPECT_THAT(found_in("k<<<dim3,dim3(4"), IsEmpty());
}

}  // namespace
}  // namespace warplens::instrumentation::host_code
