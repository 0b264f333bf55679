/* enact.c - a change of the rules or of the policy on its way: staged, recorded and written by the
 * writer, then in force.
 *
 * Each change of the rules carries the whole new file, so of several in one batch the last one that
 * was recorded is written. The next change is based on the newest that was staged
 * (`change_ahead`). If one of them fails, those that are based on it fail, too. */
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "policy/state.h"
#include "policy/stored.h"
#include "service/rules.h"
#include "service/service.h"

/* ---- staging ---- */

void enact_free(struct enactment *e)
{
    if (e)
        free(e->told);
    free(e);
}

static bool copy_into(struct arena *a, struct str *text)
{
    *text = str_try_copy(a, *text);
    return text->s != NULL;
}

/* Only the last record of a change carries what it does. */
static bool fill(struct staged *item, const struct enactment *e, struct str body, bool last)
{
    struct enactment *copy = last ? calloc(1, sizeof(*copy)) : NULL;

    item->body = body;
    if (!copy_into(&item->arena, &item->body))
        return false;
    if (!last)
        return true;
    if (!copy)
        return false;
    *copy = *e;
    item->enacts = copy;
    return copy_into(&item->arena, &copy->text) && copy_into(&item->arena, &copy->event) &&
           copy_into(&item->arena, &copy->undone);
}

enum status service_enact(warder_service *s, const struct enactment *e, const struct str *bodies,
                          size_t count, struct error *err)
{
    struct staged *first = NULL;

    for (size_t i = 0; i < count; i++) {
        struct staged *item = service_stage(s, i + 1 < count ? STAGED_NOTED : STAGED_CHANGE);
        first = first ? first : item;
        if (item && fill(item, e, bodies[i], i + 1 == count))
            continue;
        for (struct staged *undo = first; undo; undo = undo->next)
            undo->stale = true;
        return fail(err, STATUS_NOMEM, "out of memory");
    }
    if (e->kind == ENACT_RULES)
        s->change_ahead = s->staged_last;
    return STATUS_OK;
}

/* ---- the disk: on the writer's thread ---- */

static bool changes_rules(const struct staged *i)
{
    return i->kind == STAGED_CHANGE && i->enacts && i->enacts->kind == ENACT_RULES;
}

static enum status write_rules(const struct batch *b, struct str text, struct error *err)
{
    AUTO_CLOSE int directory = -1;
    enum status status = state_open(b->service->data, NULL, &directory, err);

    return status == STATUS_OK ? state_replace(directory, STORED_NAME, text, err) : status;
}

void enact_write(struct batch *b)
{
    struct staged *last = NULL;
    struct error err = {0};

    for (struct staged *i = b->items; i; i = i->next)
        if (changes_rules(i) && !i->failed)
            last = i;
    if (!last || write_rules(b, last->enacts->text, &err) == STATUS_OK)
        return;
    for (struct staged *i = b->items; i; i = i->next)
        if (changes_rules(i) && !i->failed) {
            i->failed = true;
            i->enacts->why = err;
            (void)recorder_append(b->service->engine->recorder, NULL, &i->enacts->undone, 1, NULL);
        }
}

/* ---- in force ---- */

static void write_generation(struct json_writer *w, const void *about)
{
    const warder_service *s = about;

    json_begin_object(w);
    json_key(w, "generation");
    json_int(w, (int64_t)warder_engine_generation(s->engine));
    json_end_object(w);
}

static void update_policy(warder_service *s, struct staged *i)
{
    struct enactment *e = i->enacts;
    warder_error outer = {0};
    struct str text;

    if (warder_engine_update(s->engine, e->text.s, e->text.len, &outer) != WARDER_OK) {
        i->failed = true;
        e->outcome = WARDER_INVALID;
        fail(&e->why, STATUS_USAGE, "%s", outer.message);
        return;
    }
    service_announce_policy(s);
    if (json_try(&i->arena, write_generation, s, &text))
        e->told = strndup(text.s, text.len);
}

/* Those that are staged are based on one that failed. */
static void refuse_later(warder_service *s)
{
    static const char why[] = "an earlier change of the rules could not be made: try again";

    s->change_ahead = NULL;
    for (struct staged *i = s->staged; i; i = i->next)
        if (changes_rules(i)) {
            i->stale = true;
            fail(&i->enacts->why, STATUS_IO, "%s", why);
        }
}

void enact_finish(warder_service *s, struct batch *b)
{
    bool changed = false;

    for (struct staged *i = b->items; i; i = i->next) {
        if (i->kind != STAGED_CHANGE || !i->enacts)
            continue;
        if (s->change_ahead == i)
            s->change_ahead = NULL;
        if (i->failed && changes_rules(i)) {
            refuse_later(s);
        } else if (!i->failed && changes_rules(i)) {
            events_add(s, "rules", "change", i->enacts->event);
            changed = true;
        } else if (!i->failed) {
            update_policy(s, i);
        }
    }
    if (changed && service_reload(s, NULL) == WARDER_OK)
        rules_changed(s);
}

/* ---- telling ---- */

static const struct staged *failed_part(const struct staged *i)
{
    while (i && !i->failed)
        i = i->about;
    return i;
}

static const char *why_failed(const struct batch *b, const struct staged *failed)
{
    if (failed->enacts && failed->enacts->why.status)
        return failed->enacts->why.message;
    return b->record.status ? "not done: cannot record it" : "not done: out of memory";
}

/* An answer that was recorded counts, even if the rule that it adds cannot be written. */
static char *print_failure(const struct batch *b, const struct staged *about,
                           const struct staged *failed)
{
    const char *front = failed == about ? "" : "the answer counts, but it added no rule: ";
    char *text;

    return asprintf(&text, "%s%s", front, why_failed(b, failed)) < 0 ? NULL : text;
}

static char *what_to_tell(const struct batch *b, const struct staged *about,
                          const struct staged *failed)
{
    if (failed)
        return print_failure(b, about, failed);
    return about->enacts && about->enacts->told ? strdup(about->enacts->told) : NULL;
}

void enact_settle(const struct batch *b, struct staged *held)
{
    const struct staged *about = held->about, *failed = failed_part(about);

    if (!held->item)
        return;
    held->item->outcome = !failed          ? WARDER_DONE
                          : failed->enacts ? failed->enacts->outcome
                                           : WARDER_FAILED;
    case_settle(held->item, what_to_tell(b, about, failed));
}

warder_status warder_service_hold(warder_service *s, void *user, warder_case **out)
{
    if (!s || !out)
        return WARDER_EUSAGE;
    *out = NULL;
    struct staged *about = s->staged_last;
    if (!about)
        return WARDER_OK;
    warder_case *item = case_new(s, user);
    struct staged *held = item ? service_stage(s, STAGED_HELD) : NULL;
    if (!held) {
        free(item);
        return WARDER_ENOMEM;
    }
    item->held = true;
    held->about = about;
    case_stage(item, held);
    *out = item;
    return WARDER_OK;
}
