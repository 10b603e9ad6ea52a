// toml++'s own functions, compiled from its headers: Debian and Ubuntu ship the library as a shared object
// only.
#define TOML_HEADER_ONLY 0
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
