"""Inputs that several files share: the values at which instructions go wrong."""
from itertools import product

import expected as x


def pairs(values, more=()):
    return list(product(values, repeat=2)) + list(more)


EDGES = {
    8: [0, 1, 0x7F, 0x80, 0xFF],
    16: [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x1234],
    32: [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0xFFFF8001],
    64: [0, 1, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x123456789ABCDEF0, 0xFFFFFFFF80000001],
}


def edges(type_name):
    return EDGES[int(type_name[1:])]


def singles(type_name):
    return [(a,) for a in edges(type_name)]


def float_edges(f):
    """Zeros, one, the largest, the least normal, a subnormal, infinities, NaNs quiet and signalling."""
    plain = [0, f.one, f.max, 1 << f.mantissa, 3, f.inf]
    return plain + [a | f.sign for a in plain] + [f.inf | 1 << (f.mantissa - 1), f.inf | 1]


def float_pairs(f, numbers=()):
    """Edges against fewer edges, and pairs of given numbers."""
    firsts = float_edges(f)
    seconds = [0, f.sign, f.one | f.sign, f.max, 1, f.inf, f.inf | f.sign, f.inf | 1 << (f.mantissa - 1)]
    given = [(x.of(f, a), x.of(f, b)) for a, b in numbers]
    return list(product(firsts, seconds)) + given


def without_nan(f, rows):
    return [row for row in rows if not any(x.is_nan(f, a) for a in row)]
