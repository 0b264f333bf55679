/* review.h - what the files review*.c share. */
#ifndef CLI_REVIEW_H
#define CLI_REVIEW_H

#include "cli/api.h"

/* An answer to a review; NULL where nothing was said. */
struct review_answer {
    const char *answer, *rule, *reason, *cooldown; /* approve, deny, promote; cooldown in seconds */
};

/* All return 0 or an exit code. */
int review_read_all(struct api *api, const char *status, struct value *out);
int review_read(struct api *api, const char *id, struct value *out);
int review_answer(struct api *api, const char *id, const struct review_answer *answer,
                  struct value *out);

/* Waits for the events of reviews after *cursor, and moves *cursor to the last of them. The first
 * call, with a cursor of 0, does not wait. */
int review_wait(struct api *api, uint64_t *cursor, struct value *events);

void review_print_line(const struct value *review);
void review_print_all(const struct value *review);

#endif
