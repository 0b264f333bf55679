/* field.c - the fields of a word: what is proved of them, and what is not. */
#include "shell/field.h"

bool ifs_is_usual(const struct walk *w)
{
    return w->env.ifs.known && str_is(w->env.ifs.chars, " \t\n");
}

/* What is known of the first value is true of the whole field if only known text follows it that
 * does not lead elsewhere and is not special in a pattern. */
static void say_like(struct field *f, struct shell_word *word)
{
    struct str rest = str_from_byte(word->text, f->lead.text.len ? f->lead.text.len : 1);

    if (f->unknowns != 1 || !f->lead.like.len || str_contains(rest, STR("..")))
        return;
    if (f->lead.found ? rest.len || !ifs_is_usual(f->w) : f->split)
        return; /* a name that find found is checked on the disk later: it must have no blanks */
    word->found = f->lead.found;
    for (size_t i = 0; i < rest.len; i++)
        if (strchr(f->lead.shape ? "[](){}\\~" : "[](){}*?\\~", rest.s[i]))
            return; /* after a directory, text with a wildcard is fine even in quotes: the pattern
                       then matches more than the name */
    word->fresh = f->lead.fresh;
    word->like = f->lead.fresh ? f->lead.like : str_join(f->w->arena, f->lead.like, rest);
    word->may_dash &= !f->lead.fresh && !f->lead.found;
}

/* Where the text of a pattern begins to mean something else than its bytes say: a backslash, a list
 * of patterns, a class in which a byte is quoted that is special there, and any wildcard while
 * options of the shell change what they match. */
static size_t blurred_from(const struct field *f, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == '\\' || text.s[i] == '(' ||
            (text.s[i] == '[' &&
             (f->class == CLASS_OTHER || str_has(str_from_byte(text, i), WORD_UNKNOWN))) ||
            (f->w->seen.other_globs && strchr("*?[", text.s[i])))
            return text.s[i] == '(' && i ? i - 1 : i;
    }
    return STR_NONE;
}

/* The text of a field that is a pattern, as far as it may be compared with names. */
static void end_pattern(struct field *f)
{
    size_t from = blurred_from(f, buf_str(&f->text));

    f->dash |= f->text.len && strchr("*?[+@!", f->text.s[0]);
    if (f->w->seen.other_globs)
        env_may_give_up(f->w); /* failglob: that nothing matches is an error */
    if (from == STR_NONE)
        return;
    f->text.len = from;
    buf_byte(&f->text, WORD_UNKNOWN);
    f->unknowns++;
    f->shape = 0;
    f->dash |= !from;
    f->split |= f->w->seen.other_globs;
}

static size_t known_from(struct str text)
{
    size_t i = 0;

    while (i < text.len && text.s[i] == WORD_UNKNOWN)
        i++;
    return i;
}

/* All of the field so far: what comes next may be how the word begins. */
static bool may_be_empty(struct field *f)
{
    return known_from(buf_str(&f->text)) == f->text.len;
}

/* ${n}-rf, with nothing in n. */
static bool dash_follows(struct str text)
{
    size_t i = known_from(text);

    return i && i < text.len && text.s[i] == '-';
}

void field_close(struct field *f)
{
    if (f->glob)
        end_pattern(f);
    if (f->empty_list && f->open && may_be_empty(f))
        field_add_anything(f);
    bool vanishes = f->vanish && !f->open && !f->split;

    if (f->open || f->text.len) {
        struct shell_word word = {
            .text = buf_str(&f->text),
            .known = f->proved == f->text.len && !f->doubted && !f->glob,
            .may_glob = f->glob,
            .may_split = f->split || vanishes,
            .may_vanish = vanishes,
            .may_dash = f->dash || dash_follows(buf_str(&f->text)),
            .shape = f->shape,
            .home = f->home,
            .translated = f->translated,
            .at = span_at(f->w, f->word->at),
            .len = span_len(f->w, f->word->len),
        };
        say_like(f, &word);
        walk_spend(f->w, word.may_glob ? SHELL_STEPS_PATTERN * (1 + word.text.len) : 1,
                   f->word->at);
        LIST_PUSH(f->w->arena, f->out, word);
    }
    f->text = buf_in(f->w->arena);
    f->proved = 0;
    f->open = f->doubted = f->glob = f->split = f->dash = f->home = f->translated = false;
    f->lead = (struct shell_value){0};
    f->unknowns = f->shape = 0;
    f->vanish = f->empty_list = f->opens = false;
    f->class = CLASS_NONE;
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
static void note_class(struct field *f, struct str text, bool quoted)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == '[' && f->class == CLASS_NONE)
            f->class = CLASS_PERHAPS;
        if (quoted && f->class == CLASS_PERHAPS && strchr("[]!^-.:=/", text.s[i]))
            f->class = CLASS_QUOTED;
        if (text.s[i] == ']' && f->class == CLASS_QUOTED)
            f->class = CLASS_OTHER;
    }
}

static void put(struct field *f, struct str text, bool quoted)
{
    buf_add(&f->text, text);
    f->open = f->said = true;
    if (!f->whole)
        note_class(f, text, quoted);
}

void field_add(struct field *f, struct str text)
{
    put(f, text, true);
    f->proved += text.len;
}

/* A pattern may lie across several of them: ["h"]. */
void field_add_unquoted(struct field *f, struct str text)
{
    put(f, text, false);
    f->proved += text.len;
    if (f->whole)
        return;
    f->glob |= has_glob(text) || (f->opens && str_has(text, ']'));
    f->opens |= str_has(text, '[');
}

void field_doubt(struct field *f)
{
    f->doubted = true;
}

void field_begin_part(struct field *f)
{
    f->said = false;
}

void field_end_part(struct field *f)
{
    if (!f->said)
        field_add_anything(f);
}

static void note_shape(struct field *f, unsigned shape)
{
    f->shape = f->unknowns++ ? f->shape & shape : shape;
}

void field_add_anything(struct field *f)
{
    note_shape(f, 0);
    buf_byte(&f->text, WORD_UNKNOWN);
    f->said = f->dash = true;
    f->split |= !f->whole;
    f->glob |= !f->whole;
}

static void add_shaped(struct field *f, bool quoted, struct shell_value v)
{
    bool usual = ifs_is_usual(f->w), splits = !quoted && !f->whole;
    unsigned shape = splits ? usual ? v.shape : 0 : v.one ? v.shape : 0;

    if (may_be_empty(f))
        f->dash |= !(shape & SHAPE_NO_DASH); /* a number may be negative */
    note_shape(f, shape);
    buf_byte(&f->text, WORD_UNKNOWN);
    f->open |= quoted;
    f->said = true;
    if (!splits)
        return;
    f->vanish |= !v.filled;
    if (v.number && usual)
        return;
    f->glob |= !(shape & SHAPE_ONE);
    f->split |= !(shape & SHAPE_ONE) || !v.one;
}

void field_add_unknown(struct field *f)
{
    add_shaped(f, true, (struct shell_value){.filled = true});
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

bool text_is_split(const struct walk *w, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (str_has(w->env.ifs.chars, text.s[i]))
            return true;
    return has_glob(text);
}

static void add_split(struct field *f, struct str text)
{
    struct strs pieces = {0};

    f->w->out->splits |= text_is_split(f->w, text);

    if (!f->w->env.ifs.known) {
        field_add_anything(f);
        return;
    }
    if (text.len && is_ifs_space(f->w, text.s[0]))
        field_close(f);
    eval_split(f->w, text, &pieces);
    if (!pieces.count)
        field_add_nothing(f);
    for (size_t i = 0; i < pieces.count; i++) {
        if (i)
            field_close(f);
        field_add_unquoted(f, pieces.items[i]);
    }
    if (text.len && pieces.count && str_has(f->w->env.ifs.chars, text.s[text.len - 1]))
        field_close(f);
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
void field_add_value(struct field *f, struct shell_value v, bool quoted)
{
    if (!walk_spend(f->w, v.text.len / SHELL_STEP_BYTES, f->word->at))
        v = (struct shell_value){0};
    if (!v.known && !v.scalar) {
        field_add_anything(f);
        return;
    }
    if (!v.known && !f->text.len && !f->unknowns)
        f->lead = v;
    if (!v.known && v.text.len && !v.shape) {
        note_shape(f, 0);
        f->dash |= may_be_empty(f) && v.text.s[0] == WORD_UNKNOWN;
        put(f, v.text, true); /* which proves nothing */
        f->split |= !quoted && !f->whole;
        f->glob |= !quoted && !f->whole;
    } else if (!v.known) {
        add_shaped(f, quoted, v);
    } else if (quoted || f->whole) {
        field_add(f, v.text);
    } else {
        add_split(f, v.text);
    }
}
