/* index_search.c - looks up every run of bytes of a subject's texts in the index.
 *
 * This is the hot loop of a check with many rules: it reads all texts of all actions. What saves
 * most is the filter, then not scanning a text twice (struct key_scan), then not scanning at all
 * for kinds of keys that no rule has. */
#include "base/block.h"
#include "base/path.h"
#include "rule/index_parts.h"

/* The slots that the texts of a subject hit. */
struct key_scan {
    struct arena *a;
    const struct rule_index *x;
    struct rule_places slots; /* hit so far, with repetitions */
    struct str last;          /* the text scanned last */
    struct str within;        /* the longest text that was scanned completely */
    struct str path;          /* the path scanned last, with a slash after it */
};

/* Looks up one key and notes its slot. */
static void hit(struct key_scan *k, uint32_t key)
{
    const struct slot *s = slot_for(k->x, key);

    if (s->count)
        LIST_PUSH(k->a, &k->slots, (uint32_t)(s - k->x->slots));
}

/* Is one of the four bytes below 0x20? May be wrong by a borrow, but only towards yes. */
static bool has_control(uint32_t bytes)
{
    return (bytes - 0x20202020u) & ~bytes & 0x80808080u;
}

/* Looks up the start of the text in all lengths that start keys with its first bytes have; the
 * blank after the text counts. */
__attribute__((noinline)) static void hit_starts(struct key_scan *k, char first, struct str text,
                                                 uint32_t bytes)
{
    const uint32_t lengths =
        has_control(bytes) ? k->x->start_lengths : k->x->starts[starts_at(key_filter(bytes))];
    uint64_t hash = key_begin(first);

    for (size_t n = 2; n <= text.len + 2 && n <= KEY_START_MAX && lengths >> (n - 1); n++) {
        hash = key_go_on(hash, n < text.len + 2 ? key_byte(text.s[n - 2]) : ' ');
        if (lengths & length_bit(n))
            hit(k, key_start(hash));
    }
}

/* Could a key start with these bytes? The filter rejects nearly all texts here. It only knows ' ',
 * while a tab or newline would also count as a blank: those always pass. */
static inline bool may_start_key(const struct rule_index *x, uint32_t bytes)
{
    return passes_filter(x, key_filter(bytes)) || has_control(bytes);
}

/* The first bytes of a text of two bytes or more, which is read with a blank before and after it.
 */
static inline uint32_t first_bytes(struct str text)
{
    if (text.len >= KEY_SHORT)
        return ' ' | key_bytes_at(text.s) << 8;
    return key_bytes(' ', text.s[0], text.s[1], text.len < KEY_SHORT - 1 ? ' ' : text.s[2]);
}

static inline bool may_begin(const struct rule_index *x, struct str text)
{
    return x->has_starts && text.len >= KEY_SHORT - 2 && may_start_key(x, first_bytes(text));
}

__attribute__((noinline)) static void scan_start(struct key_scan *k, struct str text)
{
    if (may_begin(k->x, text))
        hit_starts(k, ' ', text, first_bytes(text));
}

/* Scans what follows the slash at byte `slash`; the path is read with a slash after it. */
__attribute__((noinline)) static void scan_after(struct key_scan *k, struct str path, size_t slash)
{
    struct str text = str_from_byte(str_join(k->a, path, STR("/")), slash + 1);

    if (text.len < KEY_SHORT - 2)
        return;
    uint32_t bytes =
        key_bytes('/', text.s[0], text.s[1], text.len < KEY_SHORT - 1 ? ' ' : text.s[2]);
    if (may_start_key(k->x, bytes))
        hit_starts(k, '/', text, bytes);
}

/* The copy with a slash at the end is only made near the end, or where a key may start. */
static void scan_components(struct key_scan *k, struct str path)
{
    struct parts parts;
    struct str part;

    if (!k->x->has_components)
        return;
    parts = parts_of(path);
    parts_next(&parts, &part); /* skip what is before the first slash */
    while (parts_next(&parts, &part)) {
        const char *slash = part.s - 1;
        if (parts.end - slash < KEY_SHORT || may_start_key(k->x, key_bytes_at(slash)))
            scan_after(k, path, (size_t)(slash - path.s));
    }
}

/* Looks up the keys that end with the last of `count` bytes. The filter rejects nearly all. */
static inline void hit_here(struct key_scan *k, uint64_t window, size_t count, enum key_space space)
{
    const struct rule_index *x = k->x;
    uint32_t hash = key_short(window, space);

    if (count < KEY_SHORT || !passes_filter(x, hash))
        return;
    hit(k, hash);
    if (x->has_long && count >= KEY_LONG)
        hit(k, key_long(window, space));
}

/* The text is read with a blank before and after it. */
static void scan_whole(struct key_scan *k, struct str text, enum key_space space)
{
    uint64_t window = key_window(0, ' ');

    for (size_t i = 0; i < text.len; i++) {
        window = key_window(window, key_byte(text.s[i]));
        hit_here(k, window, i + 2, space);
    }
    hit_here(k, key_window(window, ' '), text.len + 2, space);
}

/* Looks up the keys that end with one of the bytes `from` to `to`; byte text.len is the blank after
 * the text. */
static void scan_part(struct key_scan *k, struct str text, size_t from, size_t to)
{
    size_t i = from >= KEY_LONG ? from - KEY_LONG : 0, end = to < text.len ? to + 1 : text.len;
    uint64_t window = i ? 0 : key_window(0, ' ');

    for (; i < from && i < end; i++)
        window = key_window(window, key_byte(text.s[i]));
    for (; i < end; i++) {
        window = key_window(window, key_byte(text.s[i]));
        hit_here(k, window, i + 2, KEY_IN_TEXT);
    }
    if (to >= text.len)
        hit_here(k, key_window(window, ' '), text.len + 2, KEY_IN_TEXT);
}

#define EDGE        (KEY_LONG - 1) /* bytes of the text in a key that includes the blank before it */
#define SEARCH_PAYS 4 /* scanning a byte costs this many times as much as searching through one */

/* A text that is part of an already scanned one has no new inner keys: only its two ends, with the
 * blanks around them, need a scan. Most texts of a command are such parts of it. */
__attribute__((noinline)) static void scan_inside(struct key_scan *k, struct str text)
{
    if (str_eq(text, k->last))
        return; /* a command is the first argument, a field and often both forms of an action */
    k->last = text;
    scan_start(k, text);
    if (!k->x->has_inner || text.len == 0 || str_eq(text, k->within))
        return;
    if (text.len <= (size_t)2 * EDGE || text.len * SEARCH_PAYS < k->within.len ||
        !str_contains(k->within, text)) {
        scan_whole(k, text, KEY_IN_TEXT);
        k->within = text.len > k->within.len ? text : k->within;
        return;
    }
    scan_part(k, text, 0, EDGE - 1);
    scan_part(k, text, text.len, text.len);
}

/* Not inline: it has several callers, and copies of it would fill the instruction cache. */
__attribute__((noinline)) static void scan(struct key_scan *k, struct str text)
{
    if (k->x->has_inner || may_begin(k->x, text))
        scan_inside(k, text);
}

static void scan_all(struct key_scan *k, const struct strs *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        scan(k, texts->items[i]);
}

/* Scans front + rest, another spelling of a path that was scanned as a whole: only keys that
 * overlap `front` are new. */
__attribute__((noinline)) static void scan_spelling(struct key_scan *k, const char *front,
                                                    struct str rest)
{
    char text[2 + KEY_START_MAX];
    size_t len = strlen(front), more = rest.len < KEY_START_MAX ? rest.len : KEY_START_MAX;

    /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): bytes, not a C string */
    memcpy(text, front, len);
    if (more)
        memcpy(text + len, rest.s, more);
    scan_start(k, (struct str){text, len + more});
    if (k->x->has_inner)
        scan_part(k, (struct str){text, len + more}, 0,
                  rest.len > KEY_LONG ? len + KEY_LONG - 1 : len + more);
}

/* How many leading bytes are equal. Paths that follow each other often share their directory. */
static size_t common_length(struct str x, struct str y)
{
    size_t n = 0;

    while (n < x.len && n < y.len && x.s[n] == y.s[n])
        n++;
    return n;
}

/* A rule on texts may spell the path from the root, the cwd or home; a path rule matches components
 * of it. */
static void scan_path(struct key_scan *k, struct str path, const struct rule_env *env)
{
    struct str rel, with_slash;

    if (path.len == 0)
        return;
    scan_start(k, path);
    scan_components(k, path);
    if (k->x->has_inner || k->x->has_paths) {
        with_slash = str_join(k->a, path, STR("/"));
        scan_part(k, with_slash, common_length(k->path, path), with_slash.len);
        scan_part(k, path, path.len, path.len);
        k->path = with_slash;
    }
    if (path_relative(env->cwd, path, &rel) && rel.len > 0) {
        if (k->x->has_inner)
            scan_spelling(k, "", rel);
        else
            scan_start(k, rel);
        if (k->x->has_inner || may_start_key(k->x, key_bytes(' ', '.', '/', rel.s[0])))
            scan_spelling(k, "./", rel);
    }
    if (env->home.len > 0 && path_relative(env->home, path, &rel) &&
        (k->x->has_inner ||
         may_start_key(k->x, key_bytes(' ', '~', '/', rel.len ? rel.s[0] : ' '))))
        scan_spelling(k, "~/", rel);
}

/* A host is scanned like a path with its labels as components, as domain rules are compiled
 * (open_domain()). */
static void scan_host(struct key_scan *k, struct str host)
{
    struct buf b = buf_in(k->a);

    buf_byte(&b, '/');
    for (size_t i = 0; i < host.len; i++)
        buf_byte(&b, host.s[i] == '.' ? '/' : host.s[i]);
    buf_byte(&b, '/');
    scan_components(k, (struct str){b.s, b.len - 1});
    if (k->x->has_paths)
        scan_whole(k, buf_str(&b), KEY_IN_TEXT);
}

/* The names of the subject from this one on. */
static void scan_names(struct key_scan *k, const struct subject *s, size_t from)
{
    for (size_t i = from; k->x->has_names && i < s->names.count; i++)
        scan_whole(k, s->names.items[i], KEY_IN_NAME);
}

/* What all actions of a call share: names, first argument and fields. */
static void scan_call(struct key_scan *k, const struct subject *s)
{
    scan_names(k, s, 0);
    for (size_t i = 0; k->x->has_names && i < s->above.count; i++)
        scan_whole(k, s->above.items[i], KEY_IN_NAME);
    scan(k, s->first);
    for (size_t i = 0; i < s->fields.count; i++) {
        scan(k, s->fields.items[i].value);
        if (k->x->has_names)
            scan_whole(k, s->fields.items[i].name, KEY_IN_NAME);
    }
}

/* What belongs to one action: forms, paths and hosts. */
static void scan_action(struct key_scan *k, const struct subject *s, const struct rule_env *env)
{
    scan_all(k, &s->forms_allow);
    scan_all(k, &s->forms_deny);
    for (size_t i = 0; i < s->paths.count; i++) {
        scan_path(k, s->paths.items[i].written, env);
        if (!str_eq(s->paths.items[i].resolved, s->paths.items[i].written))
            scan_path(k, s->paths.items[i].resolved, env);
    }
    for (size_t i = 0; i < s->hosts.count; i++)
        scan_host(k, s->hosts.items[i]);
}

struct rule_search rule_search_begin(struct arena *a, const struct rule_index *x,
                                     const struct subject *s)
{
    struct key_scan k = {.a = a, .x = x};

    scan_call(&k, s);
    places_sort(&k.slots);
    return (struct rule_search){
        .arena = a, .index = x, .slots = k.slots, .names = s->names.count, .first = s->first};
}

/* For a tool call with a path pattern the index cannot exclude any rule, nor for any tool call if
 * some rule matches tools by their name alone (by_name): the bytes of the rule need not be in such
 * a subject. For a shell action with a path pattern index_gather() adds the rules that might match.
 */
struct rule_places rule_search_find(const struct rule_search *search, const struct subject *s,
                                    const struct rule_env *env)
{
    const struct rule_index *x = search->index;
    struct key_scan k = {
        .a = search->arena, .x = x, .last = search->first, .within = search->first};
    bool pattern = subject_has_pattern(s);

    if (!s->shell && (pattern || x->by_name))
        return index_every_rule(search->arena, x);
    scan_names(&k, s, search->names); /* a redirection also has the names of the file tools */
    scan_action(&k, s, env);
    if (k.slots.count + search->slots.count + x->always.count == 0 && !pattern && s->shell)
        return (struct rule_places){0};
    return index_gather(search, &k.slots, s, env);
}
