/* session.h - what one session has gathered: approvals, denials, its mode.
 *
 * The core only reads and returns values; who keeps a session between calls
 * (a file, the service, an embedder) is decided elsewhere. */
#ifndef LAYER_SESSION_H
#define LAYER_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rule/mode.h"

#define SESSION_DENIALS_IN_A_ROW 3  /* then auto becomes interactive */
#define SESSION_DENIALS_IN_ALL   20 /* then the loop is interrupted */

struct session {
    struct strs grants;   /* keys of what a person approved (see grants.c) */
    struct str workspace; /* fixed at the first call; empty: take the call's project */
    bool has_mode;        /* a mode that was set while running */
    enum mode mode;
    bool has_prior; /* plan mode was entered from `prior` */
    enum mode prior;
    uint32_t denials_in_a_row, denials;
    int64_t began; /* when its first call was judged, in seconds; 0: not known */
    bool fresh;    /* nothing keeps it yet: this is its first call */
};

#endif
