#!/usr/bin/env python3
"""A test as a user who has a home of its own, which no real user database names.

usage: tests/cell/at_home.py USER PROGRAM [ARG ...]    PROGRAM becomes the user itself"""
import os
import subprocess
import sys
import tempfile

from users import own_database

os.umask(0o022)
with tempfile.TemporaryDirectory(prefix="warder-home-", dir="/var/tmp") as place:
    user, home = int(sys.argv[1]), place + "/home"
    if os.getuid() != 0:
        print("SKIPPED: only root can become another user")
        sys.exit(77)
    os.chmod(place, 0o755)
    os.mkdir(home)
    os.chown(home, user, user)
    own_database(home, user)
    code = subprocess.run(sys.argv[2:]).returncode
sys.exit(code)
