# find_package(EnzymeCC): the target EnzymeCC::headers, for code that includes <enzyme/enzyme.h> and is compiled by the
# enzyme compilers (see enzyme_cc.cmake, a toolchain file in this folder, whose path is EnzymeCC_TOOLCHAIN_FILE).
get_filename_component(EnzymeCC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(EnzymeCC_TOOLCHAIN_FILE "${CMAKE_CURRENT_LIST_DIR}/enzyme_cc.cmake")
set(EnzymeCC_INCLUDE_DIR "${EnzymeCC_PREFIX}/include")
set(EnzymeCC_C_COMPILER "${EnzymeCC_PREFIX}/bin/enzyme-cc")
set(EnzymeCC_CXX_COMPILER "${EnzymeCC_PREFIX}/bin/enzyme-c++")
set(EnzymeCC_Fortran_COMPILER "${EnzymeCC_PREFIX}/bin/enzyme-fc")

if(NOT TARGET EnzymeCC::headers)
  add_library(EnzymeCC::headers INTERFACE IMPORTED)
  set_target_properties(EnzymeCC::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${EnzymeCC_INCLUDE_DIR}")
endif()

# A gradient needs the enzyme compilers: with another one, __enzyme_autodiff is an undefined symbol at the very end.
foreach(_enzyme_language IN ITEMS C CXX)
  if(CMAKE_${_enzyme_language}_COMPILER AND NOT CMAKE_${_enzyme_language}_COMPILER MATCHES "enzyme-c")
    message(WARNING "EnzymeCC: the ${_enzyme_language} compiler is ${CMAKE_${_enzyme_language}_COMPILER}; configure "
      "with -DCMAKE_TOOLCHAIN_FILE=${EnzymeCC_TOOLCHAIN_FILE} to have it differentiated")
  endif()
endforeach()
unset(_enzyme_language)
