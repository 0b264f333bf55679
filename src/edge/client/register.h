/* register.h - how an agent is told to ask Warder: which of its files says so, and in which words.
 *
 * Pure, as the rest of this room: texts in, texts out. */
#ifndef CLIENT_REGISTER_H
#define CLIENT_REGISTER_H

#include "base/list.h"
#include "client/client.h"

enum scope { SCOPE_USER = 0, SCOPE_PROJECT, SCOPE_MANAGED };
#define SCOPE_COUNT 3

/* What a client's reader of its own file takes besides JSON, and what it does with a file that it
 * cannot read. */
enum reads {
    READS_COMMENTS = 1,
    READS_COMMAS = 2,   /* before a closing bracket */
    READS_OR_STOPS = 4, /* it does not start then; else it goes on as if there were no file */
    READS_GUESSED = 8,  /* not measured: the strictest is taken */
};

#define REGISTER_TIMEOUT 10 /* seconds that the client is told to wait for us */

struct registration {
    const char *files[SCOPE_COUNT]; /* below the home, below the project, absolute; NULL: there is
                                       no such place; the client's variable may move the first */

    /* A JSON file of the client's, of which one list per event is ours to add to. $COMMAND,
     * $PROGRAM, $HOOK, $TIMEOUT; $LAUNCH: a member for PATH, of a client that starts hooks by the
     * first `bash` there and puts the value of $PATH in place of its name (measured). */
    const char *blank;  /* what a missing file is taken for */
    const char *events; /* the lists, below "hooks" */
    const char *ran;    /* likewise, of what tells us that a tool has run: the entry with --ran.
                           Whoever lacks them is registered, but what a person answers in the
                           client is not noted. NULL: none */
    const char *entry;
    unsigned reads;    /* bits of enum reads */
    const char *only;  /* the keys that the file may have; NULL: any */
    const char *typed; /* "path=kind": a value of another kind makes the client drop the file.
                          Kinds: text, object, list, bool, number, or the words a|b */
    /* A list of hooks with an entry that it cannot take is dropped, too. */
    const char *lists;    /* the events whose lists count for ours; NULL: a bad entry is skipped */
    const char *handlers; /* types that it knows; NULL: it skips what it does not */
    /* Or the whole file is ours; or a block of it, at its end: a [[hooks]] table, or what its first
     * and its last line enclose, which are comments. */
    const char *whole, *block;
    const struct registration *managed; /* another form for the whole machine; NULL: the same */

    const char
        *hooks_in; /* every place that it reads hooks from: "~/" below the home, "./" below
                      the project; "/" at the end: each file of a directory. NULL: not known */

    /* Files of a project that may switch hooks off, from its directory up to the root of its
     * repository; variables that do so; and the files of a project, the nearest on the way up, by
     * which it may set them. NULL: none that is known. */
    const char *off_in, *off_by, *off_env;

    unsigned per_second; /* the unit of its timeout; 0: it has none */
    bool executable;
    bool managed_stays; /* what switches hooks off elsewhere leaves those of managed settings on */
    bool
        shared; /* the directory of its settings is another agent's: it is not a sign of this one */
    const char *rival; /* a file whose existence makes the client ignore this one, below the home */
    const char *program; /* what it is started as */
    const char *live; /* a command line that takes a question as its last word, answers it without a
                         person and ends (measured); NULL: not known */
    bool live_shell;  /* that has a tool for shell commands (Gemini's and Qwen's have none) */
    const char *note; /* what else a person has to do or know */
    const char *trusts; /* the file beside, in which the client keeps which hooks a person has
                           trusted; NULL: it asks no one */

    /* An event with $CMD, a JSON string, in it: doctor sends it through the registered command. */
    const char *canary;
};

const struct registration *registration_of(const struct client *client);

/* What is written: the program to run, by an absolute path. */
struct registrar {
    const struct client *client;
    const struct registration *row;
    struct str program;
    struct str other;  /* also counts as ours: `warder` beside warder-hook; empty: none */
    struct str home;   /* for --home: the user database names another one; empty: it names this */
    struct str launch; /* the directory of our `bash` (prog/launch); empty: there is none */
    bool ran;          /* an entry for `ran` */
};

/* What is registered. It is static: which libraries another program loads, and so whether it starts
 * at all, a project could decide by the environment that it gives to hooks. */
#define REGISTER_HOOK "warder-hook"

/* The file's text with the registration in it, everything else byte for byte as it was; older ones
 * of ours are replaced. `text`.s NULL: there is no file. *out equals `text` when nothing has to
 * change. */
enum status register_add(struct arena *a, const struct registrar *r, struct str text,
                         struct str *out, struct error *err);

/* The file's text without it; .s NULL when nothing of the file is left. */
enum status register_remove(struct arena *a, const struct registrar *r, struct str text,
                            struct str *out, struct error *err);

/* One of our entries. */
struct registered_entry {
    struct str event;
    size_t group, handler; /* its place in the event's list, and in the group's */
    struct str matcher;    /* .s NULL: none */
    struct str command;
    int64_t timeout; /* in the client's unit; 0: not given */
};

/* What a file says about us. */
struct registered {
    size_t events;        /* lists that name us; 1 for files that are ours */
    size_t wanted;        /* ... that should */
    size_t ran_missing;   /* lists of `ran` that do not name us as we are written there */
    struct str command;   /* for /bin/sh; the first one found */
    int64_t timeout;      /* in the client's unit; 0: not given */
    bool fails_open;      /* a flag that would block on failure is missing */
    bool narrow;          /* a matcher leaves tools out */
    struct str off;       /* the setting by which the file switches our hook off; empty: none */
    struct str local_off; /* ... or one beside it does */
    const char *beside;   /* which */
    struct str odd; /* what our entry has that `warder install` does not write; empty: nothing */
    struct str odd_env; /* a variable that the file sets and that changes how we run; empty: none */
    bool dynamic;       /* the command is not REGISTER_HOOK */
    struct registered_entries LIST_OF(struct registered_entry) entries;
};

enum status register_look(struct arena *a, const struct registrar *r, struct str text,
                          struct registered *out, struct error *err);

/* The setting by which a file of the client's switches our hook off; empty: none. */
struct str register_off_switch(const struct value *document);

/* What a handler runs, for /bin/sh; empty: it runs no program. */
struct str register_command_in(struct arena *a, const struct value *handler);

/* "'/opt/my tools/warder' hook --client codex", "/usr/bin/warder-hook --home /h --client codex" */
struct str register_command(struct arena *a, const struct registrar *r);

/* The canary event for a command, as the client would send it. */
struct str register_canary(struct arena *a, const struct registration *row, struct str command,
                           struct str cwd);

/* What the client would do after this answer: the inverse of client_answer(). No answer, or one
 * that it cannot read, lets the call run; that is what fail open means. */
enum behavior client_outcome(struct arena *a, struct str out, struct str err, int code);

#endif
