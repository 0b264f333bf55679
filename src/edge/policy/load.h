/* load.h - finds and reads the policy files, and makes one rulebook of them.
 *
 * Two steps: gather.c reads every file into memory and parses nothing; load.c parses and opens
 * nothing. The second one may leave through the arena's door at any point, because it holds nothing
 * but the arena. */
#ifndef POLICY_LOAD_H
#define POLICY_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/list.h"
#include "base/nearest.h"
#include "base/str.h"
#include "machine/regex.h"
#include "policy/format.h"
#include "policy/trust.h"
#include "rule/book.h"
#include "rule/shipped.h"

#define POLICY_MEMORY_MAX                                                                          \
    ((size_t)512 * 1024 * 1024) /* of one policy; usual ones take less than 1/500 of it */

/* --allow, --ask and --deny, in the order they were given. */
struct cli_rule {
    enum behavior effect;
    struct str text;
};
struct cli_rules LIST_OF(struct cli_rule);

/* A policy in the embedder's memory; trusted user policy, like a file that a person named. */
struct policy_text {
    struct str name; /* its name in problems and rules; its suffix is the syntax */
    enum format format;
    struct str text;
};
struct policy_texts LIST_OF(struct policy_text);

struct shelf;

struct policy;
struct policy_request;

/* Judges the examples of a policy that was read, and adds a fatal problem for each that fails: a
 * policy whose own examples fail is broken. It needs the layers, of which this room knows nothing.
 */
typedef void policy_prove(struct policy *policy, const struct policy_request *request);

/* Names that a policy gives and only other rooms know. */
enum policy_name {
    NAME_PROFILE,
    NAME_CLIENT,
};
/* Is `near->typed` one of these? If not, *near gets the one that was most likely meant. */
typedef bool policy_knows(enum policy_name kind, struct nearest *near);

/* What to read. Strings are borrowed until the call returns; zero means not given. */
struct policy_request {
    enum dialect
        dialect; /* of the profile: short forms in settings, in our files and on the command line */
    const enum source
        *order; /* SOURCE_COUNT of them, strongest first; managed always comes first */
    const struct shipped_list *shipped; /* NULL: none */
    struct str profile;                 /* that an option chose; empty: none */
    bool caliban_paths;                 /* also look where caliban keeps its permissions.toml */

    struct str project, home; /* absolute */
    struct str config_home;   /* $XDG_CONFIG_HOME; empty: .config in the home */
    struct str state_dir;     /* where trust is stored; empty: no project is trusted */
    struct str root;          /* prefix of /etc; for tests */

    /* Only `files` and `texts`, which may be none: nothing but managed policy is searched for. */
    bool named;
    /* Only the project's own files, all of them whatever the profile, as if they were trusted. */
    bool preview;
    struct strs files;         /* --policy; a person named them, so they are trusted user policy */
    struct policy_texts texts; /* the same in memory, after the files */
    bool beside;               /* what is searched for is read as well */
    struct str
        rules_file; /* rules of the service, read in addition; empty: none. It need not exist */
    struct str rules_text; /* used instead of its content; NULL: read the file */
    struct str kept;       /* NUL-terminated: digest of the files that the session began with, whose
                              deny and ask rules count, too (kept.h); empty: those that are there */
    struct shelf *shelf;   /* where those are; NULL: below state_dir */
    struct str guarded;    /* a data directory outside its usual place: agents may not touch it */
    int64_t now;           /* seconds, for stored rules that take effect later; 0: read the clock */
    struct cli_rules cli;
    struct str mode; /* --mode */
    struct str
        settings_override;      /* CHIMERA_MINK_SETTINGS_PATH: instead of ~/.claude/settings.json */
    struct str config_override; /* WARDER_CONFIG: a file instead of those in ~/.config/warder/ */
    policy_knows *knows;        /* NULL: any name may be one */
    policy_prove *prove;        /* NULL: examples are only read */
    const void *model;          /* for it: the profile */
};

struct policy {
    atomic_size_t holders;
    void (*release)(struct policy *policy); /* called when the last holder frees it */
    struct arena arena;
    struct regexes regexes; /* that rules of the book point to */
    struct rulebook book;
    struct strs
        places; /* what it depends on besides the files of the book: directories, other files */
    enum trust trust; /* of the project */
};

/* Fails if the request itself is wrong (STATUS_USAGE for an invalid rule or mode of the command
 * line, STATUS_IO for a named file that is missing) or memory runs out. Invalid files do not fail:
 * they are problems in the book, and rulebook_broken() says whether calls can still be decided. */
enum status policy_open(const struct policy_request *request, struct policy **out,
                        struct error *err);

/* The same in the caller's memory (see arena_init_in(); NULL: in its own). Of what the policy
 * points to, only compiled regular expressions are elsewhere. */
enum status policy_open_in(const struct policy_request *request, void *memory, size_t size,
                           struct policy **out, struct error *err);

/* Several may hold one policy, from any thread: each holds it once and frees it once. NULL is
 * allowed. */
struct policy *policy_hold(struct policy *policy);
void policy_free(struct policy *policy);

#endif
