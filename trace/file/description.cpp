#include "trace/file/description.h"

#include "core/json_text.h"
#include "trace/file/json_members.h"
#include "trace/query.h"

namespace warplens::trace {

namespace {

std::string_view name_of(SiteKind kind) {
    switch (kind) {
        case SiteKind::lanewise:
            return "lanewise";
        case SiteKind::memory:
            return "memory";
        case SiteKind::branch:
            return "branch";
        case SiteKind::barrier:
            return "barrier";
        case SiteKind::warp_wide:
            return "warp_wide";
        case SiteKind::call:
            return "call";
        case SiteKind::exit:
            return "exit";
    }
    return "";
}

constexpr auto last_that_is_no_note =
    static_cast<ProblemKind>(static_cast<int>(ProblemKind::ended_threads) - 1);

Json json_of(const Dim3& extent) { return Json::array({extent.x, extent.y, extent.z}); }

Json json_of(const std::vector<Buffer>& buffers) {
    Json list = Json::array();
    for (const Buffer& buffer : buffers)
        list.push_back({{"name", buffer.name},
                        {"element_type", buffer.element_type},
                        {"element_bytes", buffer.element_bytes},
                        {"base", buffer.base},
                        {"bytes", buffer.bytes}});
    return list;
}

Json json_of(const Launch& launch) {
    return {{"kernel", launch.kernel},
            {"title", launch.title},
            {"note", launch.note},
            {"parameters", launch.parameters},
            {"grid", json_of(launch.geometry.grid)},
            {"block", json_of(launch.geometry.block)},
            {"dynamic_shared_bytes", launch.geometry.dynamic_shared_bytes},
            {"cluster", json_of(launch.geometry.cluster)},
            {"cooperative", launch.geometry.cooperative},
            {"buffers", json_of(launch.buffers)},
            {"variables", json_of(launch.variables)},
            {"resources",
             {{"registers_per_thread", launch.resources.registers_per_thread},
              {"shared_static_bytes", launch.resources.shared_static_bytes},
              {"stack_bytes", launch.resources.stack_bytes},
              {"target", launch.resources.target}}},
            {"gpu", launch.gpu},
            {"engine", launch.engine},
            {"provenance", to_string(launch.provenance)}};
}

Json json_of(const Program& program) {
    Json sites = Json::array(), basic_blocks = Json::array(), sources = Json::array();
    Json variables = Json::array(), parameters = Json::array();
    for (const Site& site : program.sites)
        sites.push_back({{"opcode", site.opcode},
                         {"text", site.text},
                         {"kind", name_of(site.kind)},
                         {"space", to_string(site.space)},
                         {"operation", to_string(site.operation)},
                         {"bytes_per_lane", site.bytes_per_lane},
                         {"guarded", site.guarded},
                         {"file", site.file},
                         {"line", site.line},
                         {"ptx_line", site.ptx_line},
                         {"basic_block", site.basic_block}});
    for (const BasicBlock& block : program.basic_blocks)
        basic_blocks.push_back({{"first_site", block.first_site}, {"site_count", block.site_count}});
    for (const SourceFile& source : program.sources)
        sources.push_back({{"name", source.name}, {"text", source.text}});
    for (const Variable& variable : program.variables)
        variables.push_back({{"name", variable.name},
                             {"space", to_string(variable.space)},
                             {"offset", variable.offset},
                             {"bytes", variable.bytes},
                             {"element_bytes", variable.element_bytes}});
    for (const Parameter& parameter : program.parameters)
        parameters.push_back({{"name", parameter.name},
                              {"type", parameter.type},
                              {"bytes", parameter.bytes},
                              {"offset", parameter.offset}});
    return {{"entry", program.entry},
            {"sites", std::move(sites)},
            {"basic_blocks", std::move(basic_blocks)},
            {"sources", std::move(sources)},
            {"variables", std::move(variables)},
            {"parameters", std::move(parameters)},
            {"ptx", program.ptx}};
}

void read(Members& from, Buffer& buffer) {
    from.get("name", buffer.name);
    from.get("element_type", buffer.element_type);
    from.get("element_bytes", buffer.element_bytes);
    from.get("base", buffer.base);
    from.get("bytes", buffer.bytes);
}

void read(Members& from, Launch& launch) {
    from.get("kernel", launch.kernel);
    from.get("title", launch.title);
    from.get("note", launch.note);
    from.object("parameters", [&](Members& members, const Json& json) {
        for (const auto& [name, value] : json.members()) members.get(name.c_str(), launch.parameters[name]);
    });
    from.get("grid", launch.geometry.grid);
    from.get("block", launch.geometry.block);
    from.get("dynamic_shared_bytes", launch.geometry.dynamic_shared_bytes);
    from.get("cluster", launch.geometry.cluster);
    const Dim3 grid = launch.geometry.grid, cluster = launch.geometry.cluster;
    if (cluster.count() == 0 || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 ||
        grid.z % cluster.z != 0) {
        from.complain("cluster", "divisor of the grid");
        launch.geometry.cluster = {};
    }
    from.get("cooperative", launch.geometry.cooperative);
    const auto read_buffer = [](Members& members, Buffer& buffer) { read(members, buffer); };
    from.list("buffers", launch.buffers, read_buffer);
    from.list("variables", launch.variables, read_buffer);
    from.object("resources", [&](Members& members, const Json&) {
        members.get("registers_per_thread", launch.resources.registers_per_thread);
        members.get("shared_static_bytes", launch.resources.shared_static_bytes);
        members.get("stack_bytes", launch.resources.stack_bytes);
        members.get("target", launch.resources.target);
    });
    from.get("gpu", launch.gpu);
    from.get("engine", launch.engine);
    from.get("provenance", launch.provenance, Provenance::modelled);
}

void read(Members& from, Program& program) {
    from.get("entry", program.entry);
    from.list("sites", program.sites, [](Members& members, Site& site) {
        members.get("opcode", site.opcode);
        members.get("text", site.text);
        members.get("kind", site.kind, SiteKind::exit, [](SiteKind kind) { return name_of(kind); });
        members.get("space", site.space, Space::surface);
        members.get("operation", site.operation, Operation::atomic);
        members.get("bytes_per_lane", site.bytes_per_lane);
        members.get("guarded", site.guarded);
        members.get("file", site.file);
        members.get("line", site.line);
        members.get("ptx_line", site.ptx_line);
        members.get("basic_block", site.basic_block);
    });
    from.list("basic_blocks", program.basic_blocks, [](Members& members, BasicBlock& block) {
        members.get("first_site", block.first_site);
        members.get("site_count", block.site_count);
    });
    from.list("sources", program.sources, [](Members& members, SourceFile& source) {
        members.get("name", source.name);
        members.get("text", source.text);
    });
    from.list("variables", program.variables, [](Members& members, Variable& variable) {
        members.get("name", variable.name);
        members.get("space", variable.space, Space::surface);
        members.get("offset", variable.offset);
        members.get("bytes", variable.bytes);
        members.get("element_bytes", variable.element_bytes);
    });
    from.list("parameters", program.parameters, [](Members& members, Parameter& parameter) {
        members.get("name", parameter.name);
        members.get("type", parameter.type);
        members.get("bytes", parameter.bytes);
        members.get("offset", parameter.offset);
    });
    from.get("ptx", program.ptx);
}

}  // namespace

std::string describe(const Trace& trace) {
    return printed(
        {{"launch", json_of(trace.launch)},
         {"program", json_of(trace.program)},
         {"recorded", {{"blocks", recorded_blocks(trace).size()}, {"exchanges", !trace.exchanges.empty()}}}});
}

Result<Description> parse_description(std::string_view text) {
    const auto json = parse_json(text);
    if (!json) return fail("its description is not valid JSON");
    Description description;
    std::string error;
    Members root(*json, "description", error);
    root.object("launch", [&](Members& members, const Json&) { read(members, description.launch); });
    root.object("program", [&](Members& members, const Json&) { read(members, description.program); });
    root.object("recorded", [&](Members& members, const Json&) {
        members.get("blocks", description.recorded_blocks);
        members.get("exchanges", description.has_exchanges);
    });
    if (!error.empty()) return fail("{}", error);
    return description;
}

std::string describe_problems(const std::vector<Problem>& problems) {
    Json list = Json::array();
    for (const Problem& problem : problems) {
        Json one{{"kind", to_string(problem.kind)},
                 {"message", problem.message},
                 {"child", problem.child},
                 {"site", problem.site},
                 {"file", problem.file},
                 {"line", problem.line},
                 {"block", json_of(problem.block)},
                 {"thread", json_of(problem.thread)},
                 {"address", problem.address},
                 {"element", problem.element},
                 {"count", problem.count}};
        if (problem.other) {
            one["other_site"] = problem.other->site;
            one["other_file"] = problem.other->file;
            one["other_line"] = problem.other->line;
            one["other_block"] = json_of(problem.other->block);
            one["other_thread"] = json_of(problem.other->thread);
        }
        list.push_back(std::move(one));
    }
    return printed({{"problems", std::move(list)}});
}

Result<std::vector<Problem>> parse_problems(std::string_view text) {
    const auto json = parse_json(text);
    if (!json) return fail("its list of problems is not valid JSON");
    std::vector<Problem> problems;
    std::string error;
    Members(*json, "problems", error).list("problems", problems, [](Members& members, Problem& problem) {
        members.get("kind", problem.kind, last_that_is_no_note);
        members.get("message", problem.message);
        members.get("child", problem.child);
        members.get("site", problem.site);
        members.get("file", problem.file);
        members.get("line", problem.line);
        members.get("block", problem.block);
        members.get("thread", problem.thread);
        members.get("address", problem.address);
        members.get("element", problem.element);
        members.get("count", problem.count);
        if (!members.has("other_site")) return;
        OtherParty& other = problem.other.emplace();
        members.get("other_site", other.site);
        members.get("other_file", other.file);
        members.get("other_line", other.line);
        members.get("other_block", other.block);
        members.get("other_thread", other.thread);
    });
    if (!error.empty()) return fail("{}", error);
    return problems;
}

}  // namespace warplens::trace
