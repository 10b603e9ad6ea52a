#include "tests/simt/synthesised_instruction.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "ptx/types.h"

namespace warplens {

namespace {

using ptx::Type;

struct Form {
    std::string opcode;
    std::vector<std::string> words;
    std::vector<Type> types;
    int vector_width = 1;

    bool has(std::string_view word) const {
        return std::find(words.begin(), words.end(), word) != words.end();
    }
    bool has_prefix(std::string_view prefix) const {
        return std::any_of(words.begin(), words.end(),
                           [&](const std::string& word) { return word.starts_with(prefix); });
    }
    Type type(std::size_t index) const { return index < types.size() ? types[index] : Type::b32; }
};

Form split(const std::string& spelling) {
    Form form;
    std::size_t begin = 0;
    while (begin <= spelling.size()) {
        const std::size_t end = std::min(spelling.find('.', begin), spelling.size());
        const std::string word = spelling.substr(begin, end - begin);
        if (begin == 0) form.opcode = word;
        else if (const auto type = ptx::type_from(word)) form.types.push_back(*type);
        else if (word == "v2" || word == "v4") form.vector_width = word[1] - '0';
        else form.words.push_back(word);
        begin = end + 1;
    }
    return form;
}

/// A register that holds a value of the type; `number` makes it another one.
std::string reg(Type type, int number) {
    const char* prefix = "%r";
    if (type == Type::pred) prefix = "%p";
    else if (type == Type::f32) prefix = "%f";
    else if (type == Type::f64) prefix = "%fd";
    else if (ptx::size_of(type) == 16) prefix = "%rq";
    else if (ptx::size_of(type) == 8) prefix = "%rd";
    else if (ptx::size_of(type) <= 2) prefix = "%h";
    return prefix + std::to_string(number);
}

std::string list(Type type, int count, int first) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + reg(type, first + i);
    return text + "}";
}

std::string data(const Form& form, int first) {
    const Type type = form.types.empty() ? Type::b32 : form.types.back();
    return form.vector_width == 1 ? reg(type, first) : list(type, form.vector_width, first);
}

Type widened(Type type) {
    switch (type) {
        case Type::u16:
            return Type::u32;
        case Type::s16:
            return Type::s32;
        default:
            return ptx::class_of(type) == ptx::TypeClass::signed_integer ? Type::s64 : Type::u64;
    }
}

/// Result and `sources` operands of the last type.
std::string lanewise(const Form& form, int sources) {
    std::string text = reg(form.type(0), 1);
    const Type source = form.types.empty() ? Type::b32 : form.types.back();
    for (int i = 0; i < sources; ++i) text += ", " + reg(source, 2 + i);
    return text;
}

std::string multiply(const Form& form, int sources) {
    if (!form.has("wide")) return lanewise(form, sources);
    const Type narrow = form.type(0), wide = widened(narrow);
    std::string text = fmt::format("{}, {}, {}", reg(wide, 1), reg(narrow, 2), reg(narrow, 3));
    return sources == 3 ? text + ", " + reg(wide, 4) : text;
}

std::string access(const Form& form, bool load) {
    const bool parameter = form.has("param");
    const std::string where = parameter ? (load ? "[pointer]" : "[local_parameter]") : "[%rd1]";
    return load ? data(form, 2) + ", " + where : where + ", " + data(form, 2);
}

std::string barrier(const Form& form) {
    if (form.has("warp")) return "-1";
    if (form.has("cluster")) return "";
    if (form.has("popc")) return "%r1, 0, %p1";
    if (form.has("red")) return "%p2, 0, %p1";
    return "0";
}

std::string matrix_barrier(const Form& form) {
    if (form.has("init")) return "[%r1], 32";
    if (form.has("inval")) return "[%r1]";
    if (form.has("arrive")) return "%rd1, [%r1]";
    if (form.has("parity")) return "%p1, [%r1], %r2";
    return "%p1, [%r1], %rd1";
}

std::string atomic(const Form& form, bool red) {
    const Type type = form.types.back();
    std::string text = red ? "[%rd1], " : reg(type, 1) + ", [%rd1], ";
    text += reg(type, 2);
    return form.has("cas") ? text + ", " + reg(type, 3) : text;
}

/// Registers of a lane's fragment of a wmma matrix: a, b, or the accumulator.
std::string fragment(const Form& form, char matrix, Type type, int first) {
    int count = 8;
    if (form.has("m8n8k4")) count = matrix == 'c' ? 2 : 1;
    else if (type == Type::f16) count = matrix == 'c' ? 4 : 8;
    else if (matrix != 'c')
        count = type == Type::bf16 || type == Type::tf32 ? 4 : type == Type::u8 || type == Type::s8 ? 2 : 8;
    const Type held = type == Type::f32 || type == Type::f64 ? type : Type::b32;
    return list(held, count, first);
}

std::string wmma(const Form& form) {
    if (form.has("load")) {
        const char matrix = form.has("a") ? 'a' : form.has("b") ? 'b' : 'c';
        return fragment(form, matrix, form.type(0), 1) + ", [%rd1], %r30";
    }
    if (form.has("store")) return "[%rd1], " + fragment(form, 'c', form.type(0), 1) + ", %r30";
    const Type d = form.types.front(), c = form.types.back();
    const Type ab = form.types.size() == 2 ? Type::f16 : form.type(1);
    return fmt::format("{}, {}, {}, {}", fragment(form, 'c', d, 1), fragment(form, 'a', ab, 9),
                       fragment(form, 'b', ab, 17), fragment(form, 'c', c, 25));
}

std::string copy(const Form& form) {
    if (form.has("mbarrier")) return "[%r1]";
    if (form.has("commit_group") || form.has("wait_all")) return "";
    if (form.has("wait_group")) return "0";
    return "[%r1], [%rd1], 16";
}

/// "{x, y}" of a texture's or surface's shape; layers come first.
std::string coordinates(const Form& form, Type type) {
    if (form.has("1d")) return "{" + reg(type, 10) + "}";
    if (form.has("2d")) return list(type, 2, 10);
    if (form.has("a2d"))
        return fmt::format("{{%r9, {}, {}, {}}}", reg(type, 10), reg(type, 11), reg(type, 11));
    return list(type, 4, 10);
}

std::string texture(const Form& form) {
    const std::string result = form.vector_width == 1 ? reg(form.type(0), 1) : list(form.type(0), 4, 1);
    std::string text = fmt::format("{}, [%rd1, {}]", result, coordinates(form, form.type(1)));
    return form.has("level") ? text + ", %f9" : text;
}

std::string surface(const Form& form, bool load) {
    const std::string where = fmt::format("[%rd1, {}]", coordinates(form, Type::s32));
    return load ? data(form, 1) + ", " + where : where + ", " + data(form, 1);
}

std::string shuffle_or_vote(const Form& form) {
    if (form.opcode == "shfl") return "%r1, %r2, %r3, 31, -1";
    const std::string members = form.has("sync") ? ", -1" : "";
    return (form.has("ballot") ? "%r1, %p1" : "%p2, %p1") + members;
}

std::string convert(const Form& form) {
    const bool packed = form.type(0) == Type::f16x2 || form.type(0) == Type::bf16x2;
    return lanewise(form, packed ? 2 : 1);
}

using Operands = std::string (*)(const Form&);

const std::map<std::string, Operands, std::less<>>& operands_by_opcode() {
    static const auto none = [](const Form&) { return std::string(); };
    static const auto one = [](const Form& form) { return lanewise(form, 1); };
    static const auto two = [](const Form& form) { return lanewise(form, 2); };
    static const auto three = [](const Form& form) { return lanewise(form, 3); };
    static const auto into_word = [](const Form& form) { return "%r1, " + reg(form.type(0), 2); };
    static const auto shift = [](const Form& form) { return lanewise(form, 1) + ", %r9"; };
    static const auto load = [](const Form& form) { return access(form, true); };
    static const auto store = [](const Form& form) { return access(form, false); };
    static const std::map<std::string, Operands, std::less<>> table{
        {"bra", [](const Form&) { return std::string("END"); }},
        {"call", [](const Form&) { return std::string("(local_result), callee, (local_parameter)"); }},
        {"ret", none},
        {"exit", none},
        {"trap", none},
        {"membar", none},
        {"fence", none},
        {"nanosleep", [](const Form&) { return std::string("100"); }},
        {"bar", barrier},
        {"barrier", barrier},
        {"mbarrier", matrix_barrier},
        {"shfl", shuffle_or_vote},
        {"vote", shuffle_or_vote},
        {"match", [](const Form& form) { return into_word(form) + ", -1"; }},
        {"redux", [](const Form& form) { return lanewise(form, 1) + ", -1"; }},
        {"activemask", [](const Form&) { return std::string("%r1"); }},
        {"ld", load},
        {"st", store},
        {"cvta", one},
        {"mapa", [](const Form& form) { return lanewise(form, 1) + ", %r9"; }},
        {"atom", [](const Form& form) { return atomic(form, false); }},
        {"red", [](const Form& form) { return atomic(form, true); }},
        {"cp", copy},
        {"wmma", wmma},
        {"mma",
         [](const Form& form) {
             const Type type = form.types.front();
             const int count = type == Type::f16 ? 2 : 4;
             const Type held = type == Type::f16 ? Type::b32 : type;
             return fmt::format("{}, {}, {}, {}", list(held, count, 1), list(Type::b32, 4, 9),
                                list(Type::b32, 2, 17), list(held, count, 25));
         }},
        {"ldmatrix",
         [](const Form& form) {
             const int count = form.has("x4") ? 4 : form.has("x2") ? 2 : 1;
             return list(Type::b32, count, 1) + ", [%r30]";
         }},
        {"tex", texture},
        {"suld", [](const Form& form) { return surface(form, true); }},
        {"sust", [](const Form& form) { return surface(form, false); }},
        {"mov", one},
        {"cvt", convert},
        {"selp", [](const Form& form) { return lanewise(form, 2) + ", %p1"; }},
        {"prmt", three},
        {"setp",
         [](const Form& form) {
             return fmt::format("%p1, {}, {}", reg(form.type(0), 2), reg(form.type(0), 3));
         }},
        {"set", two},
        {"add", two},
        {"sub", two},
        {"mul", [](const Form& form) { return multiply(form, 2); }},
        {"mad", [](const Form& form) { return multiply(form, 3); }},
        {"fma", three},
        {"div", two},
        {"rem", two},
        {"min", two},
        {"max", two},
        {"neg", one},
        {"abs", one},
        {"copysign", two},
        {"addc", two},
        {"subc", two},
        {"madc", three},
        {"and", two},
        {"or", two},
        {"xor", two},
        {"not", one},
        {"shl", shift},
        {"shr", shift},
        {"shf", three},
        {"lop3", [](const Form& form) { return lanewise(form, 3) + ", 0xE8"; }},
        {"bfi", [](const Form& form) { return lanewise(form, 2) + ", %r9, %r10"; }},
        {"bmsk", two},
        {"popc", into_word},
        {"clz", into_word},
        {"brev", one},
        {"bfind", into_word},
        {"sqrt", one},
        {"rsqrt", one},
        {"rcp", one},
        {"ex2", one},
        {"lg2", one},
        {"sin", one},
        {"cos", one},
        {"dp4a", [](const Form&) { return std::string("%r1, %r2, %r3, %r4"); }},
        {"vabsdiff2", [](const Form&) { return std::string("%r1, %r2, %r3, %r4"); }},
        {"vabsdiff4", [](const Form&) { return std::string("%r1, %r2, %r3, %r4"); }},
    };
    return table;
}

}  // namespace

std::string synthesise_instruction(const std::string& spelling) {
    const Form form = split(spelling);
    const auto found = operands_by_opcode().find(form.opcode);
    if (found == operands_by_opcode().end()) return {};
    const std::string operands = found->second(form);
    return spelling + (operands.empty() ? "" : " ") + operands + ";";
}

std::string module_around(const std::string& instruction) {
    return ".version 9.0\n.target sm_90\n.address_size 64\n"
           ".func (.param .b32 result) callee(.param .b32 value) { st.param.b32 [result], 0; ret; }\n"
           ".visible .entry k(.param .align 16 .b8 pointer[64]) {\n"
           ".reg .pred %p<8>; .reg .b16 %h<40>; .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %rd<40>;\n"
           ".reg .f64 %fd<40>; .reg .b128 %rq<8>;\n"
           "{ .param .align 16 .b8 local_parameter[16]; .param .b32 local_result;\n" +
           instruction + "\n}\nEND: ret;\n}\n";
}

}  // namespace warplens
