"""Writes one .ptx file: kernels, each under a comment that holds its inputs and what it must answer.

A kernel takes two addresses, `in` and `out`. Every value has a slot of 8 bytes. Thread i reads its inputs from
slots in[i * inputs ...] and writes its results to slots out[i * results ...]; out is filled with 0xcc before.
The comment has one line a thread under `rows`: inputs, a colon, results. README.md tells the whole form.
"""
import re
from dataclasses import dataclass, field
from typing import Callable, Optional

from expected import ANY_NAN

HEAD = """\
// {title}
// Written by generate.py; how to read it: README.md.

.version {version}
.target {target}
.address_size 64
"""

HEADER_OF = {"": (8.4, "sm_90"), "sm_100a": (8.8, "sm_100a")}  # by what a file is for

NAMES = "abcefg"  # of the input registers: %a, %b, …

# type: (bits, register, ld and st)
STORAGE = {
    "u8": (8, "b16", "u8"), "s8": (8, "b16", "s8"), "b8": (8, "b16", "b8"),
    "u16": (16, "b16", "u16"), "s16": (16, "b16", "s16"), "b16": (16, "b16", "b16"),
    "f16": (16, "b16", "b16"), "bf16": (16, "b16", "b16"),
    "u32": (32, "b32", "u32"), "s32": (32, "b32", "s32"), "b32": (32, "b32", "b32"),
    "f16x2": (32, "b32", "b32"), "bf16x2": (32, "b32", "b32"), "tf32": (32, "b32", "b32"),
    "f32": (32, "f32", "f32"), "f64": (64, "f64", "f64"),
    "e4m3x2": (16, "b16", "b16"), "e5m2x2": (16, "b16", "b16"), "e2m3x2": (16, "b16", "b16"),
    "e3m2x2": (16, "b16", "b16"), "e2m1x2": (8, "b8", "b8"),
    "u64": (64, "b64", "u64"), "s64": (64, "b64", "s64"), "b64": (64, "b64", "b64"),
}


def hexadecimal(bits, type_name):
    if bits == ANY_NAN:
        return bits
    digits = STORAGE[type_name][0] // 4
    assert 0 <= bits < 16**digits, (hex(bits), type_name)
    return f"{bits:0{digits}x}"


@dataclass
class Out:
    """One result. `code` computes it into %d from %a, %b, … with %p, %q, %s as scratch predicates;
    `value(*inputs)` is what it must be. Without `code` the case's body leaves it in %d0, %d1, …"""

    type: str
    label: str
    value: Callable
    code: str = ""
    within: str = ""  # "2 ulp", "absolute 2^-20.5", "relative 2^-22"


def op(type_name, code, value, within=""):
    """A result of one instruction, which names it: op("s32", "add.s32 %d, %a, %b;", …)."""
    first = code.split()[0].rstrip(";")
    second = code.split()[1] if first.startswith("@") else first
    return Out(type_name, second, value, code, within)


@dataclass
class Case:
    name: str
    ins: list
    rows: list
    outs: list
    body: str = ""  # before the results' own code
    registers: str = ""  # further .reg lines
    module: str = ""  # variables and functions in front of the kernel
    parameters: list = field(default_factory=list)  # (declaration, type, bits) after in and out
    block: Optional[tuple] = None  # threads in x, y, z; otherwise one row of threads
    dynamic_shared: int = 0
    problem: str = ""  # the kind of problem that the run must report
    by_thread: bool = False  # value(i, rows) instead of value(*inputs)
    stores: bool = True  # whether %d0 … are stored at the end
    slots_are_generic: bool = False

    def results(self):
        for i, row in enumerate(self.rows):
            yield [out.value(i, self.rows) if self.by_thread else out.value(*row) for out in self.outs]

    def comment(self):
        yield f"case {self.name}"
        if self.block:
            yield "block " + " ".join(str(n) for n in self.block)
        if self.dynamic_shared:
            yield f"dynamic_shared {self.dynamic_shared}"
        for _, type_name, bits in self.parameters:
            yield f"argument {type_name} {hexadecimal(bits, type_name)}"
        if self.problem:
            yield f"problem {self.problem}"
        if self.ins:
            yield "in " + " ".join(self.ins)
        for out in self.outs:
            yield f"out {out.type} {out.label}" + (f" within {out.within}" if out.within else "")
        yield "rows"
        for row, results in zip(self.rows, self.results()):
            left = [hexadecimal(v, t) for v, t in zip(row, self.ins)]
            right = [hexadecimal(v, out.type) for v, out in zip(results, self.outs)]
            yield " ".join(left + [":"] + right)

    def registers_text(self):
        by_class = {}
        for name, type_name in zip(NAMES, self.ins):
            by_class.setdefault(STORAGE[type_name][1], []).append("%" + name)
        for i, out in enumerate(self.outs):
            if self.stores:
                by_class.setdefault(STORAGE[out.type][1], []).append(f"%d{i}")
        lines = [f".reg .{kind} {', '.join(names)};" for kind, names in by_class.items()]
        text = "\n".join(out.code for out in self.outs) + self.body
        predicates = [name for name in ("%p", "%q", "%s") if re.search(re.escape(name) + r"\b", text)]
        if predicates:
            lines.append(f".reg .pred {', '.join(predicates)};")
        return lines + [".reg .b32 %thread;", ".reg .b64 %in, %out;"] + self.registers.split("\n")

    def text(self):
        yield from ("// " + line for line in self.comment())
        if self.module:
            yield from self.module.strip("\n").split("\n")
        names = "".join(f", {declaration}" for declaration, _, _ in self.parameters)
        yield f".visible .entry {self.name}(.param .u64 in, .param .u64 out{names})"
        yield "{"
        body = [line for line in self.registers_text() if line.strip()]
        body.append("mov.u32 %thread, %tid.x;")
        if self.block:
            body += [".reg .b32 %y, %z, %width;", "mov.u32 %y, %tid.y;", "mov.u32 %z, %tid.z;",
                     f"mad.lo.u32 %y, %z, {self.block[1]}, %y;", f"mad.lo.u32 %thread, %y, {self.block[0]}, %thread;"]
        for name, count in (("in", len(self.ins)), ("out", len(self.outs))):
            if count == 0:
                continue
            body.append(f"ld.param.u64 %{name}, [{name}];")
            if not self.slots_are_generic:
                body.append(f"cvta.to.global.u64 %{name}, %{name};")
            body.append(f"mad.wide.u32 %{name}, %thread, {8 * count}, %{name};")
        for i, (name, type_name) in enumerate(zip(NAMES, self.ins)):
            body.append(f"ld.global.{STORAGE[type_name][2]} %{name}, [%in+{8 * i}];")
        body += [line.strip() for line in self.body.strip("\n").split("\n") if line.strip()]
        for i, out in enumerate(self.outs):
            body += [re.sub(r"%d\b", f"%d{i}", line.strip()) for line in out.code.split("\n") if line.strip()]
        if self.stores:
            for i, out in enumerate(self.outs):
                body.append(f"st.global.{STORAGE[out.type][2]} [%out+{8 * i}], %d{i};")
        body.append("ret;")
        for line in body:
            yield line if re.match(r"[\w$]+:", line) else "    " + line
        yield "}"


def render(title, cases, machine=""):
    version, target = HEADER_OF[machine]
    lines = [HEAD.format(title=title, version=version, target=target).rstrip(), ""]
    for case in cases:
        lines += list(case.text()) + [""]
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"
