/* facts.h - everything a layer may look at. Facts come in as values; a layer asks nobody. */
#ifndef FACTS_FACTS_H
#define FACTS_FACTS_H

#include <stdbool.h>

#include "base/list.h"
#include "base/str.h"
#include "base/world.h"
#include "call/call.h"
#include "facts/session.h"
#include "programs/programs.h"
#include "rule/book.h"
#include "rule/index.h"
#include "rule/rule.h"
#include "rule/subject.h"

struct shell_analysis;

/* A file of the project that is run by its path, or by an interpreter that is given nothing else to
 * run. */
enum script_age {
    SCRIPT_NONE = 0, /* it is none, or nobody looks whether it is */
    SCRIPT_OLD,     /* unchanged since the session began: the project's code, like what make runs */
    SCRIPT_CHANGED, /* written or changed since, or perhaps: freshly written code */
    SCRIPT_TIMELESS, /* nobody knows when the session began */
};

/* A program that is run by its path, and what the session knows of it. */
struct session_build {
    enum {
        BUILT_NONE = 0, /* it is none, or nobody looks whether it is */
        BUILT_UNKNOWN,  /* no call of the session built it */
        BUILT_CHANGED,  /* one did, but this may be another file */
        BUILT_HERE,     /* built from the project: its code, like what `go run` runs */
    } state;
    struct str path;       /* without links; empty: it cannot be told */
    struct file_mark mark; /* with BUILT_HERE: the file that was looked at */
};

/* What a command brings from elsewhere: copies_in.h. */
enum brings {
    BRINGS_NOTHING = 0,
    BRINGS_NAMES,   /* a link, or something under another name */
    BRINGS_COPIES,  /* whole directories with the links in them, which somebody has seen being made
                     */
    BRINGS_ARCHIVE, /* links that need not lie anywhere on the disk before */
};

/* One thing the call would do. */
struct action {
    struct subject subject;
    struct str name; /* the first of its words, without a directory: what the program is called */
    bool by_path;    /* that word has a slash: the program is not searched for */
    size_t at, len;  /* the bytes of the command it comes from */
    bool redirect;   /* a shell redirection: its target is its only path */
    bool assignment; /* a variable set for itself or for a command; words are its name and value */
    bool whole;      /* such a variable is set for all that follows, not for one command */
    bool set;        /* such a variable is set by read, printf -v or a loop */
    bool idle;    /* such a variable changes nothing: nobody else sees it, or it is what it was */
    bool number;  /* such a variable gets a number, whichever it is */
    bool program; /* a command whose program the table knows: then paths, hosts and effects are all
                     there is */
    bool built;   /* its program was made by `go build` just before, and is explained as `go run` */
    bool runs_input;   /* its code is the text on its standard input */
    bool built_in;     /* such a text, or one of its words, finds its modules in the program itself
                          (node) */
    struct strs loads; /* ... and these files, as data */
    enum script_age script;
    struct session_build session_build;
    size_t script_word; /* which word names it; of an interpreter not the first */
    unsigned effects;   /* EFFECT_ bits (programs.h) of such a command */
    unsigned unknown; /* ACCESS_ bits of what it does to paths that are not known before run time */
    bool recursive;   /* one of its paths means everything below it, too */
    bool lists;     /* ... and all of those are only listed: names, sizes and dates, no contents */
    struct str cwd; /* where it acts; empty: not known */
    struct str cwd_other; /* where it acts if a `cd` before it failed unnoticed; "\x01": anywhere;
                             empty: nowhere else */
    struct str directory; /* a directory that the program goes to itself (git -C); empty: none */
    struct rule_places rules; /* of the book that could speak of it, if the book has an index */
};
struct actions LIST_OF(struct action);

struct finding {
    const char *name; /* stable */
    struct str what;
    size_t at, len;
};
struct findings LIST_OF(struct finding);

/* What somebody outside the engine (a hook, the embedder's callback) said. */
struct answer {
    bool given;     /* somebody was there to be asked */
    bool decided;   /* ... and chose `behavior` */
    bool stop;      /* ... and wants the whole loop to end ("continue": false) */
    bool rewritten; /* the call being judged is already the one this answer rewrote */
    enum behavior behavior;
    struct str reason;
    const struct value *updated_input; /* NULL: none */
};

/* What layers find out once in a decision. */
struct found_out {
    size_t globbed;  /* patterns that were held against every place, see sensitive_paths.c */
    struct str home; /* as it is compared there */
    enum any {
        ANY_UNASKED = 0,
        ANY_NO,
        ANY_YES
    } brings;            /* does anything in the call: copies_in.c */
    enum any repository; /* is one made, or its configuration written: project.c */
    enum {
        LINKS_UNASKED = 0,
        LINKS_NONE,
        LINKS_PERHAPS
    } links;              /* has the workspace linked worktrees: worktree.c */
    struct str directory; /* the last one that project.c was asked about: */
    bool own;             /* is it of the session's own repository? */
    struct str program;   /* the last bare name of one that it was asked about: */
    bool elsewhere;       /* does it lie outside of the workspace? */
};

struct facts {
    struct arena *arena;
    const struct call *call;
    const struct rulebook *book;
    const struct session *session;
    const struct world *world;
    struct rule_env env;
    struct str home;
    struct str workspace; /* NUL-terminated; empty: there is none (/, a home, or above one) */

    enum mode mode;
    bool mode_known;  /* the call named a mode that exists */
    bool bypass_flag; /* the person who started it wrote --mode bypassPermissions */
    enum risk risk;   /* of the tool, annotations counted as the profile counts them */

    const struct shell_analysis
        *shell; /* of a shell call: action i comes from its action i; NULL of other tools */
    struct subject
        shared; /* what all actions have of the call itself: names, fields, the first argument */
    struct actions actions;
    unsigned effects;               /* of all actions together */
    unsigned effects_without_rules; /* bits by enum behavior: no rule with such an effect could
                                       speak of any action */
    bool exports;                   /* one of them hands variables to other programs */
    struct findings findings;
    bool trust_old_scripts; /* the profile clears old scripts, and policy does not forbid it */
    bool trust_builds;      /* ... and what earlier calls of the session built from the project */
    struct session_programs builds; /* what this call builds from the project: paths and trees */
    struct strs checkouts;          /* where git writes tracked files: everywhere below these */
    enum { UNCHANGED_UNASKED = 0, UNCHANGED_NO, UNCHANGED_YES } still; /* for facts/unchanged.c */
    size_t listings; /* directories that were listed to expand patterns */
    struct found_out *found_out;
    bool understood;      /* every action is known */
    bool splits, lasting; /* as in struct shell_analysis */
    struct str why;       /* not understood: the sentence */
    size_t why_at;
    struct str malformed; /* not a call we can judge: the sentence */

    struct answer hook, callback;
};

/* So many actions are held against each other. Of a call with more of them nothing is believed that
 * would need it. */
#define FACTS_COMPARED_MAX 500

static inline bool facts_too_many(const struct facts *f)
{
    return f->actions.count > FACTS_COMPARED_MAX;
}

/* What cannot be looked at may be there. */
bool facts_has(const struct facts *f, struct str directory, const char *name);

/* Paths in a rule start from where the action acts: `cd` inside a command counts. `room` is for one
 * that is not the call's. */
static inline const struct rule_env *facts_env(const struct facts *f, const struct action *a,
                                               struct rule_env *room)
{
    if (a->cwd.len == 0 || (a->cwd.s == f->env.cwd.s && a->cwd.len == f->env.cwd.len))
        return &f->env;
    *room = f->env;
    room->cwd = a->cwd;
    return room;
}

#endif
