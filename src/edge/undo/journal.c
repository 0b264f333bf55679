#include "undo/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "machine/own.h"
#include "policy/state.h"
#include "undo/tracked.h"

#define SUM_BEGINS     ",\"sum\":\""
#define SUM_TAIL       (sizeof(SUM_BEGINS) - 1 + UNDO_SUM_SIZE - 1 + 2) /* with the quote and brace */
#define LINE_BYTES_MAX ((size_t)512 * 1024)
#define GATHERED       ((size_t)64 * 1024) /* bytes of lines that wait */

static const char *const names[] = {
    [UNDO_KEEP] = "keep",   [UNDO_NONE] = "none", [UNDO_MADE] = "directory", [UNDO_MOVE] = "move",
    [UNDO_ASIDE] = "aside", [UNDO_BACK] = "back", [UNDO_MODE] = "mode",      [UNDO_LEFT] = "left",
};

/* ---- the sum ---- */

/* `before` is the sum of the line before; `out` may be the same. */
static void sum_line(const char *before, struct str object, char out[UNDO_SUM_SIZE])
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_init(&h);
    sha256_add_part(&h, str_from(before));
    sha256_add_part(&h, object);
    sha256_end(&h, hash);
    sha256_hex(hash, hex);
    memcpy(out, hex, UNDO_SUM_SIZE - 1);
    out[UNDO_SUM_SIZE - 1] = '\0';
}

/* ---- writing ---- */

enum status undo_writer_open(struct undo_writer *w, int directory, const struct undo_log *after,
                             struct error *err)
{
    int make = after ? 0 : O_CREAT | O_EXCL;

    *w = (struct undo_writer){.fd = openat(directory, UNDO_JOURNAL_NAME,
                                           O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | make,
                                           S_IRUSR | S_IWUSR)};
    arena_init(&w->scratch, LINE_BYTES_MAX * 4);
    if (w->fd < 0)
        return fail(err, STATUS_IO, "cannot open the undo journal: %s", strerror(errno));
    if (!after)
        return STATUS_OK;
    memcpy(w->sum, after->sum, sizeof(w->sum));
    if (ftruncate(w->fd, (off_t)after->len) < 0) /* half a line at its end */
        return fail(err, STATUS_IO, "cannot write the undo journal: %s", strerror(errno));
    return STATUS_OK;
}

enum status undo_writer_flush(struct undo_writer *w, struct error *err)
{
    const struct str text = {w->waiting, w->waits};

    w->waits = 0;
    return text.len ? own_write(w->fd, "the undo journal", text, err) : STATUS_OK;
}

/* Without memory it does not wait. */
static enum status gather(struct undo_writer *w, struct str text, struct error *err)
{
    if (!w->waiting && w->gathers)
        w->waiting = malloc(GATHERED);
    if (!w->waiting || !w->gathers || text.len > GATHERED - w->waits) {
        enum status status = undo_writer_flush(w, err);
        if (status || !w->waiting || !w->gathers || text.len > GATHERED)
            return status ? status : own_write(w->fd, "the undo journal", text, err);
    }
    memcpy(w->waiting + w->waits, text.s, text.len);
    w->waits += text.len;
    return STATUS_OK;
}

void undo_writer_close(struct undo_writer *w)
{
    if (w->fd >= 0)
        (void)undo_writer_flush(w, NULL);
    free(w->waiting);
    w->waiting = NULL;
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    arena_release(&w->scratch);
}

struct line {
    void (*write)(struct json_writer *w, const void *about);
    const void *about;
    const char *before;
    char *sum;
};

static void write_line(struct buf *out, const void *arg)
{
    const struct line *line = arg;
    struct json_writer w = json_to(out);

    json_begin_object(&w);
    line->write(&w, line->about);
    json_end_object(&w);
    sum_line(line->before, buf_str(out), line->sum);
    out->len--; /* the brace */
    buf_format(out, SUM_BEGINS "%s\"}\n", line->sum);
}

static enum status put(struct undo_writer *w,
                       void (*write)(struct json_writer *w, const void *about), const void *about,
                       struct error *err)
{
    char sum[UNDO_SUM_SIZE];
    struct str text;
    struct line line = {write, about, w->sum, sum};

    arena_reset(&w->scratch);
    if (!buf_try(&w->scratch, write_line, &line, &text) || text.len > LINE_BYTES_MAX)
        return fail(err, STATUS_LIMIT, "a line of the undo journal is too long");
    enum status status = gather(w, text, err);
    if (!status)
        memcpy(w->sum, sum, sizeof(w->sum));
    return status;
}

/* Bytes that are not UTF-8 are written as hexadecimal digits, under the key with an x. */
static void put_bytes(struct json_writer *w, const char *key, struct str bytes)
{
    char other[16];

    if (!bytes.len)
        return;
    if (utf8_valid(bytes)) {
        json_text_member(w, key, bytes);
        return;
    }
    (void)snprintf(other, sizeof(other), "%sx", key);
    char *hex = arena_bytes(w->out->arena, bytes.len * 2);
    str_hex(hex, (const uint8_t *)bytes.s, bytes.len);
    json_text_member(w, other, (struct str){hex, bytes.len * 2});
}

static void put_int(struct json_writer *w, const char *key, int64_t n)
{
    json_key(w, key);
    json_int(w, n);
}

static void put_state(struct json_writer *w, const char *key, const struct undo_state *s)
{
    const int64_t facts[] = {s->kind,  (int64_t)s->inode, s->mode,     s->user,
                             s->group, (int64_t)s->size,  s->modified, s->changed};

    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < COUNT(facts); i++)
        json_int(w, facts[i]);
    json_end_array(w);
}

static void put_header(struct json_writer *w, const void *about)
{
    const struct undo_header *h = about;

    put_int(w, "undo", 1);
    put_int(w, "at", h->at);
    put_bytes(w, "project", h->project);
    put_int(w, "inode", (int64_t)h->inode);
    json_true_member_if(w, "git", h->in_git);
    json_text_member_if(w, "session", h->session);
    json_text_member_if(w, "client", h->client);
    json_text_member_if(w, "tool", h->tool);
    json_text_member_if(w, "use", h->use);
    json_text_member_if(w, "decision", h->decision);
    json_text_member_if(w, "hash", h->hash);
    json_text_member_if(w, "text", h->text);
    json_text_member_if(w, "undoes", h->undoes);
    json_true_member_if(w, "part", h->part);
    if (h->whole)
        put_int(w, "whole", h->whole);
    json_true_member_if(w, "alone", h->alone);
}

static void put_attrs(struct json_writer *w, const struct strs *attrs)
{
    json_key(w, "attrs");
    json_begin_array(w);
    for (size_t i = 0; i < attrs->count; i++) {
        struct str s = attrs->items[i];
        char *hex = arena_bytes(w->out->arena, s.len * 2 + 1);
        str_hex(hex, (const uint8_t *)s.s, s.len);
        json_text(w, (struct str){hex, s.len * 2});
    }
    json_end_array(w);
}

static void put_op(struct json_writer *w, const void *about)
{
    const struct undo_op *op = about;

    json_text_member(w, "op", str_from(names[op->what]));
    put_bytes(w, "path", op->path);
    put_bytes(w, "to", op->to);
    put_state(w, "was", &op->was);
    if (op->link != UNDO_SLOT_NONE)
        put_int(w, "link", op->link);
    if (op->copy != UNDO_SLOT_NONE)
        put_int(w, "copy", op->copy);
    if (op->has_attrs)
        put_attrs(w, &op->attrs);
    if (op->above)
        put_int(w, "above", op->above);
    if (op->above_to)
        put_int(w, "above_to", op->above_to);
    json_text_member_if(w, "entry", op->entry);
    json_text_member_if(w, "why", op->why);
}

static void put_end(struct json_writer *w, const void *about)
{
    const struct undo_end *end = about;

    put_state(w, "end", &end->state);
    put_bytes(w, "path", end->path);
    json_text_member_if(w, "digest", end->digest);
    json_true_member_if(w, "made", end->made);
}

static void put_ended(struct json_writer *w, const void *about)
{
    (void)about;
    json_key(w, "ended");
    json_bool(w, true);
}

static void put_rolled(struct json_writer *w, const void *about)
{
    put_int(w, "rolled", (int64_t) * (const size_t *)about);
}

enum status undo_write_header(struct undo_writer *w, const struct undo_header *h, struct error *err)
{
    return put(w, put_header, h, err);
}

enum status undo_write_op(struct undo_writer *w, const struct undo_op *op, struct error *err)
{
    return put(w, put_op, op, err);
}

enum status undo_write_end(struct undo_writer *w, const struct undo_end *end, struct error *err)
{
    return put(w, put_end, end, err);
}

static void put_modes(struct json_writer *w, uint32_t plain, uint32_t runs)
{
    json_key(w, "modes");
    json_begin_array(w);
    json_int(w, plain);
    json_int(w, runs);
    json_end_array(w);
}

static void put_tracked(struct json_writer *w, const void *about)
{
    const struct undo_tracked *t = about;

    json_text_member(w, "tracked", str_from(t->digest));
    put_modes(w, t->modes[0], t->modes[1]);
    put_int(w, "above", t->above);
}

static void put_after(struct json_writer *w, const void *about)
{
    const struct undo_tracked *t = about;

    json_text_member(w, "after", str_from(t->digest_after));
    put_modes(w, t->modes_after[0], t->modes_after[1]);
}

enum status undo_write_tracked(struct undo_writer *w, const struct undo_tracked *t, bool after,
                               struct error *err)
{
    return put(w, after ? put_after : put_tracked, t, err);
}

enum status undo_write_ended(struct undo_writer *w, struct error *err)
{
    return put(w, put_ended, NULL, err);
}

static void put_returned(struct json_writer *w, const void *about)
{
    put_int(w, "returned", *(const int64_t *)about);
}

enum status undo_write_returned(struct undo_writer *w, int64_t slot, struct error *err)
{
    return put(w, put_returned, &slot, err);
}

enum status undo_write_rolled(struct undo_writer *w, size_t left, struct error *err)
{
    return put(w, put_rolled, &left, err);
}

/* ---- reading ---- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool unhex(struct arena *a, struct str hex, struct str *out)
{
    char *bytes = arena_bytes(a, hex.len / 2 + 1);

    for (size_t i = 0; i + 1 < hex.len; i += 2) {
        int high = digit_of(hex.s[i]), low = digit_of(hex.s[i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i / 2] = (char)(high * 16 + low);
    }
    bytes[hex.len / 2] = '\0';
    *out = (struct str){bytes, hex.len / 2};
    return hex.len % 2 == 0;
}

static struct str get_bytes(struct arena *a, const struct value *v, const char *key)
{
    char other[16];
    struct str text = value_text(v, key);

    if (text.len)
        return str_copy(a, text);
    (void)snprintf(other, sizeof(other), "%sx", key);
    return unhex(a, value_text(v, other), &text) ? text : (struct str){0};
}

static int64_t get_int(const struct value *v, const char *key, int64_t otherwise)
{
    int64_t n;
    const struct value *member = value_get(v, key);

    return member && value_integer(member, &n) ? n : otherwise;
}

static bool get_bool(const struct value *v, const char *key)
{
    const struct value *member = value_get(v, key);

    return member && member->kind == VALUE_BOOL && member->boolean;
}

static bool get_state(const struct value *v, const char *key, struct undo_state *out)
{
    int64_t n[8];
    const struct value *list = value_get(v, key);

    if (!list || list->kind != VALUE_ARRAY || list->count != COUNT(n))
        return false;
    for (size_t i = 0; i < COUNT(n); i++)
        if (!value_integer(&list->items[i], &n[i]))
            return false;
    *out = (struct undo_state){
        .kind = (enum undo_kind)n[0],
        .inode = (uint64_t)n[1],
        .mode = (uint32_t)n[2] & 07777,
        .user = (uint32_t)n[3],
        .group = (uint32_t)n[4],
        .size = (uint64_t)n[5],
        .modified = n[6],
        .changed = n[7],
    };
    return n[0] >= UNDO_ABSENT && n[0] <= UNDO_BEYOND;
}

static bool get_attrs(struct arena *a, const struct value *list, struct strs *out)
{
    struct str s;

    if (list->kind != VALUE_ARRAY || list->count % 2)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].kind != VALUE_STRING || !unhex(a, list->items[i].text, &s))
            return false;
        LIST_PUSH(a, out, s);
    }
    return true;
}

struct reading {
    struct arena *arena;
    struct arena scratch;
    struct undo_log *log;
    struct str text;
    bool header;
    bool ending;             /* the lines about the end of the call have begun: */
    struct undo_log unended; /* what the log was before them */
    const char *wrong;       /* NULL: nothing is */
};

static bool read_header(struct reading *r, const struct value *v)
{
    struct arena *a = r->arena;

    r->log->header = (struct undo_header){
        .at = get_int(v, "at", 0),
        .project = get_bytes(a, v, "project"),
        .inode = (uint64_t)get_int(v, "inode", 0),
        .in_git = get_bool(v, "git"),
        .session = str_copy(a, value_text(v, "session")),
        .client = str_copy(a, value_text(v, "client")),
        .tool = str_copy(a, value_text(v, "tool")),
        .use = str_copy(a, value_text(v, "use")),
        .decision = str_copy(a, value_text(v, "decision")),
        .hash = str_copy(a, value_text(v, "hash")),
        .text = str_copy(a, value_text(v, "text")),
        .undoes = str_copy(a, value_text(v, "undoes")),
        .part = get_bool(v, "part"),
        .whole = (enum undo_whole)get_int(v, "whole", UNDO_WHOLE_NOT),
        .alone = get_bool(v, "alone"),
    };
    r->header = true;
    return get_int(v, "undo", 0) == 1 && r->log->header.whole >= UNDO_WHOLE_NOT &&
           r->log->header.whole <= UNDO_WHOLE_TREE;
}

static bool what_of(struct str name, enum undo_what *out)
{
    for (size_t i = 0; i < COUNT(names); i++) {
        if (!str_is(name, names[i]))
            continue;
        *out = (enum undo_what)i;
        return true;
    }
    return false;
}

static void count_slot(struct undo_log *log, int64_t slot)
{
    if (slot >= log->slots)
        log->slots = slot + 1;
}

static bool slot_is_good(int64_t slot)
{
    return slot >= UNDO_SLOT_NONE && slot <= (int64_t)2 * UNDO_OWN_LINES_MAX;
}

static bool read_op(struct reading *r, const struct value *v)
{
    const struct value *attrs = value_get(v, "attrs");
    struct undo_op op = {
        .path = get_bytes(r->arena, v, "path"),
        .to = get_bytes(r->arena, v, "to"),
        .link = get_int(v, "link", UNDO_SLOT_NONE),
        .copy = get_int(v, "copy", UNDO_SLOT_NONE),
        .has_attrs = attrs != NULL,
        .above = get_int(v, "above", 0),
        .above_to = get_int(v, "above_to", 0),
        .entry = str_copy(r->arena, value_text(v, "entry")),
        .why = str_copy(r->arena, value_text(v, "why")),
    };

    if (!what_of(value_text(v, "op"), &op.what) || !get_state(v, "was", &op.was) ||
        (attrs && !get_attrs(r->arena, attrs, &op.attrs)) || !slot_is_good(op.link) ||
        !slot_is_good(op.copy) || r->log->ended || r->log->ops.count >= UNDO_OWN_LINES_MAX)
        return false;
    if (op.what != UNDO_BACK)
        count_slot(r->log, op.link);
    count_slot(r->log, op.copy);
    LIST_PUSH(r->arena, &r->log->ops, op);
    return true;
}

static bool read_end(struct reading *r, const struct value *v)
{
    struct undo_end end = {.path = get_bytes(r->arena, v, "path"),
                           .digest = str_copy(r->arena, value_text(v, "digest")),
                           .made = get_bool(v, "made")};

    if (!get_state(v, "end", &end.state))
        return false;
    LIST_PUSH(r->arena, &r->log->ends, end);
    if (end.made) /* the line that would have been written before the call */
        LIST_PUSH(r->arena, &r->log->ops,
                  ((struct undo_op){.what = UNDO_NONE,
                                    .path = end.path,
                                    .link = UNDO_SLOT_NONE,
                                    .copy = UNDO_SLOT_NONE}));
    return !end.made || (r->log->header.whole && r->log->ops.count < UNDO_OWN_LINES_MAX);
}

static bool get_modes(const struct value *v, uint32_t out[2])
{
    int64_t n;
    const struct value *list = value_get(v, "modes");

    for (size_t i = 0; i < 2; i++) {
        if (!list || list->kind != VALUE_ARRAY || list->count != 2 ||
            !value_integer(&list->items[i], &n))
            return false;
        out[i] = (uint32_t)n & 07777;
    }
    return true;
}

/* Of a whole work tree alone. */
static bool read_tracked(struct reading *r, const struct value *v, bool after)
{
    struct undo_tracked *t = &r->log->tracked;
    struct str digest = value_text(v, after ? "after" : "tracked");

    if (digest.len != UNDO_SUMMED - 1 || r->log->header.whole != UNDO_WHOLE_TREE ||
        t->any != after || t->after || r->log->ended)
        return false;
    t->any = true;
    t->after = after;
    t->above = after ? t->above : get_int(v, "above", 0);
    memcpy(after ? t->digest_after : t->digest, digest.s, digest.len);
    return get_modes(v, after ? t->modes_after : t->modes);
}

static bool read_rolled(struct reading *r, const struct value *v)
{
    int64_t left = get_int(v, "rolled", -1);

    r->log->rolling = true;
    r->log->rolled = (size_t)left;
    return left >= 0 && (size_t)left <= r->log->ops.count;
}

/* From then on the line says that the directory was there; its slot, where it may be still. */
static bool read_returned(struct reading *r, const struct value *v)
{
    const int64_t slot = get_int(v, "returned", UNDO_SLOT_NONE);

    for (size_t i = 0; i < r->log->ops.count; i++) {
        struct undo_op *op = &r->log->ops.items[i];
        if (op->what != UNDO_ASIDE || op->link != slot)
            continue;
        op->what = UNDO_MADE;
        return !r->log->ended;
    }
    return false;
}

/* Whoever writes the lines about the end may be killed; they are written again, all of them. */
static void note_end(struct reading *r, bool ending)
{
    if (ending && !r->ending)
        r->unended = *r->log;
    r->ending = ending;
}

static bool read_value(struct reading *r, const struct value *v)
{
    if (!r->header)
        return read_header(r, v);
    note_end(r, value_get(v, "end") || value_get(v, "after") || value_get(v, "ended"));
    if (value_get(v, "op"))
        return read_op(r, v);
    if (value_get(v, "end"))
        return read_end(r, v);
    if (value_get(v, "returned"))
        return read_returned(r, v);
    if (value_get(v, "tracked") || value_get(v, "after"))
        return read_tracked(r, v, value_get(v, "after") != NULL);
    if (value_get(v, "rolled"))
        return read_rolled(r, v);
    r->log->ended = get_bool(v, "ended");
    return r->log->ended;
}

/* Is it a whole line that follows the one before? `object` is what was summed, its brace apart. */
static bool sum_is_right(struct reading *r, struct str line, char sum[UNDO_SUM_SIZE])
{
    struct buf object = buf_in(&r->scratch);

    if (line.len <= SUM_TAIL)
        return false;
    buf_add(&object, str_slice(line, 0, line.len - SUM_TAIL));
    buf_byte(&object, '}');
    sum_line(r->log->sum, buf_str(&object), sum);
    return str_eq(str_slice(line, line.len - UNDO_SUM_SIZE - 1, line.len - 2), str_from(sum));
}

static void read_lines(void *arg)
{
    struct reading *r = arg;
    struct str line, rest = r->text;
    struct value v;
    char sum[UNDO_SUM_SIZE];

    while (!r->wrong && str_cut(rest, '\n', &line, &rest)) {
        arena_reset(&r->scratch);
        if (!sum_is_right(r, line, sum)) {
            r->wrong = "a line of it was changed";
        } else if (json_read(&r->scratch, line, NULL, &v, NULL) || !read_value(r, &v)) {
            r->wrong = "a line of it makes no sense";
        } else {
            memcpy(r->log->sum, sum, sizeof(sum));
            r->log->len = (size_t)(line.s + line.len + 1 - r->text.s);
        }
    }
}

bool undo_log_is_ended(int directory, uint64_t *size)
{
    static const char end[] = "{\"ended\":true" SUM_BEGINS;
    char text[sizeof(end) - 1 + UNDO_SUM_SIZE - 1 + 3];
    struct stat st;
    AUTO_CLOSE int fd =
        openat(directory, UNDO_JOURNAL_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    *size = 0;
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
        return false;
    *size = (uint64_t)st.st_size;
    return st.st_size > (off_t)sizeof(text) &&
           pread(fd, text, sizeof(text), st.st_size - (off_t)sizeof(text)) ==
               (ssize_t)sizeof(text) &&
           str_starts((struct str){text, sizeof(text)}, (struct str){end, sizeof(end) - 1});
}

static int compare_end(const void *key, const void *item)
{
    return str_compare(*(const struct str *)key, ((const struct undo_end *)item)->path);
}

const struct undo_end *undo_log_end(const struct undo_log *log, struct str path)
{
    return log->ends.count ? bsearch(&path, log->ends.items, log->ends.count,
                                     sizeof(*log->ends.items), compare_end)
                           : NULL;
}

bool undo_may_be_idle(const struct undo_op *op)
{
    return (op->what == UNDO_KEEP && op->copy == UNDO_SLOT_NONE) || op->what == UNDO_MADE;
}

static void find_idle(struct undo_log *log)
{
    for (size_t i = 0; log->ended && i < log->ops.count; i++) {
        struct undo_op *op = &log->ops.items[i];
        op->idle = undo_may_be_idle(op) && !undo_log_end(log, op->path);
    }
}

/* Both arenas have a door: the one of the scratch inside. */
static void read_guarded(void *arg)
{
    struct reading *r = arg;

    if (!arena_try(&r->scratch, read_lines, r))
        r->wrong = "a line of it is too long";
}

enum status undo_log_read(struct arena *a, int directory, struct undo_log *out, struct error *err)
{
    AUTO_FREE char *text = NULL;
    struct reading r = {.arena = a, .log = out};
    enum status status;

    *out = (struct undo_log){0};
    status = state_read(directory, UNDO_JOURNAL_NAME, UNDO_LOG_MAX, &text, &r.text.len, err);
    if (status)
        return status;
    r.text.s = text;
    if (!text)
        return fail(err, STATUS_USAGE, "there is no undo journal");
    arena_init(&r.scratch, LINE_BYTES_MAX * 16);
    bool whole = arena_try(a, read_guarded, &r);
    arena_release(&r.scratch);
    if (!whole)
        return fail(err, STATUS_NOMEM, "the undo journal is too large");
    if (!r.wrong && !r.header)
        return fail(err, STATUS_USAGE, "the undo journal is empty");
    if (r.wrong)
        return fail(err, STATUS_UNSAFE, "the undo journal cannot be used: %s", r.wrong);
    if (r.ending && !out->ended)
        *out = r.unended;
    if (out->ended && out->tracked.after && (status = tracked_expand(a, directory, out, err)))
        return status;
    find_idle(out);
    return STATUS_OK;
}
