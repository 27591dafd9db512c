# Script: installs the library of the build in BUILD_DIR, moves the result, and builds and runs the consumer against it.
# With all vector instructions of this machine, which the library was built without, it must run too or be refused in
# words. The program that docs/library.md shows is built as it stands there, and must print what stands there.
set(work ${BUILD_DIR}/consumer)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --component library --prefix ${work}/first)
file(RENAME ${work}/first ${work}/moved)

file(GLOB_RECURSE package_files ${work}/moved/*.cmake)
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  foreach(path IN ITEMS ${BUILD_DIR} ${SOURCE_DIR})
    string(FIND "${text}" ${path} at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} names ${path}")
    endif()
  endforeach()
endforeach()

function(configure_consumer name flags)
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/consumer -B ${work}/${name} -DCMAKE_PREFIX_PATH=${work}/moved
      "-DCMAKE_CXX_FLAGS=${BUILD_FLAGS} ${flags}" -DCMAKE_CXX_COMPILER=${COMPILER})
endfunction()

configure_consumer(alike "")
run(${CMAKE_COMMAND} --build ${work}/alike)
run(${work}/alike/consumer)

# The blocks of the document are those of the project, and what the program prints.
file(READ ${SOURCE_DIR}/docs/library.md document)
function(require_shown what text)
  string(FIND "${document}" "\n${text}```\n" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "docs/library.md does not show ${what}:\n${text}")
  endif()
endfunction()
file(READ ${SOURCE_DIR}/tests/consumer/CMakeLists.txt project)
string(REGEX REPLACE "^#[^\n]*\n" "" project "${project}")
string(REGEX REPLACE "\n\nadd_executable.consumer.*" "\n" project "${project}")
require_shown("the project" "${project}")
file(READ ${SOURCE_DIR}/tests/consumer/first.cpp program)
require_shown("the program" "${program}")
execute_process(COMMAND ${work}/alike/first RESULT_VARIABLE failed OUTPUT_VARIABLE printed)
if(failed)
  message(FATAL_ERROR "first: ${failed}\n${printed}")
endif()
require_shown("what the program prints" "${printed}")

configure_consumer(native -march=native)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/native RESULT_VARIABLE failed OUTPUT_VARIABLE output
                ERROR_VARIABLE output)
if(NOT failed)
  run(${work}/native/consumer)
elseif(NOT output MATCHES "built for other vector instructions")
  message(FATAL_ERROR "${output}")
endif()
