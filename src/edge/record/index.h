/* index.h - the record as a table that can be queried.
 *
 * Rows come only from the journal: the table can be dropped and built again at any time, a row that
 * is added twice is there once, and a locked, full or damaged database loses nothing. SQLite
 * implements this; PostgreSQL will, with the same struct of functions. */
#ifndef RECORD_INDEX_H
#define RECORD_INDEX_H

#include "base/value.h"
#include "record/journal_read.h"

#define INDEX_LIMIT_DEFAULT 50
#define INDEX_LIMIT_MAX     10000
#define ID_PREFIX_MIN       4

/* The search. Empty or zero: anything. */
struct index_filter {
    struct str decision, project, worker, session, tool, rule, text;
    char since[STAMP_SIZE], until[STAMP_SIZE]; /* since <= at < until */
    uint64_t before, after;                    /* numbers of records, both exclusive */
    size_t limit;                              /* 0: the default */
    bool oldest_first;
    bool all_kinds; /* not only decisions, one for each call */
};

/* One record as a row. Views that live as long as the call. */
struct index_row {
    uint64_t n;
    struct str at, kind, id, decision, project, worker, session, tool, rule, command, hash;
    struct str answers; /* the id of the question that it answers; empty: none. Only for put() */
    struct str line;    /* all of it, as in the journal */
};

/* The kind of a decision that repeats another one: a client asked twice about one call, and was
 * allowed it twice. */
#define INDEX_REPEAT "repeat"

struct index;

/* Returns true to continue, false to stop. */
typedef bool (*index_visit)(const struct index_row *row, void *context);

/* How often records name a rule, and when the last one did. The texts live as long as the call. */
struct index_use {
    struct str rule, last;
    uint64_t count;
};
typedef bool (*index_use_visit)(const struct index_use *use, void *context);

/* One kind of database. Between begin() and commit() or cancel() rows may be added; find() sees
 * them after commit(). */
struct index_kind {
    const char *name;
    enum status (*begin)(struct index *x, struct error *err);
    enum status (*put)(struct index *x, const struct index_row *row, struct error *err);
    /* Keeps a row after the head in memory, where find() and get() see it, too; drops those up to a
     * number. */
    enum status (*hold)(struct index *x, const struct index_row *row, struct error *err);
    enum status (*drop)(struct index *x, uint64_t through, struct error *err);
    /* Rows up to this number, a limited number of them in a transaction of its own. *more: some are
     * left. */
    enum status (*forget)(struct index *x, uint64_t through, bool *more, struct error *err);
    enum status (*clear)(struct index *x, struct error *err);    /* all of it, and the head */
    enum status (*complete)(struct index *x, struct error *err); /* it has all rows for now */
    enum status (*set_head)(struct index *x, const struct chain_head *head, struct error *err);
    enum status (*commit)(struct index *x, struct error *err);
    void (*cancel)(struct index *x);
    enum status (*head)(struct index *x, struct chain_head *head,
                        struct error *err); /* n 0: empty */
    enum status (*find)(struct index *x, const struct index_filter *f, index_visit visit,
                        void *context, struct error *err);
    /* By the number of a record, the id of a decision, or the first letters of one (at least
     * ID_PREFIX_MIN, without "d_" or with it): then up to two rows. *found is false when there is
     * none. */
    enum status (*get)(struct index *x, struct str id, index_visit visit, void *context,
                       bool *found, struct error *err);
    /* Of every rule that is named since then, in the order of their ids. */
    enum status (*uses)(struct index *x, const char since[STAMP_SIZE], index_use_visit visit,
                        void *context, struct error *err);
    /* It is gone or damaged, and has been started again. */
    enum status (*revive)(struct index *x, bool *revived, struct error *err);
    void (*close)(struct index *x);
};

/* A place in the journal, from which reading goes on. */
struct index_reading {
    struct journal_reader journal;
    bool open;
    uint64_t read; /* the number of the last record that it read */
};

/* An implementation's struct begins with this. */
struct index {
    const struct index_kind *kind;
    struct index_reading sync;  /* where the last sync ended */
    struct index_reading ahead; /* where index_look_ahead() ended */
    uint64_t held_from;         /* the head after which rows are held without a gap */
    size_t held;                /* bytes of what was held since */
    bool complete;              /* a sync has come to the end of the journal */
};

#define INDEX_NAME "log.sqlite"

/* DIR/log.sqlite. A damaged one is removed and a new one is started; *notice then says so (free
 * it). Its file may be removed at any time: the next sync starts a new one. */
enum status index_open_sqlite(const char *dir, int busy_ms, struct index **out, char **notice,
                              struct error *err);
void index_close(struct index *x); /* NULL is fine */

/* The number of the last record in DIR/log.sqlite, 0 if there is none; it is only read. False: it
 * cannot be. */
bool index_last(const char *dir, uint64_t *out);

struct index_progress {
    uint64_t rows;    /* that were put */
    uint64_t damaged; /* lines that are not records: see journal_verify() */
    bool rebuilt;     /* the table was made from another journal, or from nothing */
    bool more;        /* there is more to do, and `most` was reached */
};

/* Brings the table up to date with the journal in `dir`. `again`: empties it first. most: about
 * how many rows are put before it returns; 0: all of them. */
enum status index_sync(struct index *x, const char *dir, bool again, size_t most,
                       struct index_progress *out, struct error *err);

/* The same for a reader that must not write, because a sync of the table's file delays every sync
 * of the journal: rows that the table lacks are held in memory. *whole is false if they are too
 * many, or if there is no table of this journal yet: then only index_sync() helps. */
enum status index_look_ahead(struct index *x, const char *dir, bool *whole, struct error *err);

/* For a query beside checks: looks ahead, and where that does not help brings the table up to date
 * in small pieces, with rests in between (machine/turns.h). */
enum status index_follow(struct index *x, const char *dir, struct error *err);

#endif
