"""The real AWS CLI (version 1, a Python program), started once: each call is a copy of this process.

Most of a call's time goes into starting the CLI. Here that is done beforehand. A call has the arguments, environment,
directory and files of whoever asks (call.py), and from there on goes the CLI's own way.

Arguments: the socket to listen at, and calls that load what later ones need; nobody answers these.
"""

import array
import gc
import json
import os
import signal
import socket
import sys

from awscli import clidriver
from botocore.loaders import JSONFileLoader


def keep_what_is_read():
    read = JSONFileLoader.load_file
    kept = {}

    def read_once(self, path):
        if path not in kept:
            kept[path] = read(self, path)
        return kept[path]

    JSONFileLoader.load_file = read_once


def rehearse(calls):
    keep_what_is_read()
    streams = os.dup(1), os.dup(2)
    for stream in 1, 2:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    for call in calls:
        clidriver.create_clidriver().main(call.split())
    for stream, was in enumerate(streams, start=1):
        os.dup2(was, stream)
    gc.freeze()


def answer(connection):
    message, ancillary, _, _ = connection.recvmsg(1 << 20, socket.CMSG_SPACE(3 * 4))
    files = array.array("i")
    for _, _, data in ancillary:
        files.frombytes(data)
    while not message.endswith(b"\n"):
        message += connection.recv(1 << 20)
    call = json.loads(message)
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.chdir(call["directory"])
    # Where the CLI finds its own data: it says so to itself when it starts.
    data = os.environ["AWS_DATA_PATH"]
    os.environ.clear()
    os.environ.update(call["environment"], AWS_DATA_PATH=data)
    sys.argv = ["aws", *call["arguments"]]
    status = 255
    try:
        status = clidriver.main()
    except SystemExit as end:
        status = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        connection.sendall(bytes([status or 0]))
        os._exit(0)


def listen(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(16)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            answer(connection)
        connection.close()


rehearse(sys.argv[2:])
listen(sys.argv[1])
