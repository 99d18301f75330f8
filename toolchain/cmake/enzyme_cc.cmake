# CMake toolchain file: cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/share/cmake/EnzymeCC/enzyme_cc.cmake …
get_filename_component(ENZYME_CC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(CMAKE_C_COMPILER "${ENZYME_CC_PREFIX}/bin/enzyme-cc")
set(CMAKE_CXX_COMPILER "${ENZYME_CC_PREFIX}/bin/enzyme-c++")
set(CMAKE_Fortran_COMPILER "${ENZYME_CC_PREFIX}/bin/enzyme-fc")

# LLVM's bitcode (-flto) needs the archiver beside clang: the system's own may be older, or know nothing of bitcode.
foreach(_tool IN ITEMS AR RANLIB)
  string(TOLOWER "llvm-${_tool}" _name)
  execute_process(COMMAND "${CMAKE_C_COMPILER}" "-print-prog-name=${_name}" OUTPUT_VARIABLE _path
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(IS_ABSOLUTE "${_path}")
    foreach(_variable IN ITEMS CMAKE_${_tool} CMAKE_C_COMPILER_${_tool} CMAKE_CXX_COMPILER_${_tool})
      set(${_variable} "${_path}")
    endforeach()
  endif()
endforeach()

# CMake before 3.28 does not know flang, and compiles it without optimising whatever the build type is. (No -Os there.)
set(CMAKE_Fortran_FLAGS_RELEASE_INIT "-O3")
set(CMAKE_Fortran_FLAGS_RELWITHDEBINFO_INIT "-O2 -g")
set(CMAKE_Fortran_FLAGS_MINSIZEREL_INIT "-O2")
set(CMAKE_Fortran_FLAGS_DEBUG_INIT "-g")

list(APPEND CMAKE_PREFIX_PATH "${ENZYME_CC_PREFIX}")
