/* call.h - the question: one tool call that an agent wants to make, as a typed value. */
#ifndef CALL_CALL_H
#define CALL_CALL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"
#include "call/tool.h"

#define CALL_MAX_BYTES (10 * 1000 * 1000)
#define CALL_WAIT_MAX  86400 /* seconds; longer waits are cut to this */

struct call {
    struct str tool;        /* as the client named it */
    const struct tool *row; /* NULL: unknown tool */
    enum tool_kind kind;
    struct str server;           /* of an MCP tool */
    const struct value *input;   /* always an object */
    bool read_only, destructive; /* the MCP server's annotations */
    struct str tool_use_id, session;
    struct str cwd, project; /* absolute, cleaned, NUL-terminated */
    bool cwd_unknown;        /* the shell may be in a different directory */
    /* why the call is in doubt although its words are understood; empty: it is not */
    struct str doubt;
    struct str mode; /* empty: not given */
    bool subagent;   /* another agent has started the one that asks, with settings of its own */
    bool main_agent; /* its client tells of sub-agents, and this is none */
    bool mode_given; /* given by the call itself, not by the defaults */
    struct str plan_file;
    struct str worker_id, task_id; /* who is asking; recorded, and the first is matched by `when` */
    struct str project_id;         /* recorded, and matched by rules with a scope */
    /* the caller may not choose the project by itself: no accept rule counts because of the name
     * (project_id) or the directory (project) that it gave */
    bool name_unproved, project_unproved;
    bool worker_unproved,
        client_unproved; /* the same of who is asking: `when` takes it as unknown */
    struct str task_description,
        worktree_path;    /* "context": shown to a reviewer; the worktree is also the default cwd */
    struct str review_id; /* of an earlier answer: the caller wants its outcome */
    bool no_review;       /* the caller asks a person itself */
    struct str tier;      /* of the cell to judge by, in checks; empty: not given */
    struct str client;    /* which program the worker runs; recorded, and matched by `when` */
    uint32_t wait_ms;     /* how long the answer may wait for a person */
};

/* Used where the call itself says nothing. */
struct call_defaults {
    struct str cwd, project; /* absolute, cleaned, NUL-terminated; no project: the cwd */
    struct str home, mode, plan_file;
    struct str session, client;
};

/* Reads {"tool": ..., "input": {...}, "cwd": ..., ...}; also "tool_name" and "tool_input", as hooks
 * spell them. An unknown field is an error: it may have been meant to make the call stricter. */
enum status call_read(struct arena *a, const struct value *object,
                      const struct call_defaults *defaults, struct call *out, struct error *err);

/* A call of `tool` with one argument, the tool's first one. */
enum status call_make(struct arena *a, struct str tool, struct str argument,
                      const struct call_defaults *defaults, struct call *out, struct error *err);

/* A call of `tool` with a parsed input. */
enum status call_from_input(struct arena *a, struct str tool, const struct value *input,
                            const struct call_defaults *defaults, struct call *out,
                            struct error *err);

/* The name and value of the first argument. False if the tool has none or the call lacks it. */
bool call_first(struct arena *a, const struct call *c, struct str *field, struct str *value);

/* An input field as text; lists and objects become compact JSON. */
struct str call_field_text(struct arena *a, const struct value *v);

/* The text that a shell tool would run; a list of words is quoted and joined. False if there is
 * none. */
bool call_command(struct arena *a, const struct call *c, struct str *command);

/* The directory that the call runs in: shell and patch tools may name their own. Empty: not
 * known. */
struct str call_directory(struct arena *a, const struct call *c, struct str home);

/* Every path that the input names, as written. */
void call_paths(struct arena *a, const struct call *c, struct strs *paths);

/* A field that disagrees with another name of the same argument ("command" and "cmd", "file_path"
 * and "path"), or NULL. Each client reads only one of them, and the call does not show which. */
const struct member *call_contradiction(struct arena *a, const struct call *c);

bool call_knows_field(const struct call *c, struct str name);

/* The next input field that is not in the tool's row or names an unknown shell; *at starts at 0.
 * NULL after the last. */
const struct member *call_unknown_field(const struct call *c, size_t *at);

#endif
