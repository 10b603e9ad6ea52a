#include "simt/functional/machine/registers_ahead.h"

#include <map>

#include "simt/functional/machine/machine_address.h"

namespace warplens::simt {

std::vector<RegistersAhead> registers_ahead(std::span<const sass::Instruction> block, int sm) {
    std::vector<RegistersAhead> all(block.size());
    std::map<u32, AddressRegister> accessed;  // by the first register, from the instruction to the end
    const auto find = [&](const std::vector<sass::RegisterSpan>& spans) {
        for (const sass::RegisterSpan& span : spans)
            if (const auto found = accessed.find(span.first); span.count == 2 && found != accessed.end())
                return found->second;
        return AddressRegister{0, 0};
    };
    for (std::size_t i = block.size(); i-- > 0;) {
        const auto use = sass::register_use(block[i]);
        if (!use) {
            accessed.clear();
            continue;
        }
        RegistersAhead& ahead = all[i];
        ahead.result = find(use->written);
        for (const sass::RegisterSpan& span : use->written)
            std::erase_if(accessed, [&](const auto& each) {
                return each.first < u32{span.first} + span.count && span.first < each.first + 2;
            });
        ahead.source = find(use->read);
        ahead.written = use->written;
        if (const auto of = accessed_pair(block[i], sm)) accessed[of->first] = *of;
    }
    return all;
}

void forget_written(const RegistersAhead& of, ExaminedAddresses& examined) {
    if (!of.written) return examined.forget_all();
    for (const sass::RegisterSpan& span : *of.written) examined.forget(span.first, span.count);
}

}  // namespace warplens::simt
