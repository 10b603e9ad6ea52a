#include "app/command_line/limits_file.h"

#include <cmath>
#include <filesystem>

#include "core/read_file.h"
#include "instrumentation/catalog/header_fields.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using instrumentation::HeaderFields;
using instrumentation::HeaderNode;
using instrumentation::Value;

const instrumentation::Names known_keys{
    "kernel",         "set",  "max",    "min", "lines",  "allow_problems", "entry",       "grid", "block",
    "dynamic_shared", "args", "engine", "gpu", "blocks", "include",        "check_races", "level"};

bool is_race_word(const std::string& word) {
    return word.empty() || word == "auto" || word == "on" || word == "off";
}

class LimitsFile {
  public:
    explicit LimitsFile(const std::string& path) : path_(path), fields_(path) {}

    Result<CheckJob> read(const HeaderNode& node) {
        CheckJob job;
        job.from = fmt::format("{}:{}", path_, node.line);
        WARPLENS_TRY(fields_.known_keys(node, "a check", known_keys));
        LaunchFlags& launch = job.launch;
        for (const auto& [key, into] :
             {std::pair{"kernel", &launch.target}, std::pair{"entry", &launch.entry},
              std::pair{"grid", &launch.grid}, std::pair{"block", &launch.block},
              std::pair{"engine", &launch.engine}, std::pair{"gpu", &launch.gpu},
              std::pair{"blocks", &launch.blocks}, std::pair{"check_races", &job.check_races},
              std::pair{"level", &launch.level}})
            WARPLENS_TRY(fields_.read_text(node, key, *into));
        if (!is_race_word(job.check_races))
            return fields_.error_at(node, "`check_races` is \"auto\", \"on\" or \"off\", not \"{}\"",
                                    job.check_races);
        if (!launch.level.empty() && launch.level != "ptx" && launch.level != "machine")
            return fields_.error_at(node, "`level` is \"ptx\" or \"machine\", not \"{}\"", launch.level);
        if (launch.target.empty())
            return fields_.error_at(node, "a check names its `kernel`: one of warplens list, or a file");
        const bool is_file = launch.target.find('.') != std::string::npos;
        if (is_file && fs::path(launch.target).is_relative())
            launch.target = (fs::path(path_).parent_path() / launch.target).lexically_normal().string();
        for (const auto& read : {&LimitsFile::read_settings, &LimitsFile::read_limits,
                                 &LimitsFile::read_lines, &LimitsFile::read_rest})
            WARPLENS_TRY((this->*read)(node, job));
        if (auto status = check_lines(job.limits, job.lines); !status)
            return fields_.error_at(node, "{}", status.error().message);
        return job;
    }

  private:
    Status read_settings(const HeaderNode& node, CheckJob& job) {
        const HeaderNode* const set = HeaderFields::member(node, "set");
        if (set == nullptr) return {};
        if (!set->table()) return fields_.error_at(*set, "`set` is a table: set = {{ TILE = 16, PAD = 1 }}");
        for (const auto& [name, value] : *set->table()) {
            Value read;
            WARPLENS_TRY(fields_.as_value(value, name.c_str(), read));
            job.launch.set.push_back(name + "=" + instrumentation::to_string(read));
        }
        return {};
    }

    Status read_limits(const HeaderNode& node, CheckJob& job) {
        for (const bool at_most : {true, false}) {
            const HeaderNode* const table = HeaderFields::member(node, at_most ? "max" : "min");
            if (table == nullptr) continue;
            WARPLENS_TRY(read_bounds(*table, "", at_most, job.limits));
        }
        if (!job.limits.empty()) return {};
        return fields_.error_at(node, "a check has a limit, in `max` or `min`: max = {{ problems = 0 }}");
    }

    /// `shared_load.conflict_ways = 1` is a table in a table; with quotes it is one key.
    Status read_bounds(const HeaderNode& node, const std::string& name, bool at_most,
                       std::vector<Limit>& into) {
        if (const HeaderNode::Table* table = node.table()) {
            for (const auto& [key, value] : *table) {
                const std::string whole = name.empty() ? key : name + "." + key;
                WARPLENS_TRY(read_bounds(value, whole, at_most, into));
            }
            return {};
        }
        if (name.empty())
            return fields_.error_at(node, "`{}` is a table of metrics: {{ shared_load.conflict_ways = 1 }}",
                                    at_most ? "max" : "min");
        const auto metric = metric_named(name);
        if (!metric) return fields_.error_at(node, "{}", metric.error().message);
        Limit limit{*metric, at_most, 0};
        if (const auto* whole = std::get_if<std::int64_t>(&node.value)) limit.bound = double(*whole);
        else if (const auto* real = std::get_if<double>(&node.value)) limit.bound = *real;
        else return fields_.error_at(node, "the limit of `{}` must be a number", name);
        if (!std::isfinite(limit.bound))
            return fields_.error_at(node, "the limit of `{}` must be a finite number", name);
        into.push_back(limit);
        return {};
    }

    Status read_lines(const HeaderNode& node, CheckJob& job) {
        const HeaderNode* const lines = HeaderFields::member(node, "lines");
        if (lines == nullptr) return {};
        const auto add = [&](const HeaderNode& one) -> Status {
            const auto* line = std::get_if<std::int64_t>(&one.value);
            if (line == nullptr || *line < 1 || *line > 1 << 24)
                return fields_.error_at(one, "`lines` are line numbers of the kernel's file: [54, 60]");
            job.lines.push_back(static_cast<std::uint32_t>(*line));
            return {};
        };
        if (!lines->array()) return add(*lines);
        for (const HeaderNode& one : *lines->array()) WARPLENS_TRY(add(one));
        return {};
    }

    Status read_texts(const HeaderNode& node, const char* key, std::vector<std::string>& into) {
        const HeaderNode* const list = HeaderFields::member(node, key);
        if (list == nullptr) return {};
        if (!list->array()) return fields_.error_at(*list, "`{}` is a list of texts", key);
        for (const HeaderNode& one : *list->array()) {
            const auto* text = std::get_if<std::string>(&one.value);
            if (text == nullptr) return fields_.error_at(one, "`{}` is a list of texts", key);
            into.push_back(*text);
        }
        return {};
    }

    Status read_rest(const HeaderNode& node, CheckJob& job) {
        WARPLENS_TRY(read_texts(node, "args", job.launch.arguments));
        WARPLENS_TRY(read_texts(node, "include", job.launch.include_paths));
        for (std::string& folder : job.launch.include_paths)
            if (fs::path(folder).is_relative()) folder = (fs::path(path_).parent_path() / folder).string();
        if (const HeaderNode* const bytes = HeaderFields::member(node, "dynamic_shared")) {
            const auto* whole = std::get_if<std::int64_t>(&bytes->value);
            if (whole == nullptr || *whole < 0 || *whole > 1 << 24)
                return fields_.error_at(*bytes, "`dynamic_shared` is a number of bytes");
            job.launch.dynamic_shared_bytes = static_cast<std::uint32_t>(*whole);
        }
        if (const HeaderNode* const allow = HeaderFields::member(node, "allow_problems")) {
            const bool* yes = std::get_if<bool>(&allow->value);
            if (yes == nullptr) return fields_.error_at(*allow, "`allow_problems` is true or false");
            job.allow_problems = *yes;
        }
        return {};
    }

    std::string path_;
    HeaderFields fields_;
};

}  // namespace

Result<std::vector<CheckJob>> read_limits_file(const std::string& path) {
    const auto text = read_file(path);
    if (!text) return fail("--limits {}", text.error().message);
    return parse_limits(*text, path);
}

Result<std::vector<CheckJob>> parse_limits(const std::string& text, const std::string& path) {
    WARPLENS_TRY(const auto tree, instrumentation::parse_header_tree(text, path, 1));
    const HeaderFields fields(path);
    WARPLENS_TRY(fields.known_keys(tree, "a file of limits", {"checks"}));
    const HeaderNode* const checks = HeaderFields::member(tree, "checks");
    if (checks == nullptr || !checks->array() || checks->array()->empty())
        return fail(
            "{}: a file of limits holds a list `checks`: checks = [ {{ kernel = \"transpose_tiled\", max = "
            "{{ "
            "shared_load.conflict_ways = 1 }} }} ]",
            path);
    std::vector<CheckJob> jobs;
    LimitsFile reader(path);
    for (const HeaderNode& node : *checks->array()) {
        WARPLENS_TRY(auto job, reader.read(node));
        jobs.push_back(std::move(job));
    }
    return jobs;
}

}  // namespace warplens::app
