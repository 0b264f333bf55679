/* facts.h - everything a layer may see: values, and the disk through f->world. */
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
#include "shell/directory.h"

struct shell_analysis;

/* A file of the project that is run by its path, or by an interpreter that runs nothing else. */
enum script_age {
    SCRIPT_NONE = 0, /* not a script, or not checked */
    SCRIPT_OLD,     /* unchanged since the session began: the project's code, like what make runs */
    SCRIPT_CHANGED, /* written or changed since, or perhaps: may be the agent's own code */
    SCRIPT_TIMELESS, /* the start of the session is unknown */
};

/* A program run by its path, and what the session knows of it. */
struct session_build {
    enum {
        BUILT_NONE = 0, /* not run by its path, or not checked */
        BUILT_UNKNOWN,  /* no call of the session built it */
        BUILT_CHANGED,  /* one did, but this may be another file */
        BUILT_HERE,     /* built from the project: its code, like what `go run` runs */
    } state;
    struct str path;       /* without links; empty if unknown */
    struct file_mark mark; /* with BUILT_HERE: the file that was checked */
};

/* Why an action runs, or brings in, code that no person has agreed to: fresh.h. */
struct fresh {
    enum fresh_kind {
        FRESH_NOT = 0,
        FRESH_REVISION, /* brings in a revision that is not known to be the project's own */
        FRESH_BROUGHT,  /* runs what came from a remote during the session */
        FRESH_WRITTEN,  /* runs what the same call writes */
        FRESH_ENTRY,    /* starts from a file that has changed since the session began */
        FRESH_UNREAD,   /* starts from a file, and what that runs is not known */
        FRESH_DRIVER,   /* writes a file that git runs */
    } kind;
    struct str what;    /* the revision or file */
    struct strs agreed; /* what a person agrees to who approves it: see struct session */
};

/* An option that does more than say how its program works (struct program_option). */
struct action_option {
    struct str names;
    unsigned effects;
    bool directory, deletes;
    bool unknown; /* a path in its value is not known before run time */
    struct subject_paths paths;
};
struct action_options LIST_OF(struct action_option);

/* One thing the call would do. */
struct action {
    struct subject subject;
    struct str name; /* its first word without a directory: the name of the program */
    bool by_path;    /* that word has a slash, so PATH is not searched */
    size_t at, len;  /* the bytes of the command it comes from */
    bool redirect;   /* a shell redirection: its target is its only path */
    bool assignment; /* sets a variable, alone or for a command; the words are its name and value */
    bool whole;      /* an assignment for all that follows, not for one command */
    bool set;        /* an assignment by read, printf -v or a loop */
    bool idle;      /* an assignment without effect: no other program sees it, or the value does not
                       change */
    bool number;    /* an assignment of some number */
    bool as_option; /* an assignment that says what an option of its command says: as_options.h */
    unsigned uses;  /* of an assignment: what is known of its variable (programs/variables.h) */
    bool program;   /* a command whose program has a row: paths, hosts and effects are complete */
    const struct program_row *row; /* that one, or its subcommand's; NULL: a script or function */
    bool built;        /* `go build` made its program just before; explained as `go run` */
    bool runs_input;   /* its code is the text on its standard input */
    bool awaits;       /* it runs code, and no word says which */
    struct strs codes; /* of its words: texts that it runs, or that hold a command */
    bool unseen;       /* what begins one of those is not known */
    bool built_in;     /* that text, or one of its words, loads modules only from the program itself
                          (node) */
    struct strs loads; /* ... and these files, as data */
    enum script_age script;
    struct session_build session_build;
    size_t script_word; /* the word that names it; not the first one if an interpreter runs it */
    unsigned effects;   /* EFFECT_ bits (programs.h) of a command with a row */
    unsigned unknown;   /* ACCESS_ bits for paths that are unknown before run time */
    bool remote;        /* ... which are those of another machine */
    bool recursive;     /* one of its paths includes everything below it */
    bool lists;         /* ... and that is only listed: names, sizes and dates, no contents */
    bool selects;       /* ... or only what a pattern chooses is printed of it: */
    struct strs
        chosen; /* lines with one of these words, in any case of its letters; none: no lines */
    bool broad; /* more than that, by an option */
    struct strs only; /* globs of the names of the files that are read below it; none: all */
    bool follows;     /* links below it are followed */
    bool spares_tree; /* git: it leaves tracked files of the work tree as they are */
    bool takes_tree;  /* git: it keeps contents of the whole work tree */
    bool unhidden;    /* hidden names below it are not skipped, where the row says so of others */
    struct str cwd;   /* where it acts; empty if unknown */
    struct shell_place cwd_other; /* where it acts if an earlier `cd` failed unnoticed */
    bool adrift; /* an unknown program gets a relative name in a directory that is unknown */
    struct str directory; /* a directory that the program enters itself (git -C); empty if none */
    struct action_options options;
    struct program_revisions revisions; /* of git that it brings into the tree or makes a branch */
    bool brings;                        /* ... and that are, or may be, new here */
    struct strs starts_from;            /* files that its options name, and that say what it runs */
    struct fresh fresh;
    /* its words name a place that verdicts depend on, and nothing explains what happens to it;
     * NULL: they do not (mentions.h) */
    const char *mention;
    struct rule_places rules; /* of the rules that could match it, if the book has an index */
};
struct actions LIST_OF(struct action);

/* Is it git, with or without a subcommand that has a row? */
static inline bool action_is_any_git(const struct action *a)
{
    const char *name = a->row ? a->row->name : "";

    return name[0] == 'g' && name[1] == 'i' && name[2] == 't' &&
           (name[3] == ' ' || name[3] == '\0');
}

static inline bool action_is_git(const struct action *a)
{
    return action_is_any_git(a) && a->row->name[3] == ' ';
}

static inline bool action_has_other_cwd(const struct action *a)
{
    return a->cwd_other.kind != PLACE_NONE;
}

struct finding {
    const char *name; /* stable */
    struct str what;
    size_t at, len;
};
struct findings LIST_OF(struct finding);

/* An answer from outside the engine (a hook, the embedder's callback). */
struct answer {
    bool given;     /* something was there to be asked */
    bool decided;   /* ... and chose `behavior` */
    bool stop;      /* ... and wants the whole loop to end ("continue": false) */
    bool rewritten; /* the call being judged is already the one this answer rewrote */
    enum behavior behavior;
    struct str reason;
    const struct value *updated_input; /* NULL: none */
};

/* The secrets below a directory that is searched. */
struct tree_secrets {
    struct tree_secrets *next;
    struct str root;
    struct strs files;
    const char *why_not; /* there may be more: the end of a sentence, as of tree_doubt() */
};

/* Findings that are cached for one decision. */
struct decision_cache {
    size_t globbed; /* patterns compared with every row so far, see sensitive_paths.c */
    size_t walked;  /* names that trees.c has looked at */
    struct tree_secrets *secrets;
    struct str indexed, index; /* a work tree, and the index of it: tracked.c */
    bool index_known;
    struct rule_links *rule_links; /* links that rules name: decide/rule_links.c */
    struct rules_below *below;     /* what rules mean in whole directories: decide/rule_below.c */
    char *searched;                /* room for the contents of one of them */
    struct touched_name *names;    /* words that were looked up as paths: touch.c */
    struct str home;               /* folded for comparisons */
    enum any {
        ANY_UNASKED = 0,
        ANY_NO,
        ANY_YES
    } brings;            /* whether anything in the call copies files in: copies_in.c */
    enum any repository; /* whether one is created, or its configuration written: project.c */
    enum {
        LINKS_UNASKED = 0,
        LINKS_NONE,
        LINKS_PERHAPS
    } links; /* whether the workspace has linked worktrees: worktree.c */
    bool drivers_asked;
    const char *drivers;  /* what settings of git name: drivers.c */
    struct str directory; /* the last directory that project.c checked: */
    bool own;             /* is it in the session's own repository? */
    struct str program;   /* the last bare program name that it checked: */
    bool elsewhere;       /* is it outside of the workspace? */
    enum any fits_cell;   /* whether all of it can run in a cell: decide/layer_contained.c */
    enum any fits_undo;   /* whether the call as a whole can be undone, */
    enum any saved;       /* and what it loses be saved: decide/reversible.c, */
    struct str unsaved;   /* with the reason why not */
    enum any above;       /* whether the workspace is above a place of own_places.h */
    enum any own_inside;  /* ... or the lists there have one in it, or above it */
    /* A guest is an ask rule that may only make the verdict stricter: one of an untrusted project,
     * or one that matches only because deny and ask rules are matched more widely, or read in more
     * ways, than the profile's document says. */
    enum guests {
        GUESTS_IN = 0, /* they count */
        GUESTS_HEARD,  /* ... and one of them matched */
        GUESTS_OUT,    /* they do not count */
    } guests;
};

/* Where calls can be contained; a zeroed one is nowhere. */
struct cell_facts {
    enum cell_tier tier;  /* what the machine was proved to have */
    bool rewrites;        /* the client runs the text that it is answered, not its own */
    bool rules_read;      /* the client's own rules are part of the policy */
    bool edits_by_person; /* acceptEdits is the person's mode if the client reports it */
};

struct losses;

struct facts {
    struct arena *arena;
    const struct call *call;
    const struct rulebook *book;
    const struct session *session; /* facts_past() for what it remembers of earlier calls */
    const struct session *(*recall)(void *context); /* decide.h */
    void *recall_context;
    const struct cell_facts *(*cell)(void *context); /* decide.h; with the same context */
    /* decide.h; with the same context */
    bool (*saves)(void *context, struct arena *a, const struct losses *losses, struct str *why_not);
    bool undo; /* what the call loses is to be saved, as policy and profile have it */
    const struct world *world;
    struct rule_env env;
    struct str home;
    const struct strs *own; /* what else verdicts depend on, see own_places.h; NULL: nothing */
    struct str workspace;   /* NUL-terminated; empty if there is none (/, a home, or above one) */

    enum mode mode;
    bool mode_known;  /* the call named a mode that exists */
    bool bypass_flag; /* the user started it with --mode bypassPermissions */
    enum risk risk;   /* of the tool; whether annotations count depends on the profile */

    const struct shell_analysis
        *shell; /* shell calls: action i comes from its action i; NULL for other tools */
    struct subject
        shared; /* what all actions have from the call itself: names, fields, the first argument */
    struct actions actions;
    unsigned effects;                 /* of all actions together */
    unsigned effects_without_rules;   /* bits by enum behavior: no rule with this effect could match
                                         any action */
    const struct rule_search *search; /* for rules on actions; NULL: the book has no index */
    bool exports;                     /* one of them passes variables to other programs */
    struct findings findings;
    bool by_session;        /* what the session remembers of the tree matters (fresh.h) */
    bool contains;          /* the profile: where policy says nothing of cells, they are used */
    bool trust_old_scripts; /* the profile clears old scripts, and no policy forbids it */
    bool trust_builds;      /* ... and what earlier calls of the session built from the project */
    struct session_programs builds; /* what this call builds from the project: paths and trees */
    struct strs checkouts;          /* directories below which git may write any tracked file */
    struct str gives; /* a secret that it gives to git (staged.h); GIVEN_UNKNOWN; empty: none */
    enum {
        UNCHANGED_UNASKED = 0,
        UNCHANGED_NO,
        UNCHANGED_YES
    } unchanged;     /* cached by facts/unchanged.c */
    size_t listings; /* directories that were listed to expand patterns */
    struct decision_cache *cache;
    bool understood;      /* every action is known */
    bool splits, lasting; /* as in struct shell_analysis */
    bool stays;           /* the same: the shell ends where it began, or is surely in `enters` */
    struct str enters;    /* ... empty: where it began */
    struct str why;       /* if not understood: the reason */
    size_t why_at;
    struct str malformed; /* if this is not a call that can be judged: the reason */
    size_t paths_named;   /* so far, by touch_is_full() */

    struct answer hook, callback;
};

/* Up to this many actions are compared pairwise. A call with more is given no benefit that would
 * need the comparison. */
#define FACTS_COMPARED_MAX 500

static inline bool facts_too_many(const struct facts *f)
{
    return f->actions.count > FACTS_COMPARED_MAX;
}

/* When the session began, what it has built, brought and agreed to. NULL: it is a new one. */
const struct session *facts_past(const struct facts *f);

/* The cell that a call could run in. */
const struct cell_facts *facts_cell(const struct facts *f);

/* An absolute path without links: a text in `room`, or the path itself; empty if it is not known.
 */
struct str facts_resolve(const struct facts *f, struct str path, char room[WORLD_PATH_MAX]);

/* True also if the directory cannot be read. */
bool facts_has(const struct facts *f, struct str directory, const char *name);

/* Paths in a rule are relative to where the action acts: `cd` inside a command counts. `room` is
 * used if that is not the call's directory. */
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
