/* acp_proxy.c - `warder acp proxy -- AGENT`: sits between an editor and an agent that uses the
 * Agent Client Protocol, and answers the permission questions that need no person.
 *
 * The agent asks its client with session/request_permission. What is allowed or
 * denied is answered here, each time for this call alone; an ask is passed on to
 * the editor, where the person is. So is a question that does not say what will
 * run. */
#include <pthread.h>
#include <unistd.h>

#include "base/list.h"
#include "cli/between.h"
#include "cli/engine.h"
#include "cli/output.h"

#define SESSIONS_MAX 256
#define KNOWN_MAX    ((size_t)4 * 1024 * 1024)

/* Where a session works: the editor says so when it opens it, and the agent names it in its answer.
 */
struct known {
    struct str key; /* the request's id as JSON; then the session's name */
    struct str cwd;
    bool open; /* the agent has answered */
};
struct knowns LIST_OF(struct known);

static struct {
    warder_engine *engine;
    pthread_mutex_t known; /* guards what follows */
    struct arena arena;
    struct knowns sessions;
} proxy = {.known = PTHREAD_MUTEX_INITIALIZER};

/* ---- sessions ---- */

static struct known *find(struct str key, bool open)
{
    for (size_t i = proxy.sessions.count; i-- > 0;)
        if (proxy.sessions.items[i].open == open && str_eq(proxy.sessions.items[i].key, key))
            return &proxy.sessions.items[i];
    return NULL;
}

struct session_note {
    struct str key, cwd;
    bool open;
};

/* Beyond the limit a session is not known, and its questions go to the editor. */
static void note(void *arg)
{
    const struct session_note *n = arg;
    struct known k = {str_copy(&proxy.arena, n->key), str_copy(&proxy.arena, n->cwd), n->open};

    if (proxy.sessions.count < SESSIONS_MAX)
        LIST_PUSH(&proxy.arena, &proxy.sessions, k);
}

static void note_session(struct str key, struct str cwd, bool open)
{
    struct session_note n = {key, cwd, open};

    pthread_mutex_lock(&proxy.known);
    if (!arena_try(&proxy.arena, note, &n))
        complain("no memory for another session: its questions go to the editor");
    pthread_mutex_unlock(&proxy.known);
}

static void hear_session(struct arena *a, const struct rpc_message *m)
{
    struct str name = value_text(value_get(&m->value, "result"), "sessionId"),
               key = between_json(a, m->id), cwd = {0};

    pthread_mutex_lock(&proxy.known);
    struct known *k = find(key, false);
    if (k) {
        cwd = k->cwd;
        k->key = (struct str){0}; /* an id is used once */
    }
    pthread_mutex_unlock(&proxy.known);
    if (cwd.len && name.len)
        note_session(name, cwd, true);
}

static struct str cwd_of(struct arena *a, struct str session)
{
    struct str cwd = {0};

    pthread_mutex_lock(&proxy.known);
    const struct known *k = find(session, true);
    if (k)
        cwd = str_copy(a, k->cwd);
    pthread_mutex_unlock(&proxy.known);
    return cwd;
}

/* ---- what the question is about ---- */

static bool is_text(const struct value *v)
{
    return v && v->kind == VALUE_STRING && v->text.len > 0;
}

/* By the kind that the agent gives the call, and what its input holds. The first row that fits. */
static const struct {
    const char *kind, *field, *tool;
} meanings[] = {
    {"execute", "command", "Bash"}, {"edit", "file_path", "Edit"}, {"delete", "file_path", "Write"},
    {"read", "file_path", "Read"},  {"fetch", "url", "WebFetch"},
};

static const char *tool_of(const struct value *call, const struct value *input)
{
    struct str kind = value_text(call, "kind");

    for (size_t i = 0; input && input->kind == VALUE_OBJECT && i < COUNT(meanings); i++)
        if (str_is(kind, meanings[i].kind) && is_text(value_get(input, meanings[i].field)))
            return meanings[i].tool;
    return NULL;
}

/* ---- answering ---- */

static struct str option_of(const struct value *options, const char *kind)
{
    for (size_t i = 0; options && options->kind == VALUE_ARRAY && i < options->count; i++)
        if (str_is(value_text(&options->items[i], "kind"), kind))
            return value_text(&options->items[i], "optionId");
    return (struct str){0};
}

/* An agent that offers no such option is told that the question was cancelled, which is no
 * approval. */
static void answer(struct arena *a, const struct rpc_message *m, bool allowed)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);
    struct str option =
        option_of(value_get(m->params, "options"), allowed ? "allow_once" : "reject_once");

    json_begin_object(&w);
    json_key(&w, "outcome");
    json_begin_object(&w);
    json_key(&w, "outcome");
    json_text(&w, option.len ? STR("selected") : STR("cancelled"));
    if (option.len) {
        json_key(&w, "optionId");
        json_text(&w, option);
    }
    json_end_object(&w);
    json_end_object(&w);
    between_to_server(rpc_result(a, m->id, buf_str(&b)));
}

static void judge(struct arena *a, struct rpc_message *m, struct str line)
{
    const struct value *call = value_get(m->params, "toolCall"),
                       *input = value_get(call, "rawInput");
    struct str session = value_text(m->params, "sessionId"), cwd = cwd_of(a, session);
    const char *tool = tool_of(call, input);
    struct rpc_call question = {
        .tool = str_from(tool), .input = input, .client = "acp", .session = session, .cwd = cwd};
    warder_decision *d;
    bool asks = true;

    (void)line;
    if (tool && cwd.len) {
        d = rpc_judge(a, proxy.engine, &question, false);
        asks = warder_decision_behavior(d) == WARDER_ASK ||
               (warder_decision_behavior(d) == WARDER_ALLOW && warder_decision_updated_input(d));
        if (!asks)
            answer(a, m, warder_decision_behavior(d) == WARDER_ALLOW);
        warder_decision_free(d);
    }
    if (asks)
        between_pass_to_client(a, m);
}

static void from_server(struct arena *a, struct rpc_message *m, struct str line)
{
    if (str_is(m->method, "session/request_permission") && m->id) {
        if (!between_later(line, judge))
            between_pass_to_client(a, m);
        return;
    }
    if (m->method.len == 0 && m->id)
        hear_session(a, m);
    between_to_client(str_join(a, line, STR("\n")));
}

static void from_client(struct arena *a, struct rpc_message *m, struct str line)
{
    struct str cwd = value_text(m->params, "cwd");

    (void)line;
    if (str_is(m->method, "session/new") && m->id && cwd.len)
        note_session(between_json(a, m->id), cwd, false);
    else if (str_is(m->method, "session/load") && cwd.len)
        note_session(value_text(m->params, "sessionId"), cwd, true);
    between_pass_to_server(a, m);
}

static int acp_proxy_run(struct cli *cli)
{
    static const struct between how = {"agent", from_client, from_server};
    int code;

    if (cli->args.operands.count == 0) {
        complain("which agent? Write its command after --");
        return usage_error(cli->command);
    }
    arena_init(&proxy.arena, KNOWN_MAX);
    if ((code = engine_open(cli, &proxy.engine)) == 0)
        code = between_run(cli, &how);
    warder_engine_free(proxy.engine);
    return code;
}

const struct command command_acp_proxy = {
    .name = "acp proxy",
    .operands = "-- AGENT [ARG...]",
    .summary = "run between an editor and an ACP agent, and answer its permission requests",
    .operands_max = BETWEEN_WORDS_MAX,
    .tables = {POLICY_OPTIONS, common_options},
    .run = acp_proxy_run,
    .exits = "the agent's own",
    .more = "What is allowed or denied is answered at once, for this call only; what a person "
            "should decide goes on to the editor, and so does a question that does not say what "
            "will run.",
    .records = true,
};
