"""The real gcloud, started once: each call is a copy of this process.

Most of a call's time goes into starting gcloud. Here that is done beforehand. A call has the arguments, environment,
directory and files of whoever asks (../warm-aws/call.py), and from there on goes gcloud's own way.

Arguments: the `lib` directory of the Google Cloud SDK, the socket to listen at, and calls that load what later ones need;
their results do not matter.
"""

import array
import gc
import os
import signal
import socket
import sys

lib, path, *rehearsals = sys.argv[1:]
sys.path[:0] = [os.path.join(lib, "third_party"), lib]

from googlecloudsdk import gcloud_main  # noqa: E402


def rehearse(gcloud):
    streams = os.dup(1), os.dup(2)
    for stream in 1, 2:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    for call in rehearsals:
        try:
            gcloud.Execute(call.split())
        except SystemExit:
            pass
    sys.stdout.flush()
    sys.stderr.flush()
    for stream, was in enumerate(streams, start=1):
        os.dup2(was, stream)
    gc.freeze()


def answer(connection, gcloud):
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
    sys.argv = ["gcloud", *arguments]
    status = 255
    try:
        gcloud.Execute()
        status = 0
    except SystemExit as end:
        status = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        connection.sendall(bytes([status or 0]))
        os._exit(0)


def listen(gcloud):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(16)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            # What gcloud starts itself waits for its own children.
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            answer(connection, gcloud)
        connection.close()


gcloud = gcloud_main.CreateCLI([])
rehearse(gcloud)
listen(gcloud)
