// Every reader of files opens regular files only: a FIFO, a device, a socket or a folder is refused at once,
// in one sentence that names it, and a header that is one is not left out of the source in silence.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "app/lesson/lesson_folder.h"
#include "app/lesson/lesson_progress.h"
#include "app/pipeline/recordings.h"
#include "app/session/saved/saved_session.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class RegularFiles : public TypedCommands {
  protected:
    std::string fifo(const std::string& name) const {
        EXPECT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
        return path(name);
    }
    std::string socket(const std::string& name) const {
        const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
        ::sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path(name).c_str(), sizeof address.sun_path - 1);
        EXPECT_EQ(::bind(made, reinterpret_cast<const ::sockaddr*>(&address), sizeof address), 0);
        ::close(made);
        return path(name);
    }
    Outcome report(const std::string& source) const {
        return warplens({"report", file("k.cu", source), "--grid", "1", "--block", "32", "--arg",
                         "buffer:f32[32]=zero", "--no-advice"});
    }
};

constexpr const char* kernel = "__global__ void k(float* out) { out[threadIdx.x] = 1; }\n";

TEST_F(RegularFiles, a_header_that_cannot_be_read_is_named_with_its_line) {
    fifo("f.h");
    socket("s.h");
    fs::create_symlink("/dev/zero", path("d.h"));
    for (const auto& [header, kind] :
         {std::pair{"f.h", "a FIFO"}, std::pair{"s.h", "a socket"}, std::pair{"d.h", "a device"}}) {
        for (const char* quotes : {"\"\"", "<>"}) {
            const std::string source = std::string("\n#include ") + quotes[0] + header + quotes[1] + "\n";
            const Outcome outcome =
                warplens({"report", file("k.cu", source + kernel), "-I", folder.string(), "--grid", "1",
                          "--block", "32", "--arg", "buffer:f32[32]=zero", "--no-advice"});
            if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
            EXPECT_EQ(outcome.code, 2) << source;
            EXPECT_THAT(outcome.error,
                        AllOf(HasSubstr("k.cu:2: includes " + std::string(header)),
                              HasSubstr("it is " + std::string(kind) + ", not a regular file")));
        }
    }
}

TEST_F(RegularFiles, a_header_in_a_header_is_named_with_its_file) {
    fifo("f.h");
    file("a.h", "#pragma once\n#include \"f.h\"\n");
    const Outcome outcome = report(std::string("#include \"a.h\"\n") + kernel);
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, HasSubstr("a.h:2: includes f.h"));
}

TEST_F(RegularFiles, what_no_line_includes_is_no_obstacle_nor_is_a_folder_of_that_name) {
    fifo("f.h");
    fs::create_directory(path("vector"));
    const Outcome outcome = report(
        std::string("#include <vector>\n#if 0\n#include \"f.h\"\n#endif\n// #include \"f.h\"\n") + kernel);
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
}

TEST_F(RegularFiles, a_folder_hides_no_header_in_a_later_folder) {
    fs::create_directories(path("a.h"));
    fs::create_directories(path("inc"));
    file("inc/a.h", "#define VALUE 2\n");
    const std::string source =
        file("k.cu", "#include \"a.h\"\n__global__ void k(float* out) { out[threadIdx.x] = VALUE; }\n");
    const Outcome outcome = warplens({"report", source, "-I", path("inc"), "--grid", "1", "--block", "32",
                                      "--arg", "buffer:f32[32]=zero", "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
}

TEST_F(RegularFiles, every_command_refuses_a_fifo) {
    [[maybe_unused]] const std::string cubin = fifo("f.cubin");
    const std::string lesson = fifo("f.md"), report = fifo("f.json");
    const auto refused = HasSubstr("is a FIFO, not a regular file");
    EXPECT_THAT(refusal({"report", fifo("f.cu")}), refused);
    EXPECT_THAT(refusal({"report", fifo("f.wltrace")}), refused);
    EXPECT_THAT(refusal({"report", "saxpy", "--versus", report}), refused);
    EXPECT_THAT(refusal({"check", "--limits", fifo("f.toml")}), refused);
#ifdef WARPLENS_SASS
    EXPECT_THAT(refusal({"sass", cubin}), refused);
    EXPECT_THAT(refusal({"diff", cubin, cubin}), refused);
#endif
    const auto read = load_lesson(lesson);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, refused);
}

TEST_F(RegularFiles, what_the_window_keeps_is_not_waited_for) {
    const std::string path = fifo("kept.json");
    const auto session = load_session(path);
    ASSERT_FALSE(session);
    EXPECT_THAT(session.error().message, HasSubstr("a FIFO"));
    EXPECT_TRUE(load_progress(path).answered.empty());
    // With a reader the writing would not wait for one, but succeed.
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    const Status saved = save_progress({}, path);
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message, HasSubstr("cannot be written: it is a FIFO"));
    EXPECT_FALSE(save_session({}, path));
    ::close(reader);
    const auto recorded = read_recorded_kernel(folder.string(), "kept");
    ASSERT_FALSE(recorded);
    EXPECT_THAT(recorded.error().message, HasSubstr("a FIFO"));
}

}  // namespace
}  // namespace warplens::app
