/* servicebox.h - a service in a directory of its own, with clocks that tests set, and what it told
 * its owner. */
#ifndef SUPPORT_SERVICEBOX_H
#define SUPPORT_SERVICEBOX_H

#include "service/service.h"

struct servicebox {
    char root[64], home[96], data[96], work[96];
    warder_service *service;
    warder_caller worker, other, operator, viewer;
    size_t settled, events;
    size_t told_before; /* how many cases were settled when the last event came */
    warder_case *last;  /* that was settled */
    char last_event[4096];
};

extern struct servicebox box;      /* of a test between box_setup() and box_teardown() */
extern int64_t box_wall, box_mono; /* 0: the real clocks */

int box_setup(void **state);
int box_teardown(void **state);

void box_make(struct servicebox *b);
void box_remove(struct servicebox *b);
/* profile NULL: guild. Fails the test when it does not open. */
void box_open(struct servicebox *b, const char *profile);
void box_open_with(struct servicebox *b, warder_service_options o);
void box_close(struct servicebox *b);

/* A Bash call of the worker; `more` are further members of the call, with a comma in front, or "".
 */
warder_case *box_put(struct servicebox *b, const warder_caller *who, const char *command,
                     const char *more);
void box_commit(struct servicebox *b);
/* Puts, commits, and returns the answer; the case is freed. The text lives until the next call. */
const char *box_ask(struct servicebox *b, const warder_caller *who, const char *command,
                    const char *more);

/* The text of a member of a JSON object, below others by a path ("review.id", "reviews.0.id"); ""
 * when there is none. The last 32 of them can be used. */
const char *box_member(const char *json, const char *path);

#define assert_member(json, path, want) assert_string_equal(box_member(json, path), want)

/* An answer by the operator, committed. */
warder_outcome box_answer(struct servicebox *b, const char *id, const char *json);
/* How many records of the journal hold this text. */
size_t box_records(const struct servicebox *b, const char *text);
void box_write(const char *path, const char *text);

#endif
