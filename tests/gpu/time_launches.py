#!/usr/bin/env python3
"""How long a GPU takes for kernels stored as machine code, by Nsight Compute, as a table of tests/hardware.

    tests/gpu/time_launches.py profile PROGRAM OUT SET=CODE,KERNEL.cu,… …   on the machine with the GPU
    tests/gpu/time_launches.py table OUT TABLE.csv                          anywhere, from what profile left in OUT

PROGRAM is gpu_machine_counts, CODE the folder with the machine code of the kernels of a SET. Each launch is measured
twice with caches that the profiler has flushed and once with caches as the copies of its buffers left them.
"""
import csv
import pathlib
import subprocess
import sys

CYCLES, TIME, ISSUED = "sm__cycles_elapsed.max", "gpu__time_duration.sum", "smsp__inst_executed.sum"
RUNS = {"cold": [], "cold_again": [], "warm": ["--cache-control", "none"]}
# The recorder's own kernels are called warplens_….
NOT_OURS = "regex:^([^w]|w[^a]|wa[^r]|war[^p]|warp[^l])"


def profile(program, out, sets):
    out.mkdir(parents=True, exist_ok=True)
    for each in sets:
        name, files = each.split("=")
        code, *kernels = files.split(",")
        for run, options in RUNS.items():
            report = out / f"{run}.{name}.ncu-rep"
            subprocess.run(["ncu", "--clock-control", "none", *options, "--metrics", ",".join([CYCLES, TIME, ISSUED]), "-k",
                            NOT_OURS, "-f", "-o", str(report), program, "launch", code, *kernels],
                           stdout=subprocess.DEVNULL, check=False)
            listed = subprocess.run(["ncu", "-i", str(report), "--page", "raw", "--csv", "--print-units", "base"],
                                    capture_output=True, check=True)
            (out / f"{run}.{name}.csv").write_bytes(listed.stdout)


def rows(path):
    """{kernel: row by title} of a raw page."""
    lines = [line for line in path.read_text().splitlines() if line.startswith('"')]
    return {row["Kernel Name"].split("(")[0]: row for row in csv.DictReader(lines) if row["ID"]}


def number(row, metric):
    return int(float(row[metric].replace(",", "")))


def table(out, path):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "set", "cycles_elapsed_max", "cycles_elapsed_max_again", "cycles_elapsed_max_warm",
                         "nanoseconds", "inst_executed"])
        for cold in sorted(out.glob("cold.*.csv")):
            name = cold.name.split(".")[1]
            first, again, warm = rows(cold), rows(out / f"cold_again.{name}.csv"), rows(out / f"warm.{name}.csv")
            for kernel, row in first.items():
                writer.writerow([kernel, name, number(row, CYCLES), number(again[kernel], CYCLES),
                                 number(warm[kernel], CYCLES), number(row, TIME), number(row, ISSUED)])


def command_line(usage, profile, table):
    """profile PROGRAM OUT SET…, or table OUT TABLE."""
    if len(sys.argv) > 4 and sys.argv[1] == "profile":
        profile(sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:])
    elif len(sys.argv) == 4 and sys.argv[1] == "table":
        table(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        sys.exit(usage)


if __name__ == "__main__":
    command_line(__doc__, profile, table)
