# Warnings, sanitizers and the compiler cache: one interface target that every stage links.
add_library(warplens_options INTERFACE)
target_include_directories(warplens_options INTERFACE ${PROJECT_SOURCE_DIR})
# The hints of the lane loops are for GCC; clang vectorizes without them.
# Nobody reads errno after a function of mathematics, and lane loops are vectorized only without it.
target_compile_options(warplens_options INTERFACE -fno-math-errno -Wall -Wextra $<$<CXX_COMPILER_ID:Clang>:-Wno-unknown-pragmas>)
if(WARPLENS_WARNINGS_AS_ERRORS)
  target_compile_options(warplens_options INTERFACE -Werror)
endif()

if(WARPLENS_SANITIZE)
  target_compile_options(warplens_options INTERFACE -fsanitize=${WARPLENS_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(warplens_options INTERFACE -fsanitize=${WARPLENS_SANITIZE})
  # With sanitizers GCC 12 takes the inactive members of std::variant for uninitialised ones (GCC bug 105562).
  target_compile_options(warplens_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
# libFuzzer sees which code of the stages an input reaches; tests run the same objects. Two kinds of code are built
# otherwise, with every check of the sanitizers:
# - what executes or counts whole launches takes WARPLENS_COUNTS: -O2, and libFuzzer need not see the operands of its
#   comparisons, because what it computes with was read elsewhere. A count of requests takes a quarter of the time.
# - what no fuzz target links takes WARPLENS_NOT_FUZZED: nothing counts the ways through it, and AddressSanitizer checks
#   an access by a call instead of in place. The tests' sources take clang half the time.
set(WARPLENS_COUNTS "")
set(WARPLENS_NOT_FUZZED "")
if(WARPLENS_FUZZ)
  target_compile_options(warplens_options INTERFACE -fsanitize=fuzzer-no-link)
  set(WARPLENS_COUNTS -O2 -fno-sanitize-coverage=trace-cmp)
  set(WARPLENS_NOT_FUZZED
      -fno-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table,stack-depth
      "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
endif()

find_program(WARPLENS_CCACHE ccache)
if(WARPLENS_CCACHE)
  # What it has to overlook to remember anything compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${WARPLENS_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${WARPLENS_CCACHE})
endif()
