/* learn_calls.c - the calls that rules are learned from, each once, from the log or from a file. */
#include "base/path.h"
#include "report/learn.h"

/* ---- names ---- */

static void rehash(struct arena *a, struct learn_names *names)
{
    size_t room = names->room ? 2 * names->room : 64;
    struct learn_name *slots = ARENA_ARRAY(a, struct learn_name, room);

    for (size_t i = 0; i < names->list.count; i++) {
        size_t at = str_hash(names->list.items[i]) % room;
        while (slots[at].text.s)
            at = (at + 1) % room;
        slots[at] = (struct learn_name){names->list.items[i], i};
    }
    names->slots = slots;
    names->room = room;
}

size_t learn_number(struct arena *a, struct learn_names *names, struct str text, bool *is_new)
{
    if (2 * (names->list.count + 1) > names->room)
        rehash(a, names);
    size_t at = str_hash(text) % names->room;
    while (names->slots[at].text.s && !str_eq(names->slots[at].text, text))
        at = (at + 1) % names->room;
    *is_new = !names->slots[at].text.s;
    if (*is_new) {
        names->slots[at] = (struct learn_name){str_copy(a, text), names->list.count};
        LIST_PUSH(a, &names->list, names->slots[at].text);
    }
    return names->slots[at].number;
}

/* ---- one call ---- */

/* A rejection counts in any case: of a text without its secrets, and of no session. */
static bool is_wanted(const warder_learning *l, const struct recorded *r)
{
    bool elsewhere = l->project.len && !path_is_inside(r->cwd, l->project);

    if (r->answer == ANSWER_REJECT)
        return r->call.len && (!elsewhere || !r->cwd.len);
    return r->call.len && !elsewhere && r->session.len && !r->lacks;
}

/* The same call again: what was asked before and answered later, or a session that was resumed and
 * has the calls of the first one under another name. A rejection is never taken for another call:
 * its text may be another one. */
static bool is_known(warder_learning *l, const struct recorded *r)
{
    bool is_new = true;

    if (!r->id.len || r->answer == ANSWER_REJECT)
        return false;
    size_t number = learn_number(&l->arena, &l->ids, r->id, &is_new);
    if (is_new)
        LIST_PUSH(&l->arena, &l->places, l->calls.count);
    else if (r->answer == ANSWER_ACCEPT)
        l->calls.items[l->places.items[number]].answer = ANSWER_ACCEPT;
    return !is_new;
}

static void note_time(warder_learning *l, size_t session, bool is_new, struct str time)
{
    if (is_new)
        LIST_PUSH(&l->arena, &l->began, time);
    else if (time.len && str_compare(time, l->began.items[session]) < 0)
        l->began.items[session] = time;
}

static void add(warder_learning *l, const struct recorded *r)
{
    struct arena *a = &l->arena;
    bool is_new = true;
    struct str time = str_copy(a, r->at);
    size_t session = learn_number(a, &l->sessions, r->session, &is_new);

    note_time(l, session, is_new, time);
    LIST_PUSH(a, &l->calls,
              (struct learn_call){.json = str_copy(a, r->call),
                                  .shown = str_copy(a, r->shown.len ? r->shown : r->tool),
                                  .time = time,
                                  .answer = r->answer});
    LIST_PUSH(a, &l->lessons, (struct lesson_call){.session = session});
}

void learn_take(warder_learning *l, struct arena *scratch, struct str line)
{
    struct recorded r;

    if (!recorded_read(scratch, line, &r) || (r.decided && r.was != BEHAVIOR_ASK))
        return; /* not a call, or no one was asked */
    if (!r.call.len && !recorded_call(scratch, r.tool, r.shown, r.cwd, &r.call))
        r.call = (struct str){0};
    if (!is_wanted(l, &r))
        l->skipped++;
    else if (!is_known(l, &r))
        add(l, &r);
}
