"""The real AWS CLI (version 1, a Python program), started once: each call is a copy of this process.

Most of a call's time goes into starting the CLI. Here that is done beforehand. A call has the arguments, environment,
directory and files of whoever asks (call.py), and from there on goes the CLI's own way.

Arguments: the socket to listen at, and calls that load what later ones need; nobody answers these.
"""

import array
import gc
import os
import signal
import socket
import sys

from awscli import clidriver
from botocore import hooks
from botocore.loaders import JSONFileLoader, Loader


def keep_what_is_read():
    """What the CLI reads of its own files, and which of them there are, is the same for every call."""
    read = JSONFileLoader.load_file
    kept = {}

    def read_once(self, path):
        if path not in kept:
            kept[path] = read(self, path)
        return kept[path]

    JSONFileLoader.load_file = read_once

    make_loader = Loader.__init__
    found = {}

    def make_with_findings(self, *arguments, **named):
        make_loader(self, *arguments, **named)
        self._cache = found.setdefault(tuple(self.search_paths), self._cache)

    Loader.__init__ = make_with_findings


def keep_what_is_computed():
    """Names of events, and the form of their handlers: each depends on nothing but its argument."""
    make_aliaser = hooks.EventAliaser.__init__
    aliases = {}

    def make_with_aliases(self, *arguments, **named):
        make_aliaser(self, *arguments, **named)
        self._alias_name_cache = aliases

    hooks.EventAliaser.__init__ = make_with_aliases

    accepts_kwargs = hooks.accepts_kwargs
    forms = {}

    def accepts_kwargs_once(handler):
        code = getattr(handler, "__code__", None)
        if code is None:
            return accepts_kwargs(handler)
        if code not in forms:
            forms[code] = accepts_kwargs(handler)
        return forms[code]

    hooks.accepts_kwargs = accepts_kwargs_once


def rehearse(calls):
    keep_what_is_read()
    keep_what_is_computed()
    streams = os.dup(1), os.dup(2)
    for stream in 1, 2:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    for call in calls:
        clidriver.create_clidriver().main(call.split())
    for stream, was in enumerate(streams, start=1):
        os.dup2(was, stream)
    # A call is too short to collect garbage.
    gc.freeze()
    gc.disable()


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
    # Where the CLI finds its own data: it says so to itself when it starts.
    data = os.environ["AWS_DATA_PATH"]
    os.environ.clear()
    os.environ.update(dict(text.split("=", 1) for text in environment), AWS_DATA_PATH=data)
    sys.argv = ["aws", *arguments]
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
