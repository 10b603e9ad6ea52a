#include "ptx/source_lines.h"

#include "ptx/parser.h"

namespace warplens::ptx {

namespace {

constexpr int longest_chain = 256;  // of inlined calls; ends a chain that bites its tail

}  // namespace

SourceLines::SourceLines(const Function& function) {
    for (const Statement& statement : function.body) {
        const auto* instruction = std::get_if<Instruction>(&statement);
        if (instruction == nullptr || instruction->location.file == 0) continue;
        if (own_file_ == 0) own_file_ = instruction->location.file;
        if (instruction->location.inlined_file != 0) continue;
        own_file_ = instruction->location.file;
        break;
    }
}

void SourceLines::see(const Directive& directive) {
    if (const auto location = location_of(directive)) remember(*location);
}

void SourceLines::remember(const SourceLocation& location) {
    const Key key{location.file, location.line, location.column};
    if (location.inlined_file == 0) inlined_at_.erase(key);
    else inlined_at_[key] = {location.inlined_file, location.inlined_line, location.inlined_column};
}

SourcePosition SourceLines::position_of(const SourceLocation& location) {
    remember(location);
    const SourcePosition innermost{location.file, location.line};
    if (location.inlined_file == 0) return innermost;
    Key outermost{location.inlined_file, location.inlined_line, location.inlined_column};
    for (int step = 0; step < longest_chain; ++step) {
        const auto outer = inlined_at_.find(outermost);
        if (outer == inlined_at_.end()) break;
        outermost = outer->second;
    }
    if (std::get<0>(outermost) != own_file_) return innermost;
    return {std::get<0>(outermost), std::get<1>(outermost)};
}

}  // namespace warplens::ptx
