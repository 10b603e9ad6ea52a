// Program: the kernels of the user's program by the time that is modelled for all their launches. The program
// runs in the background when somebody asks; a click on a kernel opens its launch.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/wording.h"
#include "app/session/own_file/program_list_task.h"
#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/program/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

constexpr const char *run_words = "▶ run all of the program", *again_words = "▶ run it again",
                     *cancel_words = "cancel";
constexpr const char* run_help =
    "Build the file's host code, run it on this machine to its end, and list its kernels. The CPU engine "
    "executes all launches.";

class ProgramView : public View {
  private:
    ViewNeeds needs() const override { return {.run = false, .of_two_levels = TwoLevels::either}; }

    std::string cannot_compare(const ViewFrame&) override { return {}; }

    void draw_scene(ViewFrame& frame) override {
        const Theme& theme = frame.theme;
        const ProgramListState none;
        const ProgramListState& state = frame.program != nullptr ? *frame.program : none;
        if (frame.interactive && (state.possible || state.running)) draw_controls(frame, state);
        if (!state.launches) return draw_empty(theme, state);
        const ProgramLaunches& program = *state.launches;
        const std::vector<ProgramKernelSum> kernels = by_kernel(program.kernels);
        // In the window the file's name stands on top.
        const std::string file =
            frame.interactive ? "" : std::filesystem::path(state.file).filename().string();
        title_line(theme, (file.empty() ? "" : file + ": ") + title(program, kernels, state.running));
        headline_with_room(theme, headline_of(program, kernels));
        draw_table(frame, state, kernels);
        draw_words(frame, program);
        text_wrapped(theme.fonts.small, theme.text_dim, provenance(program, kernels));
        for (const std::string& sentence : not_listed(program))
            text_wrapped(theme.fonts.small, theme.text_dim, sentence);
    }

    static void draw_controls(ViewFrame& frame, const ProgramListState& state) {
        const Theme& theme = frame.theme;
        const float gap = std::round(12 * theme.fonts.scale);
        std::string said;
        if (state.running) {
            std::uint64_t launches = 0;
            if (state.launches)
                for (const ProgramKernel& kernel : state.launches->kernels) launches += kernel.launches;
            said = launches == 0 ? "The program is built and started …"
                                 : fmt::format("The program runs: {} so far …",
                                               counted(launches, "launch", "launches"));
            if (text_button(theme, "cancel program list", cancel_words,
                            "Stop the program; what is listed stays."))
                frame.commands.cancel_list = true;
        } else {
            if (text_button(theme, "list program", state.launches ? again_words : run_words, run_help))
                frame.commands.list_program = true;
            if (!state.failure.empty()) said = "× " + state.failure;
            else if (state.edited) said = "The text was edited after this run.";
            else if (state.opening) said = "The program runs to the launch …";
            else if (state.launches) said = "Click a kernel to open its launch.";
        }
        ImGui::SameLine(0, gap);
        const float top = ImGui::GetCursorPosY();
        ImGui::SetCursorPosY(top + std::round((control_height(theme) - text_height(theme.fonts.words)) / 2));
        text_wrapped(theme.fonts.words, state.failure.empty() || state.running ? theme.text_dim : theme.error,
                     said);
        ImGui::SetCursorPosY(top + control_height(theme) + std::round(8 * theme.fonts.scale));
    }

    static void draw_empty(const Theme& theme, const ProgramListState& state) {
        if (state.running)
            empty_state(theme, "The program is running.", "Its kernels appear here, launch by launch.");
        else if (state.possible)
            empty_state(theme, "The program has not been run.",
                        "Press *▶ run all of the program* to see which of its kernels take the time.");
        else
            empty_state(theme, "There is no program to run.",
                        "Open a `.cu` file without a header that has a function `main`, or use "
                        "`warplens program FILE.cu --output PICTURE.png`.");
    }

    static std::string title(const ProgramLaunches& program, const std::vector<ProgramKernelSum>& kernels,
                             bool running) {
        if (kernels.empty())
            return program.ended ? "The program launched no kernel"
                                 : "The program has not launched a kernel yet";
        const double all = seconds_of(kernels);
        const ProgramKernelSum& first = kernels.front();
        std::string words;
        if (all <= 0) words = "No launch of the program has a modelled time";
        else if (kernels.size() == 1)
            words = fmt::format("`{}` is the program's only kernel", first.first().kernel);
        else
            words = fmt::format("`{}` takes {:.0f} % of the modelled time of {} kernels",
                                first.first().kernel, 100 * first.seconds / all, kernels.size());
        if (running) words += ", so far";
        else if (!program.ended) words += ", up to where the run was cancelled";
        return words;
    }

    static Headline headline_of(const ProgramLaunches& program,
                                const std::vector<ProgramKernelSum>& kernels) {
        std::uint64_t launches = 0, steps = 0;
        for (const ProgramKernelSum& kernel : kernels) launches += kernel.launches, steps += kernel.steps;
        const double seconds = seconds_of(kernels);
        if (seconds <= 0) return {};
        const std::string words = analysis::duration(seconds);
        const std::size_t space = words.find(' ');
        return {words.substr(0, space), space == std::string::npos ? "" : words.substr(space + 1),
                fmt::format("modelled for all launches on the {} · {} · {} warp-instructions", program.gpu,
                            counted(launches, "launch", "launches"), analysis::grouped(steps))};
    }

    static void draw_table(ViewFrame& frame, const ProgramListState& state,
                           const std::vector<ProgramKernelSum>& kernels) {
        const Theme& theme = frame.theme;
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        ProgramTable table{ink, kernels, frame.interactive ? state.shown_symbol : "", std::nullopt};
        if (frame.interactive && ImGui::IsWindowHovered()) table.mouse = ImGui::GetMousePos();
        ImGui::Dummy({1, ink.px(4)});
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const float natural = program_table_height(table, !frame.interactive);
        const float below = words_height(theme, *state.launches);
        // A pane scrolls; a picture shows what fits.
        const float height =
            frame.interactive ? natural : std::min(natural, std::max(room.y - below, ink.px(80)));
        const auto part = draw_program_table(table, {at.x, at.y, at.x + room.x, at.y + height});
        ImGui::Dummy({room.x, height});
        if (!part) return;
        explain(theme, kernels, *part, state.possible);
        const ProgramKernel& shape = *part->shape;
        if (state.possible && !shape.symbol.empty() && ImGui::IsMouseClicked(0))
            frame.commands.open_launch = {shape.symbol, shape.busiest};
    }

    static void explain(const Theme& theme, const std::vector<ProgramKernelSum>& kernels,
                        const ProgramPart& part, bool opens) {
        const ProgramKernel& shape = *part.shape;
        const double all = seconds_of(kernels), seconds = shape.all_seconds();
        std::vector<std::string> lines;
        if (seconds > 0)
            lines.push_back(fmt::format("{} × {} = {}, {:.1f} % of {}", analysis::grouped(shape.launches),
                                        analysis::duration(seconds / static_cast<double>(shape.launches)),
                                        analysis::duration(seconds), 100 * seconds / all,
                                        analysis::duration(all)));
        lines.push_back(fmt::format("{} warp-instructions", analysis::grouped(shape.steps)));
        if (shape.modelled < shape.launches)
            lines.push_back(
                fmt::format("{} of them have a modelled time", analysis::grouped(shape.modelled)));
        std::string sentence =
            fmt::format("`{}` with grid {} and block {}, launched in line {}", shape.kernel,
                        to_string(shape.grid), to_string(shape.block), shape.line);
        if (!shape.why_not_executed.empty()) sentence += ". Not executed: " + shape.why_not_executed;
        if (!shape.problem.empty()) sentence += ". Problem: " + shape.problem;
        if (opens && !shape.symbol.empty())
            sentence +=
                fmt::format(". A click opens launch {} of it with the program's inputs", shape.busiest);
        tooltip_card(theme, sentence + ".", lines);
    }

    /// The last lines that the program printed, as far as a picture has room for them.
    static std::vector<std::string> printed_lines(const ProgramLaunches& program) {
        constexpr std::size_t most = 6;
        std::vector<std::string> lines;
        std::istringstream text(program.printed);
        for (std::string line; std::getline(text, line);) lines.push_back(line);
        if (lines.size() > most) lines.erase(lines.begin(), lines.end() - most);
        return lines;
    }

    static float words_height(const Theme& theme, const ProgramLaunches& program) {
        const auto lines =
            static_cast<float>(printed_lines(program).size() + (program.failed.empty() ? 0 : 2));
        // What is drawn one below the other is apart by the style's spacing.
        const float scale = theme.fonts.scale, apart = ImGui::GetStyle().ItemSpacing.y;
        const float small = text_height(theme.fonts.small);
        const float heading = program.printed.empty() ? 0 : small + apart + 12 * scale;
        return lines * (text_height(theme.fonts.code) + apart) + heading +
               (3 + static_cast<float>(2 * not_listed(program).size())) * small + 24 * scale;
    }

    static void draw_words(const ViewFrame& frame, const ProgramLaunches& program) {
        const Theme& theme = frame.theme;
        if (!program.failed.empty()) {
            ImGui::Dummy({1, 8 * theme.fonts.scale});
            // The rest is what it printed, which stands below.
            text_wrapped(theme.fonts.words, theme.error,
                         "× " + program.failed.substr(0, program.failed.find(", after it printed")));
        }
        ImGui::Dummy({1, 8 * theme.fonts.scale});
        if (program.printed.empty()) return;
        text_item(theme.fonts.small, theme.text_dim, "The program printed, at last:");
        const float width = ImGui::GetContentRegionAvail().x;
        for (const std::string& line : printed_lines(program))
            text_item(theme.fonts.code, theme.text, fit_text(theme.fonts.code, line, width));
        ImGui::Dummy({1, 4 * theme.fonts.scale});
    }

    static std::string provenance(const ProgramLaunches& program,
                                  const std::vector<ProgramKernelSum>& kernels) {
        std::uint64_t launches = 0, modelled = 0;
        for (const ProgramKernelSum& kernel : kernels)
            launches += kernel.launches, modelled += kernel.modelled;
        std::string words = fmt::format(
            "modelled · {} · from machine code where available · copies and the host are not in it · "
            "warp-instructions exact, executed by the CPU engine",
            program.gpu);
        if (modelled < launches)
            words +=
                fmt::format(" · {} of {} timed, others count as the mean of their kernel, grid and block",
                            analysis::grouped(modelled), counted(launches, "launch", "launches"));
        return words;
    }
};

}  // namespace

std::unique_ptr<View> make_program_view() { return std::make_unique<ProgramView>(); }

}  // namespace warplens::app
