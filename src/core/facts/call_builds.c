#include "facts/call_builds.h"

#include "base/ascii.h"
#include "base/path.h"
#include "facts/actions.h"

/* Options that say how something is built, not what or where. Their values are checked with the
 * command itself, which must have been cleared. */
static const struct build_option {
    const char *name;
    bool value; /* the next word is its value */
} go_options[] = {{"-a", false},   {"-ldflags", true},   {"-race", false},
                  {"-tags", true}, {"-trimpath", false}, {"-v", false}},
  cargo_options[] = {
      {"--all-features", false}, {"--features", true}, {"--locked", false}, {"--offline", false},
      {"--quiet", false},        {"-q", false},        {"-v", false}};

/* How many words the option at `i` takes; 0 if it is not in the table. */
static size_t option_words(const struct build_option *options, size_t count,
                           const struct shell_words *w, size_t i)
{
    struct str name, value;
    bool glued = str_cut(w->items[i].text, '=', &name, &value);

    for (size_t n = 0; n < count; n++)
        if (str_is(name, options[n].name))
            return options[n].value ? (glued ? 1 : 2) : !glued;
    return 0;
}

static bool is_known(const struct shell_words *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (!w->items[i].known || w->items[i].text.len == 0)
            return false;
    return true;
}

/* ---- Go ---- */

struct go_words {
    struct str file; /* empty: not given */
    struct shell_word package;
};

/* go build [-o FILE] [PACKAGE], in any order. */
static bool read_go(const struct shell_words *w, struct go_words *out)
{
    bool named = false;

    *out = (struct go_words){.package = {.text = STR("."), .known = true}};
    for (size_t i = 2; i < w->count;) {
        size_t option = option_words(go_options, COUNT(go_options), w, i);
        if (option) {
            i += option;
        } else if (str_is(w->items[i].text, "-o") && i + 1 < w->count && !out->file.len) {
            out->file = w->items[i + 1].text;
            i += 2;
        } else if (w->items[i].text.s[0] != '-' && !named) {
            out->package = w->items[i++];
            named = true;
        } else {
            return false;
        }
    }
    return true;
}

/* The last element of a module path may be its version; then the one before it is the name. */
static bool is_version(struct str name)
{
    if (name.len < 2 || name.s[0] != 'v')
        return false;
    for (size_t i = 1; i < name.len; i++)
        if (!ascii_is_digit(name.s[i]))
            return false;
    return true;
}

/* Go names a program after the last element of its package path: the directory's name unless a
 * module starts there. */
static bool go_name(const struct facts *f, struct str cwd, struct str package, struct str *name)
{
    struct str directory;

    if (!path_absolute(f->arena, cwd, f->home, package, &directory) || directory.len <= 1)
        return false;
    *name = path_base(directory);
    return !is_version(*name) && !str_contains(package, STR("...")) &&
           !facts_has(f, directory, "go.mod");
}

/* Neither is it a link to a file that does not exist yet. */
static bool is_absent(const struct facts *f, struct str path)
{
    char directory[WORLD_PATH_MAX], resolved[WORLD_PATH_MAX];

    return f->world->kind(f->world->context, path.s) == FILE_ABSENT &&
           f->world->resolve(f->world->context, str_copy(f->arena, path_dir(path)).s, directory) &&
           f->world->resolve(f->world->context, path.s, resolved) &&
           str_eq(str_from(resolved), path_join(f->arena, str_from(directory), path_base(path)));
}

static bool go_build(const struct facts *f, const struct shell_action *from, struct build *out)
{
    struct go_words words;
    struct str file, name;

    if (!read_go(&from->words, &words))
        return false;
    out->package = words.package;
    file = words.file.len ? words.file : STR(".");
    if (!path_absolute(f->arena, from->directory.here.path, f->home, file, &out->output))
        return false;
    bool into = file.s[file.len - 1] == '/' ||
                f->world->kind(f->world->context, out->output.s) == FILE_DIRECTORY;
    out->sure = !into;
    if (!into)
        return true;
    if (!go_name(f, from->directory.here.path, words.package.text, &name))
        return false;
    out->output = path_join(f->arena, out->output, name);
    out->sure = is_absent(f, out->output);
    return true;
}

/* ---- Rust ---- */

/* cargo build: its programs are directly in target/debug, under names that only its own files
 * tell. */
static bool cargo_build(const struct facts *f, const struct shell_action *from, struct build *out)
{
    const struct shell_words *w = &from->words;
    bool release = false;
    struct str name = {0};

    for (size_t i = 2; i < w->count;) {
        size_t option = option_words(cargo_options, COUNT(cargo_options), w, i);
        bool is_release = str_is(w->items[i].text, "--release") || str_is(w->items[i].text, "-r");
        if (!option && !is_release &&
            !(str_is(w->items[i].text, "--bin") && i + 1 < w->count && !name.len))
            return false;
        if (!option && !is_release)
            name = w->items[i + 1].text;
        release |= is_release;
        i += option ? option : is_release ? 1 : 2;
    }
    out->any = name.len == 0;
    out->tree = path_join(f->arena, from->directory.here.path, STR("target"));
    out->output = path_join(f->arena, out->tree, release ? STR("release") : STR("debug"));
    if (!out->any)
        out->output = path_join(f->arena, out->output, name);
    return !str_has(name, '/');
}

/* ---- both ---- */

bool build_read(const struct facts *f, const struct shell_action *from, struct build *out)
{
    const struct shell_words *w = &from->words;

    if (!build_is_named(from) || from->kind != SHELL_COMMAND || from->elsewhere ||
        from->directory.other.kind != PLACE_NONE || !path_is_absolute(from->directory.here.path) ||
        !is_known(w))
        return false;
    *out = (struct build){0};
    if (str_is(w->items[0].text, "go"))
        return go_build(f, from, out);
    return str_is(w->items[0].text, "cargo") && cargo_build(f, from, out);
}

struct shell_words build_as_run(const struct facts *f, const struct shell_action *from,
                                const struct build *build)
{
    struct shell_words run = {0};

    LIST_PUSH(f->arena, &run, from->words.items[0]);
    LIST_PUSH(f->arena, &run, ((struct shell_word){.text = STR("run"), .known = true}));
    LIST_PUSH(f->arena, &run, build->package);
    return run;
}

static bool only_writer(const struct facts *f, size_t build, struct str file)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (i != build && action_may_write(&f->actions.items[i], file))
            return false;
    return true;
}

bool call_builds_program(const struct facts *f, const struct shell_actions *all, size_t at,
                         struct shell_words *as)
{
    const struct shell_action *run = &all->items[at];
    struct str program;
    struct build build;

    if (facts_too_many(f) || run->after < 0 || !f->actions.items[at].by_path ||
        run->kind != SHELL_COMMAND || run->words.count == 0 || !run->words.items[0].known ||
        run->directory.other.kind != PLACE_NONE ||
        !path_absolute(f->arena, run->directory.here.path, f->home, run->words.items[0].text,
                       &program))
        return false;
    for (int i = run->after; i >= 0; i = all->items[i].after) {
        const struct shell_action *from = &all->items[i];
        if (!build_read(f, from, &build) || !build.sure || !str_eq(build.output, program) ||
            !str_eq(from->directory.here.path, run->directory.here.path) ||
            !only_writer(f, (size_t)i, program))
            continue;
        *as = build_as_run(f, from, &build);
        for (size_t n = 1; n < run->words.count; n++)
            LIST_PUSH(f->arena, as, run->words.items[n]);
        return true;
    }
    return false;
}
