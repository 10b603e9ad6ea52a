#include "instrumentation/host_code/launches.h"

#include <algorithm>
#include <cstdlib>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/lambdas.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;
constexpr std::size_t most_tokens = 400'000;
constexpr int deepest_bracket = 128;  // brackets in brackets

const std::vector<std::string> host_macros{"__CUDACC__", "__NVCC__",    "__cplusplus=201703",  "__linux__",
                                           "__x86_64__", "__GNUC__=12", "CUDART_VERSION=13000"};

bool is_readable(const Tokens& tokens) {
    int depth = 0;
    for (const Token& token : tokens) {
        if (token.is("(") || token.is("[") || token.is("{")) ++depth;
        else if (token.is(")") || token.is("]") || token.is("}")) --depth;
        if (depth > deepest_bracket) return false;
    }
    return tokens.size() <= most_tokens;
}

std::array<Roots, 3> roots_of(const Value& value) {
    if (value.kind == Kind::extent) return value.extent_roots;
    std::array<Roots, 3> roots{value.roots, {}, {}};
    for (std::size_t i = 0; i < std::min<std::size_t>(value.list.size(), 3); ++i)
        roots[i] = value.list[i].roots;
    return roots;
}

HostArgument argument_of(const Value& value, Origin launch) {
    HostArgument argument;
    argument.origin = value.origin.line != 0 ? value.origin : launch;
    argument.varies = value.varies && !value.formula;
    if (value.kind == Kind::integer) {
        argument.kind = HostArgument::Kind::integer;
        argument.integer = value.integer;
        argument.roots = value.roots;
    } else if (value.kind == Kind::real) {
        argument.kind = HostArgument::Kind::real;
        argument.real = value.real;
    } else if (value.kind == Kind::memory && value.storage) {
        const Storage& storage = *value.storage;
        argument.kind = HostArgument::Kind::memory;
        argument.element = storage.element.empty() ? pointed_to(value.type) : storage.element;
        argument.bytes = storage.bytes;
        argument.storage = value.storage;
        argument.origin = storage.origin;
    } else if ((argument.image = image_of(value))) {
        argument.kind = HostArgument::Kind::image;
    } else if (value.fields) {
        argument.kind = HostArgument::Kind::structure;
    }
    return argument;
}

class Reader {
  public:
    Reader(const Tokens& tokens, const std::string& source, const OccupancyQuery& occupancy)
        : tokens_(tokens),
          source_(source),
          occupancy_(occupancy),
          items_(items_of(tokens, 0, tokens.size(), {})) {}

    /// Assumes only as much as it takes.
    void run(HostCode& code) const {
        std::size_t most = 0, most_extents = 0;
        for (const Walk::Options options : {Walk::Options{false, true}, {true, true}, {true, false}}) {
            Walk walk(tokens_, items_, options, occupancy_);
            walk.run();
            HostCode read;
            std::set<std::size_t> writers;
            for (std::size_t number = 0; number < walk.launches.size(); ++number) {
                const WalkedLaunch& walked = walk.launches[number];
                if (walked.repeated) continue;
                auto launch = launch_of(walked, walk);
                if (!launch) continue;
                launch->number = number;
                add_writers(launch->arguments, writers);
                read.program.emplace(number, *launch);
                read.launches.push_back(std::move(*launch));
                add_lambdas(walked, read);
            }
            add_program(writers, walk, read.program);
            read.copied_symbols.assign(walk.copied_symbols.begin(), walk.copied_symbols.end());
            const auto complete =
                static_cast<std::size_t>(std::ranges::count_if(read.launches, &Reader::is_complete));
            const bool all = !read.launches.empty() && complete == read.launches.size();
            const auto extents =
                static_cast<std::size_t>(std::ranges::count_if(read.launches, &Reader::has_extents));
            const bool more = complete > most || (complete == most && extents > most_extents);
            if (all || more || (code.launches.empty() && !read.launches.empty())) {
                code.launches = std::move(read.launches);
                code.program = std::move(read.program);
                code.copied_symbols = std::move(read.copied_symbols);
                code.lambdas = std::move(read.lambdas);
                most = complete;
                most_extents = extents;
            }
            if (all) return;
        }
    }

  private:
    /// What one reads comes before it.
    void add_program(std::set<std::size_t> writers, Walk& walk,
                     std::map<std::size_t, HostLaunch>& program) const {
        while (!writers.empty()) {
            const std::size_t number = *writers.rbegin();
            writers.erase(number);
            if (program.contains(number)) continue;
            auto launch = launch_of(walk.launches[number], walk);
            if (!launch) continue;
            launch->number = number;
            add_writers(launch->arguments, writers);
            program.emplace(number, std::move(*launch));
        }
    }

    void add_lambdas(const WalkedLaunch& walked, HostCode& read) const {
        for (const Value& argument : walked.arguments) {
            if (!argument.function || !argument.function->is_device) continue;
            std::string text = structure_of(argument, source_);
            if (!text.empty() && std::ranges::find(read.lambdas, text) == read.lambdas.end())
                read.lambdas.push_back(std::move(text));
        }
    }

    /// A grid of 0 waits for a size.
    static bool has_extents(const HostLaunch& launch) {
        const auto is_known = [](const std::optional<std::int64_t>& side) { return side && *side > 0; };
        return std::ranges::all_of(launch.grid, is_known) && std::ranges::all_of(launch.block, is_known);
    }

    /// No extent, size or number is missing.
    static bool is_complete(const HostLaunch& launch) {
        return has_extents(launch) && std::ranges::all_of(launch.arguments, [](const HostArgument& argument) {
                   return argument.kind != HostArgument::Kind::unknown &&
                          (argument.kind != HostArgument::Kind::memory || argument.bytes);
               });
    }

    std::optional<HostLaunch> launch_of(const WalkedLaunch& walked, Walk& walk) const {
        const Item* const found = walk.launched_kernel(walked);
        if (found == nullptr || walked.launch.size() < 2) return std::nullopt;
        HostLaunch launch;
        launch.parameters = walk.parameter_types(*found);
        launch.kernel = found->scope.empty() ? walked.kernel : found->scope + "::" + walked.kernel;
        for (const std::string& argument : walked.template_arguments)
            launch.template_arguments.push_back(walk.qualified(argument));
        for (std::size_t i = launch.template_arguments.size(); i < found->template_parameters.size(); ++i) {
            auto type =
                deduced(tokens_, *found, tokens_[found->template_parameters[i]].text, walked.arguments);
            if (!type) break;
            launch.template_arguments.push_back(walk.qualified(*type));
        }
        launch.origin = walked.origin;
        launch.pass = walked.pass;
        launch.passes = walked.passes;
        launch.grid = extent_of(walked.launch[0]);
        launch.block = extent_of(walked.launch[1]);
        launch.grid_roots = roots_of(walked.launch[0]);
        const auto is_assumed = [&](const Roots& roots) { return walk.is_assumed(roots); };
        launch.grid_assumed = std::ranges::any_of(launch.grid_roots, is_assumed);
        launch.block_assumed = std::ranges::any_of(roots_of(walked.launch[1]), is_assumed);
        const auto said = [&](const Value& value) {
            return value.origin.line != 0 ? value.origin : walked.origin;
        };
        launch.varies = std::ranges::any_of(
            walked.launch, [](const Value& value) { return value.varies && !value.formula; });
        launch.grid_origin = said(walked.launch[0]);
        launch.block_origin = said(walked.launch[1]);
        if (walked.launch.size() < 3) launch.dynamic_shared_bytes = 0;
        else if (walked.launch[2].kind == Kind::integer)
            launch.dynamic_shared_bytes = walked.launch[2].integer;
        launch.cooperative = walked.cooperative;
        for (std::size_t i = 0; i < std::min<std::size_t>(walked.cluster.size(), 3); ++i)
            if (walked.cluster[i].kind == Kind::integer) launch.cluster[i] = walked.cluster[i].integer;
        launch.is_local = found->is_local;
        for (const Value& argument : walked.arguments)
            launch.arguments.push_back(argument_as(argument, argument.type, walked.origin, walk));
        return launch;
    }

    /// Of a structure each member; of an array of structures each element.
    static HostArgument argument_as(const Value& value, const std::string& type, Origin origin, Walk& walk) {
        HostArgument argument = argument_of(value, origin);
        if (argument.storage) {
            const std::string counted = value.type.ends_with('*') ? pointed_to(value.type) : argument.element;
            const auto size = walk.size_of(counted);
            constexpr std::int64_t most = std::int64_t{1} << 40, largest = std::int64_t{1} << 20;
            const std::int64_t bytes = (size ? size : size_of_type(argument.element)).value_or(0);
            if (std::abs(value.offset) <= most && bytes <= largest) argument.offset = value.offset * bytes;
            argument.unit = walk.unit_of(argument.element);
        }
        argument.assumed = walk.is_assumed(argument.storage ? argument.storage->roots : argument.roots);
        const bool zero = value.kind == Kind::integer && value.integer == 0;
        const bool lambda = value.function && value.function->is_device;
        if (argument.image) return argument;
        if (!value.fields && value.kind != Kind::list && !zero && !lambda) return argument;
        std::vector<std::pair<std::string, std::string>> parts = walk.members_of(type);
        if (lambda)
            for (const auto& [name, captured] : value.function->captures)
                parts.emplace_back(name, captured->type);
        if (const auto open = type.find('['); open != std::string::npos) {
            const std::string element = type.substr(0, open);
            constexpr std::int64_t most_elements = 256;
            const std::int64_t count = std::atoll(type.c_str() + open + 1);
            if (walk.members_of(element).empty() || count > most_elements) return argument;
            for (std::int64_t i = 0; i < count; ++i) parts.emplace_back(std::to_string(i), element);
        }
        if (parts.empty()) return argument;
        argument.kind = HostArgument::Kind::structure;
        const auto layout = lambda ? std::nullopt : walk.layout_of(type);
        argument.bytes = layout ? std::optional(layout->bytes) : std::nullopt;
        std::int64_t place = 0;
        std::size_t index = 0;
        for (const auto& [name, of] : parts) {
            HostArgument member = argument_as(zero ? value : part(value, name, index++), of, origin, walk);
            argument.assumed = argument.assumed || member.assumed;
            member.name = name;
            member.type = of;
            if (const auto inner = walk.layout_of(of)) {
                member.place = (place + inner->alignment - 1) / inner->alignment * inner->alignment;
                place = member.place + inner->bytes;
            }
            argument.members.push_back(std::move(member));
        }
        return argument;
    }

    static Value part(const Value& whole, const std::string& name, std::size_t index) {
        if (whole.kind == Kind::list)  // 0 after its end
            return index < whole.list.size() ? loaded(whole.list[index]) : Value::of(0);
        if (whole.function) return loaded(*whole.function->captures.at(index).second);
        const auto field = whole.fields->find(name);
        return field == whole.fields->end() ? Value() : *field->second;
    }

    const Tokens& tokens_;
    const std::string& source_;
    const OccupancyQuery& occupancy_;
    std::vector<Item> items_;
};

}  // namespace

std::string HostLaunch::expression() const {
    if (template_arguments.empty()) return kernel;
    std::string text = kernel + "<";
    for (std::size_t i = 0; i < template_arguments.size(); ++i)
        text += (i == 0 ? "" : ", ") + template_arguments[i];
    return text + ">";
}

void add_writers(const std::vector<HostArgument>& arguments, std::set<std::size_t>& numbers) {
    for (const HostArgument& argument : arguments) {
        add_writers(argument.members, numbers);
        if (argument.kind != HostArgument::Kind::memory || !argument.storage) continue;
        const auto& written = argument.storage->contents.written;
        if (written && written->unknown.empty()) numbers.insert(written->launch);
    }
}

HostCode read_host_code(const std::vector<File>& files, const std::vector<std::string>& defines,
                        const OccupancyQuery& occupancy) {
    HostCode code;
    for (const File& file : files) code.files.push_back(file.name);
    Macros macros;
    add_defines(host_macros, macros);
    add_defines(defines, macros);
    const Preprocessed read = preprocess(files, std::move(macros));
    if (!is_readable(read.tokens)) return code;
    const Tokens tokens = expanded(read.tokens, 0, read.tokens.size(), read.macros);
    if (!is_readable(tokens)) return code;
    Reader(tokens, files.front().text, occupancy).run(code);
    return code;
}

}  // namespace warplens::instrumentation::host_code
