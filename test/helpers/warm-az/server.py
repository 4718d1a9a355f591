"""The real az, started once: each call is a copy of this process.

Most of a call's time goes into starting az. Here that is done beforehand. A call has the arguments, environment, directory
and files of whoever asks (../warm-aws/call.py), and from there on goes az's own way. The directory of az's configuration is
this process's.

Arguments: the socket to listen at, and calls that load what later ones need; their results do not matter.
"""

import array
import gc
import logging
import os
import signal
import socket
import sys

path, *rehearsals = sys.argv[1:]

from azure.cli.core import get_default_cli  # noqa: E402


def run(arguments):
    """az without telemetry, which is off here (azure/cli/__main__.py). Each call configures its own log."""
    for logger in logging.root, *map(logging.getLogger, logging.root.manager.loggerDict):
        logger.handlers.clear()
    try:
        return get_default_cli().invoke(arguments)
    except SystemExit as end:
        return end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def rehearse():
    streams = os.dup(1), os.dup(2)
    for stream in 1, 2:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    for call in rehearsals:
        run(call.split())
    for stream, was in enumerate(streams, start=1):
        os.dup2(was, stream)
    gc.freeze()


def answer(connection):
    message, ancillary, _, _ = connection.recvmsg(1 << 20, socket.CMSG_SPACE(3 * 4))
    files = array.array("i")
    for _, _, data in ancillary:
        files.frombytes(data)
    length, _, body = message.partition(b"\n")
    while len(body) < int(length):
        body += connection.recv(1 << 20)
    directory, count, *texts = [os.fsdecode(text) for text in body.split(b"\0")[:-1]]
    arguments, environment = texts[: int(count)], texts[int(count) :]
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(dict(text.split("=", 1) for text in environment))
    sys.argv = ["az", *arguments]
    status = 255
    try:
        status = run(arguments) or 0
    finally:
        connection.sendall(bytes([status]))
        os._exit(0)


def listen():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(16)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            # What az starts itself waits for its own children.
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            answer(connection)
        connection.close()


rehearse()
listen()
