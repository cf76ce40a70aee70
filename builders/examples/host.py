#!/usr/bin/env python3
# SPDX-License-Identifier: 0BSD
"""A host in Python: prints the size of the lump of a small map.

    python3 host.py ./blocksweep.so[,OPTION=VALUE]...

Structures and numbers are those of nbstage.h, which explains them.
"""
import re
import sys
from ctypes import *

ABI, U16, I16, BY_USER = 1, 3, 4, 1


def structure(**members):
    return type("structure", (Structure,), {"_fields_": list(members.items())})


Member = structure(type=c_uint32, offset=c_uint32)
Array = structure(size=c_size_t, data=c_void_p, count=c_size_t, stride=c_size_t,
                  kind=c_uint32, reserved=c_uint32)
Vertices = structure(array=Array, x=Member, y=Member)
Lines = structure(array=Array, v1=Member, v2=Member, others=Member * 13)
Map = structure(size=c_size_t, name=c_char_p, format=c_uint32, needs=c_uint32,
                lumps=c_void_p, lump_count=c_size_t, vertices=POINTER(Vertices),
                lines=POINTER(Lines), others=c_void_p * 3)
Lump = structure(name=c_char_p, data=c_void_p, data_size=c_size_t)
Stage = structure(
    size=c_size_t, abi=c_uint32, texts_and_lists=c_void_p * 6,
    create=CFUNCTYPE(c_void_p, c_void_p), destroy=CFUNCTYPE(None, c_void_p),
    set_option=CFUNCTYPE(c_int32, c_void_p, c_char_p, c_char_p, c_int32),
    build=CFUNCTYPE(c_int32, c_void_p, POINTER(Map)),
    get_lump=CFUNCTYPE(POINTER(Lump), c_void_p, c_char_p), get_fact=c_void_p,
    last_error=CFUNCTYPE(c_char_p, c_void_p))


def describe(kind, pairs, number):
    """Describes an array of pairs of numbers: x and y, or v1 and v2."""
    size = sizeof(pairs[0])
    array = Array(sizeof(kind), addressof(pairs), len(pairs), size)
    return pointer(kind(array, Member(number, 0), Member(number, size // 2)))


path, *options = re.split(r",(?=[a-z-]+=)", sys.argv[1])
library = CDLL(path)
library.nbstage_describe.restype = POINTER(Stage)
described = library.nbstage_describe(c_uint32(ABI))
stage = described.contents if described else sys.exit("not a stage of version 1")
instance = stage.create(None) or sys.exit("out of memory")


def need(is_done):
    if not is_done:
        sys.exit(stage.last_error(instance).decode(errors="replace"))


for option in options:
    name, value = option.encode().split(b"=", 1)
    need(stage.set_option(instance, name, value, BY_USER) == 0)
vertices = (c_int16 * 2 * 4)((0, 0), (0, 256), (512, 256), (512, 0))
lines = (c_uint16 * 2 * 4)((0, 1), (1, 2), (2, 3), (3, 0))
level = Map(sizeof(Map), b"MAP01")
level.vertices = describe(Vertices, vertices, I16)
level.lines = describe(Lines, lines, U16)
need(stage.build(instance, pointer(level)) == 0)
lump = stage.get_lump(instance, b"BLOCKMAP")
print(f"BLOCKMAP has {lump.contents.data_size} bytes" if lump else "no BLOCKMAP")
stage.destroy(instance)
