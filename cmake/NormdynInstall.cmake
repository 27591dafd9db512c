# The installed package: find_package(normdyn) gives normdyn::normdyn. No path of this machine goes into it.
# The program has a component of its own, so that the library can be installed without it.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/normdyn)

install(TARGETS normdyn EXPORT normdynTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
foreach(stage IN LISTS stages)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${stage} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/normdyn COMPONENT library
          FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(EXPORT normdynTargets NAMESPACE normdyn:: DESTINATION ${package_dir} COMPONENT library)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/normdynConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/generated/normdynConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/normdynConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/normdynConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/normdynConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT library)
