# What a run file says about the build: written anew at each build, so that commit and dirty mark are those of the
# binary and not of the last configure.
set(NORMDYN_PROVENANCE_HEADER ${PROJECT_BINARY_DIR}/generated/normdyn_build_info.hpp)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
add_custom_target(normdyn_build_info
  BYPRODUCTS ${NORMDYN_PROVENANCE_HEADER}
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${NORMDYN_PROVENANCE_HEADER}
    -DVERSION=${PROJECT_VERSION} -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
    "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    "-DFLAGS=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}} -ffp-contract=off"
    -DARCH=${CMAKE_SYSTEM_PROCESSOR}
    -P ${PROJECT_SOURCE_DIR}/cmake/WriteBuildInfo.cmake
  VERBATIM COMMENT "")
