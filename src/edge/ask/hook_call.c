/* hook_call.c - which hooks match, and their input: the call as JSON, the environment. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/hooks.h"
#include "base/ascii.h"
#include "base/json.h"

/* ---- the hooks to ask ---- */

static bool is_among(struct str names, struct str name)
{
    for (size_t at = 0; at <= names.len;) {
        size_t end = at;
        while (end < names.len && names.s[end] != '|' && names.s[end] != ',')
            end++;
        if (str_eq(str_trim(str_slice(names, at, end)), name))
            return true;
        at = end + 1;
    }
    return false;
}

/* At the limit of a regular expression it may match, and then the hook is asked. */
static bool matches_name(const struct world *world, const struct hook *hook, struct str name)
{
    if (hook->regex)
        return world->regex(hook->regex, name) != REGEX_NO;
    return is_among(hook->matcher, name);
}

/* A hook for Bash is meant for the shell tool, whatever its name in this client. */
bool hook_matches(const struct world *world, const struct hook *hook, const struct call *call)
{
    if (hook->matcher.len == 0 || str_is(hook->matcher, "*"))
        return true;
    return matches_name(world, hook, call->tool) ||
           (call->row && matches_name(world, hook, call->row->name));
}

static bool is_wanted(const struct hook_question *q, const struct hook *h)
{
    if (h->event != q->event || (h->foreign && q->own_only))
        return false;
    if (h->foreign && q->book->client_hooks_off && h->source != SOURCE_MANAGED)
        return false;
    return hook_matches(q->world, h, q->call);
}

static bool is_same(const struct hook *x, const struct hook *y)
{
    bool same = str_eq(x->command, y->command) && x->args.count == y->args.count &&
                x->observes == y->observes && x->conditional == y->conditional;

    for (size_t i = 0; same && i < x->args.count; i++)
        same = str_eq(x->args.items[i], y->args.items[i]);
    return same;
}

/* The same program written into two files is asked once. */
static bool is_listed(const struct hook_panel *p, const struct hook *h)
{
    for (size_t i = 0; i < p->count; i++)
        if (is_same(p->jobs[i].hook, h))
            return true;
    return false;
}

static char *copy(struct arena *a, struct str s)
{
    return arena_copy(a, s.s, s.len);
}

static char **make_argv(struct arena *a, const struct hook *h)
{
    char **argv = ARENA_ARRAY(a, char *, h->args.count + 4);
    size_t n = 0;

    if (h->args.count == 0) {
        argv[n++] = copy(a, STR("/bin/sh"));
        argv[n++] = copy(a, STR("-c"));
    }
    argv[n++] = copy(a, h->command);
    for (size_t i = 0; i < h->args.count; i++)
        argv[n++] = copy(a, h->args.items[i]);
    return argv;
}

static void find_jobs(struct hook_panel *p)
{
    const struct hooks *hooks = &p->question->book->hooks;

    p->jobs = ARENA_ARRAY(p->arena, struct hook_job, HOOKS_MAX);
    for (size_t i = 0; i < hooks->count; i++) {
        const struct hook *h = &hooks->items[i];
        if (!is_wanted(p->question, h) || is_listed(p, h))
            continue;
        if (p->count == HOOKS_MAX) {
            p->refused = "too many hooks match this call";
            return;
        }
        p->jobs[p->count++] = (struct hook_job){.hook = h, .argv = make_argv(p->arena, h)};
    }
}

/* ---- the call as JSON ---- */

/* "Bash(npm test:*)" as {"toolName": "Bash", "ruleContent": "npm test:*"}. */
static void suggestion(struct json_writer *w, struct str rule)
{
    struct str tool, content;
    bool has_content = str_cut(rule, '(', &tool, &content) && str_ends(content, STR(")"));

    json_begin_object(w);
    json_text_member(w, "toolName", has_content ? tool : rule);
    if (has_content)
        json_text_member(w, "ruleContent", str_slice(content, 0, content.len - 1));
    json_end_object(w);
}

static void suggestions(struct json_writer *w, const struct strs *rules)
{
    json_key(w, "permission_suggestions");
    json_begin_array(w);
    if (rules->count) {
        json_begin_object(w);
        json_text_member(w, "type", STR("addRules"));
        json_key(w, "rules");
        json_begin_array(w);
        for (size_t i = 0; i < rules->count; i++)
            suggestion(w, rules->items[i]);
        json_end_array(w);
        json_text_member(w, "behavior", STR("allow"));
        json_text_member(w, "destination", STR("localSettings"));
        json_end_object(w);
    }
    json_end_array(w);
}

/* Known tools get the name that hooks expect. */
static struct str tool_name(const struct call *c)
{
    return c->row && c->kind != TOOL_MCP ? c->row->name : c->tool;
}

static struct str call_text(struct arena *a, const struct hook_question *q)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);
    bool request = q->event != HOOK_PRE_TOOL_USE;

    json_begin_object(&w);
    json_text_member(&w, "session_id", q->call->session);
    json_text_member(&w, "transcript_path",
                     STR("")); /* hooks expect the key; only the client knows the path */
    json_text_member(&w, "cwd", q->call->cwd);
    json_text_member(&w, "permission_mode", str_from(mode_name(q->verdict->mode)));
    json_text_member(&w, "hook_event_name", str_from(hook_event_name(q->event)));
    json_text_member(&w, "tool_name", tool_name(q->call));
    json_key(&w, "tool_input");
    json_any(&w, q->call->input);
    if (q->event == HOOK_CLASSIFIER)
        json_text_member(&w, "reason", q->verdict->reason);
    if (request)
        suggestions(&w, &q->verdict->suggestions);
    else
        json_text_member(&w, "tool_use_id", q->call->tool_use_id);
    json_end_object(&w);
    buf_byte(&b, '\n');
    return buf_str(&b);
}

/* ---- the environment ---- */

#define DEPTH_VARIABLE "WARDER_HOOK_DEPTH"

static unsigned depth(void)
{
    const char *s = getenv(DEPTH_VARIABLE);

    if (!s || !s[0])
        return 0;
    return ascii_is_digit(s[0]) && !s[1] ? (unsigned)(s[0] - '0') : HOOK_DEPTH_MAX;
}

static bool sets_same(const char *x, const char *y)
{
    size_t len = strcspn(x, "=");

    return strncmp(x, y, len + 1) == 0;
}

static char **make_environment(struct arena *a, const struct hook_panel *p)
{
    const struct call *c = p->question->call;
    char *own[] = {
        copy(a, str_format(a, "CLAUDE_PROJECT_DIR=%.*s", STR_ARG(c->project))),
        copy(a, str_format(a, "CLAUDE_CODE_SESSION_ID=%.*s", STR_ARG(c->session))),
        copy(a, str_format(a, "PWD=%s", p->directory)),
        copy(a, str_format(a, DEPTH_VARIABLE "=%u", depth() + 1)),
    };
    size_t count = 0, n = 0;

    while (environ && environ[count])
        count++;
    char **out = ARENA_ARRAY(a, char *, count + COUNT(own) + 1);
    for (size_t i = 0; i < count; i++) {
        bool replaced = false;
        for (size_t k = 0; k < COUNT(own); k++)
            replaced |= sets_same(own[k], environ[i]);
        if (!replaced)
            out[n++] = environ[i];
    }
    for (size_t k = 0; k < COUNT(own); k++)
        out[n++] = own[k];
    return out;
}

static void fill_panel(void *arg)
{
    struct hook_panel *p = arg;

    find_jobs(p);
    if (p->count == 0 || p->refused)
        return;
    if (depth() >= HOOK_DEPTH_MAX) {
        p->refused = "hooks start hooks too deeply";
        return;
    }
    /* Not the agent's directory: what a relative command finds must not depend on where the agent
     * went. */
    p->directory = copy(p->arena, p->question->call->project);
    p->input = call_text(p->arena, p->question);
    p->environment = make_environment(p->arena, p);
}

bool hooks_prepare(struct arena *a, const struct hook_question *q, struct hook_panel *out)
{
    *out = (struct hook_panel){.arena = a, .question = q};
    return arena_try(a, fill_panel, out);
}
