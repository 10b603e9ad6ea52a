#include "app/pipeline/earlier_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/wording.h"
#include "app/pipeline/fit_lengths.h"
#include "app/pipeline/launch_run.h"
#include "core/free_memory.h"

namespace warplens::app {

namespace catalog = instrumentation;
using catalog::EarlierLaunch;

namespace {

constexpr std::uint64_t most_kept_bytes = std::uint64_t{1} << 29;
constexpr std::uint64_t most_buffer_bytes = std::uint64_t{1} << 30;  // of one launch
/// A product of matrices is one instruction and takes as long as hundreds.
constexpr std::chrono::seconds longest{10};

using Overrides = std::map<std::string, std::string>;

/// The settings of an earlier launch that follow those of a later one.
Overrides settings_of(const catalog::WrittenContents& written, const catalog::Values& later) {
    Overrides overrides;
    for (const auto& [mine, theirs] : written.same) {
        const auto value = later.find(theirs);
        const auto declared =
            std::ranges::find(written.by->kernel->parameters, mine, &catalog::ParameterDeclaration::name);
        if (value == later.end() || declared == written.by->kernel->parameters.end()) continue;
        if (value->second != declared->fallback) overrides[mine] = catalog::to_string(value->second);
    }
    return overrides;
}

/// The text of the entry, or where it calls functions that of the module.
std::string_view text_of_entry(const Program& program) {
    const std::string_view ptx = program.ptx;
    const std::size_t begin = ptx.find(".entry " + program.entry);
    if (begin == std::string_view::npos) return ptx;
    const std::size_t end = ptx.find("\n}", begin);
    const std::string_view text = ptx.substr(begin, end - begin);
    return text.find("call") == std::string_view::npos ? text : ptx;
}

bool names(std::string_view text, std::size_t at, std::size_t count) {
    const auto is_part = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
    };
    return (at == 0 || !is_part(text[at - 1])) && (at + count >= text.size() || !is_part(text[at + count]));
}

/// Whether a line of the module does more with the variable than to load from it.
bool may_change(std::string_view ptx, const std::string& variable) {
    for (std::size_t at = ptx.find(variable); at != std::string_view::npos; at = ptx.find(variable, at + 1)) {
        if (!names(ptx, at, variable.size())) continue;
        const std::size_t begin = ptx.rfind('\n', at) + 1;
        const std::string_view line = ptx.substr(begin, at - begin);
        if (line.find(".global .") == std::string_view::npos && line.find("ld.") == std::string_view::npos)
            return true;
    }
    return false;
}

}  // namespace

std::vector<std::string> changing_variables(const Program& program) {
    std::vector<std::string> found;
    const std::string_view entry = text_of_entry(program);
    for (const Variable& variable : program.variables) {
        if (variable.space != Space::global || variable.name.starts_with('$') ||
            variable.name.starts_with("__"))
            continue;
        std::size_t at = entry.find(variable.name);
        while (at != std::string_view::npos && !names(entry, at, variable.name.size()))
            at = entry.find(variable.name, at + 1);
        if (at != std::string_view::npos && may_change(program.ptx, variable.name))
            found.push_back(variable.name);
    }
    return found;
}

/// A launch with the settings that it is run with.
struct EarlierRuns::Node {
    const EarlierLaunch* launch = nullptr;
    Overrides overrides;
    catalog::Values values;
    std::string key;
    std::map<std::string, Left> left;  // by buffer: those that later launches read
};

/// The launches that one needs, in the program's order.
class EarlierRuns::Order {
  public:
    explicit Order(const LaunchRequest& asked) : asked_(asked) {}

    void add(const catalog::KernelFile& kernel, const catalog::Values& values) {
        for (const catalog::BufferDeclaration& buffer : kernel.buffers) {
            if (!buffer.written) continue;
            const EarlierLaunch& by = *buffer.written->by;
            const auto [found, is_new] = nodes_.try_emplace(by.number);
            Node& node = found->second;
            if (is_new) {
                node.launch = &by;
                node.overrides = settings_of(*buffer.written, values);
                node.key = by.key + ' ' + asked_.gpu;
                for (const auto& [name, value] : node.overrides) node.key += ' ' + name + '=' + value;
                if (auto resolved = catalog::resolve_parameters(*by.kernel, node.overrides))
                    node.values = std::move(*resolved);
                waiting_.insert(by.number);
            }
            node.left[buffer.written->buffer];
        }
    }

    /// Those before them: what one needs comes before it.
    void add_all() {
        while (!waiting_.empty()) {
            const std::size_t number = *waiting_.rbegin();
            waiting_.erase(number);
            add(*nodes_.at(number).launch->kernel, nodes_.at(number).values);
        }
    }

    std::map<std::size_t, Node>& nodes() { return nodes_; }
    const Left& left(const catalog::WrittenContents& written) const {
        return nodes_.at(written.by->number).left.at(written.buffer);
    }

    /// Executes all of them, in order. Fails only when cancelled.
    Status run(Pipeline& pipeline) {
        for (auto& [number, node] : nodes_) {
            auto why = run(pipeline, node);
            if (!why) return tl::unexpected(why.error());
            if (why->empty()) continue;
            for (auto& [buffer, left] : node.left) left = {nullptr, *why};
        }
        return {};
    }

    std::vector<std::string> run_kernels;  // in order
    std::uint64_t launches = 0, steps = 0;

  private:
    bool is_cancelled() const { return asked_.cancelled && asked_.cancelled(); }

    /// The result is why it could not be run; empty: it was.
    Result<std::string> run(Pipeline& pipeline, Node& node) {
        const auto not_run = [&](const std::string& why) {
            return node.launch->name + " was not run: " + why;
        };
        if (is_cancelled()) return fail("the run was cancelled");
        const auto& kernel = node.launch->kernel;
        for (const catalog::BufferDeclaration& buffer : kernel->buffers)
            if (buffer.written && !left(*buffer.written).bytes) return left(*buffer.written).why;
        auto loaded = pipeline.load_alone({kernel, node.overrides, asked_.gpu, asked_.target});
        if (!loaded) return not_run(loaded.error().message);
        std::uint64_t bytes = 0;
        for (const catalog::PreparedBuffer& buffer : loaded->prepared.buffers) bytes += buffer.data.size();
        if (bytes > most_buffer_bytes)
            return not_run(fmt::format("its buffers take more than {}", memory_text(most_buffer_bytes)));
        if (const auto variables = changing_variables(loaded->program); !variables.empty())
            return not_run(
                fmt::format("what kernels leave in the variable `{}` is not followed", variables.front()));
        for (std::size_t i = 0; i < kernel->buffers.size(); ++i)
            if (const auto& written = kernel->buffers[i].written) {
                std::string wrong = fill(loaded->prepared.buffers[i], *written, *left(*written).bytes);
                if (!wrong.empty()) return not_run(wrong);
            }
        const std::string name = loaded->launch.kernel;
        auto started = LaunchRun::start(std::move(*loaded), {.keep_report = false});
        if (!started) return not_run(started.error().message);
        LaunchRun& run = **started;
        simt::RunOptions options;
        options.max_printed = 0;
        options.step_budget = most_steps - std::min(steps, most_steps) + 1;
        options.max_steps_per_warp = options.step_budget;
        options.cancelled = [this] { return is_cancelled() || std::chrono::steady_clock::now() > end_; };
        const std::string too_long =
            fmt::format("with the launches before it, it takes more than {} warp-instructions",
                        analysis::grouped(most_steps));
        if (steps >= most_steps) return not_run(too_long);
        const Status done = run.execute(options);
        if (!done && is_cancelled()) return tl::unexpected(done.error());
        if (!done) return not_run("it takes longer than 10 s");
        if (const Status children = run.execute_children(options, options.step_budget); !children)
            return not_run(children.error().message);
        steps += run.steps();
        if (steps > most_steps) return not_run(too_long);
        if (!run.problems().empty()) return not_run("in it, " + run.problems().front().message);
        if (!run.completed()) return not_run("it did not run to its end");
        ++launches;
        if (std::ranges::find(run_kernels, name) == run_kernels.end()) run_kernels.push_back(name);
        simt::GlobalMemory memory = run.take_memory();
        for (auto& [buffer, left] : node.left) {
            const simt::Allocation* const held = memory.find(buffer);
            if (held == nullptr) return not_run("it has no buffer `" + buffer + "`");
            left.bytes = std::make_shared<const std::vector<std::byte>>(
                held->data.begin(), held->data.begin() + static_cast<std::ptrdiff_t>(held->bytes));
        }
        return std::string();
    }

  public:
    /// Puts what a launch left into a buffer. Not empty: why that is not possible.
    static std::string fill(catalog::PreparedBuffer& buffer, const catalog::WrittenContents& written,
                            const std::vector<std::byte>& left) {
        const std::uint64_t bytes = buffer.data.size();
        if (written.offset > left.size() || left.size() - written.offset < bytes)
            return fmt::format(
                "`{}` has {} bytes, and only {} of them are written", buffer.name, analysis::grouped(bytes),
                analysis::grouped(left.size() - std::min<std::uint64_t>(written.offset, left.size())));
        if (bytes != 0) std::memcpy(buffer.data.data(), left.data() + written.offset, bytes);
        buffer.unwritten = false;
        return {};
    }

  private:
    const LaunchRequest& asked_;
    std::map<std::size_t, Node> nodes_;
    std::set<std::size_t> waiting_;
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + longest;
};

Result<EarlierContents> EarlierRuns::before(Pipeline& pipeline, const LaunchRequest& asked,
                                            const catalog::Values& values,
                                            const catalog::PreparedLaunch& prepared) {
    EarlierContents contents;
    const auto& buffers = asked.kernel->buffers;
    if (std::ranges::none_of(buffers, [](const auto& buffer) { return buffer.written.has_value(); }))
        return contents;
    contents.buffers.resize(prepared.buffers.size());
    Order order(asked);
    order.add(*asked.kernel, values);
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(20)))
        if (asked.cancelled && asked.cancelled()) return fail("the run was cancelled");
    const auto key_of = [](const Node& node, const std::string& buffer) { return node.key + '\n' + buffer; };
    bool all = true;
    for (auto& [number, node] : order.nodes())
        for (auto& [buffer, left] : node.left) {
            const auto known = left_.find(key_of(node, buffer));
            if (known == left_.end()) all = false;
            else left = known->second;
        }
    if (!all) {
        std::set<std::size_t> asked_for;
        for (const auto& [number, node] : order.nodes()) asked_for.insert(number);
        order.add_all();
        WARPLENS_TRY(order.run(pipeline));
        if (order.launches != 0)
            contents.run = fmt::format(
                "{} of `{}` {} run before it, with {} warp-instructions.",
                order.launches == 1 ? "1 launch" : analysis::grouped(order.launches) + " launches",
                fmt::join(order.run_kernels, "`, `"), order.launches == 1 ? "was" : "were",
                analysis::grouped(order.steps));
        for (const auto& [number, node] : order.nodes()) {
            if (!asked_for.contains(number)) continue;
            for (const auto& [buffer, left] : node.left) {
                const std::uint64_t bytes = left.bytes ? left.bytes->size() : 0;
                if (kept_bytes_ + bytes > most_kept_bytes) left_.clear(), kept_bytes_ = 0;
                kept_bytes_ += bytes;
                left_[key_of(node, buffer)] = left;
            }
        }
    }
    lock.unlock();
    std::map<std::string, std::vector<std::string>> missing;  // by reason
    for (std::size_t i = 0; i < buffers.size() && i < prepared.buffers.size(); ++i) {
        if (!buffers[i].written) continue;
        const Left& left = order.left(*buffers[i].written);
        catalog::PreparedBuffer filled = prepared.buffers[i];
        std::string why = left.bytes ? Order::fill(filled, *buffers[i].written, *left.bytes) : left.why;
        if (why.empty()) {
            contents.buffers[i] = std::make_shared<const std::vector<std::byte>>(std::move(filled.data));
            continue;
        }
        contents.missing.push_back(buffers[i].name);
        missing[why].push_back("`" + buffers[i].name + "`");
    }
    for (const auto& [why, names_of] : missing)
        contents.why_missing +=
            fmt::format("{}What {} hold{} is a guess: {}", contents.why_missing.empty() ? "" : ". ",
                        fmt::join(names_of, ", "), names_of.size() == 1 ? "s" : "", why);
    return contents;
}

void take_earlier(LoadedLaunch& launch, EarlierContents earlier) {
    put_written(launch.prepared, earlier.buffers);
    launch.written = std::move(earlier.buffers);
    const auto add = [](std::string& text, const std::string& sentence, const char* between) {
        if (!sentence.empty()) text += (text.empty() ? "" : between) + sentence;
    };
    add(launch.note, earlier.run, " ");
    add(launch.note, earlier.why_missing, " ");
    add(launch.launch.note, earlier.why_missing, ". ");
    for (const catalog::PreparedBuffer& buffer : launch.prepared.buffers) {
        const bool missing = std::ranges::find(earlier.missing, buffer.name) != earlier.missing.end();
        if (missing && buffer.element_bytes > 1 && !buffer.element_type.starts_with('f'))  // may be indices
            add(launch.doubt, "`" + buffer.name + "` is a guess", ", and ");
    }
}

void put_written(catalog::PreparedLaunch& launch, const WrittenBuffers& written) {
    for (std::size_t i = 0; i < std::min(launch.buffers.size(), written.size()); ++i) {
        if (!written[i] || written[i]->size() != launch.buffers[i].data.size()) continue;
        launch.buffers[i].data = *written[i];
        launch.buffers[i].unwritten = false;
    }
}

Result<catalog::PreparedLaunch> prepare_again(const LoadedLaunch& launch) {
    WARPLENS_TRY(auto prepared, catalog::prepare_launch(fitted_kernel(launch), launch.prepared.parameters,
                                                        ~std::uint64_t{0}));
    put_written(prepared, launch.written);
    return prepared;
}

}  // namespace warplens::app
