/* learn.h - rules from what people answered: shared by the files learn*.c.
 *
 * learn_calls.c and learn_transcript.c collect calls with their answers; learn.c finds out which
 * rules they are examples of and lets the engine itself judge what these rules would change;
 * learn_show.c prints that; learn_write.c writes it into a policy file and takes it back.
 *
 * Everything lives in the learning's arena. Calls are what agents wrote: nothing in them is
 * believed but the words that the engine reads itself. */
#ifndef REPORT_LEARN_H
#define REPORT_LEARN_H

#include "engine/report.h"
#include "facts/general.h"
#include "facts/wraps.h"
#include "report/recorded.h"
#include "rule/learn.h"

#define LEARN_SESSIONS_LEAST 2u                          /* in which a rule was needed */
#define LEARN_COMMANDS_LEAST 5u                          /* that went through a wrapper */
#define LEARN_LINE_MAX       ((size_t)128 * 1024 * 1024) /* memory for one record */

struct learn_call {
    struct str json;  /* as warder_check_json() takes it */
    struct str shown; /* the command, or the tool */
    struct str time;  /* RFC 3339; empty: not known */
    enum recorded_answer answer;
    enum behavior now; /* by the present policy */
    bool open;         /* rules could let it through */
    const char *why;   /* ... or why they never should */
};
struct learn_calls LIST_OF(struct learn_call);
struct lesson_calls LIST_OF(struct lesson_call);

/* A rule, or with `wraps` a row for a wrapper, that calls are examples of. */
struct learn_rule {
    struct str key;
    struct str rule, name, host; /* host: the one that the rule must name; empty: none */
    enum general_kind kind;
    bool wraps;
};
struct learn_rules LIST_OF(struct learn_rule);

/* A program without a row in a call. */
struct learn_use {
    size_t call;
    struct strs words;
    bool fits;     /* as a use of the wrapper */
    bool declared; /* which is one, by all that is known */
    struct wrap wrap;
};
struct learn_uses LIST_OF(struct learn_use);
struct lesson_rules LIST_OF(struct lesson_rule);

/* What a person reads and ticks: all chosen rules of one text. */
struct learn_offer {
    struct str rule, name, id, comment;
    enum general_kind kind;
    bool wraps, ticked;
    struct strs hosts;
    size_t calls, sessions;
    struct str first, last; /* dates */
    struct strs examples;   /* commands that speak for it */
    struct strs others;     /* recorded calls that no one accepted, and that it would let through */
    size_t other_count;
    struct strs neighbours; /* "allow  cp a b" */
};
struct learn_offers LIST_OF(struct learn_offer);

struct learn_name {
    struct str text;
    size_t number;
};
/* Texts and their numbers, in the order of their first use. */
struct learn_names {
    struct strs list;
    struct learn_name *slots;
    size_t room;
};

struct learn_figures {
    size_t train, test;       /* sessions */
    size_t asks, ticked, all; /* of the second half: asked about; let through by the rules */
    size_t rejected, passed_ticked, passed; /* rejected there; of these let through */
};

struct learn_change;
struct reader;

struct warder_learning {
    struct arena arena, scratch; /* the second: of one record */
    struct reader *own;          /* of lines in our own form */
    warder_options options;      /* the caller's, whose strings live on */
    warder_engine *engine;       /* by the present policy */
    struct str project;          /* only calls in this directory count; empty: all */
    struct learn_calls calls;
    struct lesson_calls lessons; /* the same calls, as numbers */
    struct learn_names sessions, ids;
    struct places LIST_OF(size_t) places; /* by id: which call it is */
    struct strs began;                    /* by session: its first time */
    struct learn_uses uses;
    struct learn_names keys, inners; /* of rules, and of what went through wrappers */
    struct learn_rules rules;
    struct lesson_rules lesson_rules; /* the same rules, as numbers */
    struct learn_offers offers;
    struct learn_figures figures;
    struct str rows; /* the wrappers, as a policy; empty: none */
    size_t unread;   /* lines of transcripts that are not JSON */
    size_t skipped;  /* lines that are not a call, or have no answer to believe */
    bool worked;
    struct learn_change *change;
};

/* ---- learn_calls.c ---- */

/* One record of a log, or a line of the same members; what is no call is left out. Below an
 * arena_try() of the learning's arena and of `scratch`. */
void learn_take(warder_learning *l, struct arena *scratch, struct str line);

size_t learn_number(struct arena *a, struct learn_names *names, struct str text, bool *is_new);

/* ---- learn.c ---- */

/* Finds the offers, once. */
warder_status learn_work(warder_learning *l, warder_error *err);

/* ---- learn_calls_do.c: what calls do, and what would let them through ---- */

/* Calls `fn` for each call, judged by the engine. */
struct learn_look {
    warder_learning *learning;
    size_t call, use; /* the first use of that call, or a later one */
    warder_decision *decision;
    struct rule *denies; /* all rules, as if they denied */
};
typedef void learn_look_fn(void *arg); /* a struct learn_look */
warder_status learn_each(warder_learning *l, warder_engine *engine, struct learn_look *look,
                         learn_look_fn *fn, warder_error *err);

/* Fills `now` of all calls, and the uses of unknown programs. */
void learn_survey(void *arg);
/* Fills the needs of a call; learn_veto() its vetoes. */
void learn_find_needs(void *arg);
void learn_veto(void *arg);
/* The wrappers among the unknown programs become rules, and l->rows. */
void learn_find_wrappers(warder_learning *l);

/* ---- learn_policy.c ---- */

/* The chosen rules as a policy: {"allow": [...], "programs": [...]}. */
struct str learn_policy(struct arena *a, const struct learn_offers *offers, bool ticked_only);
void learn_policy_members(struct json_writer *w, const struct learn_offers *offers,
                          bool ticked_only);
/* One entry of it, on one line. */
struct str learn_entry(struct arena *a, const struct learn_offer *offer);
/* The rules that are chosen, those of one text together. */
void learn_collect(struct arena *a, const struct learn_rules *rules,
                   const struct lesson_rules *chosen, struct learn_offers *out);

/* ---- learn_write.c ---- */

void learn_change_release(warder_learning *l);

#endif
