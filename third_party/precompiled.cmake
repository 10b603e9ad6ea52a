# warplens_precompile(TARGET [packages' headers…]): parses once a target what nearly every file of it includes: the standard
# library's common parts, fmt and expected. Reading them is most of what a file costs to compile. It hides an #include that a
# file forgot; the presets debug and thread build without and do not. Sources with options of their own are left out:
# a precompiled header is good only for the options it was made with.
option(WARPLENS_PRECOMPILE "Precompile the headers that everything includes" OFF)

function(warplens_precompile target)
  if(NOT WARPLENS_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <span>
                            <string> <string_view> <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp> ${ARGN})
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} DIRECTORY ${folder} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} DIRECTORY ${folder} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()
