#include "connect/live.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "ask/cells.h"
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
    const struct live_order *order;
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
    const char *question =
        r->order->sandbox_home ? WARDER_LIVE_SANDBOX_QUESTION : WARDER_LIVE_QUESTION;
    struct str rest = str_from(registration_of(r->order->client)->live), word;
    size_t count = 0;

    while (count + 2 < WORDS_MAX && str_next_word(&rest, &word))
        r->words[count++] = arena_copy(r->arena, word.s, word.len);
    r->words[count] = arena_copy(r->arena, question, strlen(question));
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

/* A token that is gone was used: nobody else takes it away so soon. */
static enum live_cell cell_of(const struct live_order *order, const struct run_evidence *found)
{
    if (!order->sandbox_home || !found->asked)
        return LIVE_CELL_UNUSED;
    if (!found->contained || !found->token[0])
        return LIVE_CELL_NONE;
    return cells_is_unused(order->sandbox_home, str_from(found->token)) ? LIVE_CELL_IGNORED
                                                                        : LIVE_CELL_RAN;
}

/* A call that came counts, however the agent ended afterwards. */
static void judge(struct run *r)
{
    const struct live_order *o = r->order;
    struct run_evidence found;

    if (evidence_of_run(o->home, o->client, r->directory, r->started, &found, &r->err) != STATUS_OK)
        return;
    r->out->end = found.asked ? LIVE_ASKED : end_of(&r->process);
    r->out->cell = cell_of(o, &found);
    memcpy(r->out->tier, found.tier, sizeof(found.tier));
}

bool live_run(struct arena *a, const struct live_order *order, struct live *out)
{
    struct run r = {.arena = a,
                    .order = order,
                    .directory = "/tmp/warder-live-XXXXXX",
                    .process = {.pidfd = -1, .out.fd = -1, .err.fd = -1},
                    .out = out};
    bool done;

    *out = (struct live){.end = LIVE_UNABLE};
    if (!arena_try(a, make_words, &r))
        return false;
    if (start(&r, order->seconds) == STATUS_OK) {
        process_finish(&r.process);
        out->seconds = (stamp_now() - r.started) / 1000;
        judge(&r);
    }
    done = arena_try(a, keep_line, &r);
    process_release(&r.process, clock_ms());
    (void)rmdir(r.directory); /* what an agent has left there stays: it may still be writing */
    return done;
}
