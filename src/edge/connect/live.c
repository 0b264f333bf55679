#include "connect/live.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "connect/evidence.h"
#include "machine/clock.h"
#include "machine/process.h"
#include "machine/stamp.h"
#include "warder_admin.h"

#define WORDS_MAX 8
#define SAID_MAX  200 /* bytes of its last line */

struct run {
    struct arena *arena;
    const struct client *client;
    char directory[sizeof("/tmp/warder-live-XXXXXX")];
    int64_t started; /* as the record writes times */
    char *words[WORDS_MAX];
    struct process process;
    struct error err;
    struct live *out;
};

/* ---- starting ---- */

static void make_words(void *arg)
{
    struct run *r = arg;
    struct str rest = str_from(registration_of(r->client)->live), word;
    size_t count = 0;

    while (count + 2 < WORDS_MAX && str_next_word(&rest, &word))
        r->words[count++] = arena_copy(r->arena, word.s, word.len);
    r->words[count] = arena_copy(r->arena, WARDER_LIVE_QUESTION, strlen(WARDER_LIVE_QUESTION));
}

static enum status start(struct run *r, uint32_t seconds)
{
    const struct process_plan plan = {
        r->words, environ, r->directory, {0}, clock_ms() + (int64_t)seconds * 1000};
    struct error why = {0};

    if (!mkdtemp(r->directory))
        return fail(&r->err, STATUS_IO, "cannot make %s: %s", r->directory, strerror(errno));
    r->started = stamp_now();
    if (process_start(&r->process, &plan, &why) != STATUS_OK)
        return fail(&r->err, STATUS_IO, "%s: %s", r->words[0], why.message);
    return STATUS_OK;
}

/* ---- what came of it ---- */

static struct str last_line(const struct output *o)
{
    struct str text = str_trim((struct str){o->text, o->len});
    size_t from = text.len;

    while (from && text.s[from - 1] != '\n')
        from--;
    return str_slice(text, from, text.len - from > SAID_MAX ? from + SAID_MAX : text.len);
}

/* Of an agent that failed, what it complained of. */
static void keep_line(void *arg)
{
    struct run *r = arg;
    struct str line = r->err.message[0] ? str_from(r->err.message) : last_line(&r->process.err);

    if (line.len == 0)
        line = last_line(&r->process.out);
    r->out->said = str_copy(r->arena, line);
}

static enum live_end end_of(const struct process *p)
{
    if (p->end == PROCESS_TIMEOUT)
        return LIVE_TIMEOUT;
    return p->end == PROCESS_EXITED && p->code == 0 ? LIVE_SILENT : LIVE_FAILED;
}

/* A call that came counts, however the agent ended afterwards. */
static void judge(struct run *r, const char *home)
{
    bool asked = false;

    if (evidence_of_run(home, r->client, r->directory, r->started, &asked, &r->err) != STATUS_OK)
        return;
    r->out->end = asked ? LIVE_ASKED : end_of(&r->process);
}

bool live_run(struct arena *a, const struct client *client, const char *home, uint32_t seconds,
              struct live *out)
{
    struct run r = {.arena = a,
                    .client = client,
                    .directory = "/tmp/warder-live-XXXXXX",
                    .process = {.pidfd = -1, .out.fd = -1, .err.fd = -1},
                    .out = out};
    bool done;

    *out = (struct live){.end = LIVE_UNABLE};
    if (!arena_try(a, make_words, &r))
        return false;
    if (start(&r, seconds) == STATUS_OK) {
        process_finish(&r.process);
        out->seconds = (stamp_now() - r.started) / 1000;
        judge(&r, home);
    }
    done = arena_try(a, keep_line, &r);
    process_release(&r.process, clock_ms());
    (void)rmdir(r.directory); /* what an agent has left there stays: it may still be writing */
    return done;
}
