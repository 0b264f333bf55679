/* edit.h - adds one rule to a policy file and changes nothing else in it.
 *
 * The file is a person's: their order, comments, indentation and line ends stay byte for byte, and
 * the change is one insertion. The readers' places of values show where to insert. The result is
 * then read back: it must have exactly one more rule and everything else as before, or the file is
 * not touched. */
#ifndef POLICY_EDIT_H
#define POLICY_EDIT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "document/document.h"
#include "policy/file.h"
#include "policy/schema.h"

struct edit_rule {
    enum behavior effect;
    struct str text;      /* the short form */
    enum dialect dialect; /* of the profile */
    /* The place, in this file, of the rule that decided the call; 0: none did. If the first match
     * wins, the new rule goes above it. */
    uint32_t above_line, above_column;
    /* Of our own format: the whole entry, a JSON object on one line, whose "rule" is `text` and
     * whose "id" says whether it is there already. Empty: the text alone. */
    struct str entry;
    bool row; /* the entry is a row of "programs", and no rule */
};

/* The change of a text: none if `already`, else `insert` at byte `at`. */
struct edit {
    bool already; /* the rule is there, and no rule above shadows it */
    size_t at;
    struct str insert;
    struct str result; /* the whole new text */
    uint32_t line;     /* of the rule in it */
};

/* `path` names the file in messages, and its suffix is the syntax. `text`.s NULL: there is no file
 * yet. An unknown format is recognised by content. Needs no arena_try() around it. Refuses
 * (STATUS_SYNTAX) a text or rule that cannot be read, a file with a fatal problem, and one whose
 * layout has no safe place for an insertion. */
enum status edit_plan(struct arena *a, struct str path, struct str text, enum format format,
                      const struct edit_rule *rule, struct edit *out, struct error *err);

/* Adds one entry to a list of the key "sandbox" of our own format: a path is an absolute one. The
 * same promises. */
enum status edit_sandbox(struct arena *a, struct str path, struct str text, enum sandbox_list list,
                         struct str entry, struct edit *out, struct error *err);

/* The other way: takes what edit_plan() has inserted out of the text, wherever it is now.
 * STATUS_USAGE: it is not there. Refuses if more than one entry would be gone. */
enum status edit_take_back(struct arena *a, struct str path, struct str text, enum format format,
                           enum dialect dialect, struct str inserted, struct edit *out,
                           struct error *err);

/* A rule's place in the text, as its reader recorded it. */
struct edit_place_of {
    uint32_t line, column;
};

/* Takes one rule out of the text. The rest stays byte for byte, and the result is read back: it
 * must have that rule less, and everything else as before. STATUS_SYNTAX: there is no rule at this
 * place, or it cannot be taken out without touching the rest. Needs no arena_try() around it. */
enum status edit_remove(struct arena *a, struct str path, struct str text, enum format format,
                        enum dialect dialect, struct edit_place_of place, struct str *result,
                        struct error *err);

struct edit_target {
    const char *path;
    enum file_guard guard;
    const char *inside; /* FILE_PROJECT: the project; no link may lead the file out of it */
    enum format format;
};

/* Our own file of that name ("warder", "warder.local") in a directory: the one that is there, else
 * the one to make. False: the path is too long. */
bool edit_file_in(const char *directory, const char *name, char out[PATH_MAX]);

#define EDIT_LOCK_MS    5000u /* how long to wait for another writer */
#define EDIT_MEMORY_MAX ((size_t)256 * 1024 * 1024)

struct edit_done {
    bool already;
    uint32_t line;
    /* The file's whole new text, malloc'ed, for callers that trust files by content; NULL if
     * `already`. */
    char *text;
    size_t len;
};

/* Creates the file and its directory if they are missing. Other callers of this function wait; a
 * file that another program changes meanwhile is not overwritten (STATUS_IO). Mode and owner are
 * kept. */
enum status edit_add(const struct edit_target *target, const struct edit_rule *rule,
                     struct edit_done *out, struct error *err);

/* The same for a whole text: the file must still be `old` (.s NULL: missing). The syntax is not
 * checked. */
enum status edit_replace(const struct edit_target *target, struct str old, struct str text,
                         struct error *err);

#endif
