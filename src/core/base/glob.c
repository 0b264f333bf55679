#include "base/glob.h"

#include <string.h>

#include "base/glob_parts.h"

static bool is_continuation(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* Overlong forms, surrogates and values above U+10FFFF are not UTF-8: a second spelling of a name
 * would be a way past a rule. */
uint32_t symbol_read_long(struct str text, size_t *at)
{
    const unsigned char *s = (const unsigned char *)text.s + *at;
    size_t left = text.len - *at, len = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    static const uint32_t least[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000};

    ++*at;
    if (s[0] < 0xC2 || s[0] > 0xF4 || len > left)
        return SYMBOL_BYTE + s[0];

    uint32_t symbol = s[0] & (0xFFu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if (!is_continuation(s[i]))
            return SYMBOL_BYTE + s[0];
        symbol = symbol << 6 | (s[i] & 0x3Fu);
    }
    if (symbol < least[len] || symbol > 0x10FFFF || (symbol >= 0xD800 && symbol <= 0xDFFF))
        return SYMBOL_BYTE + s[0];
    *at += len - 1;
    return symbol;
}

bool class_has(const struct glob_class *c, uint32_t symbol)
{
    for (size_t i = 0; i < c->count; i++)
        if (symbol >= c->items[i].low && symbol <= c->items[i].high)
            return true;
    return false;
}

static bool class_takes(const struct glob *g, const struct glob_class *c, uint32_t symbol)
{
    bool in = class_has(c, symbol);

    if (!in && (g->flags & GLOB_NOCASE) && symbol >= 'a' && symbol <= 'z')
        in = class_has(c, symbol - 'a' + 'A');
    return in != c->negated;
}

bool token_takes(const struct glob *g, const struct token *t, uint32_t symbol)
{
    bool in_path = (g->flags & GLOB_PATH) != 0;

    switch (t->kind) {
    case TOKEN_LITERAL:
        return symbol == t->symbol;
    case TOKEN_ANY:
        return symbol != '/' || !in_path;
    case TOKEN_CLASS:
        return (symbol != '/' || !in_path) && class_takes(g, t->set, symbol);
    case TOKEN_STAR:
        return symbol != '/';
    case TOKEN_SPAN:
    case TOKEN_TREE:
        return true;
    }
    return false;
}

/* -- compiling ------------------------------------------------------------ */

struct compiler {
    struct arena *arena;
    struct str text;
    size_t at;
    unsigned flags;
    struct branch *branch;
    struct error *err;
};

static void add(struct compiler *c, struct token token)
{
    if (c->flags & GLOB_NOCASE)
        token.symbol = symbol_fold(token.symbol);
    c->branch->tokens[c->branch->count++] = token;
}

static void add_literal(struct compiler *c, uint32_t symbol)
{
    add(c, (struct token){.kind = TOKEN_LITERAL, .symbol = symbol});
}

static bool is_slash(const struct token *t)
{
    return t->kind == TOKEN_LITERAL && t->symbol == '/';
}

static bool ends_component(const struct token *t)
{
    return is_slash(t) || t->kind == TOKEN_TREE;
}

static bool at_component_start(const struct branch *b)
{
    return b->count == 0 || ends_component(&b->tokens[b->count - 1]);
}

/* The length of the separator at c->at, or 0. An escaped slash is still a slash: no name can
 * contain one. */
static size_t separator_length(const struct compiler *c)
{
    struct str rest = str_from_byte(c->text, c->at);

    return str_starts(rest, STR("/")) ? 1 : str_starts(rest, STR("\\/")) ? 2 : 0;
}

/* Consumes the slash after '**' too: TOKEN_TREE includes it. A '**' at the end of the pattern has
 * none. */
static bool read_tree(struct compiler *c, size_t stars)
{
    size_t slash = separator_length(c);

    if (!(c->flags & GLOB_PATH) || stars != 2 || !at_component_start(c->branch) ||
        (!slash && c->at < c->text.len))
        return false;
    add(c, (struct token){.kind = TOKEN_TREE});
    c->at += slash;
    return true;
}

static void read_stars(struct compiler *c)
{
    size_t from = c->at;

    while (c->at < c->text.len && c->text.s[c->at] == '*')
        c->at++;
    if (!read_tree(c, c->at - from))
        add(c, (struct token){.kind = c->flags & GLOB_PATH ? TOKEN_STAR : TOKEN_SPAN});
}

static enum status read_class(struct compiler *c)
{
    struct glob_class *set;
    enum status status = class_read(c->arena, c->text, &c->at, &set, c->err);

    if (status)
        return status;
    if (set)
        add(c, (struct token){.kind = TOKEN_CLASS, .set = set});
    else
        add_literal(c, symbol_read(c->text, &c->at));
    return STATUS_OK;
}

static enum status read_token(struct compiler *c)
{
    char byte = c->text.s[c->at];

    if (byte == '*') {
        read_stars(c);
        return STATUS_OK;
    }
    if (byte == '[' && !(c->flags & GLOB_NO_CLASSES))
        return read_class(c);
    if (byte == '?' && !(c->flags & GLOB_NO_QUESTION)) {
        add(c, (struct token){.kind = TOKEN_ANY});
        c->at++;
        return STATUS_OK;
    }
    if (byte == '\\' && c->at + 1 < c->text.len)
        c->at++;
    add_literal(c, symbol_read(c->text, &c->at));
    return STATUS_OK;
}

/* Adds the virtual slash at the end (see glob_parts.h), and under GLOB_PREFIX the '**' after it. */
static void finish_path(struct compiler *c, bool ended_in_tree)
{
    struct branch *b = c->branch;

    if (!ended_in_tree)
        add_literal(c, '/');
    if (!(c->flags & GLOB_PREFIX) || c->text.len == 0)
        return;
    while (b->count >= 2 && is_slash(&b->tokens[b->count - 1]) &&
           ends_component(&b->tokens[b->count - 2]))
        b->count--;
    add(c, (struct token){.kind = TOKEN_TREE});
}

/* GLOB_PREFIX without GLOB_PATH: after the pattern the text needs a slash, real or virtual, and
 * then anything. */
static void finish_plain_prefix(struct compiler *c)
{
    struct branch *b = c->branch;

    while (b->count && is_slash(&b->tokens[b->count - 1]))
        b->count--;
    add_literal(c, '/');
    if (c->text.len)
        add(c, (struct token){.kind = TOKEN_SPAN});
}

/* Room for two tokens more than bytes: the virtual slash, and the '**' of GLOB_PREFIX. */
static enum status compile_branch(struct compiler *c)
{
    bool ended_in_tree = false;

    c->branch->tokens = arena_room(c->arena, c->text.len + 2, sizeof(struct token));
    while (c->at < c->text.len) {
        enum status status = read_token(c);
        if (status)
            return status;
        ended_in_tree = c->branch->tokens[c->branch->count - 1].kind == TOKEN_TREE &&
                        c->text.s[c->at - 1] == '*';
    }
    if (c->flags & GLOB_PATH)
        finish_path(c, ended_in_tree);
    else if (c->flags & GLOB_PREFIX)
        finish_plain_prefix(c);
    return STATUS_OK;
}

/* -- the common prefix of all matches ------------------------------------------ */

static size_t literal_length(const struct branch *b)
{
    size_t n = 0;

    while (n < b->count && b->tokens[n].kind == TOKEN_LITERAL)
        n++;
    return n;
}

/* The slash in a/[**] may be the virtual one at the end, which is not in the text. */
static size_t certain_length(const struct glob *g, const struct branch *b)
{
    size_t n = literal_length(b), rest = n;

    while (rest < b->count &&
           (b->tokens[rest].kind == TOKEN_TREE || b->tokens[rest].kind == TOKEN_SPAN))
        rest++;
    return n && g->ends_in_slash && rest == b->count && is_slash(&b->tokens[n - 1]) ? n - 1 : n;
}

static size_t common_length(const struct glob *g)
{
    const struct branch *first = &g->branches[0];
    size_t n = certain_length(g, first);

    for (size_t i = 1; i < g->count; i++) {
        size_t max = certain_length(g, &g->branches[i]), same = 0;
        while (same < n && same < max &&
               g->branches[i].tokens[same].symbol == first->tokens[same].symbol)
            same++;
        n = same;
    }
    return n;
}

static void add_symbol(struct buf *b, uint32_t symbol)
{
    if (symbol < 0x80 || symbol >= SYMBOL_BYTE) {
        buf_byte(b, (char)(unsigned char)(symbol & 0xFF));
        return;
    }
    int more = symbol < 0x800 ? 1 : symbol < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};

    buf_byte(b, (char)(unsigned char)(lead[more] | symbol >> (6 * more)));
    while (more-- > 0)
        buf_byte(b, (char)(unsigned char)(0x80 | ((symbol >> (6 * more)) & 0x3F)));
}

enum status glob_compile(struct arena *a, struct str pattern, unsigned flags, struct glob **out,
                         struct error *err)
{
    struct strs texts = {0};
    struct glob *g = ARENA_NEW(a, struct glob);

    *out = NULL;
    if (pattern.len > GLOB_MAX_PATTERN)
        return fail(err, STATUS_LIMIT, "the pattern is longer than %d bytes", GLOB_MAX_PATTERN);
    enum status status = glob_brace_expand(a, pattern, flags, &texts, err);
    if (status)
        return status;

    g->flags = flags;
    g->ends_in_slash = (flags & (GLOB_PATH | GLOB_PREFIX)) != 0;
    g->branches = ARENA_ARRAY(a, struct branch, texts.count);
    for (; g->count < texts.count; g->count++) {
        struct compiler c = {a, texts.items[g->count], 0, flags, &g->branches[g->count], err};
        if ((status = compile_branch(&c)) != STATUS_OK)
            return status;
    }
    *out = g;
    return STATUS_OK;
}

/* -- matching -------------------------------------------------------------- */

/* A position in the branch and one in the text. */
struct position {
    size_t token, at;
};

/* The two positions to backtrack to: after the last TOKEN_STAR of this component, and after the
 * last TOKEN_SPAN or TOKEN_TREE. Both are after some token, so token 0 means "none".
 *
 * One of each is enough, which bounds the time by branch x text: what is between two runs has a
 * fixed number of symbols (or components), and if it fits at all, its first fit leaves the most
 * text to the rest. */
struct retry {
    struct position star, wide;
};

/* Reads the next symbol. At the end of the text it is the virtual slash. */
static inline uint32_t symbol_at(const struct glob *g, struct str text, size_t *at)
{
    if (*at == text.len) {
        ++*at;
        return '/';
    }
    uint32_t symbol = symbol_read(text, at);
    return g->flags & GLOB_NOCASE ? symbol_fold(symbol) : symbol;
}

/* Lets the run before `wide` take one more symbol, then skips to where the literal after it could
 * match. */
static void widen_span(const struct glob *g, const struct branch *b, struct str text,
                       struct position *wide)
{
    const struct token *t = wide->token < b->count ? &b->tokens[wide->token] : NULL;
    size_t after = wide->at;

    symbol_at(g, text, &after);
    do
        wide->at = after;
    while (t && t->kind == TOKEN_LITERAL && after < text.len &&
           symbol_at(g, text, &after) != t->symbol);
}

/* Lets the run before `wide` take one more symbol, or one more component. */
static bool widen(const struct glob *g, const struct branch *b, struct str text,
                  struct position *wide)
{
    size_t end = text.len + g->ends_in_slash;

    if (!wide->token || wide->at >= end)
        return false;
    if (b->tokens[wide->token - 1].kind == TOKEN_SPAN) {
        widen_span(g, b, text, wide);
        return true;
    }
    struct str rest = str_from_byte(text, wide->at);
    size_t slash = str_index(rest, '/');
    wide->at += (slash == STR_NONE ? rest.len : slash) + 1;
    return true;
}

/* Backtracks: lets the star of this component take one more symbol or, if it cannot, the wide run
 * before it. */
static bool go_back(const struct glob *g, const struct branch *b, struct str text, struct retry *r,
                    struct position *here)
{
    if (r->star.token && r->star.at < text.len && text.s[r->star.at] != '/') {
        symbol_at(g, text, &r->star.at);
        *here = r->star;
        return true;
    }
    r->star.token = 0;
    if (!widen(g, b, text, &r->wide))
        return false;
    *here = r->wide;
    return true;
}

/* Enters the run at `here`; it matches nothing at first and grows on backtracking. */
static void enter_run(const struct branch *b, struct retry *r, struct position *here)
{
    bool is_star = b->tokens[here->token].kind == TOKEN_STAR;

    here->token++;
    if (is_star)
        r->star = *here;
    else
        *r = (struct retry){.wide = *here};
}

/* Matches symbol by symbol up to the next run (true) or to the first symbol that does not fit
 * (false). A slash ends the component, and with it the chance to backtrack to the star in it. */
static bool walk(const struct glob *g, const struct branch *b, struct str text, struct retry *r,
                 struct position *here)
{
    size_t end = text.len + g->ends_in_slash;

    for (; here->token < b->count; here->token++) {
        const struct token *t = &b->tokens[here->token];
        if (token_repeats(t))
            return true;
        if (here->at >= end)
            return false;
        uint32_t symbol = symbol_at(g, text, &here->at);
        if (t->kind == TOKEN_LITERAL ? symbol != t->symbol : !token_takes(g, t, symbol))
            return false;
        if (symbol == '/')
            r->star.token = 0;
    }
    return here->at == end;
}

enum match { MATCH_NO, MATCH_YES, MATCH_CUT };

/* Many stars and long literals can take branch x text steps. Only an attacker writes such a
 * pattern, so the steps are limited. */
static enum match match_branch(const struct glob *g, const struct branch *b, struct str text)
{
    size_t left = (text.len + b->count) * GLOB_STEPS_PER_BYTE + GLOB_STEPS_FREE;
    struct retry r = {0};
    struct position here = {0};

    for (;;) {
        size_t from = here.at;
        bool fits = walk(g, b, text, &r, &here);
        if (here.at - from >= left)
            return MATCH_CUT;
        left -= here.at - from + 1;
        if (!fits) {
            if (!go_back(g, b, text, &r, &here))
                return MATCH_NO;
            continue;
        }
        if (here.token == b->count)
            return MATCH_YES;
        enter_run(b, &r, &here);
        if (here.token == b->count && r.wide.token == here.token)
            return MATCH_YES; /* the run takes the rest of the text */
    }
}

bool glob_match_or(const struct glob *g, struct str text, bool when_cut)
{
    for (size_t i = 0; i < g->count; i++) {
        enum match m = match_branch(g, &g->branches[i], text);
        if (m == MATCH_YES || (m == MATCH_CUT && when_cut))
            return true;
    }
    return false;
}

bool glob_match(const struct glob *g, struct str text)
{
    return glob_match_or(g, text, false);
}

bool glob_is_match(struct arena *a, struct str pattern, unsigned flags, struct str text)
{
    struct glob *g = NULL;

    return glob_compile(a, pattern, flags, &g, NULL) == STATUS_OK && g && glob_match(g, text);
}

struct str glob_literal_prefix(struct arena *a, const struct glob *g)
{
    struct buf b = buf_in(a);
    size_t n = common_length(g);

    for (size_t i = 0; i < n; i++)
        add_symbol(&b, g->branches[0].tokens[i].symbol);
    return buf_str(&b);
}

static bool could_have_magic(struct str pattern)
{
    return str_has(pattern, '*') || str_has(pattern, '?') || str_has(pattern, '[') ||
           str_has(pattern, '{');
}

bool glob_has_magic(struct str pattern, unsigned flags)
{
    if (!could_have_magic(pattern))
        return false; /* true of nearly all names */
    size_t open = 0, close, end, limit = class_limit(pattern, flags);

    for (size_t i = 0; i < pattern.len; i++) {
        char c = pattern.s[i];
        if (c == '\\')
            i++;
        else if (c == '*' || (c == '?' && !(flags & GLOB_NO_QUESTION)) ||
                 (c == '[' && i < limit && class_find(pattern, i, &end) != CLASS_UNCLOSED))
            return true;
    }
    return brace_find(pattern, flags, &open, &close) != BRACE_NONE;
}

struct str glob_escape(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] && strchr("*?[]{},\\", text.s[i]))
            buf_byte(&b, '\\');
        buf_byte(&b, text.s[i]);
    }
    return buf_str(&b);
}
