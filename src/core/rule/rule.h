/* rule.h - one rule: parse it, print it, match it against a subject.
 *
 * People come from different systems, so there are several syntaxes, but one internal form. The
 * dialect says what a plain pattern means. */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/list.h"
#include "base/str.h"
#include "base/world.h"
#include "rule/mode.h"
#include "rule/subject.h"

enum dialect {
    DIALECT_WARDER = 0, /* Bash(git status) exact, Bash(npm run:*) prefix, Bash(git * --x) wildcard,
                           path rules, domain: */
    DIALECT_FNMATCH,    /* mink: Tool(field:pattern), fnmatch on the field's value */
    DIALECT_DOUBLESTAR, /* waterfall: doublestar glob, or case-insensitive substring */
    DIALECT_FIRST_ARG,  /* caliban: Tool:glob on the first argument */
    DIALECT_ACTION, /* guild: a glob on each action's normal form, and on paths when it has a '/' */
    DIALECT_TRAILING, /* mini: a trailing '*' is a prefix, everything else is exact */
};
#define DIALECT_COUNT 6

/* How the content, the part after the tool name, is matched. */
enum matcher {
    MATCH_ANY = 0,   /* the bare tool */
    MATCH_EXACT,     /* the normal form, or the first argument, is this text */
    MATCH_PREFIX,    /* starts with it, on a word boundary */
    MATCH_STARTS,    /* starts with it, anywhere (mini) */
    MATCH_GLOB,      /* wildcard on the normal form or the first argument */
    MATCH_SUBSTRING, /* contains it, in any case */
    MATCH_FIELD,     /* a glob on one named input field */
    MATCH_PATH,      /* gitignore-style, on the paths touched */
    MATCH_DOMAIN,    /* on the hosts contacted */
    MATCH_ACTION, /* a glob on each action's normal form, and with a '/' in it on each path touched
                   */
};

/* What a path rule is relative to. */
enum path_anchor { ANCHOR_CWD = 0, ANCHOR_HOME, ANCHOR_PROJECT, ANCHOR_ROOT };

struct rule_path {
    struct str text; /* as written */
    enum path_anchor anchor;
    uint16_t up; /* number of leading "../": the anchor is that far above */
    /* the pattern without a trailing slash and ** is a name or path without wildcards */
    bool names_one;
    bool names_last;    /* its last component has no wildcards */
    struct str pattern; /* relative to the anchor */
};
struct rule_paths LIST_OF(struct rule_path);

struct rule;
struct rule_when;
struct rule_within;

/* One way to read the content. */
struct rule_reading {
    enum matcher matcher;
    bool tail;          /* the trailing " *" is optional: "git *" also matches "git" */
    struct str pattern; /* escapes resolved, or in glob syntax */
};

/* What people wrote or read about a rule: it does not change what matches. Every shipped rule has
 * some, so it does not bring all of struct rule_more into the image of a policy. */
struct rule_about {
    struct str reason, comment, id;
};

/* The rarely used members. */
struct rule_more {
    /* The reading after quote removal, as in the normal forms of actions. */
    bool has_unquoted;
    struct rule_reading unquoted;
    /* `x:y` is a field only if the tool has such a field, which is not known before a subject is
     * there: with a matcher other than MATCH_FIELD both readings are kept. */
    struct str field, field_pattern;
    /* mink: `x:*` is a prefix, as in the program whose settings these are. Its document reads it as
     * a glob, this one, and what that matches a deny or ask rule matches, too. */
    struct str letter;

    /* The long form: each one given must match too. */
    struct strs flags;       /* options that an action must have */
    struct rule_paths paths; /* one of them must be touched */
    unsigned does;           /* DOES_ bits (effect.h): an effect that the action must have */
    struct strs hosts;       /* one of them must be contacted; *.x.org is all below it */
    struct str regex;        /* on the normal forms; compiled by the loader */
    const void *regex_code;

    struct str scope; /* applies only in the project with this id or directory; empty: everywhere */
    struct str session;               /* applies only to calls of this session; empty: to all */
    const struct rule_when *when;     /* NULL: always */
    const struct rule_within *within; /* of an allow rule; NULL: as far as its text says */
    const struct rule *unless;        /* of a deny or ask rule: what it is not about */
    size_t unless_count;
    struct str terms; /* does, hosts, when, within and unless as a text: equal if they are */
};

/* What an allow rule covers beyond its own text: see decide/rule_reach.h. */
struct rule_within {
    unsigned effects, access; /* DOES_ and ACCESS_ bits */
    struct strs hosts, options;
    struct rule_paths paths;
};

/* A rule stores only its texts: see open.h. They live in the arena it was parsed in, or in that of
 * its file. */
struct rule {
    enum behavior effect : 16; /* of 100,000 rules each word counts */
    enum source source : 16;
    enum dialect dialect : 16;
    enum matcher matcher : 16;
    struct str text;      /* the short form as written; rule_print() gives the same */
    struct str tool;      /* pattern on tool names */
    struct str content;   /* the part after the tool name, as written; empty for a bare tool */
    struct str pattern;   /* what the matcher looks for; see rule_reading */
    bool tail;            /* see rule_reading */
    bool colon;           /* written as Tool:glob */
    bool tool_wild;       /* the tool name has wildcards */
    bool covers_loss;     /* a shipped rule whose list has covers_loss */
    bool kept;            /* of files as they were when the session began */
    bool untrusted;       /* from an untrusted project: its text is not shown to the model */
    bool widened;         /* of managed policy, in a reading that the profile does not have */
    unsigned char access; /* of a path rule: which ACCESS_ bits it applies to */
    uint32_t line, column;
    struct str file;        /* empty for rules that are not from a file */
    struct str base;        /* the directory of "/x" path rules: the project of the settings file */
    struct rule_path *path; /* MATCH_PATH */
    struct rule_more *more; /* NULL: none */
    struct rule_about *about; /* likewise */
};
struct rules LIST_OF(struct rule);

/* The rarely used members; a shared empty struct if there are none. */
const struct rule_more *rule_more(const struct rule *r);
const struct rule_about *rule_about(const struct rule *r); /* likewise */
/* As these, but allocated and writable. */
struct rule_more *rule_add_more(struct arena *a, struct rule *r);
struct rule_about *rule_add_about(struct arena *a, struct rule *r);
bool rule_is_long_form(const struct rule *r); /* more than its text must match */

/* Is the rule, or an exception to it, about effects? */
bool rule_is_on_effects(const struct rule *r);
/* ... or about the time since the session began? */
bool rule_is_on_age(const struct rule *r);

/* What path rules need to know about the call and the machine. */
struct rule_env {
    struct str cwd, home;
    struct str project, project_id;       /* of the call, for rules with a scope */
    bool name_unproved, project_unproved; /* the caller only claims that: it allows nothing */
    struct str session;                   /* of the call; empty: it has none */
    const struct world *world;
    enum mode mode;
    struct str client, agent; /* which program it runs in, and who is asking; empty: not known */
    int64_t now, began;       /* seconds, the second of the session; 0: not known */
};

/* Parses the short form. Sets text, tool, content, matcher and their details; the caller sets
 * effect, source and place. The error's column is an offset in `text`. Runs its own arena_try(). */
enum status rule_parse(struct arena *a, struct str text, enum dialect dialect, struct rule *out,
                       struct error *err);
/* The same, but `a` gets only what the rule keeps. `scratch` is reset. */
enum status rule_parse_lean(struct arena *a, struct arena *scratch, struct str text,
                            enum dialect dialect, struct rule *out, struct error *err);

#define RULE_MAX_TEXT 8192 /* bytes */

/* Parses one path pattern of the long form (~/x, //x, /x, ./x, ../x, x). Runs its own
 * arena_try(). */
enum status rule_path_parse(struct arena *a, struct str text, struct rule_path *out,
                            struct error *err);

/* The short form, which parses to the same rule. */
struct str rule_print(struct arena *a, const struct rule *r);

/* Does the rule match this subject? Deny and ask rules check all forms and all paths that the
 * subject may touch; allow rules match only if they cover the subject in its written form. */
bool rule_matches(struct arena *a, const struct rule *r, const struct subject *s,
                  const struct rule_env *env);

/* Does it match the call as it is written, as the document of its dialect says, and not only one of
 * the other forms and paths that deny and ask rules are compared with? */
bool rule_matches_as_written(struct arena *a, const struct rule *r, const struct subject *s,
                             const struct rule_env *env);

/* Does one of these path patterns, read like those of the allow rule, cover the path? */
bool rule_path_covers(struct arena *a, const struct rule *r, const struct rule_paths *patterns,
                      const struct subject_path *path, const struct rule_env *env);

/* Does one of these patterns (x.org, *.x.org) match the host? `otherwise`: what to say where the
 * comparison is too long. */
bool rule_host_is(struct arena *a, const struct strs *patterns, struct str host, bool otherwise);

/* Deny and ask, of a rule on paths: does it match a subject that has this access to a path which
 * the rule means? */
bool rule_matches_beside_paths(struct arena *a, const struct rule *r, const struct subject *s,
                               const struct rule_env *env, unsigned access);

/* Deny and ask: the existing files that the rule names, in a directory that the subject touches
 * with all its contents. For a rule on a name at any depth (".env") only the directory itself is
 * checked, not its subdirectories: for those see below.h. */
void rule_means_below(struct arena *a, const struct rule *r, const struct subject *s,
                      const struct rule_env *env, struct strs *found);

const char *dialect_name(enum dialect d);

#endif
