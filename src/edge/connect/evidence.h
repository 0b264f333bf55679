/* evidence.h - what the record says about the agents: when a call last came from each, the one
 * proof that it really asks Warder, and what became of the calls of a time. */
#ifndef CONNECT_EVIDENCE_H
#define CONNECT_EVIDENCE_H

#include "client/client.h"

struct evidence {
    int64_t at; /* milliseconds since 1970; 0: no call is on record */
};

/* Of one call each, however often its client asked about it. */
struct outcomes {
    size_t allowed, asked, denied;
    size_t left;   /* to the client's own checks */
    size_t paused; /* of those that were allowed: they would have been asked about */
};

struct evidence_search {
    const char *home;     /* NULL: as warder_log_open() */
    int64_t since;        /* milliseconds: `recent` counts calls from then on */
    bool only_recent;     /* nothing older is looked at */
    struct evidence *out; /* by the place of the client in clients[] */
    size_t count;
    struct outcomes recent;
};

/* A record that cannot be read is no proof: then nothing is found, and `err` says why. */
enum status evidence_find(struct evidence_search *search, struct error *err);

/* Calls of one run of a client, and the last of them that was to run in the sandbox. */
struct run_evidence {
    bool asked, contained;
    char tier[16], token[36];
};

/* What has come from a directory at this time or later? */
enum status evidence_of_run(const char *home, const struct client *client, const char *cwd,
                            int64_t since, struct run_evidence *out, struct error *err);

#endif
