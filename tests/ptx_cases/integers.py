"""What integer and bit instructions must answer: unbounded Python integers, cut to the width at the end."""


def signed(a, bits):
    a &= (1 << bits) - 1
    return a - (1 << bits) if a >> (bits - 1) else a


def cut(a, bits):
    return a & ((1 << bits) - 1)


def width(type_name):
    return int(type_name[1:])


def number(a, type_name):
    """The number that the bits mean under an integer type."""
    bits = width(type_name)
    return signed(a, bits) if type_name[0] == "s" else cut(a, bits)


def clamp(n, bits):
    return min(max(n, -(1 << (bits - 1))), (1 << (bits - 1)) - 1)


def quotient(a, b):
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def remainder(a, b):
    return a - b * quotient(a, b)


def compare(word, a, b):
    return {
        "eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b,
        "lo": a < b, "ls": a <= b, "hi": a > b, "hs": a >= b,
    }[word]


# ---- bits -----------------------------------------------------------------------------------------------


def bit_string(a, bits):
    """Bit 0 first."""
    return [a >> i & 1 for i in range(bits)]


def from_bits(string):
    return sum(bit << i for i, bit in enumerate(string))


def shift_left(a, n, bits):
    return 0 if n >= bits else cut(a << n, bits)


def shift_right(a, n, type_name):
    bits = width(type_name)
    return cut(number(a, type_name) >> min(n, bits), bits)  # clamped: 0 or all sign bits


def funnel(a, b, c, direction, mode):
    n = c % 32 if mode == "wrap" else min(c, 32)
    both = b << 32 | a
    return cut(both << n >> 32 if direction == "l" else both >> n, 32)


def insert(a, b, position, length, bits):
    position, length = position & 0xFF, length & 0xFF
    result = bit_string(b, bits)
    for i in range(length):
        if position + i < bits:
            result[position + i] = a >> i & 1
    return from_bits(result)


def extract(a, position, length, type_name):
    bits = width(type_name)
    position, length = position & 0xFF, length & 0xFF
    string = bit_string(a, bits)
    if type_name[0] == "u" or length == 0:
        fill = 0
    else:
        fill = string[min(position + length - 1, bits - 1)]
    return from_bits([string[position + i] if i < length and position + i < bits else fill for i in range(bits)])


def mask_of_bits(a, b, mode):
    if mode == "wrap":
        a, b = a % 32, b % 32
    return cut(((1 << min(b, 32)) - 1) << a, 32) if a < 32 else 0


def find(a, type_name):
    """Position of the highest bit that is no copy of the sign; all ones when there is none."""
    n = number(a, type_name)
    n = ~n if n < 0 else n
    return n.bit_length() - 1 if n else 0xFFFFFFFF


def find_shift(a, type_name):
    position = find(a, type_name)
    return position if position == 0xFFFFFFFF else width(type_name) - 1 - position


def leading_zeros(a, bits):
    return bits - a.bit_length()


def reverse(a, bits):
    return from_bits(bit_string(a, bits)[::-1])


def truth_table(a, b, c, table):
    return from_bits([table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1 for i in range(32)])


def bytes_of(a, count=4):
    return list(a.to_bytes(count, "little"))


def permute(a, b, selector):
    pool = bytes_of(a) + bytes_of(b)
    result = []
    for i in range(4):
        nibble = selector >> 4 * i & 15
        byte = pool[nibble & 7]
        result.append((0xFF if byte & 0x80 else 0) if nibble & 8 else byte)
    return int.from_bytes(bytes(result), "little")


# Bytes of the result, highest first, for the selector's two low bits ("prmt", table of the special modes).
PERMUTE_MODES = {
    "f4e": ["3210", "4321", "5432", "6543"],
    "b4e": ["5670", "6701", "7012", "0123"],
    "rc8": ["0000", "1111", "2222", "3333"],
    "ecl": ["3210", "3211", "3222", "3333"],
    "ecr": ["0000", "1110", "2210", "3210"],
    "rc16": ["1010", "3232", "1010", "3232"],
}


def permute_mode(a, b, selector, mode):
    pool = bytes_of(a) + bytes_of(b)
    return int.from_bytes(bytes(pool[int(digit)] for digit in PERMUTE_MODES[mode][selector & 3]), "big")


def lanes_of(a, bits, is_signed):
    parts = [a >> i & ((1 << bits) - 1) for i in range(0, 32, bits)]
    return [signed(p, bits) for p in parts] if is_signed else parts


def dot4(a, b, c, a_type, b_type):
    total = sum(x * y for x, y in zip(lanes_of(a, 8, a_type == "s32"), lanes_of(b, 8, b_type == "s32")))
    return cut(total + c, 32)


def dot2(a, b, c, a_type, b_type, half):
    pairs = lanes_of(b, 8, b_type == "s32")[2:] if half == "hi" else lanes_of(b, 8, b_type == "s32")[:2]
    return cut(sum(x * y for x, y in zip(lanes_of(a, 16, a_type == "s32"), pairs)) + c, 32)


def join(parts, bits):
    return sum(cut(p, bits) << bits * i for i, p in enumerate(parts))


def extend_size(a, n, type_name, mode):
    """szext: keeps the n lowest bits and extends them."""
    if mode == "wrap":
        n %= 32
    elif n >= 32:
        return a
    if n == 0:
        return 0
    return cut(signed(a, n) if type_name[0] == "s" else cut(a, n), 32)


def nth_set(mask, base, offset):
    """fns: position of the offset-th set bit from `base` on; all ones when there is none."""
    offset = signed(offset, 32)
    base &= 31
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    step = 1 if offset > 0 else -1
    left, position = abs(offset), base
    while 0 <= position < 32:
        left -= mask >> position & 1
        if left == 0:
            return position
        position += step
    return 0xFFFFFFFF
