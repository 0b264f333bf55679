/* binding.c - the projects, workers and modes that each worker's token is bound to.
 *
 * A token's row never changes, so what was noted once stays true. */
#include <stdlib.h>

#include "record/token.h"
#include "service/service.h"

#define BINDINGS_MAX       ((size_t)65536) /* tokens of workers that are remembered at once */
#define BINDING_MEMORY_MAX ((size_t)1024 * 1024)

struct binding {
    struct table_link link;
    char id[TOKEN_ID_SIZE];
    struct arena arena;
    struct caller_bounds bounds;
};

struct bindings {
    struct table tokens;
};

struct bindings *bindings_new(void)
{
    return calloc(1, sizeof(struct bindings));
}

static void binding_free(struct bindings *all, struct binding *b)
{
    table_remove(&all->tokens, &b->link);
    arena_release(&b->arena);
    free(b);
}

void bindings_free(struct bindings *all)
{
    struct table_link *link;

    while (all && (link = table_any(&all->tokens)))
        binding_free(all, TABLE_THING(link, struct binding, link));
    if (all)
        table_release(&all->tokens);
    free(all);
}

struct binding_draft {
    struct binding *binding;
    const struct access_token *token;
    bool known; /* each mode is one that we know */
};

static void read_modes(struct binding_draft *draft, const struct strs *names)
{
    struct caller_bounds *b = &draft->binding->bounds;
    enum mode mode;

    draft->known = true;
    for (size_t i = 0; i < names->count; i++) {
        if (!mode_parse(names->items[i], &mode)) {
            draft->known = false;
            return;
        }
        if (!b->modes)
            b->first = mode;
        b->modes |= 1u << mode;
    }
}

static void split(struct arena *a, struct str text, struct strs *out)
{
    struct str line, rest = str_copy(a, text);
    bool more = rest.len > 0;

    while (more) {
        more = str_cut(rest, '\n', &line, &rest);
        if (line.len)
            LIST_PUSH(a, out, line);
    }
}

static void read_row(void *arg)
{
    struct binding_draft *draft = arg;
    struct caller_bounds *b = &draft->binding->bounds;
    struct arena *a = &draft->binding->arena;
    struct strs projects = {0}, modes = {0};

    split(a, draft->token->projects, &projects);
    split(a, draft->token->workers, &b->workers);
    split(a, draft->token->modes, &modes);
    for (size_t i = 0; i < projects.count; i++) {
        const struct str p = projects.items[i];
        LIST_PUSH(a, p.s[0] == '/' ? &b->directories : &b->ids, p);
    }
    read_modes(draft, &modes);
}

enum status binding_note(struct bindings *all, const struct access_token *t, struct error *err)
{
    if (t->role != TOKEN_WORKER || table_find(&all->tokens, t->id))
        return STATUS_OK;
    if (all->tokens.count >= BINDINGS_MAX)
        return fail(err, STATUS_LIMIT, "more than %zu tokens of workers", BINDINGS_MAX);
    struct binding *b = calloc(1, sizeof(*b));
    if (!b)
        return fail(err, STATUS_NOMEM, "out of memory");
    struct binding_draft draft = {b, t, false};
    memcpy(b->id, t->id, sizeof(b->id));
    arena_init(&b->arena, BINDING_MEMORY_MAX);
    bool read = arena_try(&b->arena, read_row, &draft);
    if (read && draft.known && table_add(&all->tokens, &b->link, b->id))
        return STATUS_OK;
    arena_release(&b->arena);
    free(b);
    return read && !draft.known ? fail(err, STATUS_USAGE,
                                       "token %s is bound to a mode that this version lacks", t->id)
                                : fail(err, STATUS_NOMEM, "out of memory");
}

const struct caller_bounds *binding_of(const struct bindings *all, const char *id)
{
    const struct binding *b = TABLE_THING(table_find(&all->tokens, id), struct binding, link);

    return b ? &b->bounds : NULL;
}
