/* client.h - the agents that ask Warder: how each of them spells a call, and which answers it
 * honours.
 *
 * No two have the same protocol, and nearly all of them fail open: an answer in
 * the wrong shape lets the call run. So everything that is known of a client is
 * one row of call/agents.def, and what is made of it are pure functions: the
 * client's JSON to a question, a verdict to what is printed. Nothing here reads
 * or writes.
 *
 * The rows were measured on the real programs where they could be run (Claude
 * Code 2.1, Codex 0.166, Gemini CLI 0.61, Copilot CLI 1.0, Qwen Code 0.24,
 * OpenCode 1.18); the others follow the clients' own documentation. Where a
 * document says nothing, the row has the stricter value. */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"
#include "facts/facts.h"
#include "rule/mode.h"

#define CLIENT_TEXT_MAX                                                                            \
    8000 /* bytes of one text for the model or the person; clients cut at 10,000 */

enum event_kind {
    EVENT_NONE = 0,
    EVENT_TOOL,       /* a tool is about to run */
    EVENT_PERMISSION, /* the client itself would ask the person now: no answer leaves that to it */
    EVENT_CONFIG,     /* the client's settings changed while it runs */
    EVENT_RAN,        /* a tool has run: nothing is answered */
};

/* How an answer is written. */
enum answer_shape {
    ANSWER_EXIT = 0,   /* exit 0 or 2 and a line on standard error; nothing else is read */
    ANSWER_SPECIFIC,   /* hookSpecificOutput.permissionDecision */
    ANSWER_DENY_ONLY,  /* the same, but no answer for allow: a bare allow is an error there, and
                          after an error the call runs */
    ANSWER_REQUEST,    /* hookSpecificOutput.decision.behavior */
    ANSWER_BEHAVIOR,   /* top-level behavior and message */
    ANSWER_TOP,        /* top-level permissionDecision, modifiedArgs */
    ANSWER_DECISION,   /* top-level decision and reason */
    ANSWER_PERMISSION, /* top-level permission, user_message, agent_message */
    ANSWER_CRUSH,      /* decision, reason and halt, with a version */
    ANSWER_CANCEL,     /* cancel, review, errorMessage */
    ANSWER_PLUGIN,     /* for the plugin that we ship ourselves */
    ANSWER_BLOCK,      /* decision "block", or no answer */
};

/* What becomes of an input that a hook or a person changed. */
enum rewrite {
    REWRITE_NO = 0,  /* the client would run the old one: then nothing may run */
    REWRITE_REPLACE, /* ours takes the place of the old one */
    REWRITE_MERGE,   /* ours is merged into the old one: a member that was removed would stay */
};

/* How a client writes the name of an MCP server's tool. */
enum mcp_name {
    MCP_OURS = 0,   /* mcp__server__tool */
    MCP_UNDERSCORE, /* mcp_server_tool; mcp_context says it exactly, where there is one */
    MCP_AT,         /* @server/tool */
    MCP_TRIPLE,     /* server___tool */
    MCP_COLON,      /* MCP:tool, without the server's name */
};

/* Which shell will read the command. */
enum client_shell {
    SHELL_BASH = 0,
    SHELL_USERS,    /* the person's login shell */
    SHELL_EMBEDDED, /* a shell inside the client: reads most texts as bash does, but not all */
};

/* One kind of question. Lists are separated by blanks; a field is named by its path
 * ("tool_call.name"). */
struct client_event {
    const char *name; /* spellings */
    enum event_kind kind;
    enum answer_shape shape;
    const char *tool;   /* the tool that it is always about; NULL: the client's `tool` field names
                           it. A prefix if it ends in two underscores */
    const char *input;  /* the object that is the input; NULL: the client's `input` field */
    const char *fields; /* instead: "ours=theirs" makes the input up; the first must be there */
    bool repeats; /* EVENT_PERMISSION: our allow was heard before, and it asks all the same: its own
                     rules want that, and only a person lifts them */
    bool contains;    /* an allow with another command is honoured: that one runs, and not the one
                         that was asked about (measured) */
    const char *asks; /* tools whose ask the client passes on to the person; "*": all; NULL:
                         none, an ask must be a deny */
};
#define CLIENT_EVENTS_MAX 5

struct client {
    const char *name, *title;
    const char *aliases;

    /* How it spells a call. */
    const char *event, *tool, *input, *session, *use_id, *cwd,
        *mode;         /* fields; the first one present counts */
    const char *agent; /* likewise: which sub-agent asks; none of them: the agent itself does */
    bool tells_mode;   /* its events say in which mode it runs, and it has one that edits */
    bool tells_agent;  /* an event without one of them is the agent's own */
    const char *modes; /* "theirs=ours" where rule/mode.c would read another mode */
    const char *tools; /* "theirs=ours" where call/tool.c has no alias */
    enum mcp_name mcp;
    struct client_event events[CLIENT_EVENTS_MAX];

    /* What it does with an answer. */
    enum rewrite rewrite;
    bool rules_read;        /* its own deny and ask rules are read as policy */
    bool interrupts;        /* an answer can end the agent's loop */
    bool lifts_edits;       /* in its acceptEdits it asks about more than we do, and our allow can
                               lift that; its own deny and ask rules still count */
    const char *asks_needs; /* a field without which it is an older version that has no ask */

    /* What it does with a command. */
    bool cwd_moves;   /* commands run where an earlier one left the shell: the reported cwd is
                         not it */
    bool starts_anew; /* each command has a shell of its own, in the directory that was reported */
    bool stdin_unhooked; /* it can type into a running program without asking us */
    enum client_shell shell;
    const char *project;  /* the variable that names the project; NULL: the hook runs in it */
    const char *attended; /* the variable that says whether a person is there, "1"; NULL: an ask is
                             denied where nobody is */
    bool no_use_id;       /* its calls have no ID: what has run is known by the call itself */
    const char *moved; /* the variable that replaces the first directory of its user's settings */
    const char *moved_from; /* that directory, below the home */

    /* Where rules of its own may be, if they are not read (engine/cell_rules.h). Places begin with
     * ~/, ./ (the project and what is above it) or /; one that ends in / is a directory; after a ?
     * are texts, one of which stands in every rule that denies or asks. NULL: not known. */
    const char *rules_in;
    const char *rules_set;   /* variables that bring some */
    const char *rules_flags; /* options that do, of the client or what has started it */

    /* How its events are recognised: fields that they have, fields that they lack. */
    const char *has, *lacks;
};

extern const struct client clients[]; /* ends with a row that has no name */

const struct client *client_find(struct str name); /* by name or alias; NULL when there is none */

/* The client whose event this is. NULL when none is recognised, or more than one. */
const struct client *client_recognise(const struct value *event);

/* What a client asks. Everything points into the event or the arena. */
struct client_question {
    const struct client *client;
    const struct client_event *event;
    struct str event_name; /* as the client spelled it */
    struct str tool;       /* our name for it, where there is one */
    const struct value *input;
    struct str cwd, mode, session, use_id; /* empty: not given */
    struct str agent;                      /* empty: it is not a sub-agent's */
    bool asks;                             /* an ask can be left to the client */
    struct str changed_file;               /* EVENT_CONFIG */
};

/* Unknown fields are ignored: clients add them at any time. A field that is needed and missing is
 * an error. */
enum status client_read(struct arena *a, const struct client *client, const struct value *event,
                        struct client_question *out, struct error *err);

/* Does it tell us what has run? */
bool client_tells_ran(const struct client *client);
/* Does it run the command that it is answered, and not its own? */
bool client_contains(const struct client *client);

/* The question as the engine takes it. `project`: empty: not given. `with_mode`: in the mode that
 * the client reports. `doubt`: why an allow would not hold with this client; empty: it would. */
struct str client_call(struct arena *a, const struct client_question *q, struct str project,
                       bool with_mode, struct str doubt);

/* Why an allow does not hold with this client, though the call by itself is fine; empty when it
 * does. `login_shell`: the person's. */
struct str client_doubt(struct arena *a, const struct client_question *q, const struct facts *f,
                        struct str login_shell);

/* A zeroed verdict denies. */
struct client_verdict {
    enum behavior behavior;
    bool by_mode;        /* allowed, but only because of the mode that the client reported */
    struct str message;  /* for the model, and for the person if one is asked */
    struct str approval; /* an ID by which a person can approve it; empty: there is none */
    struct str for_rule; /* an ID of which a person can make a rule that allows it; likewise */
    struct str undo;     /* an ID by which a person can undo an allowed one; likewise */
    const struct value *updated_input; /* NULL: unchanged */
    bool interrupt;
};

struct client_answer {
    struct str out, err; /* whole texts; `err` is one line without its end */
    int code;            /* 0 or CLIENT_BLOCKED */
};

/* The one exit code that every client takes for a block, if there is a line on standard error. */
#define CLIENT_BLOCKED 2

void client_answer(struct arena *a, const struct client_question *q, const struct client_verdict *v,
                   struct client_answer *out);

#endif
