// Pictures of machine code on the command line: what views draw of it, and that what has no times is counted.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/folders.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using MachinePictures = TypedCommands;

/// The machine's VOTE.ANY has the ballot as its first result.
TEST_F(MachinePictures, a_picture_of_machine_code_shows_its_ballots) {
    const Outcome drawn =
        warplens({"shot",    source_folder() + "/tests/hardware/machine_code/code/ballot_count.cubin",
                  "--grid",  "8",
                  "--block", "128",
                  "--arg",   "buffer:i32[1024]=iota",
                  "--arg",   "buffer:i32[32]=zero",
                  "--arg",   "buffer:i32[1024]=zero",
                  "--arg",   "i32=1024",
                  "--arg",   "i32=30",
                  "--view",  "exchange",
                  "-o",      path("x.svg")});
    if (drawn.code != 0) {
        EXPECT_THAT(drawn.error, HasSubstr("WARPLENS_SASS"));
        return;
    }
    std::ifstream file(path("x.svg"));
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}),
                AllOf(HasSubstr("Ballot"), HasSubstr("true for 30 of 32")));
}

/// Textures have counts at both levels, and times at none.
TEST_F(MachinePictures, a_picture_of_textures_counts_the_machine_code) {
    for (const char* view : {"lanes", "explain", "grid"}) {
        const Outcome drawn = warplens({"shot", "texture_blur", "--level", "machine", "--view", view,
                                        "--select", "line=73", "-o", path("x.svg")});
        if (drawn.code != 0) {
            EXPECT_THAT(drawn.error, HasSubstr("WARPLENS_SASS"));
            continue;
        }
        std::ifstream file(path("x.svg"));
        EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}),
                    AllOf(HasSubstr("machine level"), Not(HasSubstr("Nothing is selected"))));
    }
}

}  // namespace
}  // namespace warplens::app
