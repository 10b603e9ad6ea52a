#include "app/pipeline/advice/product_loop.h"

#include <algorithm>

#include "app/pipeline/advice/kernel_words.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::TokenKind;
using instrumentation::host_code::Tokens;

class ProductReader {
  public:
    explicit ProductReader(const KernelDefinition& kernel) : kernel_(kernel), tokens_(kernel.tokens) {}

    std::optional<ProductLoop> read() {
        std::size_t at = kernel_.body + 1;
        for (std::size_t next = at; at < kernel_.body_end; at = next) {
            next = after_statement(tokens_, at, kernel_.body_end);
            if (!is_definition(tokens_, {at, next}) || is_sum({at, next})) break;
            if (!reads_place({at, next})) return std::nullopt;
        }
        if (found_.x.name.empty() || found_.y.name.empty()) return std::nullopt;
        found_.begin = at;
        if (tokens_[at].is("if") && !reads_guard(at)) return std::nullopt;
        found_.definitions.begin = at;
        while (at < kernel_.body_end) {
            const std::size_t next = after_statement(tokens_, at, kernel_.body_end);
            if (!is_sum({at, next})) break;
            at = next;
        }
        found_.definitions.end = at;
        if (at + 1 >= kernel_.body_end || !tokens_[at].is("for")) return std::nullopt;
        found_.end = after_statement(tokens_, at, kernel_.body_end);
        if (!reads_loop(at) || !rest_is_alone()) return std::nullopt;
        return found_;
    }

  private:
    /// `float sum = 0;`, which a thread without a place may do as well.
    bool is_sum(TokenRange statement) const {
        BoundNames names;
        for (const std::string_view pattern : {"$type $sum = $zero... ;", "$type $sum ;"})
            if (match(tokens_, statement, pattern, names) == statement.end)
                return names.count("zero") == 0 || (names["zero"].end == names["zero"].begin + 1 &&
                                                    tokens_[names["zero"].begin].kind == TokenKind::number);
        return false;
    }

    /// A definition before the guard; of one with `threadIdx` its axis.
    bool reads_place(TokenRange statement) {
        for (const TokenRange part : parts_between(tokens_, {statement.begin, statement.end - 1})) {
            ThreadPlace place;
            for (std::size_t at = part.begin; at < part.end; ++at) {
                if (tokens_[at].is("=") && place.name.empty()) {
                    if (at == part.begin) return false;
                    place.name = {at - 1, at};
                    place.value = {at + 1, part.end};
                }
                const bool depends = is(tokens_[at], found_.x.name) || is(tokens_[at], found_.y.name);
                if (depends && at + 1 != place.name.end) return false;
                if (!tokens_[at].is("threadIdx")) continue;
                if (place.axis != 0 || at + 2 >= part.end) return false;
                place.axis = at + 2;
            }
            if (place.axis == 0) continue;
            const bool is_x = tokens_[place.axis].is("x"), is_y = tokens_[place.axis].is("y");
            if (place.name.empty() || (!is_x && !is_y)) return false;
            ThreadPlace& of_axis = is_x ? found_.x : found_.y;
            if (!of_axis.name.empty()) return false;
            of_axis = place;
        }
        return true;
    }

    bool is(const Token& token, TokenRange name) const {
        return !name.empty() && token.text == tokens_[name.begin].text;
    }
    bool has(TokenRange range, TokenRange name) const {
        for (std::size_t at = range.begin; at < range.end; ++at)
            if (is(tokens_[at], name)) return true;
        return false;
    }

    /// Two conditions, one for each axis; `at` goes on after it.
    bool reads_guard(std::size_t& at) {
        const std::size_t begin = at, close = closing(tokens_, at + 1, kernel_.body_end);
        if (close + 1 >= kernel_.body_end) return false;
        BoundNames names;
        const TokenRange rest{close + 1, kernel_.body_end};
        if (const auto left = match(tokens_, rest, "return ;", names)) at = *left;
        else if (const auto also = match(tokens_, rest, "{ return ; }", names)) at = *also;
        else if (tokens_[close + 1].is("{")) at = close + 2;
        else return false;
        found_.guard_leaves = tokens_[at - 1].is(";") || tokens_[at - 1].is("}");
        found_.guard = {begin, at};
        const TokenRange condition{begin + 2, close};
        const std::string_view both = found_.guard_leaves ? "$a... || $b..." : "$a... && $b...";
        if (match(tokens_, condition, both, names) != condition.end) return false;
        for (const std::string_view name : {"a", "b"}) {
            const TokenRange part = names[std::string(name)];
            const bool x = has(part, found_.x.name), y = has(part, found_.y.name);
            if (x == y) return false;
            (x ? found_.guard_x : found_.guard_y) = part;
            for (std::size_t of = part.begin; of < part.end; ++of)
                if (tokens_[of].is("&&") || tokens_[of].is("||") || assigns(tokens_[of])) return false;
        }
        return !found_.guard_x.empty() && !found_.guard_y.empty();
    }

    bool reads_loop(std::size_t at) {
        BoundNames names;
        const TokenRange loop{at, found_.end};
        bool headed = false;
        for (const std::string_view head :
             {"for ( $type $k = 0 ; $k < $n... ; $k ++ )", "for ( $type $k = 0 ; $k < $n... ; ++ $k )",
              "for ( $type $sign $k = 0 ; $k < $n... ; ++ $k )",
              "for ( $type $sign $k = 0 ; $k < $n... ; $k ++ )"}) {
            const auto end = match(tokens_, loop, head, names);
            if (!end) continue;
            headed = true;
            at = *end;
            break;
        }
        if (!headed) return false;
        TokenRange body{at, found_.end};
        if (tokens_[at].is("{")) body = {at + 1, found_.end - 1};
        for (const std::string_view form :
             {"$sum += $a [ $i... ] * $b [ $j... ] ;", "$sum = $sum + $a [ $i... ] * $b [ $j... ] ;",
              "$sum += ( $a [ $i... ] * $b [ $j... ] ) ;"}) {
            if (match(tokens_, body, form, names) != body.end) continue;
            found_.k = names["k"];
            found_.limit = names["n"];
            found_.sum = names["sum"];
            found_.a = {names["a"], names["i"], type_of(names["a"])};
            found_.b = {names["b"], names["j"], type_of(names["b"])};
            return reads_factor(found_.a) && reads_factor(found_.b) && found_.a.along_x != found_.b.along_x &&
                   !has(found_.limit, found_.x.name) && !has(found_.limit, found_.y.name);
        }
        return false;
    }

    bool reads_factor(Factor& factor) const {
        const bool x = has(factor.subscript, found_.x.name), y = has(factor.subscript, found_.y.name);
        if (x == y || !has(factor.subscript, found_.k) || factor.type.empty()) return false;
        factor.along_x = x;
        int uses = 0;
        for (std::size_t at = factor.subscript.begin; at < factor.subscript.end; ++at) {
            if (tokens_[at].is("threadIdx")) return false;
            if (!is(tokens_[at], found_.k)) continue;
            ++uses;
            const bool is_factor = tokens_[at - 1].is("*") || tokens_[at + 1].is("*");
            factor.k_is_next = !is_factor;
        }
        return uses == 1;
    }

    /// Of `const float* __restrict__ a`, a parameter or a name of the kernel.
    std::string type_of(TokenRange array) const {
        for (std::size_t at = kernel_.parameters + 1; at < found_.begin; ++at) {
            if (!is(tokens_[at], array)) continue;
            std::size_t star = at - 1;
            while (star > kernel_.parameters && tokens_[star].is_word() && !tokens_[star].is("const")) --star;
            if (!tokens_[star].is("*")) continue;
            std::size_t type = star - 1;
            if (tokens_[type].is("const")) --type;
            return tokens_[type].is_word() ? std::string(tokens_[type].text) : std::string();
        }
        return {};
    }

    /// The rest of the kernel takes no part in a barrier or a loop of its own.
    bool rest_is_alone() const {
        for (std::size_t at = kernel_.body; at < kernel_.body_end; ++at) {
            const bool is_ours = at >= found_.begin && at < found_.end;
            if (tokens_[at].text.starts_with("__sync") || tokens_[at].is("__shared__")) return false;
            if (!is_ours && (tokens_[at].is("for") || tokens_[at].is("while") || tokens_[at].is("return")))
                return false;
        }
        return true;
    }

    const KernelDefinition& kernel_;
    const Tokens& tokens_;
    ProductLoop found_;
};

}  // namespace

std::optional<ProductLoop> product_loop(const KernelDefinition& kernel) {
    return ProductReader(kernel).read();
}

}  // namespace warplens::app
