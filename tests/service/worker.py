#!/usr/bin/env python3
"""A worker as the service sees it: a process that wants to run commands and asks before each of them.

    worker.py (--socket PATH | --url URL --token-file FILE) [--wait SECONDS] -- COMMAND

Runs COMMAND with bash when the service allows it, and exits as the command does; else exits with 126. The last line on
standard error is what the service said.
"""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import urllib.parse


def over_socket(path, call):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(json.dumps(call).encode() + b"\n")
        return json.loads(connection.makefile("rb").readline())


def over_http(url, token, call):
    where = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname, where.port)
    connection.request("POST", "/v1/check", json.dumps(call),
                       {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    return json.loads(connection.getresponse().read())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--socket")
    parser.add_argument("--url")
    parser.add_argument("--token-file")
    parser.add_argument("--worker", default="w-1")
    parser.add_argument("--task", default="t-1")
    parser.add_argument("--project", default="p-1")
    parser.add_argument("--wait", type=int, default=60)
    parser.add_argument("command")
    args = parser.parse_args()
    here = os.getcwd()
    call = {"tool": "Bash", "input": {"command": args.command}, "cwd": here, "worker_id": args.worker, "task_id": args.task,
            "project_id": args.project, "wait": args.wait,
            "context": {"task_description": "mend the build", "worktree_path": here}}
    if args.socket:
        said = over_socket(args.socket, call)
    else:
        with open(args.token_file, encoding="ascii") as file:
            said = over_http(args.url, file.read().strip(), call)
    code = 126
    if said.get("behavior") == "allow":
        code = subprocess.run(["bash", "-c", args.command], check=False).returncode
    sys.stdout.flush()
    print(json.dumps(said), file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
