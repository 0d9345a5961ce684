"""Do many runs have the same bits whoever makes them?"""

import filecmp

import dalembert


def test_ten_thousand_runs_have_the_same_bits_on_one_thread_and_on_two(tmp_path):
    files = [tmp_path / f"{threads}.csv" for threads in (1, 2)]
    for threads, file in zip((1, 2), files):
        found = dalembert.sweep(
            "pendulum", {"l": "0.5:2", "m": "1:3"}, "max(lambda.bar)", latin=10000, end=0.02, threads=threads, out=str(file)
        )
        assert len(found["columns"]["l"]) == 10000 and found["status"] == 0
    assert filecmp.cmp(*files, shallow=False)
