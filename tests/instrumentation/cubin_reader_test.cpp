// The cubin reader on an ELF file made here, and on damaged ones.
#include "instrumentation/compile/cubin_reader.h"

#include <gmock/gmock.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {

using testing::HasSubstr;

namespace {

struct SectionText {
    std::string name;
    std::uint32_t type;
    std::uint32_t link;
    std::string data;
    std::uint64_t size;  // differs from data's only where the file holds none
};

template <class Number>
void put(std::string& text, std::size_t at, Number number) {
    if (text.size() < at + sizeof(Number)) text.resize(at + sizeof(Number));
    std::memcpy(text.data() + at, &number, sizeof(Number));
}

std::string elf(std::vector<SectionText> sections) {
    SectionText names{".shstrtab", 3, 0, std::string(1, '\0'), 0};
    std::vector<std::uint32_t> name_offsets;
    sections.insert(sections.begin(), SectionText{"", 0, 0, "", 0});
    sections.push_back(names);
    for (const SectionText& section : sections) {
        name_offsets.push_back(static_cast<std::uint32_t>(sections.back().data.size()));
        sections.back().data += section.name + '\0';
    }
    sections.back().size = sections.back().data.size();
    std::string file(
        "\x7f"
        "ELF\x02\x01",
        6);
    file.resize(64);
    std::vector<std::uint64_t> offsets;
    for (const SectionText& section : sections) {
        offsets.push_back(file.size());
        file += section.data;
    }
    put(file, 0x28, std::uint64_t{file.size()});
    put(file, 0x3a, std::uint16_t{64});
    put(file, 0x3c, static_cast<std::uint16_t>(sections.size()));
    put(file, 0x3e, static_cast<std::uint16_t>(sections.size() - 1));
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const std::size_t at = file.size();
        file.resize(at + 64);
        put(file, at, name_offsets[i]);
        put(file, at + 4, sections[i].type);
        put(file, at + 0x18, offsets[i]);
        put(file, at + 0x20, sections[i].size);
        put(file, at + 0x28, sections[i].link);
    }
    return file;
}

std::string record(std::uint8_t attribute, std::uint32_t symbol, std::uint32_t value) {
    std::string text;
    put(text, 0, std::uint8_t{4});
    put(text, 1, attribute);
    put(text, 2, std::uint16_t{8});
    put(text, 4, symbol);
    put(text, 8, value);
    return text;
}

std::string symbol(std::uint32_t name, std::uint8_t info, std::uint8_t other) {
    std::string text(24, '\0');
    put(text, 0, name);
    put(text, 4, info);
    put(text, 5, other);
    return text;
}

/// A kernel `k` of 40 registers, 100 bytes of shared memory and 8 of stack, and a device function.
std::string sample_cubin(bool reserves) {
    const std::string strings("\0k\0helper\0", 10);
    const std::string symbols = symbol(0, 0, 0) + symbol(1, 0x12, 0x10) + symbol(3, 0x12, 0);
    const std::string info =
        record(0x2f, 1, 40) + std::string("\x03\x1b\xff\x00", 4) + record(0x11, 1, 8) + record(0x2f, 2, 99);
    std::vector<SectionText> sections{{".strtab", 3, 0, strings, strings.size()},
                                      {".symtab", 2, 1, symbols, symbols.size()},
                                      {".nv.info", 0x70000000, 2, info, info.size()},
                                      {".nv.shared.k", 8, 0, "", reserves ? 1124u : 100u}};
    if (reserves) sections.push_back({".nv.shared.reserved.0", 8, 0, "", 64});
    return elf(sections);
}

}  // namespace

TEST(cubin_reader, reads_registers_shared_memory_and_stack_of_kernels_only) {
    for (const bool reserves : {false, true}) {
        const auto entries = read_cubin(sample_cubin(reserves));
        ASSERT_TRUE(entries.has_value()) << entries.error().message;
        ASSERT_EQ(entries->size(), 1u);
        EXPECT_EQ(entries->at("k").registers_per_thread, 40u);
        EXPECT_EQ(entries->at("k").shared_static_bytes, 100u);
        EXPECT_EQ(entries->at("k").stack_bytes, 8u);
    }
}

TEST(cubin_reader, names_what_is_wrong_with_a_file) {
    EXPECT_THAT(message_of(read_cubin("")), HasSubstr("not a 64-bit little-endian ELF"));
    EXPECT_THAT(message_of(read_cubin("not a cubin at all")), HasSubstr("not a 64-bit little-endian ELF"));
    EXPECT_THAT(message_of(read_cubin(sample_cubin(true).substr(0, 40))),
                HasSubstr("ends within its header"));
    EXPECT_THAT(message_of(read_cubin(elf({}))), HasSubstr("holds no kernel"));
}

TEST(cubin_reader, every_truncation_gives_an_error) {
    const std::string whole = sample_cubin(true);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_FALSE(read_cubin(std::string(whole, 0, length)).has_value()) << length;
    }
}

TEST(cubin_reader, garbage_never_reads_outside_the_file) {
    // The strings are allocated to size, so that a sanitizer build notices a single byte too far.
    const std::string whole = sample_cubin(true);
    std::mt19937 random(1);
    std::size_t read = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string damaged = whole;
        const int changes = 1 + static_cast<int>(random() % 8);
        for (int i = 0; i < changes; ++i) {
            const std::size_t at = random() % damaged.size();
            damaged[at] = static_cast<char>(random() % 4 == 0 ? 0xff : random());
        }
        if (const auto entries = read_cubin(damaged)) {
            ++read;
            EXPECT_LE(entries->size(), 3u);
        }
    }
    EXPECT_GT(read, 0u);
    EXPECT_LT(read, 20000u);
}

}  // namespace warplens::instrumentation
