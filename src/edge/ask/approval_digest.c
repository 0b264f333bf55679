/* approval_digest.c - one hash over everything that an approval is bound to. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/approval.h"
#include "base/auto.h"
#include "base/json.h"
#include "base/path.h"

struct digest {
    struct arena *arena;
    const struct approval_call *c;
    struct sha256 hash;
    struct error *err;
    enum status status;
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

/* ---- files to be executed ---- */

static void hash_content(struct sha256 *h, int fd)
{
    char part[16384];
    ssize_t n;

    while ((n = read(fd, part, sizeof(part))) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            sha256_add(h, (struct str){part, (size_t)n});
}

/* A large file counts by its inode and times, which change with its content. An unreadable file
 * counts as such: if it can be read later, it is a different one. */
static void add_file(struct digest *d, const char *path)
{
    uint8_t content[SHA256_BYTES];
    struct sha256 h;
    struct stat st;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0 || fstat(fd, &st) < 0) {
        add_number(d, (uint64_t)errno);
        return;
    }
    add_number(d, S_ISREG(st.st_mode));
    add_number(d, st.st_dev);
    add_number(d, st.st_ino);
    if (!S_ISREG(st.st_mode) || st.st_size > APPROVAL_RUN_MAX) {
        add_number(d, (uint64_t)st.st_size);
        add_number(d, (uint64_t)st.st_ctim.tv_sec);
        add_number(d, (uint64_t)st.st_ctim.tv_nsec);
        return;
    }
    sha256_init(&h);
    hash_content(&h, fd);
    sha256_end(&h, content);
    add(d, (struct str){(const char *)content, sizeof(content)});
}

static void cannot_bind(struct digest *d)
{
    d->status = fail(d->err, STATUS_UNSAFE, "which file it runs is not known before run time");
}

static void add_run_path(struct digest *d, struct str path)
{
    if (!path_is_absolute(path) || path_has_nul(path) || str_has(path, WORD_UNKNOWN))
        cannot_bind(d);
    else
        add_file(d, str_copy(d->arena, path).s);
}

/* The program itself: a file that the action names, or the first match in PATH. */
static void add_program(struct digest *d, const struct action *a)
{
    struct str name = a->subject.words.count ? a->subject.words.items[0] : (struct str){0};
    char found[WORLD_PATH_MAX];

    if (!a->subject.shell || a->redirect || a->assignment || name.len == 0)
        return;
    if (str_has(name, WORD_UNKNOWN) || path_has_nul(name) || name.len >= WORLD_PATH_MAX) {
        cannot_bind(d);
    } else if (str_has(name, '/')) {
        add_run_path(d, path_is_absolute(name) ? name : path_join(d->arena, a->cwd, name));
    } else if (d->c->world->program(d->c->world->context, name, found)) {
        add(d, str_from(found));
        add_file(d, found);
    }
}

/* ---- the call ---- */

/* It is not known which of its files a command runs that was not understood, so all of them are
 * bound. */
static void add_path(struct digest *d, const struct subject_path *p)
{
    bool runs = (p->access & ACCESS_RUN) || !d->c->verdict->facts->understood;

    add(d, p->written);
    add(d, p->resolved);
    add_number(d, p->access);
    if (!runs || p->uncertain)
        return;
    if (p->pattern && (p->access & ACCESS_RUN))
        cannot_bind(d);
    else if (!p->pattern)
        add_run_path(d, p->resolved.len ? p->resolved : p->written);
}

/* It may run a file whose name is only known when it runs. */
static bool runs_unknown(const struct digest *d, const struct action *a)
{
    if (a->unknown & ACCESS_RUN)
        return true;
    for (size_t i = 0; !d->c->verdict->facts->understood && i < a->subject.words.count; i++)
        if (str_has(a->subject.words.items[i], WORD_UNKNOWN))
            return true;
    return false;
}

static void add_actions(struct digest *d)
{
    const struct actions *actions = &d->c->verdict->facts->actions;

    for (size_t i = 0; i < actions->count && !d->status; i++) {
        const struct action *a = &actions->items[i];
        add(d, a->cwd);
        if (runs_unknown(d, a))
            cannot_bind(d);
        else
            add_program(d, a);
        for (size_t n = 0; n < a->subject.paths.count && !d->status; n++)
            add_path(d, &a->subject.paths.items[n]);
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

static void run(void *arg)
{
    struct digest *d = arg;
    const struct call *call = d->c->call;
    struct buf input = buf_in(d->arena);

    json_value(&input, call->input);
    add(d, STR("warder approval 1"));
    add(d, d->c->client);
    add(d, call->session);
    add(d, call->tool);
    add(d, buf_str(&input));
    add(d, call_directory(d->arena, call, d->c->home));
    add(d, call->project);
    add(d, d->c->verdict->reason);
    add_actions(d);
    add_policy(d);
}

enum status approval_digest(struct arena *a, const struct approval_call *c, char out[SHA256_HEX],
                            struct error *err)
{
    struct digest d = {.arena = a, .c = c, .err = err};
    uint8_t hash[SHA256_BYTES];

    out[0] = '\0';
    if (!c->verdict->facts)
        return fail(err, STATUS_UNSAFE, "there is nothing to approve");
    sha256_init(&d.hash);
    if (!arena_try(a, run, &d))
        return fail(err, STATUS_NOMEM, "no memory to hash the call");
    sha256_end(&d.hash, hash);
    if (!d.status)
        sha256_hex(hash, out);
    return d.status;
}
