/* written.c - files that the text itself writes and then runs.
 *
 * `cat > x.sh <<E ... E; sh x.sh` is `sh -c` in two steps. What is known to be in the file is
 * walked like any other text; what is not known makes the run not understood. The run itself stays
 * an action of its own. */
#include "base/path.h"
#include "shell/walk.h"

/* Which file; an empty path could be any. */
static struct str place_of(struct walk *w, const struct shell_word *word)
{
    struct str path = {0};

    if (!word->known ||
        !path_absolute(w->arena, w->env.directory.here.path, w->context->home, word->text, &path))
        return (struct str){0};
    return path;
}

static const struct written *find_written(const struct walk *w, struct str path)
{
    for (const struct written *e = w->written; e; e = e->before)
        if (!e->path.len || !path.len || path_is_inside(path, e->path))
            return e;
    return NULL;
}

static void push(struct walk *w, struct written e)
{
    struct written *new = ARENA_NEW(w->arena, struct written);
    unsigned count = w->written ? w->written->count : 0;

    if (count >= SHELL_WRITTEN_MAX)
        e = (struct written){0}; /* too many to remember: any file may be one of them */
    *new = e;
    new->before = count >= SHELL_WRITTEN_MAX ? NULL : w->written;
    new->count = count >= SHELL_WRITTEN_MAX ? 1 : count + 1;
    new->changes = w->seen.changes;
    w->written = new;
}

/* Is what we know of the file still true? */
static bool is_fresh(const struct walk *w, const struct written *e)
{
    return e && e->known && e->changes == w->seen.changes;
}

void written_note(struct walk *w, const struct shell_word *target, const struct output *text)
{
    push(w,
         (struct written){.path = place_of(w, target), .known = text->known, .text = text->text});
}

void written_note_contents(struct walk *w, const struct written *target, const struct output *text)
{
    push(w, (struct written){.path = target->path, .known = text->known, .text = text->text});
}

/* Is it sure that the command runs, after those before it in the text? */
static bool runs_for_certain(const struct walk *w)
{
    bool returned = false;

    for (const struct calls *c = w->frame.calls; c; c = c->outer)
        returned |= c->left != NULL;
    return !returned && !w->frame.unsure && !w->frame.background && !w->frame.pipe &&
           !w->gave_up.states;
}

/* It is appended to what one of the earlier files holds. */
void written_note_more(struct walk *w, const struct written *target, const struct output *text,
                       const struct written *old)
{
    while (old && !str_eq(old->path, target->path))
        old = old->before;
    if (is_fresh(w, old) && runs_for_certain(w))
        written_note_contents(
            w, target,
            &(struct output){.known = true, .text = str_join(w->arena, old->text, text->text)});
}

static bool is_option(const struct shell_word *word)
{
    return word->may_dash || (word->text.len > 1 && word->text.s[0] == '-');
}

/* tee x y: what comes in goes there. */
static void tee_writes(struct walk *w, const struct shell_words *argv)
{
    struct output in = {.known = w->env.input.kind == SHELL_INPUT_TEXT, .text = w->env.input.text};

    for (size_t i = 1; i < argv->count; i++)
        in.known &= !is_option(&argv->items[i]); /* -a appends it to what is there */
    for (size_t i = 1; i < argv->count; i++)
        if (!is_option(&argv->items[i]))
            written_note(w, &argv->items[i], &in);
}

/* cp a b, mv a b: b is what a was, when that is known. */
static void copy_writes(struct walk *w, const struct shell_words *argv)
{
    const struct shell_word *from = NULL, *to = NULL;
    struct output text = {0};

    for (size_t i = 1; i < argv->count; i++) {
        if (is_option(&argv->items[i]))
            continue;
        from = to;
        to = &argv->items[i];
    }
    if (!from)
        return;
    const struct written *e = find_written(w, place_of(w, from));
    if (is_fresh(w, e) && str_eq(e->path, place_of(w, from)))
        text = (struct output){.known = true, .text = e->text};
    written_note(w, to, &text);
}

/* May it be the directory, or one above it? */
static bool may_hold(struct walk *w, const struct shell_word *word, struct str here)
{
    if (word->known)
        return path_is_inside(here, path_clean(w->arena, path_join(w->arena, here, word->text)));
    return !word->may_glob || str_has(word->text, WORD_UNKNOWN) || path_is_absolute(word->text) ||
           str_contains(word->text, STR(".."));
}

/* mv ../here /tmp: where the shell stands, or what is above it, gets another name, and .. leads
 * elsewhere. The last word is only the target, unless an option names that. */
static void move_writes(struct walk *w, const struct shell_words *argv)
{
    struct shell_directory *d = &w->env.directory;
    size_t end = argv->count - 1;

    copy_writes(w, argv);
    for (size_t i = 1; i < argv->count; i++)
        if (str_starts(argv->items[i].text, STR("-t")) ||
            str_starts(argv->items[i].text, STR("--t")))
            end = argv->count;
    for (size_t i = 1; i < end; i++)
        if (may_hold(w, &argv->items[i], d->here.path))
            d->other = PLACE_IS_ANYWHERE;
}

/* What these write is known as far as what they read is. */
static const struct writer {
    const char *name;
    void (*note)(struct walk *w, const struct shell_words *argv);
} writers[] = {
    {"cp", copy_writes},
    {"mv", move_writes},
    {"tee", tee_writes},
};
const struct names writer_names = NAMES(writers, NAMED_WRITER);

static bool leaves_files(struct str name)
{
    const struct program_row *row = program_named(name);

    return row && row->leaves_files;
}

void written_note_changes(struct walk *w, const struct shell_words *argv)
{
    struct str name = command_name(w, argv->items[0].text);
    const struct writer *writer = names_find(w, &writer_names, name);

    if (writer)
        writer->note(w, argv);
    else if (w->written && !leaves_files(name))
        w->seen.changes++; /* of what was written before it */
}

/* `#!/usr/bin/env python3` */
static bool is_for_another(struct str text)
{
    struct str line, rest;

    str_cut(text, '\n', &line, &rest);
    if (!str_starts(line, STR("#!")))
        return false;
    line = base_name(str_trim(line));
    if (str_starts(line, STR("env ")))
        line = str_trim(str_from_byte(line, strlen("env ")));
    str_cut(line, ' ', &line, &rest);
    return !str_is(line, "sh") && !str_is(line, "bash") && !str_is(line, "dash");
}

/* Whether the last of several commands that write a file has run, and could, is not known (a && b,
 * set -C): what the earlier ones have written must be the beginning of it, so that it runs nothing
 * else. A file is noted twice: when it is opened, and when what is printed is known. */
static bool is_all_it_may_hold(const struct written *e)
{
    for (const struct written *later = e, *o = e->before; o; later = o, o = o->before) {
        bool opened = !o->known && later->known && str_eq(o->path, later->path);
        if (opened || (o->path.len && !str_eq(o->path, e->path)))
            continue;
        if (!o->known || !str_starts(e->text, o->text))
            return false;
    }
    return true;
}

bool written_text(struct walk *w, const struct shell_word *script, bool started, size_t at,
                  struct str *text)
{
    const struct written *e = find_written(w, place_of(w, script));

    if (!e)
        return false;
    if (!is_fresh(w, e) || !is_all_it_may_hold(e) || (started && is_for_another(e->text)))
        walk_fail(w, at, "it runs a file that it has written, and whose contents are not known");
    *text = e->text;
    return e->known && !(started && is_for_another(e->text));
}
