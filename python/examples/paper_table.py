"""A table of a paper, rerun: what is printed there, what comes out here, and whether they agree."""

import sys

import dalembert


def main(paper: str = "brasey-hairer", table: str = "1") -> None:
    found = dalembert.paper(paper, table)
    for part in found["tables"]:
        print(f"{found['paper']}, table {part['id']}: {part['title']}")
        for row in part["rows"][:12]:
            printed, ours = str(row["printed"]), str(row["ours"])
            print(f"  {row['label']:22} printed {printed:>8}  ours {ours:>8}  {row['verdict']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
