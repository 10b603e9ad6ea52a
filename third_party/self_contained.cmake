# The packages of every stage once more without shared objects, for an executable that is copied to other machines:
# warplens_package(NAME shared-target static-target) makes warplens_NAME, which is the static one for executables with
# the property WARPLENS_SELF_CONTAINED and the shared one for all others.
function(warplens_package name shared static)
  add_library(warplens_${name} INTERFACE)
  target_link_libraries(warplens_${name} INTERFACE
    $<IF:$<BOOL:$<TARGET_PROPERTY:WARPLENS_SELF_CONTAINED>>,${static},${shared}>)
endfunction()

# The archive of a package, or else (Debian has none of fmt and toml++) one made here from its headers.
function(warplens_static_package name archive shared)
  find_library(WARPLENS_STATIC_${archive} lib${archive}.a)
  set(static ${WARPLENS_STATIC_${archive}})
  if(NOT static AND EXISTS ${PROJECT_SOURCE_DIR}/third_party/self_contained/${name}.cpp)
    set(static warplens_static_${name})
    add_library(${static} STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/third_party/self_contained/${name}.cpp)
    set_target_properties(${static} PROPERTIES CXX_VISIBILITY_PRESET hidden)
    # The first report waits for them.
    target_compile_options(${static} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(NOT static)
    set(WARPLENS_NOT_SELF_CONTAINED ${WARPLENS_NOT_SELF_CONTAINED} lib${archive}.a PARENT_SCOPE)
    set(static ${shared})
  endif()
  warplens_package(${name} ${shared} ${static})
endfunction()

warplens_static_package(fmt fmt fmt::fmt)
warplens_static_package(tomlplusplus tomlplusplus PkgConfig::TOMLPP)
warplens_static_package(zstd zstd PkgConfig::ZSTD)
warplens_static_package(xxhash xxhash PkgConfig::XXHASH)
warplens_static_package(lua lua5.4 PkgConfig::LUA)
