// Functions that the kernel calls: its state goes through them in the thread's local memory. Their last
// parameter, "warplens_state", is the address of it; callers put their cursor there before a call and take it
// back after it.
#include "instrumentation/rewrite/carried_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "instrumentation/rewrite/passes.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

bool is_callee(const Draft& draft, const ptx::Operand& operand) {
    const auto* symbol = std::get_if<ptx::Symbol>(&operand.value);
    if (symbol == nullptr) return std::holds_alternative<ptx::RegisterOperand>(operand.value);
    return std::any_of(draft.functions.begin(), draft.functions.end(), [&](const FunctionDraft& function) {
        return !function.is_entry && draft.body_of(function).name == symbol->name;
    });
}

/// (results), callee, (arguments), prototype: all but the callee may be missing.
std::size_t callee_operand(const ptx::Instruction& call) {
    return !call.operands.empty() && std::holds_alternative<ptx::List>(call.operands.front().value) ? 1 : 0;
}

void add_argument(ptx::Instruction& call, const std::string& name) {
    const std::size_t arguments = callee_operand(call) + 1;
    if (arguments >= call.operands.size() ||
        !std::holds_alternative<ptx::List>(call.operands[arguments].value))
        call.operands.insert(call.operands.begin() + static_cast<std::ptrdiff_t>(arguments),
                             ptx::Operand{ptx::List{'(', {}}});
    std::get<ptx::List>(call.operands[arguments].value).elements.push_back({ptx::Symbol{name}});
}

void add_parameter(ptx::Function& function) {
    ptx::VariableDeclaration parameter;
    parameter.name = "warplens_state";
    parameter.space = Space::param;
    parameter.type = ptx::Type::b64;
    function.parameters.push_back(std::move(parameter));
}

/// ".callprototype (…) _ (…)": one more in the last parentheses.
void add_parameter(ptx::Directive& prototype) {
    const std::size_t end = prototype.text.rfind(')');
    const std::size_t begin = prototype.text.rfind('(', end);
    if (end == std::string::npos || begin == std::string::npos) return;
    const bool empty = prototype.text.find_first_not_of(" \t\n", begin + 1) == end;
    prototype.text.insert(end, empty ? ".param .b64 _" : ", .param .b64 _");
}

class Carrier {
  public:
    explicit Carrier(Draft& draft) : draft_(draft), hashes_(draft.hashes_addresses()) {}

    void run() {
        for (FunctionDraft& function : draft_.functions) {
            ptx::Function& body = draft_.body_of(function);
            draft_.share(function, "%warplens_state", ptx::Type::b64);
            if (function.is_entry) begin_entry(function);
            else begin_function(function);
            if (!function.is_entry && draft_.runs_off_its_end(function))
                draft_.put(function, draft_.last_place(function), save());
            for (ptx::Statement& statement : body.body)
                if (auto* directive = std::get_if<ptx::Directive>(&statement))
                    if (directive->text.compare(0, 14, ".callprototype") == 0) add_parameter(*directive);
        }
        for (SiteId site = 0; site < draft_.numbered.origins.size(); ++site) carry(site);
        for (ptx::Function& function : draft_.module.functions) {
            if (function.is_entry) continue;
            const bool ours = std::any_of(
                draft_.functions.begin(), draft_.functions.end(),
                [&](const FunctionDraft& other) { return draft_.body_of(other).name == function.name; });
            if (ours) add_parameter(function);
        }
    }

  private:
    void begin_entry(FunctionDraft& entry) {
        ptx::VariableDeclaration own;
        own.name = "warplens_own";
        own.space = Space::local;
        own.type = ptx::Type::b8;
        own.alignment = 8;
        own.extents = {sizeof(CarriedState)};
        entry.head.insert(entry.head.begin(), own);
        std::string text = fmt::format(
            ".reg .b64 %field;\nmov.u64 %warplens_state, warplens_own;\n"
            "st.local.b32 [%warplens_state+{}], %warplens_lt;\n"
            "st.local.b32 [%warplens_state+{}], %warplens_start;\n",
            offsetof(CarriedState, lt), offsetof(CarriedState, start));
        for (std::size_t at = 0; at < sizeof(SpaceParameter); at += 8)
            text += fmt::format(
                "ld.param.u64 %field, [warplens_space+{}];\nst.local.u64 [%warplens_state+{}], %field;\n", at,
                offsetof(CarriedState, space) + at);
        if (entry.registers.contains("%warplens_ballot"))
            text += fmt::format("st.local.b32 [%warplens_state+{}], %warplens_ballot;\n",
                                offsetof(CarriedState, ballot));
        draft_.put(entry, draft_.start_of_recording(0), text);
    }

    void begin_function(FunctionDraft& function) {
        std::string text = "ld.param.u64 %warplens_state, [warplens_state];\n";
        const auto load = [&](const char* name, std::size_t offset) {
            draft_.share(function, name, ptx::Type::b32);
            text += fmt::format("ld.local.b32 {}, [%warplens_state+{}];\n", name, offset);
        };
        load("%warplens_lt", offsetof(CarriedState, lt));
        load("%warplens_cursor", offsetof(CarriedState, cursor));
        load("%warplens_start", offsetof(CarriedState, start));
        draft_.share(function, "%warplens_ballot", ptx::Type::b32);
        if (Draft::has_shared(draft_.functions.front(), "%warplens_ballot"))
            load("%warplens_ballot", offsetof(CarriedState, ballot));
        if (hashes_) load("%warplens_hash", offsetof(CarriedState, hash));
        draft_.put(function, {}, text);
    }

    std::string save() const {
        std::string text = fmt::format("st.local.b32 [%warplens_state+{}], %warplens_cursor;\n",
                                       offsetof(CarriedState, cursor));
        if (hashes_)
            text += fmt::format("st.local.b32 [%warplens_state+{}], %warplens_hash;\n",
                                offsetof(CarriedState, hash));
        return text;
    }

    std::string restore() const {
        std::string text = fmt::format("ld.local.b32 %warplens_cursor, [%warplens_state+{}];\n",
                                       offsetof(CarriedState, cursor));
        if (hashes_)
            text += fmt::format("ld.local.b32 %warplens_hash, [%warplens_state+{}];\n",
                                offsetof(CarriedState, hash));
        return text;
    }

    void carry(SiteId site) {
        FunctionDraft& function = draft_.function_of(site);
        ptx::Instruction& instruction = draft_.edit(site);
        if (instruction.opcode == "ret" && !function.is_entry) {
            draft_.put(function, draft_.before(site), save());
            return;
        }
        if (instruction.opcode != "call" || callee_operand(instruction) >= instruction.operands.size() ||
            !is_callee(draft_, instruction.operands[callee_operand(instruction)]))
            return;
        const std::string name = fmt::format("warplens_call{}", site);
        draft_.put(function, draft_.before(site),
                   fmt::format("{0}.param .b64 {1};\nst.param.b64 [{1}], %warplens_state;\n", save(), name));
        draft_.put(function, draft_.behind(site), restore());
        add_argument(instruction, name);
    }

    Draft& draft_;
    const bool hashes_;
};

}  // namespace

Status carry_state(Draft& draft) {
    if (draft.functions.size() > 1) Carrier(draft).run();
    return draft.status();
}

}  // namespace warplens::instrumentation
