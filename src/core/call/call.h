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
#define CALL_WAIT_MAX  86400 /* seconds; longer ones are cut to this */

struct call {
    struct str tool;        /* as the client named it */
    const struct tool *row; /* NULL: nobody knows this tool */
    enum tool_kind kind;
    struct str server;           /* of an MCP tool */
    const struct value *input;   /* always an object */
    bool read_only, destructive; /* the MCP server's annotations */
    struct str tool_use_id, session;
    struct str cwd, project; /* absolute, cleaned, NUL-terminated */
    bool cwd_unknown;        /* the shell may stand elsewhere than cwd says */
    struct str doubt;        /* why it is not understood, though its words are; empty: no doubt */
    struct str mode;         /* empty: not said */
    bool mode_given;         /* by the call itself, not by the defaults */
    struct str plan_file;
    struct str worker_id, task_id; /* who asks, for the record; no verdict depends on them */
    struct str project_id;         /* likewise, and what rules with a scope look at */
    struct str task_description,
        worktree_path;    /* "context": for a reviewer; without a cwd, the worktree is it */
    struct str review_id; /* of an earlier answer, whose end is asked for */
    bool no_review;       /* the caller puts an ask to a person itself */
    struct str client;    /* which program the worker is, for the record */
    uint32_t wait_ms;     /* how long the answer may be held while a person is asked */
};

/* What holds where the call itself says nothing. */
struct call_defaults {
    struct str cwd, project; /* absolute, cleaned and NUL-terminated; project empty: the cwd */
    struct str home, mode, plan_file;
    struct str session, client;
};

/* Reads {"tool": ..., "input": {...}, "cwd": ..., ...}; also "tool_name" and
 * "tool_input", as hooks spell them. A field that nobody knows is an error: it
 * may have been meant to make the call stricter. */
enum status call_read(struct arena *a, const struct value *object,
                      const struct call_defaults *defaults, struct call *out, struct error *err);

/* A call of `tool` with one argument, the tool's first one. */
enum status call_make(struct arena *a, struct str tool, struct str argument,
                      const struct call_defaults *defaults, struct call *out, struct error *err);

/* A call of `tool` with an input that was read already. */
enum status call_from_input(struct arena *a, struct str tool, const struct value *input,
                            const struct call_defaults *defaults, struct call *out,
                            struct error *err);

/* The name and value of the first argument. False when the tool has none or the call does not carry
 * it. */
bool call_first(struct arena *a, const struct call *c, struct str *field, struct str *value);

/* A field of the input as text: lists and objects as compact JSON. */
struct str call_field_text(struct arena *a, const struct value *v);

/* The text a shell tool would run; a list of words is quoted and joined. False when there is none.
 */
bool call_command(struct arena *a, const struct call *c, struct str *command);

/* The directory in which the call acts: a shell tool may name its own, and a patch. */
struct str call_directory(struct arena *a, const struct call *c, struct str home);

/* Every path that the input names, as written. */
void call_paths(struct arena *a, const struct call *c, struct strs *paths);

/* A field that says otherwise than another name of the same argument ("command" and "cmd",
 * "file_path" and "path"), or NULL. Each client looks at one of them; which, nobody can tell from
 * the call. */
const struct member *call_contradiction(struct arena *a, const struct call *c);

bool call_knows_field(const struct call *c, struct str name);

/* The first input field that the tool's row does not know, or which names a shell that nobody
 * knows; or NULL. */
const struct member *call_unknown_field(const struct call *c);

#endif
