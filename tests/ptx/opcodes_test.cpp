// The opcode table: it covers the corpus, its rows are well formed, and unknown opcodes are named.
#include "ptx/opcodes.h"

#include <set>
#include <sstream>

#include "tests/ptx/corpus.h"
#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

TEST(opcodes, every_instruction_of_the_corpus_is_listed) {
    for (const auto& path : corpus())
        for (const Function& function : parsed(read(path)).functions)
            for (const Instruction& instruction : instructions_of(function))
                EXPECT_EQ(explain_unlisted(instruction), std::nullopt)
                    << instruction.spelling << " in " << path;
}

// The base opcodes that textbook and real-world kernels use.
TEST(opcodes, every_base_opcode_of_real_kernels_has_a_row) {
    std::istringstream names(
        "bra ret exit call trap nanosleep bar barrier membar fence mbarrier shfl vote match redux activemask "
        "ld st "
        "cvta mapa atom red cp wmma mma ldmatrix tex suld sust mov cvt selp prmt setp set add sub mul mad "
        "fma div "
        "rem min max neg abs copysign addc subc madc and or xor not shl shr shf lop3 bfi bmsk popc clz brev "
        "bfind "
        "sqrt rsqrt rcp ex2 lg2 sin cos dp4a vabsdiff2 vabsdiff4");
    for (std::string name; names >> name;) EXPECT_NE(find_opcode(name), nullptr) << name;
}

TEST(opcodes, rows_are_unique_and_name_their_section_and_only_known_types) {
    std::set<std::string_view> seen;
    for (const OpcodeRow& row : opcodes()) {
        EXPECT_TRUE(seen.insert(row.name).second) << row.name << " stands twice";
        EXPECT_NE(row.section.find(": "), std::string_view::npos) << row.name;
        std::istringstream types{std::string(row.types)};
        for (std::string type; types >> type;) EXPECT_TRUE(type_from(type)) << row.name << " ." << type;
        std::istringstream modifiers{std::string(row.modifiers)};
        for (std::string word; modifiers >> word;)
            EXPECT_FALSE(type_from(word)) << row.name << " lists the type ." << word << " as a modifier";
    }
}

TEST(opcodes, unknown_opcode_modifier_or_type_is_explained) {
    EXPECT_EQ(explain_unlisted(instruction("frobnicate.u32 %r1;")), "unknown opcode frobnicate");
    EXPECT_EQ(explain_unlisted(instruction("shf.q.b32 %r1, %r2, %r3, 1;")),
              "modifier .q of shf is not one of: l r clamp wrap");
    EXPECT_EQ(explain_unlisted(instruction("lg2.approx.f64 %rd1, %rd2;")),
              "type .f64 of lg2 is not one of: f32");
    EXPECT_EQ(explain_unlisted(instruction("ret.u32;")), "type .u32 of ret is not one of: none");
}

TEST(opcodes, order_of_the_words_does_not_matter) {
    for (const std::string text : {"vote.ballot.sync.b32 %r1, %p1, -1;", "vote.sync.ballot.b32 %r1, %p1, -1;",
                                   "ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%r1,%r2}, [%r3];"})
        EXPECT_EQ(explain_unlisted(instruction(text)), std::nullopt) << text;
}

}  // namespace
}  // namespace warplens::ptx
