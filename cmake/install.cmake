# `cmake --install build/release --prefix DIR`: library, headers, program, scenes, and a package for find_package(rigor).
include(CMakePackageConfigHelpers)

file(STRINGS src/layers.txt rows REGEX "^[a-z]+:")
set(libraries rigor)
foreach(row ${rows})
  string(REGEX REPLACE ":.*" "" folder "${row}")
  list(APPEND libraries rigor_${folder})
endforeach()

install(TARGETS ${libraries} EXPORT rigor ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(RIGOR_APP)
  install(TARGETS rigor_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/rigor DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/rigor)
install(FILES ${RIGOR_VIEWER_PAGE} DESTINATION ${CMAKE_INSTALL_DATADIR}/rigor OPTIONAL)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rigor)
install(EXPORT rigor NAMESPACE rigor:: FILE rigorTargets.cmake DESTINATION ${package_folder})
configure_package_config_file(cmake/rigorConfig.cmake.in rigorConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(rigorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rigorConfig.cmake ${PROJECT_BINARY_DIR}/rigorConfigVersion.cmake
        DESTINATION ${package_folder})
