/* names.h - names that must not be made in what can be written: settings that decide which programs
 * run, and that are not there yet. */
#ifndef CELL_NAMES_H
#define CELL_NAMES_H

#include "cell/plan.h"

/* What a call does to the last name of its path. */
enum change {
    CHANGE_ANY,  /* no new name */
    CHANGE_OPEN, /* a new one if its flags say so; the name may be a link to it */
    CHANGE_MAKE, /* a new one, empty */
    CHANGE_PUT,  /* a new one, with whatever is below it */
};

/* How a path, relative to a writable directory, lies to the refused names "a/b". */
enum names_match {
    NAMES_FREE,
    NAMES_LEADS, /* it ends with "a": what is put there as a whole may bring "b" with it */
    NAMES_BELOW, /* it is below one */
    NAMES_IS,    /* it ends with "a/b" */
};
enum names_match names_match(const struct plan *plan, struct str relative);

/* The same for an absolute path. */
enum names_match names_match_path(const struct plan *plan, struct str path);

/* Does a relative path end with a refused name? (NAMES_IS, for many paths) */
bool names_end(const struct plan *plan, struct str relative);

/* For a path whose directory is not known: may it be one, by its last part? */
bool names_may_be(const struct plan *plan, struct str path);

#endif
