// The notes of a Scene at both levels: its own, and those that only its machine code can have, at its sites.
#include "app/scene/scene_notes.h"

#include <gmock/gmock.h>

#include "app/scene/machine_code.h"
#include "tests/app/example_scene.h"

namespace warplens::app {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Problem note_in_line(ProblemKind kind, const std::string& file, std::uint32_t line) {
    Problem note;
    note.kind = kind;
    note.site = 7777;  // of the machine code
    note.file = file;
    note.line = line;
    return note;
}

Scene scene_with(std::vector<Problem> notes_of_machine_code) {
    Scene scene = example_scene();
    auto report = std::make_shared<analysis::LaunchReport>(*scene.report);
    report->level = Level::machine;
    report->notes = std::move(notes_of_machine_code);
    auto code = std::make_shared<MachineCode>();
    code->report = std::move(report);
    scene.machine = std::move(code);
    return scene;
}

TEST(scene_notes, have_the_shared_registers_of_the_machine_code_at_the_first_site_of_their_line) {
    const Site last = example_scene().trace->program.sites.back();
    const Scene scene =
        scene_with({note_in_line(ProblemKind::shared_register, "/home/a person/example.cu", last.line),
                    note_in_line(ProblemKind::ended_threads, "example.cu", last.line)});
    const auto notes = notes_of(scene);
    ASSERT_THAT(notes, SizeIs(1)) << "the PTX level finds the others itself";
    EXPECT_EQ(notes[0].kind, ProblemKind::shared_register);
    const Program& program = scene.trace->program;
    ASSERT_LT(notes[0].site, program.sites.size());
    EXPECT_EQ(program.sites[notes[0].site].line, last.line);
    for (SiteId site = 0; site < notes[0].site; ++site) EXPECT_NE(program.sites[site].line, last.line);
}

TEST(scene_notes, of_machine_code_without_a_line_have_no_site) {
    const auto notes = notes_of(scene_with({note_in_line(ProblemKind::shared_register, "", 0)}));
    ASSERT_THAT(notes, SizeIs(1));
    EXPECT_EQ(notes[0].site, no_index);
}

TEST(scene_notes, are_those_of_the_run_until_the_machine_code_was_executed) {
    Scene scene = example_scene();
    EXPECT_THAT(notes_of(scene), IsEmpty());
    auto report = std::make_shared<analysis::LaunchReport>(*scene.report);
    report->notes.push_back(note_in_line(ProblemKind::lockstep, "example.cu", 1));
    scene.report = std::move(report);
    EXPECT_THAT(notes_of(scene), SizeIs(1));
}

}  // namespace
}  // namespace warplens::app
