#include "serve/routes.h"

#include <stdio.h>

#include "base/json.h"
#include "serve/api.h"
#include "serve/authzen.h"
#include "serve/browser.h"
#include "serve/console.h"
#include "serve/explain.h"

#define LOG_PARAMETERS                                                                             \
    "decision project worker session tool rule since until text limit cursor after "

const struct route routes[] = {
    {METHOD_POST, "/v1/check", FOR_WORKER | FOR_OPERATOR, CALL_BODY_MAX, "", "judge a call",
     api_check, .judges = true},
    {METHOD_POST, "/v1/dry-run", FOR_ALL, CALL_BODY_MAX, "",
     "judge a call without record or review", api_dry_run},
    {METHOD_POST, "/v1/explain", FOR_VIEWER | FOR_OPERATOR, CALL_BODY_MAX, "",
     "why a call would be judged so", api_explain},
    {METHOD_POST, "/v1/explain/matrix", FOR_VIEWER | FOR_OPERATOR, CALL_BODY_MAX, "",
     "the verdict in every profile and mode", api_matrix},
    {METHOD_GET, "/v1/reviews", FOR_VIEWER | FOR_OPERATOR, 0, "status limit cursor ",
     "list reviews", api_reviews},
    {METHOD_GET, "/v1/reviews/{id}", FOR_ALL, 0, "wait ", "one review", api_review},
    {METHOD_POST, "/v1/reviews/{id}", FOR_OPERATOR, SMALL_BODY_MAX, "", "answer a review",
     api_answer},
    {METHOD_POST, "/v1/links/look", FOR_ANYBODY, SMALL_BODY_MAX, "", "what a link would answer",
     api_link_look},
    {METHOD_POST, "/v1/links/answer", FOR_ANYBODY, SMALL_BODY_MAX, "", "answer a review by a link",
     api_link_answer},
    {METHOD_GET, "/v1/rules", FOR_VIEWER | FOR_OPERATOR, 0, "scope ", "list rules", api_rules},
    {METHOD_POST, "/v1/rules", FOR_OPERATOR, SMALL_BODY_MAX, "", "add a rule", api_rule_add},
    {METHOD_POST, "/v1/rules/audit", FOR_VIEWER | FOR_OPERATOR, CALL_BODY_MAX, "",
     "what a rule would match", api_rule_audit},
    {METHOD_GET, "/v1/rules/{id}", FOR_VIEWER | FOR_OPERATOR, 0, "", "one rule", api_rule},
    {METHOD_PUT, "/v1/rules/{id}", FOR_OPERATOR, SMALL_BODY_MAX, "", "change a rule",
     api_rule_change},
    {METHOD_DELETE, "/v1/rules/{id}", FOR_OPERATOR, 0, "", "remove a rule", api_rule_remove},
    {METHOD_GET, "/v1/decisions", FOR_VIEWER | FOR_OPERATOR, 0, LOG_PARAMETERS, "query the log",
     api_decisions},
    {METHOD_GET, "/v1/decisions/{id}", FOR_VIEWER | FOR_OPERATOR, 0, "",
     "one decision, and what its call tried in the sandbox", api_decision},
    {METHOD_GET, "/v1/proposals", FOR_VIEWER | FOR_OPERATOR, 0, "project worker since until least ",
     "rules that people's answers suggest", api_proposals},
    {METHOD_GET, "/v1/stats", FOR_VIEWER | FOR_OPERATOR, 0, "since until step ",
     "the log in figures", api_stats},
    {METHOD_GET, "/v1/sessions", FOR_VIEWER | FOR_OPERATOR, 0, "since ", "list sessions",
     api_sessions},
    {METHOD_GET, "/v1/sessions/browser", FOR_OPERATOR, 0, "", "the sessions of browsers",
     api_browsers},
    {METHOD_DELETE, "/v1/sessions/browser/{id}", FOR_OPERATOR, 0, "", "end a browser's session",
     api_browser_end},
    {METHOD_GET, "/v1/sessions/{id}", FOR_VIEWER | FOR_OPERATOR, 0, "", "the state of a session",
     api_session},
    {METHOD_DELETE, "/v1/sessions/{id}", FOR_OPERATOR, 0, "",
     "take back what was approved for a session", api_session_revoke},
    {METHOD_GET, "/v1/tokens", FOR_OPERATOR, 0, "", "list tokens", api_tokens},
    {METHOD_DELETE, "/v1/tokens/{id}", FOR_OPERATOR, 0, "", "revoke a token and its sessions",
     api_token_revoke},
    {METHOD_POST, "/v1/updates", FOR_OPERATOR, CALL_BODY_MAX, "",
     "update rules, mode and directories", api_update},
    {METHOD_GET, "/v1/events", FOR_VIEWER | FOR_OPERATOR, 0, "cursor wait limit types ",
     "what happens", api_events, .upgrades = true},
    {METHOD_POST, "/access/v1/evaluation", FOR_WORKER | FOR_OPERATOR, CALL_BODY_MAX, "",
     "judge an AuthZEN evaluation", api_evaluation, .judges = true},
    {METHOD_POST, "/access/v1/evaluations", FOR_WORKER | FOR_OPERATOR, CALL_BODY_MAX, "",
     "judge several AuthZEN evaluations", api_evaluations, .judges = true},
    {METHOD_GET, "/.well-known/authzen-configuration", FOR_ANYBODY, 0, "",
     "where AuthZEN is answered", api_authzen_configuration},
    {METHOD_POST, "/v1/login", FOR_ANYBODY, SMALL_BODY_MAX, "", "begin a browser's session",
     api_login},
    {METHOD_POST, "/v1/logout", FOR_VIEWER | FOR_OPERATOR, SMALL_BODY_MAX, "",
     "end this browser's session", api_logout},
    {METHOD_GET, "/v1/me", FOR_VIEWER | FOR_OPERATOR, 0, "", "who asks, and of what", api_me},
    {METHOD_GET, "/console/", FOR_ANYBODY, 0, "", "the console", api_console, .page = true},
    {METHOD_GET, "/console/{id}", FOR_ANYBODY, 0, "", "a file of the console", api_console,
     .page = true},
    {METHOD_GET, "/metrics", FOR_VIEWER | FOR_OPERATOR, 0, "", "metrics for Prometheus",
     api_metrics},
    {METHOD_GET, "/healthz", FOR_ANYBODY, 0, "", "whether it works", api_health},
    {METHOD_GET, "/", FOR_ANYBODY, 0, "", "what this is", api_root},
    {0},
};

static const char *const method_names[] = {
    [METHOD_OTHER] = "",  [METHOD_GET] = "GET",       [METHOD_POST] = "POST",
    [METHOD_PUT] = "PUT", [METHOD_DELETE] = "DELETE",
};

const char *method_name(enum method method)
{
    return method_names[method];
}

static bool is_segment(struct str s)
{
    return s.len > 0 && s.len <= SEGMENT_MAX && !str_has(s, '/');
}

static bool matches(const struct route *r, struct str path, struct str *id)
{
    struct str pattern = str_from(r->path);
    const struct str hole = STR("{id}");

    *id = STR("");
    if (!str_ends(pattern, hole))
        return str_eq(pattern, path);
    pattern.len -= hole.len;
    if (!str_starts(path, pattern))
        return false;
    *id = str_from_byte(path, pattern.len);
    return is_segment(*id);
}

struct match route_find(enum method method, struct str path)
{
    struct match m = {0};

    for (const struct route *r = routes; r->path; r++) {
        struct str id;
        /* The first row that matches a path owns it: /v1/rules/audit is not an id, even for methods
         * it lacks. */
        if (!matches(r, path, &id) || (m.methods && m.id.len != id.len))
            continue;
        m.methods |= 1u << r->method;
        m.roles |= r->roles;
        m.judges |= r->judges;
        m.id = id;
        if (r->method == method)
            m.route = r;
    }
    return m;
}

const char *query_get(const struct query *query, const char *name)
{
    for (size_t i = 0; query && i < query->count; i++)
        if (str_is(query->items[i].name, name))
            return query->items[i].value.s;
    return NULL;
}

bool query_number(const struct query *query, const char *name, uint64_t max, uint64_t *out)
{
    const char *text = query_get(query, name);
    uint64_t n = 0;

    if (!text)
        return true;
    for (const char *c = text; *c; c++) {
        uint64_t digit = (uint64_t)*c - '0';
        if (digit > 9 || n > (max - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = n;
    return text[0] != '\0';
}

bool query_limit(const struct query *query, uint64_t max, uint64_t *out)
{
    return query_number(query, "limit", max, out) && (*out || !query_get(query, "limit"));
}

static const struct {
    unsigned bit;
    const char *name;
} role_names[] = {{FOR_WORKER, "worker"},
                  {FOR_VIEWER, "viewer"},
                  {FOR_OPERATOR, "operator"},
                  {FOR_ANYBODY, "anybody"}};

static void words_json(struct json_writer *w, const char *key, const char *words)
{
    struct str rest = str_from(words), word;

    json_key(w, key);
    json_begin_array(w);
    while (rest.len) {
        str_cut(rest, ' ', &word, &rest);
        json_text(w, word);
    }
    json_end_array(w);
}

static void route_json(struct json_writer *w, const struct route *r)
{
    json_begin_object(w);
    json_key(w, "method");
    json_text(w, str_from(method_name(r->method)));
    json_key(w, "path");
    json_text(w, str_from(r->path));
    json_key(w, "roles");
    json_begin_array(w);
    for (size_t i = 0; i < COUNT(role_names); i++)
        if (r->roles & role_names[i].bit)
            json_text(w, str_from(role_names[i].name));
    json_end_array(w);
    json_key(w, "body_max");
    json_int(w, (int64_t)r->body_max);
    words_json(w, "query", r->query);
    json_key(w, "summary");
    json_text(w, str_from(r->summary));
    json_end_object(w);
}

static void write_table(struct buf *out, const void *about)
{
    struct json_writer w = json_to_indented(out);

    (void)about;
    json_begin_array(&w);
    for (const struct route *r = routes; r->path; r++)
        route_json(&w, r);
    json_end_array(&w);
}

void routes_print(void)
{
    struct arena arena;
    struct str text;

    arena_init(&arena, (size_t)1 << 20);
    if (buf_try(&arena, write_table, NULL, &text))
        puts(text.s);
    arena_release(&arena);
}
