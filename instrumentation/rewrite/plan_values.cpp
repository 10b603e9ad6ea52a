// Full recording: which base values each block records, and when. A value that a loop does not change is
// recorded at its definition; a value with few uses is recorded at its uses; one that follows from the launch
// is not recorded, but hashed.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "instrumentation/rewrite/address_values.h"
#include "instrumentation/rewrite/launch_values.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/payload.h"
#include "instrumentation/rewrite/recording_space.h"
#include "instrumentation/rewrite/value_columns.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

/// By block: the loops that hold it, by the block that begins them.
std::vector<std::set<BasicBlockId>> find_loops(const BlockGraph& graph) {
    const std::vector<BasicBlockId> dominators = immediate_dominators(graph);
    const auto dominates = [&](BasicBlockId a, BasicBlockId b) {
        for (; b != no_index; b = dominators[b])
            if (a == b) return true;
        return false;
    };
    std::vector<std::set<BasicBlockId>> loops(graph.nodes.size());
    for (BasicBlockId tail = 0; tail < graph.nodes.size(); ++tail) {
        for (const BasicBlockId head : graph.nodes[tail].successors) {
            if (!dominates(head, tail)) continue;
            loops[head].insert(head);
            std::vector<BasicBlockId> open{tail};
            while (!open.empty()) {
                const BasicBlockId at = open.back();
                open.pop_back();
                if (!loops[at].insert(head).second) continue;
                for (const BasicBlockId before : graph.nodes[at].predecessors) open.push_back(before);
            }
        }
    }
    return loops;
}

bool runs_at_least_as_often(const std::set<BasicBlockId>& loops, const std::set<BasicBlockId>& than) {
    return std::includes(loops.begin(), loops.end(), than.begin(), than.end());
}

/// A value that a block records.
struct Item {
    std::uint32_t value = 0;  // index into RecordingPlan::values
    std::uint32_t reg = no_index;
    std::string symbol;
    SiteId available = no_index;  // after this site; no_index: from the block's start
    SiteId killed = no_index;     // the site that overwrites it; no_index: not in this block
    std::uint32_t bytes = 4;
    bool check_high = false;
};

class ValuePlanner {
  public:
    explicit ValuePlanner(Draft& draft)
        : draft_(draft),
          known_(*draft.launch_values),
          found_(find_address_values(draft)),
          loops_(find_loops(draft.graph)),
          meetings_(immediate_post_dominators(draft.graph)),
          items_(draft.plan.blocks.size()) {}

    void plan() {
        std::vector<std::vector<const SiteAddress*>> uses(found_.values.size());
        for (const SiteAddress& address : found_.addresses)
            if (address.value != no_index && !is_replayed(address)) uses[address.value].push_back(&address);
        for (std::uint32_t value = 0; value < uses.size(); ++value) place(found_.values[value], uses[value]);
        for (const SiteAddress& address : found_.addresses) add_address(address);
        for (BasicBlockId b = 0; b < items_.size(); ++b) {
            lay_out(b);
            lay_out_guards(b);
            if (move_to_columns(draft_, b)) ends_[b] = unit_bytes;
            draft_.plan.blocks[b].units = std::max(1u, (ends_[b] + unit_bytes - 1) / unit_bytes);
        }
        add_module_variables();
        hash([&](const SiteAddress& address) { return is_replayed(address); });
    }

    void plan_hashes() {
        draft_.plan.values = static_cast<std::uint32_t>(found_.values.size());
        for (const SiteAddress& address : found_.addresses) {
            value_of_[&address] = address.value;
            add_address(address);
        }
        hash([](const SiteAddress&) { return true; });
    }

  private:
    bool is_replayed(const SiteAddress& address) const {
        return draft_.options.mode == RecordMode::full && address.value != no_index &&
               known_.is_followed(draft_.graph.nodes[address.block].function,
                                  found_.values[address.value].reg);
    }

    bool is_known(const SiteAddress& address) const {
        return address.value != no_index &&
               known_.is_known(draft_.graph.nodes[address.block].function, found_.values[address.value].reg);
    }

    /// One address of each base value in a block is hashed, that of an unguarded instruction if there is one:
    /// the others follow from it. Instructions under other guards are hashed separately. A value that follows
    /// from the launch is hashed behind its loops, once: what it was in the passes before leads to what it is
    /// in the last one.
    template <class Wanted>
    void hash(const Wanted& wanted) {
        std::map<std::pair<BasicBlockId, std::uint32_t>, bool> planned;  // block, or loop, and value
        for (const bool guarded : {false, true}) {
            for (std::size_t i = 0; i < found_.addresses.size(); ++i) {
                const SiteAddress& address = found_.addresses[i];
                if (address.value == no_index || !found_.values[address.value].symbol.empty() ||
                    !wanted(address) || (draft_.options.shown && is_known(address)))
                    continue;
                if (draft_.instruction(address.site).has_guard != guarded) continue;
                const BasicBlockId behind = behind_loops(address);
                const BasicBlockId where =
                    behind == no_index ? address.block : *loops_[address.block].begin();
                const auto [at, is_new] = planned.try_emplace({where, address.value}, guarded);
                draft_.plan.addresses[i].hashed = is_new || at->second;
                if (draft_.plan.addresses[i].hashed) draft_.plan.addresses[i].hashed_in = behind;
            }
        }
    }

    /// The first block behind all loops around the site that every lane comes to; no_index without one, and
    /// where the value does not follow from the launch.
    BasicBlockId behind_loops(const SiteAddress& address) const {
        const std::set<BasicBlockId>& loops = loops_[address.block];
        if (loops.empty() || !is_known(address)) return no_index;
        BasicBlockId at = meetings_[address.block];
        const auto is_around = [&](BasicBlockId loop) { return loops_[at].contains(loop); };
        while (at != no_index && std::ranges::any_of(loops, is_around)) at = meetings_[at];
        return at;
    }

    /// How many bytes of the register hold the address.
    std::uint32_t bytes_for(Space space, std::uint32_t function, std::uint32_t reg) const {
        if (reg != no_index && ptx::size_of(draft_.module.functions[function].registers[reg].type) < 8)
            return space == Space::shared && draft_.options.shared_bytes <= 0x10000 ? 2 : 4;
        if (space == Space::none) return 8;
        if (space == Space::global) return draft_.options.narrow ? 4 : 8;
        return space == Space::shared && draft_.options.shared_bytes <= 0x10000 ? 2 : 4;
    }

    /// Decides where the value is recorded for its uses.
    void place(const BaseValue& value, const std::vector<const SiteAddress*>& uses) {
        std::set<BasicBlockId> blocks;
        bool in_deeper_loop = false, where_defined = false;
        for (const SiteAddress* use : uses) {
            blocks.insert(use->block);
            where_defined |= use->block == value.block;
            in_deeper_loop |= loops_[use->block] != loops_[value.block] &&
                              runs_at_least_as_often(loops_[use->block], loops_[value.block]);
        }
        const bool early = where_defined || in_deeper_loop || blocks.size() > 1;
        for (const SiteAddress* use : uses) {
            const bool at_definition =
                early && runs_at_least_as_often(loops_[use->block], loops_[value.block]);
            const BasicBlockId b = at_definition ? value.block : use->block;
            const std::uint32_t function = draft_.graph.nodes[b].function;
            const auto [at, is_new] =
                recorded_.try_emplace({&value - found_.values.data(), b}, items_[b].size());
            if (is_new) {
                Item& item = items_[b].emplace_back();
                item.value = draft_.plan.values++;
                item.reg = value.reg;
                item.symbol = value.symbol;
                if (b == value.block) item.available = value.site;
                for (auto defined = found_.definitions[b].rbegin(); defined != found_.definitions[b].rend();
                     ++defined)
                    if (defined->first == item.reg &&
                        (item.available == no_index || defined->second > item.available))
                        item.killed = defined->second;
                item.bytes = 2;
            }
            Item& item = items_[b][at->second];
            const std::uint32_t bytes = bytes_for(use->space, function, item.reg);
            item.bytes = std::max(item.bytes, bytes);
            item.check_high |= use->space == Space::global && bytes == 4 && draft_.options.narrow;
            value_of_[use] = item.value;
        }
    }

    /// Also those that are only reached through pointers: their addresses show which accesses are theirs.
    void add_module_variables() {
        auto& symbols = draft_.plan.symbols;
        for (const ptx::VariableDeclaration& variable : draft_.module.variables) {
            const bool is_used =
                variable.space == Space::global &&
                std::ranges::any_of(draft_.numbered.program.variables,
                                    [&](const Variable& used) { return used.name == variable.name; });
            if (is_used && std::ranges::find(symbols, variable.name) == symbols.end())
                symbols.push_back(variable.name);
        }
    }

    void add_address(const SiteAddress& address) {
        AddressPlan& plan = draft_.plan.addresses.emplace_back();
        plan.site = address.site;
        plan.which = address.which;
        plan.offset = address.offset;
        plan.wide = address.wide;
        plan.of_cluster = address.of_cluster;
        plan.hashes_half = address.wide && (address.space == Space::shared || address.space == Space::local);
        if (is_replayed(address)) plan.slot = known_.slot(found_.values[address.value].reg);
        else if (address.value != no_index) plan.value = value_of_.at(&address);
        else if (!address.symbol.empty()) {
            auto& symbols = draft_.plan.symbols;
            const auto at = std::find(symbols.begin(), symbols.end(), address.symbol);
            plan.symbol = static_cast<std::uint32_t>(at - symbols.begin());
            if (at == symbols.end()) symbols.push_back(address.symbol);
        }
    }

    /// Packs the block's values into stores: four words at once if as many are available.
    void lay_out(BasicBlockId b) {
        std::vector<Item>& items = items_[b];
        std::stable_sort(items.begin(), items.end(), [](const Item& x, const Item& y) {
            return x.available + 1 < y.available + 1;  // no_index + 1 is 0: the block's beginning
        });
        std::uint32_t& end = ends_.emplace_back(unit_bytes);
        const bool calls = draft_.terminator(b).opcode == "call";
        std::vector<const Item*> pending;
        const auto flush = [&](Place place) {
            store(b, place, pending, end);
            pending.clear();
        };
        for (std::size_t i = 0; i < items.size(); ++i) {
            // Before it is available, whatever is overwritten until then must be stored.
            while (true) {
                SiteId first_killed = no_index;
                for (const Item* item : pending) first_killed = std::min(first_killed, item->killed);
                if (first_killed == no_index || items[i].available == no_index ||
                    first_killed > items[i].available)
                    break;
                flush(draft_.before(first_killed));
            }
            pending.push_back(&items[i]);
            std::uint32_t bytes = 0;
            for (const Item* item : pending) bytes += item->bytes;
            const bool more_now = i + 1 < items.size() && items[i + 1].available == items[i].available;
            if (bytes >= unit_bytes || (calls && !more_now)) flush(behind(b, items[i].available));
        }
        SiteId first_killed = no_index;
        for (const Item* item : pending) first_killed = std::min(first_killed, item->killed);
        if (!pending.empty())
            flush(first_killed != no_index ? draft_.before(first_killed) : draft_.end_of(b));
    }

    Place behind(BasicBlockId b, SiteId site) const {
        return site == no_index ? draft_.begin_of(b) : draft_.behind(site);
    }

    struct Placed {
        const Item* item;
        std::size_t word;
        bool upper_half;
    };

    void store(BasicBlockId b, Place place, const std::vector<const Item*>& items, std::uint32_t& end) {
        std::vector<PayloadWord> words;
        std::vector<Placed> placed;
        const auto add = [&](const Item* item, PayloadWord::Part part) {
            placed.push_back({item, words.size(), false});
            words.push_back({part, item->reg, no_index, item->symbol, item->check_high});
        };
        for (const Item* item : items)
            if (item->bytes == 8) {
                add(item, PayloadWord::Part::low);
                words.push_back({PayloadWord::Part::high, item->reg, no_index, item->symbol, false});
            }
        for (const Item* item : items)
            if (item->bytes == 4) add(item, PayloadWord::Part::low);
        const Item* half = nullptr;
        for (const Item* item : items) {
            if (item->bytes != 2) continue;
            if (half != nullptr && half->symbol.empty() && item->symbol.empty()) {
                words.back().second = item->reg;
                placed.push_back({item, words.size() - 1, true});
                half = nullptr;
            } else {
                add(item, PayloadWord::Part::halves);
                half = item;
            }
        }
        for (std::size_t first = 0; first < words.size();) {
            const std::size_t left = words.size() - first;
            std::size_t count = left >= 4 ? 4 : left >= 2 ? 2 : 1;
            PayloadStore& made = draft_.payload.emplace_back();
            made.block = b;
            made.place = place;
            made.offset = end;
            const bool half_word = count == 1 && words[first].part == PayloadWord::Part::halves &&
                                   words[first].second == no_index;
            made.stride = half_word ? 2 : static_cast<std::uint32_t>(4 * count);
            made.words.assign(words.begin() + static_cast<std::ptrdiff_t>(first),
                              words.begin() + static_cast<std::ptrdiff_t>(first + count));
            for (const Placed& at : placed)
                if (at.word >= first && at.word < first + count)
                    draft_.plan.blocks[b].values.push_back(
                        {at.item->value,
                         end + static_cast<std::uint32_t>(4 * (at.word - first)) + (at.upper_half ? 2 : 0),
                         made.stride, at.item->bytes});
            end += made.stride * 32;
            first += count;
        }
    }

    /// One word per guard; equal guards with no write to the predicate in between share it.
    void lay_out_guards(BasicBlockId b) {
        std::map<std::tuple<std::uint32_t, bool>, std::uint32_t> known;
        for (SiteId site = draft_.first_site(b); site <= draft_.last_site(b); ++site) {
            const ptx::Instruction& instruction = draft_.instruction(site);
            const SiteKind kind = ptx::site_kind(instruction);
            const bool has_mask = kind != SiteKind::branch && kind != SiteKind::exit;
            if (instruction.has_guard && has_mask && is_replayed_guard(b, site)) {
                draft_.plan.blocks[b].replayed_guards.push_back(
                    {site, known_.slot(instruction.guard.predicate), instruction.guard.negated});
            } else if (instruction.has_guard && has_mask) {
                const auto [at, is_new] =
                    known.try_emplace({instruction.guard.predicate, instruction.guard.negated}, ends_[b]);
                if (is_new) {
                    ends_[b] += 4;
                    draft_.ballots.push_back({b, site, at->second});
                }
                draft_.plan.blocks[b].guards.push_back({site, at->second});
            }
            for (const ptx::Operand& operand : instruction.operands) forget(operand, known);
        }
    }

    /// Not of an instruction that ends its block: the walk from visit to visit asks for its lanes.
    bool is_replayed_guard(BasicBlockId b, SiteId site) const {
        return site != draft_.last_site(b) &&
               known_.is_known(draft_.graph.nodes[b].function, draft_.instruction(site).guard.predicate);
    }

    template <class Known>
    static void forget(const ptx::Operand& operand, Known& known) {
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value)) {
            known.erase({reg->index, false});
            known.erase({reg->index, true});
        }
        if (const auto* pair = std::get_if<ptx::Pair>(&operand.value))
            for (const ptx::Operand& element : pair->elements) forget(element, known);
    }

    Draft& draft_;
    LaunchValues& known_;
    const AddressValues found_;
    const std::vector<std::set<BasicBlockId>> loops_;
    const std::vector<BasicBlockId> meetings_;
    std::vector<std::vector<Item>> items_;  // by block
    std::vector<std::uint32_t> ends_;       // by block: bytes of the record so far
    std::map<std::pair<std::ptrdiff_t, BasicBlockId>, std::size_t> recorded_;  // value and block: its item
    std::map<const SiteAddress*, std::uint32_t> value_of_;
};

/// Addresses can come from any shared, constant or local variable through a register: the head says where
/// each lies.
void list_variables(Draft& draft) {
    const ptx::Function& entry = draft.body_of(draft.functions.front());
    std::set<std::string> nameable;  // in the entry
    for (const ptx::VariableDeclaration& variable : draft.module.variables) nameable.insert(variable.name);
    for (const ptx::Statement& statement : entry.body) {
        const auto* variable = std::get_if<ptx::VariableDeclaration>(&statement);
        if (variable == nullptr) continue;
        nameable.insert(variable->name);
        if (variable->space == Space::local) draft.plan.symbols.push_back(variable->name);
    }
    for (const Variable& variable : draft.numbered.program.variables)
        if ((variable.space == Space::shared || variable.space == Space::constant) &&
            nameable.contains(variable.name))
            draft.plan.symbols.push_back(variable.name);
}

}  // namespace

Status plan_values(Draft& draft) {
    if (draft.options.mode != RecordMode::light) list_variables(draft);
    draft.launch_values = std::make_shared<LaunchValues>(draft);
    if (draft.options.mode == RecordMode::light) return {};
    if (draft.options.mode == RecordMode::proof) {
        ValuePlanner(draft).plan_hashes();
    } else {
        draft.plan.narrow = draft.options.narrow;
        ValuePlanner(draft).plan();
    }
    draft.plan.hashes_addresses = draft.hashes_addresses();
    return {};
}

}  // namespace warplens::instrumentation
