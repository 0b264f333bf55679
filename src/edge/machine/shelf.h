/* shelf.h - named texts in memory, in place of files: what an engine keeps of its sessions when
 * nothing about them may be on the disk.
 *
 * Any number of threads. What was used longest ago goes when there are too many texts or too many
 * bytes, as files do that no one has changed for long. */
#ifndef MACHINE_SHELF_H
#define MACHINE_SHELF_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

#define SHELF_TEXTS_MAX 4096u
#define SHELF_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define SHELF_NAME_MAX  80

struct shelf;

struct shelf *shelf_new(void);    /* NULL: no memory */
void shelf_free(struct shelf *s); /* NULL is fine */

/* Its lock, around a fork(). NULL is fine. */
void shelf_hold(struct shelf *s);
void shelf_let_go(struct shelf *s);

bool shelf_has(struct shelf *s, const char *name);
/* *text is malloc'ed and ends in NUL; NULL if there is no such text. */
enum status shelf_read(struct shelf *s, const char *name, char **text, size_t *len,
                       struct error *err);
/* Adds it, or replaces the text of this name. */
enum status shelf_put(struct shelf *s, const char *name, struct str text, struct error *err);
/* The same in one step: `make` gets the text as it is, s NULL if there is none, and gives the new
 * one; empty: it stays as it is. */
typedef enum status shelf_change(void *context, struct str old, struct str *text,
                                 struct error *err);
enum status shelf_edit(struct shelf *s, const char *name, shelf_change *make, void *context,
                       struct error *err);
void shelf_remove(struct shelf *s, const char *name);

#endif
