/* read.c - whether a Python text only reads, computes and prints, and which files it opens.
 *
 * Whatever is not known to be harmless is refused, by its form:
 *
 * 1. Any value that the text can get may be called from anywhere with any arguments (map,
 * sorted(key=...)) and must be harmless then. What does more (open, str.format, type) is never a
 * value: it is called directly, with arguments that are checked. Classes that do more when called
 * are only used in isinstance and except.
 * 2. Only builtins, members of modules, functions of the text itself, and methods named in the
 * tables are called; never the result of a call or a subscript.
 * 3. No name or attribute begins with an underscore, no attribute is assigned to, and a module is
 * only ever the left side of one of its members.
 *
 * The text does not show which file a module comes from: the caller checks the directory for that
 * (EFFECT_MODULES). */
#include "base/path.h"
#include "programs/python/python.h"

static void judge_value(struct judge *j, const struct node *n);

static void judge_parts(struct judge *j, const struct node *from)
{
    for (const struct node *n = from; n && !j->bad; n = n->next)
        judge_value(j, n);
}

/* ---- names ---- */

static bool is_import(const struct name *name)
{
    return name->bound == BOUND_MODULE || name->bound == BOUND_MEMBER;
}

/* An imported name may be bound to nothing else, and a variable may not hide a risky builtin. */
static bool is_name_fit(const struct judge *j, const struct name *name)
{
    if (name->bound & (BOUND_MODULE | BOUND_MEMBER))
        return is_import(name) && !python_is_risky(name->text, j->three);
    return !name->bound || !python_is_risky(name->text, j->three);
}

struct str python_module_of(struct judge *j, const struct node *n)
{
    if (n->kind == NODE_NAME)
        return n->name->bound == BOUND_MODULE ? n->name->module : (struct str){0};
    if (n->kind != NODE_ATTRIBUTE)
        return (struct str){0};
    struct str outer = python_module_of(j, n->parts);
    if (outer.len == 0)
        return outer;
    struct str inner = str_format(j->r->arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(n->text));
    return python_is_module(inner) ? inner : (struct str){0};
}

static bool is_in_module(struct judge *j, const struct node *n)
{
    return n->kind == NODE_ATTRIBUTE && python_module_of(j, n->parts).len > 0;
}

enum python_use python_use_of(struct judge *j, const struct node *n)
{
    if (n->kind == NODE_ATTRIBUTE)
        return is_in_module(j, n) ? python_member(python_module_of(j, n->parts), n->text)
                                  : USE_NEVER;
    if (n->kind != NODE_NAME || !is_name_fit(j, n->name))
        return USE_NEVER;
    if (n->name->bound == BOUND_MEMBER)
        return python_member(n->name->module, n->name->member);
    return n->name->bound ? USE_NEVER : python_builtin(n->text);
}

static void judge_name(struct judge *j, const struct node *n)
{
    bool own = n->name->bound && !(n->name->bound & (BOUND_MODULE | BOUND_MEMBER));

    j->bad |= own ? !is_name_fit(j, n->name) : python_use_of(j, n) != USE_ANYHOW;
}

/* ---- calls ---- */

struct arguments {
    const struct node *values[4]; /* the first positional ones */
    size_t count;                 /* of all positional ones */
    bool named, spread;
};

static struct arguments arguments_of(const struct node *call)
{
    struct arguments a = {0};

    for (const struct node *n = call->parts->next; n; n = n->next) {
        a.spread |= n->kind == NODE_SPREAD;
        a.named |= n->kind == NODE_KEYWORD;
        if (n->kind == NODE_SPREAD || n->kind == NODE_KEYWORD)
            continue;
        if (a.count < COUNT(a.values))
            a.values[a.count] = n;
        a.count++;
    }
    return a;
}

static const struct node *keyword_of(const struct node *call, const char *name)
{
    for (const struct node *n = call->parts->next; n; n = n->next)
        if (n->kind == NODE_KEYWORD && str_is(n->text, name))
            return n->parts;
    return NULL;
}

/* Every keyword argument is in the list. */
static bool names_are_among(const struct node *call, const char *list)
{
    for (const struct node *n = call->parts->next; n; n = n->next)
        if (n->kind == NODE_KEYWORD && !str_has_word(str_from(list), n->text))
            return false;
    return true;
}

/* The access that this mode of open() needs; 0 if unknown. */
static unsigned access_of(const struct node *mode)
{
    unsigned access = 0, kinds = 0;

    if (!mode)
        return PROGRAM_READS;
    if (mode->kind != NODE_STRING || !mode->known || mode->text.len > 3)
        return 0;
    for (size_t i = 0; i < mode->text.len; i++) {
        char c = mode->text.s[i];
        if (!strchr("rwaxbt+", c))
            return 0;
        kinds += strchr("rwax", c) != NULL;
        access |= c == 'r' ? PROGRAM_READS : strchr("wax", c) ? PROGRAM_WRITES : 0;
        access |= c == '+' ? PROGRAM_READS | PROGRAM_WRITES : 0;
    }
    return kinds == 1 ? access : 0;
}

static void judge_open(struct judge *j, const struct node *call)
{
    struct arguments a = arguments_of(call);
    const struct node *path = a.count ? a.values[0] : keyword_of(call, "file");
    unsigned access = access_of(a.count > 1 ? a.values[1] : keyword_of(call, "mode"));

    if (a.spread || a.count > 4 || !path || !access || (a.count && keyword_of(call, "file")) ||
        !names_are_among(call, "file mode encoding errors newline buffering"))
        j->bad = true;
    else
        python_touch(j, path, (struct touch){.access = access});
}

/* A syntax error prints a line of the file that `filename` names. */
static void judge_parse(struct judge *j, const struct node *call)
{
    struct arguments a = arguments_of(call);
    const struct node *path = a.count > 1 ? a.values[1] : keyword_of(call, "filename");

    j->bad |= a.spread || a.count > 3 ||
              !names_are_among(call, "source filename mode type_comments feature_version");
    if (path && !j->bad)
        python_touch(j, path, (struct touch){.access = PROGRAM_READS});
}

/* '{0.attribute}' and '{0[key]}' reach any attribute. */
static bool is_plain_format(struct str text)
{
    unsigned open = 0;
    bool spec = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        if (c == '{')
            open++;
        if (c == '{' || c == '}')
            spec = c == '}' ? open > 1 : false;
        if (c == '}' && open)
            open--;
        if (c == ':' && open)
            spec = true;
        if (open && !spec && strchr(".[", c))
            return false;
    }
    return true;
}

/* str.replace takes two strings; Path.replace takes one path and moves the file there.
 * datetime.replace takes keywords. */
static bool is_replacement(const struct node *call, const struct arguments *a)
{
    if (a->spread)
        return false;
    return a->count == 0 ? !keyword_of(call, "target") : a->count > 1 && !a->named;
}

static bool is_constant_format(const struct node *method)
{
    return method->parts->kind == NODE_STRING && method->parts->known &&
           is_plain_format(method->parts->text);
}

static enum python_use method_of(struct name *name)
{
    if (!name->looked_up)
        name->method = python_method(name->text);
    name->looked_up = true;
    return name->method;
}

/* Path.glob: a pattern that cannot leave the directory. */
static bool stays_below(const struct arguments *a)
{
    const struct node *pattern = a->count ? a->values[0] : NULL;

    return !a->spread && !a->named && a->count < 2 &&
           (!pattern ||
            (pattern->kind == NODE_STRING && pattern->known &&
             !str_contains(pattern->text, STR("..")) && !str_starts(pattern->text, STR("/"))));
}

/* A method, and the object it is called on. */
static void judge_method(struct judge *j, const struct node *call)
{
    const struct node *method = call->parts, *on = method->parts;
    struct arguments a = arguments_of(call);

    switch (method_of(method->name)) {
    case USE_ANYHOW:
        break;
    case USE_FORMAT:
        j->bad |= !is_constant_format(method);
        break;
    case USE_REPLACE:
        j->bad |= !is_replacement(call, &a);
        break;
    case USE_COPY:
        j->bad |= call->parts->next != NULL;
        break;
    case USE_READ:
        python_touch(j, on, (struct touch){.access = PROGRAM_READS});
        break;
    case USE_WRITE:
        python_touch(j, on, (struct touch){.access = PROGRAM_WRITES});
        break;
    case USE_NAMES:
        j->bad |= !stays_below(&a);
        python_touch(j, on, (struct touch){PROGRAM_READS, .names = true, .deep = true});
        break;
    case USE_NEVER:
    case USE_ARGV:
    case USE_TYPE:
    case USE_CLASS:
    case USE_OPEN:
    case USE_PATH:
    case USE_LIST:
    case USE_WALK:
    case USE_FIND:
    case USE_PARSE:
        j->bad = true;
    }
    judge_value(j, on);
}

/* A builtin, or a member of a module. */
static void judge_use(struct judge *j, const struct node *call, enum python_use use)
{
    struct arguments a = arguments_of(call);

    switch (use) {
    case USE_ANYHOW:
    case USE_PATH:
        break;
    case USE_OPEN:
        judge_open(j, call);
        break;
    case USE_LIST:
    case USE_WALK:
        j->bad |= a.spread || a.named || a.count > 1 || (use == USE_WALK && a.count == 0);
        python_touch(j, a.values[0],
                     (struct touch){PROGRAM_READS, .names = true, .deep = use == USE_WALK});
        break;
    case USE_FIND:
        j->bad |= a.spread || a.count != 1 || !names_are_among(call, "recursive");
        python_find(j, a.values[0]);
        break;
    case USE_PARSE:
        judge_parse(j, call);
        break;
    case USE_NEVER:
    case USE_ARGV:
    case USE_TYPE:
    case USE_CLASS:
    case USE_FORMAT:
    case USE_REPLACE:
    case USE_COPY:
    case USE_READ:
    case USE_WRITE:
    case USE_NAMES:
        j->bad = true;
    }
}

/* type(x), only where its result is printed or compared: as a value it makes classes, and its
 * result can create files (FileIO). */
static bool is_type_of(struct judge *j, const struct node *n)
{
    struct arguments a;

    if (n->kind != NODE_CALL || python_use_of(j, n->parts) != USE_TYPE)
        return false;
    a = arguments_of(n);
    return a.count == 1 && !a.spread && !a.named;
}

/* A value that is only printed or compared; also (ast.Name, ast.Call). */
static void judge_looked_at(struct judge *j, const struct node *from)
{
    for (const struct node *n = from; n && !j->bad; n = n->next) {
        if (n->kind == NODE_LIST)
            judge_looked_at(j, n->parts);
        else if (python_use_of(j, n) != USE_CLASS)
            judge_value(j, is_type_of(j, n) ? n->parts->next : n);
    }
}

static bool is_argv(struct judge *j, const struct node *n)
{
    return python_use_of(j, n) == USE_ARGV;
}

static void judge_arguments(struct judge *j, const struct node *call)
{
    const struct node *callee = call->parts;
    bool plain = callee->kind == NODE_NAME && !callee->name->bound;

    if (plain && str_has_word(STR("print str repr isinstance issubclass"), callee->text))
        judge_looked_at(j, callee->next);
    else if (plain && str_is(callee->text, "len") && callee->next && !callee->next->next &&
             is_argv(j, callee->next))
        return;
    else
        judge_parts(j, callee->next);
}

static void judge_call(struct judge *j, const struct node *call)
{
    const struct node *callee = call->parts;

    if (callee->kind == NODE_ATTRIBUTE && !is_in_module(j, callee))
        judge_method(j, call);
    else if (callee->kind == NODE_NAME && callee->name->bound == BOUND_FUNCTION)
        judge_name(j, callee);
    else
        judge_use(j, call, python_use_of(j, callee));
    judge_arguments(j, call);
}

/* ---- the other expressions ---- */

static void judge_attribute(struct judge *j, const struct node *n)
{
    if (str_is(n->text, "__name__"))
        j->bad |= !is_type_of(j, n->parts);
    else if (is_in_module(j, n))
        j->bad |= python_use_of(j, n) != USE_ANYHOW;
    else
        j->bad |= method_of(n->name) != USE_ANYHOW;
    if (!j->bad && str_is(n->text, "__name__"))
        judge_looked_at(j, n->parts);
    else if (!j->bad && !is_in_module(j, n))
        judge_value(j, n->parts);
}

/* sys.argv itself is not a value: whatever gets the list could change it. */
static void judge_subscript(struct judge *j, const struct node *n)
{
    if (!is_argv(j, n->parts))
        judge_value(j, n->parts);
    judge_value(j, n->parts->next);
}

static void judge_target(struct judge *j, const struct node *n)
{
    switch (n->kind) {
    case NODE_NAME:
        j->bad |= is_import(n->name) || !is_name_fit(j, n->name);
        break;
    case NODE_SUBSCRIPT:
        judge_value(j, n->parts);
        judge_value(j, n->parts->next);
        break;
    case NODE_LIST:
    case NODE_SPREAD:
        for (const struct node *part = n->parts; part && !j->bad; part = part->next)
            judge_target(j, part);
        break;
    case NODE_GROUP:
    case NODE_CONSTANT:
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_FORMAT:
    case NODE_LAMBDA:
    case NODE_COMPARE:
    case NODE_CALL:
    case NODE_KEYWORD:
    case NODE_ATTRIBUTE:
    case NODE_SLICE:
    case NODE_BIND:
        j->bad = true;
    }
}

static void judge_value(struct judge *j, const struct node *n)
{
    switch (n->kind) {
    case NODE_CONSTANT:
    case NODE_NUMBER:
    case NODE_STRING:
        break;
    case NODE_NAME:
        judge_name(j, n);
        break;
    case NODE_CALL:
        judge_call(j, n);
        break;
    case NODE_ATTRIBUTE:
        judge_attribute(j, n);
        break;
    case NODE_SUBSCRIPT:
        judge_subscript(j, n);
        break;
    case NODE_BIND:
        judge_target(j, n->parts);
        break;
    case NODE_FORMAT:
    case NODE_COMPARE:
        judge_looked_at(j, n->parts);
        break;
    case NODE_GROUP:
    case NODE_LIST:
    case NODE_LAMBDA:
    case NODE_KEYWORD:
    case NODE_SPREAD:
    case NODE_SLICE:
        judge_parts(j, n->parts);
    }
}

/* Names that are bound but never used count too: parameters, and targets of `except` and `for`. */
static bool names_fit(const struct judge *j, struct name *const *names)
{
    for (size_t i = 0; i < NAME_BUCKETS; i++)
        for (const struct name *name = names[i]; name; name = name->next)
            if (!is_name_fit(j, name) || (name->bound == BOUND_MEMBER &&
                                          python_member(name->module, name->member) == USE_NEVER))
                return false;
    return true;
}

void read_python(struct reading *r, struct piece p)
{
    struct str program = path_base(r->words[0].text);
    struct judge j = {.r = r, .piece = p, .three = str_starts(program, STR("python3"))};
    size_t paths = r->out->paths.count;
    struct name **names = ARENA_ARRAY(r->arena, struct name *, NAME_BUCKETS);
    struct node *tree = p.known && !str_starts(program, STR("python2"))
                            ? python_parse(r->arena, p.text, names)
                            : NULL;

    j.bad = !tree || !names_fit(&j, names);
    if (!j.bad)
        judge_value(&j, tree);
    r->out->effects |= j.bad ? EFFECT_CODE : EFFECT_MODULES;
    if (j.bad)
        r->out->paths.count = paths;
}
