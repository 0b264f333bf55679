/* switched_off.h - the files, besides that of the registration, by which our hook is switched off:
 * those of a person beside it, those of a project, and the .env files from which some agents take
 * variables.
 *
 * Which they are is in the agent's row (client/register.h): each was seen in the real program. */
#ifndef CONNECT_SWITCHED_OFF_H
#define CONNECT_SWITCHED_OFF_H

#include "connect/place.h"

/* Fills local_off and beside, with the first that is found. A file that cannot be read switches
 * nothing off. Not below an arena_try(). */
void switched_off_find(struct arena *a, const struct place *place, struct registered *out);

/* The variable of our own environment that keeps this agent from running hooks; empty: there is
 * none.
 */
struct str switched_off_here(const struct registration *row);

#endif
