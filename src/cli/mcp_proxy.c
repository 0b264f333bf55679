/* mcp_proxy.c - `warder mcp proxy -- SERVER`: stands between an MCP client and its server, and judges each tools/call.
 *
 * What goes to the server is written anew from what was read: two programs that
 * see different lines or different keys in the same bytes would be a way past
 * the judgement. What comes back is passed on as it is. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/list.h"
#include "base/path.h"
#include "cli/engine.h"
#include "cli/lines.h"
#include "cli/output.h"
#include "cli/rpc.h"

#define PENDING_MAX   64   /* calls that wait for their verdict at the same time; one more is denied */
#define TOOLS_MAX     4096 /* whose annotations are remembered */
#define LISTS_MAX     64   /* tools/list requests that the server has not answered yet */
#define MERCY_MS      3000 /* between closing the server's input, SIGTERM and SIGKILL */
#define ANNOTATED_MAX ((size_t)16 * 1024 * 1024)

extern char **environ;

/* What the server says of a tool. */
struct annotated {
    struct str tool;
    bool read_only, destructive, says_destructive;
};
struct annotateds LIST_OF(struct annotated);

struct proxy {
    warder_engine *engine;
    struct str server; /* the name in mcp__SERVER__TOOL */
    struct str session;
    pid_t child;
    int to_server, from_server;

    pthread_mutex_t output; /* a line to the client is written whole */
    pthread_mutex_t input;  /* ... and one to the server */
    pthread_mutex_t known;  /* guards what follows */
    struct arena arena;
    struct annotateds tools;
    struct str lists[LISTS_MAX]; /* ids of tools/list requests, as JSON */
    size_t list_count;
    size_t pending;
};

static struct proxy proxy;

static void to_client(struct str line)
{
    pthread_mutex_lock(&proxy.output);
    bool written = rpc_write(STDOUT_FILENO, line);
    pthread_mutex_unlock(&proxy.output);
    if (!written)
        _exit(EX_IOERR); /* nobody is there: the server's input closes with us */
}

static void to_server(struct str line)
{
    pthread_mutex_lock(&proxy.input);
    if (!rpc_write(proxy.to_server, line))
        complain("the server takes no more input");
    pthread_mutex_unlock(&proxy.input);
}

/* ---- what the server says of its tools ---- */

static struct str json_of(struct arena *a, const struct value *v)
{
    struct buf b = buf_in(a);

    json_value(&b, v);
    return buf_str(&b);
}

/* Below `known`. */
static bool take_list_id(struct str id)
{
    for (size_t i = 0; i < proxy.list_count; i++)
        if (str_eq(proxy.lists[i], id)) {
            proxy.lists[i] = proxy.lists[--proxy.list_count];
            return true;
        }
    return false;
}

struct keeping {
    const struct value *value;
    struct str text;
};

static void keep_id(void *arg)
{
    struct keeping *k = arg;

    k->text = json_of(&proxy.arena, k->value);
}

/* Beyond the limits nothing is remembered: a tool without annotations is judged as one that says nothing. */
static void expect_list(const struct value *id)
{
    struct keeping k = {.value = id};

    pthread_mutex_lock(&proxy.known);
    if (proxy.list_count < LISTS_MAX && arena_try(&proxy.arena, keep_id, &k))
        proxy.lists[proxy.list_count++] = k.text;
    pthread_mutex_unlock(&proxy.known);
}

static struct annotated *find_tool(struct str name)
{
    for (size_t i = 0; i < proxy.tools.count; i++)
        if (str_eq(proxy.tools.items[i].tool, name))
            return &proxy.tools.items[i];
    return NULL;
}

static bool hint(const struct value *annotations, const char *key, bool *given)
{
    const struct value *v = value_get(annotations, key);

    *given = v && v->kind == VALUE_BOOL;
    return *given && v->boolean;
}

static void keep_tool(void *arg)
{
    const struct keeping *k = arg;
    const struct value *annotations = value_get(k->value, "annotations");
    struct str name = value_text(k->value, "name");
    struct annotated *tool = find_tool(name);
    bool given;

    if (!tool && proxy.tools.count < TOOLS_MAX) {
        LIST_PUSH(&proxy.arena, &proxy.tools, (struct annotated){.tool = str_copy(&proxy.arena, name)});
        tool = &proxy.tools.items[proxy.tools.count - 1];
    }
    if (!tool)
        return;
    tool->read_only = hint(annotations, "readOnlyHint", &given);
    tool->destructive = hint(annotations, "destructiveHint", &tool->says_destructive);
}

static void hear_tools(struct arena *a, const struct rpc_message *m)
{
    const struct value *tools = value_get(value_get(&m->value, "result"), "tools");

    pthread_mutex_lock(&proxy.known);
    bool mine = m->id && take_list_id(json_of(a, m->id));
    for (size_t i = 0; mine && tools && tools->kind == VALUE_ARRAY && i < tools->count; i++) {
        struct keeping k = {.value = &tools->items[i]};
        if (!arena_try(&proxy.arena, keep_tool, &k))
            break;
    }
    pthread_mutex_unlock(&proxy.known);
}

/* ---- judging ---- */

static struct str annotations_of(struct arena *a, struct str name)
{
    struct str text = {0};

    pthread_mutex_lock(&proxy.known);
    const struct annotated *t = find_tool(name);
    if (t) {
        text = str_format(a, "{\"readOnly\":%s%s}", t->read_only ? "true" : "false",
                          !t->says_destructive ? ""
                          : t->destructive     ? ",\"destructive\":true"
                                               : ",\"destructive\":false");
    }
    pthread_mutex_unlock(&proxy.known);
    return text;
}

/* One tools/call, on a thread of its own: a person may be asked, and the client goes on talking meanwhile. */
struct job {
    struct arena arena;
    char *line;
    size_t len;
};

static struct str refusal(struct arena *a, const struct rpc_message *m, const warder_decision *d)
{
    const char *message = d ? warder_decision_message(d) : NULL;
    struct str text = message && message[0] ? str_from(message) : STR("the call could not be judged");

    return rpc_result(a, m->id, rpc_tool_text(a, text, true));
}

static struct value *member_of(struct value *object, const char *key)
{
    for (size_t i = 0; object && object->kind == VALUE_OBJECT && i < object->count; i++)
        if (str_is(object->members[i].key, key))
            return &object->members[i].value;
    return NULL;
}

/* The message with the input that shall run; empty when it has no place for that. */
static struct str rewritten(struct arena *a, struct rpc_message *m, const char *input)
{
    struct value *arguments = member_of(member_of(&m->value, "params"), "arguments");

    if (input && (!arguments || json_read(a, str_from(input), NULL, arguments, NULL) != STATUS_OK))
        return (struct str){0};
    return str_join(a, json_of(a, &m->value), STR("\n"));
}

static void pass_or_refuse(struct arena *a, struct rpc_message *m, warder_decision *d)
{
    struct str line = {0};

    if (warder_decision_behavior(d) == WARDER_ALLOW)
        line = rewritten(a, m, warder_decision_updated_input(d));
    if (line.len)
        to_server(line);
    else if (m->id)
        to_client(refusal(a, m, d));
}

static void judge(void *arg)
{
    struct job *job = arg;
    struct arena *a = &job->arena;
    struct rpc_message m;
    struct value *annotations = ARENA_NEW(a, struct value);
    const char *why;
    int code;

    if (!rpc_read(a, (struct str){job->line, job->len}, &m, &code, &why))
        return; /* it was read before */
    struct str name = value_text(m.params, "name"), hints = annotations_of(a, name);
    const struct value *input = value_get(m.params, "arguments");
    struct rpc_call call = {
        .tool = str_format(a, "mcp__%.*s__%.*s", STR_ARG(proxy.server), STR_ARG(name)),
        .input = input,
        .client = "mcp-proxy",
        .session = proxy.session,
    };
    if (name.len == 0 || memchr(name.s, '\0', name.len) || (input && input->kind != VALUE_OBJECT)) {
        if (m.id)
            to_client(rpc_error(a, m.id, RPC_INVALID_PARAMS, "a call names a tool and has an object of arguments"));
        return;
    }
    if (hints.len && json_read(a, hints, NULL, annotations, NULL) == STATUS_OK)
        call.annotations = annotations;
    warder_decision *d = rpc_judge(a, proxy.engine, &call);
    pass_or_refuse(a, &m, d);
    warder_decision_free(d);
}

static void *run_job(void *arg)
{
    struct job *job = arg;

    if (!arena_try(&job->arena, judge, job)) {
        complain("no memory to judge a call");
        _exit(EX_OSERR);
    }
    arena_release(&job->arena);
    free(job->line);
    free(job);
    pthread_mutex_lock(&proxy.known);
    proxy.pending--;
    pthread_mutex_unlock(&proxy.known);
    return NULL;
}

static bool take_place(void)
{
    pthread_mutex_lock(&proxy.known);
    bool free_place = proxy.pending < PENDING_MAX;
    proxy.pending += free_place;
    pthread_mutex_unlock(&proxy.known);
    return free_place;
}

static struct job *job_new(struct str line)
{
    struct job *job = calloc(1, sizeof(*job));

    if (!job || !(job->line = malloc(line.len + 1))) {
        free(job);
        return NULL;
    }
    memcpy(job->line, line.s, line.len);
    job->len = line.len;
    arena_init(&job->arena, RPC_MEMORY_MAX);
    return job;
}

static bool start_job(struct str line)
{
    struct job *job = take_place() ? job_new(line) : NULL;
    pthread_t thread;

    if (job && pthread_create(&thread, NULL, run_job, job) == 0)
        return pthread_detach(thread) == 0;
    if (job) {
        arena_release(&job->arena);
        free(job->line);
        free(job);
    }
    return false;
}

/* ---- the two directions ---- */

struct passing {
    struct arena *arena;
    struct str line;
};

static void pass_to_server(void *arg)
{
    const struct passing *p = arg;
    struct rpc_message m;
    const char *why;
    int code;

    if (!rpc_read(p->arena, p->line, &m, &code, &why)) {
        to_client(rpc_error(p->arena, NULL, code, why));
        return;
    }
    if (str_is(m.method, "tools/call")) {
        if (!start_job(p->line) && m.id)
            to_client(rpc_result(p->arena, m.id, rpc_tool_text(p->arena, STR("too many calls wait already"), true)));
        return;
    }
    if (str_is(m.method, "tools/list") && m.id)
        expect_list(m.id);
    to_server(str_join(p->arena, json_of(p->arena, &m.value), STR("\n")));
}

static void pass_to_client(void *arg)
{
    const struct passing *p = arg;
    struct rpc_message m;
    const char *why;
    int code;

    if (rpc_read(p->arena, p->line, &m, &code, &why) && m.method.len == 0)
        hear_tools(p->arena, &m);
    to_client(str_join(p->arena, p->line, STR("\n")));
}

static bool pass_all(int fd, void (*pass)(void *))
{
    struct arena arena;
    struct passing p = {.arena = &arena};
    struct lines lines;
    enum lines_answer next;
    bool fits = true;

    arena_init(&arena, RPC_MEMORY_MAX);
    lines_init(&lines, fd, (size_t)JSON_MAX_BYTES);
    while (fits && (next = lines_next(&lines, &p.line)) == LINES_LINE) {
        fits = arena_try(&arena, pass, &p);
        arena_reset(&arena);
    }
    lines_release(&lines);
    arena_release(&arena);
    return fits;
}

/* ---- the server ---- */

static int wait_for_server(void)
{
    int status;

    while (waitpid(proxy.child, &status, 0) < 0)
        if (errno != EINTR)
            return EX_OSERR;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* When the server has no more to say, there is nothing left to stand between. */
static void *listen_to_server(void *unused)
{
    (void)unused;
    if (!pass_all(proxy.from_server, pass_to_client)) {
        complain("no memory for what the server says");
        kill(proxy.child, SIGTERM);
    }
    _exit(wait_for_server());
    return NULL;
}

static void hand_on(int number)
{
    kill(proxy.child, number);
    _exit(128 + number);
}

static bool open_pipes(int in[2], int out[2])
{
    return pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0;
}

static int start_server(struct cli *cli)
{
    const struct texts *operands = &cli->args.operands;
    char **argv = ARENA_ARRAY(cli->arena, char *, operands->count + 1);
    posix_spawn_file_actions_t actions;
    int in[2], out[2], failed;

    for (size_t i = 0; i < operands->count; i++)
        argv[i] = arena_copy(cli->arena, operands->items[i], strlen(operands->items[i]));
    if (!open_pipes(in, out) || posix_spawn_file_actions_init(&actions) != 0) {
        complain("cannot start the server: %s", strerror(errno));
        return EX_OSERR;
    }
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    failed = posix_spawnp(&proxy.child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    proxy.to_server = in[1];
    proxy.from_server = out[0];
    if (failed) {
        complain("cannot start %s: %s", argv[0], strerror(failed));
        return EX_UNAVAILABLE;
    }
    return 0;
}

static bool is_waiting(void)
{
    pthread_mutex_lock(&proxy.known);
    bool waiting = proxy.pending > 0;
    pthread_mutex_unlock(&proxy.known);
    return waiting;
}

/* The client has gone. What it asked for last is still answered by the server; then that one ends by itself, or is
 * ended. The other thread leaves as soon as the server has. */
static void wind_up(void)
{
    while (is_waiting())
        poll(NULL, 0, 10);
    close(proxy.to_server);
    poll(NULL, 0, MERCY_MS);
    kill(proxy.child, SIGTERM);
    poll(NULL, 0, MERCY_MS);
    kill(proxy.child, SIGKILL);
}

static int stand_between(struct cli *cli)
{
    static const int handed_on[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    pthread_t listener;
    int code = start_server(cli);

    if (code)
        return code;
    for (size_t i = 0; i < COUNT(handed_on); i++)
        signal(handed_on[i], hand_on);
    if (pthread_create(&listener, NULL, listen_to_server, NULL) != 0) {
        kill(proxy.child, SIGTERM);
        complain("cannot start a thread");
        return EX_OSERR;
    }
    if (!pass_all(STDIN_FILENO, pass_to_server)) {
        complain("no memory for what the client says");
        kill(proxy.child, SIGTERM);
        return EX_OSERR;
    }
    wind_up();
    pthread_join(listener, NULL);
    return 0;
}

/* mcp__SERVER__TOOL must have one reading only. */
static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_letter(s.s[i]) && !ascii_is_digit(s.s[i]) && s.s[i] != '-' && s.s[i] != '_')
            return false;
    return s.len > 0 && !str_contains(s, STR("__"));
}

int mcp_proxy_run(struct cli *cli)
{
    int code;

    if (cli->args.operands.count == 0) {
        complain("which server? write its command behind --");
        return usage_error(cli->command);
    }
    proxy.server = cli->args.name ? str_from(cli->args.name) : path_base(str_from(cli->args.operands.items[0]));
    if (!is_name(proxy.server)) {
        complain("the server needs a name of letters, digits, - and _: give one with --name");
        return usage_error(cli->command);
    }
    pthread_mutex_init(&proxy.output, NULL);
    pthread_mutex_init(&proxy.input, NULL);
    pthread_mutex_init(&proxy.known, NULL);
    arena_init(&proxy.arena, ANNOTATED_MAX);
    proxy.session = str_format(cli->arena, "mcp-proxy-%ld", (long)getpid());
    if ((code = engine_open(cli, &proxy.engine)) == 0)
        code = stand_between(cli);
    warder_engine_free(proxy.engine);
    return code;
}
