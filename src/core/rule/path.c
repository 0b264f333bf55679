/* path.c - the anchors of path rules: ~/x, //x, /x, ./x, ../x, x. */
#include "base/path.h"
#include "base/gitignore.h"
#include "base/glob.h"
#include "rule/open.h"
#include "rule/parse.h"

/* Removes empty components and ".", which no cleaned path contains. */
static struct str tidy(struct arena *a, struct str pattern)
{
    struct buf b = buf_in(a);
    struct str rest = pattern, part;

    while (rest.len > 0) {
        bool more = str_cut(rest, '/', &part, &rest);
        bool first = part.s == pattern.s;
        if ((part.len > 0 && !str_is(part, ".")) || first)
            buf_add(&b, part);
        else
            continue;
        if (!more)
            break;
        buf_byte(&b, '/');
    }
    return buf_str(&b);
}

/* Splits off the anchor mark. The rest starts with '/' if it is anchored; otherwise it matches at
 * any depth. */
static void read_anchor(struct rule_path *p)
{
    struct str t = p->text;

    if (str_starts(t, STR("//"))) {
        p->anchor = ANCHOR_ROOT;
        p->pattern = str_from_byte(t, 1);
    } else if (str_starts(t, STR("~/")) || str_is(t, "~")) {
        p->anchor = ANCHOR_HOME;
        p->pattern = str_from_byte(t, 1);
    } else if (str_starts(t, STR("/"))) {
        p->anchor = ANCHOR_PROJECT;
        p->pattern = t;
    } else if (str_starts(t, STR("./")) || str_is(t, ".")) {
        p->pattern = str_from_byte(t, 1);
    } else {
        p->pattern = t;
        while (str_starts(p->pattern, STR("../")) || str_is(p->pattern, "..")) {
            p->up++;
            p->pattern = str_from_byte(p->pattern, 3);
        }
    }
}

/* Avoids a copy if tidying changed nothing. */
static struct str keep(struct arena *a, struct str before, struct str tidied)
{
    return str_eq(before, tidied) ? before : str_copy(a, tidied);
}

struct str rule_path_name(const struct rule_path *p)
{
    struct str name = p->pattern;

    if (str_ends(name, STR("/**")))
        name.len -= strlen("/**");
    return name.len && name.s[0] == '/' ? str_from_byte(name, 1) : name;
}

static bool is_plain(struct str name)
{
    return name.len && !glob_has_magic(name, GLOB_PATH);
}

enum status rule_path_read(struct arena *a, struct arena *scratch, struct str text,
                           struct rule_path *out, struct error *err)
{
    struct gitignore *g;

    *out = (struct rule_path){.text = text};
    if (text.len == 0)
        return fail(err, STATUS_SYNTAX, "the path is empty");
    if (text.s[0] == '~' && text.len > 1 && text.s[1] != '/')
        return fail(err, STATUS_SYNTAX,
                    "the home of another user is not known here: write //home/user/...");
    read_anchor(out);
    out->pattern = keep(a, out->pattern, tidy(scratch, out->pattern));

    /* Only the anchor means everything below it. */
    if (out->pattern.len == 0 || str_is(out->pattern, "/"))
        out->pattern = str_copy(a, STR("/**"));
    else if (out->up > 0)
        out->pattern = str_join(a, STR("/"), out->pattern);
    out->names_one = is_plain(rule_path_name(out));
    out->names_last = is_plain(path_base(out->pattern));

    enum status s = gitignore_compile(scratch, out->pattern, 0, &g, err);
    return s ? s : gitignore_compile(scratch, open_wide(scratch, out), GLOB_NOCASE, &g, err);
}

struct path_job {
    struct arena *a;
    struct str text;
    struct rule_path *out;
    struct error *err;
    enum status status;
};

static void read_path(void *arg)
{
    struct path_job *j = arg;

    j->status = rule_path_read(j->a, j->a, str_copy(j->a, j->text), j->out, j->err);
}

enum status rule_path_parse(struct arena *a, struct str text, struct rule_path *out,
                            struct error *err)
{
    struct path_job j = {.a = a, .text = text, .out = out, .err = err};

    if (text.len > RULE_MAX_TEXT)
        return fail_at(err, STATUS_LIMIT, 1, RULE_MAX_TEXT, "the path rule is longer than %d bytes",
                       RULE_MAX_TEXT);
    if (str_has(text, '\0'))
        return fail_at(err, STATUS_SYNTAX, 1, (uint32_t)str_index(text, '\0') + 1,
                       "a path rule must not contain a NUL byte");
    if (!arena_try(a, read_path, &j))
        return fail(err, STATUS_NOMEM, "out of memory for a path rule");
    if (j.status && err) {
        err->line = 1;
        err->column = 1;
    }
    return j.status;
}
