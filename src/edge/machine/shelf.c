#include "machine/shelf.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shelf_text {
    char name[SHELF_NAME_MAX];
    uint64_t used; /* when, by the shelf's own count */
    size_t len;
    char text[]; /* ends in NUL */
};

struct shelf {
    pthread_mutex_t lock;
    struct shelf_text *texts[SHELF_TEXTS_MAX];
    size_t count, bytes;
    uint64_t uses;
};

struct shelf *shelf_new(void)
{
    struct shelf *s = calloc(1, sizeof(*s));

    if (s)
        pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void drop(struct shelf *s, size_t at)
{
    s->bytes -= s->texts[at]->len;
    free(s->texts[at]);
    s->texts[at] = s->texts[--s->count];
}

void shelf_free(struct shelf *s)
{
    if (!s)
        return;
    while (s->count)
        drop(s, s->count - 1);
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

/* Where it is; `count`: nowhere. The caller holds the lock. */
static size_t place_of(const struct shelf *s, const char *name)
{
    size_t at = 0;

    while (at < s->count && strcmp(s->texts[at]->name, name) != 0)
        at++;
    return at;
}

/* NULL: there is none. */
static struct shelf_text *find(struct shelf *s, const char *name)
{
    size_t at = place_of(s, name);

    if (at == s->count)
        return NULL;
    s->texts[at]->used = ++s->uses;
    return s->texts[at];
}

static size_t oldest(const struct shelf *s)
{
    size_t found = 0;

    for (size_t i = 1; i < s->count; i++)
        if (s->texts[i]->used < s->texts[found]->used)
            found = i;
    return found;
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

static enum status put(struct shelf *s, const char *name, struct str text, struct error *err)
{
    struct shelf_text *t = malloc(sizeof(*t) + text.len + 1);
    size_t old = place_of(s, name);

    if (!t)
        return fail(err, STATUS_NOMEM, "out of memory");
    snprintf(t->name, sizeof(t->name), "%s", name);
    t->used = ++s->uses;
    t->len = text.len;
    memcpy(t->text, text.s, text.len);
    t->text[text.len] = '\0';
    if (old < s->count)
        drop(s, old);
    while (s->count == SHELF_TEXTS_MAX || (s->count && s->bytes + t->len > SHELF_BYTES_MAX))
        drop(s, oldest(s));
    s->texts[s->count++] = t;
    s->bytes += t->len;
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
    size_t at = place_of(s, name);
    if (at < s->count)
        drop(s, at);
    shelf_let_go(s);
}
