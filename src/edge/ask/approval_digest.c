/* approval_digest.c - one hash over everything that an approval is bound to. */
#include <stdio.h>
#include <string.h>

#include "ask/approval.h"
#include "base/json.h"

struct digest {
    struct arena *arena;
    const struct approval_call *c;
    struct sha256 hash;
    struct approval_bond *out;
};

/* Each part is preceded by its length, so that no two calls give the same bytes. */
static void add(struct digest *d, struct str part)
{
    char length[8];

    for (size_t i = 0; i < sizeof(length); i++)
        length[i] = (char)((uint64_t)part.len >> (56 - 8 * i));
    sha256_add(&d->hash, (struct str){length, sizeof(length)});
    sha256_add(&d->hash, part);
}

static void add_number(struct digest *d, uint64_t n)
{
    char text[24];

    snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
    add(d, str_from(text));
}

/* ---- the call ---- */

static void add_actions(struct digest *d)
{
    const struct actions *actions = &d->c->verdict->facts->actions;

    for (size_t i = 0; i < actions->count; i++) {
        const struct action *a = &actions->items[i];
        add(d, a->cwd);
        for (size_t n = 0; n < a->subject.paths.count; n++) {
            const struct subject_path *p = &a->subject.paths.items[n];
            add(d, p->written);
            add(d, p->resolved);
            add_number(d, p->access);
        }
    }
}

static void add_policy(struct digest *d)
{
    const struct rulebook *b = d->c->book;

    add(d, str_from(d->c->profile->name));
    add(d, str_from(mode_name(d->c->verdict->mode)));
    add_number(d, b->rules.count);
    for (size_t i = 0; i < b->rules.count; i++) {
        const struct rule *r = &b->rules.items[i];
        add_number(d, (uint64_t)r->effect);
        add_number(d, (uint64_t)r->source);
        add(d, r->text);
        add(d, rule_more(r)->regex);
        for (size_t n = 0; n < rule_more(r)->flags.count; n++)
            add(d, rule_more(r)->flags.items[n]);
        for (size_t n = 0; n < rule_more(r)->paths.count; n++)
            add(d, rule_more(r)->paths.items[n].text);
    }
    for (size_t i = 0; i < b->directories.count; i++)
        add(d, b->directories.items[i].path);
    for (size_t i = 0; i < b->disabled.count; i++)
        add(d, b->disabled.items[i].name);
    for (size_t i = 0; i < b->hooks.count; i++)
        add(d, b->hooks.items[i].command);
}

/* What an agent says about a command is another text each time, and changes nothing: the person
 * reads the command. */
struct str approval_input(struct arena *a, const struct call *call)
{
    struct buf text = buf_in(a);
    struct json_writer w = json_to(&text);

    if (call->kind != TOOL_SHELL || !call->input || call->input->kind != VALUE_OBJECT) {
        json_value(&text, call->input);
        return buf_str(&text);
    }
    json_begin_object(&w);
    for (size_t i = 0; i < call->input->count; i++) {
        const struct member *m = &call->input->members[i];
        if (str_is(m->key, "description"))
            continue;
        json_key_str(&w, m->key);
        json_any(&w, &m->value);
    }
    json_end_object(&w);
    return buf_str(&text);
}

static void add_call(struct digest *d)
{
    const struct call *call = d->c->call;

    add(d, STR("warder approval 2"));
    add(d, d->c->client);
    add(d, call->session);
    add(d, call->tool);
    add(d, approval_input(d->arena, call));
    add(d, call_directory(d->arena, call, d->c->home));
    add(d, call->project);
    add(d, d->c->verdict->reason);
    add_actions(d);
    add_policy(d);
}

static void end(struct digest *d, char out[SHA256_HEX])
{
    uint8_t hash[SHA256_BYTES];

    sha256_end(&d->hash, hash);
    sha256_hex(hash, out);
}

static void run(void *arg)
{
    struct digest *d = arg;
    struct approval_bond *out = d->out;

    sha256_init(&d->hash);
    add(d, d->c->client);
    add(d, d->c->call->session);
    end(d, out->session);
    sha256_init(&d->hash);
    add_call(d);
    end(d, out->call);
    bound_find(d->arena, d->c->verdict, d->c->world, APPROVAL_BYTES_MAX, &out->bound);
    if (out->bound.unbound)
        return;
    sha256_init(&d->hash);
    add(d, str_from(out->call));
    for (size_t i = 0; i < out->bound.files.count; i++) {
        add(d, out->bound.files.items[i].path);
        add(d, out->bound.files.items[i].mark);
    }
    end(d, out->digest);
}

enum status approval_bind(struct arena *a, const struct approval_call *c, struct approval_bond *out,
                          struct error *err)
{
    struct digest d = {.arena = a, .c = c, .out = out};

    *out = (struct approval_bond){0};
    if (!c->verdict->facts)
        return fail(err, STATUS_UNSAFE, "there is nothing to approve");
    if (!arena_try(a, run, &d)) {
        out->digest[0] = '\0';
        return fail(err, STATUS_NOMEM, "no memory to hash the call");
    }
    return out->bound.unbound ? fail(err, STATUS_UNSAFE, "%s", out->bound.unbound) : STATUS_OK;
}
