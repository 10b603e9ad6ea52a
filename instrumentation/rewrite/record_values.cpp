// Full recording: lanes store their base values into the visit's record, the leader the ballots of guards. In
// narrow recording a register collects in which bits upper halves differ from what the host said.
#include <fmt/format.h>

#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"
#include "instrumentation/rewrite/value_columns.h"

namespace warplens::instrumentation {

namespace {

class ValueRecorder {
  public:
    explicit ValueRecorder(Draft& draft) : draft_(draft) {}

    void run() {
        for (const GuardBallot& guard : draft_.ballots) put_ballot(guard);
        for (const PayloadStore& store : draft_.payload) put_store(store);
        for (FunctionDraft& function : draft_.functions)
            if (function.registers.contains("%warplens_outside")) put_check(function);
    }

  private:
    FunctionDraft& function_of(BasicBlockId b) { return draft_.function_of(draft_.first_site(b)); }

    void put_ballot(const GuardBallot& guard) {
        const ptx::Guard& predicate = draft_.instruction(guard.site).guard;
        draft_.put(function_of(guard.block), draft_.before(guard.site),
                   fmt::format(".reg .b32 %voted; .reg .pred %executes;\n{}.pred %executes, %own{};\n"
                               "vote.sync.ballot.b32 %voted, %executes, {};\n"
                               "@{} st.global.b32 [{}+{}], %voted;\n",
                               predicate.negated ? "not" : "mov", predicate.predicate,
                               captured_mask(guard.block), record_leader(guard.block),
                               record_address(guard.block), draft_.chunks_begin() + guard.offset));
    }

    void put_store(const PayloadStore& store) {
        FunctionDraft& function = function_of(store.block);
        std::string text, words;
        std::vector<std::string> symbols;
        for (std::size_t i = 0; i < store.words.size(); ++i) {
            const PayloadWord& word = store.words[i];
            text += load(function, word, i);
            if (!word.symbol.empty()) symbols.push_back(word.symbol);
            words += fmt::format("{}%w{}", i == 0 ? "" : ", ", i);
        }
        if (!draft_.plan.blocks[store.block].lane_values.empty())
            return draft_.put(function, store.place, text + store_in_column(draft_, store), symbols);
        text += fmt::format(
            ".reg .b32 %lane; .reg .b64 %to;\nmov.u32 %lane, %laneid;\n"
            "mad.wide.u32 %to, %lane, {}, {};\n",
            store.stride, record_address(store.block));
        const std::string width = store.words.size() == 4 ? ".v4" : store.words.size() == 2 ? ".v2" : "";
        if (store.stride == 2)
            text +=
                fmt::format(".reg .b16 %half;\ncvt.u16.u32 %half, %w0;\n@{} st.global.b16 [%to+{}], %half;\n",
                            record_exists(store.block), draft_.chunks_begin() + store.offset);
        else
            text += fmt::format("@{} st.global{}.b32 [%to+{}], {}{}{};\n", record_exists(store.block), width,
                                draft_.chunks_begin() + store.offset, width.empty() ? "" : "{", words,
                                width.empty() ? "" : "}");
        draft_.put(function, store.place, text, symbols);
    }

    /// Declares and sets %w<i>.
    std::string load(FunctionDraft& function, const PayloadWord& word, std::size_t i) {
        using Part = PayloadWord::Part;
        if (word.reg == no_index)
            return fmt::format(
                ".reg .b32 %w{0}, %h{0}; .reg .b64 %s{0};\nmov.u64 %s{0}, {1};\n"
                "mov.b64 {{{2}, {3}}}, %s{0};\n",
                i, word.symbol, word.part == Part::high ? fmt::format("%h{}", i) : fmt::format("%w{}", i),
                word.part == Part::high ? fmt::format("%w{}", i) : fmt::format("%h{}", i));
        std::string text =
            fmt::format(".reg .b32 %w{0}, %h{0};\n", i) + low(function, word.reg, i, word.part == Part::high);
        if (word.part == Part::halves && word.second != no_index) {
            text += fmt::format(".reg .b32 %w{0}u, %h{0}u;\n", i);
            text += low(function, word.second, fmt::format("{}u", i), false);
            text += fmt::format("prmt.b32 %w{0}, %w{0}, %w{0}u, 0x5410;\n", i);
        }
        if (word.check_high && word.part == Part::low && is_wide(function, word.reg)) {
            draft_.share(function, "%warplens_outside", ptx::Type::b32);
            text += fmt::format(
                ".reg .b32 %high{0};\nld.param.u32 %high{0}, [warplens_space+{1}];\n"
                "xor.b32 %high{0}, %high{0}, %h{0};\nor.b32 %warplens_outside, %warplens_outside, "
                "%high{0};\n",
                i, offsetof(SpaceParameter, address_high));
        }
        return text;
    }

    bool is_wide(const FunctionDraft& function, std::uint32_t reg) {
        return ptx::size_of(draft_.body_of(function).registers[reg].type) == 8;
    }

    /// The lower half of a register into %w<name>, the upper into %h<name>; or the other way round.
    template <class Name>
    std::string low(const FunctionDraft& function, std::uint32_t reg, const Name& name, bool swapped) {
        if (is_wide(function, reg))
            return swapped ? fmt::format("mov.b64 {{%h{0}, %w{0}}}, %own{1};\n", name, reg)
                           : fmt::format("mov.b64 {{%w{0}, %h{0}}}, %own{1};\n", name, reg);
        return fmt::format("mov.b32 %{0}{1}, %own{2};\nmov.b32 %{3}{1}, 0;\n", swapped ? "h" : "w", name, reg,
                           swapped ? "w" : "h");
    }

    void put_check(FunctionDraft& function) {
        const std::string text =
            load_space(function) + fmt::format(
                                       ".reg .pred %differs;\n"
                                       "setp.ne.u32 %differs, %warplens_outside, 0;\n"
                                       "{}@%differs st.global.u32 [%base+{}], 1;\n",
                                       of_a_warp_that_records(), offsetof(SpaceHead, outside_narrow));
        for (SiteId site = 0; site < draft_.numbered.origins.size(); ++site) {
            if (draft_.numbered.origins[site].function != function.index) continue;
            const std::string& opcode = draft_.instruction(site).opcode;
            if (opcode == "ret" || opcode == "exit") draft_.put(function, draft_.before(site), text);
        }
        draft_.put(function, {}, "mov.u32 %warplens_outside, 0;\n");
    }

    std::string_view of_a_warp_that_records() const {
        if (!draft_.only_whole) return "setp.ne.and.u32 %differs, %warplens_lt, -1, %differs;\n";
        return leaves_warps_out(draft_.options) ? "and.pred %differs, %differs, %warplens_records;\n" : "";
    }

    Draft& draft_;
};

}  // namespace

Status record_values(Draft& draft) {
    if (draft.options.mode == RecordMode::full) ValueRecorder(draft).run();
    return draft.status();
}

}  // namespace warplens::instrumentation
