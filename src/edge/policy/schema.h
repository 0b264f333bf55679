/* schema.h - the meaning of policy files: several formats, one rulebook.
 *
 * Each format is a table of keys. Nothing here opens a file; everything is allocated in the
 * reader's arena, inside its arena_try().
 *
 * Invalid input is a problem with a place. It is fatal if it could have denied or asked: then it is
 * not known what the file forbids, and every call is denied until it is fixed. */
#ifndef POLICY_SCHEMA_H
#define POLICY_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/value.h"
#include "machine/regex.h"
#include "policy/format.h"
#include "policy/load.h"
#include "rule/book.h"

#define POLICY_RULES_MAX    ((size_t)200000) /* of all files together */
#define POLICY_PROGRAMS_MAX ((size_t)1000)   /* rows for programs, of all files together */
#define POLICY_EXAMPLES_MAX ((size_t)2000)   /* in tests, match and not, of all files together */
#define POLICY_WARNINGS_MAX                                                                        \
    ((size_t)1000) /* problems after which warnings are not listed; fatal ones always are */

/* The reader of one file. */
struct policy_reader {
    struct arena *arena;
    struct arena *draft; /* of the list of rules while it grows, and of documents; NULL: `arena` */
    struct arena *scratch; /* of one rule while it is read; NULL: `arena` */
    struct rulebook *book;
    struct regexes *regexes;
    policy_knows *knows;       /* NULL: any name may be one */
    const unsigned char *rank; /* of each source; 0 is the strongest and decides scalars */

    struct str file; /* its name in problems and rules */
    struct str text; /* while it is read */
    enum source source;
    enum dialect dialect; /* of short forms, unless the format defines it */
    struct str project, home;
    int64_t now;  /* seconds: a stored rule may take effect later */
    bool kept;    /* see kept.h */
    bool trusted; /* false: what loosens is left out and counted */
    bool strict;  /* unknown keys are errors; set by the format */
    bool full;    /* there were more rules than POLICY_RULES_MAX */
    size_t rules, left_out;
};

/* By content; the name decides only if the content could be either. Never FORMAT_UNKNOWN. */
enum format schema_recognise(struct str path, const struct value *document);

/* "Bash", "Read(~/.ssh)", "mcp__github": a rule about a tool rather than a command pattern. */
bool schema_names_tool(struct str text);

/* In guild's files, and in rules of its service, a path is what the system calls one: /srv is
 * absolute. Rules of the other formats are spelled as in settings files, where one slash is the
 * project and two are the root: this turns the one into the other. */
struct str schema_absolute(struct arena *a, struct str path);

/* Adds the contents of `document`, an object, to r->book. */
void schema_read(struct policy_reader *r, enum format format, const struct value *document);

/* ---- for the formats ---- */

void schema_add_rule(struct policy_reader *r, const struct rule *rule);

#define TAKES(kind) (1u << (kind))

/* A key of a format. Keys are read in the order of the table, not of the file. */
struct schema_key {
    const char *name;
    unsigned kinds; /* TAKES() bits */
    bool fatal;     /* could a value of the wrong kind have restricted something? */
    void (*take)(struct policy_reader *r, const struct value *v);
};

/* "unknown key ...; did you mean ...?" `near` has seen the keys there are. */
struct str schema_unknown(struct arena *a, struct str key, const struct nearest *near);

/* A problem at this place, without its message. */
struct problem schema_place(struct policy_reader *r, const struct value *at);

/* The column of byte `byte` (from 1) of a string; the string's own if it has escapes. */
uint32_t schema_inside(const struct policy_reader *r, const struct value *v, struct str text,
                       uint32_t byte);

void schema_take(struct policy_reader *r, const struct value *object, const struct schema_key *keys,
                 size_t count);

__attribute__((format(printf, 4, 5))) void schema_problem(struct policy_reader *r, bool fatal,
                                                          const struct value *at,
                                                          const char *format, ...);

/* The text of a string; false, and a problem, if it is not a string, empty, or contains a NUL. */
bool schema_text(struct policy_reader *r, bool fatal, const struct value *v, struct str *out);

/* One rule, or each of a list; entry.c. `form` is the set of spellings of the format. */
enum entry_form {
    ENTRY_SHORT,   /* strings only: settings */
    ENTRY_ROW,     /* {tool or pattern, action, comment}: caliban */
    ENTRY_COMMAND, /* strings or {pattern, ...}: guild; the pattern is about commands */
    ENTRY_LONG,    /* strings or the long form: ours */
};
void entry_take(struct policy_reader *r, enum entry_form form, enum behavior effect,
                const struct value *entry);
void entry_take_all(struct policy_reader *r, enum entry_form form, enum behavior effect,
                    const struct value *list);
/* The same, if each entry is an object with an "action". */
void entry_take_rows(struct policy_reader *r, enum entry_form form, const struct value *list);

/* Settings that several formats share; common.c and hooks.c. */
void take_mode(struct policy_reader *r, const struct value *v);
void take_directories(struct policy_reader *r, const struct value *v);
void take_disabled_tools(struct policy_reader *r, const struct value *v);
void take_allowed_tools(struct policy_reader *r, const struct value *v);
void take_bypass_switch(struct policy_reader *r, const struct value *v);
void take_auto_switch(struct policy_reader *r, const struct value *v);
void take_clearances(struct policy_reader *r, const struct value *v);
#define CLEARANCES_KEY                                                                             \
    {                                                                                              \
        "clearances", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), true, take_clearances               \
    }
void take_pause(struct policy_reader *r, const struct value *v);
void take_undo(struct policy_reader *r, const struct value *v);
void take_managed_only(struct policy_reader *r, const struct value *v);
void take_hooks(struct policy_reader *r, const struct value *v);
/* sandbox.c and, of a client's settings, sandbox_settings.c */
void take_sandbox(struct policy_reader *r, const struct value *v);
void take_client_sandbox(struct policy_reader *r, const struct value *v);

/* programs.c: rows for the table of programs. programs_finish() sorts them after all files were
 * read. */
void take_programs(struct policy_reader *r, const struct value *v);
void programs_finish(struct rulebook *book);
const char *programs_key(size_t n); /* of a row; NULL after the last one */

/* examples.c: calls that the file says something about. */
void take_tests(struct policy_reader *r, const struct value *v);
void examples_add(struct policy_reader *r, const struct examples *examples);

/* The formats. */
void settings_read(struct policy_reader *r, const struct value *document);
void caliban_read(struct policy_reader *r, const struct value *document);
void guild_read(struct policy_reader *r, const struct value *document);
void warder_read(struct policy_reader *r, const struct value *document);
void stored_read(struct policy_reader *r, const struct value *document);

/* The keys of our own format, and those of its long form: the published schema must have the same.
 */
const struct schema_key *warder_keys(size_t *count);
const char *entry_long_key(size_t n); /* NULL after the last one */

#endif
