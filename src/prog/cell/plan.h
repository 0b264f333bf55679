/* plan.h - what one cell gets, as `warder` wrote it down.
 *
 * The plan is the whole of what this program knows: it has no policy and asks no one. Paths are
 * absolute, without links, and were looked at when the plan was made; whoever builds the cell looks
 * again, and builds nothing if the disk says otherwise. */
#ifndef CELL_PLAN_H
#define CELL_PLAN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hosts.h"
#include "base/str.h"
#include "proxy/address.h"

#define PLAN_VERSION 1
#define PLAN_MAX     4000000u /* bytes */
#define PLAN_PATHS   20000u   /* in each list */
#define PLAN_CACHES  64u

/* What the cell is made of. A plan without a tier needs namespaces. */
enum tier { TIER_NAMESPACES, TIER_LANDLOCK, TIER_LAST = TIER_LANDLOCK };

/* A directory of packages that were fetched. */
struct plan_cache {
    const char
        *place; /* what is written there goes to the store; NULL: the store is written itself */
    const char *store; /* made if it is not there */
};

/* The entry in which the keeper saves what the cell changes in the workspace (recorder.h). */
struct plan_undo {
    const char *entry, *state, *project; /* entry NULL: it saves nothing */
    uint64_t file;                       /* bytes of a file that are copied; 0: a default */
    struct strs skip;                    /* names of directories that are left out */
    bool needed;                         /* nothing is removed that could not be saved */
};

struct plan {
    enum tier tier;
    const char *program; /* its file */
    char **words;        /* as it is called; ends with NULL */
    const char *directory;
    struct strs write;   /* directories that can be written, everything else cannot */
    struct strs protect; /* inside them: files and directories that stay as they are */
    struct strs refuse;  /* inside them: names that must not be made, as "a/b" with '*' in a part */
    struct strs hide;    /* files and directories without contents */
    struct strs sockets; /* of programs outside, that can be reached (granted.h) */
    struct host *hosts;  /* that can be reached, by the proxy; none: there is no network */
    size_t host_count;
    struct range *ranges; /* addresses that they must not lead to */
    size_t range_count;
    struct host *refused; /* hosts that cannot be reached, whatever the others say */
    size_t refused_count;
    struct ports *loopback; /* of this machine, that the cell reaches as its own */
    size_t loopback_count;
    struct ports *publish; /* of the cell, that this machine reaches as its own */
    size_t publish_count;
    struct str session; /* plans with the same one share a network, if they name no hosts: whoever
                           shares one can use the way out of the others */
    struct plan_cache *caches;
    size_t cache_count;
    struct plan_undo undo;
    struct strs remove; /* names of variables, with '*' */
    struct strs set;    /* NAME=value */
    const char *token;  /* for whoever wants the command to run outside; NULL: none */
    const char *report; /* a file for what was refused; NULL: none */
    bool follow;        /* its shell says where it has ended (left.h) */
    bool background;    /* what the command leaves running may live on */
    /* of a plan that was stored under a token (token.h) */
    struct str boot, build;
    int64_t until; /* seconds since 1970 */
};

const char *plan_tier_name(enum tier tier);

/* Everything in *out lives in the arena. A member that is not known here is an error: it may ask
 * for more than would be built. */
enum status plan_read(struct arena *a, struct str json, struct plan *out, struct error *err);

/* Can this path be written in the cell? */
bool plan_can_write(const struct plan *plan, struct str path);

/* Does it share the network of its session? */
static inline bool plan_shares(const struct plan *plan)
{
    return plan->session.len && plan->host_count == 0;
}

/* The environment that the command gets. NULL: no memory. */
char **plan_environment(struct arena *a, const struct plan *plan, char *const *environment);

#endif
