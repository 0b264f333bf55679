/* page.h - a text for people about a call and its actions: shared by `explain` and `parse`. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "engine/outline.h"

struct page {
    struct buf b;
    bool colour;
    const warder_decision *decision;
    struct outline outline;
    unsigned indent; /* blanks before the lines of the action that is being shown */
};

#define PAGE_INDENT 5 /* after the number of an action, and before source lines */

/* An empty page about a decision. */
struct page page_of(struct arena *a, const warder_decision *decision, bool colour);

void page_show(struct page *p, struct str text); /* control characters are shown, not obeyed */
void page_form(
    struct page *p,
    struct str form); /* the same for words of the analysis, parts of which may be unknown */
void page_line(struct page *p, const char *start); /* begins a line that belongs to the action */

/* The source line of byte `at`, and below it a caret and tildes under `len` bytes. */
void page_carets(struct page *p, struct str text, size_t at, size_t len);

/* Number, form, place, paths and effects of an action; sets the indent for its further lines. */
void page_action(struct page *p, const struct outline_row *row);

#endif
