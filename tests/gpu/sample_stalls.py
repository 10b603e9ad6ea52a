#!/usr/bin/env python3
"""What the warps of a GPU wait for at each machine instruction, sampled by Nsight Compute, as a table of tests/hardware.

    tests/gpu/sample_stalls.py profile PROGRAM OUT SET=CODE,KERNEL.cu,… …   on the machine with the GPU
    tests/gpu/sample_stalls.py table OUT TABLE.csv                          anywhere, from what profile left in OUT

PROGRAM is gpu_machine_counts, CODE the folder with the machine code of the kernels of a SET. The profiler samples as often as
it can (every 32 cycles), and each kernel is launched LAUNCHES times, whose samples are added: of one launch alone most
instructions have a few samples, and their order is chance. Only kernels with at least 1000 a launch are in the table.
"""
import collections
import gzip
import subprocess

from count_instructions import NOT_OURS, instructions, number, write
from time_launches import command_line

# The table's column and the profiler's.
STATES = {
    "selected": "stall_selected", "not_selected": "stall_not_selected", "wait": "stall_wait",
    "math_pipe_throttle": "stall_math", "short_scoreboard": "stall_short_sb", "long_scoreboard": "stall_long_sb",
    "mio_throttle": "stall_mio", "lg_throttle": "stall_lg", "barrier": "stall_barrier", "membar": "stall_membar",
    "branch_resolving": "stall_branch_resolving", "no_instruction": "stall_no_inst", "sleeping": "stall_sleep",
    "drain": "stall_drain", "imc_miss": "stall_imc", "dispatch_stall": "stall_dispatch", "tex_throttle": "stall_tex",
    "misc": "stall_misc",
}
FEWEST_SAMPLES = 1000  # a launch
LAUNCHES = 5


def profile(program, out, sets):
    out.mkdir(parents=True, exist_ok=True)
    for each in sets:
        name, files = each.split("=")
        code, *kernels = files.split(",")
        report = out / f"stalls.{name}.ncu-rep"
        subprocess.run(["ncu", "--clock-control", "none", "--section", "SourceCounters", "--warp-sampling-interval", "0",
                        "--warp-sampling-buffer-size", str(1 << 29),
                        "-k", NOT_OURS, "-f", "-o", str(report), program, "launch", code, *(kernels * LAUNCHES)],
                       stdout=subprocess.DEVNULL, check=False)
        listed = subprocess.run(["ncu", "-i", str(report), "--page", "source", "--csv", "--print-source", "sass"],
                                capture_output=True, check=True)
        (out / f"stalls.{name}.csv.gz").write_bytes(gzip.compress(listed.stdout))


def table(out, path):
    samples, launches = {}, collections.Counter()
    for page in sorted(out.glob("stalls.*.csv.gz")):
        lines = gzip.decompress(page.read_bytes()).decode().splitlines()
        for kernel, rows in instructions(lines):
            name = kernel.split("(")[0]
            launches[name] += 1
            sums = samples.setdefault(name, [[0] * len(STATES) for _ in rows])
            for row, states in zip(rows, sums, strict=True):
                states[:] = [n + number(row[title]) for n, title in zip(states, STATES.values())]
    write(path, ["kernel", "offset", *STATES],
          [[name, 16 * i, *states] for name, sums in sorted(samples.items())
           if sum(map(sum, sums)) >= FEWEST_SAMPLES * launches[name] for i, states in enumerate(sums) if any(states)])


if __name__ == "__main__":
    command_line(__doc__, profile, table)
