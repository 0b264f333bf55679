/* journal_verify.h - checks the chain and reports what is wrong with which record.
 *
 * It cannot know whether whole records are missing at the end, or whether all of it was rewritten.
 * A head that was kept elsewhere (an anchor: another user's file, journald) shows both. Without one
 * the answer is "no anchor to compare with". */
#ifndef RECORD_JOURNAL_VERIFY_H
#define RECORD_JOURNAL_VERIFY_H

#include "record/journal_read.h"

#define VERIFY_PROBLEMS_MAX 20 /* that are listed; all are counted */

struct journal_problem {
    uint64_t n;             /* the record, or the one that should be there */
    uint64_t segment, line; /* 0: no line */
    char why[120];
};

/* A head that was kept elsewhere. */
struct journal_anchor {
    uint64_t n;
    char hash[SHA256_HEX];
};

struct journal_verdict {
    uint64_t first, records; /* number of the first one; how many lines were records */
    struct chain_head head;  /* the last one */
    size_t repairs;          /* torn writes that were set aside */
    size_t clocks;           /* how often the clock went back */
    uint64_t removed;        /* records up to this one were removed by retention */
    uint64_t anchored;       /* the last record that an anchor confirms; 0: none */
    size_t problem_count;
    struct journal_problem problems[VERIFY_PROBLEMS_MAX];
};

/* The check line by line, for callers that read the lines themselves: verify_begin, verify_line...,
 * verify_end. */
struct journal_walk {
    struct journal_verdict *out;
    const struct journal_anchor *anchors; /* ascending */
    size_t anchor_count, anchor_next;
    struct chain_head head;
    bool begun, broken; /* broken: the previous line was not a record, so nothing can follow it */
    char start[SHA256_HEX]; /* what the first record follows, when it is not number 1 */
    bool start_known;
};
void verify_begin(struct journal_walk *w, struct journal_verdict *out,
                  const struct journal_anchor *anchors, size_t count);
void verify_line(struct journal_walk *w, const struct journal_line *line);
void verify_end(struct journal_walk *w);

/* `anchors`: ascending by number; NULL and 0: none. */
enum status journal_verify(const char *dir, const struct journal_anchor *anchors, size_t count,
                           struct journal_verdict *out, struct error *err);

/* Parses an anchor: "N HASH TIME" at the end of a line. False if it is not one. */
#define ANCHOR_SIZE (24 + SHA256_HEX + STAMP_SIZE)
void anchor_print(const struct chain_head *head, char out[ANCHOR_SIZE]);
bool anchor_parse(struct str line, struct journal_anchor *out);

/* Reads the anchors in a file, sorted; free(*out). Any other line is an error. */
enum status anchors_load(const char *path, struct journal_anchor **out, size_t *count,
                         struct error *err);

#endif
