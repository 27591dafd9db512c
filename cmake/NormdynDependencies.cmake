# Third-party packages, each found once. All are system includes, so that their warnings are not ours.
find_package(Boost 1.74 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 1.10 REQUIRED COMPONENTS C HL)
if(HDF5_IS_PARALLEL)
  message(FATAL_ERROR "Only a parallel HDF5 was found; normdyn needs the serial one (Debian: apt-get install libhdf5-dev).")
endif()
message(STATUS "HDF5 ${HDF5_VERSION} (serial): ${HDF5_C_LIBRARIES}")
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(hwy 1.0 REQUIRED CONFIG) # vectors for each instruction set, chosen at run time
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(muparser REQUIRED IMPORTED_TARGET muparser)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

add_library(normdyn_random123 INTERFACE)
target_include_directories(normdyn_random123 SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR})

# The alignment, in bytes, that Eigen gives to matrices under the flags of this build.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES Eigen3::Eigen)
foreach(bytes IN ITEMS 16 32 64)
  check_cxx_source_compiles("#include <Eigen/Core>
    static_assert(EIGEN_DEFAULT_ALIGN_BYTES == ${bytes}, \"\"); int main() {}" NORMDYN_EIGEN_ALIGNS_TO_${bytes})
  if(NORMDYN_EIGEN_ALIGNS_TO_${bytes})
    set(NORMDYN_EIGEN_ALIGNMENT ${bytes})
  endif()
endforeach()
unset(CMAKE_REQUIRED_LIBRARIES)
