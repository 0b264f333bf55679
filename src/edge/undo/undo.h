/* undo.h - what a call destroys is saved before, and can be given back.
 *
 * Before a call changes a path, one line about it goes into the call's journal: what was there, and
 * under which number ("slot") the trash holds it. Undo walks the lines backwards and makes each
 * path again what its line says it was. A line says what was, not what the call did: whether the
 * call ran, failed half way or never started, the same walk gives the same tree.
 *
 * Invariants:
 *  1. A line is written before the change that it is about. What a journal does not mention has
 *     not been changed by undo.
 *  2. Undo removes nothing: what is in its way is renamed into its own trash, with a line in its
 *     own journal. So undoing an undo is redo, and an undo that was killed is rolled back from its
 *     journal by the next one.
 *  3. Paths are looked up below an open directory, the workspace, without following links and
 *     without leaving its mount (beneath.h). A journal can name nothing else, whoever edited it.
 *  4. Regular files alone are opened, and only after their kind is known: a FIFO would block, and
 *     opening a device may do something.
 *
 * A process of the same user can edit a journal, together with its sums: the sums find accidents.
 * What such a journal can do is bounded by 3: it changes the workspace, and the undo of it can be
 * undone. */
#ifndef UNDO_UNDO_H
#define UNDO_UNDO_H

#include <stdint.h>

#include "base/list.h"
#include "base/str.h"

#define UNDO_ID_SIZE       (13 + 1 + 8 + 1) /* milliseconds since 1970, a dash, eight digits, NUL */
#define UNDO_ID_BRIEF      14               /* from here on people type it */
#define UNDO_SLOT_NONE     (-1)
#define UNDO_LINES_MAX     100000u               /* operations of one call */
#define UNDO_OWN_LINES_MAX 800000u               /* of an undo */
#define UNDO_FILE_MAX      ((uint64_t)64 << 20)  /* bytes of one file that are copied */
#define UNDO_BYTES_MAX     ((uint64_t)512 << 20) /* that are copied for one call */
#define UNDO_ATTRS_MAX     65536u                /* bytes of the extended attributes of one file */
#define UNDO_DEPTH_MAX     200u /* directories inside each other that are saved as a tree */
#define UNDO_LOG_MAX       ((size_t)64 << 20) /* bytes of one journal */
#define UNDO_YOUNG_MS      50 /* the kernel's clock for files stands still for up to ten of them */
#define UNDO_MEMORY_MAX    ((size_t)512 << 20) /* for what is read of journals */

enum undo_kind {
    UNDO_ABSENT = 0,
    UNDO_FILE,
    UNDO_LINK,
    UNDO_DIRECTORY,
    UNDO_SPECIAL, /* a FIFO, socket or whiteout: it can be linked, and is never opened */
    UNDO_DEVICE,  /* never touched */
    UNDO_BEYOND,  /* the way there leads through a link or another mount */
};

/* What is at a path. */
struct undo_state {
    enum undo_kind kind;
    uint64_t inode, size;
    uint32_t mode, user, group;
    int64_t modified, changed; /* mtime and the time that nobody can set, in nanoseconds */
    uint32_t links;            /* names of it; in no journal */
};

enum undo_what {
    UNDO_KEEP = 0, /* a file, link or FIFO was there */
    UNDO_NONE,     /* nothing was there */
    UNDO_MADE,     /* a directory was there */
    UNDO_MOVE,     /* it is renamed to `to`, where nothing is */
    UNDO_ASIDE,    /* it is renamed into the trash, with all that it contains */
    UNDO_BACK,     /* nothing was there; what call `entry` had set aside in `link` comes back */
    UNDO_MODE,     /* only its mode changes */
    UNDO_LEFT,     /* it is lost if the call changes it: not saved, for the reason `why` */
};

struct undo_op {
    enum undo_what what;
    struct str path, to; /* below the workspace, as bytes; end in NUL */
    struct undo_state was;
    int64_t link, copy; /* slots: the file itself; its content, if it may be written in place */
    bool has_attrs;
    struct strs attrs;       /* pairs: names and values of extended attributes */
    int64_t above, above_to; /* mtimes of the directories of both; 0: not known */
    const uint8_t
        *blob; /* git has what it was, under this name (tracked.h); NULL: it is in a slot */
    struct str entry, why;
    bool idle; /* the call has ended, and left it as it was: undo has nothing to do there */
};
struct undo_ops LIST_OF(struct undo_op);

/* How a path was left when the call had ended. One that the call has not touched has none: what
 * becomes of it later is not the call's. */
struct undo_end {
    struct str path;
    struct undo_state state;
    struct str digest; /* of what it contains; empty: not known (beneath_digest()) */
    bool made;         /* it is in no line above, and everything that was there is: it is new */
};
struct undo_ends LIST_OF(struct undo_end);

/* What of the workspace's repository is in the journal as a whole, so that everything else is new.
 */
enum undo_whole {
    UNDO_WHOLE_NOT = 0,
    UNDO_WHOLE_REFS, /* what git keeps beside its objects */
    UNDO_WHOLE_TREE, /* ... and the work tree */
};

/* What a journal says of the files that git has (tracked.h). */
#define UNDO_SUMMED 33
struct undo_tracked {
    bool any, after;
    uint32_t modes[2], modes_after[2];
    int64_t above; /* mtime of the workspace */
    char digest[UNDO_SUMMED], digest_after[UNDO_SUMMED];
};

struct undo_limits {
    uint64_t file, bytes; /* 0: the defaults above */
    uint32_t lines;
    uint32_t ms; /* that saving may take, for whoever waits for it; 0: any */
};

/* What a journal says first. */
struct undo_header {
    struct str session, client, tool, use; /* use: the id that the client gave to the call */
    struct str decision;                   /* its id in the record */
    struct str hash, text;                 /* keyed hash, and redacted text of the call */
    struct str undoes;                     /* it is an undo of this entry; empty: it is a call */
    bool part;                             /* ... of some paths only */
    enum undo_whole whole;
    bool alone; /* nothing but one command of git may have changed the files that git has */
    int64_t at; /* milliseconds */
    /* filled when it is written */
    struct str project;
    uint64_t inode; /* of the project's directory */
    bool in_git;    /* where the trash is: store.h */
};

#endif
