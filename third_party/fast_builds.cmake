# How the presets release and sanitize build the same sources in a fraction of the time. Three means, one option:
# - batches: the compiler reads the sources of a folder as one, so that their headers are read once and their templates
#   instantiated once. Names in anonymous namespaces are therefore unique in their folder; in a room of app/, in analysis/,
#   trace/ and simt/timing they are unique with the folders below it, in simt/functional with its decode, memory, printing
#   and races, in instrumentation with its decode, in app/command_line with app/capture, lesson, session and ui;
# - a precompiled header: the standard library's common parts, fmt and expected, made once for all targets that are
#   compiled with the same options; with clang only for the tests, whose GoogleTest takes time to read;
# - the linker mold where it is installed.
# The first two hide an #include that a source forgot; the presets debug and thread build without them and do not.
option(WARPLENS_FAST_BUILDS "Compile sources in batches, with precompiled headers" OFF)

# Batches of at most `size` sources, all of one such folder and as even as can be.
function(warplens_batch target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  set(folders "")
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${base})
    get_filename_component(folder ${path} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(REGEX REPLACE "^(app/[^/]+|analysis|simt/timing|trace)/.*" "\\1" room "${folder}")
    string(REGEX REPLACE "^(instrumentation)/decode$" "\\1" room "${room}")
    string(REGEX REPLACE "^(simt/functional)/(decode|memory|printing|races)$" "\\1" room "${room}")
    string(REGEX REPLACE "^app/(capture|command_line|lesson|session|ui)$" "app" room "${room}")
    if(FAST_ONE_ROOM)
      set(room ${target})
    endif()
    string(MAKE_C_IDENTIFIER "${room}" id)
    list(APPEND folders ${id})
    list(APPEND in_${id} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(id IN LISTS folders)
    list(LENGTH in_${id} count)
    math(EXPR batches "(${count} + ${size} - 1) / ${size}")
    math(EXPR even "(${count} + ${batches} - 1) / ${batches}")
    set(at 0)
    foreach(source IN LISTS in_${id})
      math(EXPR batch "${at} / ${even}")
      set_source_files_properties(${source} DIRECTORY ${base} PROPERTIES UNITY_GROUP ${id}_${batch})
      math(EXPR at "${at} + 1")
    endforeach()
  endforeach()
endfunction()

# warplens_fast_build(TARGET [BATCH sources per batch, 40; 1: none] [ONE_ROOM] [HEADERS_OF other target] [HEADERS more headers…])
# ONE_ROOM: few sources of many folders share batches, and names in anonymous namespaces are unique in the target.
# HEADERS_OF names a target that is compiled with the same options: its precompiled header is used again.
function(warplens_fast_build target)
  cmake_parse_arguments(FAST "ONE_ROOM" "BATCH;HEADERS_OF" "HEADERS" ${ARGN})
  if(NOT WARPLENS_FAST_BUILDS)
    return()
  endif()
  if(NOT FAST_BATCH)
    set(FAST_BATCH 40)
  endif()
  if(FAST_BATCH GREATER 1)
    warplens_batch(${target} ${FAST_BATCH})
    # In a batch GCC takes a source for a header and warns of anonymous types in classes that no other source sees.
    # A compiler that may keep 1 GiB before it collects its garbage is a twentieth faster.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage;--param=ggc-min-expand=1000;--param=ggc-min-heapsize=1048576>")
  endif()
  # The standard library's headers alone save clang nothing, and ccache finds no object of another checkout that was
  # made with a precompiled header of clang's, which names its files by absolute paths.
  if(FAST_HEADERS_OF)
    get_target_property(headers ${FAST_HEADERS_OF} PRECOMPILE_HEADERS)
    if(headers)
      target_precompile_headers(${target} REUSE_FROM ${FAST_HEADERS_OF})
    endif()
  elseif(FAST_HEADERS OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory>
                              <optional> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
                              <fmt/format.h> <tl/expected.hpp> ${FAST_HEADERS})
    # Without the time ccache finds what was made with it in the same folder before.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
  # A precompiled header is good only for the options it was made with.
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} DIRECTORY ${folder} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} DIRECTORY ${folder} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# Code whose speed nobody waits for is optimized less: a third less time in the compiler. Of GCC's -O1 it goes without
# passes that take a seventh of what is left and change the size of the code by 2 %. Loops are optimized, and
# tree-dominator-opts stays, because -Wmaybe-uninitialized takes paths for possible that it removes.
function(warplens_optimize_less target)
  set(passes ipa-pure-const ipa-modref ipa-reference ipa-profile
      tree-pta tree-bit-ccp tree-slsr tree-sink tree-scev-cprop tree-phiprop ssa-phiopt ssa-backprop
      forward-propagate if-conversion if-conversion2 dse cprop-registers compare-elim shrink-wrap branch-count-reg
      combine-stack-adjustments split-wide-types)
  list(TRANSFORM passes PREPEND -fno-)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>
                         "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:${passes}>")
endfunction()

if(WARPLENS_FAST_BUILDS)
  find_program(WARPLENS_MOLD mold)
  if(WARPLENS_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
