/* save.h - saves what is at a path before it is changed. */
#ifndef UNDO_SAVE_H
#define UNDO_SAVE_H

#include "undo/beneath.h"
#include "undo/store.h"

/* What may happen to a file. */
enum undo_fate {
    UNDO_REPLACED = 0, /* its name goes away, or another file gets it: a link saves it */
    UNDO_WRITTEN,      /* ... or it is written in place: a link would be written, too */
};

struct saved_inode;
struct tracked;

/* The entry of a call that is being written. */
struct undo_entry {
    const struct undo_store *store;
    char id[UNDO_ID_SIZE];
    int directory, trash;
    struct undo_writer writer;
    struct arena arena; /* for one operation */
    struct undo_limits limits;
    int64_t deadline; /* by clock_ms(); 0: none */
    bool late;
    uint64_t bytes;
    uint32_t lines;
    uint32_t passed; /* files that need no line */
    int64_t slots;
    size_t left;    /* things that could not be saved, */
    size_t skipped; /* and those that policy leaves out */
    bool silent;    /* a rollback: what it sets aside is in no journal */
    bool (*skips)(const void *context, struct str path); /* trees that are not saved; NULL: none */
    const void *context;
    struct tracked *tracked;    /* what git has need not be saved; NULL: it must */
    struct saved_inode *inodes; /* malloc'ed */
    size_t inodes_used, inodes_room;
};

/* A new entry. `h` is what the caller knows; the rest of it is filled in. undo_entry_close() in
 * either case. */
enum status undo_entry_begin(struct undo_entry *e, const struct undo_store *s,
                             const struct undo_header *h, const struct undo_limits *limits,
                             struct error *err);
/* A new entry that another process will go on with: its journal, with nothing but the header. */
enum status undo_entry_announce(const struct undo_store *s, const struct undo_header *h,
                                char id[UNDO_ID_SIZE], struct error *err);
/* Goes on with one that was read. */
enum status undo_entry_resume(struct undo_entry *e, const struct undo_store *s, const char *id,
                              const struct undo_log *log, struct error *err);
void undo_entry_close(struct undo_entry *e);
/* Has it taken too long, or are there too many lines? Then nothing more is saved. */
bool undo_entry_is_full(const struct undo_entry *e);

/* STATUS_LIMIT: it cannot be saved, the journal says so, and `err` why. Any other failure is one of
 * the journal itself. */
enum status undo_save(struct undo_entry *e, struct str path, enum undo_fate fate,
                      struct error *err);
/* A directory and everything below it, which is about to be removed or moved. */
enum status undo_save_tree(struct undo_entry *e, struct str path, enum undo_fate fate,
                           struct error *err);
/* The same of one that lies elsewhere: what is at `name` in this directory is saved as if it were
 * at the path. */
enum status undo_save_tree_from(struct undo_entry *e, int directory, const char *name,
                                struct str path, struct error *err);
/* Its mode is about to change, and nothing else. */
enum status undo_save_mode(struct undo_entry *e, struct str path, struct error *err);
/* A directory that policy leaves out: the journal says so. */
enum status undo_skip(struct undo_entry *e, struct str path, struct error *err);
/* It is about to be renamed; what was at `to` has been saved before. */
enum status undo_save_move(struct undo_entry *e, struct str from, struct str to, struct error *err);
/* A directory that is about to be deleted: it is moved into the trash as a whole, and a link to it
 * takes its place (stand_in.h). STATUS_LIMIT: it cannot be, and nothing has changed. */
enum status undo_save_at_once(struct undo_entry *e, struct str path, struct error *err);
/* Moves it into the trash, as a whole. */
enum status undo_set_aside(struct undo_entry *e, struct str path, struct error *err);
/* An undo brings back what call `entry` had set aside. */
enum status undo_save_back(struct undo_entry *e, struct str path, struct str entry, int64_t slot,
                           struct error *err);

#endif
