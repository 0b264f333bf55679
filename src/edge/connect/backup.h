/* backup.h - the copies of a client's settings that install has left beside them. */
#ifndef CONNECT_BACKUP_H
#define CONNECT_BACKUP_H

#include "connect/place.h"

/* Was there a file without anything in it before we registered? Then that is *text, and removing
 * the registration must not remove the file. Below an arena_try(). */
bool backup_was_empty(struct arena *a, const struct place *place, struct str *text);

/* Removes the copies that have our registration in them: someone who restores one of them would
 * register a program that may be gone. Below an arena_try(). */
void backup_drop_registered(struct arena *a, const struct place *place);

#endif
