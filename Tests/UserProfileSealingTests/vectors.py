#!/usr/bin/env python3
"""Computes known answers of the format of sealed values, from the article SealedValues.md and independently of the Swift code.

    python3 vectors.py >vectors.json    needs the package `cryptography`

The random parts (keys, field ids, nonces, the salt) are SHA-256 digests of their names, so the output is always the same.
"""
import hashlib
import json
import struct

from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from cryptography.hazmat.primitives.keywrap import aes_key_wrap


def random(name, count):
    return hashlib.sha256(name.encode()).digest()[:count]


def head(major, argument):
    """The head of a CBOR item with the shortest argument (RFC 8949, section 3)."""
    if argument < 24:
        return bytes([major << 5 | argument])
    for info, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if argument < 1 << 8 * size:
            return bytes([major << 5 | info]) + argument.to_bytes(size, "big")


def integer(number):
    return head(0, number) if number >= 0 else head(1, -1 - number)


def real(number):
    if number != number:
        return bytes.fromhex("f97e00")
    for initial, form in ((0xF9, ">e"), (0xFA, ">f")):
        try:
            packed = struct.pack(form, number)
        except OverflowError:
            continue
        if struct.unpack(form, packed)[0] == number:
            return bytes([initial]) + packed
    return b"\xfb" + struct.pack(">d", number)


def cbor(value):
    (kind, content), = value.items()
    if kind == "string":
        return head(3, len(content.encode())) + content.encode()
    if kind == "integer":
        return integer(content)
    if kind == "real":
        return real(struct.unpack(">d", bytes.fromhex(content))[0])
    if kind == "bool":
        return b"\xf5" if content else b"\xf4"
    if kind == "date":
        seconds, nanoseconds = content
        if nanoseconds == 0:
            return head(6, 1) + integer(seconds)
        return head(6, 1001) + head(5, 2) + integer(1) + integer(seconds) + integer(-9) + integer(nanoseconds)
    if kind == "data":
        return head(2, len(content) // 2) + bytes.fromhex(content)
    if kind == "array":
        return head(4, len(content)) + b"".join(map(cbor, content))
    fields = sorted(content, key=lambda field: (len(field[0].encode()), field[0].encode()))
    return head(5, len(fields)) + b"".join(cbor({"string": name}) + cbor(value) for name, value in fields)


def escaped(text):
    return text.replace(b"\x01", b"\x01\x03").replace(b"\x00", b"\x01\x02")


def digits(number, count):
    """The last digits of a number to the base 64, from the characters "0" to "o"."""
    return bytes(ord("0") + (number >> 6 * place) % 64 for place in reversed(range(count)))


def ordered(number, rest):
    """Eleven digits that sort like the real, and two of the rest."""
    bits, = struct.unpack(">Q", struct.pack(">d", number))
    if number == 0:
        bits = 0
    word = 2**64 - 1 if number != number else bits | 1 << 63 if bits >> 63 == 0 else bits ^ 2**64 - 1
    return b"2" + digits(word, 11) + digits(rest, 2)


def comparable(value):
    """The bytes that a blind authenticates."""
    (kind, content), = value.items()
    if kind == "bool":
        return b"11" if content else b"10"
    if kind == "integer":
        real = float(content)
        if int(real) > content or real >= 2.0**63:
            bits, = struct.unpack(">q", struct.pack(">d", real))
            real, = struct.unpack(">d", struct.pack(">q", bits - 1 if real > 0 else bits + 1))
        return ordered(real, content - int(real))
    if kind == "real":
        return ordered(struct.unpack(">d", bytes.fromhex(content))[0], 0)
    if kind == "date":
        seconds, nanoseconds = content
        return b"3" + digits(seconds + 2**63, 11) + (digits(nanoseconds, 5) if nanoseconds else b".")
    if kind == "string":
        return b"4" + escaped(content.encode()) + b"\x01\x01"
    if kind == "data":
        return b"5" + escaped("".join(map(chr, bytes.fromhex(content))).encode()) + b"\x01\x01"
    if kind == "array":
        return b"6" + b"".join(map(comparable, content)) + b"\x01\x01"
    fields = sorted(content, key=lambda field: (len(field[0].encode()), field[0].encode()))
    return b"7" + b"".join(escaped(n.encode()) + b"\x01\x01" + comparable(v) for n, v in fields) + b"\x01\x01"


def subkey(key, purpose, field):
    info = b"userprofile-sealing-1 " + purpose + b" " + field
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(key)


def blind(key, field, value):
    code = hmac.HMAC(subkey(key, b"blind", field), hashes.SHA256())
    code.update(comparable(value))
    return code.finalize()[:16]


def seal(number, data_key, blind_key, field, value, is_searchable, record, nonce):
    header = bytes([1, int(is_searchable)]) + number.to_bytes(4, "big") + field
    if is_searchable:
        header += blind(blind_key, field, value)
    ciphertext = AESGCM(subkey(data_key, b"value", field)).encrypt(nonce, cbor(value), header + record.encode())
    return header + nonce + ciphertext


def bits(number):
    return {"real": struct.pack(">d", number).hex()}


VALUES = [
    {"string": ""}, {"string": "vision@example.com"}, {"string": "naïve \x00\x01\x02 👩‍🚀"}, {"string": "x" * 300},
    *({"integer": n} for n in (0, 1, 23, 24, -1, -25, 256, 70000, 2**53 + 1, -2**53 - 1, 2**63 - 1, 2**63 - 513, -2**63)),
    *map(bits, (0.0, -0.0, 1.0, 1.5, 0.1, -2.75e300, 65504.0, 1e-7, float("inf"), float("-inf"), float("nan"), 2.0**-24)),
    {"bool": True}, {"bool": False},
    {"date": [1322697600, 0]}, {"date": [-5, 999999999]}, {"date": [-2**63, 1]}, {"date": [2**63 - 1, 0]},
    {"data": ""}, {"data": "00017f80ff"}, {"array": []},
    {"array": [{"integer": 1}, {"string": "two"}, {"array": [{"bool": True}]}, {"record": []}]},
    {"record": [["b", {"integer": 2}], ["a", {"string": "x"}], ["longer", {"date": [0, 5]}], ["é", {"data": "01"}]]},
]


def main():
    program, data_key, blind_key = (random(name, 32) for name in ("program key", "data key", "blind key"))
    number, salt, passphrase = 0x01020304, random("salt", 16), "correct horse battery staple, naïve"
    derived = Scrypt(salt=salt, length=32, n=1 << 14, r=8, p=1).derive(passphrase.encode())
    answers = []
    for index, value in enumerate(VALUES):
        for is_searchable in (False, True):
            name = f"{index} {is_searchable}"
            field, nonce = random(f"field {name}", 16), random(f"nonce {name}", 12)
            record = ["me", "130010", "日本 é", "x" * 450][index % 4]
            answers.append({
                "value": value, "isSearchable": is_searchable, "record": record, "field": field.hex(), "nonce": nonce.hex(),
                "cbor": cbor(value).hex(), "comparable": comparable(value).hex(),
                "sealed": seal(number, data_key, blind_key, field, value, is_searchable, record, nonce).hex()})
    keys = {
        "programKey": program.hex(), "dataKeyNumber": number, "dataKey": data_key.hex(), "blindKey": blind_key.hex(),
        "wrappedDataKey": aes_key_wrap(program, data_key).hex(), "wrappedBlindKey": aes_key_wrap(program, blind_key).hex(),
        "passphrase": passphrase, "salt": salt.hex(), "derivedKey": derived.hex(),
        "wrappedByDerivedKey": [aes_key_wrap(derived, key).hex() for key in (data_key, blind_key)]}
    lines = [f'"{name}": {json.dumps(value)}' for name, value in keys.items()]
    print("{", ",\n".join(lines) + ",", '"answers": [', ",\n".join(map(json.dumps, answers)), "]}", sep="\n")


main()
