/* tasks.c - names of targets, tasks and scripts that a runner finds in files of the project.
 *
 * What they do is not read. But some names say that it goes beyond the project, and this is the one
 * list of them, for every runner: make, just, npm run, cargo run --bin, cmake --target. */
#include "base/ascii.h"
#include "programs/reading.h"

/* Words of a name, and what a task with such a word does. */
static const struct word {
    const char *text;
    unsigned effect;
    bool weak; /* unless the name also says that something is built or checked: build:prod */
} words[] = {
    {"deploy", EFFECT_SEND},         {"deployment", EFFECT_SEND},
    {"destroy", EFFECT_LOSS, true},  {"drop", EFFECT_LOSS, true},
    {"install", EFFECT_SYSTEM},      {"nuke", EFFECT_LOSS, true},
    {"prod", EFFECT_SEND, true},     {"production", EFFECT_SEND, true},
    {"promote", EFFECT_SEND},        {"publish", EFFECT_SEND},
    {"purge", EFFECT_LOSS, true},    {"push", EFFECT_SEND},
    {"release", EFFECT_SEND, true},  {"rollback", EFFECT_SEND},
    {"rollout", EFFECT_SEND},        {"send", EFFECT_SEND},
    {"ship", EFFECT_SEND},           {"submit", EFFECT_SEND},
    {"teardown", EFFECT_LOSS, true}, {"uninstall", EFFECT_SYSTEM},
    {"undeploy", EFFECT_SEND},       {"unpublish", EFFECT_SEND},
    {"upload", EFFECT_SEND},         {"wipe", EFFECT_LOSS, true},
};

static bool says_build(struct str word)
{
    static const char *const names[] = {"assemble", "build", "bundle", "changelog", "check",
                                        "compile",  "debug", "format", "lint",      "notes",
                                        "package",  "test",  "tests",  "typecheck", "watch"};

    for (size_t i = 0; i < COUNT(names); i++)
        if (str_eq_nocase(word, str_from(names[i])))
            return true;
    return false;
}

/* Words end at punctuation, and before a capital letter that follows a small one
 * (publishToMavenLocal). */
static bool next_word(struct str name, size_t *at, struct str *word)
{
    size_t from = *at, end;

    while (from < name.len && !ascii_is_alnum(name.s[from]))
        from++;
    for (end = from; end < name.len && ascii_is_alnum(name.s[end]); end++)
        if (end > from && name.s[end] >= 'A' && name.s[end] <= 'Z' && name.s[end - 1] >= 'a' &&
            name.s[end - 1] <= 'z')
            break;
    *at = end;
    *word = str_slice(name, from, end);
    return word->len > 0;
}

/* predeploy, postinstall: a script that npm runs around another one. */
static struct str without_front(struct str word)
{
    static const struct str fronts[] = {STR("pre"), STR("post")};

    for (size_t i = 0; i < COUNT(fronts); i++)
        if (word.len > fronts[i].len && str_eq_nocase(str_slice(word, 0, fronts[i].len), fronts[i]))
            return str_from_byte(word, fronts[i].len);
    return word;
}

unsigned task_effects(struct str name)
{
    unsigned strong = 0, weak = 0;
    bool builds = false;
    struct str word;

    if (str_starts(name, STR("--no-")) || str_starts(name, STR("--skip-")))
        return 0;
    for (size_t at = 0; next_word(name, &at, &word);) {
        builds |= says_build(word);
        for (size_t i = 0; i < COUNT(words); i++)
            if (str_eq_nocase(word, str_from(words[i].text)) ||
                str_eq_nocase(without_front(word), str_from(words[i].text)))
                *(words[i].weak ? &weak : &strong) |= words[i].effect;
    }
    return strong | (builds ? 0 : weak);
}

/* A script of package.json, a task, a binary of the project. */
void read_task(struct reading *r, struct piece p)
{
    if (!p.known)
        doubt(r, p.word);
    note_task(r, p);
    r->out->effects |= task_effects(p.text);
}

/* The same where other words than plain names have a meaning of their own. */
void read_taskname(struct reading *r, struct piece p)
{
    read_name(r, p);
    read_task(r, p);
}
