# Installs the build to a prefix of its own, builds tests/house/package against it and looks at what its programs print.
# Needs SOURCE, BUILD, GENERATOR, COMPILER.
set(work ${BUILD}/package)
set(prefix "${work}/prefix with a space")
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${status}\n${output}\n${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "'${pattern}' is not in\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/house/package -B ${work}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${prefix}")
run(${CMAKE_COMMAND} --build ${work}/build)

set(small "[0-9.]+e-(0[6-9]|[1-9][0-9])")
run(${work}/build/bead)
message("${output}")
expect("t = 10: reached the end")
expect("off the wire by (${small}|0.0e\\+00), energy changed by ${small}")
run(${work}/build/pendulum)
message("${output}")
expect("dopri5: error of q ${small}\nhem5: error of q ${small}")
