// The [streams] of a header with values put in -> the operations of each way of doing the work.
#include <algorithm>
#include <limits>

#include "instrumentation/catalog/launch_parts.h"
#include "instrumentation/catalog/streams.h"

namespace warplens::instrumentation {

namespace {

constexpr std::int64_t any_least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t any_most = std::numeric_limits<std::int64_t>::max();

class VariantMaker {
  public:
    VariantMaker(const KernelFile& kernel, const PreparedLaunch& launch) : kernel_(kernel), launch_(launch) {}

    Result<PreparedStreamVariant> make(const StreamVariantDeclaration& declared) {
        WARPLENS_TRY(auto expressions, Expressions::over(kernel_, launch_.parameters));
        const auto streams = expressions.integer(declared.streams, 1, most_streams);
        if (!streams) return fail("streams: {}", streams.error().message);
        const std::string& text = declared.chunks.empty() ? kernel_.streams->chunks : declared.chunks;
        const auto chunks = expressions.integer(text, 1, most_chunks);
        if (!chunks) return fail("chunks: {}", chunks.error().message);
        const auto repeats = expressions.integer(declared.repeats, 1, most_stream_operations);
        if (!repeats) return fail("repeats: {}", repeats.error().message);
        WARPLENS_TRY(expressions.set("chunks", *chunks));
        WARPLENS_TRY(auto name, filled_in(declared.name, expressions));
        WARPLENS_TRY(auto title, filled_in(declared.title, expressions));
        made_ = {};
        made_.name = std::move(name);
        made_.title = std::move(title);
        made_.streams = static_cast<int>(*streams);
        made_.repeats = static_cast<int>(*repeats);
        made_.graph = declared.graph;
        made_.pageable = declared.pageable;
        for (std::int64_t chunk = 0; chunk < *chunks; ++chunk)
            if (Status status = add_chunk(chunk, *chunks); !status)
                return fail("chunk {}: {}", chunk, status.error().message);
        const auto operations = static_cast<std::int64_t>(made_.operations.size());
        if (operations == 0) return fail("no chunk holds an element");
        if (operations * *repeats > most_stream_operations)
            return fail("{} operations {} times are more than the {} that can be timed", operations, *repeats,
                        most_stream_operations);
        return std::move(made_);
    }

  private:
    static Result<std::string> filled_in(const std::string& text, Expressions& expressions) {
        std::string result;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t open = text.find('{', at), close = text.find('}', open);
            result += text.substr(at, open - at);
            if (open == std::string::npos) break;
            const auto value = expressions.number(text.substr(open + 1, close - open - 1));
            if (!value) return fail("`{}`: {}", text, value.error().message);
            result += to_string(*value);
            at = close == std::string::npos ? text.size() : close + 1;
        }
        return result;
    }

    /// Each chunk has its own Expressions, so that no number of chunks uses up their allowance of work.
    Status add_chunk(std::int64_t chunk, std::int64_t chunks) {
        WARPLENS_TRY(auto expressions, Expressions::over(kernel_, launch_.parameters));
        Status status =
            expressions.set("chunks", chunks).and_then([&] { return expressions.set("chunk", chunk); });
        if (!status) return status;
        const StreamsDeclaration& streams = *kernel_.streams;
        for (const auto& [name, text] :
             {std::pair{"first", &streams.first}, std::pair{"count", &streams.count}}) {
            if (text->empty()) continue;
            const auto value = expressions.integer(*text, any_least, any_most);
            if (!value) return fail("{}: {}", name, value.error().message);
            if (name[0] == 'c' && *value <= 0) return {};
            if (status = expressions.set(name, *value); !status) return status;
        }
        for (const StreamOperationDeclaration& declared : streams.operations) {
            PreparedStreamOperation operation;
            operation.kind = declared.kind;
            operation.stream = static_cast<int>(chunk % made_.streams);
            const bool launches = declared.kind == StreamOperationKind::launch;
            status = launches ? set_launch(operation, declared, expressions)
                              : set_copy(operation, declared, expressions);
            if (!status) return status;
            if (!launches && operation.bytes == 0) continue;
            operation.name = declared.name.empty() ? default_name(declared) : declared.name;
            if (chunks > 1) operation.name += fmt::format(", chunk {}", chunk);
            made_.operations.push_back(std::move(operation));
        }
        return {};
    }

    std::string default_name(const StreamOperationDeclaration& declared) const {
        switch (declared.kind) {
            case StreamOperationKind::copy_in:
                return declared.buffer + " in";
            case StreamOperationKind::copy_out:
                return declared.buffer + " out";
            case StreamOperationKind::launch:
                break;
        }
        return kernel_.name;
    }

    Status set_copy(PreparedStreamOperation& copy, const StreamOperationDeclaration& declared,
                    Expressions& expressions) const {
        const auto buffer =
            std::find_if(launch_.buffers.begin(), launch_.buffers.end(),
                         [&](const PreparedBuffer& candidate) { return candidate.name == declared.buffer; });
        if (buffer == launch_.buffers.end()) return fail("there is no buffer `{}`", declared.buffer);
        const std::uint64_t elements =
            buffer->element_bytes > 0 ? buffer->data.size() / buffer->element_bytes : 0;
        const StreamsDeclaration& streams = *kernel_.streams;
        const auto first =
            expressions.integer(declared.first.empty() ? streams.first : declared.first, 0, any_most);
        if (!first) return fail("first of the copy of `{}`: {}", declared.buffer, first.error().message);
        const auto count =
            expressions.integer(declared.count.empty() ? streams.count : declared.count, 0, any_most);
        if (!count) return fail("count of the copy of `{}`: {}", declared.buffer, count.error().message);
        const auto begin = static_cast<std::uint64_t>(*first), length = static_cast<std::uint64_t>(*count);
        if (begin > elements || length > elements - begin)
            return fail("the copy takes {} elements of `{}` from element {}, which has {}", length,
                        declared.buffer, begin, elements);
        copy.buffer = static_cast<std::size_t>(buffer - launch_.buffers.begin());
        copy.offset = begin * buffer->element_bytes;
        copy.bytes = length * buffer->element_bytes;
        return {};
    }

    Status set_launch(PreparedStreamOperation& launch, const StreamOperationDeclaration& declared,
                      Expressions& expressions) const {
        WARPLENS_TRY(const auto geometry,
                     evaluate_geometry(declared.grid.empty() ? kernel_.grid : declared.grid,
                                       declared.block.empty() ? kernel_.block : declared.block,
                                       kernel_.dynamic_shared_bytes, expressions));
        launch.geometry = geometry;
        WARPLENS_TRY(auto arguments,
                     bind_arguments(declared.arguments.empty() ? kernel_.arguments : declared.arguments,
                                    kernel_, expressions));
        launch.arguments = std::move(arguments);
        // What an argument is declared as does not depend on what is put in.
        for (std::size_t i = 0; i < launch.arguments.size() && i < launch_.arguments.size(); ++i)
            if (launch.arguments[i].type.empty()) launch.arguments[i].type = launch_.arguments[i].type;
        return {};
    }

    const KernelFile& kernel_;
    const PreparedLaunch& launch_;
    PreparedStreamVariant made_;
};

}  // namespace

Result<std::vector<PreparedStreamVariant>> prepare_streams(const KernelFile& kernel,
                                                           const PreparedLaunch& launch) {
    std::vector<PreparedStreamVariant> variants;
    if (!kernel.streams) return variants;
    VariantMaker maker(kernel, launch);
    for (const StreamVariantDeclaration& declared : kernel.streams->variants) {
        auto variant = maker.make(declared);
        if (!variant)
            return fail("{}: streams, `{}`: {}", kernel.name, declared.name, variant.error().message);
        variants.push_back(std::move(*variant));
    }
    return variants;
}

}  // namespace warplens::instrumentation
