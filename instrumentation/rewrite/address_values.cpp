#include "instrumentation/rewrite/address_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

/// Calls visit(register index) for every register the operand names.
template <class Visit>
void for_each_register(const ptx::Operand& operand, Visit&& visit) {
    if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value)) visit(reg->index);
    const auto all = [&](const std::vector<ptx::Operand>& elements) {
        for (const ptx::Operand& element : elements) for_each_register(element, visit);
    };
    if (const auto* vector = std::get_if<ptx::Vector>(&operand.value)) all(vector->elements);
    if (const auto* pair = std::get_if<ptx::Pair>(&operand.value)) all(pair->elements);
    if (const auto* list = std::get_if<ptx::List>(&operand.value)) all(list->elements);
}

template <class Visit>
void for_each_result(const ptx::Instruction& instruction, Visit&& visit) {
    std::size_t results = ptx::result_count(instruction);
    if (instruction.opcode == "call") results = 1;                      // (results), callee, …
    if (ptx::site_kind(instruction) == SiteKind::barrier) results = 1;  // bar.red writes one
    for (std::size_t i = 0; i < std::min(results, instruction.operands.size()); ++i)
        for_each_register(instruction.operands[i], visit);
}

const ptx::Address* address_in(const ptx::Instruction& instruction, std::size_t operand) {
    return operand < instruction.operands.size()
               ? std::get_if<ptx::Address>(&instruction.operands[operand].value)
               : nullptr;
}

class Finder {
  public:
    explicit Finder(const Draft& draft) : draft_(draft) {
        found.definitions.resize(draft.plan.blocks.size());
    }

    AddressValues found;

    void run() {
        collect_addresses();
        collect_mapped();
        for (BasicBlockId b = 0; b < found.definitions.size(); ++b) collect_definitions(b);
        for (SiteAddress& address : found.addresses) name_value(address);
    }

  private:
    const std::vector<BlockNode>& nodes() const { return draft_.graph.nodes; }

    void collect_addresses() {
        const auto& sites = draft_.numbered.program.sites;
        for (SiteId site = 0; site < sites.size(); ++site) {
            if (sites[site].kind != SiteKind::memory) continue;
            const ptx::Instruction& instruction = draft_.instruction(site);
            const Space space = ptx::space_of(instruction);
            // Of a wmma fragment's pieces only the matrix' first byte stands in a register: they are not
            // recorded.
            if (instruction.opcode == "wmma") continue;
            if (instruction.opcode == "cp") {
                add(site, 0, Space::shared, address_in(instruction, 0));
                add(site, 1, Space::global, address_in(instruction, 1));
                continue;
            }
            for (std::size_t i = 0; i < instruction.operands.size(); ++i)
                if (const ptx::Address* address = address_in(instruction, i)) {
                    const bool matrix = instruction.opcode == "ldmatrix" || instruction.opcode == "stmatrix";
                    add(site, 0, matrix ? Space::shared : space, address);
                    break;
                }
        }
    }

    void add(SiteId site, std::uint32_t which, Space space, const ptx::Address* address) {
        if (address == nullptr) return;
        const auto* symbol = std::get_if<ptx::Symbol>(&address->base);
        if (symbol != nullptr && space == Space::param) return;
        SiteAddress& added = found.addresses.emplace_back();
        added.site = site;
        added.which = which;
        added.space = space;
        added.block = draft_.numbered.program.sites[site].basic_block;
        added.offset = address->offset;
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&address->base)) {
            bases_.insert({nodes()[added.block].function, reg->index});
        } else if (symbol != nullptr) {
            added.offset += symbol->offset;
            added.symbol = symbol->name;
        } else {
            added.offset += static_cast<std::int64_t>(std::get<ptx::Immediate>(address->base).bits);
        }
    }

    /// Registers that mapa's result goes into, by whatever arithmetic.
    void collect_mapped() {
        for (bool changed = true; changed;) {
            changed = false;
            for (SiteId site = 0; site < draft_.numbered.origins.size(); ++site) {
                const ptx::Instruction& instruction = draft_.instruction(site);
                const std::uint32_t function = draft_.numbered.origins[site].function;
                if (ptx::site_kind(instruction) != SiteKind::lanewise) continue;
                bool mapped = instruction.opcode == "mapa";
                for (std::size_t i = ptx::result_count(instruction); i < instruction.operands.size(); ++i)
                    for_each_register(instruction.operands[i], [&](std::uint32_t reg) {
                        mapped |= mapped_.contains({function, reg});
                    });
                if (!mapped) continue;
                for_each_result(instruction, [&](std::uint32_t reg) {
                    changed |= mapped_.insert({function, reg}).second;
                });
            }
        }
    }

    void collect_definitions(BasicBlockId b) {
        for (SiteId site = draft_.first_site(b); site <= draft_.last_site(b); ++site)
            for_each_result(draft_.instruction(site), [&](std::uint32_t reg) {
                if (bases_.contains({nodes()[b].function, reg})) found.definitions[b].push_back({reg, site});
            });
    }

    void name_value(SiteAddress& address) {
        const ptx::Instruction& instruction = draft_.instruction(address.site);
        const std::uint32_t function = nodes()[address.block].function;
        const std::size_t operand_order = instruction.opcode == "cp" ? address.which : no_index;
        const ptx::Address* operand = nullptr;
        for (std::size_t i = 0; i < instruction.operands.size() && operand == nullptr; ++i)
            if (operand_order == no_index || i == operand_order) operand = address_in(instruction, i);
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand->base)) {
            const ptx::Type type = draft_.module.functions[function].registers[reg->index].type;
            address.wide = ptx::size_of(type) == 8;
            address.of_cluster = mapped_.contains({function, reg->index});
            address.value = number(value_at(function, reg->index, address.block, address.site));
        } else if (!address.symbol.empty() && is_of_function(function, address.symbol)) {
            BaseValue value;
            value.block = address.block;
            value.symbol = address.symbol;
            address.value = number(value);
            address.symbol.clear();
        }
    }

    /// A variable that a function other than the entry declares.
    bool is_of_function(std::uint32_t function, std::string_view name) const {
        if (function == draft_.functions.front().index) return false;
        for (const ptx::Statement& statement : draft_.module.functions[function].body)
            if (const auto* variable = std::get_if<ptx::VariableDeclaration>(&statement))
                if (variable->name == name) return true;
        return false;
    }

    std::uint32_t number(const BaseValue& value) {
        const auto at = std::find(found.values.begin(), found.values.end(), value);
        if (at != found.values.end()) return static_cast<std::uint32_t>(at - found.values.begin());
        found.values.push_back(value);
        return static_cast<std::uint32_t>(found.values.size() - 1);
    }

    /// What the register holds before the site reads it.
    BaseValue value_at(std::uint32_t function, std::uint32_t reg, BasicBlockId b, SiteId site) {
        SiteId last = no_index;
        for (const auto& [defined, at] : found.definitions[b])
            if (defined == reg && at < site) last = at;
        if (last != no_index) return {reg, b, last, {}};
        return values_at_beginnings(function, reg)[b];
    }

    /// By block. Where different values come together a new one begins.
    const std::vector<BaseValue>& values_at_beginnings(std::uint32_t function, std::uint32_t reg) {
        const auto [at, is_new] = beginnings_.try_emplace({function, reg});
        std::vector<BaseValue>& values = at->second;
        if (!is_new) return values;
        values.resize(nodes().size());  // reg == no_index: nothing has come yet
        const auto at_end = [&](BasicBlockId b) {
            BaseValue value = values[b];
            for (const auto& [defined, site] : found.definitions[b])
                if (defined == reg) value = {reg, b, site, {}};
            return value;
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (BasicBlockId b = 0; b < nodes().size(); ++b) {
                if (nodes()[b].function != function) continue;
                const BaseValue own{reg, b, no_index, {}};
                if (values[b] == own) continue;
                BaseValue value;
                if (nodes()[b].begins_function) value = own;
                for (const BasicBlockId before : nodes()[b].predecessors) {
                    const BaseValue other = at_end(before);
                    if (other.reg == no_index) continue;
                    // What ends a block is defined where the next one begins.
                    const bool in_between = other.site != no_index &&
                                            other.site == draft_.last_site(before) &&
                                            ptx::ends_basic_block(draft_.terminator(before));
                    if (in_between || (value.reg != no_index && !(value == other))) value = own;
                    else value = other;
                    if (value == own) break;
                }
                if (value == values[b]) continue;
                // Once two values met here, they do for good: this ends.
                if (values[b].reg != no_index) value = own;
                values[b] = value;
                changed = true;
            }
        }
        for (BasicBlockId b = 0; b < nodes().size(); ++b)  // blocks that no path reaches
            if (values[b].reg == no_index) values[b] = {reg, b, no_index, {}};
        return values;
    }

    const Draft& draft_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> bases_;  // function and register
    std::set<std::pair<std::uint32_t, std::uint32_t>> mapped_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<BaseValue>> beginnings_;
};

}  // namespace

AddressValues find_address_values(const Draft& draft) {
    Finder finder(draft);
    finder.run();
    return std::move(finder.found);
}

}  // namespace warplens::instrumentation
