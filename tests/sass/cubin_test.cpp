// A real cubin: functions, resources, parameters, lines, control flow and sites; and damaged ones.
#include "sass/cubin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "sass/program.h"
#include "tests/support/folders.h"

namespace warplens::sass {

namespace {

using testing::HasSubstr;

std::string file(const std::string& name) {
    std::ifstream stream(source_folder() + "/tests/fuzz/corpus_cubin/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(cubin, gives_functions_resources_and_parameters) {
    const auto cubin = read_cubin(file("saxpy_sm_90.cubin"));
    ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
    EXPECT_EQ(cubin->sm, 90);
    const CubinFunction* saxpy = cubin->find("saxpy");
    ASSERT_NE(saxpy, nullptr);
    EXPECT_TRUE(saxpy->kernel);
    EXPECT_EQ(saxpy->code.size() % 16, 0u);
    EXPECT_GT(saxpy->registers_per_thread, 0u);
    EXPECT_EQ(saxpy->parameter_base, 0x210u);
    ASSERT_EQ(saxpy->parameters.size(), 4u);
    EXPECT_EQ(saxpy->parameters[2].offset, 8u);
    EXPECT_EQ(saxpy->parameters[2].bytes, 8u);
    EXPECT_FALSE(saxpy->source_lines.empty());
    EXPECT_FALSE(saxpy->ptx_lines.empty());
}

TEST(cubin, lists_what_a_linker_fills_in) {
    const auto cubin = read_cubin(file("not_linked_sm_90.cubin"));
    ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
    const auto& places = cubin->find("k")->addresses;
    ASSERT_EQ(places.size(), 5u);
    using enum CodeAddress::Part;
    const std::pair<std::uint64_t, CodeAddress::Part> expected[] = {
        {0x10, low}, {0x20, high}, {0x90, low}, {0xa0, high}, {0xc0, bank_offset}};
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(std::pair(places[i].offset, places[i].part), expected[i]);
        EXPECT_EQ(places[i].of, CodeAddress::Of::variable) << places[i].name;
    }
    EXPECT_EQ(places[0].name, "counter");
    EXPECT_EQ(places[0].value, places[1].value) << "one address, in constant bank 4";
    EXPECT_NE(places[0].value, places[2].value);
    EXPECT_TRUE(read_cubin(file("linked_sm_90.cubin"))->find("k")->addresses.empty());
}

TEST(cubin, is_known_by_its_generation) {
    for (const auto& [name, sm] : {std::pair{"saxpy_sm_75.cubin", 75}, {"saxpy_sm_100.cubin", 100}}) {
        const auto cubin = read_cubin(file(name));
        ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
        EXPECT_EQ(cubin->sm, sm);
    }
}

TEST(machine_program, numbers_every_instruction_with_its_lines) {
    const auto cubin = read_cubin(file("saxpy_sm_90.cubin"));
    ASSERT_TRUE(cubin.has_value());
    const auto machine = number_machine_sites(*cubin, "saxpy");
    ASSERT_TRUE(machine.has_value()) << machine.error().message;
    const Program& program = machine->program;
    ASSERT_EQ(program.sites.size(), cubin->find("saxpy")->code.size() / 16);
    EXPECT_THAT(unknown_sites(*machine), testing::IsEmpty());
    EXPECT_EQ(program.sites[0].text, "LDC R1, c[0x0][0x28]");
    EXPECT_EQ(program.sites[7].text, "@P0 EXIT");
    EXPECT_EQ(program.sites[7].kind, SiteKind::exit);
    EXPECT_TRUE(program.sites[7].guarded);
    std::size_t loads = 0, stores = 0;
    for (const Site& site : program.sites) {
        loads += site.space == Space::global && site.operation == Operation::load;
        stores += site.space == Space::global && site.operation == Operation::store;
        EXPECT_LT(site.file, program.sources.size());
        EXPECT_GT(site.line, 0u);
        EXPECT_GT(site.ptx_line, 0u);
    }
    EXPECT_EQ(loads, 2u);
    EXPECT_EQ(stores, 1u);
    EXPECT_THAT(program.sources[program.sites[0].file].name, HasSubstr("saxpy.cu"));
    // As `nvdisasm -g` prints them.
    const std::vector<std::uint32_t> lines{34, 35, 35, 35, 35, 36, 36, 36, 37, 37,
                                           37, 37, 37, 37, 37, 37, 37, 37, 39};
    for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(program.sites[i].line, lines[i]) << i;
}

TEST(machine_control_flow, ends_blocks_at_branches_and_begins_them_at_targets) {
    const auto cubin = read_cubin(file("saxpy_sm_90.cubin"));
    ASSERT_TRUE(cubin.has_value());
    const auto machine = number_machine_sites(*cubin, "saxpy");
    ASSERT_TRUE(machine.has_value());
    std::uint32_t at = 0;
    for (const MachineBlock& block : machine->blocks) {
        EXPECT_EQ(block.first, at);
        EXPECT_GT(block.count, 0u);
        at += block.count;
    }
    EXPECT_EQ(at, machine->instructions.size());
    EXPECT_THAT(machine->blocks[0].successors, testing::ElementsAre(1u));  // @P0 EXIT goes on for other lanes
}

TEST(cubin, refuses_what_it_does_not_know_in_one_sentence) {
    EXPECT_THAT(read_cubin("").error().message, HasSubstr("not a 64-bit little-endian ELF"));
    std::string old = file("saxpy_sm_90.cubin");
    old[0x31] = 61;
    EXPECT_THAT(read_cubin(old).error().message, HasSubstr("sm_61"));
    const std::string whole = file("saxpy_sm_90.cubin");
    const auto cubin = read_cubin(whole);
    EXPECT_THAT(number_machine_sites(*cubin, "other").error().message, HasSubstr("no function other"));
    EXPECT_THAT(read_cubin(whole.substr(0, 40)).error().message,
                HasSubstr("has 40 bytes and ends within its header"));
    EXPECT_THAT(
        read_cubin(whole.substr(0, 4100)).error().message,
        testing::AllOf(HasSubstr("entries of 64 bytes at byte "), HasSubstr("the file has 4100 bytes")));
    std::string nameless = whole;
    nameless[0x3e] = nameless[0x3f] = '\x7f';
    EXPECT_THAT(read_cubin(nameless).error().message, HasSubstr("they are section 32639 of "));
}

struct Section {
    std::string name;
    std::uint32_t type = 1;  // SHT_PROGBITS
    std::string data;
    std::uint32_t link = 0, info = 0;
};

template <class Number>
void append(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// A cubin for sm_90. Sections are counted from 1; all that `shared` names begin at the same byte.
std::string cubin_of(std::vector<Section> sections, const std::string& shared = "none") {
    sections.push_back({".shstrtab", 3, std::string(1, '\0'), 0, 0});
    std::vector<std::uint32_t> names;
    std::string& table = sections.back().data;
    for (const Section& section : sections) {
        names.push_back(static_cast<std::uint32_t>(table.size()));
        const std::string name = section.name + '\0';
        table += name;
    }
    std::string body, rows(64, '\0');
    std::uint64_t shared_at = 0;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const bool is_shared = sections[i].name.starts_with(shared);
        const std::uint64_t at = is_shared && shared_at != 0 ? shared_at : 64 + body.size();
        if (is_shared) shared_at = at;
        if (at == 64 + body.size()) body += sections[i].data;
        append(rows, names[i]);
        append(rows, sections[i].type);
        for (const std::uint64_t value :
             {std::uint64_t{0}, std::uint64_t{0}, at, std::uint64_t{sections[i].data.size()}})
            append(rows, value);
        append(rows, sections[i].link);
        append(rows, sections[i].info);
        append(rows, std::uint64_t{8});
        append(rows, std::uint64_t{0});
    }
    std::string head(
        "\x7f"
        "ELF\x02\x01\x01\x33\x07",
        9);
    head.resize(0x28, '\0');
    append(head, std::uint64_t{64 + body.size()});
    append(head, std::uint32_t{90});
    head.resize(0x3a, '\0');
    append(head, std::uint16_t{64});
    append(head, static_cast<std::uint16_t>(sections.size() + 1));
    append(head, static_cast<std::uint16_t>(sections.size()));
    return head + body + rows;
}

std::string symbol(std::uint32_t name, char info, char other, std::uint16_t section, std::uint64_t size) {
    std::string bytes;
    append(bytes, name);
    bytes += info;
    bytes += other;
    append(bytes, section);
    append(bytes, std::uint64_t{0});
    append(bytes, size);
    return bytes;
}

/// An address of the symbol at the section's byte 0.
std::string address_of(std::uint32_t symbol_index) {
    std::string bytes;
    append(bytes, std::uint64_t{0});
    append(bytes, std::uint64_t{symbol_index} << 32 | 2);
    append(bytes, std::int64_t{0});
    return bytes;
}

TEST(cubin, names_functions_of_other_modules_in_the_bank_of_addresses) {
    std::string symbols(24, '\0');
    symbols += symbol(1, 2, 0x10, 1, 16);
    symbols += symbol(3, 2, 0, 0, 0);
    const std::vector<Section> sections{{".text.k", 1, std::string(16, '\0'), 0, 0},
                                        {".strtab", 3, std::string("\0k\0vprintf\0", 11), 0, 0},
                                        {".symtab", 2, symbols, 2, 1},
                                        {".nv.constant4", 1, std::string(8, '\0'), 0, 0},
                                        {".rela", 4, address_of(2), 3, 4}};
    const auto cubin = read_cubin(cubin_of(sections));
    ASSERT_TRUE(cubin) << cubin.error().message;
    ASSERT_EQ(cubin->bank_externals.size(), 1u);
    EXPECT_EQ(cubin->bank_externals[0].name, "vprintf");
    EXPECT_EQ(cubin->bank_externals[0].offset, 0u);
    EXPECT_TRUE(cubin->bank_addresses.empty());
    EXPECT_EQ(cubin->address_bank.size(), 8u);
}

TEST(cubin, follows_a_chain_of_variables_of_any_length) {
    // Constant bank 4 holds the address of the first variable, and each variable that of the next.
    constexpr std::uint32_t count = 32500;
    std::string symbols(24, '\0');
    symbols += symbol(1, 2, 0x10, 1, 16);
    std::vector<Section> sections{{".text.k", 1, std::string(16, '\0'), 0, 0},
                                  {".strtab", 3, std::string("\0k\0v\0", 6), 0, 0},
                                  {".symtab", 2, "", 2, 1},
                                  {".nv.constant4", 1, std::string(8, '\0'), 0, 0},
                                  {".rela", 4, address_of(2), 3, 4}};
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto section = static_cast<std::uint16_t>(sections.size() + 1);
        symbols += symbol(3, 1, 0, section, 8);
        sections.push_back({".nv.global.init", 1, std::string(8, '\0'), 0, 0});
        if (i + 1 < count) sections.push_back({".rela", 4, address_of(3 + i), 3, section});
    }
    sections[2].data = symbols;
    const std::string bytes = cubin_of(sections);
    const auto cubin = read_cubin(bytes);
    ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
    EXPECT_TRUE(cubin->find("k")->kernel);
    ASSERT_EQ(cubin->bank_addresses.size(), 1u);
    ASSERT_EQ(cubin->variables.size(), count);
    std::uint32_t last = cubin->bank_addresses[0].variable, followed = 1;
    while (!cubin->variables[last].addresses.empty()) {
        last = cubin->variables[last].addresses[0].variable;
        ++followed;
    }
    EXPECT_EQ(followed, count);
}

TEST(cubin, refuses_sections_that_overlap) {
    std::vector<Section> sections;
    for (int i = 0; i < 100; ++i)
        sections.push_back({".text.k" + std::to_string(i), 1, std::string(16000, '\0'), 0, 0});
    EXPECT_TRUE(read_cubin(cubin_of(sections)).has_value());
    const auto cubin = read_cubin(cubin_of(sections, ".text"));
    ASSERT_FALSE(cubin.has_value());
    EXPECT_THAT(cubin.error().message, HasSubstr("sections overlap"));
}

TEST(cubin, survives_any_damage) {
    const std::string whole = file("saxpy_sm_90.cubin");
    std::mt19937 random(1);
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = whole.substr(0, round % 7 == 0 ? random() % whole.size() : whole.size());
        for (int i = 0; i < 8 && !damaged.empty(); ++i)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        const auto cubin = read_cubin(damaged);
        if (!cubin) {
            EXPECT_FALSE(cubin.error().message.empty());
            continue;
        }
        for (const CubinFunction& function : cubin->functions)
            EXPECT_TRUE(number_machine_sites(*cubin, function.name).has_value());
    }
}

}  // namespace

}  // namespace warplens::sass
