"""Asks server.py for one call of the AWS CLI. Arguments: its socket, and the call's."""

import array
import json
import os
import socket
import sys

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
call = {"arguments": sys.argv[2:], "directory": os.getcwd(), "environment": dict(os.environ)}
files = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))
message = json.dumps(call).encode() + b"\n"
sent = connection.sendmsg([message], [files])
connection.sendall(message[sent:])
sys.exit((connection.recv(1) or b"\xff")[0])
