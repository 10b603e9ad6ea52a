// Glossary: what the terms of the window and the reports mean. The rows are glossary.def; docs/metrics.md
// lists them. What a state or a metric means stands in its own table: analysis/report/definitions.h looks in
// all.
#pragma once

#include <span>
#include <string_view>

namespace warplens {

struct Term {
    std::string_view term;        // "bank conflict"
    std::string_view definition;  // ends with a full stop
};

std::span<const Term> glossary();

/// "Banks", "bank conflicts" and "wavefronts" find their singular, whatever the case; null: not a term.
const Term* find_term(std::string_view words);

}  // namespace warplens
