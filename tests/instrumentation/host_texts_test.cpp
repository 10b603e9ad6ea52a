// Texts, constants of headers, structures in lists and cleared structures, as host code fills memory with
// them.
#include <gtest/gtest.h>

#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {
namespace {

using host_code::Contents;
using host_code::HostCode;

HostCode code_of(const std::string& body, const std::string& before = "") {
    HostCode code = host_code::read_host_code({{"texts.cu", R"(
__global__ void k(char* text, int n) { }
)" + before + "int main() {\nint n = 64; char* d; cudaMalloc(&d, n);\n" +
                                                                body + R"(
k<<<1, 64>>>(d, n);
}
)"}},
                                              {});
    EXPECT_EQ(code.launches.size(), 1u);
    return code;
}

/// What the kernel's first argument holds; "guessed" where that is said.
std::string held(const std::string& body, const std::string& before = "") {
    const HostCode code = code_of(body, before);
    if (code.launches.empty() || code.launches[0].arguments.empty()) return "no launch";
    const auto& storage = code.launches[0].arguments[0].storage;
    if (!storage) return "no memory";
    if (storage->contents.kind == Contents::Kind::guessed) return "guessed";
    return text_of(storage->contents.formula, host_code::NumberType::f64);
}

std::string initializer(const std::string& declared, const std::string& body) {
    const HostCode code = code_of(body, declared);
    if (code.copied_symbols.empty()) return "none";
    return host_code::initializer_of(code.copied_symbols[0].second).value_or("not followed");
}

constexpr const char* drawn_letters = "({65, 67, 71, 84, 0})[random(4) + 1] or 0";

TEST(host_texts, a_text_that_grows_in_a_loop_holds_what_is_added_to_it) {
    const std::string made = R"(
std::string drawn(int length) {
  static const char letters[] = "ACGT";
  std::string s;
  for (int i = 0; i < length; ++i) s += letters[rand() % 4];
  return s;
})";
    EXPECT_EQ(held("std::string a = drawn(n); cudaMemcpy(d, a.c_str(), n, cudaMemcpyHostToDevice);", made),
              drawn_letters);
    EXPECT_EQ(held(R"(std::string a; for (int i = 0; i < n; ++i) a.push_back("ACGT"[i % 4]);
                     cudaMemcpy(d, a.data(), n, cudaMemcpyHostToDevice);)"),
              "({65, 67, 71, 84})[i % 4 + 1] or 0");
}

TEST(host_texts, a_pointer_to_a_literal_points_to_its_letters_and_the_0_at_their_end) {
    constexpr const char* letters = "i < 4 and (({97, 98, 99, 0})[i + 1] or 0) or 0";
    EXPECT_EQ(held(R"(const char* a = "abc"; cudaMemcpy(d, a, 4, cudaMemcpyHostToDevice);)"), letters);
    EXPECT_EQ(held(R"(cudaMemcpy(d, "abc", 4, cudaMemcpyHostToDevice);)"), letters);
    EXPECT_EQ(held("send(\"abc\", d);",
                   "void send(const char* a, char* to) { cudaMemcpy(to, a, 4, cudaMemcpyHostToDevice); }"),
              letters);
    EXPECT_EQ(held(R"(const char* a = "a\n"; cudaMemcpy(d, a, 3, cudaMemcpyHostToDevice);)"), "guessed");
    EXPECT_EQ(held(R"(const char* a = "ab" "c"; cudaMemcpy(d, a, 4, cudaMemcpyHostToDevice);)"), "guessed");
}

TEST(host_texts, a_text_or_container_that_is_not_followed_is_a_guess_and_not_zero) {
    const std::string copy = "cudaMemcpy(d, a.data(), n, cudaMemcpyHostToDevice);";
    EXPECT_EQ(held("std::string a = read_file(); " + copy), "guessed");
    EXPECT_EQ(held("std::vector<char> a = read_bytes(n); " + copy), "guessed");
    EXPECT_EQ(held(R"(std::string a; for (int i = 0; i < n; ++i) a += "AC"; )" + copy), "guessed");
    EXPECT_EQ(held("std::vector<char> a(n); " + copy), "0");
}

TEST(host_texts, the_absolute_value_is_that_of_each_iteration) {
    EXPECT_EQ(held(R"(char h[64]; for (int i = 0; i < 64; ++i) h[i] = std::abs(i - 32) / 2;
                     cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);)"),
              "math.abs(i - 32) // 2");
}

TEST(host_texts, structures_in_a_list_are_their_numbers_in_order) {
    const std::string light =
        "struct Light { float3 dir; float3 color; float ambient; };\n"
        "__constant__ Light lights[2];\n";
    EXPECT_EQ(initializer(light, R"(
Light h[2] = {{{1, 0, -0.5f}, {0.25f, 2, 3}, 4}, {{5, 6, 7}}};
cudaMemcpyToSymbol(lights, h, sizeof(h));)"),
              "{1.0f, 0.0f, -0.5f, 0.25f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 0.0f, 0.0f, 0.0f, 0.0f}");
    EXPECT_EQ(initializer(light, "Light h[2] = {{{f(), 0, 0}}}; cudaMemcpyToSymbol(lights, h, sizeof(h));"),
              "not followed");
    EXPECT_EQ(initializer("struct Item { int id; float value; };\n__constant__ Item items[2];\n",
                          "Item h[2] = {{3, 0.5f}, {-4, 1.5f}}; cudaMemcpyToSymbol(items, h, sizeof(h));"),
              "{3, 0.5f, -4, 1.5f}");
}

TEST(host_texts, a_structure_that_memset_clears_is_zero_but_for_what_is_assigned) {
    EXPECT_EQ(
        initializer("struct Camera { float3 up; float weights[2]; float fov; };\n__constant__ Camera cam;\n",
                    R"(
Camera h; memset(&h, 0, sizeof(h));
h.up.y = 1; h.fov = 180.0f / M_PI * M_PI;
cudaMemcpyToSymbol(cam, &h, sizeof(Camera));)"),
        "{0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 180.0f}");
}

TEST(host_texts, a_declaration_before_the_condition_of_an_if_is_followed) {
    EXPECT_EQ(held(R"(
if (cudaError_t e = (cudaMemset(d, 7, n)); e != cudaSuccess) { return 1; }
if (int e = 3; e == 4) cudaMemset(d, 1, n);)"),
              "7");
}

}  // namespace
}  // namespace warplens::instrumentation
