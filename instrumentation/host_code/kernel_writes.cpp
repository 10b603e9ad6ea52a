// Walk: what kernels write. Which launch was the last to write memory is kept, so that it can be run before
// one that reads it; until then, what the memory held before is the guess.
#include <algorithm>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

using Kind = Value::Kind;

/// What a kernel may write is not known any more after its launch.
void Walk::written_by(const WalkedLaunch& launch, std::size_t number, const Copies& kept) {
    const auto kernel = std::ranges::find_if(items_, [&](const Item& item) {
        return item.is_kernel && item.name != 0 && tokens_[item.name].text == launch.kernel;
    });
    std::vector<bool> read_only;
    if (kernel != items_.end() && kernel->parameters != 0) {
        const std::size_t close = closing(tokens_, kernel->parameters, kernel->end);
        read_only.push_back(false);
        bool pointer = false;  // int* const p is written to
        for (std::size_t i = kernel->parameters + 1; i < close; ++i) {
            if (tokens_[i].is("<")) i = std::max(i, after_template_arguments(tokens_, i, close) - 1);
            else if (tokens_[i].is(",")) read_only.push_back(false), pointer = false;
            else if (tokens_[i].is("*")) pointer = true;
            else if (tokens_[i].is("const") && !pointer) read_only.back() = true;
        }
    }
    const bool followed = !uncertain_ && !second_branch_ && guard_.known && !guard_.condition && !cut_;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const Value& argument = launch.arguments[i];
        if (i < read_only.size() && read_only[i]) continue;
        const auto taint = [&](const auto& self, const Value& value, int depth) -> void {
            if (depth < deepest_structure) {
                for (const Value& element : value.list) self(self, element, depth + 1);
                if (value.function)
                    for (const auto& [name, captured] : value.function->captures)
                        self(self, *captured, depth + 1);
                if (value.fields)
                    for (const auto& [name, field] : *value.fields) self(self, *field, depth + 1);
            }
            if (value.kind != Kind::memory || !value.storage) return;
            if (before_kernels_ != nullptr) before_kernels_->emplace(value.storage, value.storage->contents);
            guess_as_before(*value.storage, "kernel `" + launch.kernel + "`", launch.origin);
            const auto found = kept.find(value.storage.get());
            if (!followed || found == kept.end()) return;
            value.storage->contents.written =
                std::make_shared<const KernelWrite>(KernelWrite{number, found->second.get(), 0, {}});
        };
        taint(taint, argument, 0);
    }
}

/// A call that is not followed any deeper may launch kernels.
void Walk::forget_arguments(const Call& call) {
    for (const Value& argument : call.arguments)
        if (argument.kind == Kind::memory && argument.storage)
            guess_as_before(*argument.storage, "`" + call.name + "`", call.origin);
}

/// What its kernels have written is known to the end of the pass that was followed, and not after the loop.
void Walk::end_unknown_loop(const Tokens& tokens, std::size_t at, std::size_t after, std::size_t first) {
    if (launches.size() == first || after <= at) return;
    const Token& last = tokens[after - 1];
    ended_.push_back({first, launches.size(), {tokens[at].file, tokens[at].line}, {last.file, last.line}});
}

void Walk::forget_ended_loops(Contents& contents) const {
    for (const EndedLoop& loop : ended_) {
        const auto& written = contents.written;
        if (written && written->unknown.empty() && written->launch >= loop.first &&
            written->launch < loop.last) {
            auto unknown = std::make_shared<KernelWrite>(*written);
            unknown->unknown =
                "how often the loop in line " + std::to_string(loop.begin.line) + " runs is not followed";
            contents.written = std::move(unknown);
        }
        const Origin& filled = contents.origin;
        const bool inside = filled.file == loop.begin.file && loop.begin.file == loop.end.file &&
                            filled.line > loop.begin.line && filled.line <= loop.end.line;
        if (contents.kind == Contents::Kind::known && inside)
            contents = {Contents::Kind::guessed, nullptr, {}, "a loop that is not followed", filled};
    }
}

}  // namespace warplens::instrumentation::host_code
