/* case_texts.h - the calls of all case files, for tests that judge them in their own ways. */
#ifndef TESTS_SUPPORT_CASE_TEXTS_H
#define TESTS_SUPPORT_CASE_TEXTS_H

#include "base/list.h"
#include "base/str.h"

enum case_kind {
    CASE_CALL = 0, /* of tests/cases/NAME.case and tests/conformance */
    CASE_PROGRAM,  /* of tests/cases/programs */
    CASE_SHELL,    /* of tests/cases/shell */
};

/* $HOME, $PROJECT and $ROOT are as they are written. */
struct case_text {
    enum case_kind kind;
    struct str tool; /* "Bash" of programs and shell */
    struct str text; /* its argument; JSON if it begins with { */
};
struct case_texts LIST_OF(struct case_text);

/* In order of the texts. Texts of a tool that are there more than once are so here. */
void case_texts_read(struct arena *a, struct case_texts *out);

/* The rules of their `allow`, `ask` and `deny` lines, in the same order. */
void case_rules_read(struct arena *a, struct strs *out);

#endif
