#include "rule/index_key.h"

#include "rule/open.h"
#include "rule/tool.h"

/* The state while the ways of one rule are enumerated. */
struct enumeration {
    struct arena *scratch;
    struct way way;
    size_t ways;
    bool keyed; /* every way so far has a key */
    void (*take)(void *, const struct way *);
    void *context;
};

/* --- runs of bytes --- */

/* A literal run as it occurs in the looked-up texts, including the blank or slash at its ends. */
struct run {
    char s[GLOB_MAX_PIECE + 2];
    size_t len;
};

static void add(struct run *r, char c)
{
    if (r->len < sizeof(r->s))
        r->s[r->len++] = key_byte(c);
}

static void add_key(struct way *w, struct key key)
{
    if (w->count < WAY_KEYS_MAX)
        w->keys[w->count++] = key;
}

/* Adds the keys of every position. The scan tests the short key that ends at a position first, so
 * that is the filter entry of a long key, too. */
static void add_run(struct way *w, const struct run *r)
{
    uint64_t window = 0;

    for (size_t i = 0; i < r->len; i++) {
        window = key_window(window, r->s[i]);
        uint32_t filter = key_short(window, w->space);
        if (i + 1 >= KEY_SHORT)
            add_key(w, (struct key){filter, filter, KEY_IS_SHORT, KEY_SHORT});
        if (i + 1 >= KEY_LONG)
            add_key(w, (struct key){key_long(window, w->space), filter, KEY_IS_LONG, KEY_LONG});
    }
}

/* The run is at the start of the text (its first byte is the blank before it) or of a path
 * component (its first byte is a slash). */
static void add_start(struct way *w, const struct run *r)
{
    uint64_t hash = key_begin(r->s[0]);

    if (w->space != KEY_IN_TEXT || r->len < KEY_SHORT)
        return;
    uint32_t filter = key_filter(key_bytes(r->s[0], r->s[1], r->s[2], r->s[3]));
    for (size_t n = 2; n <= r->len && n <= KEY_START_MAX; n++) {
        hash = key_go_on(hash, r->s[n - 1]);
        if (n >= KEY_SHORT)
            add_key(w, (struct key){key_start(hash), filter, KEY_IS_START, (uint32_t)n});
    }
}

static void begin_way(struct enumeration *e)
{
    e->way.count = 0;
    e->way.in_path = false;
}

/* A way without any key, or too many ways: the rule cannot be indexed and is always returned. */
static void end_way(struct enumeration *e)
{
    if (e->way.count == 0 || ++e->ways > RULE_WAYS)
        e->keyed = false;
    if (e->keyed)
        e->take(e->context, &e->way);
}

/* --- literal patterns --- */

/* Bytes beyond ASCII may have another spelling in the text, and the letter before them may be part
 * of it (a combining mark): they make no keys. */
static bool is_plain(struct str s, size_t at)
{
    return (unsigned char)s.s[at] < 0x80 && (at + 1 >= s.len || (unsigned char)s.s[at + 1] < 0x80);
}

static void end_run(struct way *w, struct run *run, bool *starts)
{
    if (*starts)
        add_start(w, run);
    add_run(w, run);
    *starts = false;
    run->len = 0;
}

static void literal_way(struct enumeration *e, struct str text, bool from_start, bool to_end)
{
    struct run run = {0};
    bool starts = from_start;

    begin_way(e);
    if (from_start)
        add(&run, ' ');
    for (size_t i = 0; i < text.len; i++) {
        if (is_plain(text, i))
            add(&run, text.s[i]);
        if (!is_plain(text, i) || run.len == GLOB_MAX_PIECE)
            end_run(&e->way, &run, &starts);
    }
    if (to_end && (text.len == 0 || is_plain(text, text.len - 1)))
        add(&run, ' ');
    end_run(&e->way, &run, &starts);
    end_way(e);
}

/* --- globs --- */

enum text_kind {
    IN_TEXT,
    IN_ACTION, /* '~' also means the home directory's full name */
    IN_PATH,   /* in an absolute path with a trailing slash, below some directory */
};

static void piece_run(const struct glob_piece *p, enum text_kind kind, struct run *run)
{
    *run = (struct run){0};
    if (kind == IN_PATH ? p->at_component : p->at_start)
        add(run, kind == IN_PATH ? '/' : ' ');
    for (size_t i = 0; i < p->len; i++)
        add(run, p->text[i]);
    if (kind == IN_PATH ? p->at_last : p->at_end)
        add(run, kind == IN_PATH ? '/' : ' ');
}

static void add_piece(struct way *w, const struct glob_piece *p, enum text_kind kind)
{
    struct run run;

    if (kind == IN_ACTION && memchr(p->text, '~', p->len))
        return;
    piece_run(p, kind, &run);
    if (kind == IN_PATH ? p->at_component : p->at_start)
        add_start(w, &run);
    add_run(w, &run);
}

static void glob_ways(struct enumeration *e, const struct glob *g, enum text_kind kind)
{
    struct glob_piece piece;

    for (size_t i = 0; g && e->keyed && i < glob_branches(g); i++) {
        size_t at = 0;
        begin_way(e);
        e->way.in_path = kind == IN_PATH;
        while (glob_piece(g, i, &at, &piece))
            add_piece(&e->way, &piece, kind);
        end_way(e);
    }
}

/* --- rules --- */

static void reading_ways(struct enumeration *e, struct open_reading *o, enum text_kind kind)
{
    switch (o->from.matcher) {
    case MATCH_EXACT:
    case MATCH_PREFIX:
        literal_way(e, o->from.pattern, true, true);
        return;
    case MATCH_STARTS:
        literal_way(e, o->from.pattern, true, false);
        return;
    case MATCH_SUBSTRING:
        literal_way(e, o->from.pattern, false, false);
        return;
    case MATCH_GLOB:
    case MATCH_FIELD:
    case MATCH_ACTION: /* keys ignore case, so the folded glob has the same ones */
        glob_ways(e, open_glob(e->scratch, o), kind);
        if (o->from.tail)
            glob_ways(e, open_bare(e->scratch, o), kind);
        return;
    case MATCH_PATH:
    case MATCH_DOMAIN:
        glob_ways(e, open_glob(e->scratch, o), IN_PATH);
        return;
    case MATCH_ANY:
        e->keyed = false;
        return;
    }
}

/* A bare tool is found by its name. No key on its end: the name of an MCP server is the start of
 * its tools' names. */
static void tool_ways(struct enumeration *e, const struct rule *r)
{
    e->way.space = KEY_IN_NAME;
    if (r->tool_wild)
        glob_ways(e, open_tool(e->scratch, r), IN_TEXT);
    else
        literal_way(e, r->tool, true, false);
    e->way.space = KEY_IN_TEXT;
}

static void content_ways(struct enumeration *e, const struct rule *r)
{
    struct open_reading main = rule_open(r), unquoted = rule_open_unquoted(r);

    if (r->matcher == MATCH_ANY) {
        tool_ways(e, r);
        return;
    }
    if (r->matcher == MATCH_PATH) {
        glob_ways(e, gitignore_glob(open_path(e->scratch, r->path, r->effect != BEHAVIOR_ALLOW)),
                  IN_PATH);
        return;
    }
    reading_ways(e, &main, r->matcher == MATCH_ACTION ? IN_ACTION : IN_TEXT);
    if (rule_more(r)->letter.len && e->keyed)
        glob_ways(e, open_letter(e->scratch, r), IN_TEXT);
    if (rule_more(r)->has_unquoted && e->keyed)
        reading_ways(e, &unquoted, IN_TEXT);
}

/* `npm:*` may be a field called npm. If its pattern gives no key, the field name does: the call
 * must have such a field, unless it means the command. The end of the name is enough, and rarer:
 * many names start alike. */
static void field_ways(struct enumeration *e, const struct rule *r)
{
    const struct str field = rule_more(r)->field;
    const size_t tail = KEY_SHORT - 1;

    glob_ways(e, open_field(e->scratch, r), IN_TEXT);
    if (e->keyed || rule_field_is_command(field))
        return;
    e->keyed = true;
    e->way.space = KEY_IN_NAME;
    literal_way(e, field.len > tail ? str_slice(field, field.len - tail, field.len) : field,
                field.len < tail, true);
    e->way.space = KEY_IN_TEXT;
}

bool rule_ways(struct arena *scratch, const struct rule *r,
               void (*take)(void *, const struct way *), void *context)
{
    struct enumeration e = {.scratch = scratch, .keyed = true, .take = take, .context = context};

    content_ways(&e, r);
    if (e.keyed && rule_more(r)->field.len)
        field_ways(&e, r);
    return e.keyed;
}
