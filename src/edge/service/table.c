#include "service/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64

void *table_thing(struct table_link *link, size_t offset)
{
    return link ? (char *)link - offset : NULL;
}

/* FNV-1a. */
static size_t bucket(const char *key, size_t room)
{
    uint64_t h = 14695981039346656037u;

    for (; *key; key++)
        h = (h ^ (unsigned char)*key) * 1099511628211u;
    return (size_t)(h & (room - 1));
}

/* Chains keep their order: of one key the newest is first. */
static bool grow(struct table *t)
{
    size_t room = t->room ? t->room * 2 : ROOM_FIRST;
    struct table_link **buckets = calloc(room, sizeof(*buckets));
    struct table_link **ends = calloc(room, sizeof(*ends));

    for (size_t i = 0; buckets && ends && i < t->room; i++)
        for (struct table_link *l = t->buckets[i], *next; l; l = next) {
            size_t to = bucket(l->key, room);
            next = l->next;
            l->next = NULL;
            *(ends[to] ? &ends[to]->next : &buckets[to]) = l;
            ends[to] = l;
        }
    bool grown = buckets && ends;
    if (grown) {
        free(t->buckets);
        t->buckets = buckets;
        t->room = room;
    } else {
        free(buckets);
    }
    free(ends);
    return grown;
}

bool table_add(struct table *t, struct table_link *link, const char *key)
{
    if (t->count >= t->room && !grow(t))
        return false;
    struct table_link **head = &t->buckets[bucket(key, t->room)];
    link->key = key;
    link->next = *head;
    *head = link;
    t->count++;
    return true;
}

struct table_link *table_find(const struct table *t, const char *key)
{
    struct table_link *l = t->room ? t->buckets[bucket(key, t->room)] : NULL;

    while (l && strcmp(l->key, key) != 0)
        l = l->next;
    return l;
}

void table_remove(struct table *t, struct table_link *link)
{
    if (!link->key || !t->room)
        return;
    struct table_link **at = &t->buckets[bucket(link->key, t->room)];
    while (*at && *at != link)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = link->next;
    t->count--;
    *link = (struct table_link){0};
}

struct table_link *table_any(const struct table *t)
{
    for (size_t i = 0; t->count && i < t->room; i++)
        if (t->buckets[i])
            return t->buckets[i];
    return NULL;
}

void table_release(struct table *t)
{
    free(t->buckets);
    *t = (struct table){0};
}
