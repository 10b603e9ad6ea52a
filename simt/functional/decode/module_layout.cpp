#include "simt/functional/decode/module_layout.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "ptx/memory_layout.h"

namespace warplens::simt {

namespace {

u64 align_up(u64 offset, u64 alignment) { return (offset + alignment - 1) / alignment * alignment; }

u64 initial_bits(const ptx::Immediate& value, ptx::Type type) {
    using Kind = ptx::Immediate::Kind;
    if (value.kind == Kind::f64_bits && type == ptx::Type::f32)
        return std::bit_cast<u32>(static_cast<float>(std::bit_cast<double>(value.bits)));
    if (value.kind == Kind::f32_bits && type == ptx::Type::f64)
        return std::bit_cast<u64>(double{std::bit_cast<float>(static_cast<u32>(value.bits))});
    return value.bits;
}

const ptx::VariableDeclaration* find_declaration(const ptx::Module& module, std::string_view name) {
    const ptx::VariableDeclaration* found = nullptr;
    for (const auto& declaration : module.variables)
        if (declaration.name == name && (!found || !declaration.initial.empty())) found = &declaration;
    return found;
}

/// Functions that the kernel can reach, by name: their index in DecodedKernel::functions.
using FunctionNames = std::unordered_map<std::string_view, u32>;

void fill_image(const ptx::VariableDeclaration& declaration, DecodedKernel& kernel,
                const FunctionNames& functions, ModuleVariable& variable) {
    const u64 element = static_cast<u64>(ptx::size_of(declaration.type));
    for (std::size_t i = 0; i < declaration.initial.size(); ++i) {
        const u64 at = i * element;
        if (at + element > variable.image.size() || element > 8) return;
        const auto store = [&](u64 bits) { std::memcpy(variable.image.data() + at, &bits, element); };
        if (auto* value = std::get_if<ptx::Immediate>(&declaration.initial[i])) {
            store(initial_bits(*value, declaration.type));
            continue;
        }
        const auto& symbol = std::get<ptx::Symbol>(declaration.initial[i]);
        const u32 shift = symbol.mask == 0 ? 0 : static_cast<u32>(std::countr_zero(symbol.mask));
        if (const auto function = functions.find(symbol.name); function != functions.end()) {
            DecodedFunction& named = kernel.functions[function->second];
            store((named.address + static_cast<u64>(symbol.offset)) >> shift);
            named.address_taken = true;
            continue;
        }
        const auto launched = std::ranges::find(kernel.launchable, symbol.name, &LaunchableKernel::name);
        if (launched != kernel.launchable.end()) {
            store((launched->address + static_cast<u64>(symbol.offset)) >> shift);
            continue;
        }
        for (u32 k = 0; k < kernel.variables.size(); ++k)
            if (kernel.variables[k].name == symbol.name)
                variable.addresses.push_back({at, k, symbol.offset, static_cast<u32>(element), shift});
    }
}

/// The variables of Program, as locations visible to every function.
Places lay_out_variables(const ptx::Module& module, const FunctionNames& functions, DecodedKernel& kernel) {
    Places places;
    u64 shared_end = 0, dynamic = no_index;
    for (const Variable& variable : kernel.numbered.variables) {
        Place place{variable.space, variable.offset, static_cast<u32>(variable.bytes), false, false};
        if (variable.space == Space::shared) {
            shared_end = std::max(shared_end, variable.offset + variable.bytes);
            if (variable.bytes == 0) dynamic = variable.offset;
        } else {
            if (variable.space == Space::global) place.offset = kernel.variables.size();
            ModuleVariable held;
            held.name = variable.name;
            held.space = variable.space;
            held.offset = variable.offset;
            held.image.resize(variable.bytes);
            if (variable.space == Space::constant)
                kernel.constant_bytes = std::max(kernel.constant_bytes, variable.offset + variable.bytes);
            kernel.variables.push_back(std::move(held));
        }
        places.emplace(variable.name, place);
    }
    kernel.shared_bytes = static_cast<u32>(dynamic != no_index ? dynamic : shared_end);
    for (ModuleVariable& variable : kernel.variables)
        if (auto* declaration = find_declaration(module, variable.name))
            fill_image(*declaration, kernel, functions, variable);
    return places;
}

/// "PTX ISA: Performance-Tuning Directives": the threads of ".maxntid 256, 1, 1"; 0: another directive.
u64 threads_of(const std::string& directive, std::string_view named) {
    u64 x = 1, y = 1, z = 1;
    char word[16] = {};
    if (std::sscanf(directive.c_str(), ".%15s %lu , %lu , %lu", word, &x, &y, &z) < 2) return 0;
    return named == word ? x * y * z : 0;
}

std::vector<LaunchableKernel> launchable_kernels(const ptx::Module& module) {
    std::vector<LaunchableKernel> kernels;
    for (u32 i = 0; i < module.functions.size(); ++i) {
        const ptx::Function& function = module.functions[i];
        if (!function.is_entry || function.is_declaration) continue;
        LaunchableKernel& kernel = kernels.emplace_back();
        kernel.name = function.name;
        kernel.address = function_address(i);
        for (const Parameter& parameter : ptx::lay_out_parameters(function))
            kernel.parameter_bytes = std::max(kernel.parameter_bytes, parameter.offset + parameter.bytes);
        for (const std::string& directive : function.performance_directives) {
            kernel.most_threads = std::max(kernel.most_threads, threads_of(directive, "maxntid"));
            kernel.exactly_threads = std::max(kernel.exactly_threads, threads_of(directive, "reqntid"));
            kernel.in_clusters |= directive.find("cluster") != std::string::npos;
        }
    }
    return kernels;
}

class FunctionLayout {
  public:
    FunctionLayout(Scope& scope, DecodedFunction& function, u32& param_end)
        : scope_(scope), function_(function), param_end_(param_end) {}

    void add(const ptx::VariableDeclaration& declaration) {
        if (declaration.space == Space::param) add_parameter(declaration);
        if (declaration.space == Space::local) add_local(declaration);
    }

    ParameterPlace add_parameter(const ptx::VariableDeclaration& declaration) {
        param_end_ = static_cast<u32>(align_up(param_end_, std::max(8u, ptx::alignment_of(declaration))));
        const u32 bytes = static_cast<u32>(declaration.bytes());
        scope_.places.insert_or_assign(declaration.name,
                                       Place{Space::param, param_end_, bytes, false, false});
        param_end_ += bytes;
        return {param_end_ - bytes, bytes};
    }

    void add_local(const ptx::VariableDeclaration& declaration) {
        const u64 at = align_up(function_.depot_bytes, ptx::alignment_of(declaration));
        const u32 bytes = static_cast<u32>(declaration.bytes());
        scope_.places.insert_or_assign(declaration.name, Place{Space::local, at, bytes, false, false});
        function_.depot_bytes = static_cast<u32>(align_up(at + bytes, 16));
    }

  private:
    Scope& scope_;
    DecodedFunction& function_;
    u32& param_end_;
};

}  // namespace

std::vector<Scope> lay_out(const ptx::Module& module, const std::vector<ptx::SiteOrigin>& origins,
                           Decoder& decoder, DecodedKernel& kernel) {
    std::vector<u32> order;
    std::vector<u32> entry_blocks;
    for (SiteId site = 0; site < origins.size(); ++site) {
        if (!order.empty() && order.back() == origins[site].function) continue;
        order.push_back(origins[site].function);
        entry_blocks.push_back(kernel.numbered.sites[site].basic_block);
    }
    kernel.functions.resize(order.size());
    FunctionNames functions;
    for (u32 i = 0; i < order.size(); ++i) {
        kernel.functions[i].address = function_address(order[i]);
        if (!module.functions[order[i]].is_entry) functions.emplace(module.functions[order[i]].name, i);
    }
    kernel.launchable = launchable_kernels(module);
    Places names = lay_out_variables(module, functions, kernel);
    for (u32 i = 0; i < kernel.launchable.size(); ++i) {
        Place place;
        place.offset = i;
        place.kernel = true;
        names.emplace(kernel.launchable[i].name, place);
    }
    for (const auto& [name, index] : functions) {
        Place place;
        place.offset = index;
        place.function = true;
        names.emplace(name, place);
    }
    const auto module_places = std::make_shared<const Places>(std::move(names));
    std::vector<Scope> scopes(order.size());
    for (u32 i = 0; i < order.size(); ++i) {
        const ptx::Function& function = module.functions[order[i]];
        Scope& scope = scopes[i];
        DecodedFunction& decoded = kernel.functions[i];
        scope.function_index = i;
        scope.function = &function;
        scope.registers.assign(function.registers.size(), no_row);
        scope.uses = register_uses(function);
        scope.module_places = module_places;
        decoded.name = function.name;
        decoded.entry_block = entry_blocks[i];
        decoded.local_base = decoder.add_register(Shape::word);
        decoded.registers.push_back({decoded.local_base, 4});
        decoded.params_begin = kernel.param_bytes;
        FunctionLayout layout(scope, decoded, kernel.param_bytes);
        if (function.is_entry) {
            for (const Parameter& parameter : kernel.numbered.parameters) {
                scope.places.insert_or_assign(
                    parameter.name, Place{Space::param, parameter.offset, parameter.bytes, true, false});
                kernel.kernel_param_bytes =
                    std::max(kernel.kernel_param_bytes, parameter.offset + parameter.bytes);
            }
        } else {
            for (const auto& parameter : function.parameters)
                decoded.parameters.push_back(layout.add_parameter(parameter));
            for (const auto& result : function.results)
                decoded.results.push_back(layout.add_parameter(result));
        }
        for (const ptx::VariableDeclaration& declaration : module.variables)
            if (declaration.space == Space::local) layout.add_local(declaration);
        for (const ptx::Statement& statement : function.body)
            if (auto* declaration = std::get_if<ptx::VariableDeclaration>(&statement))
                layout.add(*declaration);
        decoded.params_end = kernel.param_bytes;
    }
    kernel.param_bytes = static_cast<u32>(align_up(kernel.param_bytes, 16));
    return scopes;
}

}  // namespace warplens::simt
