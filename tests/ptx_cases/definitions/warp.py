"""shfl, vote, match, redux, activemask, elect: what a warp's lanes tell each other."""
import integers as n
from case_file import Case, Out

FULL = 0xFFFFFFFF
AS_NUMBER = "selp.u32 %d, 1, 0, %p;"


def shuffled(mode, lane, b, c):
    """(source lane, whether it lies in the segment): "shfl.sync", Semantics."""
    b, clamp, segment = b & 31, c & 31, c >> 8 & 31
    most = lane & segment | clamp & ~segment
    if mode == "up":
        j, inside = lane - b, lane - b >= most
    elif mode == "down":
        j, inside = lane + b, lane + b <= most
    elif mode == "bfly":
        j, inside = lane ^ b, lane ^ b <= most
    else:
        j = lane & segment | b & ~segment & 31
        inside = j <= most
    return (j if inside else lane), inside


def shfl_case(mode, amounts, widths):
    """Amount and segment are the same in all lanes, as constants."""
    outs = []
    for b in amounts:
        for width in widths:
            c = (32 - width) << 8 | (0 if mode == "up" else 31)
            code = f"shfl.sync.{mode}.b32 %d|%p, %a, {b}, {c}, 0xffffffff;"
            label = f"shfl.sync.{mode}.b32 by {b} in {width}"
            outs.append(Out("b32", label, lambda i, rows, b=b, c=c:
                            rows[i & ~31 | shuffled(mode, i & 31, b, c)[0]][0], code))
            outs.append(Out("u32", label + " |p", lambda i, rows, b=b, c=c: int(shuffled(mode, i & 31, b, c)[1]), AS_NUMBER))
    rows = [(0x1000 * (i + 1) + i,) for i in range(64)]
    return Case(f"shfl_{mode}", ["b32"], rows, outs, by_thread=True)


def shfl_registers():
    """Amounts that differ by lane, for which the modes are defined lane by lane as well."""
    rows = [(i * i + 5, (i * 7 + 3) % 32, 31) for i in range(32)]
    outs = [Out("b32", "shfl.sync.idx.b32 per lane", lambda i, rows: rows[shuffled("idx", i, rows[i][1], rows[i][2])[0]][0],
                "shfl.sync.idx.b32 %d, %a, %b, %c, -1;"),
            Out("b32", "shfl.sync.bfly.b32 clamped",
                lambda i, rows: rows[shuffled("bfly", i, 16, 0x0F)[0]][0], "shfl.sync.bfly.b32 %d|%p, %a, 16, 15, -1;"),
            Out("u32", "shfl.sync.bfly.b32 clamped |p", lambda i, rows: int(shuffled("bfly", i, 16, 0x0F)[1]), AS_NUMBER),
            Out("b32", "shfl.sync.idx.b32 onto itself", lambda i, rows: i, "mov.u32 %d, %laneid;\nshfl.sync.idx.b32 %d, %d, %d, 31, -1;")]
    return Case("shfl_registers", ["b32", "b32", "b32"], rows, outs, by_thread=True)


def shfl_parts():
    """Each side of a branch shuffles among its own lanes; a guarded shuffle leaves the other lanes alone."""
    body = """
        setp.lt.u32 %p, %thread, 12;
        mov.u32 %d1, 1;
        @%p bra few;
        shfl.sync.bfly.b32 %d0, %a, 1, 31, 0xfffff000;
        bra.uni met;
    few:
        shfl.sync.down.b32 %d0, %a, 3, 31, 0x00000fff;
    met:
        @%p shfl.sync.idx.b32 %d1, %a, 2, 31, 0xfff;
    """

    def first(i, rows):
        if i >= 12:
            return rows[i ^ 1][0]
        return rows[i + 3][0] if i < 9 else None
    # Lanes 9 to 11 would read from the other side, which is undefined: they read from themselves by a clamp.
    body = body.replace("%a, 3, 31, 0x00000fff", "%a, 3, 11, 0x00000fff")
    rows = [(100 + i,) for i in range(32)]
    return Case("shfl_in_parts", ["b32"], rows, [
        Out("b32", "shfl.sync on both sides", lambda i, rows: rows[i][0] if 9 <= i < 12 else first(i, rows)),
        Out("b32", "@%p shfl.sync.idx", lambda i, rows: rows[2][0] if i < 12 else 1)], body, by_thread=True)


def shfl_sum():
    body = "\n".join(f"shfl.sync.down.b32 %x, %a, {d}, 31, -1;\nadd.u32 %a, %a, %x;" for d in (16, 8, 4, 2, 1))
    body += "\nshfl.sync.idx.b32 %d0, %a, 0, 31, -1;"
    rows = [(i * 3 + 1,) for i in range(32)]
    return Case("shfl_sum", ["u32"], rows, [
        Out("u32", "shfl.sync.down.b32", lambda i, rows: sum(a for a, in rows))], body, ".reg .b32 %x;", by_thread=True)


def shfl():
    return [shfl_case("up", [0, 1, 5, 31, 32], [32, 8]), shfl_case("down", [0, 1, 5, 31, 33], [32, 8]),
            shfl_case("bfly", [1, 3, 16, 31], [32, 8]), shfl_case("idx", [0, 7, 31, 32], [32, 8]),
            shfl_registers(), shfl_parts(), shfl_sum()]


def ballot(i, rows, column=0, lanes=range(32)):
    first = i & ~31
    return sum(1 << k for k in lanes if first + k < len(rows) and rows[first + k][column])


def vote():
    """Warp 0: some lanes; 1: all; 2: none; 3: not full, all."""
    bits = [i % 3 == 0 for i in range(32)] + [True] * 32 + [False] * 32 + [True] * 5
    rows = [(int(b),) for b in bits]
    size = lambda i, count=len(rows): min(32, count - (i & ~31))
    member = "activemask.b32 %m;\nsetp.ne.u32 %q, %a, 0;\n"
    modes = {
        "any": lambda i, rows: int(ballot(i, rows) != 0),
        "all": lambda i, rows: int(ballot(i, rows) == (1 << size(i)) - 1),
        "uni": lambda i, rows: int(ballot(i, rows) in (0, (1 << size(i)) - 1)),
    }
    outs = [Out("u32", f"vote.sync.{m}.pred", f, f"vote.sync.{m}.pred %p, %q, %m;\n{AS_NUMBER}") for m, f in modes.items()]
    outs += [
        Out("u32", "vote.sync.any.pred !q", lambda i, rows: int(ballot(i, rows) != (1 << size(i)) - 1),
            f"vote.sync.any.pred %p, !%q, %m;\n{AS_NUMBER}"),
        Out("u32", "vote.sync.all.pred !q", lambda i, rows: int(ballot(i, rows) == 0),
            f"vote.sync.all.pred %p, !%q, %m;\n{AS_NUMBER}"),
        Out("b32", "vote.sync.ballot.b32", ballot, "vote.sync.ballot.b32 %d, %q, %m;"),
        Out("b32", "vote.sync.ballot.b32 !q", lambda i, rows: ((1 << size(i)) - 1) & ~ballot(i, rows),
            "vote.sync.ballot.b32 %d, !%q, %m;"),
        Out("b32", "vote.ballot.sync.b32", ballot, "vote.ballot.sync.b32 %d, %q, %m;"),
    ]
    cases = [Case("vote", ["u32"], rows, outs, member, ".reg .b32 %m;", by_thread=True)]
    body = """
        setp.ne.u32 %q, %a, 0;
        setp.ge.u32 %p, %thread, 8;
        @%p bra upper;
        vote.sync.ballot.b32 %d0, %q, 0xff;
        bra.uni met;
    upper:
        vote.sync.ballot.b32 %d0, %q, 0xffffff00;
    met:
        vote.sync.ballot.b32 %d1, %q, -1;
    """
    rows = [(i % 5 == 0,) for i in range(32)]
    rows = [(int(b),) for b, in rows]
    cases.append(Case("vote_in_parts", ["u32"], rows, [
        Out("b32", "vote.sync.ballot.b32 in parts",
            lambda i, rows: ballot(i, rows, 0, range(8) if i < 8 else range(8, 32))),
        Out("b32", "vote.sync.ballot.b32", ballot)], body, by_thread=True))
    return cases


def match():
    rows = [((i * 5 // 7) % 4, (i % 3) << 40 | 1, 9, 1 << 35) for i in range(32)]
    rows += [(7, 1, i // 31, i) for i in range(32)]

    def same(i, rows, column):
        first = i & ~31
        return sum(1 << k for k in range(32) if rows[first + k][column] == rows[i][column])

    def everywhere(i, rows, column):
        return FULL if same(i, rows, column) == FULL else 0
    outs = [
        Out("b32", "match.any.sync.b32", lambda i, rows: same(i, rows, 0), "match.any.sync.b32 %d, %a, -1;"),
        Out("b32", "match.any.sync.b64", lambda i, rows: same(i, rows, 1), "match.any.sync.b64 %d, %b, -1;"),
    ]
    for column, register, kind in ((0, "%a", "b32"), (2, "%c", "b32"), (1, "%b", "b64"), (3, "%e", "b64")):
        outs.append(Out("b32", f"match.all.sync.{kind} of {register[1]}", lambda i, rows, c=column: everywhere(i, rows, c),
                        f"match.all.sync.{kind} %d|%p, {register}, -1;"))
        outs.append(Out("u32", f"match.all.sync.{kind} of {register[1]} |p",
                        lambda i, rows, c=column: int(everywhere(i, rows, c) != 0), AS_NUMBER))
    cases = [Case("match", ["b32", "b64", "b32", "b64"], rows, outs, by_thread=True)]
    body = """
        setp.lt.u32 %p, %thread, 20;
        mov.u32 %d0, 0;
        @%p match.any.sync.b32 %d0, %a, 0xfffff;
    """
    rows = [(i % 6,) for i in range(32)]
    return cases + [Case("match_in_part", ["b32"], rows, [
        Out("b32", "match.any.sync.b32 of 20 lanes", lambda i, rows: same(i, rows, 0) & 0xFFFFF if i < 20 else 0)],
        body, by_thread=True)]


def redux():
    values = [n.cut(0x9E3779B9 * (i + 1), 32) for i in range(32)]
    rows = [(v,) for v in values] + [(0xFFFFFF00 | i,) for i in range(32)] + [(0x7FFFFFFF,)] * 32

    def over(function):
        def value(i, rows):
            result = None
            for a, in rows[i & ~31:(i & ~31) + 32]:
                result = a if result is None else function(result, a)
            return n.cut(result, 32)
        return value
    s = lambda a: n.signed(a, 32)
    outs = [Out("u32", "redux.sync.add.u32", over(lambda a, b: a + b), "redux.sync.add.u32 %d, %a, -1;"),
            Out("s32", "redux.sync.add.s32", over(lambda a, b: a + b), "redux.sync.add.s32 %d, %a, -1;"),
            Out("u32", "redux.sync.min.u32", over(min), "redux.sync.min.u32 %d, %a, -1;"),
            Out("u32", "redux.sync.max.u32", over(max), "redux.sync.max.u32 %d, %a, -1;"),
            Out("s32", "redux.sync.min.s32", over(lambda a, b: min(s(a), s(b))), "redux.sync.min.s32 %d, %a, -1;"),
            Out("s32", "redux.sync.max.s32", over(lambda a, b: max(s(a), s(b))), "redux.sync.max.s32 %d, %a, -1;"),
            Out("b32", "redux.sync.and.b32", over(lambda a, b: a & b), "redux.sync.and.b32 %d, %a, -1;"),
            Out("b32", "redux.sync.or.b32", over(lambda a, b: a | b), "redux.sync.or.b32 %d, %a, -1;"),
            Out("b32", "redux.sync.xor.b32", over(lambda a, b: a ^ b), "redux.sync.xor.b32 %d, %a, -1;")]
    cases = [Case("redux", ["u32"], rows, outs, by_thread=True)]
    body = """
        setp.lt.u32 %p, %thread, 10;
        mov.u32 %d0, 0;
        @%p redux.sync.add.u32 %d0, %a, 0x3ff;
        @!%p redux.sync.max.u32 %d0, %a, 0xfffffc00;
    """
    rows = [(i + 1,) for i in range(32)]
    return cases + [Case("redux_in_parts", ["u32"], rows, [
        Out("u32", "redux.sync of 10 and of 22 lanes", lambda i, rows: 55 if i < 10 else 32)], body, by_thread=True)]


def activemask():
    body = """
        activemask.b32 %d0;
        mov.u32 %d1, 0;
        setp.ne.u32 %p, %a, 0;
        @!%p bra met;
        activemask.b32 %d1;
    met:
        bar.warp.sync %d0;
        activemask.b32 %d2;
    """
    rows = [(int(i % 4 == 1),) for i in range(32)] + [(int(i > 3),) for i in range(6)]
    everyone = lambda i, rows: ballot(i, [(1,)] * len(rows))
    return [Case("activemask", ["u32"], rows, [
        Out("b32", "activemask.b32", everyone),
        Out("b32", "activemask.b32 in a branch", lambda i, rows: ballot(i, rows) if rows[i][0] else 0),
        Out("b32", "activemask.b32 after it", everyone)], body, by_thread=True)]


def elect():
    """Exactly one member lane is chosen, and all are told which."""
    body = """
        elect.sync %d0|%p, 0xffffffff;
        vote.sync.ballot.b32 %x, %p, -1;
        popc.b32 %d1, %x;
        mov.u32 %y, 1;
        shl.b32 %y, %y, %d0;
        setp.eq.u32 %q, %x, %y;
        selp.u32 %d2, 1, 0, %q;
        mov.u32 %d0, 0;
    """
    return [Case("elect", [], [()] * 32, [
        Out("u32", "elect.sync", lambda: 0), Out("u32", "elect.sync lanes chosen", lambda: 1),
        Out("u32", "elect.sync tells which", lambda: 1)], body, ".reg .b32 %x, %y;")]


FILES = {
    "shfl": ("shfl: up, down, bfly and idx, in segments, with the predicate, in parts of a warp", shfl),
    "vote": ("vote: any, all, uni and ballot, in warps that are full and not, in parts of a warp", vote),
    "match": ("match: lanes that hold the same value", match),
    "redux": ("redux: one value from all lanes", redux),
    "activemask": ("activemask: lanes that run together", activemask),
    "elect": ("elect: one lane of many", elect),
}
