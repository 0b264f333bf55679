/* param_value.c - what ${...} is, as far as it is known. */
#include <stdlib.h>

#include "shell/walk.h"

bool param_is_list(const struct param *p)
{
    if (p->form != PARAM_PLAIN || p->op.len)
        return false;
    return p->all || str_is(p->name, "@") || str_is(p->name, "*");
}

static char upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static bool holds(struct str name, const char *text)
{
    size_t len = strlen(text);

    for (size_t i = 0; i + len <= name.len; i++) {
        size_t n = 0;
        while (n < len && upper(name.s[i + n]) == text[n])
            n++;
        if (n == len)
            return true;
    }
    return false;
}

bool env_holds_secret(const struct walk *w, struct str name)
{
    static const char *const words[] = {
        "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "API_KEY", "ACCESS_KEY",
        "PRIVATE_KEY", "CREDENTIAL", "APIKEY",
        /* addresses with a password in them */
        "DATABASE_URL", "REDIS_URL", "MONGO_UR", "MONGODB_UR", "AMQP_URL", "CONNECTION_STRING",
        "WEBHOOK", "JWT", "COOKIE"};

    static const char *const ends[] = {"_PASS", "_PWD", "_PAT", "_KEY", "_AUTH", "_DSN"};

    if (env_owns(&w->env, name))
        return false;
    for (size_t i = 0; i < COUNT(ends); i++)
        if (name.len > strlen(ends[i]) &&
            holds(str_from_byte(name, name.len - strlen(ends[i])), ends[i]))
            return true;
    for (size_t i = 0; i < COUNT(words); i++)
        if (holds(name, words[i]))
            return true;
    return w->tested && (str_is(name, "_") || str_is(name, "BASH_REMATCH"));
}

/* Does it show the value of a variable from outside whose name looks like that of a secret?
 * ${x:+set} and ${#x} do not show it; ${!x} may show any. */
static bool shows_secret(const struct walk *w, const struct param *p)
{
    if (p->form == PARAM_INDIRECT)
        return true;
    return p->form == PARAM_PLAIN && !(p->op.len && p->op.s[p->op.len - 1] == '+') &&
           env_holds_secret(w, p->name);
}

/* ${x:-word} and similar. */
static bool has_default(const struct param *p)
{
    return p->op.len && p->op.len <= 2 && strchr("-=?+", p->op.s[p->op.len - 1]);
}

/* ${TOKEN%%[!a]*}, ${a[$TOKEN]}: a part of it, or what depends on it. ${TOKEN:-x} is all of it. */
static void note_secret(struct walk *w, const struct param *p)
{
    if (!shows_secret(w, p))
        return;
    w->secret = true;
    w->cut |= p->op.len && !has_default(p);
}

bool param_list(struct walk *w, const struct param *p, struct shell_words *out)
{
    struct shell_value v;

    if (!p->has_subscript) {
        *out = w->env.args.words;
        return w->env.args.known;
    }
    note_secret(w, p);
    if (!env_lookup(&w->env, p->name, &v) || !v.known || !v.array)
        return false;
    *out = v.elements;
    return true;
}

static struct shell_value known(struct str text)
{
    return (struct shell_value){.text = text, .known = true, .number = text_is_number(text)};
}

/* One that is not given is empty, or an error after set -u. */
static struct shell_value missing(struct walk *w, const struct param *p)
{
    if (!w->seen.nounset || has_default(p))
        return known((struct str){0});
    env_may_give_up(w);
    return (struct shell_value){0};
}

static struct shell_value positional(struct walk *w, const struct param *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->name.len && n < 1000; i++)
        n = n * 10 + (size_t)(p->name.s[i] - '0');
    if (!n || !w->env.args.known)
        return (struct shell_value){0};
    if (n > w->env.args.words.count)
        return missing(w, p);
    const struct shell_word *arg = &w->env.args.words.items[n - 1];
    return (struct shell_value){.text = arg->text,
                                .known = arg->known,
                                .like = arg->like,
                                .fresh = arg->fresh,
                                .found = arg->found};
}

/* A number that is not negative. */
static struct shell_value a_count(void)
{
    return (struct shell_value){
        .number = true, .filled = true, .one = true, .shape = SHAPE_NO_DASH};
}

static struct shell_value special(struct walk *w, struct str name)
{
    switch (name.s[0]) {
    case '#':
        if (w->env.args.known)
            return known(str_format(w->arena, "%zu", w->env.args.words.count));
        return a_count();
    case '?':
    case '$':
        return a_count();
    case '!':
        return (struct shell_value){.number = true, .one = true, .shape = SHAPE_NO_DASH};
    default:
        return (struct shell_value){0};
    }
}

/* Variables that the shell itself sets. */
static struct shell_value of_the_shell(struct walk *w, struct str name)
{
    static const char *const numbers[] = {"RANDOM", "SECONDS", "LINENO", "UID",   "EUID",
                                          "PPID",   "BASHPID", "SHLVL",  "OPTIND"};

    if (str_is(name, "HOME") && w->context->home.len)
        return known(w->context->home);
    if (str_is(name, "PWD") && directory_sure_path(&w->env.directory).len)
        return known(w->env.directory.here.path);
    if (str_is(name, "IFS") && w->env.ifs.known)
        return known(w->env.ifs.chars);
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (str_is(name, numbers[i]))
            return a_count();
    return (struct shell_value){0};
}

static struct shell_value element(struct walk *w, const struct param *p, struct shell_value v)
{
    struct word sub = {.parts = p->subscript};
    struct str text;

    if (p->all)
        return (struct shell_value){0};
    struct shell_value index = arith_value(w, &p->subscript, 0);
    if (v.array && v.known && word_static(w->arena, &sub, &text) && index.known &&
        text_is_number(text) && text.len < 6) {
        size_t i = (size_t)strtol(str_copy(w->arena, text).s, NULL, 10);
        if (i < v.elements.count && text.s[0] != '-')
            return (struct shell_value){.text = v.elements.items[i].text,
                                        .known = v.elements.items[i].known};
    }
    return (struct shell_value){0};
}

static struct shell_value plain(struct walk *w, const struct param *p)
{
    struct shell_value v;

    if (p->name.s[0] >= '0' && p->name.s[0] <= '9')
        return positional(w, p);
    if (p->name.len == 1 && strchr("@*#?-$!", p->name.s[0]))
        return special(w, p->name);
    if ((!env_lookup(&w->env, p->name, &v) || str_is(p->name, "IFS")) && !p->has_subscript)
        return of_the_shell(w, p->name);
    if (p->has_subscript)
        return element(w, p, v);
    if (v.array) {
        if (!v.known || !v.elements.count)
            return (struct shell_value){0};
        return (struct shell_value){.text = v.elements.items[0].text,
                                    .known = v.elements.items[0].known};
    }
    return v;
}

/* ${x:-a:~} has a home in it when it is assigned, and none elsewhere. "${x#~}" has one even in
 * quotes. */
static bool has_odd_tilde(const struct param *p)
{
    bool pattern = p->op.s[0] == '#' || p->op.s[0] == '%';

    for (size_t i = 0; i < p->operand.parts.count; i++) {
        const struct part *part = &p->operand.parts.items[i];
        if (part->kind == PART_TEXT &&
            (str_contains(part->text, STR(":~")) || (pattern && str_has(part->text, '~'))))
            return true;
    }
    return false;
}

/* Whether bash expands it depends on the value of the parameter. */
static struct shell_value operand(struct walk *w, const struct param *p)
{
    const struct variables before = env_variables(w);
    struct shell_word now = eval_value(w, &p->operand, 0);

    env_may_be_unread(w, &before);
    if (has_odd_tilde(p))
        return (struct shell_value){0};
    return (struct shell_value){
        .text = now.text, .known = now.known, .number = now.known && text_is_number(now.text)};
}

/* ${x?} of what may be empty; ${1=x} and ${a[@]=x}, where nothing can be assigned; ${a[-1]=x},
 * which may be before the first element. */
static bool may_be_error(const struct param *p, char kind, struct shell_value v)
{
    bool assignable = name_is_identifier(p->name) && !p->has_subscript;

    return (kind == '?' || (kind == '=' && !assignable)) && !(v.known ? v.text.len : v.filled);
}

/* The word is always expanded here: commands in it may run. */
static struct shell_value with_default(struct walk *w, const struct param *p, struct shell_value v)
{
    char kind = p->op.s[p->op.len - 1];
    struct shell_value other = operand(w, p);

    if (kind == '=')
        shell_add_set(w, p->name, p->operand.at, p->operand.len);
    if (may_be_error(p, kind, v)) {
        env_may_give_up(w);
        v = (struct shell_value){0};
    }
    if (!v.known) {
        if (kind == '=')
            env_forget(w, p->name);
        return (struct shell_value){.number = v.number && other.number};
    }
    bool empty = !v.text.len;
    if (empty && p->op.len == 1)
        return (struct shell_value){0}; /* set or not: not tracked */
    switch (kind) {
    case '-':
        return empty ? other : v;
    case '=':
        other.own = true; /* it was known to be empty */
        if (empty)
            env_bind(w, p->name, other);
        return empty ? other : v;
    case '+':
        return empty ? known((struct str){0}) : other;
    default:
        return v;
    }
}

/* ${x#text} and ${x%text} with a plain text, as used to shorten file names. */
static struct shell_value trimmed(struct walk *w, const struct param *p, struct shell_value v)
{
    struct shell_value cut = operand(w, p);

    if (!v.known || !cut.known)
        return (struct shell_value){0};
    for (size_t i = 0; i < cut.text.len; i++)
        if (strchr("*?[(\\", cut.text.s[i]))
            return (struct shell_value){0};
    if (p->op.s[0] == '#' && str_starts(v.text, cut.text))
        return known(str_from_byte(v.text, cut.text.len));
    if (p->op.s[0] == '%' && str_ends(v.text, cut.text))
        return known(str_slice(v.text, 0, v.text.len - cut.text.len));
    return v;
}

static bool is_ascii(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.s[i] > 0x7e || s.s[i] == WORD_UNKNOWN)
            return false;
    return true;
}

/* A few decimal digits: 010 would be eight. */
static bool read_offset(struct walk *w, struct str s, size_t *out)
{
    if (!text_is_number(s) || s.s[0] == '-' || s.len > 6 || (s.len > 1 && s.s[0] == '0'))
        return false;
    *out = (size_t)strtol(str_copy(w->arena, s).s, NULL, 10);
    return true;
}

/* ${x:2} and ${x:0:2} of a known ASCII text, with plain numbers, as used to make paths from hashes.
 * A character is then one byte in every locale. */
static struct shell_value sliced(struct walk *w, const struct param *p, struct shell_value v)
{
    const struct variables before = env_variables(w);
    size_t start, len = v.text.len;
    struct str text, from, count;

    arith_value(w, &p->operand.parts, p->operand.at);
    env_may_be_unread(w, &before);
    if (!v.known || v.array || !is_ascii(v.text) || !word_static(w->arena, &p->operand, &text))
        return (struct shell_value){0};
    bool counted = str_cut(text, ':', &from, &count);
    if (!read_offset(w, from, &start) || (counted && !read_offset(w, count, &len)))
        return (struct shell_value){0};
    start = start < v.text.len ? start : v.text.len;
    return known(str_slice(v.text, start, len < v.text.len - start ? start + len : v.text.len));
}

static struct shell_value with_operator(struct walk *w, const struct param *p, struct shell_value v)
{
    char last = p->op.s[p->op.len - 1];

    if (p->op.s[0] == '@') {
        if (last == 'P')
            walk_fail(w, p->operand.at,
                      "a value is expanded like a prompt, which runs what is in it");
        return (struct shell_value){0};
    }
    if (has_default(p))
        return with_default(w, p, v);
    if (str_is(p->op, ":"))
        return sliced(w, p, v);
    if (p->op.s[0] == '#' || p->op.s[0] == '%')
        return trimmed(w, p, v);
    operand(w, p);
    return (struct shell_value){0};
}

/* ${!x:=word} sets the variable whose name is in x. */
static void set_indirect(struct walk *w, const struct param *p, struct shell_value v)
{
    if (!v.known)
        walk_fail(w, p->operand.at, "a variable is set whose name is not known before run time");
    shell_add_set(w, v.text, p->operand.at, p->operand.len);
    env_forget(w, v.text);
}

/* ${!x}: a subscript in the value of x is arithmetic. What is no name at all is an error. */
static void check_indirect(struct walk *w, const struct param *p, struct shell_value v)
{
    struct shell_value bound;
    bool outside =
        name_is_identifier(p->name) && !p->has_subscript && !env_lookup(&w->env, p->name, &bound);

    if (!outside && !v.number && !str_is(p->name, "#") &&
        !(v.known && (!v.text.len || name_is_identifier(v.text))))
        walk_fail(w, p->operand.at,
                  "a name that is not known may have a subscript, which is arithmetic");
    if (!v.known || !name_is_identifier(v.text))
        env_may_give_up(w);
    if (has_default(p) && str_ends(p->op, STR("=")))
        set_indirect(w, p, v);
}

/* ${!x}: the name in x is that of one variable, or the number of one argument. */
static bool names_one(const struct param *p, struct shell_value v)
{
    return v.number || str_is(p->name, "#") || (v.known && name_is_identifier(v.text));
}

/* Is the expansion one word in quotes, whatever its value is? A list with @ is not, and an operand
 * may bring one: "${x:-$@}". `v` is the value of its name. */
static bool is_scalar(const struct param *p, struct shell_value v)
{
    bool at = (p->all && !p->star) || str_is(p->name, "@"), star = p->star || str_is(p->name, "*");

    if (p->form == PARAM_LENGTH)
        return true;
    if (p->form == PARAM_NAMES) /* beside "$@" bash splits "${!x*}", too */
        return false;
    if (at || (star && p->op.len) || (p->form == PARAM_INDIRECT && !names_one(p, v)))
        return false;
    for (size_t i = 0; i < p->operand.parts.count; i++) {
        const struct part *part = &p->operand.parts.items[i];
        if (part->kind == PART_PARAM && !is_scalar(part->param, (struct shell_value){0}))
            return false;
    }
    return true;
}

static struct shell_value value_of(struct walk *w, const struct param *p, struct shell_value v)
{
    if (p->form == PARAM_LENGTH) /* in characters; how many there are depends on the locale */
        return v.known && !v.array && is_ascii(v.text)
                   ? known(str_format(w->arena, "%zu", v.text.len))
                   : a_count();
    if (p->form == PARAM_INDIRECT)
        check_indirect(w, p, v);
    if (p->form == PARAM_INDIRECT || p->form == PARAM_NAMES) {
        if (p->op.len)
            operand(w, p);
        return (struct shell_value){0};
    }
    return p->op.len ? with_operator(w, p, v) : v;
}

struct shell_value param_scalar(struct walk *w, const struct part *part)
{
    const struct param *p = part->param;

    if (p->odd) {
        eval_value(w, &p->operand, 0);
        walk_fail(w, part->at, "a parameter expansion whose meaning is not known");
    }
    if (!p->name.len)
        return (struct shell_value){0};
    bool before = w->secret;
    w->secret = false;
    struct shell_value name = plain(w, p), v = value_of(w, p, name);
    w->cut |= w->secret && !has_default(p); /* it is in a subscript, or in what is cut off */
    w->secret |= before;
    note_secret(w, p);
    v.scalar = is_scalar(p, name);
    v.known &= v.scalar;
    return v;
}
