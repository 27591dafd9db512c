# Script: writes OUTPUT with the facts of this build, only if they changed.
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse HEAD OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
endif()
execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
if(changes)
  set(dirty true)
else()
  set(dirty false)
endif()
string(CONFIGURE [[#pragma once
// Written by the build.
namespace normdyn::build_info {
inline constexpr char version[] = "@VERSION@";
inline constexpr char git_commit[] = "@commit@";
inline constexpr bool git_dirty = @dirty@;
inline constexpr char build_type[] = "@BUILD_TYPE@";
inline constexpr char compiler[] = "@COMPILER@";
inline constexpr char cxx_flags[] = "@FLAGS@";
inline constexpr char architecture[] = "@ARCH@";
} // namespace normdyn::build_info
]] text @ONLY)
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
