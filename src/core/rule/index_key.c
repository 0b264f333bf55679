#include "rule/index_key.h"

#include "rule/open.h"
#include "rule/tool.h"

/* What is done with each way while a rule is looked at. */
struct looking {
    struct arena *scratch;
    struct way way;
    size_t ways;
    bool keyed; /* every way so far had a key */
    void (*take)(void *, const struct way *);
    void *context;
};

/* --- runs of bytes --- */

/* A literal run with its ends, as it stands in the texts that are looked up. */
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

static void add_run(struct way *w, const struct run *r)
{
    uint64_t window = 0;

    for (size_t i = 0; i < r->len; i++) {
        window = key_window(window, r->s[i]);
        uint32_t gate = key_short(window, w->space);
        if (i + 1 >= KEY_SHORT)
            add_key(w, (struct key){gate, gate, KEY_IS_SHORT, KEY_SHORT});
        if (i + 1 >= KEY_LONG)
            add_key(w, (struct key){key_long(window, w->space), gate, KEY_IS_LONG, KEY_LONG});
    }
}

/* The text begins with the run, whose first byte is the blank before it; or a component does, and
 * it is a slash. */
static void add_start(struct way *w, const struct run *r)
{
    uint64_t hash = key_begin(r->s[0]);

    if (w->space != KEY_IN_TEXT || r->len < KEY_SHORT)
        return;
    uint32_t gate = key_gate(key_bytes(r->s[0], r->s[1], r->s[2], r->s[3]));
    for (size_t n = 2; n <= r->len && n <= KEY_START_MAX; n++) {
        hash = key_go_on(hash, r->s[n - 1]);
        if (n >= KEY_SHORT)
            add_key(w, (struct key){key_start(hash), gate, KEY_IS_START, (uint32_t)n});
    }
}

static void begin_way(struct looking *l)
{
    l->way.count = 0;
    l->way.in_path = false;
}

static void end_way(struct looking *l)
{
    if (l->way.count == 0 || ++l->ways > RULE_WAYS)
        l->keyed = false;
    if (l->keyed)
        l->take(l->context, &l->way);
}

/* --- literal patterns --- */

/* Bytes beyond ASCII may be spelled in another way in the text, and the letter before them may be
 * part of that. */
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

static void literal_way(struct looking *l, struct str text, bool from_start, bool to_end)
{
    struct run run = {0};
    bool starts = from_start;

    begin_way(l);
    if (from_start)
        add(&run, ' ');
    for (size_t i = 0; i < text.len; i++) {
        if (is_plain(text, i))
            add(&run, text.s[i]);
        if (!is_plain(text, i) || run.len == GLOB_MAX_PIECE)
            end_run(&l->way, &run, &starts);
    }
    if (to_end && (text.len == 0 || is_plain(text, text.len - 1)))
        add(&run, ' ');
    end_run(&l->way, &run, &starts);
    end_way(l);
}

/* --- globs --- */

enum place {
    IN_TEXT,
    IN_ACTION, /* '~' also stands for the home's full name */
    IN_PATH,   /* of an absolute path with a slash behind it, somewhere below a directory */
};

static void piece_run(const struct glob_piece *p, enum place place, struct run *run)
{
    *run = (struct run){0};
    if (place == IN_PATH ? p->at_component : p->at_start)
        add(run, place == IN_PATH ? '/' : ' ');
    for (size_t i = 0; i < p->len; i++)
        add(run, p->text[i]);
    if (place == IN_PATH ? p->at_last : p->at_end)
        add(run, place == IN_PATH ? '/' : ' ');
}

static void add_piece(struct way *w, const struct glob_piece *p, enum place place)
{
    struct run run;

    if (place == IN_ACTION && memchr(p->text, '~', p->len))
        return;
    piece_run(p, place, &run);
    if (place == IN_PATH ? p->at_component : p->at_start)
        add_start(w, &run);
    add_run(w, &run);
}

static void glob_ways(struct looking *l, const struct glob *g, enum place place)
{
    struct glob_piece piece;

    for (size_t i = 0; g && l->keyed && i < glob_branches(g); i++) {
        size_t at = 0;
        begin_way(l);
        l->way.in_path = place == IN_PATH;
        while (glob_piece(g, i, &at, &piece))
            add_piece(&l->way, &piece, place);
        end_way(l);
    }
}

/* --- rules --- */

static void reading_ways(struct looking *l, struct open_reading *o, enum place place)
{
    switch (o->from.matcher) {
    case MATCH_EXACT:
    case MATCH_PREFIX:
        literal_way(l, o->from.pattern, true, true);
        return;
    case MATCH_STARTS:
        literal_way(l, o->from.pattern, true, false);
        return;
    case MATCH_SUBSTRING:
        literal_way(l, o->from.pattern, false, false);
        return;
    case MATCH_GLOB:
    case MATCH_FIELD:
    case MATCH_ACTION: /* keys know no case, so those of the folded glob are the same */
        glob_ways(l, open_glob(l->scratch, o), place);
        if (o->from.tail)
            glob_ways(l, open_bare(l->scratch, o), place);
        return;
    case MATCH_PATH:
    case MATCH_DOMAIN:
        glob_ways(l, open_glob(l->scratch, o), IN_PATH);
        return;
    case MATCH_ANY:
        l->keyed = false;
        return;
    }
}

/* A bare tool is found by its name; one that names a server, by what the names of its tools begin
 * with. */
static void tool_ways(struct looking *l, const struct rule *r)
{
    l->way.space = KEY_IN_NAME;
    if (r->tool_wild)
        glob_ways(l, open_tool(l->scratch, r), IN_TEXT);
    else
        literal_way(l, r->tool, true, false);
    l->way.space = KEY_IN_TEXT;
}

static void content_ways(struct looking *l, const struct rule *r)
{
    struct open_reading main = rule_open(r), unquoted = rule_open_unquoted(r);

    if (r->matcher == MATCH_ANY) {
        tool_ways(l, r);
        return;
    }
    if (r->matcher == MATCH_PATH) {
        glob_ways(l, gitignore_glob(open_path(l->scratch, r->path, r->effect != BEHAVIOR_ALLOW)),
                  IN_PATH);
        return;
    }
    reading_ways(l, &main, r->matcher == MATCH_ACTION ? IN_ACTION : IN_TEXT);
    if (rule_more(r)->has_unquoted && l->keyed)
        reading_ways(l, &unquoted, IN_TEXT);
}

/* `npm:*` as a field of that name: where its pattern has no key, the name has, which the call must
 * have, too, unless it means the command. The end of a name will do: many begin alike. */
static void field_ways(struct looking *l, const struct rule *r)
{
    const struct str field = rule_more(r)->field;
    const size_t tail = KEY_SHORT - 1;

    glob_ways(l, open_field(l->scratch, r), IN_TEXT);
    if (l->keyed || rule_field_is_command(field))
        return;
    l->keyed = true;
    l->way.space = KEY_IN_NAME;
    literal_way(l, field.len > tail ? str_slice(field, field.len - tail, field.len) : field,
                field.len < tail, true);
    l->way.space = KEY_IN_TEXT;
}

bool rule_ways(struct arena *scratch, const struct rule *r,
               void (*take)(void *, const struct way *), void *context)
{
    struct looking l = {.scratch = scratch, .keyed = true, .take = take, .context = context};

    content_ways(&l, r);
    if (l.keyed && rule_more(r)->field.len)
        field_ways(&l, r);
    return l.keyed;
}
