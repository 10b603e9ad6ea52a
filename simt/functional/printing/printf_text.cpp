#include "simt/functional/printing/printf_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "simt/functional/printing/printf_conversion.h"

namespace warplens::simt {

namespace {

constexpr auto longest = static_cast<int>(longest_printf_field);

/// Digits as a number, at most `longest`.
int bounded(std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc::result_out_of_range ? longest : std::min(value, longest);
}

class Writer {
  public:
    explicit Writer(PrintfArguments& arguments) : arguments_(arguments) {}

    PrintfText write(std::string_view format) {
        while (!format.empty()) {
            const std::size_t plain = std::min(format.find('%'), format.size());
            result_.text += format.substr(0, plain);
            format.remove_prefix(plain);
            if (format.empty()) break;
            const auto conversion = parse_conversion(format);
            if (!conversion) {
                result_.text += format.front();
                format.remove_prefix(1);
                continue;
            }
            convert(*conversion);
            format.remove_prefix(conversion->spelling.size());
        }
        return std::move(result_);
    }

  private:
    void convert(const PrintfConversion& conversion) {
        if (conversion.kind == PrintfKind::percent) {
            result_.text += '%';
            return;
        }
        const int asked = conversion.width_is_argument ? 2 : 1;
        if (result_.arguments + asked > most_printf_arguments) {
            result_.text += conversion.spelling;
            return;
        }
        result_.arguments += asked;
        int width = bounded(conversion.width);
        bool to_the_left = false;
        if (conversion.width_is_argument) {
            const auto asked_width = static_cast<std::int32_t>(arguments_.next(4).value_or(0));
            to_the_left = asked_width < 0;  // a negative width means the flag '-'
            width = std::clamp(asked_width, -longest, longest) * (to_the_left ? -1 : 1);
        }
        const std::uint64_t value = arguments_.next(conversion.takes_wide() ? 8 : 4).value_or(0);
        if (!conversion.is_convertible()) {
            result_.text += conversion.spelling;
            return;
        }
        // The C library's printf formats this one conversion, with the value's exact type.
        std::string spec = "%";
        spec += conversion.flags;
        if (to_the_left) spec += '-';
        if (width != 0) spec += std::to_string(width);
        if (conversion.has_precision) spec += '.' + std::to_string(bounded(conversion.precision));
        least_ = std::max(std::abs(width), conversion.has_precision ? bounded(conversion.precision) : 0);
        switch (conversion.kind) {
            case PrintfKind::integer:
                if (conversion.takes_wide()) append(spec + "ll" + conversion.letter, value);
                else
                    append(spec + (conversion.length == "h" ? "h" : "") + conversion.letter,
                           static_cast<int>(value));
                break;
            case PrintfKind::character:
                append(spec + 'c', static_cast<int>(value));
                break;
            case PrintfKind::real:
                append(spec + conversion.letter, std::bit_cast<double>(value));
                break;
            case PrintfKind::pointer:
                append(spec + 'p', reinterpret_cast<const void*>(static_cast<std::uintptr_t>(value)));
                break;
            case PrintfKind::text:
                append_text(spec, conversion, value);
                break;
            case PrintfKind::percent:
                break;
        }
    }

    void append_text(const std::string& spec, const PrintfConversion& conversion, std::uint64_t address) {
        if (address == 0) {
            // If it does not fit completely, none of it is printed, as in the C library.
            constexpr std::string_view null = "(null)";
            const bool fits =
                !conversion.has_precision || bounded(conversion.precision) >= static_cast<int>(null.size());
            append(spec + 's', fits ? null.data() : "");
            return;
        }
        const std::size_t most = conversion.has_precision
                                     ? static_cast<std::size_t>(bounded(conversion.precision))
                                     : longest_printf_field;
        append(spec + 's', arguments_.text_at(address, most).c_str());
    }

    template <class Value>
    void append(const std::string& spec, Value value) {
        char few[128];
        // The C library goes through what does not fit byte by byte: a wide field is not tried here first.
        if (static_cast<std::size_t>(least_) >= sizeof few)
            return append_long(spec, value, longest_printf_field);
        const int needed = std::snprintf(few, sizeof few, spec.c_str(), value);
        if (needed < 0) return;
        const auto length = std::min(static_cast<std::size_t>(needed), longest_printf_field);
        if (length < sizeof few) {
            result_.text.append(few, length);
            return;
        }
        append_long(spec, value, length);
    }

    /// At most `most` characters of it.
    template <class Value>
    void append_long(const std::string& spec, Value value, std::size_t most) {
        std::string many(most + 1, '\0');
        const int needed = std::snprintf(many.data(), many.size(), spec.c_str(), value);
        if (needed > 0) result_.text.append(many, 0, std::min(static_cast<std::size_t>(needed), most));
    }

    PrintfArguments& arguments_;
    PrintfText result_;
    int least_ = 0;  // characters of the conversion under way, as far as its format says
};

}  // namespace

PrintfText printf_text(std::string_view format, PrintfArguments& arguments) {
    return Writer(arguments).write(format);
}

}  // namespace warplens::simt
