/* load.h - finds the policy files, reads them, and makes one rulebook of them.
 *
 * Two steps: gather.c reads every file into memory and parses nothing; load.c
 * parses and opens nothing. The second one may leave through the arena's door
 * at any point, because it holds nothing but the arena. */
#ifndef POLICY_LOAD_H
#define POLICY_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/list.h"
#include "base/str.h"
#include "machine/regex.h"
#include "policy/format.h"
#include "policy/trust.h"
#include "rule/book.h"
#include "rule/shipped.h"

#define POLICY_MEMORY_MAX                                                                          \
    ((size_t)512 * 1024 * 1024) /* of one policy; normal ones take less than one part in 500 */

/* --allow, --ask and --deny, in the order they were given. */
struct cli_rule {
    enum behavior effect;
    struct str text;
};
struct cli_rules LIST_OF(struct cli_rule);

/* A policy that the embedder has in memory; trusted user policy, like a file that a person named.
 */
struct policy_text {
    struct str name; /* as problems and rules name it; its ending says the syntax */
    enum format format;
    struct str text;
};
struct policy_texts LIST_OF(struct policy_text);

/* What to read. Strings are borrowed until the call returns; what is zero is not given. */
struct policy_request {
    enum dialect
        dialect; /* of the profile: short forms in settings, in our files and on the command line */
    const enum source
        *order; /* SOURCE_COUNT of them, strongest first; managed is first whatever this says */
    const struct shipped_list *shipped; /* NULL: none */
    bool caliban_paths;                 /* also look where caliban keeps its permissions.toml */

    struct str project, home; /* absolute */
    struct str config_home;   /* $XDG_CONFIG_HOME; empty: .config in the home */
    struct str state_dir;     /* where trust is kept; empty: no project is trusted */
    struct str root;          /* stands before /etc; for tests */

    struct strs files; /* --policy: these and nothing that is found; a person named them, so they
                          are trusted user policy */
    struct policy_texts texts; /* likewise, behind the files */
    struct str rules_file; /* of the service: read beside whatever else there is; empty: none. It
                              need not exist */
    struct str rules_text; /* instead of what stands in it; NULL: what stands in it */
    struct str guarded; /* a data directory that is not in its usual place: nobody who is judged may
                           touch it */
    int64_t now; /* seconds, for stored rules that begin to act later; 0: the clock is asked */
    struct cli_rules cli;
    struct str mode; /* --mode */
    struct str
        settings_override;      /* CHIMERA_MINK_SETTINGS_PATH: instead of ~/.claude/settings.json */
    struct str config_override; /* WARDER_CONFIG: a file instead of those in ~/.config/warder/ */
};

struct policy {
    atomic_size_t holders;
    void (*release)(struct policy *policy); /* called when the last holder frees it */
    struct arena arena;
    struct regexes regexes; /* that rules of the book point to */
    struct rulebook book;
    struct strs
        places; /* what it depends on beside the files of the book: directories, other files */
    enum trust trust; /* of the project */
};

/* Fails when the request itself is wrong (STATUS_USAGE for a cli rule or mode that cannot be read,
 * STATUS_IO for a named file that is not there) or memory runs out. Files that are wrong do not
 * fail: they are problems in the book, and rulebook_broken() says whether anything may still be
 * decided. */
enum status policy_open(const struct policy_request *request, struct policy **out,
                        struct error *err);

/* The same in memory that the caller has (see arena_init_in(); NULL: in as much of its own). Of
 * what the policy points to only compiled regular expressions lie elsewhere. */
enum status policy_open_in(const struct policy_request *request, void *memory, size_t size,
                           struct policy **out, struct error *err);

/* Several may hold one policy, from any thread: each takes it once and frees it once. NULL is fine.
 */
struct policy *policy_hold(struct policy *policy);
void policy_free(struct policy *policy);

#endif
