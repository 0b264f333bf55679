/* book.h - the rulebook: everything the policy files say, in the form decisions read.
 *
 * Built by policy/ (from files) or by hand (tests, updates); immutable while
 * decisions read it. */
#ifndef RULE_BOOK_H
#define RULE_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/str.h"
#include "rule/rule.h"

/* A scalar setting, and who gave it. */
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

struct tool_entry {
    struct str name;
    enum source source;
};
struct tool_entries LIST_OF(struct tool_entry);

enum hook_event { HOOK_PRE_TOOL_USE = 0, HOOK_PERMISSION_REQUEST };

struct hook {
    enum hook_event event;
    struct str matcher; /* empty or "*": every tool; names, separated by '|' or ','; or: */
    const void *regex;  /* the matcher as a regular expression; NULL: it is none */
    struct str command;
    struct strs args; /* given: run without a shell */
    uint32_t timeout_seconds;
    bool foreign;     /* from a client's own file: that client runs it, too */
    bool observes;    /* it is only told: neither its word nor its failure counts */
    bool conditional; /* it has a condition that only its client can judge: then its allow does not
                         count */
    enum source source;
    struct str file;
    uint32_t line;
};
struct hooks LIST_OF(struct hook);

/* Something about a policy file that a person should know. */
struct problem {
    bool fatal; /* what it would have denied cannot be known: every call is denied until it is
                   mended */
    struct str file;
    uint32_t line, column;
    struct str message;
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

struct rule_index;

struct program_rows;

struct rulebook {
    struct rules
        rules; /* strongest source first; inside a file in the order that its profile reads them */
    const struct rule_index *index; /* of them; NULL: each rule is looked at */
    struct mode_setting mode;       /* the strongest one */
    bool bypass_disabled;           /* disableBypassPermissionsMode */
    bool auto_disabled;             /* disableAutoMode */
    bool managed_rules_only;        /* allowManagedPermissionRulesOnly */
    bool client_hooks_off; /* of hooks in clients' files only managed ones run: disableAllHooks */
    struct directories directories;        /* additionalDirectories */
    struct tool_entries disabled, allowed; /* disabledTools, allowedTools */
    struct strs read_only_servers; /* MCP servers whose readOnly annotation user policy believes */
    bool runners_off; /* the one line that switches the shipped test and build runners off */
    bool scripts_off; /* likewise the project's own scripts */
    bool inline_off;  /* likewise Python and JavaScript in the command itself */
    struct program_rows *programs; /* what policy files add to programs/; NULL: nothing. This room
                                      knows no more of it */
    struct str profile;            /* chosen by managed or user policy; empty: not given */
    unsigned record_days;          /* likewise: how long records are kept; 0: not given */
    enum record_sync {
        RECORD_SYNC_UNSAID = 0,
        RECORD_SYNC_CRASH,
        RECORD_SYNC_ALWAYS
    } record_sync; /* likewise */
    /* likewise: whether a running service decides */
    enum service_use { SERVICE_UNSAID = 0, SERVICE_AUTO, SERVICE_OFF, SERVICE_REQUIRED } service;
    bool changes_later; /* a rule of the service is not in it yet: its cooldown is not over */
    struct hooks hooks;
    struct problems problems;
    struct policy_files files;
};

/* Makes the index anew, after the rules have changed. */
void rulebook_index(struct arena *a, struct rulebook *b);

/* The first deny or ask rule that speaks of paths, or NULL. */
const struct rule *rulebook_first_on_paths(const struct rulebook *b);

/* The first fatal problem, or NULL. */
const struct problem *rulebook_broken(const struct rulebook *b);

/* Whether it has hooks of clients' own files; of ours. */
bool rulebook_has_hooks(const struct rulebook *b, bool foreign);

#endif
