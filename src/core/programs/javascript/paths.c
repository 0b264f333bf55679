/* paths.c - which files a JavaScript text opens.
 *
 * A path is followed where it is obvious: a string, a name that is bound to one exactly once, a
 * loop over strings or over process.argv.slice(1), path.join of strings. Every other path is
 * unknown. */
#include "base/path.h"
#include "programs/javascript/javascript.h"

/* Counts one more path; false if there are too many. */
static bool spend(struct judge *j)
{
    if (++j->paths > JS_PATHS_MAX)
        j->bad = true;
    return !j->bad;
}

static void add_unknown(struct judge *j, struct touch how)
{
    if (spend(j))
        inline_add_unknown(j->r, j->piece.word, how);
}

static void add_text(struct judge *j, struct str text, struct touch how)
{
    if (spend(j))
        inline_add_text(j->r, j->piece.word, text, how);
}

/* ---- process.argv ---- */

/* The word that is process.argv[at]: after -e the operands, for a text on standard input those from
 * "-" on. 0 if none. */
static size_t word_of(const struct judge *j, size_t at)
{
    const struct operands *operands = &j->r->operands;
    size_t word;

    if (at == 0)
        return 0;
    if (j->r->depth)
        return at <= operands->count ? operands->items[at - 1] : 0;
    word = j->piece.word + at - 1;
    return word < j->r->count ? word : 0;
}

/* Unknown if a word before it may expand to several. */
static void add_word(struct judge *j, size_t at, struct touch how)
{
    for (size_t i = 1; i <= at; i++) {
        size_t word = word_of(j, i);
        if (word == 0 || j->r->words[word].may_split || j->r->words[word].may_glob) {
            add_unknown(j, how);
            return;
        }
    }
    if (at == 0) {
        add_unknown(j, how);
        return;
    }
    const struct shell_word *w = &j->r->words[word_of(j, at)];
    if (w->known)
        add_text(j, w->text, how);
    else if (spend(j))
        inline_add(j->r, j->piece.word, w->text, how, false);
}

/* A small number; STR_NONE if it is none. */
static size_t number_of(const struct node *n)
{
    return n && n->kind == NODE_NUMBER && n->text.len == 1 ? (size_t)(n->text.s[0] - '0')
                                                           : STR_NONE;
}

static bool is_argv(struct judge *j, const struct node *n)
{
    return js_use_of(j, n) == USE_ARGV;
}

/* process.argv.slice(N): the first word of it; STR_NONE if it is something else. */
static size_t argv_from(struct judge *j, const struct node *n)
{
    const struct node *callee = n->kind == NODE_CALL ? n->parts : NULL;

    if (!callee || callee->kind != NODE_MEMBER || !str_is(callee->text, "slice") ||
        !is_argv(j, callee->parts) || !callee->next || callee->next->next)
        return STR_NONE;
    return number_of(callee->next);
}

/* ---- expressions ---- */

static void touch(struct judge *j, const struct node *path, struct touch how);

/* path.join('a', 'b') */
static bool join(struct judge *j, const struct node *call, struct str *out)
{
    const struct node *callee = call->parts;

    *out = (struct str){0};
    if (callee->kind != NODE_MEMBER || !str_is(callee->text, "join") ||
        !str_is(js_space_of(j, callee->parts), "path"))
        return false;
    for (const struct node *n = callee->next; n; n = n->next) {
        if (n->kind != NODE_STRING || !n->known || n->text.len == 0 ||
            str_contains(n->text, STR("..")))
            return false;
        *out = out->len
                   ? path_join(j->r->arena, *out,
                               str_starts(n->text, STR("/")) ? str_from_byte(n->text, 1) : n->text)
                   : n->text;
    }
    return out->len > 0;
}

/* Touches every value that a loop iterates over. A name bound to an array is not followed: its
 * elements may have changed by then. */
static void touch_each(struct judge *j, const struct node *from, struct touch how)
{
    size_t first = argv_from(j, from);

    if (++j->steps > JS_STEPS_MAX) {
        j->bad = true;
    } else if (from->kind == NODE_ARRAY) {
        for (const struct node *n = from->parts; n && !j->bad; n = n->next)
            touch(j, n, how);
    } else if (first != STR_NONE && first > 0) {
        for (size_t i = first; word_of(j, i) && !j->bad; i++)
            add_word(j, i, how);
    } else {
        add_unknown(j, how);
    }
}

/* const x = 'a'; const y = x: the value of a name that is bound once. */
static void touch_name(struct judge *j, const struct node *n, struct touch how)
{
    const struct name *name = n->name;

    if (!n->own || name->bound != BOUND_VARIABLE || !name->value)
        add_unknown(j, how);
    else if (name->each)
        touch_each(j, name->value, how);
    else
        touch(j, name->value, how);
}

static void touch(struct judge *j, const struct node *path, struct touch how)
{
    struct str joined;

    if (++j->steps > JS_STEPS_MAX)
        j->bad = true;
    else if (path->kind == NODE_STRING && path->known)
        add_text(j, path->text, how);
    else if (path->kind == NODE_NAME)
        touch_name(j, path, how);
    else if (path->kind == NODE_CALL && join(j, path, &joined))
        add_text(j, joined, how);
    else if (path->kind == NODE_INDEX && is_argv(j, path->parts) &&
             number_of(path->parts->next) != STR_NONE)
        add_word(j, number_of(path->parts->next), how);
    else if (how.names || number_of(path) != 0) /* readFileSync(0) is the standard input */
        add_unknown(j, how);
}

void js_touch(struct judge *j, const struct node *path, struct touch how)
{
    touch(j, path, how);
}

/* ---- require ---- */

/* No ".." after a name: node resolves a/../b to b, the disk may not. */
static bool is_plain_path(struct str path)
{
    while (str_starts(path, STR("../")))
        path = str_from_byte(path, 3);
    if (str_starts(path, STR("./")))
        path = str_from_byte(path, 2);
    return !str_contains(path, STR("..")) && !str_contains(path, STR("//")) &&
           !str_contains(path, STR("/./"));
}

void js_load(struct judge *j, struct str path)
{
    bool file =
        str_starts(path, STR("./")) || str_starts(path, STR("../")) || str_starts(path, STR("/"));

    if (!file || !str_ends(path, STR(".json")) || str_ends(path, STR("/.json")) ||
        !is_plain_path(path)) {
        j->bad = true;
        return;
    }
    add_text(j, path, (struct touch){.access = PROGRAM_READS});
    LIST_PUSH(j->r->arena, &j->r->out->loads, path);
}
