"""What compute capability 10 adds: pairs of f32, halves added to f32, extrema of three, redux of f32."""
import expected as x
from case_file import Case, Out, op
from definitions.float_arithmetic import EXACT, FORMATS, rows_of
from definitions.operands import float_edges

ROUNDINGS = ["rn", "rz", "rm", "rp"]
names = ["%a", "%b", "%c"]


def pairs(opcode, operands):
    """Two operations side by side; the rows are the scalar ones, two by two."""
    f = x.F32
    rows = rows_of("f32", operands)
    packed = [tuple(low | high << 32 for low, high in zip(row, other)) for row, other in zip(rows, rows[1:] + rows[:1])][::2]
    outs = []
    for mode in ROUNDINGS:
        for ftz in ("", ".ftz"):
            run = lambda *v, mode=mode, ftz=ftz: sum(
                EXACT[opcode](f, *(a >> s & 0xFFFFFFFF for a in v), mode=mode, ftz=bool(ftz)) << s for s in (0, 32))
            outs.append(op("b64", f"{opcode}.{mode}{ftz}.f32x2 %d, {', '.join(names[:operands])};", run))
    return Case(f"{opcode}_f32x2", ["b64"] * operands, packed, outs)


def mixed(opcode):
    """Halves in, f32 out: widening is exact, so there is one rounding."""
    cases = []
    for t in ("f16", "bf16"):
        h = FORMATS[t]
        wide = lambda a, h=h: x.float_to_float(h, x.F32, a)
        halves = [x.of(h, v) for v in (1, -2.5, 0.1, 3)] + [0, h.sign, h.one, h.max, 3, h.inf]
        floats = [x.of(x.F32, v) for v in (2.0**-24, 1e-30, -1.1, 3e38)] + [0, x.F32.sign, 5, x.F32.inf | x.F32.sign]
        count = 2 if opcode == "fma" else 1
        rows = ([(a, b, c) for a in halves for b in halves[::3] for c in floats[::2]] if count == 2 else
                [(a, c) for a in halves for c in floats])
        outs = []
        for mode in ["", ".sat"] if opcode != "fma" else []:
            outs.append((mode, {"sat": bool(mode)}))
        outs += [("." + m, {"mode": m}) for m in ROUNDINGS] + [(".rn.sat", {"sat": True})]
        given = ", ".join(names[:count + 1])
        cases.append(Case(f"{opcode}_f32_{t}", [t] * count + ["f32"], rows, [
            op("f32", f"{opcode}{words}.f32.{t} %d, {given};", lambda *v, how=how, wide=wide:
               EXACT[opcode](x.F32, *(wide(a) for a in v[:-1]), v[-1], **how)) for words, how in outs]))
    return cases


def three(opcode):
    f = x.F32
    values = float_edges(f)[:11] + [f.inf | 1 << 22, x.of(f, 1.5), x.of(f, -2.5)]
    rows = [(a, values[(i * 5 + 2) % len(values)], c) for i, a in enumerate(values) for c in values[::3]]
    outs = []
    for words in ("", ".ftz", ".NaN", ".abs", ".ftz.NaN.abs"):
        def run(*v, words=words):
            if ".abs" in words:
                v = [a & ~f.sign for a in v]
            how = {"ftz": ".ftz" in words, "nan_wins": ".NaN" in words}
            first = x.extremum(f, v[0], v[1], opcode == "max", **how)
            return x.extremum(f, first, v[2], opcode == "max", **how)
        outs.append(op("f32", f"{opcode}{words}.f32 %d, %a, %b, %c;", run))
    return [Case(f"{opcode}_of_three", ["f32"] * 3, rows, outs)]


def redux():
    f = x.F32
    warps = [[x.of(f, (37 * i % 64 - 20) / 8) for i in range(32)], [0, f.sign] * 16,
             [x.of(f, -i - 1) if i % 5 else f.inf | 1 << 22 for i in range(32)], [f.inf | 1 << 22] * 32]
    rows = [(a,) for warp in warps for a in warp]
    outs = []
    for name in ("min", "max"):
        for words in ("", ".abs", ".NaN", ".abs.NaN"):
            def run(i, rows, name=name, words=words):
                values = [a & ~f.sign if ".abs" in words else a for a, in rows[i & ~31:(i & ~31) + 32]]
                total = values[0]
                for a in values[1:]:
                    total = x.extremum(f, total, a, name == "max", nan_wins=".NaN" in words)
                return f.nan if x.is_nan(f, total) else total
            outs.append(Out("f32", f"redux.sync.{name}{words}.f32", run, f"redux.sync.{name}{words}.f32 %d, %a, -1;"))
    return [Case("redux_f32", ["f32"], rows, outs, by_thread=True)]


FILES = {"min.sm_100a": ("min: of three", lambda: three("min")), "max.sm_100a": ("max: of three", lambda: three("max")),
         "mul.sm_100a": ("mul: pairs of f32", lambda: [pairs("mul", 2)]),
         "fma.sm_100a": ("fma: pairs of f32, halves into f32", lambda: [pairs("fma", 3)] + mixed("fma")),
         "redux.sm_100a": ("redux: the least and the greatest f32 of a warp", redux)}
for stem in ("add", "sub"):
    FILES[stem + ".sm_100a"] = (f"{stem}: pairs of f32, halves and f32", lambda stem=stem: [pairs(stem, 2)] + mixed(stem))
