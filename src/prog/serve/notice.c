#include "serve/notice.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

#define NOTICE_MEMORY ((size_t)1024 * 1024)
#define SAID_MAX      300u /* bytes of a headline or a name */

struct notice {
    struct str topic, event, links;
    struct value parsed, links_parsed;
    const struct value *review; /* a new one; NULL: another kind of event */
    struct str url, headline, who, stakes;
};

/* ---- plain ---- */

static void write_plain(struct json_writer *w, const void *about)
{
    const struct notice *n = about;

    json_begin_object(w);
    for (size_t i = 0; i < n->parsed.count; i++) {
        json_key_str(w, n->parsed.members[i].key);
        json_any(w, &n->parsed.members[i].value);
    }
    json_key(w, "links");
    json_raw(w, n->links);
    json_end_object(w);
}

/* ---- ntfy: https://docs.ntfy.sh/publish/#publish-as-json and #action-buttons ---- */

static struct str sentence(struct arena *a, const struct notice *n)
{
    return n->headline.len ? n->headline : str_format(a, "A review waits");
}

static void ntfy_answer(struct json_writer *w, const struct notice *n, const char *label,
                        const char *answer)
{
    const struct str link = value_text(&n->links_parsed, answer);
    struct buf body = buf_in(w->out->arena);
    struct json_writer inner = json_to(&body);

    if (!link.len)
        return;
    json_begin_object(&inner);
    json_text_member(&inner, "link", link);
    json_end_object(&inner);
    json_begin_object(w);
    json_text_member(w, "action", STR("http"));
    json_text_member(w, "label", str_from(label));
    json_text_member(w, "url", value_text(&n->links_parsed, "post"));
    json_text_member(w, "method", STR("POST"));
    json_key(w, "headers");
    json_raw(w, STR("{\"Content-Type\":\"application/json\"}"));
    json_text_member(w, "body", buf_str(&body));
    json_key(w, "clear");
    json_bool(w, true);
    json_end_object(w);
}

static void ntfy_actions(struct json_writer *w, const struct notice *n)
{
    json_key(w, "actions");
    json_begin_array(w);
    if (n->url.len) {
        json_begin_object(w);
        json_text_member(w, "action", STR("view"));
        json_text_member(w, "label", STR("Open"));
        json_text_member(w, "url", n->url);
        json_end_object(w);
    }
    ntfy_answer(w, n, "Deny", "deny");
    ntfy_answer(w, n, "Approve once", "approve");
    json_end_array(w);
}

static void write_ntfy(struct json_writer *w, const void *about)
{
    const struct notice *n = about;
    const bool grave = str_is(n->stakes, "grave");

    json_begin_object(w);
    json_text_member(w, "topic", n->topic);
    json_text_member(w, "title",
                     n->review ? str_format(w->out->arena, "%.*s asks", STR_ARG(n->who))
                               : STR("Warder"));
    json_text_member(w, "message", sentence(w->out->arena, n));
    json_key(w, "priority");
    json_int(w, grave ? 4 : 3);
    json_key(w, "tags");
    json_raw(w, grave ? STR("[\"warning\"]") : STR("[]"));
    json_text_member_if(w, "click", n->url);
    ntfy_actions(w, n);
    json_end_object(w);
}

/* ---- Slack: https://api.slack.com/reference/block-kit ---- */

/* In its markup <!channel> calls everybody; plain_text has no markup. */
static struct str without_markup(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < text.len; i++)
        if (text.s[i] == '&')
            buf_text(&b, "&amp;");
        else if (text.s[i] == '<')
            buf_text(&b, "&lt;");
        else if (text.s[i] == '>')
            buf_text(&b, "&gt;");
        else
            buf_byte(&b, text.s[i]);
    return buf_str(&b);
}

static void plain_text(struct json_writer *w, struct str text)
{
    json_begin_object(w);
    json_text_member(w, "type", STR("plain_text"));
    json_text_member(w, "text", text);
    json_key(w, "emoji");
    json_bool(w, false);
    json_end_object(w);
}

static void slack_button(struct json_writer *w, const char *label, struct str url,
                         const char *style)
{
    if (!url.len)
        return;
    json_begin_object(w);
    json_text_member(w, "type", STR("button"));
    json_key(w, "text");
    plain_text(w, str_from(label));
    json_text_member(w, "url", url);
    json_text_member_if(w, "style", str_from(style));
    json_end_object(w);
}

static struct str page_of(struct arena *a, const struct notice *n, const char *answer)
{
    const struct str link = value_text(&n->links_parsed, answer);

    return link.len ? str_format(a, "%.*s%.*s", STR_ARG(value_text(&n->links_parsed, "page")),
                                 STR_ARG(link))
                    : (struct str){0};
}

/* Its buttons open pages; nothing is answered before a person has pressed one there. */
static void slack_actions(struct json_writer *w, const struct notice *n)
{
    struct arena *a = w->out->arena;

    json_begin_object(w);
    json_text_member(w, "type", STR("actions"));
    json_key(w, "elements");
    json_begin_array(w);
    slack_button(w, "Open", n->url, "");
    slack_button(w, "Deny", page_of(a, n, "deny"), "danger");
    slack_button(w, "Approve once", page_of(a, n, "approve"), "primary");
    json_end_array(w);
    json_end_object(w);
}

static void write_slack(struct json_writer *w, const void *about)
{
    const struct notice *n = about;
    struct arena *a = w->out->arena;
    const struct str said =
        n->review ? str_format(a, "%s%.*s asks: %.*s", str_is(n->stakes, "grave") ? "Grave: " : "",
                               STR_ARG(n->who), STR_ARG(sentence(a, n)))
                  : sentence(a, n);

    json_begin_object(w);
    json_text_member(w, "text", without_markup(a, said));
    json_key(w, "blocks");
    json_begin_array(w);
    json_begin_object(w);
    json_text_member(w, "type", STR("section"));
    json_key(w, "text");
    plain_text(w, said);
    json_end_object(w);
    if (n->url.len || n->links.len)
        slack_actions(w, n);
    json_end_array(w);
    json_end_object(w);
}

/* ---- all of them ---- */

static const struct form {
    void (*write)(struct json_writer *w, const void *about);
    bool reviews_only;
} forms[] = {[NOTICE_PLAIN] = {write_plain, false},
             [NOTICE_NTFY] = {write_ntfy, true},
             [NOTICE_SLACK] = {write_slack, true}};

static void read_review(struct notice *n)
{
    const struct value *review = value_get(&n->parsed, "review"), *more;

    if (review && str_is(value_text(review, "status"), "pending")) {
        n->review = review;
        n->url = value_text(review, "url");
        n->headline = utf8_cut(value_text(review, "headline"), SAID_MAX);
        n->who = utf8_cut(value_text(review, "worker_id"), SAID_MAX);
        n->stakes = value_text(review, "stakes");
        if (!n->who.len)
            n->who = STR("An agent");
    }
    more = value_get(&n->parsed, "more"); /* notify.h */
    if (more)
        n->headline = value_text(more, "message");
}

static bool read_notice(struct arena *a, struct notice *n)
{
    if (json_read(a, n->event, NULL, &n->parsed, NULL) != STATUS_OK ||
        (n->links.len && json_read(a, n->links, NULL, &n->links_parsed, NULL) != STATUS_OK))
        return false;
    read_review(n);
    return true;
}

char *notice_make(enum notice_form form, struct str topic, struct str event, struct str links,
                  bool *told)
{
    struct notice n = {.topic = topic, .event = event, .links = links};
    struct arena arena;
    struct str text;
    char *out = NULL;

    *told = true;
    if (form == NOTICE_PLAIN && !links.len)
        return strndup(event.s, event.len);
    arena_init(&arena, NOTICE_MEMORY);
    if (read_notice(&arena, &n)) {
        *told = !forms[form].reviews_only || n.review || value_get(&n.parsed, "more");
        if (*told && json_try(&arena, forms[form].write, &n, &text))
            out = strndup(text.s, text.len);
    }
    arena_release(&arena);
    return out;
}

bool notice_cut_topic(char *url, char *topic, size_t room)
{
    struct str base, query;
    const bool asked = str_cut(str_from(url), '?', &base, &query);
    const size_t slash = str_last_index(base, '/');
    const size_t name = slash + 1;

    /* the slashes of https:// are no path */
    if (slash == STR_NONE || (slash > 0 && base.s[slash - 1] == '/') || name == base.len ||
        base.len - name >= room)
        return false;
    snprintf(topic, room, "%.*s", (int)(base.len - name), base.s + name);
    if (asked) {
        url[name] = '?';
        memmove(url + name + 1, query.s, query.len + 1);
    } else {
        url[name] = '\0';
    }
    return true;
}
