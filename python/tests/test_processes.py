"""Do runs share a process with threads, signals, forks and its end?"""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import dalembert

LONG = "dalembert.problems['double-pendulum'].run(end=1e7)"


def python(code: str, **kwargs) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kwargs
    )


def test_threads_make_the_same_runs():
    model = dalembert.problems["andrews"]
    alone = model.run()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: model.run(), range(12)):
            assert np.array_equal(result.values, alone.values)


def test_functions_of_python_may_be_solved_by_several_threads():
    def solve(k):
        return dalembert.solve_ivp(lambda t, y: -k * y, (0, 1), [1], rtol=1e-8, atol=1e-8).y[0, -1]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for k, found in enumerate(pool.map(solve, range(8))):
            assert found == pytest.approx(np.exp(-k), abs=1e-6)


def run_in_process(length):
    return dalembert.problems["pendulum"](l=length).run(end=1, output=5)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes_make_runs_and_send_their_results(start):
    context = multiprocessing.get_context(start)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        for length, result in zip([1, 2], pool.map(run_in_process, [1, 2])):
            assert result.problem.parameters["l"] == length
            assert np.array_equal(result.values, run_in_process(length).values)


def test_a_fork_while_another_thread_runs_is_no_trouble():
    done = python(
        f"""
        import os, threading, time, dalembert
        thread = threading.Thread(target=lambda: {LONG}, daemon=True)
        thread.start()
        time.sleep(0.3)
        child = os.fork()
        if child == 0:
            import sys
            assert dalembert.problems["pendulum"].run(end=1).success
            sys.exit(7)  # with its handlers
        begin = time.time()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), time.time() - begin < 5)
        """
    )
    out, err = done.communicate(timeout=60)
    assert out.split() == ["7", "True"] and done.returncode == 0, err


@pytest.mark.parametrize(
    "code",
    [
        LONG,
        "dalembert.solve_ivp(lambda t, y: [y[1], -y[0]], (0, 1e9), [1, 0])",
        "dalembert.Model.from_text(dalembert.Model.from_file('models/double-pendulum.toml').text).run(end=1e7)",
    ],
)
def test_ctrl_c_ends_a_run(code):
    root = os.path.join(os.path.dirname(__file__), "..", "..")
    process = python(
        f"""
        import dalembert, time
        print("ready", flush=True)
        try:
            {code}
        except KeyboardInterrupt:
            print("interrupted")
        """,
        cwd=root,
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert out == "interrupted\n" and process.returncode == 0, err


@pytest.mark.parametrize("code", [LONG, "dalembert.solve_ivp(lambda t, y: [y[1], -y[0]], (0, 1e9), [1, 0])"])
def test_python_ends_while_a_thread_still_runs(code):
    process = python(
        f"""
        import dalembert, threading, time
        threading.Thread(target=lambda: {code}, daemon=True).start()
        time.sleep(0.5)
        print("leaving")
        """
    )
    begin = time.time()
    out, err = process.communicate(timeout=60)
    assert out == "leaving\n" and process.returncode == 0 and err == "", err
    assert time.time() - begin < 30


def test_a_run_does_not_keep_other_threads_waiting():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    dalembert.problems["double-pendulum"].run(end=300)
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_nothing_is_kept_of_runs_that_are_forgotten():
    import gc
    import resource

    def grow():
        for _ in range(40):
            dalembert.problems["pendulum"].run(end=1, output=20000)
            dalembert.solve_ivp(lambda t, y: -y, (0, 1), [1.0], dense_output=True)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    first = grow()
    assert grow() - first < 20_000  # kB; the tables of 40 runs have 32 MB
