// Where the addresses of memory instructions come from: which value of which register, defined where. A value
// has one name from its definition on, however often it is used (static single assignment, for the registers
// that addresses begin with).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"
#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// What a register holds after `site`, or, where `site` is no_index, at the beginning of `block`.
struct BaseValue {
    std::uint32_t reg = no_index;  // of the function; no_index: the address of `symbol`
    BasicBlockId block = 0;
    SiteId site = no_index;
    std::string symbol;  // of a function's own variable, whose address only its code knows
    friend bool operator==(const BaseValue&, const BaseValue&) = default;
};

struct SiteAddress {
    SiteId site = 0;
    std::uint32_t which = 0;    // AddressPlan::which
    Space space = Space::none;  // none: generic
    BasicBlockId block = 0;
    std::uint32_t value = no_index;  // index into AddressValues::values
    std::string symbol;              // a variable of the module or of the entry, when there is no value
    std::int64_t offset = 0;
    bool wide = true;
    bool of_cluster = false;  // AddressPlan::of_cluster
};

struct AddressValues {
    std::vector<BaseValue> values;
    std::vector<SiteAddress> addresses;  // by site, then `which`
    /// By block: the registers its sites define, in order, as pairs of register and site.
    std::vector<std::vector<std::pair<std::uint32_t, SiteId>>> definitions;
};

/// Over all sites that access memory through an address: not those that name a parameter.
AddressValues find_address_values(const Draft& draft);

}  // namespace warplens::instrumentation
