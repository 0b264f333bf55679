/* table.h - finds things by a short text: an id, a hash. The things own their keys and links; the
 * table owns nothing but its buckets.
 *
 * Keys are random or hashes, never a worker's text: an attacker cannot fill one bucket. */
#ifndef SERVICE_TABLE_H
#define SERVICE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table_link {
    struct table_link *next;
    const char *key;
};

/* Zeroed: empty. */
struct table {
    struct table_link **buckets;
    size_t room, count;
};

/* The thing of type `type` whose member `member` is `link`; NULL stays NULL. */
#define TABLE_THING(link, type, member) ((type *)table_thing((link), offsetof(type, member)))
void *table_thing(struct table_link *link, size_t offset);

/* False: no memory. Several things of one key are found newest first. */
bool table_add(struct table *t, struct table_link *link, const char *key);
struct table_link *table_find(const struct table *t, const char *key); /* NULL: none */
void table_remove(struct table *t,
                  struct table_link *link);          /* what is not in the table is ignored */
struct table_link *table_any(const struct table *t); /* NULL: it is empty */
void table_release(struct table *t);

#endif
