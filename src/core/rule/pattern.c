#include "rule/pattern.h"

#include "base/glob.h"
#include "base/utf8_fold.h"

static bool is_in(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static struct marked marked_room(struct arena *a, size_t len)
{
    return (struct marked){.s = ARENA_ARRAY(a, char, len + 1),
                           .magic = ARENA_ARRAY(a, bool, len + 1)};
}

static void mark(struct marked *m, char c, bool magic)
{
    m->s[m->len] = c;
    m->magic[m->len++] = magic;
}

struct marked marked_from(struct arena *a, struct str text, const char *escapes, const char *magic)
{
    struct marked m = marked_room(a, text.len);

    for (size_t i = 0; i < text.len; i++) {
        /* A backslash before any other byte is literal: people write grep "a\|b" and C:\x in
         * rules. */
        if (text.s[i] == '\\' && i + 1 < text.len && is_in(text.s[i + 1], escapes))
            mark(&m, text.s[++i], false);
        else
            mark(&m, text.s[i], is_in(text.s[i], magic));
    }
    return m;
}

struct str marked_text(const struct marked *m)
{
    return (struct str){m->s, m->len};
}

/* In some dialects a backslash is the glob's own escape, but it is not a wildcard. */
bool marked_has_magic(const struct marked *m)
{
    for (size_t i = 0; i < m->len; i++)
        if (m->magic[i] && m->s[i] != '\\')
            return true;
    return false;
}

static bool is_star(const struct marked *m, size_t i)
{
    return m->magic[i] && m->s[i] == '*';
}

static bool is_all_stars(const struct marked *m)
{
    for (size_t i = 0; i < m->len; i++)
        if (!is_star(m, i))
            return false;
    return m->len > 0;
}

static struct marked cut(const struct marked *m, size_t len)
{
    struct marked head = *m;

    head.len = len;
    while (head.len > 0 && head.s[head.len - 1] == ' ')
        head.len--;
    return head;
}

/* In glob syntax: literal bytes that the glob would take for wildcards get a backslash. */
static void add_glob(struct buf *b, const struct marked *m)
{
    for (size_t i = 0; i < m->len; i++) {
        if (!m->magic[i] && is_in(m->s[i], "*?[{\\"))
            buf_byte(b, '\\');
        buf_byte(b, m->s[i]);
    }
}

struct str marked_glob(struct arena *a, const struct marked *m)
{
    struct buf b = buf_in(a);

    add_glob(&b, m);
    return buf_str(&b);
}

/* The glob will be compiled as it is and folded (open.h). Check both now: one that does not compile
 * later would match nothing. */
static enum status take_glob(struct arena *a, struct str glob, const struct dialect_row *row,
                             struct rule_reading *out, struct error *err)
{
    struct str folded = utf8_fold(a, glob);
    struct glob *g;

    out->pattern = glob;
    enum status s = glob_compile(a, glob, row->flags, &g, err);
    return s || folded.s == glob.s ? s : glob_compile(a, folded, row->flags | GLOB_NOCASE, &g, err);
}

static enum status read_prefix(struct arena *a, const struct marked *m,
                               const struct dialect_row *row, struct rule_reading *out,
                               struct error *err)
{
    struct marked head = cut(m, m->len - 2);

    if (head.len == 0)
        return fail(err, STATUS_SYNTAX, "expected the start of a command before ':*'");
    if (is_all_stars(&head)) {
        out->matcher = MATCH_ANY;
        return STATUS_OK;
    }
    out->pattern = marked_text(&head);
    if (!marked_has_magic(&head)) {
        out->matcher = MATCH_PREFIX;
        return STATUS_OK;
    }

    /* `git * push:*` is a wildcard with an optional tail. */
    struct buf b = buf_in(a);
    add_glob(&b, &head);
    buf_text(&b, " *");
    out->matcher = MATCH_GLOB;
    out->tail = true;
    return take_glob(a, buf_str(&b), row, out, err);
}

static enum status read_starred(struct arena *a, const struct marked *m,
                                const struct dialect_row *row, struct rule_reading *out,
                                struct error *err)
{
    struct buf b = buf_in(a);

    add_glob(&b, m);
    out->matcher = row->starred;
    out->tail = row->tail && m->len >= 3 && is_star(m, m->len - 1) && m->s[m->len - 2] == ' ' &&
                cut(m, m->len - 1).len > 0;
    return take_glob(a, buf_str(&b), row, out, err);
}

enum status pattern_read(struct arena *a, const struct marked *m, const struct dialect_row *row,
                         struct rule_reading *out, struct error *err)
{
    *out = (struct rule_reading){.pattern = marked_text(m)};
    /* With GLOB_PATH a star stays within a path component, so it does not match everything. */
    if (is_all_stars(m) && !(row->flags & GLOB_PATH) && row->starred == MATCH_GLOB)
        return STATUS_OK;
    if (row->prefix && m->len >= 2 && is_star(m, m->len - 1) && m->s[m->len - 2] == ':')
        return read_prefix(a, m, row, out, err);
    if (marked_has_magic(m) || row->plain == MATCH_ACTION)
        return read_starred(a, m, row, out, err);
    out->matcher = row->plain;
    return STATUS_OK;
}

/* In double quotes a backslash is an escape only before these bytes (POSIX shell, 2.2.3). */
static size_t copy_double_quoted(struct marked *out, const struct marked *m, size_t i)
{
    for (; i < m->len && m->s[i] != '"'; i++) {
        if (m->s[i] == '\\' && i + 1 < m->len && is_in(m->s[i + 1], "$`\"\\"))
            i++;
        mark(out, m->s[i], m->magic[i]);
    }
    return i;
}

static size_t copy_single_quoted(struct marked *out, const struct marked *m, size_t i)
{
    for (; i < m->len && m->s[i] != '\''; i++)
        mark(out, m->s[i], m->magic[i]);
    return i;
}

static void copy_blank(struct marked *out)
{
    if (out->len > 0 && out->s[out->len - 1] != ' ')
        mark(out, ' ', false);
}

bool pattern_unquote(struct arena *a, const struct marked *m, struct marked *out)
{
    *out = marked_room(a, m->len);
    for (size_t i = 0; i < m->len; i++) {
        char c = m->s[i];

        if (c == '\n')
            return false;
        if (c == '"') {
            i = copy_double_quoted(out, m, i + 1);
        } else if (c == '\'') {
            i = copy_single_quoted(out, m, i + 1);
        } else if (c == '\\' && i + 1 < m->len) {
            i++;
            mark(out, m->s[i], m->magic[i]);
        } else if (c == ' ' || c == '\t') {
            copy_blank(out);
        } else {
            mark(out, c, m->magic[i]);
        }
        if (i >= m->len) /* an unclosed quote */
            return false;
    }
    *out = cut(out, out->len);
    return !str_eq(marked_text(out), marked_text(m));
}
