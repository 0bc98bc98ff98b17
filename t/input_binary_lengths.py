"""Sends binary values of 0 to 64 bytes as objectid, alone and inside of other
values, over one connection, and prints what became of each.  For t/input_binary_lengths.pl."""
import struct
import sys

from psycopg import pq

conn = pq.PGconn.connect(sys.argv[1].encode())
assert conn.status == pq.ConnStatus.OK, conn.error_message


def oid(name):
    return int(conn.exec_(b"SELECT '%s'::regtype::oid" % name).get_value(0, 0))


OBJECTID = oid(b"objectid")
INTEGER = oid(b"integer")


def field(value):
    return struct.pack("!i", len(value)) + value


def parameter(value, sent_as=b"objectid"):
    return conn.exec_params(b"SELECT $1::objectid", [value], [oid(sent_as)], [1], 1)


def domain(value):
    return parameter(value, b"order_id")


def array(value):
    # between two valid elements
    right = field(bytes(12))
    message = struct.pack("!iiIii", 1, 0, OBJECTID, 3, 1) + right + field(value) + right
    return conn.exec_params(b"SELECT ($1::objectid[])[2]", [message], [oid(b"objectid[]")], [1], 1)


def row(value):
    message = struct.pack("!iI", 2, INTEGER) + field(bytes(4)) + struct.pack("!I", OBJECTID) + field(value)
    return conn.exec_params(b"SELECT ($1::pair).id", [message], [oid(b"pair")], [1], 1)


def copy(value):
    conn.exec_(b"CREATE TEMP TABLE copied (id objectid)")
    conn.exec_(b"COPY copied FROM STDIN (FORMAT binary)")
    conn.put_copy_data(b"PGCOPY\n\xff\r\n\0" + struct.pack("!iih", 0, 0, 1) + field(value) + struct.pack("!h", -1))
    conn.put_copy_end()
    result = conn.get_result()
    while conn.get_result():
        pass
    if result.status == pq.ExecStatus.COMMAND_OK:
        result = conn.exec_params(b"SELECT id FROM copied", [], result_format=1)
    conn.exec_(b"DROP TABLE copied")
    return result


for what, send in ("parameter", parameter), ("domain", domain), ("array", array), ("row", row), ("COPY", copy):
    for length in range(65):
        value = bytes(range(0xC0, 0xC0 + length))
        result = send(value)
        if result.status == pq.ExecStatus.TUPLES_OK:
            outcome = "the same bytes" if result.get_value(0, 0) == value else "other bytes"
        else:
            outcome = "%s, %s" % tuple(
                result.error_field(f).decode()
                for f in (pq.DiagnosticField.SQLSTATE, pq.DiagnosticField.MESSAGE_PRIMARY)
            )
        print(f"{what}, {length} bytes: {outcome}")
