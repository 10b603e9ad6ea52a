#include "app/pipeline/advice/vector_proposal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/pipeline/advice/followed_launch.h"
#include "app/pipeline/advice/global_index.h"
#include "app/pipeline/advice/kernel_words.h"
#include "app/pipeline/advice/launch_arguments.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

constexpr std::size_t longest_statements = 160;  // characters, since they stand there four times
constexpr std::array members{"x", "y", "z", "w"};

struct Vector {
    std::string name, vector;
    std::size_t width = 4;  // elements of one
    bool is_const = false;
    bool loaded = false, stored = false;
};

/// Of at most 16 bytes.
Vector vector_of(const std::string& element) {
    for (const auto& [type, vector] :
         {std::pair("float", "float4"), std::pair("int", "int4"), std::pair("unsigned int", "uint4"),
          std::pair("unsigned", "uint4"), std::pair("unsigned char", "uchar4")})
        if (element == type) return {{}, vector};
    return element == "double" ? Vector{{}, "double2", 2} : Vector{};
}

class VectorReader {
  public:
    VectorReader(const KernelDefinition& kernel, const GlobalIndex& index)
        : kernel_(kernel), tokens_(kernel.tokens), index_(index) {}

    bool read() {
        read_pointers();
        statements_ = index_.guarded;
        while (statements_.end > statements_.begin && tokens_[statements_.end - 1].is("}")) --statements_.end;
        if (statements_.empty() || text_of(tokens_, statements_).size() > longest_statements) return false;
        for (std::size_t at = statements_.begin; at < statements_.end;) {
            const std::size_t end = after_statement(tokens_, at, statements_.end);
            if (!reads_statement({at, end})) return false;
            at = end;
        }
        const std::vector<Vector> vectors = used();
        return std::ranges::any_of(vectors, &Vector::stored) &&
               std::ranges::all_of(vectors, [&](const Vector& one) { return one.width == width(); });
    }
    std::size_t width() const { return used().front().width; }

    std::vector<Vector> used() const {
        std::vector<Vector> used;
        for (const Vector& pointer : pointers_)
            if (pointer.loaded || pointer.stored) used.push_back(pointer);
        return used;
    }
    TokenRange statements() const { return statements_; }
    bool defines() const { return defines_; }

    /// The statements for one of the four, on one line.
    std::string of_member(std::size_t member) const {
        std::string code;
        std::size_t end = 0;
        for (std::size_t at = statements_.begin; at < statements_.end; ++at) {
            const Token& token = tokens_[at];
            const auto begin = reinterpret_cast<std::uintptr_t>(token.text.data());
            if (end != 0 && begin > end) code += ' ';
            const Vector* pointer =
                at + 1 < statements_.end && tokens_[at + 1].is("[") ? find(token.text) : nullptr;
            if (pointer != nullptr) {
                code += fmt::format("{}{}.{}", pointer->name, pointer->width, members[member]);
                at = closing(tokens_, at + 1, statements_.end);
            } else if (token.text == tokens_[index_.name.begin].text) {
                code += member == 0 ? std::string(token.text) : fmt::format("({} + {})", token.text, member);
            } else {
                code += token.text;
            }
            end = reinterpret_cast<std::uintptr_t>(tokens_[at].text.data()) + tokens_[at].text.size();
        }
        return code;
    }

  private:
    void read_pointers() {
        for (const TokenRange parameter :
             parts_between(tokens_, {kernel_.parameters + 1, kernel_.parameters_end})) {
            Vector vector = vector_of(pointed_type(tokens_, parameter));
            if (vector.vector.empty()) continue;
            for (std::size_t at = parameter.begin; !tokens_[at].is("*"); ++at)
                vector.is_const = vector.is_const || tokens_[at].is("const");
            vector.name = tokens_[parameter.end - 1].text;
            pointers_.push_back(std::move(vector));
        }
    }

    /// A definition or an assignment, whose subscripts are all the index.
    bool reads_statement(TokenRange statement) {
        for (const std::string_view word : {"if", "for", "while", "do", "return", "switch", "{"})
            if (tokens_[statement.begin].is(word)) return false;
        if (!tokens_[statement.end - 1].is(";")) return false;
        defines_ = defines_ || (tokens_[statement.begin].is_word() && tokens_[statement.begin + 1].is_word());
        Vector* stored = nullptr;  // once the statement is done
        for (std::size_t at = statement.begin; at < statement.end; ++at) {
            const Token& token = tokens_[at];
            if (token.is("&") || token.is("++") || token.is("--") || token.is("->") || token.is("&&") ||
                token.is("||") || token.text.starts_with("atomic") || token.text.starts_with("__"))
                return false;
            if (!token.is_word()) continue;
            Vector* pointer = find(token.text);
            const bool is_element = at + 1 < statement.end && tokens_[at + 1].is("[");
            if (is_element != (pointer != nullptr)) return false;  // another array, or the pointer itself
            if (pointer == nullptr) continue;
            const std::size_t close = closing(tokens_, at + 1, statement.end);
            if (close + 1 >= statement.end || !same_text(tokens_, {at + 2, close}, index_.name)) return false;
            const Token& after = tokens_[close + 1];
            const bool is_first = at == statement.begin;
            const bool updates = after.text.size() == 2 && after.text.ends_with('=') && !after.is("==");
            if (is_first && (after.is("=") || updates)) stored = pointer;
            else if (after.is("=")) return false;
            // What is stored before comes from the vector.
            if (!pointer->stored && (stored != pointer || updates || !is_first)) pointer->loaded = true;
            at = close;
        }
        if (stored != nullptr) stored->stored = true;
        return true;
    }

    Vector* find(std::string_view name) {
        const auto found = std::ranges::find(pointers_, name, &Vector::name);
        return found == pointers_.end() ? nullptr : &*found;
    }
    const Vector* find(std::string_view name) const { return const_cast<VectorReader*>(this)->find(name); }

    const KernelDefinition& kernel_;
    const Tokens& tokens_;
    const GlobalIndex& index_;
    std::vector<Vector> pointers_;
    TokenRange statements_;
    bool defines_ = false;
};

}  // namespace

VectorEdits vector_edits(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    auto index = kernel ? global_index(*kernel) : std::nullopt;
    if (kernel && !index) index = strided_index(*kernel);
    if (!index) return {};
    const Tokens& tokens = kernel->tokens;
    VectorReader reader(*kernel, *index);
    if (!reader.read()) return {};
    const std::size_t width = reader.width();
    const bool goes_on = !index->step.empty();
    auto words =
        goes_on ? std::vector<Insertion>()
                : changed_grids(tokens, source, entry, "(", fmt::format(" + {}) / {}", width - 1, width));
    if (!words) return {};
    const TokenRange statements = reader.statements();
    const std::uint32_t first = tokens[statements.begin].line, last = tokens[statements.end - 1].line;
    const Token &before = tokens[statements.begin - 1], &after = tokens[statements.end];
    // Of `if (i < n) y[i] = …;` the braces come too.
    const bool needs_braces = before.is(")");
    if (after.line == last || (before.line == first && !needs_braces)) return {};
    for (const Vector& pointer : reader.used())
        if (const std::string name = pointer.name + std::to_string(width); free_name(tokens, name) != name)
            return {};
    const std::vector<std::string> lines = lines_of(source);
    const std::string& guard = lines[(needs_braces ? before.line : first) - 1];
    const std::string outer = guard.substr(0, guard.find_first_not_of(" \t")),
                      blanks = needs_braces ? outer + "    " : outer;
    const std::string i(tokens[index->name.begin].text);
    std::vector<std::string> code;
    std::vector<std::string> stores;
    std::set<std::string> types;
    for (const Vector& pointer : reader.used()) {
        types.insert(pointer.vector);
        const std::string place =
            fmt::format("reinterpret_cast<{}{} *>({})[{} / {}]", pointer.is_const ? "const " : "",
                        pointer.vector, pointer.name, i, width);
        const std::string name = fmt::format("{}{}", pointer.name, width);
        code.push_back(pointer.loaded ? fmt::format("{}{} {} = {};", pointer.stored ? "" : "const ",
                                                    pointer.vector, name, place)
                                      : fmt::format("{} {};", pointer.vector, name));
        if (pointer.stored) stores.push_back(fmt::format("{} = {};", place, name));
    }
    for (std::size_t member = 0; member < width; ++member) {
        const std::string statement = reader.of_member(member);
        code.push_back(reader.defines() ? "{ " + statement + " }" : statement);
    }
    code.insert(code.end(), stores.begin(), stores.end());
    for (const TokenRange range : {index->value, index->step}) {
        if (range.empty()) continue;
        const Token &begin = tokens[range.begin], &end = tokens[range.end - 1];
        const bool is_word = range.end == range.begin + 1;
        words->push_back(
            {offset_of(begin, source), begin.line, fmt::format("{} * {}", width, is_word ? "" : "(")});
        if (!is_word) words->push_back({offset_of(end, source) + end.text.size(), end.line, ")"});
    }
    std::vector<Edit> edits;
    if (needs_braces) {
        const std::size_t behind = offset_of(before, source) + 1;
        const Token& end = tokens[statements.end - 1];
        const bool on_one_line = before.line == first && first == last;
        if (before.line == first && !on_one_line) return {};
        words->push_back({behind, before.line, " {", on_one_line ? offset_of(end, source) + 1 - behind : 0});
        code.push_back("}");
    }
    std::ranges::stable_sort(*words, {}, &Insertion::offset);
    edits = edits_of(source, *words);
    std::size_t next = 0;
    for (std::uint32_t line = needs_braces ? before.line + 1 : first; line <= last; ++line) {
        if (next < code.size()) edits.push_back({Edit::Kind::replace, line, code[next++]});
        else edits.push_back({Edit::Kind::remove, line, lines[line - 1]});
    }
    for (; next < code.size(); ++next)
        edits.push_back({Edit::Kind::insert, last + 1, (code[next] == "}" ? outer : blanks) + code[next]});
    return {in_order(std::move(edits)), fmt::format("{}", fmt::join(types, "` and `")),
            text_of(tokens, index->guard), width, goes_on};
}

std::optional<Proposal> proposed_vectors(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now, const FindEntries& find_entries) {
    const LaunchGeometry& geometry = now.trace->launch.geometry;
    if (kernel->language != instrumentation::Language::cuda || geometry.block.y * geometry.block.z != 1 ||
        geometry.grid.y * geometry.grid.z != 1)
        return std::nullopt;
    VectorEdits vectors = vector_edits(kernel->source, plain_name(now.trace->program.entry));
    if (vectors.edits.empty()) return std::nullopt;
    const bool is_four = vectors.width == 4;
    const char* const count = is_four ? "four" : "two";
    Proposal proposal =
        with_changed_lines(kernel, overrides, std::move(vectors.edits),
                           fmt::format("{} elements per thread, as `{}`", count, vectors.type));
    proposal.change.condition =
        fmt::format("right where {0} is a multiple of {1} and the arrays are aligned to {1} elements",
                    vectors.length, vectors.width);
    if (vectors.goes_on) return proposal;
    proposal.ratio = {.from = static_cast<std::uint32_t>(vectors.width), .to = 1};
    return with_followed_launch(kernel, now.trace->program.entry, std::move(proposal), find_entries,
                                fmt::format("{} elements per thread, as `{}`, in {} of the blocks", count,
                                            vectors.type, is_four ? "a quarter" : "half"));
}

}  // namespace warplens::app
