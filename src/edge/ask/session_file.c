#include "ask/session_later.h"
#include "ask/session_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/list.h"
#include "base/sha256.h"
#include "machine/shelf.h"
#include "policy/state.h"

#define FORMAT_VERSION 1
#define UPDATE_MEMORY  ((size_t)32 * 1024 * 1024)
#define DAY_SECONDS    86400

void session_name(const struct session_id *id, char out[SESSION_NAME_MAX])
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_init(&h);
    sha256_add(&h, id->client);
    sha256_add(&h, (struct str){"", 1}); /* no client's name contains a NUL */
    sha256_add(&h, id->session);
    sha256_end(&h, hash);
    sha256_hex(hash, hex);
    snprintf(out, SESSION_NAME_MAX, "%s.json", hex);
}

/* ---- reading ---- */

static bool read_count(const struct value *object, const char *key, uint32_t *out)
{
    const struct value *v = value_get(object, key);
    int64_t n;

    if (!v || !value_integer(v, &n) || n < 0 || n > UINT32_MAX)
        return false;
    *out = (uint32_t)n;
    return true;
}

static bool read_mode(const struct value *object, const char *key, bool *has, enum mode *out)
{
    const struct value *v = value_get(object, key);

    *has = v && v->kind == VALUE_STRING;
    return v && (v->kind == VALUE_NULL || (*has && mode_parse(v->text, out)));
}

/* The file of an older version does not say when the session began, so that is unknown. */
static bool read_began(const struct value *object, int64_t *out)
{
    const struct value *v = value_get(object, "began");

    return !v || (value_integer(v, out) && *out >= 0);
}

static bool read_policy(const struct value *object, char out[SHA256_HEX])
{
    const struct value *v = value_get(object, "policy");

    if (!v)
        return true;
    if (v->kind != VALUE_STRING || v->text.len != SHA256_HEX - 1 ||
        strspn(v->text.s, "0123456789abcdef") != SHA256_HEX - 1)
        return false;
    memcpy(out, v->text.s, SHA256_HEX - 1);
    return true;
}

static bool read_grants(struct arena *a, const struct value *v, struct strs *out)
{
    if (!v || v->kind != VALUE_ARRAY || v->count > SESSION_GRANTS_MAX)
        return false;
    for (size_t i = 0; i < v->count; i++) {
        if (v->items[i].kind != VALUE_STRING || v->items[i].text.len != SHA256_HEX - 1)
            return false;
        LIST_PUSH(a, out, v->items[i].text);
    }
    return true;
}

static bool read_given(const struct value *v, struct str *out)
{
    const struct value *given = value_get(v, "given");

    *out = value_text(v, "given");
    return !given || str_starts(*out, STR("/")) || str_eq(*out, GIVEN_UNKNOWN);
}

/* Of a session that brought nothing in, and of older versions, the file does not say it. */
static bool read_tree(struct arena *a, const struct value *v, struct session *out)
{
    const struct value *keys = value_get(v, "agreements");

    if (value_get(v, "brought") &&
        !(read_count(v, "brought", &out->brought) && read_count(v, "agreed", &out->agreed)))
        return false;
    if ((keys && keys->count > SESSION_AGREEMENTS_MAX) || !read_given(v, &out->given))
        return false;
    return out->agreed <= out->brought && (!keys || read_grants(a, keys, &out->agreements));
}

static bool read_mark(const struct value *v, struct file_mark *out)
{
    if (v->kind == VALUE_NULL)
        return true;
    return v->kind == VALUE_ARRAY && v->count == 3 && value_integer(&v->items[0], &out->device) &&
           value_integer(&v->items[1], &out->inode) && value_integer(&v->items[2], &out->changed) &&
           out->changed > 0;
}

static bool read_program(const struct value *v, struct session_program *out)
{
    const struct value *built = value_get(v, "built"), *seen = value_get(v, "seen"),
                       *tree = value_get(v, "tree");

    *out = (struct session_program){.path = value_text(v, "path"), .tree = value_text(v, "tree")};
    return built && seen && tree && tree->kind == VALUE_STRING &&
           value_integer(built, &out->built) && out->built >= 0 && read_mark(seen, &out->seen) &&
           str_starts(out->path, STR("/")) && out->path.len <= SESSION_PROGRAM_PATH_MAX + 1 &&
           (out->tree.len == 0 || out->tree.s[0] == '/');
}

static bool read_programs(struct arena *a, const struct value *v, struct session_programs *out)
{
    struct session_program p;

    if (v && (v->kind != VALUE_ARRAY || v->count > SESSION_PROGRAMS_MAX))
        return false;
    for (size_t i = 0; v && i < v->count; i++) {
        if (!read_program(&v->items[i], &p))
            return false;
        LIST_PUSH(a, out, p);
    }
    return true;
}

static bool read_latch(const struct value *v, bool *out)
{
    const struct value *latch = value_get(v, "auto_asks");

    *out = latch != NULL;
    return !latch || (latch->kind == VALUE_BOOL && latch->boolean);
}

static bool read_session(struct arena *a, const struct value *v, struct session *out)
{
    const struct value *workspace = value_get(v, "workspace");
    uint32_t version;

    if (!read_count(v, "version", &version) || version != FORMAT_VERSION || !workspace ||
        workspace->kind != VALUE_STRING || (workspace->text.len && workspace->text.s[0] != '/'))
        return false;
    out->workspace = workspace->text;
    return read_mode(v, "mode", &out->has_mode, &out->mode) &&
           read_mode(v, "prior", &out->has_prior, &out->prior) &&
           (!value_get(v, "main") || read_mode(v, "main", &out->has_main, &out->main)) &&
           read_count(v, "denials", &out->denials) &&
           read_count(v, "denials_in_a_row", &out->denials_in_a_row) &&
           read_latch(v, &out->auto_asks) && read_began(v, &out->began) &&
           read_policy(v, out->policy) && read_grants(a, value_get(v, "grants"), &out->grants) &&
           approvals_read(a, value_get(v, "approvals"), &out->approvals) && read_tree(a, v, out) &&
           read_programs(a, value_get(v, "programs"), &out->programs);
}

enum status session_parse(struct arena *a, const char *name, struct str text, struct session *out,
                          struct error *err)
{
    struct value *v = ARENA_NEW(a, struct value);

    *out = (struct session){.fresh = !text.s};
    if (text.s && (json_read(a, text, NULL, v, NULL) != STATUS_OK || !read_session(a, v, out))) {
        *out = (struct session){0};
        return fail(err, STATUS_SYNTAX,
                    "the session file is damaged; remove it: " SESSIONS_BELOW "/%s", name);
    }
    return STATUS_OK;
}

static enum status fetch(const struct session_id *id, const char *name, char **text, size_t *len,
                         struct error *err)
{
    AUTO_CLOSE int directory = -1;

    if (id->shelf)
        return shelf_read(id->shelf, name, text, len, err);
    enum status status = state_find(id->state_dir, SESSIONS_BELOW, &directory, err);
    *text = NULL;
    *len = 0;
    if (status || directory < 0)
        return status;
    return state_read(directory, name, SESSION_FILE_MAX, text, len, err);
}

struct session_text {
    struct arena *arena;
    const char *name;
    struct str text;
    struct session *out;
    struct error *err;
    enum status status;
};

static void load(void *arg)
{
    struct session_text *l = arg;

    l->status = session_parse(l->arena, l->name, l->text, l->out, l->err);
}

enum status session_load(struct arena *a, const struct session_id *id, struct session *out,
                         struct error *err)
{
    char name[SESSION_NAME_MAX];
    AUTO_FREE char *text = NULL;
    struct session_text l = {.arena = a, .name = name, .out = out, .err = err};

    *out = (struct session){0};
    if (id->session.len == 0)
        return STATUS_OK;
    session_name(id, name);
    enum status status = fetch(id, name, &text, &l.text.len, err);
    if (status)
        return status;
    l.text.s = text;
    if (arena_try(a, load, &l)) {
        if (out->began >
            time(
                NULL)) { /* the clock was set back: it cannot be compared with the times of files */
            out->began = 0;
            out->programs.count = 0;
        }
        return l.status;
    }
    *out = (struct session){0};
    return fail(err, STATUS_NOMEM, "no memory to read the session");
}

enum status session_meet(struct arena *a, const struct session_id *id, struct session *out,
                         struct error *err)
{
    int64_t now = time(NULL); /* taken before the file is searched: as long as there is none, no
                                 call has been answered */
    enum status status = session_load(a, id, out, err);

    if (!status && out->fresh && id->session.len)
        out->began = now;
    return status;
}

/* ---- writing ---- */

static void write_mode(struct json_writer *w, const char *key, bool has, enum mode mode)
{
    json_key(w, key);
    if (has)
        json_text(w, str_from(mode_name(mode)));
    else
        json_null(w);
}

static void write_program(struct json_writer *w, const struct session_program *p)
{
    json_begin_object(w);
    json_text_member(w, "path", p->path);
    json_text_member(w, "tree", p->tree);
    json_key(w, "built");
    json_int(w, p->built);
    json_key(w, "seen");
    if (p->seen.changed) {
        json_begin_array(w);
        json_int(w, p->seen.device);
        json_int(w, p->seen.inode);
        json_int(w, p->seen.changed);
        json_end_array(w);
    } else {
        json_null(w);
    }
    json_end_object(w);
}

/* Most sessions build none. */
static void write_programs(struct json_writer *w, const struct session_programs *programs)
{
    if (programs->count == 0)
        return;
    json_key(w, "programs");
    json_begin_array(w);
    for (size_t i = 0; i < programs->count && i < SESSION_PROGRAMS_MAX; i++)
        write_program(w, &programs->items[i]);
    json_end_array(w);
}

static void write_keys(struct json_writer *w, const char *name, const struct strs *keys,
                       size_t most)
{
    json_key(w, name);
    json_begin_array(w);
    for (size_t i = 0; i < keys->count && i < most; i++)
        json_text(w, keys->items[i]);
    json_end_array(w);
}

static void write_tree(struct json_writer *w, const struct session *s)
{
    if (s->brought) {
        json_key(w, "brought");
        json_int(w, s->brought);
        json_key(w, "agreed");
        json_int(w, s->agreed);
    }
    if (s->agreements.count)
        write_keys(w, "agreements", &s->agreements, SESSION_AGREEMENTS_MAX);
    if (s->given.len)
        json_text_member(w, "given", s->given);
}

/* Whose approvals these are: the name of the file does not say it. */
static void write_names(struct json_writer *w, const struct session *s, const struct session_id *id)
{
    if (s->approvals.count == 0 || id->session.len > SESSION_SHOWN_MAX)
        return;
    json_text_member(w, "client", id->client);
    json_text_member(w, "session", id->session);
}

static struct str print(struct arena *a, const struct session *s, const struct session_id *id)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_key(&w, "version");
    json_int(&w, FORMAT_VERSION);
    json_text_member(&w, "workspace", s->workspace);
    write_mode(&w, "mode", s->has_mode, s->mode);
    write_mode(&w, "prior", s->has_prior, s->prior);
    if (s->has_main)
        write_mode(&w, "main", s->has_main, s->main);
    json_key(&w, "denials");
    json_int(&w, s->denials);
    json_key(&w, "denials_in_a_row");
    json_int(&w, s->denials_in_a_row);
    json_true_member_if(&w, "auto_asks", s->auto_asks);
    json_key(&w, "began");
    json_int(&w, s->began);
    if (s->policy[0])
        json_text_member(&w, "policy", str_from(s->policy));
    write_keys(&w, "grants", &s->grants, SESSION_GRANTS_MAX);
    write_names(&w, s, id);
    approvals_write(&w, &s->approvals);
    write_tree(&w, s);
    write_programs(&w, &s->programs);
    json_end_object(&w);
    buf_byte(&b, '\n');
    return buf_str(&b);
}

/* ---- forgetting ---- */

bool session_is_file(const char *name)
{
    size_t len = strspn(name, "0123456789abcdef");

    return len == SHA256_HEX - 1 && strcmp(name + len, ".json") == 0;
}

/* Called before a new session gets its file, under the lock. It does no harm if an old one cannot
 * be removed. */
static void forget_old(int directory, time_t now)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
    const struct dirent *e;
    struct stat st;
    char oldest[SESSION_NAME_MAX] = "";
    time_t oldest_time = now;
    size_t count = 0;

    if (!d && copy >= 0)
        close(copy);
    while (d && (e = readdir(d))) {
        if (!session_is_file(e->d_name) ||
            fstatat(directory, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (now - st.st_mtime > (time_t)SESSION_DAYS * DAY_SECONDS) {
            (void)unlinkat(directory, e->d_name, 0);
            continue;
        }
        count++;
        if (!oldest[0] || st.st_mtime < oldest_time) {
            memcpy(oldest, e->d_name,
                   strlen(e->d_name) + 1); /* session_is_file() fixes its length */
            oldest_time = st.st_mtime;
        }
    }
    if (d)
        closedir(d);
    if (count >= SESSIONS_MAX)
        (void)unlinkat(directory, oldest, 0);
}

/* ---- changing ---- */

struct session_edit {
    struct arena arena;
    const struct session_id *id;
    const char *name;
    struct str old;
    session_change *change;
    void *context;
    struct session *after;
    struct str text; /* empty: nothing has changed */
    struct error *err;
    enum status status;
};

static void change_text(void *arg)
{
    struct session_edit *c = arg;
    struct session s;

    c->status = session_parse(&c->arena, c->name, c->old, &s, c->err);
    if (c->status)
        return;
    c->change(&c->arena, &s, c->context);
    c->text = print(&c->arena, &s, c->id);
    if (str_eq(c->text, c->old))
        c->text = (struct str){0};
    if (c->after) {
        *c->after = s;
        c->after->grants = (struct strs){0};
        c->after->approvals = (struct session_approvals){0};
        c->after->agreements = (struct strs){0};
        c->after->programs = (struct session_programs){0};
        c->after->workspace = c->after->given = (struct str){0};
    }
}

/* Gives the new text, from the session as it is kept now; empty: nothing has changed. */
static enum status change_kept(void *edit, struct str old, struct str *text, struct error *err)
{
    struct session_edit *c = edit;

    c->old = old;
    if (!arena_try(&c->arena, change_text, c))
        return fail(err, STATUS_NOMEM, "no memory to write the session");
    *text = c->text;
    return c->status;
}

static enum status change_file(struct session_edit *c, int directory)
{
    AUTO_FREE char *old = NULL;
    struct str text = {0};
    size_t len;
    enum status status = state_read(directory, c->name, SESSION_FILE_MAX, &old, &len, c->err);

    if (status || (status = change_kept(c, (struct str){old, len}, &text, c->err)) || !text.len)
        return status;
    if (!old)
        forget_old(directory, time(NULL));
    if (c->id->later && session_later_add(c->id->later, c->name))
        return state_replace_unsynced(directory, c->name, text, c->err);
    return state_replace(directory, c->name, text, c->err);
}

static enum status change_on_disk(struct session_edit *c, const char *state_dir)
{
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    enum status status;

    if ((status = state_open(state_dir, SESSIONS_BELOW, &directory, c->err)) ||
        (status = state_lock(directory, SESSION_LOCK, &lock, c->err)))
        return status;
    return change_file(c, directory);
}

enum status session_update(const struct session_id *id, session_change *change, void *context,
                           struct session *after, struct error *err)
{
    char name[SESSION_NAME_MAX];
    struct session_edit c = {
        .id = id, .name = name, .change = change, .context = context, .after = after, .err = err};

    if (after)
        *after = (struct session){0};
    if (id->session.len == 0)
        return STATUS_OK;
    session_name(id, name);
    arena_init(&c.arena, UPDATE_MEMORY);
    enum status status = id->shelf ? shelf_edit(id->shelf, name, change_kept, &c, err)
                                   : change_on_disk(&c, id->state_dir);
    arena_release(&c.arena);
    return status;
}

enum status session_remove(const struct session_id *id, struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    char name[SESSION_NAME_MAX];

    session_name(id, name);
    if (id->shelf) {
        shelf_remove(id->shelf, name);
        return STATUS_OK;
    }
    enum status status = state_find(id->state_dir, SESSIONS_BELOW, &directory, err);
    if (status || directory < 0)
        return status;
    if ((status = state_lock(directory, SESSION_LOCK, &lock, err)))
        return status;
    if (unlinkat(directory, name, 0) != 0 && errno != ENOENT)
        return fail(err, STATUS_IO, "the session cannot be removed: %s", strerror(errno));
    return STATUS_OK;
}
