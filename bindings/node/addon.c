/* addon.c - libwarder for Node, as an N-API module. index.js makes classes of it; nobody else loads
 * it.
 *
 * Everything that comes from JavaScript is text or a number, and goes on as JSON: what is judged is
 * what index.js gives back, not an object that could change meanwhile. */
#define NAPI_VERSION 8
#include <errno.h>
#include <node_api.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <warder.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- values ---- */

static napi_value throw_warder(napi_env env, const warder_error *err)
{
    const struct {
        const char *name;
        uint32_t number;
    } numbers[] = {{"status", (uint32_t)err->status}, {"line", err->line}, {"column", err->column}};
    napi_value message, error, value;

    if (napi_create_string_utf8(env, err->message, NAPI_AUTO_LENGTH, &message) != napi_ok ||
        napi_create_error(env, NULL, message, &error) != napi_ok)
        return NULL;
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (napi_create_uint32(env, numbers[i].number, &value) == napi_ok)
            napi_set_named_property(env, error, numbers[i].name, value);
    napi_throw(env, error);
    return NULL;
}

static napi_value throw_usage(napi_env env, const char *what)
{
    warder_error err = {.status = WARDER_EUSAGE};

    snprintf(err.message, sizeof(err.message), "%s", what);
    return throw_warder(env, &err);
}

/* malloc'ed; NULL when it is no string, or holds a NUL where the library takes none. */
static char *copy_text(napi_env env, napi_value value, size_t *len)
{
    size_t bytes;

    if (napi_get_value_string_utf8(env, value, NULL, 0, &bytes) != napi_ok)
        return NULL;
    char *text = malloc(bytes + 1);
    if (text && napi_get_value_string_utf8(env, value, text, bytes + 1, &bytes) == napi_ok &&
        (len || !memchr(text, '\0', bytes))) {
        if (len)
            *len = bytes;
        return text;
    }
    free(text);
    return NULL;
}

static napi_value text_or_null(napi_env env, const char *text)
{
    napi_value value = NULL;

    if (text)
        napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value);
    else
        napi_get_null(env, &value);
    return value;
}

/* ---- objects of the library ----
 *
 * JavaScript holds one, and so does each thread that works with it: a process that ends, or a
 * garbage collector, takes nothing away from them. */
struct box {
    atomic_size_t holders;
    void *object;
    void (*release)(void *object);
};

static void free_engine(void *object)
{
    warder_engine_free(object);
}

static void free_decision(void *object)
{
    warder_decision_free(object);
}

static void box_drop(struct box *b)
{
    if (!b || atomic_fetch_sub(&b->holders, 1) > 1)
        return;
    b->release(b->object);
    free(b);
}

static void finalize_box(napi_env env, void *data, void *hint)
{
    (void)env;
    (void)hint;
    box_drop(data);
}

/* Takes the object in every case. */
static napi_value box_up(napi_env env, void *object, void (*release)(void *))
{
    struct box *b = malloc(sizeof(*b));
    napi_value external;

    if (!b) {
        release(object);
        return throw_usage(env, "out of memory");
    }
    *b = (struct box){.object = object, .release = release};
    atomic_init(&b->holders, 1);
    if (napi_create_external(env, b, finalize_box, NULL, &external) == napi_ok)
        return external;
    box_drop(b);
    return throw_usage(env, "out of memory");
}

static struct box *unbox(napi_env env, napi_value value, void (*release)(void *))
{
    napi_valuetype type;
    void *data = NULL;

    if (napi_typeof(env, value, &type) != napi_ok || type != napi_external ||
        napi_get_value_external(env, value, &data) != napi_ok)
        return NULL;
    struct box *b = data;
    return b && b->release == release ? b : NULL;
}

#define ARGUMENTS_MAX 6

/* Arguments that were not given are undefined. */
static void take_arguments(napi_env env, napi_callback_info info, napi_value out[ARGUMENTS_MAX])
{
    size_t count = ARGUMENTS_MAX;

    napi_get_cb_info(env, info, &count, out, NULL, NULL);
}

/* ---- options ---- */

/* What the options point to, until the engine has copied it. */
struct kept {
    char **texts;
    size_t count, room;
    const char **policies;
    warder_rule *rules;
    warder_text *memory;
    bool failed;
};

static const char *keep(struct kept *k, char *text)
{
    if (text && k->count == k->room) {
        size_t room = k->room ? 2 * k->room : 32;
        char **texts = realloc(k->texts, room * sizeof(*texts));
        if (!texts) {
            free(text);
            text = NULL;
        } else {
            k->texts = texts;
            k->room = room;
        }
    }
    if (text)
        k->texts[k->count++] = text;
    else
        k->failed = true;
    return text;
}

static void kept_release(struct kept *k)
{
    for (size_t i = 0; i < k->count; i++)
        free(k->texts[i]);
    free(k->texts);
    free(k->policies);
    free(k->rules);
    free(k->memory);
}

/* False when the member is undefined or null. */
static bool member(napi_env env, napi_value object, const char *name, napi_value *out)
{
    napi_valuetype type;

    return napi_get_named_property(env, object, name, out) == napi_ok &&
           napi_typeof(env, *out, &type) == napi_ok && type != napi_undefined && type != napi_null;
}

static const char *text_member(napi_env env, struct kept *k, napi_value object, const char *name,
                               size_t *len)
{
    napi_value value;

    return member(env, object, name, &value) ? keep(k, copy_text(env, value, len)) : NULL;
}

static uint32_t number_member(napi_env env, struct kept *k, napi_value object, const char *name)
{
    napi_value value;
    uint32_t number = 0;

    if (member(env, object, name, &value) && napi_get_value_uint32(env, value, &number) != napi_ok)
        k->failed = true;
    return number;
}

/* The length of a list; 0 when there is none. `*items` has as many zeroed elements of `size`. */
static size_t list_member(napi_env env, struct kept *k, napi_value object, const char *name,
                          napi_value *list, size_t size, void **items)
{
    uint32_t count = 0;

    if (!member(env, object, name, list))
        return 0;
    if (napi_get_array_length(env, *list, &count) != napi_ok ||
        !(*items = calloc(count ? count : 1, size)))
        k->failed = true;
    return k->failed ? 0 : count;
}

static napi_value item(napi_env env, napi_value list, size_t i)
{
    napi_value value = NULL;

    napi_get_element(env, list, (uint32_t)i, &value);
    return value;
}

static void read_lists(napi_env env, struct kept *k, napi_value given, warder_options *o)
{
    napi_value list;
    void *items = NULL;

    o->policy_count = list_member(env, k, given, "policies", &list, sizeof(*k->policies), &items);
    k->policies = items;
    for (size_t i = 0; i < o->policy_count; i++)
        k->policies[i] = keep(k, copy_text(env, item(env, list, i), NULL));
    items = NULL;
    o->rule_count = list_member(env, k, given, "rules", &list, sizeof(*k->rules), &items);
    k->rules = items;
    for (size_t i = 0; i < o->rule_count; i++) {
        k->rules[i].behavior =
            (warder_behavior)number_member(env, k, item(env, list, i), "behavior");
        k->rules[i].text = text_member(env, k, item(env, list, i), "rule", NULL);
        k->failed = k->failed || !k->rules[i].text;
    }
    items = NULL;
    o->text_count = list_member(env, k, given, "texts", &list, sizeof(*k->memory), &items);
    k->memory = items;
    for (size_t i = 0; i < o->text_count; i++) {
        k->memory[i].name = text_member(env, k, item(env, list, i), "name", NULL);
        k->memory[i].format = text_member(env, k, item(env, list, i), "format", NULL);
        k->memory[i].text = text_member(env, k, item(env, list, i), "text", &k->memory[i].len);
        k->failed = k->failed || !k->memory[i].text;
    }
    o->policies = k->policies;
    o->rules = k->rules;
    o->texts = k->memory;
}

static void read_options(napi_env env, struct kept *k, napi_value given, warder_options *o)
{
    const struct {
        const char *name, **to;
    } texts[] = {{"profile", &o->profile}, {"mode", &o->mode},       {"cwd", &o->cwd},
                 {"home", &o->home},       {"project", &o->project}, {"planFile", &o->plan_file},
                 {"data", &o->data},       {"session", &o->session}, {"client", &o->client}};

    for (size_t i = 0; i < COUNT(texts); i++)
        *texts[i].to = text_member(env, k, given, texts[i].name, NULL);
    o->headless = number_member(env, k, given, "headless") != 0;
    o->auto_allow = number_member(env, k, given, "autoAllow") != 0;
    o->record = number_member(env, k, given, "record") != 0;
    o->sync = number_member(env, k, given, "sync") != 0;
    o->retention_days = number_member(env, k, given, "retentionDays");
    o->sessions_in_memory = number_member(env, k, given, "sessionsInMemory") != 0;
    o->pausable = number_member(env, k, given, "pausable") != 0;
    read_lists(env, k, given, o);
}

static napi_value open_engine(napi_env env, napi_callback_info info)
{
    warder_options options = WARDER_OPTIONS_INIT;
    napi_value argv[ARGUMENTS_MAX];
    struct kept k = {0};
    warder_engine *engine = NULL;
    warder_error err = {.status = WARDER_EUSAGE, .message = "an option is not what it should be"};
    warder_status status = WARDER_EUSAGE;

    take_arguments(env, info, argv);
    read_options(env, &k, argv[0], &options);
    if (!k.failed)
        status = warder_engine_new(&options, &engine, &err);
    kept_release(&k);
    return status == WARDER_OK ? box_up(env, engine, free_engine) : throw_warder(env, &err);
}

/* ---- engines and decisions ---- */

static napi_value check(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX];
    warder_decision *decision = NULL;
    warder_error err = {0};
    size_t len = 0;

    take_arguments(env, info, argv);
    struct box *engine = unbox(env, argv[0], free_engine);
    char *json = copy_text(env, argv[1], &len);
    if (!engine || !json) {
        free(json);
        return throw_usage(env, "there is no engine, or no call");
    }
    warder_status status = warder_check_json(engine->object, json, len, &decision, &err);
    free(json);
    return status == WARDER_OK ? box_up(env, decision, free_decision) : throw_warder(env, &err);
}

static napi_value update(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX];
    warder_error err = {0};
    size_t len = 0;

    take_arguments(env, info, argv);
    struct box *engine = unbox(env, argv[0], free_engine);
    char *json = copy_text(env, argv[1], &len);
    if (!engine || !json) {
        free(json);
        return throw_usage(env, "there is no engine, or no update");
    }
    warder_status status = warder_engine_update(engine->object, json, len, &err);
    free(json);
    return status == WARDER_OK ? NULL : throw_warder(env, &err);
}

static napi_value reload(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX];
    warder_error err = {0};

    take_arguments(env, info, argv);
    struct box *engine = unbox(env, argv[0], free_engine);
    if (!engine)
        return throw_usage(env, "there is no engine");
    return warder_engine_reload(engine->object, &err) == WARDER_OK ? NULL : throw_warder(env, &err);
}

static napi_value end_session(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX];
    warder_error err = {0};
    warder_status status = WARDER_EUSAGE;

    take_arguments(env, info, argv);
    struct box *engine = unbox(env, argv[0], free_engine);
    char *client = copy_text(env, argv[1], NULL), *session = copy_text(env, argv[2], NULL);
    bool ok = engine && client && session;
    if (ok)
        status = warder_session_end(engine->object, client, session, &err);
    free(client);
    free(session);
    if (!ok)
        return throw_usage(env, "there is no engine, or no session");
    return status == WARDER_OK ? NULL : throw_warder(env, &err);
}

static napi_value generation(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX], value = NULL;

    take_arguments(env, info, argv);
    struct box *engine = unbox(env, argv[0], free_engine);
    if (!engine)
        return throw_usage(env, "there is no engine");
    napi_create_int64(env, (int64_t)warder_engine_generation(engine->object), &value);
    return value;
}

static const char *explain_text(warder_decision *d)
{
    return warder_decision_explain_text(d, 0);
}

static const char *explain_coloured(warder_decision *d)
{
    return warder_decision_explain_text(d, 1);
}

#define SAYS(name)                                                                                 \
    static const char *name(warder_decision *d)                                                    \
    {                                                                                              \
        return warder_decision_##name(d);                                                          \
    }
SAYS(id)
SAYS(name)
SAYS(layer)
SAYS(rule)
SAYS(reason)
SAYS(message)

static const char *interrupt(warder_decision *d)
{
    return warder_decision_interrupt(d) ? "" : NULL;
}

static const char *cancelled(warder_decision *d)
{
    return warder_decision_cancelled(d) ? "" : NULL;
}

/* What a decision says as text, or NULL; the number is index.js's. */
static const char *(*const says[])(warder_decision *) = {
    warder_decision_json,
    warder_decision_explain_json,
    explain_text,
    explain_coloured,
    warder_decision_updated_input,
    id,
    name,
    layer,
    rule,
    reason,
    message,
    interrupt,
    cancelled,
};

static napi_value say(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX];
    uint32_t which = COUNT(says);

    take_arguments(env, info, argv);
    struct box *decision = unbox(env, argv[0], free_decision);
    if (!decision || napi_get_value_uint32(env, argv[1], &which) != napi_ok || which >= COUNT(says))
        return throw_usage(env, "there is no decision");
    return text_or_null(env, says[which](decision->object));
}

static napi_value behavior(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX];

    take_arguments(env, info, argv);
    struct box *decision = unbox(env, argv[0], free_decision);
    if (!decision)
        return throw_usage(env, "there is no decision");
    return text_or_null(env, warder_behavior_name(warder_decision_behavior(decision->object)));
}

/* ---- answers ---- */

/* {behavior, message, updatedInput, interrupt, remember, by, who}, or {failed}: text. Its strings
 * are those of `k`. False: it is not an answer. */
static bool read_answer(napi_env env, struct kept *k, napi_value given, warder_answer *out)
{
    const char *failed = text_member(env, k, given, "failed", NULL);

    *out = (warder_answer)WARDER_ANSWER_INIT;
    out->given = failed ? -1 : 1;
    out->message = failed ? failed : text_member(env, k, given, "message", NULL);
    out->updated_input = text_member(env, k, given, "updatedInput", NULL);
    out->who = text_member(env, k, given, "who", NULL);
    out->behavior = (warder_behavior)number_member(env, k, given, "behavior");
    out->interrupt = number_member(env, k, given, "interrupt") != 0;
    out->remember = number_member(env, k, given, "remember") != 0;
    out->by = (warder_by)number_member(env, k, given, "by");
    return !k->failed;
}

static bool is_object(napi_env env, napi_value value)
{
    napi_valuetype type;

    return napi_typeof(env, value, &type) == napi_ok && type == napi_object;
}

/* ---- asking ----
 *
 * The library's functions may wait, so each has a thread of its own. The callback of
 * warder_resolve() puts the question to JavaScript's thread and waits for the answer, or until it
 * is no longer wanted. JavaScript may end meanwhile (a worker is terminated): from then on the
 * thread must not touch what it was given by N-API, and ends by itself. */

/* One question. The waiting thread holds it, and JavaScript as long as an answer may come. */
struct asked {
    atomic_size_t holders;
    struct asked *next; /* of the same decision: an answer's texts live until it is resolved */
    char *tool, *session, *tool_use_id, *cwd, *input, *verdict;
    pthread_mutex_t lock; /* of the rest */
    int wake;             /* eventfd: an answer is there; -1: no one waits any more */
    warder_answer answer;
    struct kept kept; /* its strings */
};

struct resolving {
    atomic_size_t holders; /* the thread, JavaScript, and what can take it back */
    enum { RESOLVES, PREPARES, CONCLUDES } kind;
    napi_deferred deferred;
    struct box *engine, *decision;
    warder_asking asking;
    warder_answer answer;
    bool answered;
    struct kept kept; /* the strings of both */
    warder_status status;
    warder_error err;
    pthread_mutex_t lock; /* of the rest */
    bool alive;           /* JavaScript is there */
    int cancel;           /* eventfd: it is taken back; -1: it has ended */
    napi_threadsafe_function to_script;
    struct asked *asked;
};

/* What the thread tells JavaScript's. */
struct message {
    enum { MESSAGE_ASK, MESSAGE_CANCEL, MESSAGE_DONE } kind;
    struct asked *asked;
    struct resolving *resolving;
};

static void asked_drop(struct asked *q)
{
    if (!q || atomic_fetch_sub(&q->holders, 1) > 1)
        return;
    char *texts[] = {q->tool, q->session, q->tool_use_id, q->cwd, q->input, q->verdict};
    for (size_t i = 0; i < COUNT(texts); i++)
        free(texts[i]);
    kept_release(&q->kept);
    if (q->wake >= 0)
        close(q->wake);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

static void finalize_asked(napi_env env, void *data, void *hint)
{
    (void)env;
    (void)hint;
    asked_drop(data);
}

static struct asked *asked_new(const warder_question *from)
{
    struct asked *q = calloc(1, sizeof(*q));

    if (!q)
        return NULL;
    atomic_init(&q->holders, 1);
    pthread_mutex_init(&q->lock, NULL);
    q->wake = eventfd(0, EFD_CLOEXEC);
    q->tool = strdup(from->tool);
    q->session = strdup(from->session);
    q->tool_use_id = strdup(from->tool_use_id);
    q->cwd = strdup(from->cwd);
    q->input = strdup(from->input);
    q->verdict = strdup(from->verdict);
    if (q->wake >= 0 && q->tool && q->session && q->tool_use_id && q->cwd && q->input && q->verdict)
        return q;
    asked_drop(q);
    return NULL;
}

static void resolving_drop(struct resolving *r)
{
    if (atomic_fetch_sub(&r->holders, 1) > 1)
        return;
    for (struct asked *q = r->asked, *next; q; q = next) {
        next = q->next;
        asked_drop(q);
    }
    box_drop(r->engine);
    box_drop(r->decision);
    kept_release(&r->kept);
    if (r->cancel >= 0)
        close(r->cancel);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static void finalize_resolving(napi_env env, void *data, void *hint)
{
    (void)env;
    (void)hint;
    resolving_drop(data);
}

/* Under the lock of its owner. */
static void ring(int fd)
{
    const uint64_t one = 1;

    if (fd >= 0 && write(fd, &one, sizeof(one)) < 0)
        return; /* its counter is full: it is awake */
}

static void wake(struct asked *q)
{
    pthread_mutex_lock(&q->lock);
    ring(q->wake);
    pthread_mutex_unlock(&q->lock);
}

/* JavaScript ends. N-API calls the last hook first, so this runs before to_script goes. */
static void script_ends(void *arg)
{
    struct resolving *r = arg;

    pthread_mutex_lock(&r->lock);
    r->alive = false;
    ring(r->cancel);
    for (struct asked *q = r->asked; q; q = q->next)
        wake(q);
    pthread_mutex_unlock(&r->lock);
    resolving_drop(r);
}

/* False when there is no JavaScript any more. The queue has no limit, so no one waits with the
 * lock. */
static bool post(struct resolving *r, struct message m)
{
    struct message *copy = malloc(sizeof(*copy));
    bool posted = false;

    if (!copy)
        return false;
    *copy = m;
    pthread_mutex_lock(&r->lock);
    if (r->alive)
        posted =
            napi_call_threadsafe_function(r->to_script, copy, napi_tsfn_nonblocking) == napi_ok;
    pthread_mutex_unlock(&r->lock);
    if (!posted)
        free(copy);
    return posted;
}

/* The descriptor goes when the question ends, not when the garbage collector finds it. */
static void close_question(struct asked *q, warder_answer *out)
{
    pthread_mutex_lock(&q->lock);
    close(q->wake);
    q->wake = -1;
    q->answer.struct_size = out->struct_size;
    if (q->answer.given)
        *out = q->answer;
    pthread_mutex_unlock(&q->lock);
}

static int can_use_tool(void *context, const warder_question *question, warder_answer *out)
{
    struct resolving *r = context;
    struct asked *q = asked_new(question);

    if (!q)
        return 1;
    pthread_mutex_lock(&r->lock);
    q->next = r->asked;
    r->asked = q;
    pthread_mutex_unlock(&r->lock);
    atomic_fetch_add(&q->holders, 1); /* the message's */
    if (!post(r, (struct message){MESSAGE_ASK, q, r})) {
        asked_drop(q);
        return 1;
    }
    struct pollfd fds[] = {{.fd = q->wake, .events = POLLIN},
                           {.fd = question->cancel_fd, .events = POLLIN}};
    while (poll(fds, COUNT(fds), -1) < 0 && errno == EINTR)
        ;
    close_question(q, out);
    if (!out->given)
        post(r, (struct message){MESSAGE_CANCEL, NULL, r});
    return 0;
}

static void do_it(struct resolving *r)
{
    warder_engine *engine = r->engine->object;
    warder_decision *decision = r->decision->object;

    switch (r->kind) {
    case RESOLVES:
        r->status = warder_resolve(engine, decision, &r->asking, &r->err);
        return;
    case PREPARES:
        r->status = warder_prepare(engine, decision, &r->asking, &r->err);
        return;
    case CONCLUDES:
        r->status = warder_conclude(engine, decision, r->answered ? &r->answer : NULL, &r->err);
        return;
    }
}

static void *run(void *arg)
{
    struct resolving *r = arg;

    do_it(r);
    pthread_mutex_lock(&r->lock);
    close(r->cancel);
    r->cancel = -1;
    pthread_mutex_unlock(&r->lock);
    post(r, (struct message){MESSAGE_DONE, NULL, r});
    pthread_mutex_lock(&r->lock);
    if (r->alive)
        napi_release_threadsafe_function(r->to_script, napi_tsfn_release);
    pthread_mutex_unlock(&r->lock);
    resolving_drop(r);
    return NULL;
}

/* ask(question, tool, session, toolUseId, cwd, input, verdict); of a question that is no longer
 * wanted: ask(). */
static void put_question(napi_env env, napi_value ask, struct asked *q)
{
    const char *texts[] = {q->tool, q->session, q->tool_use_id, q->cwd, q->input, q->verdict};
    napi_value argv[1 + COUNT(texts)], undefined, external;

    if (napi_create_external(env, q, finalize_asked, NULL, &external) != napi_ok) {
        asked_drop(q);
        return;
    }
    argv[0] = external;
    for (size_t i = 0; i < COUNT(texts); i++)
        argv[1 + i] = text_or_null(env, texts[i]);
    napi_get_undefined(env, &undefined);
    napi_call_function(env, undefined, ask, COUNT(argv), argv, NULL);
}

/* Of a decision that was prepared: the texts of its question, or undefined if there is none. */
static napi_value open_question(napi_env env, const struct resolving *r)
{
    warder_question q = WARDER_QUESTION_INIT;
    napi_value list = NULL;

    napi_get_undefined(env, &list);
    if (r->kind != PREPARES || warder_question_of(r->decision->object, &q, NULL) != WARDER_OK)
        return list;
    const char *texts[] = {q.tool, q.session, q.tool_use_id, q.cwd, q.input, q.verdict};
    napi_create_array(env, &list);
    for (uint32_t i = 0; i < COUNT(texts); i++)
        napi_set_element(env, list, i, text_or_null(env, texts[i]));
    return list;
}

static void finish(napi_env env, struct resolving *r)
{
    napi_value value = NULL;

    if (r->status == WARDER_OK) {
        napi_resolve_deferred(env, r->deferred, open_question(env, r));
    } else {
        throw_warder(env, &r->err);
        napi_get_and_clear_last_exception(env, &value);
        napi_reject_deferred(env, r->deferred, value);
    }
    napi_remove_env_cleanup_hook(env, script_ends, r);
    resolving_drop(r);
}

/* In JavaScript's thread; env is NULL when it is going away. */
static void hear(napi_env env, napi_value ask, void *context, void *data)
{
    struct message m = *(struct message *)data;
    napi_value undefined;

    (void)context;
    free(data);
    switch (m.kind) {
    case MESSAGE_ASK:
        if (env)
            put_question(env, ask, m.asked);
        else
            asked_drop(m.asked);
        break;
    case MESSAGE_CANCEL:
        if (env && napi_get_undefined(env, &undefined) == napi_ok)
            napi_call_function(env, undefined, ask, 0, NULL, NULL);
        break;
    case MESSAGE_DONE:
        if (env) /* else script_ends() has done it */
            finish(env, m.resolving);
        break;
    }
}

static bool start(struct resolving *r)
{
    pthread_attr_t attributes;
    pthread_t thread;
    bool started;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    started = pthread_create(&thread, &attributes, run, r) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

static void read_asking(napi_env env, struct resolving *r, napi_value options)
{
    warder_asking *a = &r->asking;

    *a = (warder_asking)WARDER_ASKING_INIT;
    a->client = text_member(env, &r->kept, options, "client", NULL);
    a->deadline_ms = number_member(env, &r->kept, options, "deadline");
    a->terminal = number_member(env, &r->kept, options, "terminal") != 0;
    a->leave_ask = number_member(env, &r->kept, options, "leaveAsk") != 0;
    a->client_runs_hooks = number_member(env, &r->kept, options, "clientRunsHooks") != 0;
    if (number_member(env, &r->kept, options, "asks"))
        a->can_use_tool = can_use_tool;
    a->context = r;
    a->cancel_fd = r->cancel;
}

static struct resolving *resolving_new(napi_env env, const napi_value argv[ARGUMENTS_MAX],
                                       struct box *engine, struct box *decision)
{
    struct resolving *r = calloc(1, sizeof(*r));
    uint32_t kind = 0;

    if (!r)
        return NULL;
    atomic_init(&r->holders, 1);
    pthread_mutex_init(&r->lock, NULL);
    r->alive = true;
    atomic_fetch_add(&engine->holders, 1);
    atomic_fetch_add(&decision->holders, 1);
    r->engine = engine;
    r->decision = decision;
    r->cancel = eventfd(0, EFD_CLOEXEC);
    bool ok = napi_get_value_uint32(env, argv[2], &kind) == napi_ok && kind <= CONCLUDES;
    r->kind = kind;
    if (kind != CONCLUDES)
        read_asking(env, r, argv[3]);
    else if ((r->answered = is_object(env, argv[3])))
        ok = read_answer(env, &r->kept, argv[3], &r->answer) && ok;
    if (ok && !r->kept.failed && r->cancel >= 0)
        return r;
    resolving_drop(r);
    return NULL;
}

/* [promise, what takes it back]. */
static napi_value promised(napi_env env, struct resolving *r)
{
    napi_value pair, promise, external;

    napi_create_promise(env, &r->deferred, &promise);
    napi_create_array(env, &pair);
    napi_set_element(env, pair, 0, promise);
    atomic_fetch_add(&r->holders, 1);
    if (napi_create_external(env, r, finalize_resolving, NULL, &external) == napi_ok)
        napi_set_element(env, pair, 1, external);
    else
        resolving_drop(r);
    return pair;
}

/* resolve(engine, decision, kind, options or answer, ask): see promised(). */
static napi_value resolve(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX], name;

    take_arguments(env, info, argv);
    struct box *engine = unbox(env, argv[0], free_engine),
               *decision = unbox(env, argv[1], free_decision);
    struct resolving *r = engine && decision ? resolving_new(env, argv, engine, decision) : NULL;
    if (!r)
        return throw_usage(
            env, "there is no engine, no decision, or an option is not what it should be");
    if (napi_create_string_utf8(env, "warder", NAPI_AUTO_LENGTH, &name) != napi_ok ||
        napi_create_threadsafe_function(env, argv[4], NULL, name, 0, 1, NULL, NULL, NULL, hear,
                                        &r->to_script) != napi_ok) {
        resolving_drop(r);
        return throw_usage(env, "no one can be asked");
    }
    napi_value pair = promised(env, r);
    napi_add_env_cleanup_hook(env, script_ends, r);
    atomic_fetch_add(&r->holders, 1); /* the thread's */
    if (start(r))
        return pair;
    r->status = r->err.status = WARDER_ENOMEM;
    snprintf(r->err.message, sizeof(r->err.message), "there is no thread to ask by");
    napi_release_threadsafe_function(r->to_script, napi_tsfn_release);
    finish(env, r);
    resolving_drop(r);
    return pair;
}

/* cancel(what resolve() gave): it is taken back, unless it has ended. */
static napi_value cancel(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX];
    napi_valuetype type;
    void *data = NULL;

    take_arguments(env, info, argv);
    if (napi_typeof(env, argv[0], &type) != napi_ok || type != napi_external ||
        napi_get_value_external(env, argv[0], &data) != napi_ok)
        return throw_usage(env, "there is nothing to be taken back");
    struct resolving *r = data;
    pthread_mutex_lock(&r->lock);
    ring(r->cancel);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* answer(question, answer); without the second: nothing is said. */
static napi_value answer(napi_env env, napi_callback_info info)
{
    napi_value argv[ARGUMENTS_MAX];
    napi_valuetype type;
    void *data = NULL;
    struct kept k = {0};
    warder_answer said = {0};

    take_arguments(env, info, argv);
    if (napi_typeof(env, argv[0], &type) != napi_ok || type != napi_external ||
        napi_get_value_external(env, argv[0], &data) != napi_ok)
        return throw_usage(env, "there is no such question");
    struct asked *q = data;
    if (is_object(env, argv[1]) && !read_answer(env, &k, argv[1], &said))
        said = (warder_answer){.given = -1};
    pthread_mutex_lock(&q->lock);
    if (q->wake >= 0 && !q->answer.given) {
        q->answer = said;
        q->kept = k;
        k = (struct kept){0};
    }
    ring(q->wake);
    pthread_mutex_unlock(&q->lock);
    kept_release(&k);
    return NULL;
}

static napi_value version(napi_env env, napi_callback_info info)
{
    (void)info;
    return text_or_null(env, warder_version());
}

NAPI_MODULE_INIT()
{
    static const struct {
        const char *name;
        napi_callback function;
    } functions[] = {
        {"open", open_engine},  {"check", check},           {"update", update},
        {"reload", reload},     {"generation", generation}, {"say", say},
        {"behavior", behavior}, {"resolve", resolve},       {"answer", answer},
        {"version", version},   {"cancel", cancel},         {"endSession", end_session},
    };
    napi_value function;

    for (size_t i = 0; i < COUNT(functions); i++)
        if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function,
                                 NULL, &function) != napi_ok ||
            napi_set_named_property(env, exports, functions[i].name, function) != napi_ok)
            return NULL;
    return exports;
}
