/* book.h - the rulebook: everything that the policy files say, in the form that decisions use.
 *
 * Built from files by edge/policy, or by hand in tests and updates; immutable while decisions read
 * it. */
#ifndef RULE_BOOK_H
#define RULE_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/excerpt.h"
#include "base/list.h"
#include "base/str.h"
#include "rule/rule.h"
#include "rule/sandbox.h"

/* A scalar setting and where it was given. */
struct mode_setting {
    bool given;
    enum mode mode;
    enum source source;
    struct str file;
    uint32_t line;
};

struct directory {
    struct str path; /* absolute, cleaned */
    enum source source;
};
struct directories LIST_OF(struct directory);

struct tool_entry { /* or a variable */
    struct str name;
    enum source source;
};
struct tool_entries LIST_OF(struct tool_entry);

enum hook_event {
    HOOK_PRE_TOOL_USE = 0,
    HOOK_PERMISSION_REQUEST,
    /* Asked beside the person: it may deny, and allows only where policy says so
     * (ask/classifier.h).
     */
    HOOK_CLASSIFIER,
};
#define HOOK_EVENT_COUNT 3
const char *hook_event_name(enum hook_event e); /* as policy files and hooks' inputs have it */

struct hook {
    enum hook_event event;
    struct str matcher; /* empty or "*": every tool; or names separated by '|' or ',' */
    const void *regex;  /* the matcher as a regular expression; NULL: it is not one */
    struct str command;
    struct strs args; /* if given, run without a shell */
    uint32_t timeout_seconds;
    bool foreign;     /* from a client's own file: that client runs it too */
    bool observes;    /* only notified: neither its answer nor its failure counts */
    bool conditional; /* has a condition that only its client can judge: its allow does not count */
    enum source source;
    struct str file;
    uint32_t line;
};
struct hooks LIST_OF(struct hook);

/* Something about a policy file that a person should know. */
struct problem {
    bool fatal; /* unknown what it would have denied: every call is denied until it is fixed */
    struct str file;
    uint32_t line, column;
    struct str message;
    struct excerpt source; /* its line is empty: it is not about a place that was read */
};
struct problems LIST_OF(struct problem);

/* A policy file that was looked for. */
struct policy_file {
    struct str path;
    enum source source;
    bool found, trusted;
    struct str format; /* "settings", "caliban", "guild", "warder" */
    size_t rules;
};
struct policy_files LIST_OF(struct policy_file);

/* An example in a policy file: a call, and what the rules of that file must say about it. */
enum example_kind {
    EXAMPLE_VERDICT = 0, /* of `tests`: the file decides so */
    EXAMPLE_MATCH,       /* of a rule: it decides this call */
    EXAMPLE_NOT,         /* ... and this one not */
};
struct example {
    enum example_kind kind;
    enum behavior wanted; /* EXAMPLE_VERDICT */
    struct str file;
    uint32_t line, column;
    struct excerpt source;
    uint32_t rule_line, rule_column; /* of the rule that it belongs to, in the same file */
    struct str shown;                /* as it is written */
    struct str tool, argument;
    struct str input;  /* in place of the argument, as JSON; empty: not given */
    struct str cwd;    /* empty: the project */
    struct str mode;   /* empty: that of the file */
    struct strs files; /* that exist while it is judged, and no others; a directory ends in '/' */
};
struct examples LIST_OF(struct example);

struct rule_index;

struct program_rows;

/* `undo`: is what calls destroy saved, for how long, and what not? Zero: not given. */
struct undo_policy {
    enum undo_use { UNDO_UNSAID = 0, UNDO_ON, UNDO_OFF } use;
    uint32_t days, calls;
    uint64_t size, file; /* bytes: of everything that is kept; of one file that is copied */
    struct strs skip;    /* directories that are not saved where git ignores them */
};

struct rulebook {
    struct rules rules; /* strongest source first; within a file in the order of the profile */
    const struct rule_index *index; /* of the rules; NULL: check them all */
    struct mode_setting mode;       /* the strongest one */
    bool bypass_disabled;           /* disableBypassPermissionsMode */
    bool auto_disabled;             /* disableAutoMode */
    bool pause_off;                 /* `pause: off` */
    bool notify_desktop;            /* `notify: desktop` */
    bool managed_rules_only;        /* allowManagedPermissionRulesOnly */
    struct undo_policy undo;
    bool client_hooks_off; /* disableAllHooks: hooks in clients' files run only if managed */
    struct directories directories;        /* additionalDirectories */
    struct tool_entries disabled, allowed; /* disabledTools, allowedTools */
    /* MCP servers whose readOnly annotation the user's policy trusts */
    struct strs read_only_servers;
    struct strs edits; /* clients that may edit files of the project without a question */
    /* variables that a person's policy says steer no program; a name may end in a star */
    struct tool_entries variables;
    bool runners_off;    /* switches the shipped test and build runners off */
    bool scripts_off;    /* the same for the project's own scripts */
    bool inline_off;     /* the same for inline Python and JavaScript */
    bool clearances_off; /* the same for the layers that clear by what a command does */
    /* rows that policy files add to programs/; NULL: none. Opaque to this room */
    struct program_rows *programs;
    struct str profile;     /* chosen by managed or user policy; empty: not given */
    bool classifier_allows; /* an allow of a classifier counts */
    bool profile_managed;   /* by managed policy: no option replaces it */
    unsigned record_days;   /* the same: how long records are kept; 0: not given */
    enum record_sync {
        RECORD_SYNC_UNSAID = 0,
        RECORD_SYNC_CRASH,
        RECORD_SYNC_ALWAYS
    } record_sync; /* the same */
    /* the same: does a running service decide? */
    enum service_use { SERVICE_UNSAID = 0, SERVICE_AUTO, SERVICE_OFF, SERVICE_REQUIRED } service;
    bool service_managed; /* managed policy has said that */
    bool changes_later; /* a rule of the service is still in its cooldown and will be added later */
    struct sandbox_policy sandbox;
    struct hooks hooks;
    struct problems problems;
    struct examples examples;
    struct policy_files files;
    /* absolute paths of files that it was read from and that are not where policy usually is:
     * named by the person, or where a link leads */
    struct strs own;
    bool registered_here; /* an agent asks us by settings of the project alone, not of the user */
    bool registered_by_person; /* by settings of the user, or managed ones */
    bool mode_by_project;      /* a file of the project names a mode, trusted or not: the one that a
                                  client      reports may be that */
    struct str digest;         /* of the project's policy files; empty: there are none */
    struct str fingerprint;    /* of all that it says, for the record; see rulebook_fingerprint() */
    int64_t
        trusted_at; /* when a person trusted them as they are, in seconds; 0: not, or long ago */
};

struct word_lists;

/* Rebuilds the index after the rules have changed. `lists`: see rule_index_build(). */
void rulebook_index(struct arena *a, struct rulebook *b, const struct word_lists *lists);

#define FINGERPRINT_LEN 32 /* hexadecimal digits */

/* Sets the fingerprint: the same for two books only if they were made of the same bytes (`from`,
 * the texts of the files or the fingerprint of the book before) and have the same rules, mode and
 * directories. A rule whose time has come changes it, though no file has changed. */
void rulebook_fingerprint(struct arena *a, struct rulebook *b, struct str from);

/* The first deny or ask rule about paths, or NULL. */
const struct rule *rulebook_first_on_paths(const struct rulebook *b);

/* The first deny or ask rule about effects, or NULL; and whether any rule is. */
const struct rule *rulebook_first_on_effects(const struct rulebook *b);
bool rulebook_on_effects(const struct rulebook *b);
/* Does a rule count for a time after the session began? */
bool rulebook_on_age(const struct rulebook *b);

/* The first fatal problem, or NULL. */
const struct problem *rulebook_broken(const struct rulebook *b);

/* May a person pause Warder? Not where policy forbids that, or that questions are bypassed. */
bool rulebook_may_pause(const struct rulebook *b);

/* Is a file of managed policy among its files? */
bool rulebook_is_managed(const struct rulebook *b);

/* Does it have hooks from clients' own files (`foreign`), or from ours? */
bool rulebook_has_hooks(const struct rulebook *b, bool foreign);

#endif
