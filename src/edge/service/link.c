/* link.c - answers by a link of a notice, for a person who is not signed in.
 *
 * A link is REVIEW.OPERATOR.ANSWER.EXPIRY.SIGNATURE. It is good for one answer to one review, in
 * the name of one operator. The signature covers the hash of the call as well, so that a link
 * answers what was asked and nothing else; a review ends once, and so does its link. It is worth
 * nothing when the operator's token is revoked, and it never approves what is grave: whoever holds
 * the phone or reads the chat can use it. It adds no rule. */
#include <stdio.h>
#include <stdlib.h>

#include "record/signature.h"
#include "record/token.h"
#include "service/service.h"

#define LINK_MEMORY ((size_t)1024 * 1024)
#define LINK_MAX    256 /* bytes of what is signed */

enum link_answer { LINK_DENY = 0, LINK_APPROVE };

static const char *const answer_names[] = {[LINK_DENY] = "deny", [LINK_APPROVE] = "approve"};

/* ---- whose links they are ---- */

struct link_owner {
    bool valid;
    warder_caller caller;
};

static bool take_owner(const struct access_token *t, void *context)
{
    struct link_owner *o = context;

    o->valid = t->role == TOKEN_OPERATOR && t->kind == TOKEN_PLAIN && !t->revoked_at[0];
    o->caller.role = WARDER_OPERATOR;
    snprintf(o->caller.id, sizeof(o->caller.id), "%s", t->id);
    snprintf(o->caller.name, sizeof(o->caller.name), "%.*s%sby link",
             (int)(t->name.len < 50 ? t->name.len : 50), t->name.len ? t->name.s : "",
             t->name.len ? ", " : "");
    return false;
}

static enum status find_owner(warder_service *s, struct str id, struct link_owner *out,
                              struct error *err)
{
    *out = (struct link_owner){0};
    if (!store_readable(s, err))
        return STATUS_IO;
    return store_read(s, token_find(&s->db, id, take_owner, out, err), err);
}

enum status link_check_owner(warder_service *s, struct error *err)
{
    const char *id = s->options.links_of;
    struct link_owner owner;

    if (!id)
        return STATUS_OK;
    enum status status = find_owner(s, str_from(id), &owner, err);
    if (status == STATUS_OK && !owner.valid)
        status = fail(err, STATUS_USAGE,
                      "links cannot answer for \"%.60s\": no operator's token with this id is in "
                      "force",
                      id);
    return status;
}

/* ---- the text of a link ---- */

/* Nobody knows any more what a call from before a restart does. */
static bool may_approve(const warder_service *s, const struct waiting *w)
{
    return s->options.links_approve && w->call && w->stakes && strcmp(w->stakes, "grave") != 0;
}

static struct str signed_text(char room[LINK_MAX], struct str link, const struct waiting *w)
{
    int len = snprintf(room, LINK_MAX, "%.*s %s", STR_ARG(link), w->call_hash);

    return (struct str){room, len > 0 && len < LINK_MAX ? (size_t)len : 0};
}

static bool print_link(warder_service *s, const struct waiting *w, enum link_answer answer,
                       char out[LINK_MAX])
{
    char room[LINK_MAX], signature[SIGNATURE_SIZE];
    struct record_key key;
    struct error ignored;
    int len = snprintf(out, LINK_MAX, "%s.%s.%s.%lld", w->id, s->options.links_of,
                       answer_names[answer], (long long)(w->expires_at / 1000));

    if (len < 0 || len + SIGNATURE_SIZE + 1 > LINK_MAX ||
        recorder_key(s->engine->recorder, &key, &ignored) != STATUS_OK ||
        signature_make(&key, signed_text(room, (struct str){out, (size_t)len}, w), signature,
                       &ignored) != STATUS_OK)
        return false;
    snprintf(out + len, LINK_MAX - (size_t)len, ".%s", signature);
    return true;
}

struct made_links {
    const char *url;
    char deny[LINK_MAX], approve[LINK_MAX]; /* "": none */
};

static void write_links(struct json_writer *w, const void *about)
{
    const struct made_links *m = about;
    struct arena *a = w->out->arena;

    json_begin_object(w);
    json_text_member(w, "page", str_format(a, "%s/console/#answer=", m->url));
    json_text_member(w, "post", str_format(a, "%s/v1/links/answer", m->url));
    json_text_member(w, "deny", str_from(m->deny));
    json_text_member_if(w, "approve", str_from(m->approve));
    json_end_object(w);
}

char *links_make(warder_service *s, const struct waiting *w)
{
    struct made_links made = {.url = s->url};
    struct arena arena;
    struct str json;
    char *out = NULL;

    if (!s->options.links_of || !s->url[0] || !w || !print_link(s, w, LINK_DENY, made.deny))
        return NULL;
    if (may_approve(s, w) && !print_link(s, w, LINK_APPROVE, made.approve))
        made.approve[0] = '\0';
    arena_init(&arena, LINK_MEMORY);
    if (json_try(&arena, write_links, &made, &json))
        out = strndup(json.s, json.len);
    arena_release(&arena);
    return out;
}

/* ---- one that comes back ---- */

struct link_parts {
    struct str whole, review, owner, answer, expiry, signature;
};

static bool cut_link(struct str link, struct link_parts *p)
{
    struct str *const parts[] = {&p->review, &p->owner, &p->answer, &p->expiry};
    struct str rest = link;

    for (size_t i = 0; i < COUNT(parts); i++)
        if (!str_cut(rest, '.', parts[i], &rest) || !parts[i]->len)
            return false;
    p->signature = rest;
    p->whole = str_slice(link, 0, link.len - rest.len - 1); /* what is signed */
    return rest.len > 0;
}

struct used_link {
    struct waiting *review;
    enum link_answer answer;
    struct link_owner owner;
};

static warder_outcome not_ours(warder_error *err)
{
    return outcome_say(err, WARDER_FORBIDDEN, "this link is not one of this service");
}

static warder_outcome is_over(warder_error *err)
{
    return outcome_say(err, WARDER_CONFLICT, "its review is over: answered, or out of time");
}

static warder_outcome check_signature(warder_service *s, const struct link_parts *p,
                                      const struct waiting *w, warder_error *err)
{
    struct record_key key;
    struct error inner = {0};
    char room[LINK_MAX];
    enum status status = recorder_key(s->engine->recorder, &key, &inner);

    if (status == STATUS_OK)
        status = signature_check(&key, signed_text(room, p->whole, w), p->signature, &inner);
    if (status == STATUS_UNSAFE)
        return not_ours(err);
    return status == STATUS_OK ? WARDER_DONE : outcome_failed(err, &inner);
}

/* What the signature covers is ours, so it is read only after it. */
static warder_outcome check_parts(warder_service *s, const struct link_parts *p,
                                  struct used_link *out, warder_error *err)
{
    struct error inner = {0};

    if (!str_is(p->answer, answer_names[LINK_DENY]) &&
        !str_is(p->answer, answer_names[LINK_APPROVE]))
        return not_ours(err);
    out->answer = str_is(p->answer, answer_names[LINK_APPROVE]) ? LINK_APPROVE : LINK_DENY;
    if (find_owner(s, p->owner, &out->owner, &inner) != STATUS_OK)
        return outcome_failed(err, &inner);
    if (!out->owner.valid)
        return outcome_say(err, WARDER_FORBIDDEN,
                           "the token that this link answers for is revoked");
    if (out->review->state != WAITING_OPEN || out->review->deadline <= s->mono() ||
        strtoll(p->expiry.s, NULL, 10) * 1000 <= s->wall())
        return is_over(err);
    if (out->answer == LINK_APPROVE && !may_approve(s, out->review))
        return outcome_say(err, WARDER_FORBIDDEN, "a link may not approve this: sign in");
    return WARDER_DONE;
}

static warder_outcome read_link(warder_service *s, struct arena *a, struct str json,
                                struct used_link *out, warder_error *err)
{
    static const char *const keys[] = {"link"};
    struct link_parts p;
    struct value body;
    char id[REVIEW_ID_SIZE];
    warder_outcome outcome = service_body(a, json, keys, COUNT(keys), &body, err);

    if (outcome != WARDER_DONE)
        return outcome;
    if (!cut_link(value_text(&body, "link"), &p))
        return outcome_say(err, WARDER_INVALID, "\"link\" must be all of a link");
    snprintf(id, sizeof(id), "%.*s", STR_ARG(p.review));
    out->review = p.review.len < sizeof(id) ? waiting_find(s, id) : NULL;
    if (!out->review)
        return is_over(err); /* or it never was: there is nothing to compare the signature with */
    outcome = check_signature(s, &p, out->review, err);
    return outcome == WARDER_DONE ? check_parts(s, &p, out, err) : outcome;
}

/* ---- what it is about ---- */

struct look {
    const struct used_link *link;
    struct str review; /* JSON */
};

static void write_look(struct report *r, const void *about)
{
    const struct look *l = about;

    json_begin_object(&r->json);
    json_text_member(&r->json, "answer", str_from(answer_names[l->link->answer]));
    json_text_member(&r->json, "by", str_from(l->link->owner.caller.name));
    json_key(&r->json, "review");
    json_raw(&r->json, l->review);
    json_end_object(&r->json);
}

/* As a viewer sees it: who holds a link need not be who may see secrets. */
static warder_outcome show(warder_service *s, const struct used_link *link, warder_report **out,
                           warder_error *err)
{
    const warder_caller viewer = {.role = WARDER_VIEWER};
    warder_report *review = NULL;
    warder_outcome outcome = warder_service_review(s, &viewer, link->review->id, &review, err);

    if (outcome == WARDER_DONE &&
        report_make_line(write_look, &(struct look){link, str_from(warder_report_json(review))},
                         out, err) != WARDER_OK)
        outcome = WARDER_FAILED;
    warder_report_free(review);
    return outcome;
}

static warder_outcome use(warder_service *s, const struct used_link *link, warder_report **out,
                          warder_error *err)
{
    char body[40];
    warder_report *whole = NULL;
    int len = snprintf(body, sizeof(body), "{\"answer\":\"%s\"}", answer_names[link->answer]);
    warder_outcome outcome = warder_service_answer(s, &link->owner.caller, link->review->id, body,
                                                   (size_t)len, &whole, err);

    warder_report_free(whole); /* as an operator sees it, secrets and all */
    return outcome == WARDER_DONE ? service_empty_report(out, err) : outcome;
}

static warder_outcome take_link(warder_service *s, const char *json, size_t len,
                                warder_outcome (*then)(warder_service *, const struct used_link *,
                                                       warder_report **, warder_error *),
                                warder_report **out, warder_error *err)
{
    struct used_link link = {0};
    struct arena arena;

    if (!s || !json || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, link or report");
    *out = NULL;
    arena_init(&arena, LINK_MEMORY);
    warder_outcome outcome = read_link(s, &arena, (struct str){json, len}, &link, err);
    arena_release(&arena);
    return outcome == WARDER_DONE ? then(s, &link, out, err) : outcome;
}

warder_outcome warder_service_link_look(warder_service *s, const char *json, size_t len,
                                        warder_report **out, warder_error *err)
{
    return take_link(s, json, len, show, out, err);
}

warder_outcome warder_service_link_answer(warder_service *s, const char *json, size_t len,
                                          warder_report **out, warder_error *err)
{
    return take_link(s, json, len, use, out, err);
}
