/* fresh_entries.c - the files that say what a run starts: package.json, Makefile and their like, in
 * the directory of the run, those that its words name, and above them up to the project's root; and
 * files that its options name; and what these files name in turn (named_in.h), one step further.
 *
 * Sources and tests are left out: an agent edits them all day, and a person who lets it knows that
 * they will be run. These files are edited rarely and decide what runs at all. */
#include "base/path.h"
#include "base/sha256.h"
#include "facts/fresh_parts.h"
#include "facts/named_in.h"

/* The column of its own row, or of its program's. */
static struct str names_of(const struct action *a)
{
    const struct program_row *row = a->row;
    struct str rest = row ? str_from(row->name) : (struct str){0}, program;

    if (row && !row->starts_from) {
        (void)str_cut(rest, ' ', &program, &rest);
        row = program_named(program);
    }
    return row && row->starts_from ? str_from(row->starts_from) : (struct str){0};
}

#define ENTRIES_FEW 64 /* names in a column; most have fewer */

/* A name with at most one star. Some disks ignore case. */
static bool fits(struct str name, struct str pattern)
{
    struct str front, back;

    if (!str_cut(pattern, '*', &front, &back))
        return str_eq_nocase(name, pattern);
    return name.len >= front.len + back.len &&
           str_eq_nocase(str_slice(name, 0, front.len), front) &&
           str_eq_nocase(str_from_byte(name, name.len - back.len), back);
}

bool fresh_is_entry(const struct action *a, struct str name)
{
    struct str rest = names_of(a), one;

    while (str_next_word(&rest, &one))
        if (fits(name, path_base(one)))
            return true;
    return false;
}

/* ---- what has changed ---- */

struct search {
    const struct facts *facts;
    const struct session *past;
    struct strs names;      /* of entries, as the column has them */
    uint32_t first_letters; /* that they may begin with: bits of letter_bit() */
    struct str directory;
    struct fresh *out;
};

/* The same for both cases of a letter. */
static uint32_t letter_bit(char c)
{
    return UINT32_C(1) << (c & 31);
}

/* A directory may have many names, and few of them begin as an entry does. */
static void take_names(struct search *s, struct str names)
{
    struct str one;

    s->names = strs_in(s->facts->arena, ENTRIES_FEW);
    while (str_next_word(&names, &one)) {
        LIST_PUSH(s->facts->arena, &s->names, one);
        s->first_letters |= one.s[0] == '*' ? UINT32_MAX : letter_bit(one.s[0]);
    }
}

/* The file as it is now. Empty: it cannot be read, so no answer to a question about it lasts. */
static struct str key_of(const struct facts *f, struct str path)
{
    char digest[WORLD_DIGEST], hex[SHA256_HEX];
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;

    if (!f->world->digest || !f->world->digest(f->world->context, path.s, digest))
        return (struct str){0};
    sha256_init(&h);
    sha256_add(&h, path);
    sha256_add(&h, (struct str){"", 1}); /* no path contains a NUL */
    sha256_add(&h, str_from(digest));
    sha256_end(&h, hash);
    sha256_hex(hash, hex);
    return str_copy(f->arena, str_from(hex));
}

/* Unless a person has agreed to it as it is. */
static void add_unagreed(struct search *s, struct str path, enum fresh_kind kind)
{
    struct str key = key_of(s->facts, path);

    if (key.len && strs_has(&s->past->agreements, key))
        return;
    if (s->out->kind == FRESH_NOT) {
        s->out->kind = kind;
        s->out->what = path;
    }
    if (key.len)
        LIST_PUSH(s->facts->arena, &s->out->agreed, key);
}

static bool is_old(const struct search *s, struct str path)
{
    const struct world *w = s->facts->world;

    return w->unchanged && w->unchanged(w->context, path.s, s->past->began);
}

static void add_named(void *to, struct str path)
{
    struct search *s = to;

    if (!is_old(s, path))
        add_unagreed(s, path, FRESH_ENTRY);
}

static void add_changed(struct search *s, struct str path)
{
    const struct world *w = s->facts->world;

    if (w->kind(w->context, path.s) == FILE_ABSENT)
        return;
    if (!is_old(s, path))
        add_unagreed(s, path, FRESH_ENTRY);
    if (w->kind(w->context, path.s) == FILE_REGULAR && !named_in(s->facts, path, add_named, s))
        add_unagreed(s, path, FRESH_UNREAD);
}

static void add_entry(struct search *s, struct str name)
{
    if (!(s->first_letters & letter_bit(name.s[0])))
        return;
    for (size_t i = 0; i < s->names.count; i++)
        if (fits(name, s->names.items[i])) {
            add_changed(s, path_join(s->facts->arena, s->directory, name));
            return;
        }
}

/* .cargo/config.toml */
static void add_below(struct search *s)
{
    for (size_t i = 0; i < s->names.count; i++)
        if (str_has(s->names.items[i], '/'))
            add_changed(s, path_join(s->facts->arena, s->directory, s->names.items[i]));
}

#define NAMES_FEW  ((size_t)2 * 1024) /* bytes; enough for most directories */
#define NAMES_MORE 8
#define NAMES_MAX  ((size_t)128 * 1024) /* a directory with more is taken for changed */

/* The names of all files in the directory, ended by an empty one; NULL: they cannot be listed. */
static const char *list_names(const struct facts *f, struct str directory)
{
    const char *path = str_copy(f->arena, directory).s;

    if (!f->world->list)
        return NULL;
    for (size_t size = NAMES_FEW; size <= NAMES_MAX; size *= NAMES_MORE) {
        char *names = arena_room(f->arena, size, 1);
        if (f->world->list(f->world->context, path, names, size))
            return names;
    }
    return NULL;
}

static void search_directory(struct search *s)
{
    const char *name = list_names(s->facts, s->directory);

    if (!name) {
        if (s->out->kind == FRESH_NOT)
            *s->out = (struct fresh){.kind = FRESH_ENTRY, .what = s->directory};
        return;
    }
    for (; *name; name += strlen(name) + 1)
        add_entry(s, str_from(name));
    add_below(s);
}

static void search_upwards(struct search *s, struct str directory)
{
    for (s->directory = directory; s->directory.len > 1; s->directory = path_dir(s->directory)) {
        search_directory(s);
        if (str_eq(s->directory, s->facts->workspace) || facts_has(s->facts, s->directory, ".git"))
            return;
    }
}

#define OPERANDS_MAX 64 /* words of one run that are tried as names */

/* pytest sub/tests, npm -w sub test, cargo test --manifest-path=sub/Cargo.toml, go test ./sub/...
 */
static void search_operand(struct search *s, struct str base, struct str word)
{
    const struct facts *f = s->facts;
    size_t equals = str_index(word, '=');
    struct str path;

    if (str_starts(word, STR("-")) && equals == STR_NONE)
        return;
    word = str_from_byte(word, equals == STR_NONE ? 0 : equals + 1);
    if (str_ends(word, STR("/...")))
        word.len -= 4;
    if (!word.len || !path_absolute(f->arena, base, f->home, word, &path) ||
        !path_is_inside(path, f->workspace) || str_eq(path, f->workspace))
        return;
    enum file_kind kind = f->world->kind(f->world->context, path.s);
    if (kind != FILE_ABSENT)
        search_upwards(s, kind == FILE_DIRECTORY ? path : path_dir(path));
}

bool fresh_find_entry(const struct facts *f, const struct action *a, struct fresh *out)
{
    struct str directory = a->directory.len ? a->directory : a->cwd, path;
    struct search s = {.facts = f, .past = facts_past(f), .out = out};

    if (!s.past || s.past->began <= 0 || !path_is_absolute(directory))
        return false;
    take_names(&s, names_of(a));
    if (s.names.count) {
        search_upwards(&s, directory);
        for (size_t i = 1; i < a->subject.words.count && i <= OPERANDS_MAX; i++)
            search_operand(&s, directory, a->subject.words.items[i]);
    }
    for (size_t i = 0; i < a->starts_from.count; i++)
        if (path_absolute(f->arena, directory, f->home, a->starts_from.items[i], &path))
            add_changed(&s, path);
    return out->kind != FRESH_NOT;
}
