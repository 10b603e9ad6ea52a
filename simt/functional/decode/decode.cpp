// Kernel::load: numbers the sites, lays out the state spaces and decodes function by function.
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "core/launch_limits.h"
#include "ptx/memory_layout.h"
#include "ptx/opcodes.h"
#include "ptx/program.h"
#include "simt/functional/decode/decoder.h"
#include "simt/functional/decode/module_layout.h"
#include "simt/functional/decode/provided_functions.h"
#include "simt/functional/decode/refusals.h"
#include "simt/functional/decode/register_liveness.h"
#include "simt/functional/decode/stack_frames.h"
#include "simt/functional/execute/auxiliary.h"

namespace warplens::simt {

namespace {

class KernelDecoder {
  public:
    KernelDecoder(const ptx::Module& module, ptx::NumberedProgram numbered, DecodedKernel& kernel)
        : module_(module), origins_(std::move(numbered.origins)), kernel_(kernel), decoder_(module, kernel) {
        kernel_.numbered = std::move(numbered.program);
    }

    void decode() {
        scopes_ = lay_out(module_, origins_, decoder_, kernel_);
        scope_of_function_.resize(module_.functions.size(), no_index);
        for (u32 i = 0; i < scopes_.size(); ++i) {
            by_name_.emplace(scopes_[i].function->name, i);
            scope_of_function_[static_cast<std::size_t>(scopes_[i].function - module_.functions.data())] = i;
        }
        find_labels();
        if (!origins_.empty()) scopes_[0].need_clearing = live_in(0, {first_block_of(0)})[0];
        const auto& blocks = kernel_.numbered.basic_blocks;
        for (u32 i = 0; i < blocks.size(); ++i) decode_block(i);
        DecodedBlock end;
        end.control = Control::leave_function;
        kernel_.blocks.push_back(end);
        measure_stack(kernel_, callers_, kept_over_calls());
        decoder_.place_rows();
        kernel_.origins = std::move(origins_);
    }

  private:
    const ptx::Instruction& instruction_of(SiteId site) const {
        const ptx::SiteOrigin& origin = origins_[site];
        return std::get<ptx::Instruction>(module_.functions[origin.function].body[origin.statement]);
    }
    Scope& scope_of(SiteId site) { return scopes_[scope_of_function_[origins_[site].function]]; }
    u32 end_block() const { return static_cast<u32>(kernel_.numbered.basic_blocks.size()); }

    void find_labels() {
        labels_.resize(scopes_.size());
        SiteId site = 0;
        for (u32 i = 0; i < scopes_.size(); ++i) {
            std::vector<std::string_view> pending;
            for (const ptx::Statement& statement : scopes_[i].function->body) {
                if (auto* label = std::get_if<ptx::LabelStatement>(&statement))
                    pending.push_back(label->name);
                if (!std::holds_alternative<ptx::Instruction>(statement)) continue;
                for (std::string_view name : pending)
                    labels_[i][name] = kernel_.numbered.sites[site].basic_block;
                pending.clear();
                ++site;
            }
            for (std::string_view name : pending) labels_[i][name] = end_block();
        }
    }

    void decode_block(u32 index) {
        const BasicBlock& basic = kernel_.numbered.basic_blocks[index];
        DecodedBlock block;
        block.first_site = basic.first_site;
        block.site_count = basic.site_count;
        block.first_op = static_cast<u32>(kernel_.ops.size());
        const SiteId last = basic.first_site + basic.site_count - 1;
        const bool ends_function =
            index + 1 == end_block() || origins_[last].function != origins_[last + 1].function;
        block.next = ends_function ? end_block() : index + 1;
        decoder_.convergence = 0;
        decoder_.counter = no_index;
        decoder_.examined.forget_all();
        for (SiteId site = basic.first_site; site <= last; ++site) {
            const ptx::Instruction& instruction = instruction_of(site);
            if (site == last && decode_control(instruction, site, block)) continue;
            decode_instruction(instruction, site);
        }
        block.convergence |= decoder_.convergence;
        block.counter = decoder_.counter;
        kernel_.counts |= block.counter != no_index;
        hold_back_what_follows_unsupported(block.first_op);
        block.end_op = static_cast<u32>(kernel_.ops.size());
        kernel_.blocks.push_back(block);
    }

    /// A block ends at an instruction that is not executed, so no later operation may use its missing
    /// results.
    void hold_back_what_follows_unsupported(u32 first) {
        auto& ops = kernel_.ops;
        const auto stop = std::find_if(ops.begin() + first, ops.end(), [](const DecodedOp& op) {
            return op.execute == execute_unsupported || op.inner == execute_unsupported;
        });
        if (stop == ops.end()) return;
        for (auto op = stop + 1; op != ops.end(); ++op) {
            DecodedOp wrapper;
            wrapper.execute = execute_unless_ending;
            wrapper.site = op->site;
            wrapper.immediate = kernel_.held_ops.size();
            kernel_.held_ops.push_back(*op);
            *op = wrapper;
        }
    }

    void decode_instruction(const ptx::Instruction& instruction, SiteId site) {
        Scope& scope = scope_of(site);
        if (is_unlisted(instruction)) return refuse(instruction, site);
        for (auto decode : {decode_move, decode_convert, decode_compare, decode_lanewise, decode_memory,
                            decode_atomic, decode_warp, decode_async, decode_tensor, decode_video,
                            decode_texture, decode_surface, decode_nothing}) {
            decoder_.begin(scope, instruction, site);
            if (!decode(decoder_)) continue;
            decoder_.finish();
            return;
        }
        if (instruction.opcode != "trap") return refuse(instruction, site);
        decoder_.begin(scope, instruction, site);
        decoder_.add(execute_trap);
        decoder_.finish();
    }

    /// Forms outside the opcode table may mean anything: a new modifier must not be ignored.
    bool is_unlisted(const ptx::Instruction& instruction) {
        if (!instruction.unread_operands.empty()) return true;
        const auto [known, is_new] = unlisted_.try_emplace(instruction.spelling, false);
        if (is_new) known->second = ptx::explain_unlisted(instruction).has_value();
        return known->second;
    }

    void refuse(const ptx::Instruction& instruction, SiteId site) {
        decoder_.begin(scope_of(site), instruction, site);
        decoder_.add(execute_unsupported);
        decoder_.finish();
        note_unsupported(instruction, site);
    }

    void note_unsupported(const ptx::Instruction& instruction, SiteId site) {
        const std::string form = refused_form(instruction);
        for (auto& known : kernel_.missing) {
            if (known.spelling != form) continue;
            ++known.count;
            known.sites.push_back(site);
            return;
        }
        kernel_.missing.push_back({form, instruction.ptx_line.value, 1, why_refused(instruction), {site}});
    }

    /// False: not a control instruction, or one that this engine cannot execute.
    bool decode_control(const ptx::Instruction& instruction, SiteId site, DecodedBlock& block) {
        if (is_unlisted(instruction)) return false;
        const std::string& opcode = instruction.opcode;
        bool known = false;
        Scope& scope = scope_of(site);
        decoder_.begin(scope, instruction, site);
        if (opcode == "bra") known = decode_branch(instruction, scope, block);
        if (opcode == "exit" || opcode == "ret") {
            block.control = opcode == "exit" ? Control::exit : Control::leave_function;
            known = true;
        }
        if (opcode == "call") known = decode_call(instruction, scope, block);
        if ((opcode == "bar" || opcode == "barrier") && !instruction.has("warp"))
            known = instruction.has("cluster") ? decode_cluster_barrier(instruction, block)
                                               : decode_barrier(instruction, block);
        if (opcode == "brx") known = decode_branch_table(instruction, scope, block);
        if (!known) return false;
        decoder_.finish_operands();
        block.control_site = site;
        block.guarded = instruction.has_guard;
        if (block.guarded) {
            block.guard = decoder_.guard_row(instruction);
            block.guard_negated = instruction.guard.negated;
        }
        return true;
    }

    bool decode_branch(const ptx::Instruction& instruction, const Scope& scope, DecodedBlock& block) {
        if (instruction.operands.empty()) return false;
        auto* label = std::get_if<ptx::Label>(&instruction.operands[0].value);
        if (!label) return false;
        const auto& labels = labels_[scope.function_index];
        auto at = labels.find(label->name);
        if (at == labels.end()) return false;
        block.control = Control::branch;
        block.target = at->second;
        return true;
    }

    /// brx.idx index, list: the list is the label of a .branchtargets directive.
    bool decode_branch_table(const ptx::Instruction& instruction, const Scope& scope, DecodedBlock& block) {
        if (instruction.operands.size() != 2) return false;
        auto index = decoder_.source(instruction.operands[0], Shape::word);
        auto* list = std::get_if<ptx::Label>(&instruction.operands[1].value);
        if (!index || !list) return false;
        const ptx::Directive* directive = nullptr;
        bool follows = false;
        for (const ptx::Statement& statement : scope.function->body) {
            if (follows) directive = std::get_if<ptx::Directive>(&statement);
            auto* label = std::get_if<ptx::LabelStatement>(&statement);
            follows = label && label->name == list->name;
            if (directive) break;
        }
        if (!directive) return false;
        constexpr std::string_view between = " \t\n,;";
        std::string_view rest = directive->text;
        std::vector<u32> targets;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find_first_of(between), rest.size());
            const std::string_view word = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (word.empty() || word == ".branchtargets") continue;
            auto at = labels_[scope.function_index].find(word);
            if (at == labels_[scope.function_index].end()) return false;
            targets.push_back(at->second);
        }
        block.control = Control::branch_table;
        block.table_index = *index;
        block.target = static_cast<u32>(kernel_.tables.size());
        kernel_.tables.push_back(std::move(targets));
        return true;
    }

    bool decode_barrier(const ptx::Instruction& instruction, DecodedBlock& block) {
        const auto& operands = instruction.operands;
        std::size_t next = 0;
        std::optional<Row> row;
        if (instruction.has("red")) {
            const bool count = instruction.has("popc");
            block.control = Control::barrier_reduce;
            block.reduction = count                    ? Reduction::count
                              : instruction.has("and") ? Reduction::all
                                                       : Reduction::any;
            if (operands.size() < 3) return false;
            row = decoder_.destination(operands[next++], count ? Shape::word : Shape::predicate);
            if (!row) return false;
            block.result = *row;
            row = decoder_.source(operands.back(), Shape::predicate);
            if (!row) return false;
            block.reduced = *row;
        } else {
            block.control = instruction.has("arrive") ? Control::barrier_arrive : Control::barrier_sync;
        }
        block.aligned = instruction.opcode == "bar" || instruction.has("aligned");
        const std::size_t end = operands.size() - (instruction.has("red") ? 1 : 0);
        row = next < end ? decoder_.source(operands[next++], Shape::word) : decoder_.constant(Shape::word, 0);
        if (!row) return false;
        block.barrier = *row;
        if (next < end) {
            row = decoder_.source(operands[next], Shape::word);
            if (!row) return false;
            block.counted = true;
            block.barrier_count = *row;
        }
        if (block.aligned) block.convergence = 0xffffffffu;
        return true;
    }

    bool decode_cluster_barrier(const ptx::Instruction& instruction, DecodedBlock& block) {
        block.control = instruction.has("wait") ? Control::cluster_wait : Control::cluster_arrive;
        block.aligned = instruction.has("aligned");
        if (block.aligned) block.convergence = 0xffffffffu;
        return true;
    }

    bool copies(const std::vector<ptx::Operand>& actual, const std::vector<ptx::VariableDeclaration>& formal,
                const Scope* callee, bool into_callee, std::vector<CopiedParameter>& out) {
        if (callee && actual.size() != formal.size()) return false;
        for (std::size_t i = 0; i < actual.size(); ++i) {
            auto mine = decoder_.place(actual[i]);
            if (!mine || mine->space != Space::param || mine->kernel_parameter) return false;
            u32 here = static_cast<u32>(mine->offset), there = here, bytes = mine->bytes;
            if (callee) {
                const Place& place = callee->places.at(formal[i].name);
                there = static_cast<u32>(place.offset);
                bytes = std::min(bytes, place.bytes);
            }
            out.push_back(into_callee ? CopiedParameter{here, there, bytes}
                                      : CopiedParameter{there, here, bytes});
        }
        return true;
    }

    bool decode_call(const ptx::Instruction& instruction, const Scope&, DecodedBlock& block) {
        std::vector<ptx::Operand> results, arguments;
        const ptx::Operand* callee = nullptr;
        for (const ptx::Operand& operand : instruction.operands) {
            if (auto* list = std::get_if<ptx::List>(&operand.value))
                (callee ? arguments : results) = list->elements;
            else if (!callee) callee = &operand;
        }
        if (!callee) return false;
        CallSite site;
        const Scope* target = nullptr;
        if (auto* symbol = std::get_if<ptx::Symbol>(&callee->value)) {
            const auto at = by_name_.find(symbol->name);
            const auto provided = provided_function(symbol->name);
            if (at == by_name_.end() && !provided) return false;
            if (at != by_name_.end()) {
                target = &scopes_[at->second];
                site.function = at->second;
            } else {
                site.callee = *provided;
            }
        } else {
            const auto pointer = decoder_.source(*callee, Shape::wide);
            if (!pointer) return false;
            site.callee = Callee::pointer;
            site.pointer = *pointer;
        }
        static const std::vector<ptx::VariableDeclaration> unknown;
        if (!copies(arguments, target ? target->function->parameters : unknown, target, true,
                    site.arguments) ||
            !copies(results, target ? target->function->results : unknown, target, false, site.results))
            return false;
        kernel_.launches |= is_of_device_runtime(site.callee);
        kernel_.uses_heap |= site.callee == Callee::allocate || site.callee == Callee::release;
        block.control = Control::call;
        block.target = static_cast<u32>(kernel_.calls.size());
        kernel_.calls.push_back(std::move(site));
        callers_.push_back(decoder_.scope().function_index);
        return true;
    }

    BasicBlockId first_block_of(u32 function) const { return kernel_.functions[function].entry_block; }

    /// See live_registers().
    std::vector<std::vector<bool>> live_in(u32 function, std::vector<BasicBlockId> blocks) const {
        const ptx::Function& text = *scopes_[function].function;
        const FunctionBlocks of{text, static_cast<u32>(&text - module_.functions.data()),
                                first_block_of(function), labels_[function]};
        return live_registers(of, kernel_.numbered, origins_, blocks);
    }

    std::vector<KeptOverCalls> kept_over_calls() const {
        std::vector<std::vector<BasicBlockId>> behind(scopes_.size());  // blocks after calls, by function
        for (u32 i = 0; i < end_block(); ++i) {
            const DecodedBlock& block = kernel_.blocks[i];
            if (block.control != Control::call) continue;
            const u32 function = scope_of_function_[origins_[block.first_site].function];
            behind[function].push_back(block.next);
        }
        std::vector<KeptOverCalls> kept(scopes_.size());
        for (u32 i = 1; i < scopes_.size(); ++i) {
            if (behind[i].empty()) continue;
            kept[i].calls = true;
            std::erase(behind[i], end_block());
            for (const std::vector<bool>& live : live_in(i, behind[i])) {
                u32 bytes = 0;
                for (u32 r = 0; r < live.size(); ++r)
                    if (live[r]) bytes += bytes_of(shape_of(scopes_[i].function->registers[r].type));
                kept[i].bytes = std::max(kept[i].bytes, bytes);
            }
        }
        return kept;
    }

    const ptx::Module& module_;
    std::vector<ptx::SiteOrigin> origins_;
    DecodedKernel& kernel_;
    Decoder decoder_;
    std::vector<Scope> scopes_;
    std::vector<u32> scope_of_function_;  // by index in the module
    std::unordered_map<std::string_view, u32> by_name_;
    std::vector<std::unordered_map<std::string_view, u32>> labels_;  // by function: label to block
    std::vector<u32> callers_;                                       // by call
    std::unordered_map<std::string_view, bool> unlisted_;            // by spelling
};

}  // namespace

Result<std::shared_ptr<const Kernel>> Kernel::load(const ptx::Module& module, std::string_view entry,
                                                   std::string ptx_text) {
    WARPLENS_TRY(auto numbered, ptx::number_sites(module, entry, std::move(ptx_text)));
    auto kernel = std::make_shared<DecodedKernel>();
    KernelDecoder(module, std::move(numbered), *kernel).decode();
    if (!kernel->recurses && kernel->local_bytes > most_stack_bytes)
        return fail(
            "\"{}\" and the functions that it calls need {} bytes of local memory; at most {} are possible",
            entry, kernel->local_bytes, most_stack_bytes);
    return kernel;
}

}  // namespace warplens::simt
