/* learn_policy.c - learned rules as entries of a policy. */
#include "report/learn.h"
#include "rule/effect.h"

/* Of one text there is one rule, with all hosts that it must name. */
static struct learn_offer *offer_of(struct arena *a, struct learn_offers *offers,
                                    const struct learn_rule *r)
{
    for (size_t i = 0; i < offers->count; i++)
        if (str_eq(offers->items[i].rule, r->rule) && offers->items[i].wraps == r->wraps)
            return &offers->items[i];
    LIST_PUSH(a, offers, (struct learn_offer){.rule = r->rule, .name = r->name, .wraps = r->wraps});
    return &offers->items[offers->count - 1];
}

void learn_collect(struct arena *a, const struct learn_rules *rules,
                   const struct lesson_rules *chosen, struct learn_offers *out)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct learn_rule *r = &rules->items[i];
        if (!chosen->items[i].chosen)
            continue;
        struct learn_offer *o = offer_of(a, out, r);
        if (r->kind > o->kind)
            o->kind = r->kind;
        if (r->host.len)
            LIST_PUSH(a, &o->hosts, r->host);
        o->ticked = o->wraps || o->kind == GENERAL_BOUNDED;
    }
}

static void write_rule(struct json_writer *w, const struct learn_offer *o)
{
    json_begin_object(w);
    json_text_member(w, "rule", o->rule);
    if (o->hosts.count) {
        json_key(w, "within");
        json_begin_object(w);
        json_strings(w, "hosts", &o->hosts);
        json_end_object(w);
    }
    json_text_member_if(w, "id", o->id);
    json_text_member_if(w, "comment", o->comment);
    json_end_object(w);
}

/* "runner exec": a program with that one subcommand; any other stays unknown. */
static void write_words(struct json_writer *w, struct str words)
{
    struct str word;

    (void)str_next_word(&words, &word);
    json_begin_object(w);
    json_text_member(w, "name", word);
    if (str_trim(words).len) {
        json_key(w, "subcommands");
        json_begin_array(w);
        write_words(w, str_trim(words));
        json_end_array(w);
    } else {
        json_text_member(w, "operands", STR("I"));
        json_key(w, "transparent");
        json_bool(w, true);
    }
    json_end_object(w);
}

static void write_row(struct json_writer *w, const struct learn_offer *o)
{
    write_words(w, o->name);
}

struct str learn_entry(struct arena *a, const struct learn_offer *o)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    (o->wraps ? write_row : write_rule)(&w, o);
    return buf_str(&b);
}

static void write_list(struct json_writer *w, const char *key, const struct learn_offers *offers,
                       bool wraps, bool ticked_only)
{
    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < offers->count; i++) {
        const struct learn_offer *o = &offers->items[i];
        if (o->wraps == wraps && (o->ticked || !ticked_only))
            (wraps ? write_row : write_rule)(w, o);
    }
    json_end_array(w);
}

void learn_policy_members(struct json_writer *w, const struct learn_offers *offers,
                          bool ticked_only)
{
    write_list(w, "allow", offers, false, ticked_only);
    write_list(w, "programs", offers, true, ticked_only);
}

struct str learn_policy(struct arena *a, const struct learn_offers *offers, bool ticked_only)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    learn_policy_members(&w, offers, ticked_only);
    json_end_object(&w);
    return buf_str(&b);
}
