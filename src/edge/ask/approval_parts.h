/* approval_parts.h - the files of approvals, for approval.c. */
#ifndef ASK_APPROVAL_PARTS_H
#define ASK_APPROVAL_PARTS_H

#include "ask/approval.h"

/* A question that is to be written. */
struct new_question {
    struct approval approval;
    const struct bound_files *files;
    bool again; /* an equal one waits already */
};

void question_print(struct buf *out, const void *about); /* a struct new_question */

/* *found is false if there is no such file, or it is not one of our questions. */
enum status question_read(struct arena *a, int directory, const char *name, struct approval *out,
                          bool *found, struct error *err);

/* Any of the files; *out is NULL if there is none of that name. */
enum status approval_document(struct arena *a, int directory, const char *name, struct value **out,
                              struct error *err);

#endif
