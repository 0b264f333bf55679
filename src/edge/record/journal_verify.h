/* journal_verify.h - walks the chain and says what is wrong with it, and with which record.
 *
 * What it cannot know: whether whole records are missing at the end, or whether
 * somebody wrote all of it anew. A head that was kept elsewhere (an anchor: another
 * user's file, journald) shows both. Without one the answer is "consistent, not
 * anchored". */
#ifndef RECORD_JOURNAL_VERIFY_H
#define RECORD_JOURNAL_VERIFY_H

#include "record/journal_read.h"

#define VERIFY_PROBLEMS_MAX 20 /* that are told; all are counted */

struct journal_problem {
    uint64_t n;             /* the record, or the one that should stand there */
    uint64_t segment, line; /* 0: no line */
    char why[120];
};

/* A head that was kept. */
struct journal_anchor {
    uint64_t n;
    char hash[SHA256_HEX];
};

struct journal_verdict {
    uint64_t first, records; /* number of the first one; how many lines were records */
    struct chain_head head;  /* the last one */
    size_t repairs;          /* torn writes that were set aside */
    size_t clocks;           /* times that the clock was behind the record before */
    uint64_t removed;        /* records up to this one were removed by retention */
    uint64_t anchored;       /* the last record that an anchor vouches for; 0: none */
    size_t problem_count;
    struct journal_problem problems[VERIFY_PROBLEMS_MAX];
};

/* The walk by itself, one line after the other, for whoever has lines: verify_begin,
 * verify_line..., verify_end. */
struct journal_walk {
    struct journal_verdict *out;
    const struct journal_anchor *anchors; /* ascending */
    size_t anchor_count, anchor_next;
    struct chain_head head;
    bool begun, broken;     /* broken: the line before was none, so nothing can follow it */
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

/* An anchor as a line: "N HASH TIME", whatever stands before. False when it is none. */
#define ANCHOR_SIZE (24 + SHA256_HEX + STAMP_SIZE)
void anchor_print(const struct chain_head *head, char out[ANCHOR_SIZE]);
bool anchor_parse(struct str line, struct journal_anchor *out);

/* Reads the anchors in a file, sorted; free(*out). Lines that are none are an error. */
enum status anchors_load(const char *path, struct journal_anchor **out, size_t *count,
                         struct error *err);

#endif
