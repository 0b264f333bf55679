#include "ask/pause.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/path.h"
#include "machine/stamp.h"
#include "policy/state.h"

#define BOOT_FILE "/proc/sys/kernel/random/boot_id"

/* ---- the clocks ---- */

static enum status read_boot(char out[PAUSE_BOOT_SIZE], struct error *err)
{
    AUTO_CLOSE int fd = open(BOOT_FILE, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, out, PAUSE_BOOT_SIZE - 1);

    out[len > 0 ? len : 0] = '\0';
    if (len != PAUSE_BOOT_SIZE - 1 || strspn(out, "0123456789abcdef-") != PAUSE_BOOT_SIZE - 1)
        return fail(err, STATUS_IO, "cannot tell when the machine was started: " BOOT_FILE);
    return STATUS_OK;
}

enum status pause_clock_read(struct pause_clock *out, struct error *err)
{
    struct timespec wall, up;

    *out = (struct pause_clock){0};
    if (clock_gettime(CLOCK_REALTIME, &wall) != 0 || clock_gettime(CLOCK_BOOTTIME, &up) != 0)
        return fail(err, STATUS_IO, "cannot tell the time: %s", strerror(errno));
    out->wall = wall.tv_sec;
    out->up = up.tv_sec;
    return read_boot(out->boot, err);
}

/* ---- what counts ---- */

static bool is_between(int64_t since, int64_t now, int64_t until)
{
    return since >= 0 && since <= now && now < until && until - since <= PAUSE_SECONDS_MAX;
}

bool pause_counts(const struct pause *p, const struct pause_clock *now)
{
    return p->since.boot[0] && strcmp(p->since.boot, now->boot) == 0 &&
           is_between(p->since.wall, now->wall, p->until.wall) &&
           is_between(p->since.up, now->up, p->until.up) &&
           p->until.wall - p->since.wall == p->until.up - p->since.up;
}

bool pause_covers(const struct pause *p, struct str project, bool proved)
{
    if (!p->since.boot[0])
        return false;
    return !p->project.len || (proved && project.len && path_is_inside(project, p->project));
}

void pause_until(const struct pause *p, char out[PAUSE_UNTIL_SIZE])
{
    char stamp[STAMP_SIZE];

    stamp_print(p->until.wall * 1000, stamp);
    memcpy(out, stamp, PAUSE_UNTIL_SIZE - 2);
    memcpy(out + PAUSE_UNTIL_SIZE - 2, "Z", 2);
}

/* ---- the file ---- */

static void write_pause(struct buf *out, const void *about)
{
    const struct pause *p = about;
    const struct {
        const char *key;
        int64_t value;
    } rows[] = {{"user", (int64_t)geteuid()},
                {"since", p->since.wall},
                {"until", p->until.wall},
                {"up_since", p->since.up},
                {"up_until", p->until.up}};
    struct json_writer w = json_to(out);

    json_begin_object(&w);
    for (size_t i = 0; i < COUNT(rows); i++) {
        json_key(&w, rows[i].key);
        json_int(&w, rows[i].value);
    }
    json_text_member(&w, "boot", str_from(p->since.boot));
    json_text_member(&w, "project", p->project);
    json_end_object(&w);
    buf_byte(out, '\n');
}

static bool take_number(const struct value *document, const char *key, int64_t *out)
{
    const struct value *v = value_get(document, key);

    return v && value_integer(v, out);
}

static bool take_members(const struct value *v, struct pause *out)
{
    struct str boot = value_text(v, "boot");

    if (boot.len != PAUSE_BOOT_SIZE - 1 || !take_number(v, "since", &out->since.wall) ||
        !take_number(v, "until", &out->until.wall) || !take_number(v, "up_since", &out->since.up) ||
        !take_number(v, "up_until", &out->until.up))
        return false;
    memcpy(out->since.boot, boot.s, PAUSE_BOOT_SIZE);
    memcpy(out->until.boot, boot.s, PAUSE_BOOT_SIZE);
    out->project = value_text(v, "project");
    return true;
}

/* The members make exactly the text that we would have written: there is one spelling of a pause,
 * for this user. */
static enum status read_pause(struct arena *a, struct str text, struct pause *out,
                              struct error *err)
{
    struct value v = {0};
    struct str again;
    enum status status = json_read(a, text, NULL, &v, err);

    if (status == STATUS_OK &&
        (!take_members(&v, out) || !buf_try(a, write_pause, out, &again) || !str_eq(text, again)))
        status = fail(err, STATUS_SYNTAX, "it is not a pause that Warder wrote for this user");
    if (status != STATUS_OK)
        *out = (struct pause){0};
    return status;
}

enum status pause_find(struct arena *a, const char *state_dir, struct pause *out, struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_FREE char *text = NULL;
    struct pause_clock now;
    size_t len = 0;

    *out = (struct pause){0};
    enum status status = state_find(state_dir, NULL, &directory, err);
    if (status == STATUS_OK && directory >= 0)
        status = state_read(directory, PAUSE_NAME, PAUSE_FILE_MAX, &text, &len, err);
    if (status != STATUS_OK || !text)
        return status;
    if ((status = read_pause(a, (struct str){text, len}, out, err)) == STATUS_OK)
        status = pause_clock_read(&now, err);
    if (status != STATUS_OK || !pause_counts(out, &now))
        *out = (struct pause){0};
    return status;
}

enum status pause_plan(int64_t seconds, struct str project, struct pause *out, struct error *err)
{
    *out = (struct pause){.project = project};
    if (seconds < 1 || seconds > PAUSE_SECONDS_MAX)
        return fail(err, STATUS_USAGE, "a pause lasts from one second to %d hours",
                    PAUSE_SECONDS_MAX / 3600);
    enum status status = pause_clock_read(&out->since, err);
    if (status != STATUS_OK)
        return status;
    out->until = out->since;
    out->until.wall += seconds;
    out->until.up += seconds;
    return STATUS_OK;
}

enum status pause_begin(struct arena *a, const char *state_dir, const struct pause *pause,
                        struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    struct str text;

    if (!buf_try(a, write_pause, pause, &text))
        return fail(err, STATUS_NOMEM, "no memory to write the pause");
    enum status status = state_open(state_dir, NULL, &directory, err);
    if (status == STATUS_OK)
        status = state_lock(directory, PAUSE_NAME ".lock", &lock, err);
    return status == STATUS_OK ? state_replace(directory, PAUSE_NAME, text, err) : status;
}

enum status pause_end(const char *state_dir, bool *was, struct error *err)
{
    AUTO_CLOSE int directory = -1;

    *was = false;
    enum status status = state_find(state_dir, NULL, &directory, err);
    if (status != STATUS_OK || directory < 0)
        return status;
    *was = unlinkat(directory, PAUSE_NAME, 0) == 0;
    if (!*was && errno != ENOENT)
        return fail(err, STATUS_IO, "cannot remove " PAUSE_NAME ": %s", strerror(errno));
    return STATUS_OK;
}
