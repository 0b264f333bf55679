/* import.h - other agents' permission rules as ours.
 *
 * The result is never looser than the original: an allow that our rules cannot express exactly is
 * left out, such a deny or ask becomes wider, or an ask about the whole tool.
 * Where the original lets a later or stronger allow lift a deny, ours stays a deny. Each such place
 * is noted with its line. */
#ifndef CLIENT_IMPORT_H
#define CLIENT_IMPORT_H

#include "base/error.h"
#include "base/list.h"
#include "base/str.h"
#include "base/value.h"
#include "rule/mode.h"

#define IMPORT_RULES_MAX        10000u
#define IMPORT_COMBINATIONS_MAX 256u /* of the alternatives in one Codex pattern */

enum import_format {
    IMPORT_CODEX = 0,
    IMPORT_GEMINI,
    IMPORT_OPENCODE,
    IMPORT_CURSOR,
    IMPORT_COPILOT
};

struct import_rule {
    enum behavior effect;
    struct str text, reason;
};
struct import_rules LIST_OF(struct import_rule);

struct import_note {
    uint32_t line;
    struct str text;
    bool lost; /* part of the original could not be expressed; false: only in another way */
};
struct import_notes LIST_OF(struct import_note);

struct import {
    struct arena *arena;
    struct import_rules rules;
    struct import_notes notes;
};

/* By the content of the document; false when it is none of these. Codex rules are no document. */
bool import_recognise(const struct value *document, enum import_format *out);

/* Below an arena_try(). */
void import_gemini(struct import *to, const struct value *document);
void import_opencode(struct import *to, const struct value *document);
void import_cursor(struct import *to, const struct value *document);
void import_copilot(struct import *to, const struct value *document);
enum status import_codex(struct import *to, struct str text, struct error *err);

/* ---- what they share ---- */

void import_add(struct import *to, enum behavior effect, struct str rule, struct str reason);
__attribute__((format(printf, 4, 5))) void import_note(struct import *to, uint32_t line, bool lost,
                                                       const char *format, ...);
/* All calls of one kind. A client's "edit" is all of our tools that write, and what shell commands
 * write, too. */
void import_add_tool(struct import *to, enum behavior effect, const char *tool);

/* For a deny or ask that cannot be expressed: the whole tool is asked about instead. */
void import_ask_tool(struct import *to, uint32_t line, const char *tool, const char *why);

/* The text as a rule has it: what our patterns would read differently is escaped. `star` is kept
 * when `globs`. */
struct str import_escape(struct import *to, struct str text, bool globs);

/* "Bash(git push:*)" and, for deny and ask, "Bash(git push*)", which stops more. */
struct str import_prefix(struct import *to, enum behavior effect, struct str prefix);

#endif
