#!/usr/bin/env python3
"""Runs tests/ptx_cases/*.ptx on this machine's GPU and compares with the values in their comments.

    tests/gpu/run_ptx_cases.py [FILE.ptx …]        all files of tests/ptx_cases without one

What a case asks of is in tests/ptx_cases/README.md; cases that must end in a problem, and those whose PTX this
GPU's driver does not take, are named and left out. The driver is all it needs.
"""
import ctypes
import math
import pathlib
import struct
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "ptx_cases"
SLOT = 8
FILLER = 0xCC
BITS = {"8": 1, "16": 2, "32": 4, "64": 8}
FLOATS = {"f16": ("e", 16), "f32": ("f", 32), "f64": ("d", 64)}


class Gpu:
    def __init__(self):
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.check("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.check("cuDeviceGet", ctypes.byref(device), 0)
        self.check("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.check("cuCtxSetCurrent", context)

    def check(self, name, *arguments):
        code = getattr(self.driver, name)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorName(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {text.value.decode() if text.value else code}")

    def load(self, ptx):
        module = ctypes.c_void_p()
        self.check("cuModuleLoadData", ctypes.byref(module), ptx.encode() + b"\0")
        return module

    def buffer(self, data):
        address = ctypes.c_uint64()
        self.check("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(len(data), 16)))
        self.check("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(len(data)))
        return address

    def run(self, module, case):
        function = ctypes.c_void_p()
        self.check("cuModuleGetFunction", ctypes.byref(function), module, case["name"].encode())
        threads = len(case["rows"])
        inputs = b"".join(struct.pack("<Q", int(v, 16)) for left, _ in case["rows"] for v in left)
        size = SLOT * threads * max(1, len(case["outs"]))
        given, out = self.buffer(inputs or b"\0"), self.buffer(bytes([FILLER]) * size)
        values = [given, out] + [(ctypes.c_uint8 * 8)(*struct.pack("<Q", int(bits, 16))) for bits in case["arguments"]]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.pointer(v), ctypes.c_void_p) for v in values])
        block = case["block"] or (threads, 1, 1)
        self.check("cuLaunchKernel", function, 1, 1, 1, *block, case["shared"], None, pointers, None)
        self.check("cuCtxSynchronize")
        result = ctypes.create_string_buffer(size)
        self.check("cuMemcpyDtoH_v2", result, out, ctypes.c_size_t(size))
        for address in (given, out):
            self.check("cuMemFree_v2", address)
        return result.raw


def read_cases(text):
    cases, case, in_rows = [], None, False
    for line in text.split("\n"):
        words = line[3:].split() if line.startswith("// ") else []
        if not line.startswith("//"):
            in_rows = False
        elif words and words[0] == "case":
            case = {"name": words[1], "ins": [], "outs": [], "rows": [], "arguments": [], "block": None, "shared": 0,
                    "problem": ""}
            cases.append(case)
        elif case is None:
            continue
        elif in_rows:
            at = words.index(":")
            case["rows"].append((words[:at], words[at + 1:]))
        elif words and words[0] == "rows":
            in_rows = True
        elif words[0] == "block":
            case["block"] = tuple(int(w) for w in words[1:])
        elif words[0] == "dynamic_shared":
            case["shared"] = int(words[1])
        elif words[0] == "argument":
            case["arguments"].append(words[2])
        elif words[0] == "problem":
            case["problem"] = words[1]
        elif words[0] == "in":
            case["ins"] = words[1:]
        elif words[0] == "out":
            label = " ".join(words[2:])
            form, _, within = label.partition(" within ")
            case["outs"].append((words[1], form, within))
    return cases


def bytes_of(type_name):
    if type_name[0] == "e":  # two numbers of 8 bits or fewer
        return 1 if type_name == "e2m1x2" else 2
    digits = "".join(c for c in type_name.split("x")[0] if c.isdigit())
    return 4 if type_name.endswith("x2") or type_name == "tf32" else BITS[digits]


def number(type_name, bits):
    if type_name == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    letter, width = FLOATS[type_name]
    return struct.unpack("<" + letter, bits.to_bytes(width // 8, "little"))[0]


def parts(type_name, bits):
    if type_name.endswith("x2"):
        return [(type_name[:-2], bits & 0xFFFF), (type_name[:-2], bits >> 16)]
    return [(type_name, bits)]


def is_right(type_name, within, expected, got):
    if expected == "nan":
        return all(math.isnan(number(t, b)) for t, b in parts(type_name, got))
    wanted = int(expected, 16)
    if wanted == got or not within:
        return wanted == got
    kind, bound = within.split() if within.split()[1] != "ulp" else (within.split()[1], within.split()[0])
    if "^" in bound:
        base, power = bound.split("^")
        bound = float(base) ** float(power)
    for (t, a), (_, b) in zip(parts(type_name, wanted), parts(type_name, got)):
        if kind == "ulp":
            if abs(a - b) > float(bound):
                return False
            continue
        x, y = number(t, a), number(t, b)
        if math.isnan(x) != math.isnan(y) or abs(x - y) > float(bound) * (abs(x) if kind == "relative" else 1):
            return False
    return True


def main(names):
    gpu = Gpu()
    wrong = ran = values = 0
    for path in [pathlib.Path(n) for n in names] or sorted(FOLDER.glob("*.ptx")):
        text = path.read_text()
        try:
            module = gpu.load(text)
        except RuntimeError as error:
            print(f"{path.name}: left out, {error}")
            continue
        for case in read_cases(text):
            if case["problem"]:
                print(f"{path.name}, {case['name']}: left out, it must end in {case['problem']}")
                continue
            result = gpu.run(module, case)
            ran += 1
            shown = {}
            for i, (_, right) in enumerate(case["rows"]):
                for k, (type_name, form, within) in enumerate(case["outs"]):
                    at = SLOT * (i * len(case["outs"]) + k)
                    width = bytes_of(type_name)
                    got = int.from_bytes(result[at:at + width], "little")
                    values += 1
                    if is_right(type_name, within, right[k], got):
                        continue
                    wrong += 1
                    shown[form] = shown.get(form, 0) + 1
                    if shown[form] <= 2:
                        print(f"{path.name}, {case['name']}: {form} of {' '.join(case['rows'][i][0])} must be {right[k]},"
                              f" is {got:0{2 * width}x}")
            for form, count in shown.items():
                if count > 2:
                    print(f"{path.name}, {case['name']}: {form}: {count} in all")
    print(f"{ran} cases, {values} values, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
