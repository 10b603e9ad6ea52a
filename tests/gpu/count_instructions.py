#!/usr/bin/env python3
"""What a GPU executes of each machine instruction, by Nsight Compute, as the tables of tests/hardware.

    tests/gpu/count_instructions.py profile PROGRAM CODE OUT KERNEL.cu …   on the machine with the GPU
    tests/gpu/count_instructions.py tables OUT TABLES                      anywhere, from what profile left in OUT

PROGRAM is gpu_machine_counts, CODE the folder that it stored machine code in. TABLES/h200_machine_counts.csv has one row
per machine instruction that was executed, h200_machine_launches.csv the counters of each launch and
h200_machine_results.csv a hash of each buffer after it.
"""
import csv
import gzip
import pathlib
import re
import subprocess
import sys

# Of a whole launch, in the order of the table's columns.
COUNTERS = {
    "inst_executed": "smsp__inst_executed.sum",
    "thread_inst_executed": "smsp__thread_inst_executed.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}
# Of an instruction: the table's column, and the profiler's titles that it sums.
COLUMNS = {
    "executions": ["Instructions Executed"],
    "lanes": ["Thread Instructions Executed"],
    "executed_lanes": ["Predicated-On Thread Instructions Executed"],
    "sectors": ["L2 Theoretical Sectors Global", "L2 Theoretical Sectors Local"],
    "wavefronts": ["L1 Wavefronts Shared"],
    "conflict_ways": ["L1 Conflicts Shared N-Way"],
}
# The recorder's own kernels are called warplens_….
NOT_OURS = "regex:^([^w]|w[^a]|wa[^r]|war[^p]|warp[^l])"


def profile(program, code, out, kernels):
    out.mkdir(parents=True, exist_ok=True)
    report = out / "counts.ncu-rep"
    command = ["ncu", "--clock-control", "none", "--section", "SourceCounters", "--metrics", ",".join(COUNTERS.values()),
               "-k", NOT_OURS, "-f", "-o", str(report), program, "launch", code, *kernels]
    with open(out / "launched.txt", "w") as launched:
        subprocess.run(command, stdout=launched, check=False)
    for page, options in (("source", ["--print-source", "sass"]), ("raw", [])):
        listed = subprocess.run(["ncu", "-i", str(report), "--page", page, "--csv", *options], capture_output=True,
                                check=True)
        (out / f"{page}.csv.gz").write_bytes(gzip.compress(listed.stdout))
    for name, command in (("gpu.txt", ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]),
                          ("tool.txt", ["ncu", "--version"])):
        (out / name).write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)


def number(text):
    text = text.replace(",", "")
    return int(float(text)) if re.fullmatch(r"[0-9.]+(e[+]?[0-9]+)?", text) else 0


def instructions(lines):
    """(kernel, [row by title]) of each launch on the source page."""
    kernel, titles, rows = None, None, []
    for cells in csv.reader(lines):
        if cells and cells[0] == "Kernel Name":
            if kernel is not None:
                yield kernel, rows
            kernel, titles, rows = cells[1], None, []
        elif "Source" in cells and "Address" in cells:
            titles = cells
        elif titles and len(cells) == len(titles):
            rows.append(dict(zip(titles, cells)))
    if kernel is not None:
        yield kernel, rows


def write(path, titles, rows):
    with open(path, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(titles)
        table.writerows(rows)


def tables(out, folder):
    lines = gzip.decompress((out / "source.csv.gz").read_bytes()).decode().splitlines()
    counted = []
    for kernel, rows in instructions(lines):
        for i, row in enumerate(rows):
            counts = [sum(number(row.get(title, "0")) for title in titles) for titles in COLUMNS.values()]
            opcode = re.sub(r"^@!?U?P[0-9T]+ +", "", row["Source"].strip()).split(" ")[0]
            if any(counts):
                counted.append([kernel.split("(")[0], 16 * i, opcode, *counts])
    write(folder / "h200_machine_counts.csv", ["kernel", "offset", "opcode", *COLUMNS], counted)
    lines = gzip.decompress((out / "raw.csv.gz").read_bytes()).decode().splitlines()
    launches = [[row["Kernel Name"].split("(")[0], *(number(row[metric]) for metric in COUNTERS.values())]
                for row in csv.DictReader(line for line in lines if line.startswith('"')) if row["ID"]]
    write(folder / "h200_machine_launches.csv", ["kernel", *COUNTERS], launches)
    results = [line.split(",") for line in (out / "launched.txt").read_text().splitlines()
               if re.fullmatch(r"\w+,\w+,[0-9a-f]{16}", line)]
    write(folder / "h200_machine_results.csv", ["kernel", "buffer", "hash"], results)


if __name__ == "__main__":
    if len(sys.argv) > 5 and sys.argv[1] == "profile":
        profile(sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5:])
    elif len(sys.argv) == 4 and sys.argv[1] == "tables":
        tables(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        sys.exit(__doc__)
