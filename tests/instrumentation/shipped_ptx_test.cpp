// The PTX and the machine code that ship in assets/: they belong to the current kernels, and how they are
// found.
#include "instrumentation/compile/shipped_ptx.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/compile/combinations.h"
#include "instrumentation/compile/cubin_reader.h"
#include "instrumentation/compile/packed_bytes.h"
#include "tests/instrumentation/header_text.h"
#include "tests/support/folders.h"

namespace warplens::instrumentation {

using testing::AllOf;
using testing::HasSubstr;

namespace {

const std::string shipped_folder = source_folder() + "/assets/ptx";
const char* const remedy = "build and run warplens_prepare_assets (docs/kernel_header.md)";

std::vector<KernelFile> catalogue() {
    auto kernels = read_catalogue(source_folder() + "/kernels");
    EXPECT_TRUE(kernels.has_value()) << kernels.error().message;
    return kernels.value_or(std::vector<KernelFile>{});
}

const KernelFile& kernel_named(const std::vector<KernelFile>& kernels, const std::string& name) {
    const auto kernel = find_kernel(kernels, name);
    EXPECT_TRUE(kernel.has_value()) << kernel.error().message;
    return **kernel;
}

std::unique_ptr<Compiler> compiler_without_nvrtc() {
    CompilerOptions options;
    options.assets_folder = source_folder() + "/assets";
    options.use_nvrtc = false;
    return make_compiler(options);
}

class WorkingFolder {
  public:
    explicit WorkingFolder(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
    }
    ~WorkingFolder() { std::filesystem::current_path(before_); }

  private:
    std::filesystem::path before_;
};

}  // namespace

TEST(catalogue, every_kernel_declares_itself_fully) {
    const auto kernels = catalogue();
    EXPECT_GT(kernels.size(), 20u);
    for (const KernelFile& kernel : kernels) {
        EXPECT_FALSE(kernel.title.empty() || kernel.lesson.empty() || kernel.views.empty()) << kernel.name;
        EXPECT_FALSE(kernel.golden.empty()) << kernel.name << " has no golden check";
        const auto values = resolve_parameters(kernel, {});
        ASSERT_TRUE(values.has_value()) << values.error().message;
        const auto launch = prepare_launch(kernel, *values, std::uint64_t{1} << 30);
        EXPECT_TRUE(launch.has_value()) << launch.error().message;
    }
}

TEST(catalogue, kernels_of_a_subject_stand_together) {
    std::vector<std::string> subjects;
    for (const KernelFile& kernel : catalogue()) {
        if (subjects.empty() || subjects.back() != kernel.subject) {
            EXPECT_THAT(subjects, testing::Not(testing::Contains(kernel.subject))) << kernel.name;
            subjects.push_back(kernel.subject);
        }
    }
}

TEST(catalogue, a_wrong_name_gets_the_nearest_one) {
    const auto kernels = catalogue();
    EXPECT_THAT(message_of(find_kernel(kernels, "copy_stridet")), HasSubstr("did you mean `copy_strided`?"));
    EXPECT_THAT(message_of(read_catalogue(source_folder() + "/no such folder")), HasSubstr("cannot be read"));
    EXPECT_THAT(message_of(load_kernel_file(source_folder())), HasSubstr("is a folder"));
    EXPECT_THAT(message_of(load_kernel_file(source_folder() + "/no.cu")), HasSubstr("does not exist"));
}

TEST(catalogue, the_programs_folders_are_found_by_an_environment_variable) {
    ::setenv("WARPLENS_HOME", source_folder().c_str(), 1);
    EXPECT_EQ(installed_folders().value_or(InstalledFolders{}).kernels, source_folder() + "/kernels");
    ::setenv("WARPLENS_HOME", "/no/such/folder", 1);
    EXPECT_THAT(message_of(installed_folders()), HasSubstr("WARPLENS_HOME is `/no/such/folder`"));
    ::unsetenv("WARPLENS_HOME");
}

TEST(shipped_ptx, belongs_to_every_kernel_as_it_is_now) {
    for (const KernelFile& kernel : catalogue()) {
        const auto shipped = read_shipped_kernel(shipped_folder, kernel.name);
        ASSERT_TRUE(shipped.has_value()) << shipped.error().message << "; " << remedy;
        EXPECT_EQ(shipped->source_hash, source_hash(kernel.source)) << kernel.name << " changed; " << remedy;
        const auto combinations = macro_combinations(kernel);
        ASSERT_TRUE(combinations.has_value()) << combinations.error().message;
        EXPECT_EQ(shipped->combinations.size(), combinations->size()) << kernel.name << "; " << remedy;
    }
}

TEST(shipped_ptx, is_found_for_every_combination) {
    const auto compiler = compiler_without_nvrtc();
    for (const KernelFile& kernel : catalogue()) {
        for (const Macros& macros : macro_combinations(kernel).value_or(std::vector<Macros>{})) {
            const auto compiled = compiler->compile(shipped_request(kernel, macros));
            ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
            const auto entry = find_entry(*compiled, kernel.entry);
            ASSERT_TRUE(entry.has_value()) << entry.error().message;
            EXPECT_THAT(compiled->ptx, HasSubstr(".entry " + *entry + "("));
            EXPECT_GT(compiled->entries.at(*entry).registers_per_thread, 0u);
            EXPECT_EQ(compiled->origin, "shipped PTX");
            ASSERT_FALSE(compiled->cubin.empty());
            const auto resources = read_cubin(compiled->cubin);
            ASSERT_TRUE(resources.has_value()) << resources.error().message;
            EXPECT_EQ(resources->at(*entry).registers_per_thread,
                      compiled->entries.at(*entry).registers_per_thread);
        }
    }
}

/// Of each kernel the first `most` combinations of macros.
void expect_what_nvrtc_gives(std::size_t most) {
    const auto nvrtc = make_compiler({});
    const WorkingFolder root("/");  // as while preparing: it stands in the machine code's line table
    for (const KernelFile& kernel : catalogue()) {
        const auto shipped = read_shipped_kernel(shipped_folder, kernel.name);
        ASSERT_TRUE(shipped.has_value()) << shipped.error().message;
        EXPECT_THAT(shipped->compiler, testing::StartsWith("NVRTC "));
        if (shipped->compiler != nvrtc->description()) continue;  // another version writes other PTX
        std::size_t compared = 0;
        for (const ShippedKernel::Combination& combination : shipped->combinations) {
            if (compared++ == most) break;
            const auto compiled = nvrtc->compile(shipped_request(kernel, combination.macros));
            ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
            const auto code = read_shipped_code(shipped_folder, kernel.name, combination.macros);
            ASSERT_TRUE(code) << code.error().message;
            const std::string of = kernel.name + " " + combination_name(combination.macros) + "; " + remedy;
            EXPECT_EQ(compiled->ptx, code->ptx) << of;
            EXPECT_TRUE(compiled->cubin == code->cubin) << of;
            for (const auto& [name, entry] : compiled->entries) {
                ASSERT_EQ(combination.entries.count(name), 1u);
                const EntryResources& listed = combination.entries.at(name);
                EXPECT_EQ(entry.registers_per_thread, listed.registers_per_thread) << kernel.name;
                EXPECT_EQ(entry.shared_static_bytes, listed.shared_static_bytes) << kernel.name;
                EXPECT_EQ(entry.stack_bytes, listed.stack_bytes) << kernel.name;
            }
        }
    }
}

TEST(shipped_ptx, equals_what_this_version_of_nvrtc_gives) { expect_what_nvrtc_gives(1); }
TEST(shipped_ptx_long, equals_what_this_version_of_nvrtc_gives_in_all_combinations) {
    expect_what_nvrtc_gives(SIZE_MAX);
}

TEST(shipped_ptx, damaged_machine_code_is_reported_with_its_file) {
    const std::string folder = testing::TempDir() + "shipped_code";
    ASSERT_TRUE(write_shipped_code(folder, "saxpy", {}, {"the PTX", std::string(5000, 'c')}));
    const auto whole = read_shipped_code(folder, "saxpy", {});
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->ptx, "the PTX");
    EXPECT_EQ(whole->cubin, std::string(5000, 'c'));
    const std::string file = folder + "/" + shipped_code_files("saxpy", {})[1];
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 3);
    EXPECT_THAT(message_of(read_shipped_code(folder, "saxpy", {})),
                AllOf(HasSubstr("saxpy/default.cubin.zst"), HasSubstr("is damaged")));
    std::filesystem::remove_all(folder);
}

TEST(packed_bytes, are_no_longer_than_is_allowed) {
    EXPECT_EQ(unpacked(packed("abc"), 3).value_or(""), "abc");
    EXPECT_EQ(unpacked(packed(""), 0).value_or("?"), "");
    EXPECT_THAT(message_of(unpacked(packed("abcd"), 3)), HasSubstr("4 bytes long, and 3 are the most"));
    EXPECT_THAT(message_of(unpacked("no zstd", 100)), HasSubstr("not zstd bytes"));
}

TEST(shipped_ptx, a_combination_that_is_not_there_names_the_nearest) {
    const auto kernels = catalogue();
    CompileRequest request =
        shipped_request(kernel_named(kernels, "transpose_tiled"), {{"PAD", "1"}, {"TILE", "12"}});
    EXPECT_THAT(message_of(compiler_without_nvrtc()->compile(request)),
                AllOf(HasSubstr("no PTX is shipped for PAD=1,TILE=12"), HasSubstr("PAD=1,TILE=8"),
                      HasSubstr("PAD=1,TILE=16"), HasSubstr("install NVRTC")));
}

TEST(shipped_ptx, is_not_used_for_a_changed_file_another_kernel_or_another_gpu) {
    const auto kernels = catalogue();
    const auto compiler = compiler_without_nvrtc();
    CompileRequest request = shipped_request(kernel_named(kernels, "saxpy"), {});
    EXPECT_TRUE(compiler->compile(request).has_value());
    request.source += "\n";
    EXPECT_THAT(message_of(compiler->compile(request)), HasSubstr("is not the one whose PTX is shipped"));
    request.name = "own.cu";
    EXPECT_THAT(message_of(compiler->compile(request)), HasSubstr("no PTX is shipped for this file"));
    request = shipped_request(kernel_named(kernels, "saxpy"), {});
    request.target = "sm_80";
    EXPECT_THAT(message_of(compiler->compile(request)), HasSubstr("for sm_90 only, not for sm_80"));
}

TEST(shipped_ptx, combinations_are_every_value_of_every_macro) {
    const KernelFile kernel = sample_kernel();
    const auto combinations = macro_combinations(kernel);
    ASSERT_TRUE(combinations.has_value());
    ASSERT_EQ(combinations->size(), 4u);  // TILE 8, 16, 24, 32
    EXPECT_EQ(combination_name(combinations->at(2)), "TILE=24");
    EXPECT_EQ(combination_name({}), "default");
    EXPECT_EQ(combination_name({{"A", "-1"}, {"type", "float4"}}), "A=-1,type=float4");
    const KernelFile wide = sample_kernel(sample_with("max = 32, step = 8", "max = 100000, step = 8"));
    EXPECT_THAT(message_of(macro_combinations(wide)), HasSubstr("more than 256 combinations"));
}

}  // namespace warplens::instrumentation
