"""Asks server.py for one call of the AWS CLI. Arguments: its socket, and the call's.

A call is: the length of the rest, a line end, and texts that end with NUL: the directory, the number of arguments, the
arguments, and the environment. The modules are those that load fastest, because scripts call this often.
"""

import sys
from _socket import AF_UNIX, SCM_RIGHTS, SOL_SOCKET, socket
from os import _exit, environb, fsencode, getcwdb

connection = socket(AF_UNIX)
connection.connect(sys.argv[1])
arguments = [fsencode(argument) for argument in sys.argv[2:]]
environment = [name + b"=" + value for name, value in environb.items()]
texts = [getcwdb(), b"%d" % len(arguments), *arguments, *environment]
body = b"".join(text + b"\0" for text in texts)
message = b"%d\n" % len(body) + body
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
sent = connection.sendmsg([message], [(SOL_SOCKET, SCM_RIGHTS, streams)])
connection.sendall(message[sent:])
# Nothing is left to flush.
_exit((connection.recv(1) or b"\xff")[0])
