/* program_use.h - commands and what the table of programs says of them, as case files write both.
 */
#ifndef TESTS_SUPPORT_PROGRAM_USE_H
#define TESTS_SUPPORT_PROGRAM_USE_H

#include "base/arena.h"
#include "programs/programs.h"

struct use_words LIST_OF(struct shell_word);

/* The words as a shell would pass them: quotes, $x for unknown parts, globs. */
struct use_words use_words(struct arena *a, const char *command);

/* "effects | paths", with "? " in front if the program is not known. */
struct str use_text(struct arena *a, const struct program_use *use);

/* The same, and what it hands on: code (X), a text for a shell (S), the name of a remote (M), the
 * place of words from outside (O). */
struct str use_facts(struct arena *a, const struct program_use *use);

#endif
