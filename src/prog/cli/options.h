/* options.h - the command line as a table: which options a command has, and where their values go.
 *
 * Options may come anywhere; after "--" everything is an operand. Both
 * "--mode plan" and "--mode=plan" are read. What is not in the table, a value
 * that is missing, and a single value given twice are errors: a restriction
 * that was meant and not read would make a verdict looser. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/list.h"
#include "base/str.h"
#include "warder.h"

struct texts LIST_OF(const char *);
struct given_rules LIST_OF(warder_rule);

/* What the options said that commands share; NULL, false and empty where nothing was said. */
struct arguments {
    const char *profile, *mode, *cwd, *home, *project; /* which policy, and where */
    struct texts policies;
    struct given_rules rules; /* --allow, --ask and --deny in the order they were given */
    const char *input, *plan_file, *session, *client, *tier; /* the call */
    bool auto_allow, headless, jsonl;
    const char *data, *url, *token_file; /* the record and the service */
    bool json, yes, help;
    const char *color; /* when output is coloured; NULL: on a terminal */
    struct texts operands;
    bool dashes_first;    /* "--" was before the first of them */
    size_t before_dashes; /* how many were before it; without it all */
    void *given;          /* the command's own struct given; NULL: it has no options of its own */
};

/* Names that the library lists, such as those of clients: number 0, 1 and so on; NULL after the
 * last. */
typedef const char *name_list(size_t number);

enum option_kind {
    OPTION_FLAG = 0, /* target: bool */
    OPTION_WORD,     /* target: const char *, which becomes `word`; may be given once */
    OPTION_TEXT,     /* target: const char *; may be given once */
    OPTION_LIST,     /* target: struct texts; repeatable */
    OPTION_RULE,     /* target: struct given_rules; repeatable */
};

struct option {
    const char *name;     /* with its dashes */
    const char *letter;   /* its short form, such as "-h"; NULL: none */
    const char *argument; /* what help calls the value; NULL for a flag */
    const char *help;
    size_t target;      /* where its value goes: an offset in struct arguments */
    size_t own;         /* or in the command's own struct given: the size of that; 0: not there */
    const char *values; /* the values there are, separated by blanks; NULL: anything */
    name_list *more_values; /* and those that the library lists; NULL: none */
    bool closed;            /* there are no others: the library is not asked */
    enum option_kind kind;
    warder_behavior behavior; /* OPTION_RULE */
    const char *word;         /* OPTION_WORD */
};

/* Rows of a table. SHARED: a member of struct arguments; OWN: one of the command's own struct
 * given. */
#define SHARED(field) .target = offsetof(struct arguments, field)
#define OWN(field)    .target = offsetof(struct given, field), .own = sizeof(struct given)
/* clang-format off */
#define OPT_FLAG(n, where, h) {.name = (n), .help = (h), where, .kind = OPTION_FLAG}
#define OPT_LETTER(n, l, where, h) \
    {.name = (n), .letter = (l), .help = (h), where, .kind = OPTION_FLAG}
#define OPT_WORD(n, where, w, h) {.name = (n), .help = (h), where, .kind = OPTION_WORD, .word = (w)}
#define OPT_VALUE(n, a, h) .name = (n), .argument = (a), .help = (h)
#define OPT_TEXT(n, a, where, h) {OPT_VALUE(n, a, h), where, .kind = OPTION_TEXT}
#define OPT_LIST(n, a, where, h) {OPT_VALUE(n, a, h), where, .kind = OPTION_LIST}
#define OPT_ONE_OF(n, a, where, v, h) \
    {OPT_VALUE(n, a, h), where, .kind = OPTION_TEXT, .values = (v)}
#define OPT_CHOICE(n, a, where, v, h) \
    {OPT_VALUE(n, a, h), where, .kind = OPTION_TEXT, .values = (v), .closed = true}
#define OPT_NAMES(n, a, where, v, more, h) \
    {OPT_VALUE(n, a, h), where, .kind = OPTION_TEXT, .values = (v), .more_values = (more)}
#define OPT_RULE(n, b, h) \
    {OPT_VALUE(n, "RULE", h), SHARED(rules), .kind = OPTION_RULE, .behavior = (b)}
/* clang-format on */

/* A command's options are those of several tables, each ending with a zeroed row, so that commands
 * share them. */
#define OPTION_TABLES_MAX 9
extern const struct option profile_options[], reading_options[], model_options[], mode_options[],
    given_rule_options[], cwd_options[], home_options[], project_options[], call_options[],
    tier_options[], data_options[], service_options[], yes_options[], common_options[];
#define POLICY_OPTIONS                                                                             \
    profile_options, given_rule_options, cwd_options, home_options, project_options

/* Reads words[0..count) into *out. False after a complaint on standard error. */
bool options_parse(struct arena *a, const struct option *const tables[OPTION_TABLES_MAX],
                   size_t count, const char *const *words, struct arguments *out);

/* Where the option's value is: a bool, const char *, struct texts or struct given_rules. */
const void *option_target(const struct option *o, const struct arguments *args);

/* Complains about each value that is not in the list of its option, and prints the list. The
 * library accepts further names for some, so this is for when it has refused one. (A value of the
 * list in other letters, "--mode acceptedits", has been read as that value.) */
void options_name_values(struct arena *a, const struct option *const tables[OPTION_TABLES_MAX],
                         const struct arguments *args);

/* A whole number above 0. */
bool read_count(const char *text, uint32_t *out);

/* 90s, 30m, 2h, 7d, 2w */
bool read_seconds(const char *text, uint64_t *out);

bool option_repeats(const struct option *o);

/* Value 0, 1 and so on of an option that has a list of them. False after the last. */
bool option_value(const struct option *o, size_t number, struct str *out);

#endif
