#include "serve/notify.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/auto.h"
#include "machine/clock.h"
#include "machine/http.h"
#include "machine/own.h"
#include "machine/process.h"
#include "machine/thread.h"
#include "serve/say.h"

#define CURL_MEMORY_MAX ((size_t)16 * 1024 * 1024)

/* ---- targets ---- */

void notify_init(struct notify *n)
{
    pthread_condattr_t monotonic;

    *n = (struct notify){0};
    pthread_mutex_init(&n->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&n->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static struct notify_target *add(struct notify *n)
{
    if (n->count == NOTIFY_TARGETS_MAX) {
        serve_say("more than %d targets for notices", NOTIFY_TARGETS_MAX);
        return NULL;
    }
    struct notify_target *t = &n->targets[n->count];
    *t = (struct notify_target){.notify = n};
    return t;
}

static bool is_program(const char *path)
{
    struct stat st;

    return path[0] == '/' && stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool notify_add_program(struct notify *n, const char *path)
{
    struct notify_target *t = add(n);

    if (!t)
        return false;
    if (!is_program(path)) {
        serve_say("--notify-command %s: not the absolute path of a program", path);
        return false;
    }
    t->program = strdup(path);
    n->count += t->program != NULL;
    return t->program != NULL;
}

/* A secret URL belongs in a file: other users can read command lines. */
static bool read_url_file(const char *option, const char *path, char *out, size_t room)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct error err = {0};

    if (fd < 0 || own_check_file(fd, path, &err) != STATUS_OK) {
        serve_say("%s @%s: %s", option, path, fd < 0 ? strerror(errno) : err.message);
        return false;
    }
    ssize_t len = read(fd, out, room - 1);
    struct str line = {out, len > 0 ? (size_t)len : 0}, rest;
    str_cut(line, '\n', &line, &rest);
    out[line.len] = '\0';
    if (line.len == 0 || rest.len)
        serve_say("%s @%s: the file must contain one line", option, path);
    return line.len && !rest.len;
}

static bool is_https(struct str url)
{
    if (!str_starts(url, STR("https://")) || url.len == strlen("https://"))
        return false;
    for (size_t i = 0; i < url.len; i++)
        if (url.s[i] <= ' ' || url.s[i] > '~' || url.s[i] == '"' || url.s[i] == '\\')
            return false;
    return true;
}

bool notify_add_webhook(struct notify *n, enum notice_form form, const char *option,
                        const char *url)
{
    struct notify_target *t = add(n);
    struct http_url parsed;
    struct error err = {0};

    if (!t)
        return false;
    if (url[0] == '@') {
        if (!read_url_file(option, url + 1, t->url, sizeof(t->url)))
            return false;
    } else if (strlen(url) > NOTIFY_URL_MAX) {
        serve_say("%s: the URL is too long", option);
        return false;
    } else {
        memcpy(t->url, url, strlen(url) + 1);
    }
    if (!is_https(str_from(t->url)) &&
        http_url_parse(str_from(t->url), &parsed, &err) != STATUS_OK) {
        serve_say("%s: neither http:// nor https://: %s", option, err.message);
        return false;
    }
    t->form = form;
    if (form == NOTICE_NTFY && !notice_cut_topic(t->url, t->topic, sizeof(t->topic))) {
        serve_say("%s: the URL must end with a topic, as in https://ntfy.sh/TOPIC", option);
        return false;
    }
    n->count++;
    return true;
}

/* ---- one attempt ---- */

static bool run(const struct notify_target *t, char *const *argv, struct str input)
{
    struct process p;
    struct error err = {0};
    const struct process_plan plan = {argv, environ, "/", input, clock_ms() + NOTIFY_TIMEOUT_MS};
    bool over = process_start(&p, &plan, &err) != STATUS_OK;
    bool started = !over;

    while (!over) {
        struct pollfd fds[PROCESS_DESCRIPTORS];
        int64_t wake = plan.deadline, now = clock_ms();
        size_t count = process_wait(&p, fds, COUNT(fds), &wake);
        /* At most a second, so that stopping the service ends this too. */
        int64_t left = wake - now > 1000 ? 1000 : wake > now ? wake - now : 0;
        (void)poll(fds, count, (int)left);
        over = process_turn(&p, clock_ms()) || t->notify->stopping;
    }
    bool good = started && p.end == PROCESS_EXITED && p.code == 0;
    process_release(&p, clock_ms());
    return good;
}

/* A quoted string in curl's syntax. */
static void quoted(struct buf *b, struct str text)
{
    buf_byte(b, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == '"' || text.s[i] == '\\')
            buf_byte(b, '\\');
        buf_byte(b, text.s[i]);
    }
    buf_text(b, "\"\n");
}

struct curl_request {
    const char *url;
    struct str json;
};

/* All of it goes to curl's standard input: other users can read its command line. */
static void write_config(struct buf *out, const void *about)
{
    const struct curl_request *r = about;

    buf_text(out, "url = ");
    quoted(out, str_from(r->url));
    buf_text(out, "header = \"Content-Type: application/json\"\ndata-raw = ");
    quoted(out, r->json);
}

static bool post_by_curl(const struct notify_target *t, struct str json)
{
    static char curl[] = "curl", disable[] = "--disable", silent[] = "--silent",
                failing[] = "--fail", proto[] = "--proto", https[] = "=https",
                config[] = "--config", standard_input[] = "-", output[] = "--output",
                nowhere[] = "/dev/null", time[] = "--max-time", seconds[] = "9";
    char *const argv[] = {curl,    disable, silent,  failing, proto,          https, time,
                          seconds, output,  nowhere, config,  standard_input, NULL};
    struct arena arena;
    struct str text;

    arena_init(&arena, CURL_MEMORY_MAX);
    bool sent = buf_try(&arena, write_config, &(struct curl_request){t->url, json}, &text) &&
                run(t, argv, text);
    arena_release(&arena);
    return sent;
}

static bool post(const struct notify_target *t, struct str json)
{
    struct http_url url;
    struct http_answer answer;
    const struct http_request request = {
        .to = &url, .method = "POST", .body = json, .deadline_ms = NOTIFY_HTTP_MS};

    if (is_https(str_from(t->url)))
        return post_by_curl(t, json);
    if (http_url_parse(str_from(t->url), &url, NULL) != STATUS_OK ||
        http_ask(&request, &answer, NULL) != STATUS_OK)
        return false;
    free(answer.body);
    return answer.status < 300;
}

static bool try_once(const struct notify_target *t, struct str json)
{
    char *const argv[] = {t->program, NULL};

    return t->program ? run(t, argv, json) : post(t, json);
}

/* ---- a target's thread ---- */

/* Called under the lock, which is released during the pause. */
static void pause_for(struct notify *n, int64_t ms)
{
    struct timespec until;
    int64_t end = clock_ms() + ms;

    until = (struct timespec){.tv_sec = end / 1000, .tv_nsec = end % 1000 * 1000000};
    while (!n->stopping && clock_ms() < end)
        (void)pthread_cond_timedwait(&n->changed, &n->lock, &until);
}

static void count_failure(struct notify_target *t)
{
    t->notify->counts.failed++;
    if (!t->complained)
        serve_say("cannot notify %s (not repeated)", t->program ? t->program : "a web hook");
    t->complained = true;
}

/* Called under the lock, which is released during the delivery. */
static bool deliver(struct notify_target *t, const char *json)
{
    struct notify *n = t->notify;
    int64_t wait = NOTIFY_PAUSE_MS;

    for (int i = 0; i < NOTIFY_TRIES && !n->stopping; i++) {
        if (i) {
            pause_for(n, wait);
            wait *= 4;
        }
        if (n->stopping)
            return false;
        pthread_mutex_unlock(&n->lock);
        bool sent = try_once(t, str_from(json));
        pthread_mutex_lock(&n->lock);
        if (sent) {
            n->counts.sent++;
            t->complained = false;
            return true;
        }
    }
    count_failure(t);
    return false;
}

/* How many events it was not told. */
static void deliver_count(struct notify_target *t)
{
    const uint64_t missed = t->missed;
    char json[160];
    bool told;

    snprintf(json, sizeof(json),
             "{\"type\":\"more\",\"more\":{\"count\":%llu,"
             "\"message\":\"%llu more events are waiting\"}}",
             (unsigned long long)missed, (unsigned long long)missed);
    AUTO_FREE char *notice =
        notice_make(t->form, str_from(t->topic), str_from(json), (struct str){0}, &told);
    if (notice && deliver(t, notice))
        t->missed -= missed; /* others may have been missed meanwhile */
    else
        pause_for(t->notify, NOTIFY_AGAIN_MS);
}

static char *next(struct notify_target *t)
{
    char *json = t->queue[t->first];

    t->queue[t->first] = NULL;
    t->first = (t->first + 1) % NOTIFY_QUEUE_MAX;
    t->count--;
    return json;
}

static void *work(void *arg)
{
    struct notify_target *t = arg;
    struct notify *n = t->notify;

    pthread_mutex_lock(&n->lock);
    while (!n->stopping) {
        if (t->count) {
            char *json = next(t);
            t->missed += !deliver(t, json);
            free(json);
        } else if (t->missed) {
            deliver_count(t);
        } else {
            pthread_cond_wait(&n->changed, &n->lock);
        }
    }
    pthread_mutex_unlock(&n->lock);
    return NULL;
}

bool notify_start(struct notify *n)
{
    bool good = true;

    for (size_t i = 0; i < n->count && good; i++) {
        struct notify_target *t = &n->targets[i];
        good = t->running = thread_start(&t->thread, work, t) == 0;
    }
    if (!good)
        serve_say("cannot start a thread for notices");
    return good;
}

/* ---- the loop's side ---- */

static void put(struct notify_target *t, struct str json, struct str links)
{
    bool told = true;
    char *copy = t->count < NOTIFY_QUEUE_MAX
                     ? notice_make(t->form, str_from(t->topic), json, links, &told)
                     : NULL;

    if (!told)
        return;
    if (!copy) {
        t->notify->counts.summed++;
        t->missed++;
        return;
    }
    t->queue[(t->first + t->count++) % NOTIFY_QUEUE_MAX] = copy;
}

void notify_tell(struct notify *n, const char *json, const char *links)
{
    if (n->count == 0)
        return;
    pthread_mutex_lock(&n->lock);
    for (size_t i = 0; i < n->count; i++)
        put(&n->targets[i], str_from(json), str_from(links));
    pthread_cond_broadcast(&n->changed);
    pthread_mutex_unlock(&n->lock);
}

void notify_stop(struct notify *n)
{
    pthread_mutex_lock(&n->lock);
    n->stopping = true;
    pthread_cond_broadcast(&n->changed);
    pthread_mutex_unlock(&n->lock);
    for (size_t i = 0; i < n->count; i++) {
        struct notify_target *t = &n->targets[i];
        if (t->running)
            pthread_join(t->thread, NULL);
        while (t->count)
            free(next(t));
        free(t->program);
        explicit_bzero(t->url, sizeof(t->url));
    }
    n->count = 0;
    pthread_cond_destroy(&n->changed);
    pthread_mutex_destroy(&n->lock);
}

void notify_metrics(struct notify *n, char *out, size_t room)
{
    pthread_mutex_lock(&n->lock);
    struct notify_counts c = n->counts;
    pthread_mutex_unlock(&n->lock);
    snprintf(out, room,
             "# HELP warder_notices_total Notices to programs and web hooks, by result.\n"
             "# TYPE warder_notices_total counter\n"
             "warder_notices_total{result=\"sent\"} %llu\n"
             "warder_notices_total{result=\"failed\"} %llu\n"
             "warder_notices_total{result=\"summed\"} %llu\n",
             (unsigned long long)c.sent, (unsigned long long)c.failed,
             (unsigned long long)c.summed);
}
