/* servicebox.h - a service in its own directory, with clocks that tests set, and the events it
 * sent. */
#ifndef SUPPORT_SERVICEBOX_H
#define SUPPORT_SERVICEBOX_H

#include "service/service.h"

struct servicebox {
    char root[64], home[96], data[96], work[96];
    warder_service *service;
    warder_caller worker, other, operator, viewer;
    size_t settled, events;
    size_t told_before; /* how many cases were settled at the last event */
    warder_case *last;  /* the last case that was settled */
    char last_event[4096];
};

extern struct servicebox box;      /* valid between box_setup() and box_teardown() */
extern int64_t box_wall, box_mono; /* 0: the real clocks */

int box_setup(void **state);
int box_teardown(void **state);

void box_make(struct servicebox *b);
void box_remove(struct servicebox *b);
/* profile NULL: guild. Fails the test if it cannot open. */
void box_open(struct servicebox *b, const char *profile);
void box_open_with(struct servicebox *b, warder_service_options o);
void box_close(struct servicebox *b);

/* A Bash call of the worker; `more` is "" or further members of the call, starting with a comma. */
warder_case *box_put(struct servicebox *b, const warder_caller *who, const char *command,
                     const char *more);
void box_commit(struct servicebox *b);
/* Puts, commits, returns the answer and frees the case. The text lives until the next call. */
const char *box_ask(struct servicebox *b, const warder_caller *who, const char *command,
                    const char *more);

/* The text of a member of a JSON object by its path ("review.id", "reviews.0.id"); "" if there is
 * none. The last 32 results stay valid. */
const char *box_member(const char *json, const char *path);

#define assert_member(json, path, want) assert_string_equal(box_member(json, path), want)

/* An answer by the operator, committed. */
warder_outcome box_answer(struct servicebox *b, const char *id, const char *json);
/* How many journal records contain this text. */
size_t box_records(const struct servicebox *b, const char *text);
void box_write(const char *path, const char *text);

#endif
