/* session.h - what one session has gathered: approvals, denials, its mode.
 *
 * The core only reads and returns values; who keeps a session between calls
 * (a file, the service, an embedder) is decided elsewhere. */
#ifndef FACTS_SESSION_H
#define FACTS_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/str.h"
#include "base/world.h"
#include "rule/mode.h"

#define SESSION_DENIALS_IN_A_ROW 3  /* then auto becomes interactive */
#define SESSION_DENIALS_IN_ALL   20 /* then the loop is interrupted */

#define SESSION_PROGRAMS_MAX     16   /* then the one that was built first gives way */
#define SESSION_PROGRAM_PATH_MAX 1024 /* bytes; of longer ones nothing is remembered */

/* A program that a call of the session built from the project (facts/session_builds.h). */
struct session_program {
    struct str path; /* absolute, without links; one that ends in a slash means every file right in
                        that directory */
    struct str tree; /* a directory in which the compiler keeps the same file under other names;
                        empty: there is none */
    int64_t built;   /* when that call was answered, in milliseconds; 0: it has been run since, and
                        `seen` counts */
    struct file_mark seen; /* as it was when it was last run */
};
struct session_programs LIST_OF(struct session_program);

struct session {
    struct strs grants; /* keys of what a person approved (see layer_grants.c) */
    struct session_programs programs;
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
