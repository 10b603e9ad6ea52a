#!/usr/bin/env python3
"""When the blocks of each SM begin and end, of kernels in tests/hardware, as a table.

    tests/gpu/sm_clocks.py kernels FOLDER SET …           copies of their sources that write clocks, to FOLDER/SET
    tests/gpu/sm_clocks.py table TABLE.csv LAUNCHES.csv …  anywhere, from what `clocks` of gpu_machine_counts printed

`store` of gpu_machine_counts makes machine code of the copies, `clocks` launches it with cold caches and prints a row for
each block. LAUNCHES.csv are at least three such launches of the same kernels, as SET.NUMBER.csv. SMs that differ from launch to
launch do so by chance; `repeats` says which part does not.
"""
import collections
import csv
import itertools
import pathlib
import re
import statistics
import sys

FOLDER = pathlib.Path(__file__).parent.parent / "hardware"
CLOCKS = """struct SmClocks_ {
    unsigned long long* to;
    __device__ __forceinline__ SmClocks_(unsigned long long* clocks) {
        to = clocks + 4 * (blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z));
        if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
            unsigned sm; unsigned long long time, clock;
            asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
            asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(time)::"memory");
            asm volatile("mov.u64 %0,%%clock64;" : "=l"(clock)::"memory");
            to[0] = sm; to[1] = time; to[2] = clock;
        }
    }
    // The last thread that leaves writes last.
    __device__ __forceinline__ ~SmClocks_() {
        unsigned long long clock;
        asm volatile("mov.u64 %0,%%clock64;" : "=l"(clock)::"memory");
        to[3] = clock;
    }
};
"""
ENTRY = re.compile(r'extern\s+"C"\s+__global__[^(]*?(__launch_bounds__\([^)]*\)\s*)?[^(]*?\b(\w+)\s*\(')


def with_clocks(text):
    entry = ENTRY.search(text)
    end, depth = entry.end(), 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    body = text.index("{", end) + 1
    text = "".join([text[:entry.start()], CLOCKS, text[entry.start():end - 1], ", unsigned long long* sm_clocks_", text[end - 1:body],
                    "\n    SmClocks_ sm_clocks_of_this_(sm_clocks_);", text[body:]])
    grid = re.findall('"([^"]*)"', re.search(r"^grid\s*=\s*\[(.*)\]", text, re.M).group(1))
    length = " * ".join(f"({factor})" for factor in ["4", *grid])
    text = re.sub(r"^(arguments\s*=\s*\[.*)\]", r'\1, "sm_clocks_"]', text, count=1, flags=re.M)
    return text.replace("\n[launch]", f'sm_clocks_ = {{ type = "u64", length = "{length}", fill = "zero" }}\n\n[launch]', 1)


def kernels(folder, sets):
    for name in sets:
        (folder / name).mkdir(parents=True, exist_ok=True)
        for path in sorted((FOLDER / name).glob("*.cu")):
            (folder / name / path.name).write_text(with_clocks(path.read_text()))


def by_sm(blocks):
    """{SM: (blocks, cycles from the first one's begin to the last one's end)}"""
    of = collections.defaultdict(list)
    for sm, begin, end in blocks:
        of[sm].append((begin, end))
    return {sm: (len(spans), max(end for _, end in spans) - min(begin for begin, _ in spans)) for sm, spans in of.items()}


def table(path, launches):
    runs = collections.defaultdict(list)
    for launch in launches:
        blocks = collections.defaultdict(list)
        with open(launch, newline="") as file:
            for kernel, _, sm, _, begin, end in csv.reader(file):
                blocks[kernel].append((int(sm), int(begin), int(end)))
        for kernel, rows in blocks.items():
            runs[pathlib.Path(launch).name.split(".")[0], kernel].append(by_sm(rows))
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "set", "fewest_blocks", "most_blocks", "mean", "longest", "deviation", "repeats"])
        for (name, kernel), each in sorted(runs.items()):
            sms = sorted(set.intersection(*(set(run) for run in each)))
            if len(each) < 3 or len(sms) < 130:
                continue
            cycles = [[run[sm][1] for sm in sms] for run in each]
            counts = [run[sm][0] for run in each for sm in sms]
            pairs = [statistics.correlation(one, other) for one, other in itertools.combinations(cycles, 2)]
            mean_of = lambda what: round(statistics.mean(what(run) for run in cycles))
            writer.writerow([kernel, name, min(counts), max(counts), mean_of(statistics.mean), mean_of(max),
                             mean_of(statistics.pstdev), f"{statistics.mean(pairs):.2f}"])


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "kernels":
        kernels(pathlib.Path(sys.argv[2]), sys.argv[3:])
    elif len(sys.argv) > 5 and sys.argv[1] == "table":
        table(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)
