// Sizes that the program reads from somewhere: one assumption for each, at its first use.
#include <algorithm>

#include "instrumentation/host_code/assumed_sizes.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

using Kind = Value::Kind;

bool Walk::is_assumed(const Roots& roots) const {
    return std::ranges::any_of(roots, [&](const Root& root) { return assumed_.contains(root.place); });
}

void Walk::remember_assumed(const Slot& slot) {
    assumed_.emplace(reinterpret_cast<const char*>(slot.get()), slot);
}

/// The whole text is looked through for a name once.
std::int64_t Walk::size_by_name(const std::string& name) {
    const auto [known, is_new] = sizes_by_name_.try_emplace(name, 0);
    if (is_new) known->second = assumed_size(name, tokens_);
    return known->second;
}

void Walk::assume_size(const Slot& slot, const std::string& name) {
    if (!options_.sizes || slot->known() || slot->fields) return;
    const std::string type = resolved(slot->type);
    const bool integer =
        type.empty() || type == "auto" || (size_of_type(type) && !is_real_word(type) && !type.ends_with('*'));
    const std::int64_t size = !integer          ? 0
                              : slot->side != 0 ? assumed_side_of(name, slot->side)
                                                : size_by_name(name);
    if (size == 0) return;
    slot->kind = Kind::integer;
    slot->integer = size;
    slot->assumed = true;
    slot->varies = slot->random = false;
    slot->formula = nullptr;
    slot->roots = {Root{reinterpret_cast<const char*>(slot.get())}};
    remember_assumed(slot);
}

/// What depends on the GPU and on what the kernel takes of it, which host code does not say.
Value Walk::assumed_number(std::int64_t number) {
    const auto slot = std::make_shared<Value>();
    remember_assumed(slot);
    Value value = Value::of(number);
    value.roots = {Root{reinterpret_cast<const char*>(slot.get())}};
    return value;
}

Roots Walk::own_root() {
    own_.push_back(std::make_shared<Value>());
    return {Root{reinterpret_cast<const char*>(own_.back().get())}};
}

/// A variable that is set to it: its name may say more.
Value Walk::side_of_tensor(const Value& variable, std::int64_t side) {
    Value waiting;
    waiting.type = variable.type;
    waiting.origin = variable.origin;
    waiting.side = side;
    return waiting;
}

/// input.size(1), input.numel(): of a tensor that another language makes.
std::optional<Value> Walk::extent_of_tensor(const Call& call) {
    if (!options_.sizes || !call.object || call.object->known()) return std::nullopt;
    const bool side =
        call.name == "size" && call.arguments.size() == 1 && call.arguments[0].kind == Kind::integer;
    if (!side && !(call.name == "numel" && call.arguments.empty())) return std::nullopt;
    const auto slot = std::make_shared<Value>();
    Value extent = Value::of(!side                            ? assumed_count
                             : call.arguments[0].integer == 0 ? assumed_batch
                                                              : assumed_tensor_side);
    extent.origin = call.origin;
    extent.assumed = true;
    if (side) extent.side = extent.integer;
    extent.roots = {Root{reinterpret_cast<const char*>(slot.get())}};
    remember_assumed(slot);
    return extent;
}

/// std::vector<float> data = load(file);
void Walk::assume_container(const Slot& slot, const std::string& name) {
    // An empty one grows, and is not meant.
    const bool sized = slot->kind == Kind::memory && slot->storage &&
                       (slot->storage->bytes || slot->storage->contents.kind == Contents::Kind::unfilled);
    const bool other = slot->known() && slot->kind != Kind::memory;
    if (!options_.sizes || sized || other || !is_vector(slot->type)) return;
    const std::string type = slot->type;
    const std::string inside = type.substr(type.find('<') + 1, type.rfind('>') - type.find('<') - 1);
    const std::string element = resolved(inside.substr(0, inside.find(',')));
    const auto size = size_of(element);
    if (!size) return;
    const Origin origin = slot->origin;
    *slot =
        memory_of(element, assumed_count * *size, origin, {Root{reinterpret_cast<const char*>(slot.get())}});
    slot->type = type;
    slot->storage->name = name;
    guess(*slot->storage, "what is not followed", origin);
    remember_assumed(slot);
}

void Walk::read_from_stream(const Value& to, Origin origin) {
    if (to.storage) guess(*to.storage, "`>>`", origin);
    else read_from_elsewhere(to.slot);
}

/// A number that it had before is as good an assumption, except the 0 of a variable that waits for its
/// number.
void Walk::read_from_elsewhere(const Slot& slot) const {
    if (!options_.sizes || !slot || slot->kind != Kind::integer || slot->integer != 0) return;
    slot->kind = Kind::unknown;
    slot->roots.clear();
}

}  // namespace warplens::instrumentation::host_code
