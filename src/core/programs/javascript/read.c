/* read.c - whether a JavaScript text only reads, computes and prints, and which files it opens.
 *
 * Whatever is not known to be harmless is refused, by its form:
 *
 * 1. Any value that the text can get may be called from anywhere with any arguments (map, replace,
 * toString) and must be harmless then. What does more (require, readFileSync) is never a value: it
 * is called directly, with arguments that are checked. Modules, process, console and the classes of
 * the language are not values either.
 * 2. Only globals, members of modules, functions of the text itself, and methods named in the
 * tables are called; never the result of a call or of an unknown key.
 * 3. The value of an unknown key is only read (flow.c).
 * 4. Only what the text created, or got as a value, is written to: no prototype, no class, no
 * module.
 *
 * Built-in modules come from the program itself, whatever the directory contains. For a file that
 * is required, the caller checks that it is one and that no code would be loaded in its place
 * (EFFECT_MODULES). */
#include "base/path.h"
#include "programs/javascript/javascript.h"

static void judge(struct judge *j, const struct node *n);

/* The value is only read; its parts are judged. */
static void judge_parts(struct judge *j, const struct node *from)
{
    for (const struct node *n = from; n && !j->bad; n = n->next)
        judge(j, n);
}

/* The value may be used in any way. */
static void judge_value(struct judge *j, const struct node *n)
{
    j->bad |= js_is_wild(n);
    if (!j->bad)
        judge(j, n);
}

static void judge_values(struct judge *j, const struct node *from)
{
    for (const struct node *n = from; n && !j->bad; n = n->next)
        judge_value(j, n);
}

/* ---- names ---- */

struct str js_space_of(struct judge *j, const struct node *n)
{
    struct str outer;

    if (n->kind == NODE_NAME && n->own)
        return n->name->bound == BOUND_MODULE ? n->name->module : (struct str){0};
    if (n->kind == NODE_NAME)
        return !n->name->bound && (js_is_space(n->text) || js_is_module(n->text)) ? n->text
                                                                                  : (struct str){0};
    if (n->kind == NODE_CALL)
        return js_required(n);
    if (n->kind != NODE_MEMBER)
        return (struct str){0};
    outer = js_space_of(j, n->parts);
    if (!str_is(outer, "process"))
        return (struct str){0};
    outer = str_format(j->r->arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(n->text));
    return js_is_space(outer) ? outer : (struct str){0};
}

enum js_use js_use_of(struct judge *j, const struct node *n)
{
    struct str space;

    if (n->kind == NODE_MEMBER) {
        space = js_space_of(j, n->parts);
        return space.len ? js_member_of(space, n->text) : USE_NEVER;
    }
    if (n->kind != NODE_NAME)
        return USE_NEVER;
    if (n->own)
        return n->name->bound == BOUND_MEMBER ? js_member_of(n->name->module, n->name->member)
                                              : USE_NEVER;
    return n->name->bound ? USE_NEVER : js_global(n->text);
}

static bool is_value(enum js_use use)
{
    return use == USE_ANYHOW || use == USE_LOOK || use == USE_JSON || use == USE_DATA;
}

static void judge_name(struct judge *j, const struct node *n)
{
    bool own = n->own && !(n->name->bound & (BOUND_MODULE | BOUND_MEMBER));

    j->bad |= !own && !is_value(js_use_of(j, n));
}

static void judge_member(struct judge *j, const struct node *n)
{
    if (js_space_of(j, n->parts).len) {
        j->bad |= !is_value(js_use_of(j, n)) && js_use_of(j, n) != USE_CODE;
        return;
    }
    j->bad |= js_kind(n) == MEMBER_NEVER;
    if (js_use_of(j, n->parts) == USE_ARGV)
        j->bad |= !str_is(n->text, "length");
    else
        judge(j, n->parts);
}

/* process.argv itself is not a value: whatever gets the list could change it. */
static void judge_index(struct judge *j, const struct node *n)
{
    if (js_use_of(j, n->parts) != USE_ARGV)
        judge(j, n->parts);
    judge(j, n->parts->next);
}

/* ---- calls ---- */

/* {encoding: 'utf8'}: only these keys, with literal values. */
static bool is_plain_options(const struct node *n, const char *keys)
{
    if (!n || n->kind == NODE_STRING || n->kind == NODE_CONSTANT)
        return !n || n->kind == NODE_CONSTANT || n->known;
    if (n->kind != NODE_OBJECT)
        return false;
    for (const struct node *part = n->parts; part; part = part->next)
        if (part->kind != NODE_ENTRY || !str_has_word(str_from(keys), part->text) ||
            (part->parts->kind != NODE_CONSTANT &&
             !(part->parts->kind == NODE_STRING && part->parts->known)))
            return false;
    return true;
}

static bool has_option(const struct node *options, const char *key)
{
    for (const struct node *part = options ? options->parts : NULL; part; part = part->next)
        if (str_is(part->text, key) && !str_is(part->parts->text, "false"))
            return true;
    return false;
}

/* fs: a path, and options that do not change how it is opened. */
static void judge_file(struct judge *j, const struct node *call, enum js_use use)
{
    const struct node *path = call->parts->next, *options = path ? path->next : NULL;
    struct touch how = {PROGRAM_READS, .names = use != USE_READ};

    if (!path || path->kind == NODE_SPREAD || (options && options->next) ||
        !is_plain_options(options, use == USE_LIST ? "withFileTypes recursive encoding"
                                                   : "encoding throwIfNoEntry bigint")) {
        j->bad = true;
        return;
    }
    how.deep = use == USE_LIST && options && options->kind == NODE_OBJECT &&
               has_option(options, "recursive");
    js_touch(j, path, how);
    judge_value(j, path);
}

static void judge_require(struct judge *j, const struct node *call)
{
    const struct node *path = call->parts->next;

    if (!path || path->next || path->kind != NODE_STRING || !path->known)
        j->bad = true;
    else
        js_load(j, path->text);
}

/* A function as second argument sees everything that is read or written, and its results become
 * part of it: Function would turn strings from there into code. */
static void judge_json(struct judge *j, const struct node *call)
{
    const struct node *value = call->parts->next, *choice = value ? value->next : NULL;

    if (!choice || choice->kind == NODE_CONSTANT)
        judge_parts(j, value);
    else
        judge_values(j, value);
}

/* A global, or a member of a module. */
static void judge_use(struct judge *j, const struct node *call, enum js_use use)
{
    switch (use) {
    case USE_PRINT:
        j->bad |= !call->parts->next || call->parts->next->next;
        judge_parts(j, call->parts->next);
        break;
    case USE_LOOK:
    case USE_CALL:
        judge_parts(j, call->parts->next);
        break;
    case USE_ANYHOW:
    case USE_MAKER:
        judge_values(j, call->parts->next);
        break;
    case USE_JSON:
        judge_json(j, call);
        break;
    case USE_REQUIRE:
        judge_require(j, call);
        break;
    case USE_READ:
    case USE_LIST:
    case USE_STATE:
        judge_file(j, call, use);
        break;
    case USE_NEVER:
    case USE_DATA:
    case USE_ARGV:
    case USE_CODE:
    case USE_CLASS:
    case USE_INPUT:
        j->bad = true;
    }
}

/* process.argv.slice(2): methods that make a new value and pass the list to no function. */
static bool is_argv_method(struct judge *j, const struct node *method)
{
    return js_use_of(j, method->parts) == USE_ARGV &&
           str_has_word(STR("slice join includes indexOf at"), method->text);
}

static void judge_method(struct judge *j, const struct node *call)
{
    const struct node *method = call->parts, *on = method->parts;
    enum js_member kind = js_kind(method);

    j->bad |= kind != MEMBER_METHOD && (kind != MEMBER_CHANGES || js_is_wild(on));
    if (!is_argv_method(j, method))
        judge(j, on);
    judge_values(j, method->next);
}

static bool is_own_function(const struct node *n)
{
    return n->kind == NODE_FUNCTION ||
           (n->kind == NODE_NAME && n->own && n->name->bound == BOUND_FUNCTION);
}

static void judge_call(struct judge *j, const struct node *call)
{
    const struct node *callee = call->parts;

    if (callee->kind == NODE_MEMBER && js_space_of(j, callee->parts).len == 0) {
        judge_method(j, call);
    } else if (is_own_function(callee)) {
        judge(j, callee);
        judge_values(j, callee->next);
    } else {
        judge_use(j, call, js_use_of(j, callee));
    }
}

static void judge_new(struct judge *j, const struct node *n)
{
    enum js_use use = js_use_of(j, n->parts);

    j->bad |= use != USE_CLASS && use != USE_MAKER;
    judge_values(j, n->parts->next);
}

/* process.stdin.on('data', ...).on('end', ...) returns process.stdin, so it must be a statement. */
static bool is_input(struct judge *j, const struct node *n)
{
    const struct node *method = n->kind == NODE_CALL ? n->parts : NULL;

    if (!method || method->kind != NODE_MEMBER || n->known)
        return false;
    return js_use_of(j, method) == USE_INPUT ||
           (js_member_of(STR("process.stdin"), method->text) == USE_INPUT &&
            is_input(j, method->parts));
}

/* The handler must be a function of the text: others would get process.stdin as `this`, and [].push
 * would change it. */
static bool is_event(const struct node *call)
{
    const struct node *event = call->parts->next, *function = event ? event->next : NULL;

    if (!str_is(call->parts->text, "on") && !str_is(call->parts->text, "once"))
        return true;
    return function && !function->next && is_own_function(function) && event->kind == NODE_STRING &&
           event->known && str_has_word(STR("data end close error readable"), event->text);
}

static void judge_input(struct judge *j, const struct node *call)
{
    for (const struct node *n = call; n->kind == NODE_CALL && !j->bad; n = n->parts->parts) {
        j->bad |= !is_event(n);
        judge_values(j, n->parts->next);
    }
}

static void judge_statement(struct judge *j, const struct node *n)
{
    if (is_input(j, n))
        judge_input(j, n);
    else
        judge(j, n);
}

/* ---- bindings and assignments ---- */

/* The keys of a pattern are read as members, and its defaults are values of its names. */
static void judge_pattern(struct judge *j, const struct node *n)
{
    if (n->kind == NODE_ASSIGN) {
        judge_pattern(j, n->parts);
        judge(j, n->parts->next);
        return;
    }
    if (n->kind == NODE_ENTRY)
        j->bad |= js_kind(n) == MEMBER_NEVER;
    for (const struct node *part = n->kind == NODE_NAME ? NULL : n->parts; part && !j->bad;
         part = part->next)
        judge_pattern(j, part);
}

static bool is_variable(const struct node *n)
{
    return n->own && !(n->name->bound & (BOUND_MODULE | BOUND_MEMBER));
}

/* Every name in it is declared by the text. */
static void judge_names(struct judge *j, const struct node *n)
{
    if (n->kind == NODE_NAME)
        j->bad |= !is_variable(n);
    if (n->kind == NODE_ASSIGN)
        judge_names(j, n->parts);
    else
        for (const struct node *part = n->kind == NODE_NAME ? NULL : n->parts; part && !j->bad;
             part = part->next)
            judge_names(j, part);
}

/* An object that may be written to: not a function of the language, such as [].map. */
static void judge_written(struct judge *j, const struct node *base)
{
    if (base->kind == NODE_MEMBER)
        j->bad |= js_kind(base) != MEMBER_OWN;
    j->bad |= js_space_of(j, base).len > 0 || js_use_of(j, base) != USE_NEVER;
    judge_value(j, base);
}

static void judge_target(struct judge *j, const struct node *n)
{
    if (n->kind == NODE_MEMBER && js_use_of(j, n) == USE_CODE)
        return;
    if (n->kind == NODE_MEMBER) {
        j->bad |= js_kind(n) != MEMBER_OWN;
        judge_written(j, n->parts);
    } else if (n->kind == NODE_INDEX) {
        judge_written(j, n->parts);
        judge(j, n->parts->next);
    } else {
        judge_names(j, n);
        judge_pattern(j, n);
    }
}

/* Only a name may be assigned a wild value, and it is wild then. */
static void judge_assign(struct judge *j, const struct node *n)
{
    const struct node *target = n->parts, *value = target->next;
    bool place = target->kind == NODE_MEMBER || target->kind == NODE_INDEX;

    judge_target(j, target);
    if (place && !str_is(n->text, "+=") && !str_is(n->text, "-="))
        judge_value(j, value);
    else
        judge(j, value);
}

static void judge_object(struct judge *j, const struct node *n)
{
    j->bad |= n->known;
    for (const struct node *part = n->parts; part && !j->bad; part = part->next) {
        if (part->kind == NODE_COMPUTED) {
            judge(j, part->parts);
            judge_value(j, part->parts->next);
        } else {
            j->bad |= part->kind == NODE_ENTRY && js_kind(part) == MEMBER_NEVER;
            judge_value(j, part->parts);
        }
    }
}

static void judge_class(struct judge *j, const struct node *n)
{
    enum js_use use = js_use_of(j, n->parts);

    j->bad |= use != USE_CLASS && use != USE_MAKER;
}

/* for (const x of process.argv) and const [a, b] = process.argv only read its elements. */
static void judge_each(struct judge *j, const struct node *n)
{
    if (js_use_of(j, n->parts) != USE_ARGV)
        judge(j, n->parts);
}

/* ---- dispatch ---- */

static void judge(struct judge *j, const struct node *n)
{
    switch (n->kind) {
    case NODE_EMPTY:
    case NODE_CONSTANT:
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_REGEX:
        break;
    case NODE_NAME:
        judge_name(j, n);
        break;
    case NODE_CALL:
        judge_call(j, n);
        break;
    case NODE_NEW:
        judge_new(j, n);
        break;
    case NODE_INSTANCE:
        judge_class(j, n);
        break;
    case NODE_MEMBER:
        judge_member(j, n);
        break;
    case NODE_INDEX:
        judge_index(j, n);
        break;
    case NODE_ASSIGN:
        judge_assign(j, n);
        break;
    case NODE_UPDATE:
        judge_target(j, n->parts);
        break;
    case NODE_BIND:
        judge_pattern(j, n->parts);
        break;
    case NODE_EACH:
        judge_each(j, n);
        break;
    case NODE_STATEMENT:
        judge_statement(j, n->parts);
        break;
    case NODE_ARRAY:
    case NODE_SPREAD:
    case NODE_RETURN:
        judge_values(j, n->parts);
        break;
    case NODE_OBJECT:
        judge_object(j, n);
        break;
    case NODE_GROUP:
    case NODE_LOOK:
    case NODE_ARITH:
    case NODE_CHOICE:
    case NODE_FUNCTION:
        judge_parts(j, n->parts);
        break;
    case NODE_ENTRY:
    case NODE_COMPUTED:
    case NODE_PARENS:
        j->bad = true;
    }
}

/* Imported members that are never used count too. */
static bool names_fit(struct name *const *names)
{
    for (size_t i = 0; i < NAME_BUCKETS; i++)
        for (const struct name *name = names[i]; name; name = name->next) {
            unsigned imports = name->bound & (BOUND_MODULE | BOUND_MEMBER);
            if (imports && imports != name->bound)
                return false;
            if (name->bound == BOUND_MEMBER &&
                js_member_of(name->module, name->member) == USE_NEVER)
                return false;
        }
    return true;
}

/* node -p '' and node --print=TEXT run the next word or the standard input, and a word with a
 * leading dash is an option: node -p -e TEXT. Only --eval takes its text from the same word. */
static bool is_text(const struct reading *r, struct piece p)
{
    bool within = r->depth && !str_eq(r->words[p.word].text, p.text);

    return p.known && p.text.len && p.text.s[0] != '-' &&
           (!within || str_starts(r->words[p.word].text, STR("--eval=")));
}

void read_js(struct reading *r, struct piece p)
{
    struct judge j = {.r = r, .piece = p};
    size_t paths = r->out->paths.count, loads = r->out->loads.count;
    struct parser *parser = ARENA_NEW(r->arena, struct parser);
    struct node *tree = is_text(r, p) ? js_parse(parser, r->arena, p.text) : NULL;

    j.bad = !tree || !names_fit(parser->names) || !js_settle(parser);
    if (!j.bad)
        judge(&j, tree);
    r->out->effects |= j.bad ? EFFECT_CODE : EFFECT_MODULES;
    r->out->built_in = !j.bad;
    if (j.bad) {
        r->out->paths.count = paths;
        r->out->loads.count = loads;
    }
}

/* node --input-type: TypeScript is read differently, a<b>(c) as a call. */
void read_jstype(struct reading *r, struct piece p)
{
    if (!p.known || !(str_is(p.text, "module") || str_is(p.text, "commonjs")))
        r->out->effects |= EFFECT_CODE;
}
