#include "app/pipeline/values/combine_acts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "ptx/opcodes.h"
#include "ptx/program.h"
#include "ptx/register_types.h"
#include "ptx/value_flow.h"

namespace warplens::app {
namespace {

using analysis::CombineOp;
using analysis::ValueAct;
using Kind = ValueAct::Kind;

CombineOp op_of(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, CombineOp>, 7> ops{{{"add", CombineOp::add},
                                                                                {"mul", CombineOp::multiply},
                                                                                {"min", CombineOp::minimum},
                                                                                {"max", CombineOp::maximum},
                                                                                {"and", CombineOp::bit_and},
                                                                                {"or", CombineOp::bit_or},
                                                                                {"xor", CombineOp::bit_xor}}};
    const auto found = std::ranges::find(ops, name, &std::pair<std::string_view, CombineOp>::first);
    return found == ops.end() ? CombineOp::none : found->second;
}

CombineOp op_of(const ptx::Instruction& from) {
    const CombineOp op = op_of(std::string_view(from.opcode));
    if (from.has("wide") || from.type() == ptx::Type::pred) return CombineOp::none;
    return op;
}

Kind kind_of(const ptx::Instruction& from) {
    const std::string_view name = from.opcode;
    if (op_of(from) != CombineOp::none) return Kind::combine;
    if (name == "mov" || name == "cvt") return Kind::copy;
    if (name == "selp") return Kind::select;
    if (name == "ld" || name == "ldu") return Kind::load;
    if (name == "st") return Kind::store;
    if (name == "atom" || name == "red") return Kind::atomic;
    if (name == "shfl") return Kind::shuffle;
    if (name == "redux") return Kind::reduce;
    if (name == "bra" || name == "bar" || name == "barrier" || name == "ret" || name == "exit")
        return Kind::ignored;
    return Kind::other;
}

ValueAct::Source source_of(const ptx::Operand& operand) {
    if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value)) return {reg->index, 0};
    if (const auto* number = std::get_if<ptx::Immediate>(&operand.value)) return {no_index, number->bits};
    return {};
}

bool says_more_than_a_size(ptx::Type type) {
    const auto kind = ptx::class_of(type);
    return kind != ptx::TypeClass::none && kind != ptx::TypeClass::untyped;
}

/// Comparisons of registers by the predicate that they set: "a > b ? a : b" is a maximum.
struct Comparison {
    std::uint32_t a = no_index, b = no_index;
    bool greater = false;
    friend auto operator<=>(const Comparison&, const Comparison&) = default;
};
using Comparisons = std::map<std::uint32_t, std::set<Comparison>>;

Comparisons comparisons_of(const ptx::Function& function) {
    Comparisons found;
    for (const ptx::Statement& statement : function.body) {
        const auto* from = std::get_if<ptx::Instruction>(&statement);
        if (!from || from->opcode != "setp" || from->operands.size() < 3) continue;
        const ptx::ValueFlow flow = ptx::value_flow(*from);
        const bool greater = from->has("gt") || from->has("ge") || from->has("gtu") || from->has("geu");
        const bool less = from->has("lt") || from->has("le") || from->has("ltu") || from->has("leu");
        Comparison comparison;
        if (greater || less)
            comparison = {source_of(from->operands[1]).reg, source_of(from->operands[2]).reg, greater};
        for (const std::uint32_t predicate : flow.written) found[predicate].insert(comparison);
    }
    return found;
}

CombineOp selected(const ValueAct& act, const Comparisons& comparisons) {
    const auto found = comparisons.find(act.sources[2].reg);
    if (found == comparisons.end() || found->second.size() != 1) return CombineOp::none;
    const Comparison& by = *found->second.begin();
    if (by.a == no_index || by.b == no_index) return CombineOp::none;
    const bool same = by.a == act.sources[0].reg && by.b == act.sources[1].reg;
    const bool swapped = by.a == act.sources[1].reg && by.b == act.sources[0].reg;
    if (!same && !swapped) return CombineOp::none;
    return by.greater == same ? CombineOp::maximum : CombineOp::minimum;
}

/// Reads the instructions of one function.
class ActsOf {
  public:
    explicit ActsOf(const ptx::Function& function)
        : types_(ptx::register_types(function)), comparisons_(comparisons_of(function)) {}

    ValueAct act(const ptx::Instruction& from) const {
        ValueAct act;
        act.kind = kind_of(from);
        if (act.kind == Kind::combine) act.op = op_of(from);
        if (act.kind == Kind::reduce)
            for (const std::string& modifier : from.modifiers)
                if (act.op == CombineOp::none) act.op = op_of(std::string_view(modifier));
        if (act.kind == Kind::reduce && act.op == CombineOp::none) act.kind = Kind::other;
        read_sources(from, act);
        if (act.kind == Kind::select && act.sources.size() == 3) act.op = selected(act, comparisons_);
        const ptx::ValueFlow flow = ptx::value_flow(from);
        act.type = ptx::to_string(from.type());
        act.element_bytes = static_cast<std::uint32_t>(std::max(1, ptx::size_of(from.type())));
        const auto& values = act.kind == Kind::store || act.kind == Kind::shuffle ? flow.read : flow.written;
        if (!values.empty() && values.front() < types_.size())
            if (const ptx::Type held = types_[values.front()]; says_more_than_a_size(held))
                act.type = ptx::to_string(held);
        return act;
    }

  private:
    static void read_sources(const ptx::Instruction& from, ValueAct& act) {
        if (act.kind == Kind::store && from.operands.size() > 1) {
            if (const auto* vector = std::get_if<ptx::Vector>(&from.operands[1].value))
                for (const ptx::Operand& element : vector->elements)
                    act.sources.push_back(source_of(element));
            else act.sources.push_back(source_of(from.operands[1]));
        }
        if (act.kind == Kind::select)
            for (std::size_t i = 1; i < from.operands.size(); ++i)
                act.sources.push_back(source_of(from.operands[i]));
    }

    std::vector<ptx::Type> types_;
    Comparisons comparisons_;
};

/// Grows the set by what its registers are copied or combined into, until nothing is added.
template <class Takes>
void close_over(const ptx::Function& function, std::set<std::uint32_t>& registers, const Takes& takes) {
    for (std::size_t before = registers.size() + 1; before != registers.size();) {
        before = registers.size();
        for (const ptx::Statement& statement : function.body) {
            const auto* from = std::get_if<ptx::Instruction>(&statement);
            if (!from || !takes(*from)) continue;
            const ptx::ValueFlow flow = ptx::value_flow(*from);
            const bool reads =
                std::ranges::any_of(flow.read, [&](auto one) { return registers.contains(one); });
            if (reads) registers.insert(flow.written.begin(), flow.written.end());
        }
    }
}

bool passes_on(const ptx::Instruction& from) {
    const Kind kind = kind_of(from);
    return kind == Kind::copy || kind == Kind::select || kind == Kind::combine;
}

bool may_be_shared(const ptx::Instruction& from) {
    const Space space = ptx::space_of(from);
    return space == Space::none || space == Space::shared;
}

bool forms_trees(const ptx::Function& function) {
    std::set<std::uint32_t> arrived, combined;
    std::vector<const ptx::Instruction*> all;
    for (const ptx::Statement& statement : function.body)
        if (const auto* from = std::get_if<ptx::Instruction>(&statement)) all.push_back(from);
    for (const ptx::Instruction* from : all) {
        const Kind kind = kind_of(*from);
        if (kind == Kind::reduce) return true;
        if ((kind == Kind::load && may_be_shared(*from)) || kind == Kind::shuffle) {
            const ptx::ValueFlow flow = ptx::value_flow(*from);
            arrived.insert(flow.written.begin(), flow.written.end());
        }
    }
    close_over(function, arrived, passes_on);
    for (const ptx::Instruction* from : all) {
        const Kind kind = kind_of(*from);
        if (kind != Kind::combine && kind != Kind::select) continue;
        const ptx::ValueFlow flow = ptx::value_flow(*from);
        if (flow.read.size() > 1 &&
            std::ranges::any_of(flow.read, [&](auto one) { return arrived.contains(one); }))
            combined.insert(flow.written.begin(), flow.written.end());
    }
    close_over(function, combined, passes_on);
    return std::ranges::any_of(all, [&](const ptx::Instruction* from) {
        const Kind kind = kind_of(*from);
        if (!(kind == Kind::store && may_be_shared(*from)) && kind != Kind::shuffle) return false;
        const ptx::ValueFlow flow = ptx::value_flow(*from);
        return std::ranges::any_of(flow.read, [&](auto one) { return combined.contains(one); });
    });
}

}  // namespace

Result<std::vector<analysis::ValueAct>> value_acts(const ptx::Module& module, std::string_view entry) {
    WARPLENS_TRY(const auto numbered, ptx::number_sites(module, entry, ""));
    std::map<std::uint32_t, ActsOf> functions;
    std::vector<ValueAct> acts;
    for (const ptx::SiteOrigin& origin : numbered.origins) {
        const ptx::Function& function = module.functions[origin.function];
        const auto of = functions.try_emplace(origin.function, function).first;
        acts.push_back(of->second.act(std::get<ptx::Instruction>(function.body[origin.statement])));
    }
    return acts;
}

bool may_form_trees(const ptx::Module& module, std::string_view entry) {
    const auto numbered = ptx::number_sites(module, entry, "");
    if (!numbered) return false;
    std::set<std::uint32_t> functions;
    for (const ptx::SiteOrigin& origin : numbered->origins) functions.insert(origin.function);
    return std::ranges::any_of(functions,
                               [&](std::uint32_t one) { return forms_trees(module.functions[one]); });
}

}  // namespace warplens::app
