/* main.c - warder-serve, the program that `warder serve` runs: starts the parts, runs the loop,
 * stops it in order. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sysexits.h>

#include "machine/thread.h"
#include "serve/connect.h"
#include "serve/say.h"
#include "serve/server.h"
#include "serve/systemd.h"

#define TICK_FIRST_S 0.05  /* after a start or a change */
#define TICK_LEAST_S 0.005 /* more reviews are overdue than one tick ends */
#define TICK_MAX_S   60.

bool server_admits(const struct server *server, enum connection_kind kind)
{
    size_t most = kind == CONNECTION_UNIX ? server->connections_max : server->peers_max;
    size_t now = kind == CONNECTION_UNIX ? server->connections : server->peer_count;

    return !server->stopping && now < most && server->connections < server->connections_max;
}

void server_may_end(struct server *server)
{
    if (server->stopping && server->connections == 0)
        ev_break(server->loop, EVBREAK_ALL);
}

/* ---- time ---- */

static void on_tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct server *server = timer->data;
    warder_error err = {0};
    uint32_t next_ms = 0;
    double next;

    (void)events;
    if (warder_service_tick(server->service, &next_ms, &err) != WARDER_OK)
        serve_say("cannot end overdue reviews: %s", err.message);
    outbox_commit(&server->outbox);
    next = next_ms / 1000.;
    timer->repeat = next > TICK_MAX_S ? TICK_MAX_S : next < TICK_LEAST_S ? TICK_LEAST_S : next;
    ev_timer_again(loop, timer);
}

/* Never later than it would have been: new reviews all the time must not keep old ones from
 * expiring. */
void server_tick_soon(struct server *server)
{
    if (ev_timer_remaining(server->loop, &server->tick) <= TICK_FIRST_S)
        return;
    server->tick.repeat = TICK_FIRST_S;
    ev_timer_again(server->loop, &server->tick);
}

/* ---- the end ---- */

static void on_grace_end(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)timer, (void)events;
    ev_break(loop, EVBREAK_ALL);
}

/* Accepts no more clients, answers all that wait, and ends the loop when all answers have left. */
static void stop(struct server *server)
{
    server->stopping = true;
    systemd_notify("STOPPING=1");
    listen_close(&server->listening);
    outbox_close(&server->outbox);
    lines_stop(server);
    peers_stop(server);
    ev_timer_init(&server->grace, on_grace_end, STOP_GRACE_S, 0.);
    ev_timer_start(server->loop, &server->grace);
    server_may_end(server);
}

static void on_stop(struct ev_loop *loop, ev_signal *signal, int events)
{
    struct server *server = signal->data;

    (void)events;
    if (server->stopping)
        ev_break(loop, EVBREAK_ALL);
    else
        stop(server);
}

static void on_hangup(struct ev_loop *loop, ev_signal *signal, int events)
{
    struct server *server = signal->data;

    (void)loop, (void)events;
    if (!server->stopping)
        watch_reload(&server->watch);
}

/* ---- the start ---- */

static void watch_signal(struct server *server, ev_signal *watcher, int number,
                         void (*handler)(struct ev_loop *, ev_signal *, int))
{
    ev_signal_init(watcher, handler, number);
    watcher->data = server;
    ev_signal_start(server->loop, watcher);
}

static void on_written(void *context)
{
    struct server *server = context;

    jobs_recorded(&server->jobs);
    outbox_written(&server->outbox);
}

#define TOKEN_ID_MAX 64

/* ID, or ID,approve. */
static bool read_answers(const char *given, char id[TOKEN_ID_MAX], warder_service_options *out)
{
    struct str name, more;
    const bool two = str_cut(str_from(given), ',', &name, &more);

    if (!name.len || name.len >= TOKEN_ID_MAX || (two && !str_is(more, "approve"))) {
        serve_say("--notify-answers: give the id of an operator's token, or ID,approve");
        return false;
    }
    snprintf(id, TOKEN_ID_MAX, "%.*s", STR_ARG(name));
    out->links_of = id;
    out->links_approve = two;
    return true;
}

static bool open_service(struct server *server)
{
    static char answers[TOKEN_ID_MAX]; /* the service keeps a pointer to it */
    const struct serve_options *o = server->options;
    warder_service_options options = WARDER_SERVICE_OPTIONS_INIT;
    warder_error err = {0};

    if (o->notify_answers && !read_answers(o->notify_answers, answers, &options))
        return false;

    options.data = o->data;
    options.home = o->home;
    options.profile = o->profile;
    options.mode = o->mode;
    options.policies = o->policies.count ? o->policies.items : NULL;
    options.policy_count = o->policies.count;
    options.review_timeout_s = o->review_timeout_s;
    options.cooldown_s = o->cooldown_s;
    options.retention_days = o->retention_days;
    options.retention_bytes = o->retention_bytes;
    options.no_sync = o->no_sync;
    options.context = server;
    options.event = events_happened;
    options.settled = outbox_settled;
    options.written = on_written;
    if (warder_service_open(&options, &server->service, &err) == WARDER_OK)
        return true;
    serve_say("%s", err.message);
    return false;
}

/* A policy that cannot be read denies everything; the operator should see why at the start. */
static void say_health(struct server *server)
{
    warder_report *report = NULL;
    warder_error err = {0};

    if (warder_service_health(server->service, &report, &err) != WARDER_DONE)
        serve_say("%s", err.message);
    else if (warder_report_errors(report))
        serve_say("BROKEN: calls are denied until this is fixed: %s", warder_report_json(report));
    warder_report_free(report);
}

static rlim_t raise_limits(void)
{
    const rlim_t wanted = CONNECTIONS_MAX + DESCRIPTORS_OWN;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return DESCRIPTORS_LEAST;
    if (limit.rlim_cur >= wanted)
        return wanted;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? DESCRIPTORS_LEAST : limit.rlim_cur;
}

/* One descriptor for each possible connection. Any local user can open connections over TCP before
 * a token is asked for: a quarter of all is left to the unix socket, where agents' hooks ask. */
static void share_descriptors(struct server *server)
{
    size_t all = (size_t)raise_limits(), own = DESCRIPTORS_OWN;

    if (own > all / 2)
        own = all / 2;
    server->connections_max = all - own < CONNECTIONS_MAX ? all - own : CONNECTIONS_MAX;
    server->peers_max = server->connections_max - server->connections_max / 4;
}

static bool check_options(const struct serve_options *o)
{
    if (!o->tls_cert != !o->tls_key)
        serve_say("--tls-cert and --tls-key must be given together");
    return !o->tls_cert == !o->tls_key;
}

static bool allow_hosts(struct server *server)
{
    const struct serve_options *o = server->options;
    const struct listening *l = &server->listening;

    filter_init(&server->filter, l->port, o->tls_cert != NULL);
    if (!filter_host(&server->filter, str_from(l->address)))
        (void)filter_add(&server->filter, l->address, l->port);
    for (size_t i = 0; i < o->hosts.count; i++)
        if (!filter_add(&server->filter, o->hosts.items[i], l->port)) {
            serve_say("--host %s: too long, or too many of them", o->hosts.items[i]);
            return false;
        }
    if (!o->public_url || filter_add_url(&server->filter, o->public_url))
        return true;
    serve_say("--public-url %s: write https://NAME or http://NAME, without a path", o->public_url);
    return false;
}

static bool start_notices(struct server *server)
{
    const struct serve_options *o = server->options;
    const struct {
        const struct option_list *urls;
        enum notice_form form;
        const char *option;
    } hooks[] = {{&o->notify_webhooks, NOTICE_PLAIN, "--notify-webhook"},
                 {&o->notify_ntfy, NOTICE_NTFY, "--notify-ntfy"},
                 {&o->notify_slack, NOTICE_SLACK, "--notify-slack"}};

    for (size_t i = 0; i < o->notify_commands.count; i++)
        if (!notify_add_program(&server->notify, o->notify_commands.items[i]))
            return false;
    for (size_t k = 0; k < COUNT(hooks); k++)
        for (size_t i = 0; i < hooks[k].urls->count; i++)
            if (!notify_add_webhook(&server->notify, hooks[k].form, hooks[k].option,
                                    hooks[k].urls->items[i]))
                return false;
    return notify_start(&server->notify);
}

static bool start(struct server *server)
{
    const struct serve_options *o = server->options;

    server->peers.next = server->peers.prev = &server->peers;
    server->listening = (struct listening){.tcp = -1, .unix_socket = -1, .file.directory = -1};
    notify_init(&server->notify);
    if (!check_options(o) || !start_notices(server) || !open_service(server))
        return false;
    server->loop = ev_default_loop(EVFLAG_AUTO);
    if (!server->loop || !listen_open(&server->listening, o) || !allow_hosts(server))
        return false;
    outbox_init(&server->outbox, server->loop, server->service);
    events_init(&server->events, server);
    if (o->tls_cert && !(server->tls = wire_tls(o->tls_cert, o->tls_key)))
        return false;
    if (!jobs_start(&server->jobs, server, o->data, o->home))
        return false;
    watch_start(&server->watch, server);
    watch_signal(server, &server->terminate, SIGTERM, on_stop);
    watch_signal(server, &server->interrupt, SIGINT, on_stop);
    watch_signal(server, &server->hangup, SIGHUP, on_hangup);
    ev_timer_init(&server->tick, on_tick, 0., TICK_FIRST_S);
    server->tick.data = server;
    ev_timer_again(server->loop, &server->tick);
    listen_start(&server->listening, server);
    return true;
}

static void finish(struct server *server)
{
    listen_close(&server->listening);
    if (server->loop) {
        lines_close(server);
        peers_close(server);
        watch_stop(&server->watch);
        events_release(&server->events);
    }
    outbox_release(&server->outbox);
    jobs_stop(&server->jobs);
    notify_stop(&server->notify);
    wire_tls_free(server->tls);
    warder_service_close(server->service);
}

/* Keeps descriptors 0 to 2 open: a socket with one of these numbers would get what is printed. */
static void hold_streams(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd < 3);
    if (fd >= 0)
        close(fd);
}

/* For whoever starts a second one here. */
static void announce(const struct server *server)
{
    const struct listening *l = &server->listening;
    const char *public_url = server->options->public_url;
    char where[200];

    snprintf(where, sizeof where, "%s://%s:%u%s%s", server->options->tls_cert ? "https" : "http",
             l->address, l->port, public_url ? " " : "", public_url ? public_url : "");
    warder_service_announce(server->service, l->tcp >= 0 ? where : "unix socket only");
}

int main(int argc, char **argv)
{
    static struct server server;
    struct serve_options options;
    bool started;

    hold_streams();
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    if (!options_read(argc, argv, &options))
        return EX_USAGE;
    if (options.routes) {
        routes_print();
        return 0;
    }
    if (options.connect)
        return connect_run(options.connect, options.ca);
    share_descriptors(&server);
    server.options = &options;
    started = start(&server);
    if (started) {
        say_health(&server);
        listen_announce(&server.listening, &options);
        announce(&server);
        systemd_notify("READY=1");
        thread_take_short_turns();
        ev_run(server.loop, 0);
    }
    finish(&server);
    return started ? 0 : EX_UNAVAILABLE;
}
