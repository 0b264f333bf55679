/* options.h - the command line as a table: which options a command has, and where their values go.
 *
 * Options may stand anywhere; behind "--" everything is an operand. Both
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

/* What the command line said; NULL, false and empty where it said nothing. */
struct arguments {
    const char *profile, *mode, *cwd, *home, *project, *plan_file, *input, *text, *client, *timeout,
        *name, *session;
    const char *data, *decision, *worker, *tool, *rule, *since, *until, *cursor, *limit, *anchor,
        *role;
    const char *url, *token_file, *status, *reason, *cooldown, *pattern, *type, *scope;
    const char *listen, *socket, *review_timeout, *retention, *record_sync, *tls_cert, *tls_key;
    struct texts policies, commands, hosts, notify_commands, notify_webhooks;
    struct given_rules rules; /* --allow, --ask and --deny in the order they were given */
    bool auto_allow, headless, jsonl, json, yes, help, version, user, in_project, managed, dry_run,
        write_file, list;
    bool follow, journald, image;
    struct texts operands;
    bool dashes_first; /* "--" stood before the first of them */
};

/* Names that the library lists, such as those of clients: number 0, 1 and so on; NULL after the
 * last. */
typedef const char *name_list(size_t number);

enum option_kind {
    OPTION_FLAG = 0, /* target: bool */
    OPTION_TEXT,     /* target: const char *; may be given once */
    OPTION_LIST,     /* target: struct texts; repeatable */
    OPTION_RULE,     /* target: struct given_rules; repeatable */
};

struct option {
    const char *name;     /* with its dashes */
    const char *argument; /* what help calls the value; NULL for a flag */
    const char *help;
    size_t target;          /* offset in struct arguments */
    const char *values;     /* the values there are, separated by blanks; NULL: anything */
    name_list *more_values; /* and those that the library lists; NULL: none */
    enum option_kind kind;
    warder_behavior behavior; /* OPTION_RULE */
};

/* A command's options are those of several tables, each ending with a zeroed row, so that commands
 * share them. */
#define OPTION_TABLES_MAX 4

/* Reads words[0..count) into *out. False after a complaint on standard error. */
bool options_parse(struct arena *a, const struct option *const tables[OPTION_TABLES_MAX],
                   size_t count, const char *const *words, struct arguments *out);

/* Complains about each value that is not in the list of its option, and prints the list. The
 * library accepts further names for some, so this is for when it has refused one. */
void options_name_values(struct arena *a, const struct option *const tables[OPTION_TABLES_MAX],
                         const struct arguments *args);

bool option_repeats(const struct option *o);

/* Value 0, 1 and so on of an option that has a list of them. False after the last. */
bool option_value(const struct option *o, size_t number, struct str *out);

#endif
