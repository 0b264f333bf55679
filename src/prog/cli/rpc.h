/* rpc.h - JSON-RPC 2.0 as MCP uses it on standard input and output: one message a line. */
#ifndef CLI_RPC_H
#define CLI_RPC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "base/value.h"
#include "warder.h"

#define RPC_MEMORY_MAX ((size_t)256 * 1024 * 1024) /* of one message and its answer */

enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_INVALID_PARAMS = -32602,
};

struct rpc_message {
    struct value value;
    struct str method;      /* empty: a response */
    const struct value *id; /* NULL: a notification, which has no answer */
    const struct value *params;
};

/* Below an arena_try(). False: *code and *why say what is wrong with it. */
bool rpc_read(struct arena *a, struct str line, struct rpc_message *out, int *code,
              const char **why);

/* Is it a request, a notification or a response, and nothing that another reader could take for
 * something else? Some match keys without their case, and would find a method where we see none.
 * False: *why. */
bool rpc_is_clear(const struct rpc_message *m, const char **why);
/* The same for the members of params. `known`: their names, separated by blanks. */
bool rpc_keys_are_clear(const struct value *object, const char *known);

/* Answers, each a line with its line feed. id NULL: null. */
struct str rpc_error(struct arena *a, const struct value *id, int code, const char *why);
struct str rpc_result(struct arena *a, const struct value *id,
                      struct str result); /* `result` is JSON */
/* The result of tools/call: one text. */
struct str rpc_tool_text(struct arena *a, struct str text, bool is_error);

/* What is asked of the engine: a tool of some name with some arguments. */
struct rpc_call {
    struct str tool;
    const struct value *input;       /* NULL: {} */
    const struct value *tool_use_id; /* NULL: none */
    const struct value *annotations; /* NULL: none */
    const char *client;
    struct str session, cwd; /* empty: not given */
};

/* Judges it, asks a person or hook where there is one (`to_the_end`; else an ask stays an ask), and
 * records it. NULL denies. */
warder_decision *rpc_judge(struct arena *a, warder_engine *engine, const struct rpc_call *call,
                           bool to_the_end);

#endif
