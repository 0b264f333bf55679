#include "record/redact.h"

#include "record/redact_parts.h"
#include "shell/tree.h"

/* ---- marks ---- */

static size_t place_of(const struct piece *p, size_t i)
{
    return p->from ? p->from[i] : (size_t)(p->text.s - p->redactor->source.s) + i + 1;
}

/* A byte that is already marked has been extended, too: many bytes of one $'...' share a place. */
static void mark_place(struct redactor *r, size_t place)
{
    if (!place || r->marked[place - 1])
        return;
    r->marked[place - 1] = 1;
    for (size_t i = place; r->stretch && i < r->stretch[place - 1]; i++)
        r->marked[i] = 1;
}

static void remember(const struct piece *p, struct str secret)
{
    struct strs *found = p->redactor->found;

    if (found && found->count <= REDACT_FOUND_MAX && secret.len >= REDACT_FOUND_LEAST &&
        !str_has(secret, WORD_UNKNOWN) && !strs_has(found, secret))
        LIST_PUSH(p->redactor->arena, found, str_copy(p->redactor->arena, secret));
}

void piece_mark(const struct piece *p, size_t from, size_t to)
{
    remember(p, str_slice(p->text, from, to));
    for (size_t i = from; i < to && i < p->text.len; i++)
        mark_place(p->redactor, place_of(p, i));
}

struct piece piece_slice(const struct piece *p, size_t from, size_t to)
{
    struct piece s = *p;

    s.text = str_slice(p->text, from, to);
    s.from = p->from ? p->from + from : NULL;
    return s;
}

/* ---- words as the program gets them ---- */

static bool is_view(const struct piece *layer, struct str text)
{
    return text.s >= layer->text.s && text.s + text.len <= layer->text.s + layer->text.len;
}

/* $'...' with escapes: its bytes are not in the source. A mark on any of them covers the whole
 * quotation. */
static uint32_t stretched(const struct piece *layer, size_t from, size_t to)
{
    struct redactor *r = layer->redactor;

    if (from >= to || to > layer->text.len)
        return 0;
    size_t first = place_of(layer, from), last = place_of(layer, to - 1);
    if (!first || last < first)
        return 0;
    if (!r->stretch)
        r->stretch = ARENA_ARRAY(r->arena, uint32_t, r->source.len);
    if (r->stretch[first - 1] < last)
        r->stretch[first - 1] = (uint32_t)last;
    return (uint32_t)first;
}

struct joined_text {
    const struct piece *layer;
    char *text;
    uint32_t *from;
    size_t len;
    size_t seen; /* of the layer, up to here */
};

static void join_text(struct joined_text *j, const struct part *part)
{
    bool view = is_view(j->layer, part->text);
    size_t start = view ? (size_t)(part->text.s - j->layer->text.s) : 0;
    uint32_t whole = view ? 0 : stretched(j->layer, j->seen, part->at + 1);

    for (size_t i = 0; i < part->text.len; i++) {
        j->text[j->len] = part->text.s[i];
        j->from[j->len++] = view ? (uint32_t)place_of(j->layer, start + i) : whole;
    }
    j->seen = view ? start + part->text.len : part->at + 1;
}

static size_t joined_length(const struct word *w)
{
    size_t len = 0;

    for (size_t i = 0; i < w->parts.count; i++)
        len += w->parts.items[i].kind == PART_TEXT ? w->parts.items[i].text.len : 1;
    return len;
}

static struct piece word_piece(const struct piece *layer, const struct word *w)
{
    struct redactor *r = layer->redactor;
    size_t len = joined_length(w);

    if (w->parts.count == 1 && w->parts.items[0].kind == PART_TEXT &&
        is_view(layer, w->parts.items[0].text)) {
        size_t start = (size_t)(w->parts.items[0].text.s - layer->text.s);
        struct piece p = piece_slice(layer, start, start + len);
        p.dollar = p.shell = false;
        p.assignment = w->name.len > 0;
        return p;
    }
    struct joined_text j = {layer, ARENA_ARRAY(r->arena, char, len + 1),
                            ARENA_ARRAY(r->arena, uint32_t, len + 1), 0, w->at};
    for (size_t i = 0; i < w->parts.count; i++) {
        const struct part *part = &w->parts.items[i];
        if (part->kind == PART_TEXT) {
            join_text(&j, part);
        } else {
            j.text[j.len++] = WORD_UNKNOWN;
            j.seen = part->at + part->len;
        }
    }
    return (struct piece){
        .redactor = r, .text = {j.text, j.len}, .from = j.from, .assignment = w->name.len > 0};
}

/* ---- the tree ---- */

static void look_inside(const struct piece *text);
static void walk(const struct piece *layer, const struct node *n, bool fed);
static void walk_word(const struct piece *layer, const struct word *w);

/* The text in backticks or in a here-document was copied by the parser; it is read again at its
 * place in the source. */
static struct piece slice_of(const struct piece *layer, size_t at, size_t len)
{
    struct piece inside = piece_slice(layer, at, at + len);

    inside.shell = inside.assignment = false;
    return inside;
}

/* ${DB_PASSWORD:-secret} */
static void walk_default(const struct piece *layer, const struct param *param)
{
    struct piece p = word_piece(layer, &param->operand);

    if (redact_key_is_secret(param->name) && !redact_value_is_plain(p.text, true))
        piece_mark(&p, 0, p.text.len);
    walk_word(layer, &param->operand);
}

static void walk_parts(const struct piece *layer, const struct word_parts *parts)
{
    for (size_t i = 0; parts && i < parts->count; i++) {
        const struct part *part = &parts->items[i];
        if (part->kind == PART_BACKTICK && part->len > 2) {
            struct piece inside = slice_of(layer, part->at + 1, part->len - 2);
            look_inside(&inside);
        } else if (part->body) {
            walk(layer, part->body, false);
        }
        if (part->param)
            walk_default(layer, part->param);
        walk_parts(layer, part->inner);
    }
}

static void walk_word(const struct piece *layer, const struct word *w)
{
    walk_parts(layer, &w->parts);
    for (size_t i = 0; i < w->elements.count; i++)
        walk_word(layer, &w->elements.items[i]);
}

/* The word itself, and the command that it may contain: sh -c "mysql -p..." */
static void take_word(const struct piece *layer, const struct word *w, struct pieces *out)
{
    struct piece p = word_piece(layer, w);

    walk_word(layer, w);
    redact_scan(&p);
    if (str_has(p.text, ' '))
        look_inside(&p);
    LIST_PUSH(layer->redactor->arena, out, p);
    for (size_t i = 0; i < w->elements.count; i++) {
        struct piece element = word_piece(layer, &w->elements.items[i]);
        redact_scan(&element);
    }
}

static void take_words(const struct piece *layer, const struct words *words, struct pieces *out)
{
    for (size_t i = 0; i < words->count; i++)
        take_word(layer, &words->items[i], out);
}

static void walk_redirects(const struct piece *layer, const struct redirects *redirects,
                           bool secret)
{
    struct pieces ignored = {0};

    for (size_t i = 0; i < redirects->count; i++) {
        const struct redirect *r = redirects->items[i];
        if (r->op == REDIRECT_HERE_DOC) {
            struct piece body = slice_of(layer, r->target.at, r->target.len);
            body.dollar = !r->inert;
            redact_scan(&body);
            look_inside(&body);
            continue;
        }
        take_word(layer, &r->target, &ignored);
        if (r->op == REDIRECT_HERE_STR && secret) {
            struct piece p = word_piece(layer, &r->target);
            piece_mark(&p, 0, p.text.len);
        }
    }
}

static void walk_simple(const struct piece *layer, const struct node *n, bool fed)
{
    struct pieces words = {0};

    take_words(layer, &n->assigns, &words);
    take_words(layer, &n->words, &words);
    walk_redirects(layer, &n->redirects, redact_reads_secret(&words));
    redact_argv(&words, fed);
}

static bool reads_secret(const struct piece *layer, const struct node *n)
{
    struct pieces words = {0};

    for (size_t i = 0; n->kind == NODE_SIMPLE && i < n->words.count; i++)
        LIST_PUSH(layer->redactor->arena, &words, word_piece(layer, &n->words.items[i]));
    return redact_reads_secret(&words);
}

static void walk_other(const struct piece *layer, const struct node *n)
{
    struct pieces ignored = {0};

    take_words(layer, &n->words, &ignored);
    walk_redirects(layer, &n->redirects, false);
    for (size_t i = 0; i < n->clauses.count; i++) {
        take_words(layer, &n->clauses.items[i].patterns, &ignored);
        walk(layer, n->clauses.items[i].body, false);
    }
}

static void walk(const struct piece *layer, const struct node *n, bool fed)
{
    if (!n)
        return;
    if (n->kind == NODE_SIMPLE)
        walk_simple(layer, n, fed);
    else
        walk_other(layer, n);
    for (size_t i = 0; i < n->kids.count; i++) {
        bool feeds = n->kind == NODE_PIPELINE && i + 1 < n->kids.count &&
                     reads_secret(layer, n->kids.items[i + 1]);
        walk(layer, n->kids.items[i], feeds);
    }
}

/* For text that the parser rejected: words are separated by blanks and quotes, and all of them are
 * one command. */
static void look_loosely(const struct piece *text, size_t from)
{
    struct piece rest = piece_slice(text, from, text->text.len);
    struct pieces words = {0};
    size_t start = from;

    rest.shell = false;
    redact_scan(&rest);

    for (size_t i = from; i <= text->text.len; i++) {
        if (i < text->text.len && !strchr(" \t\n\"';|&()<>", text->text.s[i]))
            continue;
        if (i > start)
            LIST_PUSH(text->redactor->arena, &words, piece_slice(text, start, i));
        start = i + 1;
    }
    redact_argv(&words, false);
}

/* Unknown bytes are not shell text: the parser sees a letter instead. Places do not change. */
static struct str without_holes(struct arena *a, struct str text)
{
    if (!str_has(text, WORD_UNKNOWN))
        return text;
    char *copy = arena_copy(a, text.s, text.len);
    for (size_t i = 0; i < text.len; i++)
        if (copy[i] == WORD_UNKNOWN)
            copy[i] = '_';
    return (struct str){copy, text.len};
}

static void look_inside(const struct piece *text)
{
    struct redactor *r = text->redactor;
    struct piece layer = *text;
    struct tree tree;

    if (r->depth >= REDACT_DEPTH_MAX) {
        look_loosely(text, 0);
        return;
    }
    if (layer.from)
        layer.text = without_holes(r->arena, text->text);
    r->depth++;
    shell_parse(r->arena, layer.text, &tree);
    walk(&layer, tree.root, false);
    if (tree.why)
        look_loosely(&layer, tree.why_at);
    r->depth--;
}

/* ---- the text without its secrets ---- */

/* As it is written in the source: a text that quotes the command may do so literally. */
static void remember_source(struct redactor *r, size_t from, size_t to)
{
    const struct piece all = {.redactor = r, .text = r->source};

    remember(&all, str_slice(r->source, from, to));
}

static struct str render(struct redactor *r)
{
    struct buf b = buf_in(r->arena);
    size_t start = 0;

    for (size_t i = 0; i < r->source.len; i++) {
        if (!r->marked[i])
            continue;
        buf_add(&b, str_slice(r->source, start, i));
        buf_text(&b, REDACTED);
        size_t from = i;
        while (i + 1 < r->source.len && r->marked[i + 1])
            i++;
        start = i + 1;
        remember_source(r, from, start);
    }
    if (!start)
        return r->source;
    buf_add(&b, str_from_byte(r->source, start));
    return buf_str(&b);
}

static struct redactor new_redactor(struct arena *a, struct str source)
{
    return (struct redactor){
        .arena = a, .source = source, .marked = ARENA_ARRAY(a, unsigned char, source.len + 1)};
}

static struct str redact_shell(struct arena *a, struct str command, struct strs *found, bool plain)
{
    struct redactor r = new_redactor(a, command);
    r.found = found;
    struct piece all = {.redactor = &r, .text = command, .dollar = true, .shell = true};

    redact_scan(&all);
    if (!plain)
        look_inside(&all);
    return render(&r);
}

struct str redact_command(struct arena *a, struct str command, struct strs *found)
{
    return redact_shell(a, command, found, redact_is_plain(command));
}

struct str redact_command_fully(struct arena *a, struct str command, struct strs *found)
{
    return redact_shell(a, command, found, false);
}

struct str redact_text_finding(struct arena *a, struct str text, struct strs *found)
{
    struct redactor r = new_redactor(a, text);
    struct piece all = {.redactor = &r, .text = text};

    r.found = found;
    redact_scan(&all);
    return render(&r);
}

struct str redact_text(struct arena *a, struct str text)
{
    return redact_text_finding(a, text, NULL);
}

void redact_remember(struct arena *a, struct str secret, struct strs *found)
{
    struct redactor r = {.arena = a, .source = secret, .found = found};

    remember_source(&r, 0, secret.len);
}

static struct str replace_all(struct arena *a, struct str text, struct str secret)
{
    struct buf b = buf_in(a);
    const char *at;

    if (!str_contains(text, secret))
        return text;
    while ((at = memmem(text.s, text.len, secret.s, secret.len)) != NULL) {
        buf_add(&b, str_slice(text, 0, (size_t)(at - text.s)));
        buf_text(&b, REDACTED);
        text = str_from_byte(text, (size_t)(at - text.s) + secret.len);
    }
    buf_add(&b, text);
    return buf_str(&b);
}

struct str redact_quoting(struct arena *a, struct str text, const struct strs *found)
{
    struct str clean = text;

    if (!text.len)
        return text;
    if (text.len > REDACT_QUOTE_MAX || found->count > REDACT_FOUND_MAX)
        return str_format(a, "(%zu bytes)", text.len);
    for (size_t i = 0; i < found->count; i++)
        clean = replace_all(a, clean, found->items[i]);
    return redact_command(a, clean, NULL);
}
