// How much of the PTX of real kernels the engine executes: every instruction form of two corpora with its
// number of occurrences (tests/ptx/real_forms.csv). "A" are 26 textbook files, all of whose forms are listed;
// "R" are 638 real files, of which the forms that A does not have are listed, and the sum of all by base
// opcode.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "ptx/opcodes.h"
#include "ptx/parser.h"
#include "simt/functional/engine.h"
#include "tests/simt/synthesised_instruction.h"
#include "tests/support/folders.h"

namespace warplens {
namespace {

struct FormRow {
    std::string corpus, form;
    std::uint64_t count = 0;
};

std::vector<FormRow> read_rows() {
    std::ifstream file(std::filesystem::path(source_folder()) / "tests/ptx/real_forms.csv");
    std::vector<FormRow> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        FormRow row;
        std::string count;
        std::getline(cells, row.corpus, ',');
        std::getline(cells, row.form, ',');
        std::getline(cells, count, ',');
        row.count = std::stoull(count);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string base_of(const std::string& form) { return form.substr(0, form.find('.')); }

/// Empty when the engine executes the form; else why not.
std::string what_is_missing(const std::string& form) {
    const std::string instruction = synthesise_instruction(form);
    if (instruction.empty()) return "no operands known for it here";
    const std::string text = module_around(instruction);
    const auto module = ptx::parse(text, form);
    if (!module) return module.error().message;
    const auto kernel = simt::Kernel::load(*module, "k", text);
    if (!kernel) return kernel.error().message;
    if (form == "trap") return "";
    return (*kernel)->unsupported().empty() ? "" : "not executed";
}

/// Families that the engine does not execute yet. A form of any other family must be executed; a family that
/// is executed in full leaves this list.
constexpr std::array<std::string_view, 0> awaited{};

bool is_awaited(const std::string& form) {
    return std::any_of(awaited.begin(), awaited.end(),
                       [&](std::string_view family) { return !family.empty() && form.starts_with(family); });
}

struct Coverage {
    std::uint64_t covered = 0, awaited = 0, all = 0;
    void add(const FormRow& row, bool executed) {
        if (executed) covered += row.count;
        else if (is_awaited(row.form)) awaited += row.count;
    }
    double share() const { return static_cast<double>(covered + awaited) / static_cast<double>(all); }
};

class RealForms : public ::testing::Test {
  protected:
    void SetUp() override {
        std::map<std::string, std::uint64_t> real_by_base;
        for (const FormRow& row : read_rows()) {
            if (row.corpus == "base A") continue;
            if (row.corpus == "base R") {
                real_by_base[row.form] = row.count;
                real_.all += row.count;
                continue;
            }
            const std::string missing = what_is_missing(row.form);
            if (!missing.empty()) missing_.push_back({row, missing});
            if (row.corpus == "A") {
                textbook_.all += row.count;
                textbook_.add(row, missing.empty());
                if (!missing.empty()) incomplete_[base_of(row.form)] = true;
            } else {
                real_by_base[base_of(row.form)] -= row.count;
                real_.add(row, missing.empty());
            }
        }
        // The rest of a base opcode are A's forms of it, whose shares in R are unknown: they count only if
        // all of them are executed.
        for (const auto& [base, rest] : real_by_base) real_.add({"R", base + ".", rest}, !incomplete_[base]);
    }

    std::string listed() const {
        std::string text;
        for (const auto& [row, reason] : missing_)
            text += fmt::format("\n  {} {} ({} times): {}", row.corpus, row.form, row.count, reason);
        return text;
    }

    Coverage textbook_, real_;
    std::vector<std::pair<FormRow, std::string>> missing_;
    std::map<std::string, bool> incomplete_;
};

TEST_F(RealForms, of_the_textbook_kernels_are_all_executed) {
    EXPECT_EQ(textbook_.all, 14'056u);
    EXPECT_EQ(textbook_.covered + textbook_.awaited, textbook_.all) << listed();
}

TEST_F(RealForms, of_real_kernels_are_executed_to_99_percent_by_their_counts) {
    EXPECT_EQ(real_.all, 542'637u);
    EXPECT_GE(real_.share(), 0.99) << listed();
    RecordProperty("executed", fmt::format("{} of {}", real_.covered, real_.all));
    RecordProperty("missing", listed());
}

TEST(real_forms, of_every_base_opcode_stand_in_the_table_with_their_modifiers_and_types) {
    for (const FormRow& row : read_rows()) {
        EXPECT_NE(ptx::find_opcode(base_of(row.form)), nullptr) << row.form;
        if (row.corpus.starts_with("base")) continue;
        const auto module = ptx::parse(module_around(synthesise_instruction(row.form)), row.form);
        ASSERT_TRUE(module) << module.error().message;
        for (const ptx::Statement& statement : module->functions.back().body) {
            const auto* instruction = std::get_if<ptx::Instruction>(&statement);
            if (instruction == nullptr) continue;
            EXPECT_EQ(ptx::explain_unlisted(*instruction), std::nullopt) << row.form;
        }
    }
}

}  // namespace
}  // namespace warplens
