// Variable and parameter declarations with their initialisers ("PTX ISA: Variables").
#include <algorithm>

#include "core/launch_limits.h"
#include "ptx/parse_state.h"

namespace warplens::ptx {

namespace {

constexpr std::uint64_t largest_alignment = 1u << 20;
constexpr std::uint64_t largest_extent = std::uint64_t{1} << 40;  // elements, and bytes of a whole array
constexpr std::size_t most_dimensions = 16;

std::uint64_t capped_product(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > largest_extent / b ? largest_extent : a * b;
}

std::uint32_t parse_alignment(ParseState& state) {
    const Token where = state.token;
    const std::uint64_t alignment = parse_count(state, largest_alignment, "an alignment");
    if (alignment == 0 || (alignment & (alignment - 1)) != 0)
        state.fail_at(where, "an alignment must be a power of two, such as .align 4");
    return static_cast<std::uint32_t>(alignment);
}

/// `generic(name)`, `0xFF00(name)`, `name`, each with an offset, or a constant.
InitialValue parse_initial_value(ParseState& state) {
    Symbol symbol;
    if (starts_constant(state.token)) {
        const Immediate value = parse_constant(state);
        if (!state.accept('(')) return value;
        symbol.mask = value.bits;
        if (state.token.is(TokenKind::identifier, "generic")) {
            state.take();
            state.expect('(', "after generic");
            symbol.is_generic = true;
        }
        symbol.name = state.expect_identifier("a variable's name");
        symbol.offset = parse_offset(state);
        if (symbol.is_generic) {
            state.expect(')', "after generic(name");
            symbol.offset = add_offsets(symbol.offset, parse_offset(state));
        }
        state.expect(')', "after the masked name");
        return symbol;
    }
    std::string_view name = state.expect_identifier("a constant or a name as initial value");
    if (name == "generic" && state.accept('(')) {
        symbol.is_generic = true;
        name = state.expect_identifier("a variable's name");
        symbol.offset = parse_offset(state);
        state.expect(')', "after generic(name");
    }
    symbol.name = name;
    symbol.offset = add_offsets(symbol.offset, parse_offset(state));
    return symbol;
}

/// Reads nested braces into the flat list; a brace that ends early leaves zeros up to its sub-array's end.
class InitialiserReader {
  public:
    InitialiserReader(ParseState& state, VariableDeclaration& variable) : state_(state), variable_(variable) {
        // strides_[d]: elements in one sub-array at depth d; the first is that of the whole variable.
        std::uint64_t stride = static_cast<std::uint64_t>(variable.vector_width);
        if (variable.vector_width > 1) strides_.push_back(stride);
        for (auto extent = variable.extents.rbegin(); extent != variable.extents.rend(); ++extent)
            strides_.push_back(stride = capped_product(stride, *extent));
        std::reverse(strides_.begin(), strides_.end());
    }

    void read() {
        if (state_.at('{') && !strides_.empty()) read_braces(0);
        else variable_.initial.push_back(parse_initial_value(state_));
    }

  private:
    void read_braces(std::size_t depth) {  // as deep as the variable has dimensions, most_dimensions at most
        const Token open = state_.take();
        const std::size_t start = variable_.initial.size();
        const bool is_open_extent = strides_[depth] == 0;
        while (!state_.at_end() && !state_.at('}')) {
            if (state_.at('{')) {
                if (depth + 1 == strides_.size()) return state_.unexpected("a value or \"}\"");
                const std::size_t before = variable_.initial.size();
                read_braces(depth + 1);
                pad(open, before + strides_[depth + 1]);
            } else {
                variable_.initial.push_back(parse_initial_value(state_));
            }
            if (!is_open_extent && variable_.initial.size() - start > strides_[depth])
                return state_.fail_at(open, fmt::format("more initial values for \"{}\" than its {} elements",
                                                        variable_.name, strides_[depth]));
            if (!state_.accept(',')) break;
        }
        state_.expect('}', "after the initial values");
    }

    // Zeros are written only when a value follows: the rest of a variable is zero anyway.
    void pad(const Token& where, std::uint64_t size) {
        if (size <= variable_.initial.size()) return;
        if (state_.error || !state_.at(',')) return;
        const std::uint64_t missing = size - variable_.initial.size();
        if (missing > state_.zeros_left)
            return state_.fail_at(where,
                                  fmt::format("nested initial values for \"{}\" that leave out more elements "
                                              "than a text of this size does",
                                              variable_.name));
        state_.zeros_left -= missing;
        variable_.initial.resize(size, Immediate{});
    }

    ParseState& state_;
    VariableDeclaration& variable_;
    std::vector<std::uint64_t> strides_;
};

void parse_extents(ParseState& state, VariableDeclaration& variable) {
    while (state.accept('[')) {
        if (variable.extents.size() == most_dimensions)
            return state.unexpected(fmt::format("at most {} dimensions", most_dimensions));
        const bool is_first = variable.extents.empty();
        const Token where = state.token;
        const std::uint64_t extent =
            state.at(']') ? 0 : parse_count(state, largest_extent, "an array extent");
        if (extent == 0 && !is_first)
            return state.fail_at(where, "an extent of no elements; only the first may be left open");
        variable.extents.push_back(extent);
        state.expect(']', "after an array extent");
    }
}

void parse_declarator(ParseState& state, VariableDeclaration& variable) {
    const Token where = state.token;
    variable.name = state.expect_identifier("a variable's name");
    variable.ptx_line = {where.line};
    parse_extents(state, variable);
    if (state.accept('=')) {
        InitialiserReader(state, variable).read();
        if (!variable.extents.empty() && variable.extents.front() == 0 && !state.error) {
            std::uint64_t row = static_cast<std::uint64_t>(variable.vector_width);
            for (std::size_t i = 1; i < variable.extents.size(); ++i)
                row = capped_product(row, std::max<std::uint64_t>(variable.extents[i], 1));
            variable.extents.front() = (variable.initial.size() + row - 1) / row;
        }
    }
    if (variable.bytes() > largest_extent)
        state.fail_at(where, fmt::format("\"{}\" is larger than {} bytes", variable.name, largest_extent));
}

void parse_pointer(ParseState& state, VariableDeclaration& variable) {
    variable.is_pointer = true;
    if (space_of(state.token.text) != Space::none) variable.pointer_space = state.take().text.substr(1);
    if (state.accept_dotted(".align")) variable.pointer_alignment = parse_alignment(state);
}

/// The dotted words before the name: attribute, alignment, vector width, type, .ptr, in any order.
void parse_properties(ParseState& state, VariableDeclaration& variable) {
    while (state.token.kind == TokenKind::dotted) {
        const Token where = state.take();
        const std::string_view word = where.text.substr(1);
        if (word == "align") {
            variable.alignment = parse_alignment(state);
        } else if (word == "ptr") {
            parse_pointer(state, variable);
        } else if (word == "attribute") {
            state.expect('(', "after .attribute");
            const Token first = state.token;
            while (!state.at_end() && !state.at(')')) state.take();
            variable.attribute = state.text_since(first);
            state.expect(')', "after the attributes");
        } else if (word == "v2" || word == "v4" || word == "v8") {
            variable.vector_width = word[1] - '0';
        } else if (const auto type = type_from(word)) {
            variable.type = *type;
        } else {
            return state.fail_at(where,
                                 fmt::format("found \"{}\", but .align, .v2, .v4 or a type such as .b8 "
                                             "would be right in a declaration",
                                             where.text));
        }
    }
    if (variable.type == Type::none) state.unexpected("a type such as .b8");
}

}  // namespace

Space space_of(std::string_view dotted) {
    if (dotted == ".global") return Space::global;
    if (dotted == ".const") return Space::constant;
    if (dotted == ".shared") return Space::shared;
    if (dotted == ".local") return Space::local;
    if (dotted == ".param") return Space::param;
    return Space::none;
}

std::vector<VariableDeclaration> parse_variables(ParseState& state, VariableDeclaration first) {
    std::vector<VariableDeclaration> variables;
    parse_properties(state, first);
    do {
        variables.push_back(first);
        parse_declarator(state, variables.back());
    } while (state.accept(','));
    return variables;
}

std::vector<VariableDeclaration> parse_parameters(ParseState& state) {
    std::vector<VariableDeclaration> parameters;
    state.expect('(', "before parameters");
    const Token open = state.token;
    std::uint64_t bytes = 0;
    while (!state.at_end() && !state.at(')')) {
        VariableDeclaration parameter;
        parameter.space = space_of(state.token.text);
        if (parameter.space != Space::param) {
            state.unexpected("a parameter such as \".param .u64 name\" (register parameters are not taken)");
            break;
        }
        state.take();
        parse_properties(state, parameter);
        parse_declarator(state, parameter);
        bytes += parameter.bytes();  // at most largest_extent each, so that no text makes this wrap
        if (bytes > most_parameter_bytes)
            state.fail_at(open, fmt::format("parameters of {} bytes; at most {} are possible", bytes,
                                            most_parameter_bytes));
        parameters.push_back(std::move(parameter));
        if (!state.accept(',')) break;
    }
    state.expect(')', "after the parameters");
    return parameters;
}

}  // namespace warplens::ptx
