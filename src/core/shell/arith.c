/* arith.c - arithmetic, as a place where text becomes code.
 *
 * bash evaluates the value of a name again, and a[$(cmd)] in such a value runs
 * cmd. So every name must hold a number, or come from outside of this text. */
#include "base/ascii.h"
#include "shell/walk.h"

/* bash itself sets these, and the text may choose what to: the last word of a command, or what a
 * pattern matched. */
static bool is_text_of_bash(struct str name)
{
    static const char *const numbers[] = {"BASH_ARGC", "BASH_LINENO", "BASH_SUBSHELL",
                                          "BASH_VERSINFO"};

    for (size_t i = 0; i < COUNT(numbers); i++)
        if (str_is(name, numbers[i]))
            return false;
    return str_is(name, "_") || str_is(name, "DIRSTACK") || str_is(name, "FUNCNAME") ||
           str_starts(name, STR("BASH_"));
}

static bool is_safe(const struct env *e, struct str name)
{
    struct shell_value v;

    if (is_text_of_bash(name))
        return false;
    if (!env_lookup(e, name, &v))
        return true;
    if (!v.array)
        return v.number;
    for (size_t i = 0; i < v.elements.count; i++)
        if (!text_is_number(v.elements.items[i].text))
            return false;
    return v.known;
}

static bool assigns(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char before = i ? text.s[i - 1] : ' ', after = i + 1 < text.len ? text.s[i + 1] : ' ';
        if (text.s[i] == '=' && after != '=' && before != '=' && before != '!' &&
            ((before != '<' && before != '>') || (i > 1 && text.s[i - 2] == before)))
            return true;
        if ((text.s[i] == '+' || text.s[i] == '-') && after == text.s[i])
            return true;
    }
    return false;
}

/* The next name in an expression, from `*i` on; empty: there are no more. */
static struct str next_name(struct str text, size_t *i)
{
    while (*i < text.len) {
        size_t start = *i;
        bool number =
            ascii_is_digit(text.s[start]); /* 16#ff and 0x1f hold letters that are no names */
        while (*i < text.len && (ascii_is_name_start(text.s[*i]) || ascii_is_digit(text.s[*i]) ||
                                 (number && text.s[*i] == '#')))
            ++*i;
        if (*i > start && !number)
            return str_slice(text, start, *i);
        *i += *i == start;
    }
    return (struct str){0};
}

/* It may get another number. Whether it does is not known: what is after && or after an error is
 * not evaluated. */
static void bind_number(struct walk *w, struct str name, bool checked)
{
    struct shell_value old;
    bool bound = env_lookup(&w->env, name, &old);

    env_bind(w, name,
             (struct shell_value){.number = checked || !bound || old.number,
                                  .filled = bound && (old.known ? old.text.len : old.filled),
                                  .own = bound && old.own});
}

static void check_text(struct walk *w, struct str text, bool changes, size_t at)
{
    struct str name;

    for (size_t i = 0; (name = next_name(text, &i)).len;) {
        /* of a value that is no number bash says what it is */
        if (!is_safe(&w->env, name) || env_holds_secret(w, name))
            walk_fail(w, at, "arithmetic on a value that may hold more than a number");
        if (changes && variable_is_dangerous(name))
            shell_add_set(w, name, at, 0);
        if (changes)
            bind_number(w, name, true);
    }
}

/* A text that is all of an expression: names and operators. */
static bool is_expression(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_name_start(text.s[i]) && !ascii_is_digit(text.s[i]) &&
            !strchr(" .,:/-", text.s[i]))
            return false;
    return text.len > 0;
}

/* An expansion inside an expression is put in as text and read as part of it; `alone`: it is the
 * whole of it. */
static void check_expansion(struct walk *w, const struct part *part, bool alone, size_t at)
{
    struct part copy = *part;
    struct word one = {.parts = {&copy, 1, 1}, .at = at};
    struct shell_value v;

    if (part->kind == PART_PARAM && !param_is_list(part->param)) {
        v = param_scalar(w, part);
        struct shell_value bound;
        v.number |= !v.known && !part->param->odd && !is_text_of_bash(part->param->name) &&
                    !part->param->op.len && !part->param->has_subscript &&
                    part->param->form == PARAM_PLAIN &&
                    ascii_is_name_start(part->param->name.s[0]) &&
                    !env_lookup(&w->env, part->param->name, &bound);
        v.number |= str_is(part->param->op, "") && part->param->has_subscript &&
                    is_safe(&w->env, part->param->name);
        v.number &= part->param->form != PARAM_PLAIN || !env_holds_secret(w, part->param->name);
    } else {
        struct shell_word now = eval_value(w, &one, 0);
        v = (struct shell_value){.text = now.text, .known = now.known, .number = w->output.number};
        if (part->kind == PART_ARITH)
            v.number = true;
    }
    if (alone && v.known && is_expression(v.text))
        check_text(w, v.text, assigns(v.text), at);
    else if (!v.number && !(v.known && text_is_number(v.text)))
        walk_fail(w, at, "arithmetic on a value that may hold more than a number");
}

/* The text between two expansions. Quotes in it vanish before names are read: x""y is the name xy.
 */
static struct str text_run(struct walk *w, const struct word_parts *inner, size_t *i)
{
    struct buf b = buf_in(w->arena);

    for (; *i < inner->count && inner->items[*i].kind == PART_TEXT; ++*i) {
        struct str text = inner->items[*i].text;
        for (size_t n = 0; n < text.len; n++)
            if (!strchr("\"'\\", text.s[n]))
                buf_byte(&b, text.s[n]);
    }
    return buf_str(&b);
}

static bool any_assigns(const struct word_parts *inner)
{
    for (size_t i = 0; i < inner->count; i++)
        if (inner->items[i].kind == PART_TEXT && assigns(inner->items[i].text))
            return true;
    return false;
}

static void check_parts(struct walk *w, const struct word_parts *inner, size_t at)
{
    bool changes = any_assigns(inner);

    env_may_give_up(w);
    for (size_t i = 0; i < inner->count;) {
        bool follows = i > 0;
        struct str text = text_run(w, inner, &i);
        check_text(w, text, changes, at);
        /* x${empty}y is the name xy, which was not checked */
        if (text.len && ((follows && ascii_is_name(text.s[0])) ||
                         (i < inner->count && ascii_is_name(text.s[text.len - 1]))))
            walk_fail(w, at, "arithmetic on a name that is put together");
        if (i < inner->count)
            check_expansion(w, &inner->items[i++], inner->count == 1, at);
    }
}

/* What is between the brackets of x[...]=value and ([...]=value). Brackets in quotes do not count.
 */
static struct word_parts subscript_of(struct walk *w, const struct word *word)
{
    struct word_parts inner = {0};
    unsigned depth = 0;

    for (size_t i = 0; i < word->parts.count; i++) {
        struct part part = word->parts.items[i];
        size_t from = 0, to = part.text.len;
        for (size_t n = 0; part.kind == PART_TEXT && !part.quoted && n < part.text.len; n++) {
            if (part.text.s[n] == '[' && depth++ == 0)
                from = n + 1;
            if (part.text.s[n] == ']' && depth && --depth == 0) {
                part.text = str_slice(part.text, from, n);
                LIST_PUSH(w->arena, &inner, part);
                return inner;
            }
        }
        part.text = str_slice(part.text, from, to);
        if (depth && (part.kind != PART_TEXT || part.text.len))
            LIST_PUSH(w->arena, &inner, part);
    }
    return inner;
}

void arith_check_subscript(struct walk *w, const struct word *word)
{
    struct word_parts inner = subscript_of(w, word);

    if (inner.count && inner.items[inner.count - 1].kind == PART_TEXT &&
        !inner.items[inner.count - 1].text.len)
        inner.count--;
    check_parts(w, &inner, word->at);
}

static void forget_names(struct walk *w, struct str text)
{
    struct str name;

    for (size_t i = 0; (name = next_name(text, &i)).len;)
        bind_number(w, name, false);
}

void arith_forget(struct walk *w, const struct word_parts *inner)
{
    bool changes = inner && any_assigns(inner);
    struct shell_value v;

    for (size_t i = 0; inner && i < inner->count; i++) {
        const struct part *part = &inner->items[i];
        if (part->kind == PART_PARAM && env_lookup(&w->env, part->param->name, &v) && v.known &&
            assigns(v.text))
            forget_names(w, v.text); /* y=x--; $(($y)) */
        else if (changes && part->kind == PART_TEXT)
            forget_names(w, part->text);
    }
}

void arith_forget_subscript(struct walk *w, const struct word *word)
{
    struct word_parts inner = subscript_of(w, word);

    arith_forget(w, &inner);
}

static bool is_one_text(const struct word_parts *inner)
{
    return inner && inner->count == 1 && inner->items[0].kind == PART_TEXT;
}

/* 010 is eight. */
static bool is_decimal(struct str text)
{
    return text_is_number(text) && (text.len == 1 || text.s[0] != '0');
}

struct shell_value arith_value(struct walk *w, const struct word_parts *inner, size_t at)
{
    if (is_one_text(inner)) {
        struct str text = str_trim(inner->items[0].text);
        if (is_decimal(text))
            return (struct shell_value){.text = text, .known = true, .number = true};
    }
    if (inner)
        check_parts(w, inner, at);
    return (struct shell_value){.number = true, .filled = true};
}

/* The name in i=1, i+=1, i++ and ++i, which cannot fail; empty: it is something else. */
static struct str surely_set(struct str piece)
{
    struct str name, value;

    if (str_cut(piece, '=', &name, &value)) {
        name = str_trim(name);
        if (name.len && strchr("+-", name.s[name.len - 1]))
            name = str_trim(str_slice(name, 0, name.len - 1));
        return is_decimal(str_trim(value)) ? name : (struct str){0};
    }
    if (str_ends(piece, STR("++")) || str_ends(piece, STR("--")))
        return str_trim(str_slice(piece, 0, piece.len - 2));
    if (str_starts(piece, STR("++")) || str_starts(piece, STR("--")))
        return str_trim(str_from_byte(piece, 2));
    return (struct str){0};
}

void arith_run(struct walk *w, const struct word_parts *inner, size_t at)
{
    struct str piece, name, rest = {0};

    arith_value(w, inner, at);
    if (is_one_text(inner))
        rest = inner->items[0].text;
    while (rest.len) {
        str_cut(rest, ',', &piece, &rest);
        name = surely_set(str_trim(piece));
        if (!name_is_identifier(name))
            return; /* what is after it may not be reached */
        env_bind(w, name, (struct shell_value){.number = true, .filled = true, .own = true});
    }
}
