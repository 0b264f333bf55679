/* fakeworld.h - a fake machine without a disk, and rows of programs that a policy could add: for
 * the targets that judge shell texts. */
#ifndef FUZZ_FAKEWORLD_H
#define FUZZ_FAKEWORLD_H

#include <stdio.h>

#include "base/world.h"
#include "programs/programs.h"

static enum file_kind kind(void *context, const char *path)
{
    (void)context;
    return strstr(path, "new") ? FILE_ABSENT : strchr(path, '.') ? FILE_REGULAR : FILE_DIRECTORY;
}

static bool resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    (void)context;
    snprintf(out, WORLD_PATH_MAX, "%s", strstr(path, "link") ? "/home/u/.ssh/id_rsa" : path);
    return strlen(path) < WORLD_PATH_MAX;
}

static bool list(void *context, const char *directory, char *out, size_t size)
{
    static const char names[] = "a.c\0b\0-rf\0link\0";

    (void)context;
    (void)directory;
    if (size < sizeof(names))
        return false;
    memcpy(out, names, sizeof(names));
    return true;
}

static bool repository(void *context, const char *directory, char out[WORLD_PATH_MAX])
{
    (void)context;
    snprintf(out, WORLD_PATH_MAX, "%s", "/w/.git");
    return strncmp(directory, "/w", 2) == 0;
}

static bool program(void *context, struct str name, char out[WORLD_PATH_MAX])
{
    (void)context;
    snprintf(out, WORLD_PATH_MAX, "/usr/bin/%.*s", STR_ARG(name));
    return name.len && name.s[0] != 'x';
}

static const struct world world = {
    .kind = kind, .resolve = resolve, .list = list, .repository = repository, .program = program};

/* Rows that a policy file could add; sorted by name. */
static struct program_row rows[] = {
    {"lock", "-t=", ". I", 0, "made up", PROGRAM_BY_USER, true},
    {"run", "-c=S -q", ".*", 0, "made up", PROGRAM_BY_USER},
    {"tool", "mixed -v -o,--out=W --hook=X", "sub", 0, "made up", PROGRAM_BY_PROJECT},
    {"tool push", "-v", "R+", EFFECT_SEND, "made up", PROGRAM_BY_PROJECT},
};
static struct program_rows programs = {rows, COUNT(rows), COUNT(rows)};

#endif
