/* rule_reach.c - how far an allow rule on commands reaches.
 *
 * A person who writes Bash(make *) thinks of targets, not of `make --eval`, and with
 * Bash(python3 scripts/...) of the scripts of the project. Text alone cannot say so: the agent
 * chooses every byte that a star stands for. */
#include "decide/rule_reach.h"

#include "base/ascii.h"
#include "base/path.h"
#include "decide/rule_ceiling.h"
#include "facts/environment.h"
#include "facts/sensitive_paths.h"
#include "programs/variables.h"
#include "rule/when.h"

static bool is_only_stars(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!strchr(":* ", text.s[i]))
            return false;
    return true;
}

static bool is_inside_workspace(const struct facts *f, struct str path)
{
    char room[WORLD_PATH_MAX];
    struct subject_path p = {.written = path};

    if (!path.len)
        return false;
    p.resolved = facts_resolve(f, path, room);
    if (!p.resolved.len)
        p.resolved = path;
    return path_in_workspace(f, &p);
}

/* ---- paths ---- */

/* Where a path of the rule begins: the agent chooses the directory of the shell, but not this. */
static struct str base_of(const struct facts *f)
{
    return f->workspace.len ? f->workspace : f->env.project;
}

struct rule_word {
    struct str head;  /* up to the first star */
    struct str place; /* absolute: the path, or, with a star, the directory that it is in */
    bool starred;
};

static bool read_rule_word(const struct facts *f, struct str word, struct rule_word *out)
{
    size_t star = str_index(word, '*');
    struct str place;

    out->starred = star != STR_NONE;
    out->head = str_slice(word, 0, star);
    place = out->starred ? str_slice(out->head, 0, str_last_index(out->head, '/') + 1) : out->head;
    return str_has(out->head, '/') && word.s[0] != '-' && word.s[0] != '@' &&
           !str_contains(word, STR("://")) &&
           path_absolute(f->arena, base_of(f), f->home, place, &out->place);
}

static bool begins_like(const struct facts *f, const struct rule_word *w, struct str word)
{
    struct str home = w->head;

    if (home.s[0] == '~')
        home = str_join(f->arena, f->home, str_from_byte(home, 1));
    return w->starred ? str_starts(word, w->head) || str_starts(word, home)
                      : str_eq(word, w->head) || str_eq(word, home);
}

/* A word that a row explains as data is relative to nothing (gh api repos/x/y). */
static bool is_data(const struct action *a, size_t word, struct str path)
{
    if (!a->row || word == 0 || word == a->script_word ||
        (a->effects & (EFFECT_UNKNOWN | EFFECT_CODE)))
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (str_eq(a->subject.paths.items[i].written, path))
            return false;
    return true;
}

/* Links may lead elsewhere inside the workspace, but not out of it. */
static bool leads_out(const struct facts *f, const struct rule_word *w, struct str raw)
{
    char resolved[WORLD_PATH_MAX], place[WORLD_PATH_MAX];

    if (!w->starred || !f->world->resolve(f->world->context, raw.s, resolved))
        return false;
    return !is_inside_workspace(f, str_copy(f->arena, str_from(resolved))) &&
           !(f->world->resolve(f->world->context, w->place.s, place) &&
             path_is_inside(str_from(resolved), str_from(place)));
}

static bool stays(const struct facts *f, const struct rule_word *w, const struct action *a,
                  size_t word)
{
    struct str text = a->subject.words.items[word], path, raw, at_base;

    if (!path_absolute(f->arena, base_of(f), f->home, text, &at_base) ||
        !path_is_inside(at_base, w->place))
        return false;
    if (!path_absolute(f->arena, a->cwd, f->home, text, &path) ||
        !path_expand(f->arena, a->cwd, f->home, text, &raw))
        return false;
    if (!path_is_inside(path, w->place))
        return is_data(a, word, path);
    return !leads_out(f, w, raw);
}

static bool paths_stay(const struct facts *f, const struct rule *r, const struct action *a)
{
    struct str text = r->content, word;
    struct rule_word w;

    if (!str_has(text, '/'))
        return true;
    while (rule_next_word(&text, &word))
        for (size_t i = 0; i < a->subject.words.count && read_rule_word(f, word, &w); i++)
            if (begins_like(f, &w, a->subject.words.items[i]) && !stays(f, &w, a, i))
                return false;
    return true;
}

/* ---- options ---- */

static bool runs_file(const struct action_option *o)
{
    for (size_t i = 0; i < o->paths.count; i++)
        if (o->paths.items[i].access & ACCESS_RUN)
            return true;
    return false;
}

/* Effects that a star does not stand for. What an interpreter is given is code in any case, and a
 * file that is run is judged by its place. */
static unsigned heavy_effects(const struct action *a, const struct action_option *o)
{
    unsigned effects =
        o->effects & (EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_PRIVILEGE | EFFECT_SYSTEM);

    if (program_runs_operands(a->row)) /* rule_ceiling() judges what they run */
        effects &= ~(unsigned)(EFFECT_CODE | EFFECT_UNKNOWN);
    /* which server, which account: docker --context, doctl -t; but a file of settings may name
     * commands (kubectl --kubeconfig) */
    if (!o->paths.count && !a->subject.hosts.count &&
        (a->effects & (EFFECT_FETCH | EFFECT_SEND | EFFECT_NETWORK)))
        effects &= ~(unsigned)EFFECT_UNKNOWN;
    return runs_file(o) ? effects & ~(unsigned)EFFECT_CODE : effects;
}

static bool is_stream(struct str path)
{
    return str_is(path, "/dev/null") || str_is(path, "/dev/stdout") || str_is(path, "/dev/stderr");
}

/* Where packages of the system are installed. */
static bool is_installed(struct str path)
{
    static const char *const places[] = {"/etc", "/lib", "/lib64",  "/Library",
                                         "/nix", "/opt", "/System", "/usr"};

    for (size_t i = 0; i < COUNT(places); i++)
        if (path_is_inside(path, str_from(places[i])))
            return true;
    return false;
}

/* What project code reads is code, or the configuration of some; outside of the workspace that is
 * not this project's. */
static bool path_is_covered(const struct facts *f, const struct action *a,
                            const struct subject_path *p)
{
    if (p->below || p->folded || path_in_workspace(f, p))
        return true;
    if (p->access == ACCESS_READ)
        return !(a->effects & EFFECT_PROJECT) || is_stream(p->written) ||
               (is_installed(p->written) && is_installed(p->resolved));
    return !(p->access & ACCESS_RUN) && (path_in_temporary(f, p) || is_stream(p->written));
}

/* In a temporary directory the agent writes what it likes; a program that takes no code from its
 * directory does not mind. */
static bool directory_is_covered(const struct facts *f, const struct action *a)
{
    const unsigned minds =
        EFFECT_PROJECT | EFFECT_CODE | EFFECT_INSTALL | EFFECT_REPO | EFFECT_UNKNOWN;
    struct subject_path p = {.written = a->directory, .resolved = a->directory};

    return is_inside_workspace(f, a->directory) ||
           (!(a->effects & minds) && path_in_temporary(f, &p));
}

static bool option_is_covered(const struct facts *f, const struct action *a,
                              const struct action_option *o)
{
    if (heavy_effects(a, o) || o->deletes || o->unknown ||
        (o->directory && !directory_is_covered(f, a)))
        return false;
    for (size_t i = 0; i < o->paths.count; i++)
        if (!path_is_covered(f, a, &o->paths.items[i]))
            return false;
    return true;
}

/* ---- operands that are settings ---- */

static bool has_command_byte(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (strchr("$`;|&<>()\n" WORD_UNKNOWN_TEXT, value.s[i]) ||
            (value.s[i] == ' ' && value.s[0] != '-'))
            return true;
    return false;
}

/* make NAME=VALUE: recipes run what variables say. A plain word or a file of the workspace is what
 * people set there. */
static bool setting_is_covered(const struct facts *f, const struct action *a, struct str word)
{
    struct str name, value, path;

    if (!str_cut(word, '=', &name, &value) || !name.len || name.s[0] == '-')
        return true;
    if (str_ends(name, STR("!"))) /* its value is the output of a command */
        return false;
    while (name.len && strchr(":?+", name.s[name.len - 1]))
        name.len--;
    if (has_command_byte(value) || str_starts(name, STR(".")) ||
        (variable_uses(name) & VARIABLE_STEERS))
        return false;
    return !str_has(value, '/') ||
           (path_absolute(f->arena, a->cwd, f->home, value, &path) && is_inside_workspace(f, path));
}

/* ext::sh -c x: git runs the helper of that name. */
static bool is_transport(struct str word)
{
    size_t colon = str_index(word, ':');

    for (size_t i = 0; colon != STR_NONE && i < colon; i++)
        if (!ascii_is_alnum(word.s[i]) && word.s[i] != '-')
            return false;
    return colon != STR_NONE && colon > 0 && str_starts(str_from_byte(word, colon), STR("::"));
}

/* brew install /tmp/x.rb: what is installed comes from a registry, or from the workspace. */
static bool is_package_from_elsewhere(const struct facts *f, const struct action *a,
                                      struct str word)
{
    struct str path;

    if (!(a->effects & EFFECT_INSTALL))
        return false;
    if (str_contains(word, STR("://")))
        return true;
    return word.len && (strchr("/~", word.s[0]) || str_starts(word, STR("../"))) &&
           !(path_absolute(f->arena, a->cwd, f->home, word, &path) && is_inside_workspace(f, path));
}

static bool operand_is_covered(const struct facts *f, const struct action *a, struct str word)
{
    if (is_package_from_elsewhere(f, a, word))
        return false;
    if ((a->effects & EFFECT_NETWORK) && is_transport(word))
        return false;
    return (a->effects & (EFFECT_PROJECT | EFFECT_UNKNOWN)) != (EFFECT_PROJECT | EFFECT_UNKNOWN) ||
           setting_is_covered(f, a, word);
}

static bool has_wildcard(struct str word)
{
    return str_has(word, '*') || str_has(word, '?') || str_has(word, '[');
}

/* git $X, xargs git: what only run time knows may be a subcommand or options. Where the program
 * could take it for one, its row did not explain the word. */
static bool words_are_known(const struct action *a)
{
    const struct strs *words = &a->subject.words;
    struct str name = str_from(a->row->name);
    bool chooses = program_has_subcommands(name);

    if (!(a->effects & EFFECT_UNKNOWN) ||
        (!chooses && !str_has(name, ' ') && !program_has_risky_options(a->row)))
        return true;
    for (size_t i = 1; i < words->count && !str_is(words->items[i], "--"); i++)
        if (str_has(words->items[i], WORD_UNKNOWN))
            return false;
    /* git pu?h, with a file of that name */
    return !chooses || words->count < 2 || !has_wildcard(words->items[1]);
}

/* npm x, git foo: where a row has subcommands, one that it does not know may do anything, or be
 * what somebody put into PATH under that name. */
static bool subcommand_is_covered(const struct rule *r, const struct action *a)
{
    const struct strs *words = &a->subject.words;
    size_t named = 1;

    if (!(a->effects & EFFECT_UNKNOWN) || !program_has_subcommands(str_from(a->row->name)))
        return true;
    for (const char *s = a->row->name; *s; s++)
        named += *s == ' ';
    for (size_t i = 1, operands = 1; i < words->count; i++) {
        struct str text = r->content, word;
        if (str_starts(words->items[i], STR("-")) || operands++ < named)
            continue;
        while (rule_next_word(&text, &word))
            if (str_eq(word, words->items[i]))
                return true;
        return false;
    }
    return true;
}

/* ---- operands that are written ---- */

/* Is the path in a place that the rule itself names: Bash(cp * /srv/...)? */
static bool text_names(const struct facts *f, const struct rule *r, struct str path)
{
    struct str text = r->content, word;
    struct rule_word w;

    while (rule_next_word(&text, &word))
        if (read_rule_word(f, word, &w) && path_is_inside(path, w.place))
            return true;
    return false;
}

bool rule_names_place(const struct facts *f, const struct rule *r, const struct action *a,
                      const struct subject_path *p)
{
    const struct rule_within *w = rule_more(r)->within;
    struct rule_env room;

    if (text_names(f, r, p->written))
        return true;
    if (!w || (w->access && (p->access & ~w->access)))
        return false;
    /* an access without paths is one to any path, but to no secret */
    if (!w->paths.count)
        return w->access && !path_secret(f, p);
    return rule_path_covers(f->arena, r, &w->paths, p, facts_env(f, a, &room));
}

/* *.o: what a pattern matches is below the directory before its first wildcard. */
static bool write_is_covered(const struct facts *f, const struct action *a,
                             const struct subject_path *p)
{
    struct subject_path below = *p;

    if (!p->pattern)
        return path_is_covered(f, a, p);
    while (below.written.len && strpbrk(str_copy(f->arena, below.written).s, "*?[{"))
        below.written = path_dir(below.written);
    below.written = below.resolved = path_join(f->arena, below.written, STR("x"));
    below.pattern = false;
    return path_is_covered(f, a, &below);
}

/* cp a /srv/x: the star stands for files of the workspace. A worktree or a clone beside it is what
 * git makes them for. */
static bool writes_are_covered(const struct facts *f, const struct rule *r, const struct action *a)
{
    const unsigned changes = ACCESS_WRITE | ACCESS_DELETE;

    if ((a->effects & EFFECT_REPO) || ((a->effects & EFFECT_CODE) && program_runs_operands(a->row)))
        return true; /* rule_ceiling() judges the code */
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & changes) && !write_is_covered(f, a, p) && !rule_names_place(f, r, a, p))
            return false;
    }
    return !(a->unknown & changes & ~(rule_more(r)->within ? rule_more(r)->within->access : 0u));
}

/* Bash(make -C *): the directory may be any. */
static bool names_directory(const struct rule *r, const struct action *a, struct str path)
{
    for (size_t i = 0; i < a->options.count; i++)
        if (a->options.items[i].directory && rule_names_option(r, a->options.items[i].names) &&
            path_is_inside(path, a->directory))
            return true;
    return false;
}

/* pytest @FILE, gcc @FILE: a file with further words. */
static bool words_stay(const struct facts *f, const struct action *a)
{
    struct str path;

    for (size_t i = 1; i < a->subject.words.count; i++) {
        struct str word = a->subject.words.items[i];
        if (word.len > 1 && word.s[0] == '@' && str_has(word, '/') &&
            (!path_absolute(f->arena, a->cwd, f->home, str_from_byte(word, 1), &path) ||
             (!is_inside_workspace(f, path) &&
              f->world->kind(f->world->context, path.s) != FILE_ABSENT)))
            return false;
    }
    return true;
}

/* make -f /srv/x.mk, pytest /srv/x: code of another project. */
static bool runs_are_covered(const struct facts *f, const struct rule *r, const struct action *a)
{
    if ((a->effects & EFFECT_PROJECT) && !words_stay(f, a))
        return false;
    for (size_t i = 0; (a->effects & EFFECT_PROJECT) && i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->access == ACCESS_READ && !p->uncertain && !p->listed && !path_is_covered(f, a, p) &&
            !rule_names_place(f, r, a, p) && !names_directory(r, a, p->written))
            return false;
    }
    return true;
}

/* ---- all of it ---- */

/* `cd /tmp/x && make` is `make -C /tmp/x`, and git runs the hooks of the repository that it is in.
 */
static bool acts_outside(const struct facts *f, const struct action *a)
{
    const unsigned minds = EFFECT_PROJECT | EFFECT_REPO | EFFECT_SEND | EFFECT_INSTALL;

    return (a->effects & minds) && !a->directory.len && f->workspace.len &&
           !is_inside_workspace(f, a->cwd);
}

/* GIT_DIR, PATH, https_proxy: does the call set a variable that could lead its programs elsewhere?
 * What steers may be exported already. */
static bool is_steered(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        const struct strs *words = &a->subject.words;
        if (!a->assignment || a->idle)
            continue;
        if (environment_is_dangerous(a, words->count > 1 ? &words->items[1] : NULL) ||
            (environment_reaches_programs(f, a) && !environment_is_safe_for_all(f, a)))
            return true;
    }
    return false;
}

static bool is_here(const struct facts *f, struct str directory)
{
    return str_eq(directory, f->env.cwd) ||
           (directory.len && is_inside_workspace(f, directory) &&
            f->world->kind(f->world->context, str_copy(f->arena, directory).s) == FILE_DIRECTORY);
}

/* Does the command act on the call's own project? Its words alone do not say so. */
static bool acts_here(const struct facts *f, const struct action *a)
{
    if (!a->subject.shell || a->redirect || a->assignment)
        return true;
    return is_here(f, a->cwd) && (!a->cwd_other.path.len || is_here(f, a->cwd_other.path)) &&
           (!a->directory.len || is_here(f, a->directory)) && !is_steered(f);
}

static bool is_for_one_project(const struct rule *r)
{
    const struct rule_more *more = rule_more(r);

    return r->effect == BEHAVIOR_ALLOW &&
           (more->scope.len || (more->when && more->when->projects.count));
}

/* --no-x after the --x of the rule, or --x=false: then the command does not do what the rule says.
 */
static bool takes_back(struct str word, struct str option)
{
    static const char *const off[] = {"=false", "=0", "=no", "=off"};
    struct str bare = str_from_byte(option, 2);

    if (str_starts(word, STR("--no-")) && str_starts(bare, str_from_byte(word, 5)))
        return true;
    if (str_starts(bare, STR("no-")) && str_starts(word, STR("--")) &&
        str_eq(str_from_byte(word, 2), str_from_byte(bare, 3)))
        return true;
    for (size_t i = 0; i < COUNT(off); i++)
        if (str_starts(word, option) && str_is(str_from_byte(word, option.len), off[i]))
            return true;
    return false;
}

static bool options_stay(const struct rule *r, const struct action *a)
{
    struct str text = r->content, option;

    while (rule_next_word(&text, &option))
        for (size_t i = 1; str_starts(option, STR("--")) && i < a->subject.words.count &&
                           !str_is(a->subject.words.items[i], "--");
             i++)
            if (takes_back(a->subject.words.items[i], option))
                return false;
    return true;
}

/* What of the action a star does not stand for, as the end of "covers X, but not ..."; NULL:
 * nothing. */
static const char *beyond_star(const struct facts *f, const struct rule *r, const struct action *a)
{
    if (!a->row)
        return NULL;
    if (acts_outside(f, a))
        return "outside the workspace";
    if (!options_stay(r, a))
        return "with an option that takes back what it names";
    if (!writes_are_covered(f, r, a))
        return "writing outside the workspace";
    if (!runs_are_covered(f, r, a))
        return "code of another project";
    for (size_t i = 0; i < a->options.count; i++)
        if (!option_is_covered(f, a, &a->options.items[i]) &&
            !rule_names_option(r, a->options.items[i].names))
            return "with an option that it does not name";
    for (size_t i = 1; i < a->subject.words.count; i++)
        if (!operand_is_covered(f, a, a->subject.words.items[i]) &&
            !str_contains(r->content, a->subject.words.items[i]))
            return "with a setting that it does not name";
    if (!words_are_known(a))
        return "with a word that is not known before run time";
    if (!subcommand_is_covered(r, a))
        return "with an unknown subcommand";
    return rule_ceiling(f, r, a);
}

const char *rule_falls_short(const struct facts *f, const struct rule *r, const struct action *a)
{
    static const char elsewhere[] = "in another place than its path names";

    if (is_for_one_project(r) && !acts_here(f, a))
        return "in another project";
    if (a->redirect && (a->effects & EFFECT_NETWORK) && !r->tool_wild &&
        !strs_has(&f->shared.names, r->tool)) /* Edit is about files */
        return "to another host";
    if (r->dialect != DIALECT_WARDER || !a->subject.shell || a->redirect || a->assignment ||
        r->matcher == MATCH_ANY || is_only_stars(r->content))
        return NULL;
    if (r->matcher == MATCH_DOMAIN && a->subject.fetches)
        return NULL; /* nothing of it is left that the rule would have to name */
    /* the rule is this whole command line, and a person has read all of it */
    if (r->matcher == MATCH_EXACT && str_eq(a->subject.first, r->pattern))
        return !a->subject.whole || paths_stay(f, r, a) ? NULL : elsewhere;
    if (!paths_stay(f, r, a))
        return elsewhere;
    return r->matcher == MATCH_EXACT ? NULL : beyond_star(f, r, a);
}

bool rule_reaches(const struct facts *f, const struct rule *r, const struct action *a)
{
    return !rule_falls_short(f, r, a);
}

/* ---- exceptions ---- */

/* An exception that names a place is about nothing outside of it: rm build/a y is not only
 * rm build/... */
static bool names_every_path(const struct facts *f, const struct rule *r, const struct action *a)
{
    struct str text = r->content, word;
    struct rule_word w;
    bool names = false;

    while (!names && rule_next_word(&text, &word))
        names = read_rule_word(f, word, &w);
    for (size_t i = 0; names && i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!p->below && !p->folded && !text_names(f, r, p->written))
            return false;
    }
    return true;
}

bool rule_excepts(const struct facts *f, const struct rule *r, const struct action *a)
{
    const struct rule_more *more = rule_more(r);
    struct rule_env room;

    if (!more->unless_count || !acts_here(f, a))
        return false;
    for (size_t i = 0; i < more->unless_count; i++)
        if (rule_matches(f->arena, &more->unless[i], &a->subject, facts_env(f, a, &room)) &&
            rule_reaches(f, &more->unless[i], a) && names_every_path(f, &more->unless[i], a))
            return true;
    return false;
}

bool rule_is_about(const struct facts *f, const struct rule *r, const struct action *a)
{
    struct rule_env room;

    return rule_matches(f->arena, r, &a->subject, facts_env(f, a, &room)) && !rule_excepts(f, r, a);
}
