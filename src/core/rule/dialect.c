#include "rule/dialect.h"

#include "base/glob.h"

static const struct dialect_row rows[] = {
    [DIALECT_WARDER] = {.name = "warder",
                        .escapes = "()\\*",
                        .tool_magic = "*",
                        .magic = "*",
                        .plain = MATCH_EXACT,
                        .starred = MATCH_GLOB,
                        .colon = true,
                        .prefix = true,
                        .tail = true,
                        .fields = true,
                        .paths = true,
                        .domains = true,
                        .servers = true},
    /* Python's fnmatch has no escape; the rule syntax consumes its backslashes first. */
    [DIALECT_FNMATCH] = {.name = "fnmatch",
                         .escapes = "()\\",
                         .tool_magic = "*?[",
                         .magic = "*?[",
                         .plain = MATCH_EXACT,
                         .starred = MATCH_GLOB,
                         .prefix = true,
                         .fields = true,
                         .domains = true,
                         .servers = true,
                         .raw = true},
    [DIALECT_DOUBLESTAR] = {.name = "doublestar",
                            .escapes = "",
                            .tool_magic = "*",
                            .magic = "*?[{\\",
                            .plain = MATCH_SUBSTRING,
                            .starred = MATCH_GLOB,
                            .flags = GLOB_PATH | GLOB_BRACES,
                            .raw = true},
    [DIALECT_FIRST_ARG] = {.name = "first-argument",
                           .escapes = "",
                           .tool_magic = "*?",
                           .magic = "*?",
                           .plain = MATCH_EXACT,
                           .starred = MATCH_GLOB,
                           .colon = true,
                           .raw = true},
    [DIALECT_ACTION] = {.name = "action",
                        .escapes = "",
                        .tool_magic = "*",
                        .magic = "*?[{\\",
                        .plain = MATCH_ACTION,
                        .starred = MATCH_ACTION,
                        .flags = GLOB_BRACES,
                        .tail = true},
    [DIALECT_TRAILING] = {.name = "trailing",
                          .escapes = "",
                          .tool_magic = "*",
                          .magic = "",
                          .plain = MATCH_EXACT,
                          .starred = MATCH_STARTS,
                          .raw = true},
};

_Static_assert(COUNT(rows) == DIALECT_COUNT, "every dialect has a row");

const struct dialect_row *dialect_row(enum dialect d)
{
    return &rows[d];
}

const char *dialect_name(enum dialect d)
{
    return rows[d].name;
}
