# One folder of lib/normdyn = one namespace = one object target that sees only the headers of the stages it names.
# Each stage's headers are reached through a directory of its own (a link), so a wrong arrow does not compile.
set_property(GLOBAL PROPERTY NORMDYN_STAGES "")
set_property(GLOBAL PROPERTY NORMDYN_LINKS "")

# Options that every target of ours has: warnings are errors, results depend on no contraction and no fast-math.
add_library(normdyn_options INTERFACE)
target_compile_options(normdyn_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wdouble-promotion -Werror
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> # false alarms on std::string in g++ 12 (GCC bug 105651)
  -ffp-contract=off -fno-math-errno)
target_compile_definitions(normdyn_options INTERFACE
  EIGEN_DONT_PARALLELIZE $<$<OR:$<CONFIG:Debug>,$<BOOL:${NORMDYN_AUDIT}>>:NORMDYN_CHECK_BELIEFS>)

# normdyn_stage(NAME name ROW row SEES stage... LINKS target...)
#   ROW   the row of the table of stages in ARCHITECTURE.md; every stage in SEES must stand in a row above
#   SEES  stages whose headers this one includes (what they see in turn comes along)
#   LINKS third-party targets, also of programs that link the library: NormdynConfig.cmake.in finds them there
#   USES  third-party headers that no header of the stage includes
function(normdyn_stage)
  cmake_parse_arguments(STAGE "" "NAME;ROW" "SEES;LINKS;USES" ${ARGN})
  set(target normdyn_${STAGE_NAME})
  set(link_root ${PROJECT_BINARY_DIR}/stages/${STAGE_NAME})
  file(MAKE_DIRECTORY ${link_root}/normdyn)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${STAGE_NAME} ${link_root}/normdyn/${STAGE_NAME} SYMBOLIC)

  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${STAGE_NAME}/*.cpp)
  if(NOT sources)
    set(sources ${PROJECT_BINARY_DIR}/generated/${STAGE_NAME}_headers_only.cpp)
    file(CONFIGURE OUTPUT ${sources} CONTENT "// ${STAGE_NAME} has headers only.\n")
  endif()
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${link_root}>)
  target_link_libraries(${target} PUBLIC ${STAGE_LINKS} PRIVATE ${STAGE_USES} normdyn_options)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set_property(TARGET ${target} PROPERTY NORMDYN_ROW ${STAGE_ROW})

  set(closure ${STAGE_NAME})
  foreach(seen IN LISTS STAGE_SEES)
    if(NOT TARGET normdyn_${seen})
      message(FATAL_ERROR "Stage ${STAGE_NAME} sees ${seen}, which is not declared before it.")
    endif()
    get_target_property(seen_row normdyn_${seen} NORMDYN_ROW)
    if(NOT seen_row LESS STAGE_ROW)
      message(FATAL_ERROR "Stage ${STAGE_NAME} (row ${STAGE_ROW}) may not see ${seen} (row ${seen_row}): only rows above.")
    endif()
    target_link_libraries(${target} PUBLIC normdyn_${seen}) # its headers; objects are linked where a program is made
    get_target_property(seen_closure normdyn_${seen} NORMDYN_CLOSURE)
    list(APPEND closure ${seen_closure})
  endforeach()
  list(REMOVE_DUPLICATES closure)
  set_property(TARGET ${target} PROPERTY NORMDYN_CLOSURE ${closure}) # this stage and all that it sees, for tests
  set_property(GLOBAL APPEND PROPERTY NORMDYN_STAGES ${STAGE_NAME})
  set_property(GLOBAL APPEND PROPERTY NORMDYN_LINKS ${STAGE_LINKS})
endfunction()
