# Makes the Debian package of the program, unpacks it and runs the program from there. Needs BUILD.
cmake_policy(VERSION 3.22)
find_program(dpkg dpkg-deb)
find_program(shlibdeps dpkg-shlibdeps)
if(NOT dpkg OR NOT shlibdeps)
  message("there is no dpkg-dev")
  return()
endif()
set(work ${BUILD}/deb)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors
                  WORKING_DIRECTORY ${work})
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

get_filename_component(tools ${CMAKE_COMMAND} DIRECTORY)
run(${tools}/cpack -G DEB --config ${BUILD}/CPackConfig.cmake -D CPACK_COMPONENTS_ALL=program -B ${work})
file(GLOB package ${work}/dalembert_*.deb)
run(${dpkg} --field ${package} Depends)
expect("libc6")
expect("zlib1g")
expect("libhdf5")  # which is loaded, not linked
run(${dpkg} --extract ${package} ${work}/root)
set(program ${work}/root/usr/bin/dalembert)
run(${program} --version)
expect("^dalembert [0-9]")
run(${program} models --quiet --json)  # they were installed with it
expect("pendulum.toml")
run(${program} run pendulum --quiet --json)
expect("\"outcome\": \"ok\"")
foreach(file share/man/man1/dalembert.1 share/man/man1/dalembert-run.1 share/bash-completion/completions/dalembert
        share/zsh/vendor-completions/_dalembert share/fish/vendor_completions.d/dalembert.fish
        share/dalembert/models/pendulum.toml share/doc/dalembert/copyright)
  if(NOT EXISTS ${work}/root/usr/${file} AND NOT EXISTS ${work}/root/usr/${file}.gz)
    message(FATAL_ERROR "${file} is not in the package")
  endif()
endforeach()
