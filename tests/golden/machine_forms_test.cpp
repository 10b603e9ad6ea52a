// Which forms of real kernels' machine code are executed: tests/simt/real_machine_forms.csv. A form is tried
// on NVIDIA's own encodings (tests/sass/nvdisasm), and on those that differ from them in modifiers only.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "sass/control_flow.h"
#include "sass/decoder.h"
#include "sass/printer.h"
#include "simt/functional/machine/lowering.h"
#include "simt/functional/machine/meaning.h"
#include "tests/sass/nvdisasm_table.h"
#include "tests/support/folders.h"

namespace warplens::simt {
namespace {

constexpr int form_target = 90;
constexpr std::size_t most_variants = 65536;  // of an encoding

/// Forms of which some encodings are not executed, and which.
const std::map<std::string, std::string>& partly_refused_forms() {
    static const std::map<std::string, std::string> reasons{
        {"CS2R", "performance counters are the hardware's"},
        {"TEX.LL", "the predicate of sparse textures"},
        {"SYNCS.ARRIVE.TRANS64.RED.A0T1", "without a token, which it has nowhere in real code"},
        {"VIADDMNMX.S16x2", "with a negated source"},
        {"VIADDMNMX.S16x2.RELU", "with a negated source"},
        {"S2R", "SR_SMEMSZ counts what the system reserves, and others are the driver's"},
        {"S2UR", "SR_SMEMSZ counts what the system reserves, and others are the driver's"},
    };
    return reasons;
}

struct Tried {
    int executed = 0, refused = 0;
    std::string example;  // of the refused
};

void set_field(sass::Encoding& encoding, const sass::BitField& field, std::uint64_t value) {
    for (unsigned i = 0; i < field.run_count; ++i)
        for (unsigned bit = 0; bit < field.runs[i].width; ++bit, value >>= 1) {
            const unsigned at = field.runs[i].first + bit;
            std::uint64_t& word = at < 64 ? encoding.low : encoding.high;
            const std::uint64_t mask = std::uint64_t{1} << at % 64;
            word = (value & 1) != 0 ? word | mask : word & ~mask;
        }
}

bool is_executed(const sass::Instruction& instruction) {
    if (sass::flow_of(instruction) != sass::Flow::next && !find_meaning(instruction.row->id))
        return instruction.row->id != sass::InstructionId::CALL_ABS_IMMEDIATE;
    const Meaning* meaning = find_meaning(instruction.row->id);
    if (!meaning) return false;
    DecodedKernel kernel;
    kernel.machine.emplace();
    kernel.machine->sm = form_target;
    for (auto& image : kernel.machine->images) image.resize(0x10000);
    MachineRows rows(kernel, {.general = 272, .allocated = 272, .uniform = 80, .barriers = 16});
    Lowering lowering(kernel, rows, form_target);
    lowering.begin_block({&instruction, 1}, 0);
    lowering.begin(instruction, 0);
    return meaning->lower(lowering);
}

class Forms {
  public:
    void add_example(const sass::Encoding& encoding) {
        const sass::Instruction instruction = sass::decode(encoding, 0, form_target);
        if (!instruction.known()) return;
        note(tried_, instruction);
        bases_.try_emplace(instruction.row->id, encoding);
    }
    /// Encodings that differ from the first of each row in modifiers only; zero registers where there is
    /// none.
    void add_variants() {
        for (const sass::Row& row : sass::rows()) {
            if (row.first_sm > form_target || row.last_sm < form_target) continue;
            sass::Encoding base;
            base.low = row.opcode | static_cast<std::uint64_t>(row.forms[0] - '0') << 9 | 7u << 12;
            base.high = std::uint64_t{7} << 17 | std::uint64_t{7} << 20 | std::uint64_t{7} << 23;
            if (const auto known = bases_.find(row.id); known != bases_.end()) base = known->second;
            std::vector<sass::Encoding> variants{base, base, base};
            set_field(variants[1], {{{{16, 8}}}, 1}, 0xff);  // no result
            set_field(variants[2], {{{{63, 1}}}, 1}, 0);     // no negation
            for (const sass::ModifierSpec& modifier : row.modifiers) vary(modifier, variants);
            for (const sass::Encoding& each : variants) {
                const sass::Instruction instruction = sass::decode(each, 0, form_target);
                if (instruction.known() && instruction.row->id == row.id) note(varied_, instruction);
            }
        }
    }
    /// Real encodings where there are any.
    const Tried* find(const std::string& form) const {
        if (const auto found = tried_.find(form); found != tried_.end()) return &found->second;
        const auto found = varied_.find(form);
        return found == varied_.end() ? nullptr : &found->second;
    }

  private:
    static void vary(const sass::ModifierSpec& modifier, std::vector<sass::Encoding>& variants) {
        const std::size_t count = variants.size(), values = std::size_t{1} << modifier.field.width();
        if (count * values > most_variants) return;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t value = 0; value < values; ++value) {
                sass::Encoding changed = variants[i];
                set_field(changed, modifier.field, value);
                if (!(changed == variants[i])) variants.push_back(changed);
            }
    }
    static void note(std::map<std::string, Tried>& forms, const sass::Instruction& instruction) {
        Tried& tried = forms[sass::print_opcode(instruction)];
        const bool executed = is_executed(instruction);
        ++(executed ? tried.executed : tried.refused);
        if (!executed && tried.example.empty()) tried.example = sass::print(instruction, form_target);
    }

    std::map<std::string, Tried> tried_, varied_;
    std::map<sass::InstructionId, sass::Encoding> bases_;
};

Forms all_forms() {
    Forms forms;
    for (const sass::DisassembledLine& line : sass::read_nvdisasm_table("forms.txt.zst", 0))
        if (line.sm == form_target) forms.add_example(line.encoding);
    for (const sass::DisassembledLine& line :
         sass::read_nvdisasm_table("catalogue_sm_90.txt.zst", form_target))
        forms.add_example(line.encoding);
    forms.add_variants();
    return forms;
}

TEST(machine_forms, of_real_kernels_are_executed_at_least_in_part) {
    const Forms forms = all_forms();
    std::ifstream file(source_folder() + "/tests/simt/real_machine_forms.csv");
    long all = 0, executed = 0, partly = 0;
    for (std::string line; std::getline(file, line);) {
        const std::size_t comma = line.rfind(',');
        if (line.starts_with("#") || line == "form,count" || comma == std::string::npos) continue;
        const std::string form = line.substr(0, comma);
        const long count = std::strtol(line.c_str() + comma + 1, nullptr, 10);
        all += count;
        const Tried* tried = forms.find(form);
        const bool named_partly = partly_refused_forms().contains(form);
        if (!tried || tried->executed == 0) {
            ADD_FAILURE() << form << " (" << count
                          << ") is not executed: " << (tried ? tried->example : "no encoding of it is known");
        } else if (tried->refused != 0) {
            EXPECT_TRUE(named_partly)
                << form << " (" << count << ") is not always executed: " << tried->example;
            partly += count;
        } else {
            executed += count;
            EXPECT_FALSE(named_partly) << form << " is executed";
        }
    }
    RecordProperty("executed", std::to_string(executed));
    RecordProperty("partly", std::to_string(partly));
    EXPECT_EQ(all, 702'104);
    std::printf("of %ld instructions %ld are executed, %ld are of forms that are executed in part\n", all,
                executed, partly);
    EXPECT_GT(executed, 690'000);
}

}  // namespace
}  // namespace warplens::simt

#endif
