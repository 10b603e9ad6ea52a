# The window's packages as one target: Dear ImGui with its GLFW and OpenGL 3 backends, GLFW, GLAD (generated at
# build), EGL for images without a display, libpng, stb for reading them in tests, fontconfig for the fonts, tinyxml2 for SVG, md4c for the
# Markdown of lessons, and X11 where there is one, for a close request during a long frame and for copied pictures.
find_package(CLI11 REQUIRED)
find_package(glfw3 3.3 REQUIRED)
find_package(X11)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(Freetype REQUIRED)
find_package(PNG REQUIRED)
pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui)
pkg_check_modules(STB REQUIRED IMPORTED_TARGET stb)
pkg_check_modules(EGL REQUIRED IMPORTED_TARGET egl)
pkg_check_modules(TINYXML2 REQUIRED IMPORTED_TARGET tinyxml2)
pkg_check_modules(MD4C REQUIRED IMPORTED_TARGET md4c-html)
pkg_check_modules(FONTCONFIG REQUIRED IMPORTED_TARGET fontconfig)
find_program(GLAD_PROGRAM glad REQUIRED)
find_path(IMGUI_BACKENDS imgui_impl_glfw.h PATHS /usr/include/imgui/backends /usr/include/imgui REQUIRED)

set(GLAD_FOLDER ${PROJECT_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${GLAD_FOLDER}/src/gl.c ${GLAD_FOLDER}/include/glad/gl.h
  COMMAND ${GLAD_PROGRAM} --reproducible --quiet --api gl:core=3.3 --extensions GL_KHR_debug
          --out-path ${GLAD_FOLDER} c
  COMMENT "Generating the OpenGL 3.3 loader")
add_library(warplens_glad STATIC ${GLAD_FOLDER}/src/gl.c)
target_include_directories(warplens_glad SYSTEM PUBLIC ${GLAD_FOLDER}/include)

add_library(warplens_interface_packages INTERFACE)
target_include_directories(warplens_interface_packages SYSTEM INTERFACE ${IMGUI_BACKENDS})
target_link_libraries(warplens_interface_packages INTERFACE
  warplens_glad PkgConfig::IMGUI PkgConfig::STB glfw PkgConfig::EGL PkgConfig::FONTCONFIG PkgConfig::TINYXML2 PkgConfig::MD4C Freetype::Freetype PNG::PNG
  ${CMAKE_DL_LIBS})
if(X11_FOUND)
  target_link_libraries(warplens_interface_packages INTERFACE X11::X11 X11::xcb)
endif()
