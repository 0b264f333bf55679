/* value.c - words as they will be at run time: expansion over abstract values. */
#include <limits.h>

#include "base/ascii.h"
#include "shell/parse.h"
#include "shell/walk.h"

/* Builds fields out of the parts of one word. */
struct builder {
    struct walk *w;
    struct shell_words *out;
    const struct word *word;
    struct buf text;
    bool open;  /* there is a field, if only an empty one */
    bool whole; /* one value: no splitting, no globbing */
    bool unknown, glob, split, dash;
    bool empty_list; /* "$@" without arguments is in it: without any text there is no field */
    bool opens;      /* an unquoted [ is in it: with a ] that follows, it is a pattern */
    enum { CLASS_NONE = 0, CLASS_PERHAPS, CLASS_QUOTED, CLASS_OTHER } class;
    bool translated; /* part of it depends on the locale */
    bool home;       /* the field begins with the home directory, which may have been changed */
    struct shell_value lead; /* the value that the field begins with, if it is not known but
                                something about it is */
    size_t unknowns;         /* how many values in the field are not known */
    unsigned shape;          /* the shape that all of them have */
    bool vanish;             /* all of them may be empty, and then there is no field */
};

static bool has_usual_ifs(const struct walk *w)
{
    return w->env.ifs.known && str_is(w->env.ifs.chars, " \t\n");
}

/* What is known of the first value is true of the whole field if only known text follows it that
 * does not lead elsewhere and is not special in a pattern. */
static void say_like(struct builder *b, struct shell_word *word)
{
    struct str rest = str_from_byte(word->text, b->lead.text.len ? b->lead.text.len : 1);

    if (b->unknowns != 1 || !b->lead.like.len || str_contains(rest, STR("..")))
        return;
    if (b->lead.found ? rest.len || !has_usual_ifs(b->w) : b->split)
        return; /* a name that find found is checked on the disk later: it must have no blanks */
    word->found = b->lead.found;
    for (size_t i = 0; i < rest.len; i++)
        if (strchr(b->lead.shape ? "[](){}\\~" : "[](){}*?\\~", rest.s[i]))
            return; /* after a directory, text with a wildcard is fine even in quotes: the pattern
                       then matches more than the name */
    word->fresh = b->lead.fresh;
    word->like = b->lead.fresh ? b->lead.like : str_join(b->w->arena, b->lead.like, rest);
    word->may_dash &= !b->lead.fresh && !b->lead.found;
}

/* Where the text of a pattern begins to mean something else than its bytes say: a backslash, a list
 * of patterns, a class in which a byte is quoted that is special there, and any wildcard while
 * options of the shell change what they match. */
static size_t blurred_from(const struct builder *b, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == '\\' || text.s[i] == '(' ||
            (text.s[i] == '[' &&
             (b->class == CLASS_OTHER || str_has(str_from_byte(text, i), WORD_UNKNOWN))) ||
            (b->w->seen.other_globs && strchr("*?[", text.s[i])))
            return text.s[i] == '(' && i ? i - 1 : i;
    }
    return STR_NONE;
}

/* The text of a field that is a pattern, as far as it may be compared with names. */
static void end_pattern(struct builder *b)
{
    size_t from = blurred_from(b, buf_str(&b->text));

    b->dash |= b->text.len && strchr("*?[+@!", b->text.s[0]);
    if (from == STR_NONE)
        return;
    b->text.len = from;
    buf_byte(&b->text, WORD_UNKNOWN);
    b->unknown = true;
    b->unknowns++;
    b->shape = 0;
    b->dash |= !from;
    b->split |= b->w->seen.other_globs;
}

static size_t known_from(struct str text)
{
    size_t i = 0;

    while (i < text.len && text.s[i] == WORD_UNKNOWN)
        i++;
    return i;
}

/* ${n}-rf, with nothing in n. */
static bool dash_follows(struct str text)
{
    size_t i = known_from(text);

    return i && i < text.len && text.s[i] == '-';
}

static void add_anything(struct builder *b);

static void close_field(struct builder *b)
{
    if (b->glob)
        end_pattern(b);
    if (b->empty_list && b->open && known_from(buf_str(&b->text)) == b->text.len)
        add_anything(b);
    bool vanishes = b->vanish && !b->open && !b->split;

    if (b->open || b->text.len) {
        struct shell_word word = {
            .text = buf_str(&b->text),
            .known = !b->unknown && !b->glob,
            .may_glob = b->glob,
            .may_split = b->split || vanishes,
            .may_vanish = vanishes,
            .may_dash = b->dash || dash_follows(buf_str(&b->text)),
            .shape = b->shape,
            .home = b->home,
            .translated = b->translated,
            .at = span_at(b->w, b->word->at),
            .len = span_len(b->w, b->word->len),
        };
        say_like(b, &word);
        walk_spend(b->w, word.may_glob ? SHELL_STEPS_PATTERN * (1 + word.text.len) : 1,
                   b->word->at);
        LIST_PUSH(b->w->arena, b->out, word);
    }
    b->text = buf_in(b->w->arena);
    b->open = b->unknown = b->glob = b->split = b->dash = b->home = b->translated = false;
    b->lead = (struct shell_value){0};
    b->unknowns = b->shape = 0;
    b->vanish = b->empty_list = b->opens = false;
    b->class = CLASS_NONE;
}

static bool has_glob(struct str s)
{
    size_t open = str_index(s, '[');

    if (str_has(s, '(')) /* unquoted only in an extended glob */
        return true;
    return str_has(s, '*') || str_has(s, '?') ||
           (open != STR_NONE && str_has(str_from_byte(s, open), ']'));
}

/* Is there a [ somewhere, after it a quoted byte that is special in a class, and then a ]? Outside
 * of a class each byte of the text stands for itself or for more. */
static void note_class(struct builder *b, struct str text, bool quoted)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == '[' && b->class == CLASS_NONE)
            b->class = CLASS_PERHAPS;
        if (quoted && b->class == CLASS_PERHAPS && strchr("[]!^-.:=/", text.s[i]))
            b->class = CLASS_QUOTED;
        if (text.s[i] == ']' && b->class == CLASS_QUOTED)
            b->class = CLASS_OTHER;
    }
}

/* Bytes that are proved to stand in the field, and are not special. */
static void add(struct builder *b, struct str text)
{
    buf_add(&b->text, text);
    b->open = true;
    if (!b->whole)
        note_class(b, text, true);
}

/* The same without quotes: a pattern may lie across several of them, ["h"]. */
static void add_unquoted(struct builder *b, struct str text)
{
    buf_add(&b->text, text);
    b->open = true;
    if (b->whole)
        return;
    note_class(b, text, false);
    b->glob |= has_glob(text) || (b->opens && str_has(text, ']'));
    b->opens |= str_has(text, '[');
}

static void note_shape(struct builder *b, unsigned shape)
{
    b->shape = b->unknowns++ ? b->shape & shape : shape;
}

/* What nobody has proved to be anything else: any text, in any number of words, each of which may
 * be a pattern, an option or a path. */
static void add_anything(struct builder *b)
{
    note_shape(b, 0);
    buf_byte(&b->text, WORD_UNKNOWN);
    b->unknown = b->dash = true;
    b->split |= !b->whole;
    b->glob |= !b->whole;
}

static void add_shaped(struct builder *b, bool quoted, struct shell_value v)
{
    bool usual = has_usual_ifs(b->w), splits = !quoted && !b->whole;
    unsigned shape = splits ? usual ? v.shape : 0 : v.one ? v.shape : 0;

    if (!b->text.len)
        b->dash = !v.number && !(shape & SHAPE_NO_DASH);
    note_shape(b, shape);
    buf_byte(&b->text, WORD_UNKNOWN);
    b->open |= quoted;
    b->unknown = true;
    if (!splits)
        return;
    b->vanish |= !v.filled;
    if (v.number && usual)
        return;
    b->glob |= !(shape & SHAPE_ONE);
    b->split |= !(shape & SHAPE_ONE) || !v.one;
}

static void add_unknown(struct builder *b, bool quoted, bool number)
{
    add_shaped(b, quoted, (struct shell_value){.number = number, .filled = true});
}

static bool is_ifs_space(const struct walk *w, char c)
{
    return (c == ' ' || c == '\t' || c == '\n') && str_has(w->env.ifs.chars, c);
}

/* The pieces that IFS makes of a text: blanks of IFS in a row separate once, every other byte of
 * IFS separates. */
void eval_split(struct walk *w, struct str text, struct strs *out)
{
    size_t i = 0;

    while (i < text.len && is_ifs_space(w, text.s[i]))
        i++;
    while (i < text.len) {
        size_t start = i;
        while (i < text.len && !str_has(w->env.ifs.chars, text.s[i]))
            i++;
        LIST_PUSH(w->arena, out, str_slice(text, start, i));
        while (i < text.len && is_ifs_space(w, text.s[i]))
            i++;
        if (i < text.len && str_has(w->env.ifs.chars, text.s[i]) && !is_ifs_space(w, text.s[i])) {
            i++;
            while (i < text.len && is_ifs_space(w, text.s[i]))
                i++;
        }
    }
}

static bool is_split(const struct walk *w, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (str_has(w->env.ifs.chars, text.s[i]))
            return true;
    return has_glob(text);
}

static void add_split(struct builder *b, struct str text)
{
    struct strs pieces = {0};

    b->w->out->splits |= is_split(b->w, text);

    if (!b->w->env.ifs.known) {
        add_anything(b);
        return;
    }
    if (text.len && is_ifs_space(b->w, text.s[0]))
        close_field(b);
    eval_split(b->w, text, &pieces);
    for (size_t i = 0; i < pieces.count; i++) {
        if (i)
            close_field(b);
        add_unquoted(b, pieces.items[i]);
    }
    if (text.len && pieces.count && str_has(b->w->env.ifs.chars, text.s[text.len - 1]))
        close_field(b);
}

/* Adds the value of one expansion to the field. Unless it is known, or proved to be one word in
 * quotes, it is anything. There are four other kinds:
 * - some of its text is known ("$dir/x" put into a variable): it has WORD_UNKNOWN in its text, and
 *   without quotes each of those may split the word or match files;
 * - nothing of its text is known, but perhaps its shape;
 * - it is known and stays in one piece, in quotes or in an assignment;
 * - it is known, and IFS splits it into fields.
 * A value at the beginning of a field is kept as `lead`: what is known of it (that mktemp made it,
 * that find found it) may be true of the whole word, see say_like(). */
static void add_value(struct builder *b, struct shell_value v, bool quoted)
{
    if (!walk_spend(b->w, v.text.len / SHELL_STEP_BYTES, b->word->at))
        v = (struct shell_value){0};
    if (!v.known && !v.scalar) {
        add_anything(b);
        return;
    }
    if (!v.known && !b->text.len && !b->unknowns)
        b->lead = v;
    if (!v.known && v.text.len && !v.shape) {
        note_shape(b, 0);
        if (!b->text.len && v.text.s[0] == WORD_UNKNOWN)
            b->dash = true;
        add(b, v.text);
        b->unknown = true;
        b->split |= !quoted && !b->whole;
        b->glob |= !quoted && !b->whole;
    } else if (!v.known) {
        add_shaped(b, quoted, v);
    } else if (quoted || b->whole) {
        add(b, v.text);
    } else {
        add_split(b, v.text);
    }
}

/* "$*" and "${a[*]}": one word, with the first character of IFS between the elements. */
static void add_joined(struct builder *b, const struct shell_words *list)
{
    struct shell_value v = {.known = true, .scalar = true};
    struct buf text = buf_in(b->w->arena);

    if (!b->w->env.ifs.known) {
        add_value(b, (struct shell_value){.scalar = true}, true);
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (i)
            buf_add(&text, str_slice(b->w->env.ifs.chars, 0, 1));
        buf_add(&text, list->items[i].text);
        v.known &= list->items[i].known;
    }
    v.text = buf_str(&text);
    add_value(b, v, true);
}

/* "$@" is one word for each element, and without quotes each of them is split. Only with the usual
 * IFS is it clear what becomes of empty ones. */
static void add_list(struct builder *b, const struct param *p, bool quoted)
{
    struct shell_words list = {0};
    bool star = p->star || str_is(p->name, "*");

    if (!param_list(b->w, p, &list)) {
        add_value(b, (struct shell_value){.scalar = quoted && star}, quoted);
        return;
    }
    if (quoted && star) {
        add_joined(b, &list);
        return;
    }
    if (b->whole || (!quoted && !has_usual_ifs(b->w))) {
        add_anything(b);
        return;
    }
    b->empty_list |= !list.count;
    for (size_t i = 0; i < list.count; i++) {
        const struct shell_word *e = &list.items[i];
        if (i)
            close_field(b);
        add_value(b, (struct shell_value){.text = e->text, .known = e->known, .scalar = true},
                  quoted);
    }
}

/* Not assigned here for certain, and not known any more. */
static void note_home(struct builder *b)
{
    b->home = !b->text.len && b->w->context->home.len && !env_assigned(&b->w->env, STR("HOME"));
    b->w->seen.homes |= b->home;
}

/* ~ and ~/x at the beginning of a word; other users' homes are unknown. */
static struct str add_tilde(struct builder *b, struct str text, bool last)
{
    size_t end = str_index(text, '/');
    struct str prefix = str_slice(text, 0, end);
    struct str home = b->w->context->home;

    if (end == STR_NONE && !last) {
        b->unknown = true; /* ~"x" is not a home for bash */
        return text;
    }
    struct shell_value v;
    if (str_is(prefix, "~+") && !env_lookup(&b->w->env, STR("PWD"), &v))
        home = directory_sure_path(&b->w->env.directory);
    else if (!str_is(prefix, "~"))
        home = (struct str){0};
    if (str_is(prefix, "~") && env_lookup(&b->w->env, STR("HOME"), &v))
        home = v.known ? v.text : (struct str){0};
    if (home.len) {
        add(b, home);
    } else if (prefix.len > 1 && ascii_is_letter(prefix.s[1])) {
        add(b, prefix); /* ~user: the text stays as written, so that rules can match it; the
                           directory is not known */
        b->unknown = true;
    } else {
        if (str_is(prefix, "~"))
            note_home(b);
        add_unknown(b, true, true);
    }
    return str_from_byte(text, prefix.len);
}

/* In an assignment ~ is the home after every colon, too: PATH=a:~/b. Returns what is left. */
static struct str add_list_tildes(struct builder *b, struct str text, bool last)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.s[i] != ':' || text.s[i + 1] != '~')
            continue;
        struct str piece, after;
        str_cut(str_from_byte(text, i + 1), ':', &piece, &after);
        add_unquoted(b, str_slice(text, 0, i + 1));
        struct str rest = add_tilde(b, piece, last || piece.s + piece.len < text.s + text.len);
        text = (struct str){rest.s, (size_t)(text.s + text.len - rest.s)};
        i = (size_t)-1;
        if (rest.s == piece.s)
            break; /* no tilde of its own: left as it is, and unknown */
    }
    return text;
}

static void add_text(struct builder *b, const struct part *part, bool first, bool last)
{
    struct str text = part->text;

    if (part->quoted) {
        add(b, text);
        b->translated |= part->translated && text.len;
        b->unknown |= b->translated;
        return;
    }
    if (first && text.len && text.s[0] == '~')
        text = add_tilde(b, text, last);
    if (b->whole || b->word->name.len)
        text = add_list_tildes(b, text, last);
    add_unquoted(b, text);
}

static void add_command(struct builder *b, const struct part *part)
{
    struct shell_value v;

    b->w->seen.started++;
    walk_substitution(b->w, part->body);
    v = (struct shell_value){.known = b->w->output.known, .scalar = true};
    if (v.known)
        v.text = b->w->output.text; /* numbers too may be several words */
    v.fresh = b->w->output.fresh;
    v.like = b->w->output.like;
    shape_of_output(b->w, &v);
    v.number = false;
    while (v.text.len && v.text.s[v.text.len - 1] == '\n')
        v.text.len--;
    if (!part->body)
        v.known = true;
    add_value(b, v, part->quoted);
}

static void add_process(struct builder *b, const struct part *part)
{
    bool leads = !b->open && !b->text.len;
    const struct env before = b->w->env;

    if (part->kind == PART_PROCESS_OUT) { /* the command writes to it, so its input is not known */
        b->w->env.input.kind = SHELL_INPUT_UNKNOWN;
        b->w->env.input.lines = NULL;
    }
    walk_substitution(b->w, part->body);
    b->w->env = before;
    b->w->seen.started++;
    b->w->seen.beside += part->kind == PART_PROCESS_OUT;
    if (!part->body)
        return; /* <() is nothing */
    add(b, STR("/dev/fd/"));
    add_unknown(b, true, true);
    if (leads) /* a pipe that the shell has just made */
        b->lead = (struct shell_value){
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
static bool loses_quotes(const struct builder *b, const struct part *part, struct str text)
{
    if (part->quoted || b->whole || !part->param->op.len ||
        !has_quotes(&part->param->operand.parts))
        return false;
    return !text.len || is_split(b->w, text);
}

static void add_param(struct builder *b, const struct part *part)
{
    if (param_is_list(part->param)) {
        add_list(b, part->param, part->quoted);
        return;
    }
    struct shell_value v = param_scalar(b->w, part);
    if (!v.known && str_is(part->param->name, "HOME") && part->param->form == PARAM_PLAIN &&
        !part->param->op.len)
        note_home(b);
    if (v.known && loses_quotes(b, part, v.text))
        v = (struct shell_value){0};
    add_value(b, v, part->quoted);
}

static void add_part(struct builder *b, const struct part *part, bool first, bool last)
{
    switch (part->kind) {
    case PART_TEXT:
        add_text(b, part, first, last);
        break;
    case PART_PARAM:
        add_param(b, part);
        break;
    case PART_COMMAND:
    case PART_BACKTICK:
        add_command(b, part);
        break;
    case PART_ARITH: {
        struct shell_value v = arith_value(b->w, part->inner, part->at);
        v.scalar = true;
        add_value(b, v, part->quoted);
        b->dash |= !v.known && b->text.len == 1;
        break;
    }
    case PART_PROCESS_IN:
    case PART_PROCESS_OUT:
        add_process(b, part);
        break;
    }
}

/* $x$: bash does not split a word that has a dollar sign of its own in it. */
static bool has_lone_dollar(const struct word *word)
{
    bool dollar = false, expands = false;

    for (size_t i = 0; i < word->parts.count; i++) {
        const struct part *part = &word->parts.items[i];
        dollar |= part->kind == PART_TEXT && !part->quoted && str_has(part->text, '$');
        expands |= part->kind != PART_TEXT && !part->quoted;
    }
    return dollar && expands;
}

static void build(struct builder *b, const struct word *word, size_t from)
{
    size_t first = b->out->count;

    b->word = word;
    b->text = buf_in(b->w->arena);
    if (!walk_spend(b->w, word->parts.count, word->at))
        return;
    for (size_t i = from; i < word->parts.count; i++)
        add_part(b, &word->parts.items[i], i == from || (i == word->value_from && word->name.len),
                 i + 1 == word->parts.count); /* a=~/x is expanded in every word */
    close_field(b);
    if (!b->whole && has_lone_dollar(word)) {
        b->out->count = first;
        add_anything(b);
        close_field(b);
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
           (part->kind == PART_PARAM && (part->param->op.len || part->param->has_subscript));
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
static void build_each(struct builder *b, const struct word *word, const struct words *many)
{
    struct walk *w = b->w;
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
        build(b, &many->items[i], 0);
    walk_leave(w, &outer);
}

/* Not inlined, so that plain words do not pay for its stack and registers. */
__attribute__((noinline)) static void add_built(struct walk *w, const struct word *word,
                                                struct shell_words *out)
{
    struct words many = {0};
    size_t first = out->count;
    struct builder b = {.w = w, .out = out};

    if (brace_expand(w, word, &many)) {
        if (many.count != 1) {
            finding_add(w, "brace-expansion", (struct str){0}, word->at, word->len);
            w->out->bash_only = true;
        }
        if (many.count != 1 && w->frame.plain_sh)
            walk_fail(w, word->at, "a text for sh that not every sh reads in the same way");
        build_each(&b, word, &many);
    } else {
        build(&b, word, 0);
    }
    findings_in_word(w, word, out, first);
}

void eval_fields(struct walk *w, const struct word *word, struct shell_words *out)
{
    walk_spend(w, 1, word->at);
    if (!add_plain(w, word, out))
        add_built(w, word, out);
    else if (word->parts.items[0].quoted)
        findings_in_word(w, word, out, out->count - 1);
}

struct shell_word eval_value(struct walk *w, const struct word *word, size_t from)
{
    struct shell_words out = {0};
    struct builder b = {.w = w, .out = &out, .whole = true};

    build(&b, word, from);
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
        return v;
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
        v.number = w->output.number;
        shape_of_output(w, &v);
    }
    if (word->append) {
        if (!env_lookup(&w->env, word->name, &old) || !old.known || old.array || !v.known)
            return (struct shell_value){0};
        v.text = str_join(w->arena, old.text, v.text);
    }
    return word->subscript ? (struct shell_value){0} : v;
}
