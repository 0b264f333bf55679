/* paths.c - which files a Python text opens.
 *
 * A path is followed where it is obvious: a string, a name that is bound to one exactly once, a
 * loop over strings, over sys.argv[1:] or over what glob finds, os.path.join of strings. Every
 * other path is unknown. */
#include "base/path.h"
#include "programs/python/python.h"

/* Counts one more path; false if there are too many. */
static bool spend(struct judge *j)
{
    if (++j->paths > PYTHON_PATHS_MAX)
        j->bad = true;
    return !j->bad;
}

static void add(struct judge *j, struct str text, struct touch how, bool known)
{
    if (spend(j))
        inline_add(j->r, j->piece.word, text, how, known);
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

/* Only patterns that Python's glob and the shell read alike. */
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

/* sys.argv[N]. Unknown if a word before it may expand to several. */
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
    const struct shell_word *w = &j->r->words[j->piece.word + at];
    if (w->known)
        add_text(j, w->text, how);
    else
        add(j, w->text, how, false);
}

/* A small number; STR_NONE if it is none. */
static size_t number_of(const struct node *n)
{
    return n && n->kind == NODE_NUMBER && n->text.len == 1 ? (size_t)(n->text.s[0] - '0')
                                                           : STR_NONE;
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
        return n->name->bound == BOUND_MEMBER && str_is(n->name->module, module) &&
               str_is(n->name->member, name);
    return n->kind == NODE_ATTRIBUTE && str_is(n->text, name) &&
           str_is(python_module_of(j, n->parts), module);
}

static bool is_builtin(const struct node *n, const char *name)
{
    return n->kind == NODE_NAME && !n->name->bound && str_is(n->text, name);
}

static void touch(struct judge *j, const struct node *path, struct touch how);

/* Path(x) and str(x) are x. */
static bool is_same(struct judge *j, const struct node *call)
{
    return is_only_argument(call) &&
           (python_use_of(j, call->parts) == USE_PATH || is_builtin(call->parts, "str"));
}

static void touch_call(struct judge *j, const struct node *call, struct touch how)
{
    const struct node *callee = call->parts, *first = argument(call, 0);
    struct str joined;

    if (is_same(j, call))
        touch(j, first, how);
    else if (is_member(j, callee, "os.path", "join") && join(j, call, &joined))
        add_text(j, joined, how);
    else if (is_member(j, callee, "os.path", "expanduser") && is_only_argument(call) &&
             first->kind == NODE_STRING && first->known && str_starts(first->text, STR("~/")))
        add(j, first->text, how, true);
    else
        add_unknown(j, how);
}

/* sorted(x) and list(x) iterate over x. So does a name bound to a tuple; a list with a name could
 * have been changed in between. NULL if it is neither. */
static const struct node *goes_over(const struct node *n)
{
    const struct node *value =
        n->kind == NODE_NAME && n->name->bound == BOUND_VARIABLE ? n->name->value : NULL;

    if (n->kind == NODE_CALL && (is_builtin(n->parts, "sorted") || is_builtin(n->parts, "list")))
        return argument(n, 0);
    return value && !n->name->each && value->kind == NODE_LIST && value->known ? value : NULL;
}

/* sys.argv[1:] */
static bool is_all_argv(struct judge *j, const struct node *n)
{
    const struct node *slice = is_argv(j, n) ? n->parts->next : NULL;

    return slice && slice->kind == NODE_SLICE && number_of(slice->parts) == 1 &&
           !slice->parts->next;
}

static bool is_found(struct judge *j, const struct node *n)
{
    const struct node *pattern =
        n->kind == NODE_CALL && is_only_argument(n) ? argument(n, 0) : NULL;

    return pattern && python_use_of(j, n->parts) == USE_FIND && pattern->kind == NODE_STRING &&
           pattern->known;
}

/* Touches every value that a loop iterates over. */
static void touch_each(struct judge *j, const struct node *from, struct touch how)
{
    if (++j->steps > PYTHON_STEPS_MAX) {
        j->bad = true;
    } else if (from->kind == NODE_LIST) {
        for (const struct node *n = from->parts; n && !j->bad; n = n->next)
            touch(j, n, how);
    } else if (goes_over(from)) {
        touch_each(j, goes_over(from), how);
    } else if (is_found(j, from)) {
        add_pattern(j, argument(from, 0)->text, how);
    } else if (is_all_argv(j, from)) {
        for (size_t i = 1; j->piece.word + i < j->r->count && !j->bad; i++)
            add_word(j, i, how);
    } else {
        add_unknown(j, how);
    }
}

/* x = "a"; y = x: the value of a name that is bound once. Steps are counted: x = x is a cycle. */
static void touch_name(struct judge *j, const struct name *name, struct touch how)
{
    if (name->bound != BOUND_VARIABLE || !name->value)
        add_unknown(j, how);
    else if (name->each)
        touch_each(j, name->value, how);
    else
        touch(j, name->value, how);
}

static void touch(struct judge *j, const struct node *path, struct touch how)
{
    if (++j->steps > PYTHON_STEPS_MAX)
        j->bad = true;
    else if (path->kind == NODE_STRING && path->known && !path_has_nul(path->text))
        add_text(j, path->text, how);
    else if (path->kind == NODE_NAME)
        touch_name(j, path->name, how);
    else if (path->kind == NODE_CALL)
        touch_call(j, path, how);
    else if (is_argv(j, path) && number_of(path->parts->next) != STR_NONE)
        add_word(j, number_of(path->parts->next), how);
    else if (!(how.access == PROGRAM_READS && !how.names &&
               number_of(path) == 0)) /* open(0) is the standard input */
        add_unknown(j, how);
}

void python_touch(struct judge *j, const struct node *path, struct touch how)
{
    if (path)
        touch(j, path, how);
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
