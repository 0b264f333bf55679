/* plan.h - what one cell gets, as `warder` wrote it down.
 *
 * The plan is the whole of what this program knows: it has no policy and asks no one. Paths are
 * absolute, without links, and were looked at when the plan was made; whoever builds the cell looks
 * again, and builds nothing if the disk says otherwise. */
#ifndef CELL_PLAN_H
#define CELL_PLAN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "proxy/address.h"
#include "proxy/hosts.h"

#define PLAN_VERSION 1
#define PLAN_MAX     4000000u /* bytes */
#define PLAN_PATHS   20000u   /* in each list */

/* What the cell is made of. A plan without a tier needs namespaces. */
enum tier { TIER_NAMESPACES, TIER_LANDLOCK, TIER_LAST = TIER_LANDLOCK };

struct plan {
    enum tier tier;
    const char *program; /* its file */
    char **words;        /* as it is called; ends with NULL */
    const char *directory;
    struct strs write;   /* directories that can be written, everything else cannot */
    struct strs protect; /* inside them: files and directories that stay as they are */
    struct strs refuse;  /* inside them: names that must not be made, as "a/b" with '*' in a part */
    struct strs hide;    /* files and directories without contents */
    struct host *hosts;  /* that can be reached, by the proxy; none: there is no network */
    size_t host_count;
    struct range *ranges; /* addresses that they must not lead to */
    size_t range_count;
    struct strs remove; /* names of variables, with '*' */
    struct strs set;    /* NAME=value */
    const char *report; /* a file for what was refused; NULL: none */
    bool background;    /* what the command leaves running may live on */
    /* of a plan that was stored under a token (token.h) */
    struct str boot, build;
    int64_t until; /* seconds since 1970 */
};

const char *plan_tier_name(enum tier tier);

/* Everything in *out lives in the arena. A member that is not known here is an error: it may ask
 * for more than would be built. */
enum status plan_read(struct arena *a, struct str json, struct plan *out, struct error *err);

/* The environment that the command gets. NULL: no memory. */
char **plan_environment(struct arena *a, const struct plan *plan, char *const *environment);

#endif
