/* python_paths.c - which files a Python text opens.
 *
 * A path is followed where it is plain to see: a string, a name that is bound to one exactly once, a loop over strings,
 * over sys.argv[1:], or over what glob finds, os.path.join of strings. All else is a path that nobody knows. */
#include "base/path.h"
#include "programs/python.h"

#define FOLLOWED_MAX 8 /* names that lead to names */

static void add(struct judge *j, struct str text, struct touch how, bool known)
{
    struct piece p = {.word = j->piece.word, .text = text, .known = known};

    if (++j->paths > PYTHON_PATHS_MAX) {
        j->bad = true;
        return;
    }
    add_path(j->r, p, how.access, how.deep);
    if (j->r->out->paths.count)
        j->r->out->paths.items[j->r->out->paths.count - 1].names = how.names;
}

static void add_unknown(struct judge *j, struct touch how)
{
    add(j, STR("\x01"), how, false);
}

/* A tilde is a tilde for open(), and "-" a name. */
static void add_text(struct judge *j, struct str text, struct touch how)
{
    if (text.len && (text.s[0] == '~' || text.s[0] == '-'))
        text = path_join(j->r->arena, STR("."), text);
    if (text.len)
        add(j, text, how, true);
    else
        add_unknown(j, how);
}

/* What Python's glob and a shell's read alike. */
static void add_pattern(struct judge *j, struct str text, struct touch how)
{
    if (text.len == 0 || strpbrk(text.s, "\\{}()!@+^~[]") || text.s[0] == '-') {
        add_unknown(j, how);
        return;
    }
    size_t before = j->r->out->paths.count;
    add(j, text, how, false);
    if (j->r->out->paths.count > before)
        j->r->out->paths.items[before].may_glob = true;
}

static const struct node *argument(const struct node *call, size_t at)
{
    const struct node *n = call->parts->next;

    while (n && at--)
        n = n->next;
    return n && n->kind != NODE_KEYWORD && n->kind != NODE_SPREAD ? n : NULL;
}

static bool is_only_argument(const struct node *call)
{
    return argument(call, 0) && !call->parts->next->next;
}

/* sys.argv[N]; nobody can say which word that is when one before it may become several. */
static void add_word(struct judge *j, size_t at, struct touch how)
{
    for (size_t i = j->piece.word + 1; at && i <= j->piece.word + at; i++) {
        if (i >= j->r->count || j->r->words[i].may_split || j->r->words[i].may_glob) {
            add_unknown(j, how);
            return;
        }
    }
    if (at == 0) {
        add_unknown(j, how);
        return;
    }
    const struct program_word *w = &j->r->words[j->piece.word + at];
    if (w->known)
        add_text(j, w->text, how);
    else
        add(j, w->text, how, false);
}

/* A small number; STR_NONE: it is none. */
static size_t number_of(const struct node *n)
{
    return n && n->kind == NODE_NUMBER && n->text.len == 1 ? (size_t)(n->text.s[0] - '0') : STR_NONE;
}

static bool is_argv(struct judge *j, const struct node *n)
{
    return n->kind == NODE_SUBSCRIPT && python_use_of(j, n->parts) == USE_ARGV;
}

/* os.path.join('a', 'b') */
static bool join(struct judge *j, const struct node *call, struct str *out)
{
    *out = (struct str){0};
    for (const struct node *n = call->parts->next; n; n = n->next) {
        if (n->kind != NODE_STRING || !n->known || n->text.len == 0)
            return false;
        *out = out->len && n->text.s[0] != '/' ? path_join(j->r->arena, *out, n->text) : n->text;
    }
    return out->len > 0;
}

static bool is_member(struct judge *j, const struct node *n, const char *module, const char *name)
{
    if (n->kind == NODE_NAME)
        return n->name->bound == BOUND_MEMBER && str_is(n->name->module, module) && str_is(n->name->member, name);
    return n->kind == NODE_ATTRIBUTE && str_is(n->text, name) && str_is(python_module_of(j, n->parts), module);
}

static bool is_builtin(const struct node *n, const char *name)
{
    return n->kind == NODE_NAME && !n->name->bound && str_is(n->text, name);
}

static void touch(struct judge *j, const struct node *path, struct touch how, unsigned followed);

static void touch_call(struct judge *j, const struct node *call, struct touch how, unsigned followed)
{
    const struct node *callee = call->parts, *first = argument(call, 0);
    struct str joined;

    if (python_use_of(j, callee) == USE_PATH && is_only_argument(call))
        touch(j, first, how, followed);
    else if (is_builtin(callee, "str") && is_only_argument(call))
        touch(j, first, how, followed);
    else if (is_member(j, callee, "os.path", "join") && join(j, call, &joined))
        add_text(j, joined, how);
    else if (is_member(j, callee, "os.path", "expanduser") && is_only_argument(call) && first->kind == NODE_STRING &&
             first->known && str_starts(first->text, STR("~/")))
        add(j, first->text, how, true);
    else
        add_unknown(j, how);
}

/* A list that has a name can be changed on the way. */
static bool is_tuple_name(const struct node *n)
{
    const struct node *value = n->kind == NODE_NAME && n->name->bound == BOUND_VARIABLE ? n->name->value : NULL;

    return value && !n->name->each && value->kind == NODE_LIST && value->known;
}

/* What a loop goes over: each of these. */
static void touch_each(struct judge *j, const struct node *from, struct touch how, unsigned followed)
{
    const struct node *first = from->kind == NODE_CALL ? argument(from, 0) : NULL;
    const struct node *slice = from->kind == NODE_SUBSCRIPT ? from->parts->next : NULL;

    if (followed == FOLLOWED_MAX) {
        add_unknown(j, how);
    } else if (from->kind == NODE_LIST) {
        for (const struct node *n = from->parts; n; n = n->next)
            touch(j, n, how, followed + 1);
    } else if (is_tuple_name(from)) {
        touch_each(j, from->name->value, how, followed + 1);
    } else if (first && (is_builtin(from->parts, "sorted") || is_builtin(from->parts, "list"))) {
        touch_each(j, first, how, followed + 1);
    } else if (first && python_use_of(j, from->parts) == USE_FIND && first->kind == NODE_STRING && first->known &&
               is_only_argument(from)) {
        add_pattern(j, first->text, how);
    } else if (is_argv(j, from) && slice->kind == NODE_SLICE && number_of(slice->parts) == 1 && !slice->parts->next) {
        for (size_t i = 1; j->piece.word + i < j->r->count && !j->bad; i++)
            add_word(j, i, how);
    } else {
        add_unknown(j, how);
    }
}

static void touch(struct judge *j, const struct node *path, struct touch how, unsigned followed)
{
    const struct name *name = path->kind == NODE_NAME ? path->name : NULL;

    if (followed == FOLLOWED_MAX)
        add_unknown(j, how);
    else if (path->kind == NODE_STRING && path->known && !path_has_nul(path->text))
        add_text(j, path->text, how);
    else if (name && name->bound == BOUND_VARIABLE && name->value && name->each)
        touch_each(j, name->value, how, followed + 1);
    else if (name && name->bound == BOUND_VARIABLE && name->value)
        touch(j, name->value, how, followed + 1);
    else if (path->kind == NODE_CALL)
        touch_call(j, path, how, followed + 1);
    else if (is_argv(j, path) && number_of(path->parts->next) != STR_NONE)
        add_word(j, number_of(path->parts->next), how);
    else if (!(how.access == PROGRAM_READS && !how.names && number_of(path) == 0)) /* open(0) is the standard input */
        add_unknown(j, how);
}

void python_touch(struct judge *j, const struct node *path, struct touch how)
{
    if (path)
        touch(j, path, how, 0);
    else
        add_text(j, STR("."), how);
}

void python_find(struct judge *j, const struct node *pattern)
{
    const struct touch how = {PROGRAM_READS, .names = true};

    if (pattern && pattern->kind == NODE_STRING && pattern->known)
        add_pattern(j, pattern->text, how);
    else
        add_unknown(j, how);
}
