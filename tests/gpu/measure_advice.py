#!/usr/bin/env python3
"""What a GPU says of advice: changes of programs that were tried by the CPU engine, measured, as a table.

    tests/gpu/measure_advice.py changes WARPLENS OUT SECONDS PROGRAM.cu …  anywhere: advice for each program's kernel
    tests/gpu/measure_advice.py measure OUT                                on the machine with the GPU, nvcc and ncu
    tests/gpu/measure_advice.py table OUT TABLE.csv                        anywhere, from what measure left in OUT

`changes` writes each program, and a copy of it with each change of its text, to OUT; of the changes that are not offered
those with the same results, and of these the ones with the largest modelled differences. `measure` compiles them and
profiles the launch that was advised, by its grid and block, with flushed caches.
"""
import concurrent.futures
import csv
import json
import pathlib
import statistics
import subprocess
import sys

CYCLES = "sm__cycles_elapsed.max"
NOT_OFFERED = 3  # at most, of each program
LAUNCHES = 40  # of a kernel, among which the advised one is looked for
REPEATS = 1


def with_edits(source, edits):
    """As `with_edits` of app/pipeline/advice/source_edits.h."""
    lines = source.split("\n")
    before = {}
    for edit in edits:
        at = edit["line"] - 1
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        if edit["kind"] == "insert":
            before.setdefault(at, []).append(indent + edit["code"])
        else:
            lines[at] = "" if edit["kind"] == "remove" else indent + edit["code"]
    return "\n".join("\n".join([*before.get(at, []), line]) for at, line in enumerate(lines))


def advice_for(warplens, seconds, program):
    printed = subprocess.run([warplens, "report", str(program), "--advice-time", seconds, "--format", "json"],
                          capture_output=True, check=False)
    return json.loads(printed.stdout) if printed.stdout.startswith(b"{") else None


def changes(warplens, out, seconds, programs):
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for program in programs:
        report = advice_for(warplens, seconds, program)
        advice = (report or {}).get("advice")
        if not advice or not advice["cycles"]:
            print(f"{program}: no advice with times", file=sys.stderr)
            continue
        source = program.read_text()
        offered = [change for change in advice["helpful"] if change["edits"] and change["cycles"]]
        others = [change for change in advice["not_offered"] if change["edits"] and change["cycles"]]
        others.sort(key=lambda change: -abs(change["cycles"] / advice["cycles"] - 1))
        (out / program.name).write_text(source)
        for header in program.parent.glob("*.h"):
            (out / header.name).write_bytes(header.read_bytes())
        for number, change in enumerate(offered + others[:NOT_OFFERED]):
            name = f"{program.stem}.{number}.cu"
            (out / name).write_text(with_edits(source, change["edits"]))
            rows.append({"program": program.stem, "source": name, "kernel": report["kernel"], "grid": report["grid"],
                         "block": report["block"], "change": change["title"], "offered": number < len(offered),
                         "now": advice["cycles"], "then": change["cycles"]})
        print(f"{program.stem}: {len(offered)} offered, {len(others)} not", file=sys.stderr)
    (out / "changes.json").write_text(json.dumps(rows, indent=1))


def compile_one(source):
    program = source.with_suffix(".run")
    done = subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "-w", "-I", str(source.parent), "-o", str(program),
                           str(source)], capture_output=True, check=False)
    return done.returncode == 0


def launches(program, kernel):
    """(grid, block, cycles) of the kernel's first launches, in order."""
    name = kernel.split("<")[0].split("::")[-1]
    try:
        printed = subprocess.run(["ncu", "--clock-control", "none", "--metrics", CYCLES, "-k", f"regex:^{name}$", "--launch-count",
                               str(LAUNCHES), "--csv", "--page", "raw", "--print-units", "base", str(program)],
                              capture_output=True, cwd=program.parent, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return []
    lines = [line for line in printed.stdout.decode(errors="replace").splitlines() if line.startswith('"')]
    numbers = lambda text: [int(part) for part in text.strip("() ").split(",")]
    return [(numbers(row["Grid Size"]), numbers(row["Block Size"]), float(row[CYCLES].replace(",", "")))
            for row in csv.DictReader(lines) if row.get("ID")]


def measure(out):
    rows = json.loads((out / "changes.json").read_text())
    sources = sorted({out / row["source"] for row in rows} | {out / (row["program"] + ".cu") for row in rows})
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        compiled = dict(zip(sources, pool.map(compile_one, sources)))
    measured = []
    asked = {(row["program"] + ".cu", row["kernel"]) for row in rows} | {(row["source"], row["kernel"]) for row in rows}
    for source, kernel in sorted(asked):
        runs = [launches((out / source).with_suffix(".run"), kernel) for _ in range(REPEATS)] if compiled[out / source] else []
        measured.append({"source": source, "compiled": compiled[out / source], "runs": runs})
        print(source, "compiled" if compiled[out / source] else "NOT COMPILED", [len(run) for run in runs], flush=True)
        (out / "measured.json").write_text(json.dumps(measured))
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                         check=True)
    (out / "gpu.txt").write_bytes(gpu.stdout)


def table(out, path):
    rows = json.loads((out / "changes.json").read_text())
    measured = {one["source"]: one["runs"] for one in json.loads((out / "measured.json").read_text())}
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["program", "kernel", "change", "offered", "modelled_now", "modelled_then", "measured_now",
                         "measured_then"])
        for row in rows:
            before, after = measured.get(row["program"] + ".cu", []), measured.get(row["source"], [])
            at = next((i for i, (grid, block, _) in enumerate(before[0] if before else [])
                       if grid == row["grid"] and block == row["block"]), None)
            if at is None or not all(len(run) > at for run in before + after) or not after:
                print(f"{row['source']}: not measured", file=sys.stderr)
                continue
            now, then = (statistics.mean(run[at][2] for run in runs) for runs in (before, after))
            writer.writerow([row["program"], row["kernel"], row["change"], int(row["offered"]), round(row["now"]),
                             round(row["then"]), round(now), round(then)])


if __name__ == "__main__":
    if len(sys.argv) > 5 and sys.argv[1] == "changes":
        changes(sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4], [pathlib.Path(name) for name in sys.argv[5:]])
    elif len(sys.argv) == 3 and sys.argv[1] == "measure":
        measure(pathlib.Path(sys.argv[2]).resolve())
    elif len(sys.argv) == 4 and sys.argv[1] == "table":
        table(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        sys.exit(__doc__)
