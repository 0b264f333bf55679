#include "machine/shelf.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a ring, the one that was used last first. */
struct shelf_text {
    struct shelf_text *next, *before;
    char name[SHELF_NAME_MAX];
    size_t len;
    char text[]; /* ends in NUL */
};

struct shelf {
    pthread_mutex_t lock;
    struct shelf_text ring;
    size_t count, bytes;
};

struct shelf *shelf_new(void)
{
    struct shelf *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->ring.next = s->ring.before = &s->ring;
    return s;
}

static void take_out(struct shelf *s, struct shelf_text *t)
{
    t->next->before = t->before;
    t->before->next = t->next;
    s->count--;
    s->bytes -= t->len;
}

static void put_first(struct shelf *s, struct shelf_text *t)
{
    t->next = s->ring.next;
    t->before = &s->ring;
    t->next->before = t->before->next = t;
    s->count++;
    s->bytes += t->len;
}

static void drop(struct shelf *s, struct shelf_text *t)
{
    take_out(s, t);
    free(t);
}

void shelf_free(struct shelf *s)
{
    if (!s)
        return;
    while (s->count)
        drop(s, s->ring.next);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void shelf_hold(struct shelf *s)
{
    if (s)
        pthread_mutex_lock(&s->lock);
}

void shelf_let_go(struct shelf *s)
{
    if (s)
        pthread_mutex_unlock(&s->lock);
}

/* NULL: there is none. The caller holds the lock. */
static struct shelf_text *find(struct shelf *s, const char *name)
{
    struct shelf_text *t = s->ring.next;

    while (t != &s->ring && strcmp(t->name, name) != 0)
        t = t->next;
    if (t == &s->ring)
        return NULL;
    take_out(s, t);
    put_first(s, t);
    return t;
}

bool shelf_has(struct shelf *s, const char *name)
{
    shelf_hold(s);
    bool has = find(s, name) != NULL;
    shelf_let_go(s);
    return has;
}

enum status shelf_read(struct shelf *s, const char *name, char **text, size_t *len,
                       struct error *err)
{
    enum status status = STATUS_OK;

    *text = NULL;
    *len = 0;
    shelf_hold(s);
    const struct shelf_text *t = find(s, name);
    if (t && !(*text = malloc(t->len + 1)))
        status = fail(err, STATUS_NOMEM, "out of memory");
    else if (t)
        memcpy(*text, t->text, (*len = t->len) + 1);
    shelf_let_go(s);
    return status;
}

/* The caller holds the lock. */
static enum status put(struct shelf *s, const char *name, struct str text, struct error *err)
{
    struct shelf_text *t = malloc(sizeof(*t) + text.len + 1), *old;

    if (!t)
        return fail(err, STATUS_NOMEM, "out of memory");
    snprintf(t->name, sizeof(t->name), "%s", name);
    t->len = text.len;
    memcpy(t->text, text.s, text.len);
    t->text[text.len] = '\0';
    if ((old = find(s, name)))
        drop(s, old);
    put_first(s, t);
    while (s->count > SHELF_TEXTS_MAX || (s->bytes > SHELF_BYTES_MAX && s->count > 1))
        drop(s, s->ring.before);
    return STATUS_OK;
}

enum status shelf_put(struct shelf *s, const char *name, struct str text, struct error *err)
{
    shelf_hold(s);
    enum status status = put(s, name, text, err);
    shelf_let_go(s);
    return status;
}

enum status shelf_edit(struct shelf *s, const char *name, shelf_change *make, void *context,
                       struct error *err)
{
    struct str text = {0};

    shelf_hold(s);
    const struct shelf_text *old = find(s, name);
    enum status status =
        make(context, old ? (struct str){old->text, old->len} : (struct str){0}, &text, err);
    if (status == STATUS_OK && text.len)
        status = put(s, name, text, err);
    shelf_let_go(s);
    return status;
}

void shelf_remove(struct shelf *s, const char *name)
{
    shelf_hold(s);
    struct shelf_text *t = find(s, name);
    if (t)
        drop(s, t);
    shelf_let_go(s);
}
