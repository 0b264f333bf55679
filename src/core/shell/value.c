/* value.c - words as they will be at run time: expansion over abstract values. */
#include <limits.h>

#include "base/ascii.h"
#include "shell/field.h"
#include "shell/parse.h"

/* "$*" and "${a[*]}": one word, with the first character of IFS between the elements. */
static void add_joined(struct field *f, const struct shell_words *list)
{
    struct shell_value v = {.known = true, .scalar = true};
    struct buf text = buf_in(f->w->arena);

    if (!f->w->env.ifs.known) {
        field_add_value(f, (struct shell_value){.scalar = true}, true);
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (i)
            buf_add(&text, str_slice(f->w->env.ifs.chars, 0, 1));
        buf_add(&text, list->items[i].text);
        v.known &= list->items[i].known;
    }
    v.text = buf_str(&text);
    field_add_value(f, v, true);
}

/* "$@" is one word for each element, and without quotes each of them is split. Only with the usual
 * IFS is it clear what becomes of empty ones. */
static void add_list(struct field *f, const struct param *p, bool quoted)
{
    struct shell_words list = {0};
    bool star = p->star || str_is(p->name, "*");

    if (!param_list(f->w, p, &list)) {
        field_add_value(f, (struct shell_value){.scalar = quoted && star}, quoted);
        return;
    }
    if (quoted && star) {
        add_joined(f, &list);
        return;
    }
    if (f->whole || (!quoted && !ifs_is_usual(f->w))) {
        field_add_anything(f);
        return;
    }
    f->empty_list |= !list.count;
    field_add_nothing(f);
    for (size_t i = 0; i < list.count; i++) {
        const struct shell_word *e = &list.items[i];
        if (i)
            field_close(f);
        field_add_value(f, (struct shell_value){.text = e->text, .known = e->known, .scalar = true},
                        quoted);
    }
}

/* Not assigned here for certain, and not known any more. */
static void note_home(struct field *f)
{
    f->home = !f->text.len && f->w->context->home.len && !env_assigned(&f->w->env, STR("HOME"));
    f->w->seen.homes |= f->home;
}

/* ~ and ~/x at the beginning of a word; other users' homes are unknown. */
static struct str add_tilde(struct field *f, struct str text, bool last)
{
    size_t end = str_index(text, '/');
    struct str prefix = str_slice(text, 0, end);
    struct str home = f->w->context->home;

    if (end == STR_NONE && !last) {
        if (!f->whole && !f->word->name.len && str_has(text, ':'))
            walk_fail(f->w, f->word->at, "a tilde that hides what is expanded after it");
        field_doubt(f); /* ~"x" is not a home for bash */
        return text;
    }
    struct shell_value v;
    if (str_is(prefix, "~+") && !env_lookup(&f->w->env, STR("PWD"), &v))
        home = directory_sure_path(&f->w->env.directory);
    else if (!str_is(prefix, "~"))
        home = (struct str){0};
    if (str_is(prefix, "~") && env_lookup(&f->w->env, STR("HOME"), &v))
        home = v.known ? v.text : (struct str){0};
    if (home.len) {
        field_add(f, home);
    } else if (prefix.len > 1 && ascii_is_letter(prefix.s[1])) {
        field_add(f, prefix); /* ~user: the text stays as written, so that rules can match it; the
                           directory is not known */
        field_doubt(f);
    } else {
        if (str_is(prefix, "~"))
            note_home(f);
        field_add_unknown(f);
    }
    return str_from_byte(text, prefix.len);
}

/* In an assignment ~ is the home after every colon, too: PATH=a:~/b. Returns what is left. */
static struct str add_list_tildes(struct field *f, struct str text, bool last)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.s[i] != ':' || text.s[i + 1] != '~')
            continue;
        struct str piece, after;
        str_cut(str_from_byte(text, i + 1), ':', &piece, &after);
        field_add_unquoted(f, str_slice(text, 0, i + 1));
        struct str rest = add_tilde(f, piece, last || piece.s + piece.len < text.s + text.len);
        text = (struct str){rest.s, (size_t)(text.s + text.len - rest.s)};
        i = (size_t)-1;
        if (rest.s == piece.s)
            break; /* no tilde of its own: left as it is, and unknown */
    }
    return text;
}

static void add_text(struct field *f, const struct part *part, bool first, bool last)
{
    struct str text = part->text;

    if (part->quoted) {
        field_add(f, text);
        f->translated |= part->translated && text.len;
        if (f->translated)
            field_doubt(f);
        return;
    }
    if (first && text.len && text.s[0] == '~')
        text = add_tilde(f, text, last);
    if (f->whole || f->word->name.len)
        text = add_list_tildes(f, text, last);
    field_add_unquoted(f, text);
}

static void add_command(struct field *f, const struct part *part)
{
    struct shell_value v;

    f->w->seen.started++;
    walk_substitution(f->w, part->body);
    v = (struct shell_value){.known = f->w->output.known, .scalar = true};
    if (v.known)
        v.text = f->w->output.text; /* numbers too may be several words */
    v.fresh = f->w->output.fresh;
    v.like = f->w->output.like;
    shape_of_output(f->w, &v);
    v.number = false;
    while (v.text.len && v.text.s[v.text.len - 1] == '\n')
        v.text.len--;
    if (!part->body)
        v.known = true;
    field_add_value(f, v, part->quoted);
}

static void add_process(struct field *f, const struct part *part)
{
    bool leads = !f->open && !f->text.len;
    const struct env before = f->w->env;

    if (part->kind == PART_PROCESS_OUT) { /* the command writes to it, so its input is not known */
        f->w->env.input.kind = SHELL_INPUT_UNKNOWN;
        f->w->env.input.lines = NULL;
    }
    walk_substitution(f->w, part->body);
    f->w->env = before;
    f->w->seen.started++;
    f->w->seen.beside += part->kind == PART_PROCESS_OUT;
    if (!part->body) {
        field_add_nothing(f); /* <() */
        return;
    }
    field_add(f, STR("/dev/fd/"));
    field_add_unknown(f);
    if (leads) /* a pipe that the shell has just made */
        f->lead = (struct shell_value){
            .text = STR("/dev/fd/" WORD_UNKNOWN_TEXT), .like = STR("/dev/fd"), .fresh = true};
}

static bool has_quotes(const struct word_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i].quoted ||
            (parts->items[i].param && has_quotes(&parts->items[i].param->operand.parts)))
            return true;
    return false;
}

/* ${x:-'a b'} is one word, and ${x:-a b} two: which of the value's bytes were in quotes is not
 * known any more. */
static bool loses_quotes(const struct field *f, const struct part *part, struct str text)
{
    if (part->quoted || f->whole || !part->param->op.len ||
        !has_quotes(&part->param->operand.parts))
        return false;
    return !text.len || text_is_split(f->w, text);
}

static void add_param(struct field *f, const struct part *part)
{
    if (param_is_list(part->param)) {
        add_list(f, part->param, part->quoted);
        return;
    }
    struct shell_value v = param_scalar(f->w, part);
    if (!v.known && str_is(part->param->name, "HOME") && part->param->form == PARAM_PLAIN &&
        !part->param->op.len)
        note_home(f);
    if (v.known && loses_quotes(f, part, v.text))
        v = (struct shell_value){0};
    field_add_value(f, v, part->quoted);
}

static void add_part(struct field *f, const struct part *part, bool first, bool last)
{
    switch (part->kind) {
    case PART_TEXT:
        add_text(f, part, first, last);
        break;
    case PART_PARAM:
        add_param(f, part);
        break;
    case PART_COMMAND:
    case PART_BACKTICK:
        add_command(f, part);
        break;
    case PART_ARITH: {
        struct shell_value v = arith_value(f->w, part->inner, part->at);
        v.scalar = true;
        field_add_value(f, v, part->quoted);
        break;
    }
    case PART_PROCESS_IN:
    case PART_PROCESS_OUT:
        add_process(f, part);
        break;
    }
}

/* $!, which is nothing before the first command in the background. */
static bool is_last_job(const struct part *part)
{
    return part->kind == PART_PARAM && part->param->form == PARAM_PLAIN && !part->param->op.len &&
           str_is(part->param->name, "!");
}

/* $x$: bash does not split a word that has a dollar sign of its own in it; $x$! is the same as long
 * as $! is nothing. */
static bool has_lone_dollar(const struct word *word)
{
    bool dollar = false, expands = false;

    for (size_t i = 0; i < word->parts.count; i++) {
        const struct part *part = &word->parts.items[i];
        bool lone = part->kind == PART_TEXT ? str_has(part->text, '$') : is_last_job(part);
        dollar |= !part->quoted && lone;
        expands |= !part->quoted && !lone && part->kind != PART_TEXT;
    }
    return dollar && expands;
}

static void build(struct field *f, const struct word *word, size_t from)
{
    size_t first = f->out->count;

    f->word = word;
    f->text = buf_in(f->w->arena);
    if (!walk_spend(f->w, word->parts.count, word->at))
        return;
    for (size_t i = from; i < word->parts.count; i++) {
        field_begin_part(f);
        add_part(f, &word->parts.items[i], i == from || (i == word->value_from && word->name.len),
                 i + 1 == word->parts.count); /* a=~/x is expanded in every word */
        field_end_part(f);
    }
    field_close(f);
    if (!f->whole && has_lone_dollar(word)) {
        f->out->count = first;
        field_add_anything(f);
        field_close(f);
    }
}

static bool any_special(const struct part *part)
{
    unsigned char any = 0;

    for (size_t i = 0; !part->plain && i < part->text.len; i++)
        any |= byte_stops[(unsigned char)part->text.s[i]];
    return any & STOPS_SPECIAL;
}

/* Most words are one text in which nothing is special. */
static bool add_plain(struct walk *w, const struct word *word, struct shell_words *out)
{
    const struct part *part = word->parts.items;

    if (word->parts.count != 1 || part->kind != PART_TEXT || part->translated || word->array)
        return false;
    if (!part->quoted && any_special(part))
        return false;
    LIST_PUSH(w->arena, out, word_literal(w, word));
    return true;
}

/* The part itself, or a word in its ${x:-...}, subscript or expression. */
static bool may_run(const struct part *part)
{
    return part->body || part->kind == PART_ARITH ||
           (part->kind == PART_PARAM &&
            (part->param->op.len || part->param->has_subscript || part->param->odd));
}

static bool any_runs(const struct word *word)
{
    for (size_t i = 0; i < word->parts.count; i++)
        if (may_run(&word->parts.items[i]))
            return true;
    return false;
}

/* Each word that braces make runs its substitutions again, and those may contain such words:
 * without a limit, a few bytes of text would be endless work. */
static void build_each(struct field *f, const struct word *word, const struct words *many)
{
    struct walk *w = f->w;
    struct walk_frame outer = walk_enter(w);
    size_t count = many->count;

    if (count > 1 && any_runs(word)) {
        if (count * outer.unroll > SHELL_UNROLL_MAX) {
            walk_fail(w, word->at, "braces that repeat a substitution too often");
            count = 1;
        }
        w->frame.unroll *= (unsigned)count;
    }
    for (size_t i = 0; i < count; i++)
        build(f, &many->items[i], 0);
    walk_leave(w, &outer);
}

/* Not inlined, so that plain words do not pay for its stack and registers. */
__attribute__((noinline)) static void add_built(struct walk *w, const struct word *word,
                                                struct shell_words *out)
{
    struct words many = {0};
    size_t first = out->count;
    struct field f = {.w = w, .out = out};

    if (brace_expand(w, word, &many)) {
        if (many.count != 1) {
            finding_add(w, "brace-expansion", (struct str){0}, word->at, word->len);
            w->out->bash_only = true;
        }
        if (many.count != 1 && w->frame.plain_sh)
            walk_fail(w, word->at, "a text for sh that not every sh reads the same way");
        build_each(&f, word, &many);
    } else {
        build(&f, word, 0);
    }
    findings_in_word(w, word, out, first);
}

/* let and eval get name=(...) as one text, which is not put together here. */
RARE static void add_array(struct walk *w, const struct word *word, struct shell_words *out)
{
    struct shell_words elements = {0};

    for (size_t i = 0; i < word->elements.count; i++)
        eval_fields(w, &word->elements.items[i], &elements);
    walk_fail(w, word->at, "an array in place of an argument");
    LIST_PUSH(w->arena, out, (struct shell_word){.text = WORD_UNKNOWN_STR, .may_split = true});
}

void eval_fields(struct walk *w, const struct word *word, struct shell_words *out)
{
    walk_spend(w, 1, word->at);
    if (word->array)
        add_array(w, word, out);
    else if (!add_plain(w, word, out))
        add_built(w, word, out);
    else if (word->parts.items[0].quoted)
        findings_in_word(w, word, out, out->count - 1);
}

struct shell_word eval_value(struct walk *w, const struct word *word, size_t from)
{
    struct shell_words out = {0};
    struct field f = {.w = w, .out = &out, .whole = true};

    build(&f, word, from);
    if (out.count)
        return out.items[0];
    return (struct shell_word){
        .known = true, .at = span_at(w, word->at), .len = span_len(w, word->len)};
}

static struct shell_value eval_array(struct walk *w, const struct word *word)
{
    struct shell_value v = {.known = true, .array = true};

    for (size_t i = 0; i < word->elements.count; i++) {
        struct word element = word->elements.items[i];
        element.name = (struct str){0}; /* (a=~) has no home in it */
        eval_fields(w, &element, &v.elements);
    }
    for (size_t i = 0; i < word->elements.count; i++) {
        v.known &= !word->elements.items[i].subscript;
        if (word->elements.items[i].subscript)
            arith_check_subscript(w, &word->elements.items[i]);
    }
    for (size_t i = 0; i < v.elements.count; i++)
        v.known &= !v.elements.items[i].may_split && !v.elements.items[i].may_glob;
    return v;
}

static void take_shape(struct shell_value *v, struct shell_value from)
{
    v->number = from.number;
    v->shape = from.shape;
    v->one = from.one;
    v->filled = from.filled;
}

struct shell_value eval_assignment(struct walk *w, const struct word *word)
{
    struct shell_value old;

    if (word->subscript)
        arith_check_subscript(w, word);
    if (word->array || word->subscript)
        walk_note_array(w, word->name);
    if (word->array) {
        struct shell_value v = eval_array(w, word);
        if (word->append || walk_is_map(w, word->name))
            v.known = false;
        return word->subscript ? (struct shell_value){0} : v; /* a[1]=(x) is an error */
    }
    struct shell_word now = eval_value(w, word, word->value_from);
    struct shell_value v = {.text = now.text,
                            .known = now.known,
                            .like = now.like,
                            .fresh = now.fresh,
                            .found = now.found};
    const struct part *only =
        word->parts.count == word->value_from + 1 ? &word->parts.items[word->value_from] : NULL;
    v.number = v.filled = only && only->kind == PART_ARITH;
    if (only && only->kind == PART_PARAM && !only->param->op.len && !only->param->has_subscript &&
        !param_is_list(only->param))
        take_shape(&v, param_scalar(w, only));
    if (only && (only->kind == PART_COMMAND || only->kind == PART_BACKTICK)) {
        v.number = w->output.number && !w->output.several;
        shape_of_output(w, &v);
    }
    if (word->append) {
        if (!env_lookup(&w->env, word->name, &old) || !old.known || old.array || !v.known)
            return (struct shell_value){0};
        v.text = str_join(w->arena, old.text, v.text);
    }
    return word->subscript ? (struct shell_value){0} : v;
}
