#include "cli/between.h"

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

#include "cli/lines.h"
#include "cli/output.h"

#define PENDING_MAX 64   /* messages that wait for their verdict at the same time */
#define MERCY_MS    3000 /* between closing the server's input, SIGTERM and SIGKILL */

static struct {
    const struct between *how;
    pid_t child;
    int to_server, from_server;
    pthread_mutex_t output; /* a line to the client is written whole */
    pthread_mutex_t input;  /* ... and one to the server */
    pthread_mutex_t count;  /* guards `pending` */
    size_t pending;
} here = {.output = PTHREAD_MUTEX_INITIALIZER,
          .input = PTHREAD_MUTEX_INITIALIZER,
          .count = PTHREAD_MUTEX_INITIALIZER};

void between_to_client(struct str line)
{
    pthread_mutex_lock(&here.output);
    bool written = write_whole(STDOUT_FILENO, line);
    pthread_mutex_unlock(&here.output);
    if (!written)
        _exit(EX_IOERR); /* the client is gone: the server's input closes with us */
}

void between_to_server(struct str line)
{
    pthread_mutex_lock(&here.input);
    if (!write_whole(here.to_server, line))
        complain("the %s takes no more input", here.how->server);
    pthread_mutex_unlock(&here.input);
}

struct str between_json(struct arena *a, const struct value *v)
{
    struct buf b = buf_in(a);

    json_value(&b, v);
    return buf_str(&b);
}

void between_pass_to_server(struct arena *a, const struct rpc_message *m)
{
    between_to_server(str_join(a, between_json(a, &m->value), STR("\n")));
}

void between_pass_to_client(struct arena *a, const struct rpc_message *m)
{
    between_to_client(str_join(a, between_json(a, &m->value), STR("\n")));
}

/* ---- messages that wait ---- */

struct job {
    struct arena arena;
    between_look look;
    char *line;
    size_t len;
};

static void look_again(void *arg)
{
    struct job *job = arg;
    struct str line = {job->line, job->len};
    struct rpc_message m;
    const char *why;
    int code;

    if (rpc_read(&job->arena, line, &m, &code, &why)) /* as it was before */
        job->look(&job->arena, &m, line);
}

static void change_pending(size_t by)
{
    pthread_mutex_lock(&here.count);
    here.pending += by;
    pthread_mutex_unlock(&here.count);
}

static void job_free(struct job *job)
{
    arena_release(&job->arena);
    free(job->line);
    free(job);
    change_pending((size_t)-1);
}

static void *run_job(void *arg)
{
    struct job *job = arg;

    if (!arena_try(&job->arena, look_again, job)) {
        complain("no memory to judge a call");
        _exit(EX_OSERR);
    }
    job_free(job);
    return NULL;
}

static size_t pending(void)
{
    pthread_mutex_lock(&here.count);
    size_t n = here.pending;
    pthread_mutex_unlock(&here.count);
    return n;
}

static struct job *job_new(struct str line, between_look look)
{
    struct job *job = calloc(1, sizeof(*job));

    if (!job || !(job->line = malloc(line.len + 1))) {
        free(job);
        return NULL;
    }
    memcpy(job->line, line.s, line.len);
    job->len = line.len;
    job->look = look;
    arena_init(&job->arena, RPC_MEMORY_MAX);
    change_pending(1);
    return job;
}

bool between_later(struct str line, between_look look)
{
    struct job *job = pending() < PENDING_MAX ? job_new(line, look) : NULL;
    pthread_t thread;

    if (job && pthread_create(&thread, NULL, run_job, job) == 0)
        return pthread_detach(thread) == 0;
    if (job)
        job_free(job);
    return false;
}

/* ---- the two directions ---- */

struct passed_line {
    struct arena *arena;
    struct str line;
    bool client; /* it comes from there */
};

static void pass(void *arg)
{
    const struct passed_line *p = arg;
    struct rpc_message m;
    const char *why;
    int code;
    bool read = rpc_read(p->arena, p->line, &m, &code, &why);

    if (read && p->client && !rpc_is_clear(&m, &why)) {
        read = false;
        code = RPC_INVALID_REQUEST;
    }
    if (read)
        (p->client ? here.how->from_client : here.how->from_server)(p->arena, &m, p->line);
    else if (p->client)
        between_to_client(rpc_error(p->arena, NULL, code, why));
    else
        between_to_client(str_join(p->arena, p->line, STR("\n")));
}

static bool pass_all(int fd, bool client)
{
    struct arena arena;
    struct passed_line p = {.arena = &arena, .client = client};
    struct lines lines;
    bool fits = true;

    arena_init(&arena, RPC_MEMORY_MAX);
    lines_init(&lines, fd, (size_t)JSON_MAX_BYTES);
    while (fits && lines_next(&lines, &p.line) == LINES_LINE) {
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

    while (waitpid(here.child, &status, 0) < 0)
        if (errno != EINTR)
            return EX_OSERR;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* When the server's output has ended, there is nothing left to do. */
static void *listen_to_server(void *unused)
{
    (void)unused;
    if (!pass_all(here.from_server, false)) {
        complain("no memory for what the %s says", here.how->server);
        kill(here.child, SIGTERM);
    }
    _exit(wait_for_server());
    return NULL;
}

static void hand_on(int number)
{
    kill(here.child, number);
    _exit(128 + number);
}

static int start_server(struct cli *cli)
{
    const struct texts *operands = &cli->args.operands;
    char **argv = ARENA_ARRAY(cli->arena, char *, operands->count + 1);
    posix_spawn_file_actions_t actions;
    int in[2], out[2], failed;

    for (size_t i = 0; i < operands->count; i++)
        argv[i] = arena_copy(cli->arena, operands->items[i], strlen(operands->items[i]));
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 ||
        posix_spawn_file_actions_init(&actions) != 0) {
        complain("cannot start the %s: %s", here.how->server, strerror(errno));
        return EX_OSERR;
    }
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    failed = posix_spawnp(&here.child, argv[0], &actions, NULL, argv, cli->environment);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    here.to_server = in[1];
    here.from_server = out[0];
    if (failed) {
        complain("cannot start %s: %s", argv[0], strerror(failed));
        return EX_UNAVAILABLE;
    }
    return 0;
}

/* The client has gone. What it asked for last is still judged and answered by the server, which
 * then ends by itself, or is ended. The other thread leaves as soon as the server has. */
static void wind_up(void)
{
    while (pending())
        poll(NULL, 0, 10);
    close(here.to_server);
    poll(NULL, 0, MERCY_MS);
    kill(here.child, SIGTERM);
    poll(NULL, 0, MERCY_MS);
    kill(here.child, SIGKILL);
}

int between_run(struct cli *cli, const struct between *how)
{
    static const int handed_on[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    pthread_t listener;
    int code;

    here.how = how;
    if ((code = start_server(cli)))
        return code;
    for (size_t i = 0; i < COUNT(handed_on); i++)
        signal(handed_on[i], hand_on);
    if (pthread_create(&listener, NULL, listen_to_server, NULL) != 0) {
        kill(here.child, SIGTERM);
        complain("cannot start a thread");
        return EX_OSERR;
    }
    if (!pass_all(STDIN_FILENO, true)) {
        complain("no memory for what the client says");
        kill(here.child, SIGTERM);
        return EX_OSERR;
    }
    wind_up();
    pthread_join(listener, NULL);
    return 0;
}
