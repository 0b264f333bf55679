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
    DIALECT_WARDER =
        0,           /* Bash(git status) exact, Bash(npm run:*) prefix, Bash(git * --x) wildcard, path rules, domain: */
    DIALECT_FNMATCH, /* mink: Tool(field:pattern), fnmatch on the field's value */
    DIALECT_DOUBLESTAR, /* waterfall: doublestar glob, or substring without regard to case */
    DIALECT_FIRST_ARG,  /* caliban: Tool:glob on the first argument */
    DIALECT_ACTION,     /* guild: a glob on each action's normal form, and on paths when it has a '/' */
    DIALECT_TRAILING,   /* mini: a trailing '*' is a prefix, everything else is exact */
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
    MATCH_ACTION,    /* a glob on each action's normal form, and with a '/' in it on each path touched */
};

struct glob;
struct gitignore;

/* What a path rule is relative to. */
enum path_anchor { ANCHOR_CWD = 0, ANCHOR_HOME, ANCHOR_PROJECT, ANCHOR_ROOT };

struct rule_path {
    struct str text; /* as written */
    enum path_anchor anchor;
    unsigned up;                      /* how many "../" it begins with: the anchor is that far above */
    struct str pattern, wide;         /* below the anchor; what deny and ask look for: x/[**] at any depth */
    struct gitignore *exact, *folded; /* allow matches exactly; deny and ask without regard to case */
};
struct rule_paths LIST_OF(struct rule_path);

/* One way to read what stands behind the tool name. */
struct rule_reading {
    enum matcher matcher;
    struct str pattern;
    struct glob *glob;
    struct glob *bare;   /* matches what a trailing " *" leaves when nothing stands in its place; NULL: none does */
    struct glob *folded; /* without regard to case, for paths */
};

struct rule {
    enum behavior effect;
    enum source source;
    enum dialect dialect;
    enum matcher matcher;
    struct str text;                   /* the short form as written; printing the rule gives it again */
    struct str tool;                   /* pattern on tool names */
    struct str content;                /* behind the tool name, as written; empty for a bare tool */
    bool colon;                        /* written as Tool:glob */
    struct str pattern;                /* what the matcher looks for, escapes resolved or in the glob's own form */
    struct glob *tool_glob;            /* NULL: the tool is a plain name */
    struct glob *glob, *bare, *folded; /* see rule_reading */
    /* The same after quote removal, which is how the normal forms of actions are made; NULL when there is no other. */
    struct rule_reading *unquoted;
    /* `x:y` is a field only if the tool has such a field, which is not known before a subject is there: with a
     * matcher other than MATCH_FIELD both readings are kept. */
    struct str field;
    struct glob *field_glob;
    struct rule_path path; /* MATCH_PATH */
    unsigned access;       /* a path rule's ACCESS_ bits: what must be done to the path for the rule to speak of it */

    /* The long form: each one given must match too. */
    struct strs flags;       /* options that must stand among an action's words */
    struct rule_paths paths; /* one of them must be touched */
    struct str regex;        /* on the normal forms; compiled by the loader */
    const void *regex_code;

    struct str reason, comment, id;
    struct str file; /* empty for rules that no file holds */
    uint32_t line, column;
    bool covers_loss; /* a shipped rule of a list that says so */
    bool untrusted;   /* of a project that nobody has trusted: its words are not shown to the model */
    struct str scope; /* it holds in the project of this id, or of this directory; empty: everywhere */
    struct str base;  /* the directory that "/x" path rules start from: the project of the settings file */
};
struct rules LIST_OF(struct rule);

/* Where the world of a decision lies, for path rules. */
struct rule_env {
    struct str cwd, home;
    struct str project, project_id; /* of the call, for rules with a scope */
    const struct world *world;
};

/* Reads the short form. Sets text, tool, content, matcher and what belongs to
 * it; the caller sets effect, source and place. The error's column counts in
 * `text`. Opens its own door on the arena. */
enum status rule_parse(struct arena *a, struct str text, enum dialect dialect, struct rule *out, struct error *err);

#define RULE_MAX_TEXT 8192 /* bytes */

/* Reads one path pattern of the long form (~/x, //x, /x, ./x, ../x, x). Opens its own door, too. */
enum status rule_path_parse(struct arena *a, struct str text, struct rule_path *out, struct error *err);

/* The short form; parsing it again gives the same rule. */
struct str rule_print(struct arena *a, const struct rule *r);

/* Does the rule speak of this subject? Deny and ask rules look at all forms and
 * all paths that the subject may touch; allow rules only match when they cover
 * the subject in its written form. */
bool rule_matches(struct arena *a, const struct rule *r, const struct subject *s, const struct rule_env *env);

/* Deny and ask: does the rule name a file that exists in a directory which the subject touches with all that is in it?
 * Of a rule on names in any directory (".env") only that directory is looked into, not those in it. */
bool rule_may_mean_below(struct arena *a, const struct rule *r, const struct subject *s, const struct rule_env *env);

const char *dialect_name(enum dialect d);

#endif
