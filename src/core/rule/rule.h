/* rule.h - one rule: parse it, print it, hold it against a subject.
 *
 * People arrive from several systems, so there are several spellings; there is
 * one internal form. A dialect says what a pattern without a further mark means. */
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
    DIALECT_DOUBLESTAR, /* waterfall: doublestar glob, or substring without regard to case */
    DIALECT_FIRST_ARG,  /* caliban: Tool:glob on the first argument */
    DIALECT_ACTION, /* guild: a glob on each action's normal form, and on paths when it has a '/' */
    DIALECT_TRAILING, /* mini: a trailing '*' is a prefix, everything else is exact */
};
#define DIALECT_COUNT 6

/* How the part behind the tool name is matched. */
enum matcher {
    MATCH_ANY = 0,   /* the bare tool */
    MATCH_EXACT,     /* the normal form, or the first argument, is this text */
    MATCH_PREFIX,    /* begins with it, on a word boundary */
    MATCH_STARTS,    /* begins with it, anywhere (mini) */
    MATCH_GLOB,      /* wildcard on the normal form or the first argument */
    MATCH_SUBSTRING, /* contains it, in any case */
    MATCH_FIELD,     /* a glob on one named input field */
    MATCH_PATH,      /* gitignore-style, on the paths touched */
    MATCH_DOMAIN,    /* on the hosts talked to */
    MATCH_ACTION, /* a glob on each action's normal form, and with a '/' in it on each path touched
                   */
};

/* What a path rule is relative to. */
enum path_anchor { ANCHOR_CWD = 0, ANCHOR_HOME, ANCHOR_PROJECT, ANCHOR_ROOT };

struct rule_path {
    struct str text; /* as written */
    enum path_anchor anchor;
    uint16_t up;     /* how many "../" it begins with: the anchor is that far above */
    bool names_one;  /* the pattern, without a slash and ** at its end, is one name or path without
                        wildcards */
    bool names_last; /* its last component is a name without wildcards */
    struct str pattern; /* below the anchor */
};
struct rule_paths LIST_OF(struct rule_path);

/* One way to read what stands behind the tool name. */
struct rule_reading {
    enum matcher matcher;
    bool tail; /* what a trailing " *" leaves matches, too, when nothing stands in its place */
    struct str pattern; /* escapes resolved, or in the glob's own form */
};

/* What few rules have. */
struct rule_more {
    /* The reading after quote removal, which is how the normal forms of actions are made. */
    bool has_unquoted;
    struct rule_reading unquoted;
    /* `x:y` is a field only if the tool has such a field, which is not known before a subject is
     * there: with a matcher other than MATCH_FIELD both readings are kept. */
    struct str field, field_pattern;

    /* The long form: each one given must match too. */
    struct strs flags;       /* options that must stand among an action's words */
    struct rule_paths paths; /* one of them must be touched */
    struct str regex;        /* on the normal forms; compiled by the loader */
    const void *regex_code;

    struct str reason, comment, id;
    struct str
        scope; /* it holds in the project of this id, or of this directory; empty: everywhere */
};

/* A rule keeps no more than its texts: see open.h. All that it points to lies where it was parsed,
 * or where its file was read. */
struct rule {
    enum behavior effect;
    enum source source;
    enum dialect dialect;
    enum matcher matcher;
    struct str text;    /* the short form as written; printing the rule gives it again */
    struct str tool;    /* pattern on tool names */
    struct str content; /* behind the tool name, as written; empty for a bare tool */
    struct str pattern; /* what the matcher looks for, see rule_reading */
    bool tail;          /* likewise */
    bool colon;         /* written as Tool:glob */
    bool tool_wild;     /* the tool is no plain name */
    bool covers_loss;   /* a shipped rule of a list that says so */
    bool untrusted; /* of a project that nobody has trusted: its words are not shown to the model */
    unsigned char access; /* a path rule's ACCESS_ bits: what must be done to the path for the rule
                             to speak of it */
    uint32_t line, column;
    struct str file; /* empty for rules that no file holds */
    struct str
        base; /* the directory that "/x" path rules start from: the project of the settings file */
    struct rule_path *path; /* MATCH_PATH */
    struct rule_more *more; /* NULL: nothing */
};
struct rules LIST_OF(struct rule);

/* What it has more; all empty where that is nothing. */
const struct rule_more *rule_more(const struct rule *r);
/* The same to be written to. */
struct rule_more *rule_add_more(struct arena *a, struct rule *r);

/* Where the world of a decision lies, for path rules. */
struct rule_env {
    struct str cwd, home;
    struct str project, project_id; /* of the call, for rules with a scope */
    const struct world *world;
};

/* Reads the short form. Sets text, tool, content, matcher and what belongs to
 * it; the caller sets effect, source and place. The error's column counts in
 * `text`. Opens its own door on the arena. */
enum status rule_parse(struct arena *a, struct str text, enum dialect dialect, struct rule *out,
                       struct error *err);
/* The same where only what is kept shall lie in `a`. What `scratch` holds is forgotten. */
enum status rule_parse_lean(struct arena *a, struct arena *scratch, struct str text,
                            enum dialect dialect, struct rule *out, struct error *err);

#define RULE_MAX_TEXT 8192 /* bytes */

/* Reads one path pattern of the long form (~/x, //x, /x, ./x, ../x, x). Opens its own door, too. */
enum status rule_path_parse(struct arena *a, struct str text, struct rule_path *out,
                            struct error *err);

/* The short form; parsing it again gives the same rule. */
struct str rule_print(struct arena *a, const struct rule *r);

/* Does the rule speak of this subject? Deny and ask rules look at all forms and
 * all paths that the subject may touch; allow rules only match when they cover
 * the subject in its written form. */
bool rule_matches(struct arena *a, const struct rule *r, const struct subject *s,
                  const struct rule_env *env);

/* Deny and ask: does the rule name a file that exists in a directory which the subject touches with
 * all that is in it? Of a rule on names in any directory (".env") only that directory is looked
 * into, not those in it. */
bool rule_may_mean_below(struct arena *a, const struct rule *r, const struct subject *s,
                         const struct rule_env *env);

const char *dialect_name(enum dialect d);

#endif
