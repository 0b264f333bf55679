/* gather.h - the policy files of all sources, in memory. Parses nothing. */
#ifndef POLICY_GATHER_H
#define POLICY_GATHER_H

#include "policy/load.h"
#include "policy/project.h"

struct gathered_file {
    char *path;
    char *real; /* the file that links lead to; NULL: the same, or not found */
    bool kept;  /* as it was when the session began: only its deny and ask rules count */
    bool main;  /* of the main checkout, where the project is a linked work tree of it */
    bool other; /* ... and the work tree has another file of that name: only deny and ask count */
    bool named; /* by the person, not found where policy usually is */
    enum source source;
    enum format format;
    unsigned group; /* files of one group are one file under several endings: only one of them may
                       exist */
    bool found;
    struct error error; /* STATUS_OK, or why it could not be read */
    struct str text;    /* in `own`, or in the project's files */
    char *own;
};

struct gathered {
    struct gathered_file *items; /* strongest first inside a source */
    size_t count, room;
    char **places; /* what else the policy depends on: listed directories, the trust store */
    size_t place_count;
    struct project_files project;
    struct project_files main; /* of the main checkout, if the project is linked to one */
    bool main_trusted;
    struct error project_error; /* STATUS_OK, or why the project's files are unknown */
    struct error trust_error;   /* STATUS_OK, or why nothing is trusted */
    enum trust trust;
    int64_t trusted_at;
    struct arena kept; /* texts of kept.h */
};

/* Fails for a named file that is missing, and for lack of memory. Release *out in every case. */
enum status gather(const struct policy_request *request, struct gathered *out, struct error *err);
void gathered_release(struct gathered *g);

#endif
