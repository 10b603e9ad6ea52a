# warplens_stage(NAME DEPENDS other stages LIBRARIES packages): one static library from every .cpp below the
# calling folder. The folders are the stages; DEPENDS is the direction in which they may include each other, FAST_BUILD
# what warplens_fast_build is given: by default the precompiled header of warplens_core.
function(warplens_stage name)
  cmake_parse_arguments(STAGE "" "" "DEPENDS;LIBRARIES;EXCLUDE;FAST_BUILD" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(pattern IN LISTS STAGE_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX ${pattern})
  endforeach()
  if(NOT sources)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/empty_stage.cpp "")
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/empty_stage.cpp)
  endif()
  add_library(warplens_${name} STATIC ${sources})
  target_link_libraries(warplens_${name} PUBLIC warplens_options ${STAGE_LIBRARIES})
  # At the end of the calling file, when its sources have their options.
  if(NOT STAGE_FAST_BUILD)
    set(STAGE_FAST_BUILD HEADERS_OF warplens_core)
  endif()
  cmake_language(EVAL CODE "cmake_language(DEFER CALL warplens_fast_build warplens_${name} ${STAGE_FAST_BUILD})")
  foreach(stage IN LISTS STAGE_DEPENDS)
    target_link_libraries(warplens_${name} PUBLIC warplens_${stage})
  endforeach()
endfunction()
