/* evasion_files.c - the files whose text a call runs: a script, a Makefile, the source of what a
 * compiler makes.
 *
 * What is as old as the session is the project's own, and does what it always did. What has changed
 * since may be the agent's: an earlier call has written it, and this one runs it. It is read, and a
 * denied command in it is a question. No more than that: nobody knows whether the file comes to
 * that line. */
#include "base/path.h"
#include "decide/evasion.h"
#include "facts/matches.h"
#include "facts/named_in.h"
#include "facts/sensitive_paths.h"
#include "facts/touch.h"
#include "rule/command.h"

#define FILE_NAMES_MAX 256 /* words of one text that are tried as names */

struct file_look {
    struct evasion *e;
    bool dynamic; /* what it fills in at run time counts, too */
};

/* May an agent have written it? */
static bool is_within_reach(const struct facts *f, struct str path)
{
    const struct subject_path p = {.written = path, .resolved = path};

    return path_in_workspace(f, &p) || path_in_temporary(f, &p) || path_is_inside(path, f->home);
}

/* Is it as it was when the session began? */
static bool is_old(const struct facts *f, struct str path)
{
    const struct session *past = facts_past(f);

    if (!past || past->began <= 0)
        return !is_within_reach(f, path);
    return f->world->unchanged && f->world->unchanged(f->world->context, path.s, past->began);
}

static bool is_shell(const struct action *a, struct str text)
{
    struct str line = str_slice(text, 0, str_until(text, "\n"));
    bool says = str_starts(line, STR("#!"));

    return says ? str_ends(str_trim(line), STR("sh")) || str_contains(line, STR("sh "))
                : str_is(a->name, ".") || str_is(a->name, "source") || str_ends(a->name, STR("sh"));
}

/* One line by one: there may be more words in a file than one text may have. */
static void look_at_lines(struct evasion *e, struct str text)
{
    struct str line, rest = text;

    for (bool more = true; more;) {
        more = str_cut(rest, '\n', &line, &rest);
        evasion_text(e, line);
    }
}

static void look_at_text(const struct file_look *look, struct str text, struct str path)
{
    struct evasion *e = look->e;
    struct evasion inner = {.f = e->f,
                            .action = e->action,
                            .depth = e->depth,
                            .outer = e->outer,
                            .texts = e->texts,
                            .work = e->work};
    static const char names[] =
        "a file that this runs names what matches, and may have changed since the session began";

    evasion_targets(e, text);
    bool shell = is_shell(&e->f->actions.items[e->action], text);
    if (shell)
        evasion_shell(&inner, text, false);
    if (!shell || inner.perhaps)
        look_at_lines(&inner, text);
    if (!shell)
        evasion_code(&inner, text,
                     str_ends(path, STR(".mk")) || !str_has(path_base(path), '.') ? NULL : "");
    if (inner.sure)
        evasion_doubt(e, inner.sure, names);
    else if (inner.perhaps && look->dynamic)
        evasion_doubt(e, inner.perhaps, inner.why);
}

/* A program is no text; whether it was built from the project is another question
 * (session_builds.h). */
static bool is_text(struct str text)
{
    return !str_has(text, '\0');
}

static void look_at_file(const struct file_look *look, struct str path)
{
    const struct facts *f = look->e->f;
    const struct world *world = f->world;
    struct file_mark mark;
    struct str text;

    if (!path_is_absolute(path) || str_has(path, WORD_UNKNOWN))
        return;
    path = str_copy(f->arena, path);
    if (world->kind(world->context, path.s) != FILE_REGULAR || is_old(f, path))
        return;
    if (named_in_read(f, path.s, &text)) {
        if (is_text(text))
            look_at_text(look, text, path);
    } else if (!world->compiled || !world->compiled(world->context, path.s, &mark)) {
        evasion_doubt(look->e, evasion_first(look->e),
                      "it runs a file that may have changed since the session began, and is too "
                      "large to read");
    }
}

static bool is_project_file(const struct subject_path *p)
{
    return !p->pattern && !p->below && !p->uncertain && !p->listed;
}

static void doubt_place(const struct file_look *look)
{
    evasion_doubt(look->e, evasion_first(look->e),
                  "it runs a file in a directory that is not known before run time");
}

static void look_at_paths(const struct file_look *look, const struct action *a, unsigned access)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & access) && is_project_file(p))
            look_at_file(look, p->written);
    }
}

/* ./x, sh x: the file that the action itself is, or its script. */
static void look_at_script(const struct file_look *look, const struct action *a)
{
    const struct shell_words *words = &look->e->f->shell->actions.items[look->e->action].words;
    struct arena *arena = look->e->f->arena;
    const struct shell_word *word = &words->items[a->script_word];

    if ((!a->by_path && !a->script_word) || !word->known)
        return;
    if (!a->cwd.len && !path_is_absolute(word->text)) {
        doubt_place(look);
        return;
    }
    look_at_file(look, path_clean(arena, path_join(arena, a->cwd, word->text)));
    if (action_has_other_cwd(a))
        look_at_file(look, path_clean(arena, path_join(arena, a->cwd_other.path, word->text)));
}

/* A Makefile and its like, which nobody has agreed to as it is now. */
static void look_at_entries(const struct file_look *look, const struct action *a)
{
    struct arena *arena = look->e->f->arena;

    if (a->fresh.kind == FRESH_ENTRY || a->fresh.kind == FRESH_UNREAD)
        look_at_file(look, a->fresh.what);
    for (size_t i = 0; a->cwd.len && i < a->starts_from.count; i++)
        look_at_file(look, path_clean(arena, path_join(arena, a->cwd, a->starts_from.items[i])));
}

static bool is_compiler(const struct action *a)
{
    return a->row && a->row->compiles;
}

/* gcc x.c && ./a.out: what is run here is what is written there. */
static void look_at_sources(struct evasion *e)
{
    const struct file_look look = {.e = e, .dynamic = true};
    const struct actions *all = &e->f->actions;

    for (size_t i = 0; i < all->count; i++)
        if (i != e->action && is_compiler(&all->items[i]))
            look_at_paths(&look, &all->items[i], ACCESS_READ);
}

static const bool ends_name[256] = {
    ['\0'] = true, [' '] = true, ['\t'] = true, ['\n'] = true, ['"'] = true, ['\''] = true,
    ['`'] = true,  ['('] = true, [')'] = true,  ['='] = true,  [','] = true, [';'] = true,
    ['<'] = true,  ['>'] = true, ['|'] = true,  ['&'] = true,
};

static void look_at_place(const struct file_look *look, struct str directory, struct str name)
{
    struct arena *arena = look->e->f->arena;

    look_at_file(look, path_clean(arena, path_join(arena, directory, name)));
}

/* Nearly all of them are words, and no file is there. */
static void look_at_bare(const struct file_look *look, struct str directory, struct str name)
{
    if (!path_is_absolute(directory) || touch_kind(look->e->f, directory, name) == FILE_REGULAR)
        look_at_place(look, directory, name);
}

static void look_at_name(const struct file_look *look, struct str directory, struct str name)
{
    if (touch_is_bare(name))
        look_at_bare(look, directory, name);
    else
        look_at_place(look, directory, name);
}

/* sqlite3 x.db '.read x', perl -e 'do "./x"': a text of code has names in it. */
static void look_at_names(const struct file_look *look, struct str directory, struct str text)
{
    size_t names = 0;

    if (text.len && touch_is_bare(text)) {
        look_at_bare(look, directory, text);
        return;
    }
    for (size_t from = 0, at = 0; at <= text.len && names < FILE_NAMES_MAX; at++) {
        if (at < text.len && !ends_name[(unsigned char)text.s[at]])
            continue;
        if (at > from)
            look_at_name(look, directory, str_slice(text, from, at));
        names++;
        from = at + 1;
    }
}

/* NODE_OPTIONS='-r ./x' is x.js. */
static void look_at_module(const struct file_look *look, struct str directory, struct str text)
{
    struct str rest = text, word;

    while (str_next_word(&rest, &word))
        if (str_has(word, '/') && !str_has(path_base(word), '.'))
            look_at_name(look, directory, str_join(look->e->f->arena, word, STR(".js")));
}

void evasion_files_named(struct evasion *e, struct str directory, struct str text)
{
    const struct file_look look = {.e = e};

    if (!directory.len)
        return;
    look_at_names(&look, directory, text);
    look_at_module(&look, directory, text);
}

/* python3 -c 'import x': a file of its directory takes the place of any module, also of one that
 * another module loads. */
static void look_at_modules(const struct file_look *look, const struct action *a)
{
    const struct facts *f = look->e->f;
    char *names;

    if (!(a->effects & EFFECT_MODULES) || !path_is_absolute(a->cwd) || !f->world->list)
        return;
    names = arena_bytes(f->arena, MATCHES_NAMES_MAX);
    if (!f->world->list(f->world->context, str_copy(f->arena, a->cwd).s, names,
                        MATCHES_NAMES_MAX)) {
        doubt_place(look);
        return;
    }
    for (; *names; names += strlen(names) + 1) {
        struct str name = str_from(names);
        if (str_ends(name, STR(".py")))
            look_at_name(look, a->cwd, name);
        else if (!str_has(name, '.'))
            look_at_name(look, path_join(f->arena, a->cwd, name), STR("__init__.py"));
    }
}

/* psql -f x, gdb -x x, vim -S x: any word may be the name of a script. */
static void look_at_words(const struct file_look *look, const struct action *a)
{
    const struct shell_words *words = &look->e->f->shell->actions.items[look->e->action].words;
    bool any = !a->program || (a->effects & (EFFECT_CODE | EFFECT_EDITOR));

    for (size_t i = 1; any && a->cwd.len && !a->script_word && i < words->count; i++)
        look_at_names(look, a->cwd, words->items[i].text);
}

void evasion_files(struct evasion *e)
{
    const struct action *a = &e->f->actions.items[e->action];
    const struct file_look look = {.e = e};

    look_at_script(&look, a);
    look_at_paths(&look, a, is_compiler(a) ? ACCESS_RUN | ACCESS_READ : ACCESS_RUN);
    look_at_words(&look, a);
    look_at_entries(&look, a);
    look_at_modules(&look, a);
    if (a->by_path || (a->effects & EFFECT_CODE))
        look_at_sources(e);
}
