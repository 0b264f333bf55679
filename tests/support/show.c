#include "support/show.h"

#include <stdlib.h>

#include "base/json.h"

static void place(struct buf *out, bool places, uint32_t line, uint32_t column)
{
    if (places)
        buf_format(out, "@%u:%u", (unsigned)line, (unsigned)column);
}

static void show_items(struct buf *out, const struct value *v, bool places)
{
    for (size_t i = 0; i < v->count; i++) {
        buf_text(out, i ? "," : "");
        show_value(out, &v->items[i], places);
    }
}

static void show_members(struct buf *out, const struct value *v, bool places)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct member *m = &v->members[i];
        buf_text(out, i ? "," : "");
        json_string(out, m->key);
        place(out, places, m->line, m->column);
        buf_byte(out, ':');
        show_value(out, &m->value, places);
    }
}

void show_value(struct buf *out, const struct value *v, bool places)
{
    switch (v->kind) {
    case VALUE_NULL:
        buf_text(out, "null");
        break;
    case VALUE_BOOL:
        buf_text(out, v->boolean ? "true" : "false");
        break;
    case VALUE_INTEGER:
        buf_add(out, v->text);
        break;
    case VALUE_FLOAT:
        buf_text(out, "f:");
        buf_add(out, v->text);
        break;
    case VALUE_TIME:
        buf_text(out, "t:");
        buf_add(out, v->text);
        break;
    case VALUE_STRING:
        json_string(out, v->text);
        break;
    case VALUE_ARRAY:
        buf_byte(out, '[');
        show_items(out, v, places);
        buf_byte(out, ']');
        break;
    case VALUE_OBJECT:
        buf_byte(out, '{');
        show_members(out, v, places);
        buf_byte(out, '}');
        break;
    }
    place(out, places, v->line, v->column);
}

struct job {
    struct arena arena;
    const struct value *value;
    bool places;
    struct str shown;
};

static void run(void *arg)
{
    struct job *job = arg;
    struct buf out = buf_in(&job->arena);

    show_value(&out, job->value, job->places);
    job->shown = buf_str(&out);
}

char *show_text(const struct value *v, bool places)
{
    struct job job = {.value = v, .places = places};
    char *copy = NULL;

    arena_init(&job.arena, (size_t)64 << 20);
    if (arena_try(&job.arena, run, &job))
        copy = strndup(job.shown.s, job.shown.len);
    arena_release(&job.arena);
    if (!copy)
        abort();
    return copy;
}
