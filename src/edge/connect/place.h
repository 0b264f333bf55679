/* place.h - where a client's registration is on this machine. */
#ifndef CONNECT_PLACE_H
#define CONNECT_PLACE_H

#include <limits.h>

#include "client/register.h"
#include "policy/edit.h"
#include "warder_admin.h"

#define INSTALLATION_TOO_NEW                                                                       \
    "the installation's struct_size is not set, or has members that this version does not know"

struct place {
    struct registrar registrar;
    enum scope scope;
    char program[PATH_MAX], other[PATH_MAX], project[PATH_MAX];
    char launch[PATH_MAX];   /* the directory of our `bash`; "": there is none */
    char home[PATH_MAX];     /* that the hook has to be told; "": it finds it by itself */
    char path[2 * PATH_MAX]; /* of the file; "": the client has no such place */
    char rival[2 * PATH_MAX];
};

/* By its name; STATUS_USAGE when there is none, with the one that was probably meant. */
enum status place_client(const char *name, const struct client **out, struct error *err);

/* home, project and program NULL: $HOME, the current directory, the program that runs or
 * warder-hook beside it. */
enum status place_find(const struct client *client, enum scope scope,
                       const warder_installation *where, struct place *out, struct error *err);

/* The program or the directory that shows that the agent is on this machine; "": it is not. `user`:
 * where it is registered for the user. */
void place_agent(const struct place *user, char *out, size_t room);

/* A file below the home, where the client's variable may have moved it. */
void place_below_home(const struct client *client, const warder_installation *where,
                      const char *file, char *out, size_t room);

/* Another file in the directory of the registration. False: the client has none there. */
bool place_beside(const struct place *place, const char *name, char out[2 * PATH_MAX]);

struct edit_target place_target(const struct place *p);

/* What the file says about us. A missing file says nothing; one that cannot be read fails. Not
 * below an arena_try(). */
enum status place_look(struct arena *a, const struct place *p, bool *found, struct registered *out,
                       struct error *err);

#endif
