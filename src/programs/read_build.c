/* read_build.c - readers for the operands of build tools: targets, packages, the words behind a script's name.
 *
 * Each says what a word may be at most. What is more than that is doubted, because the programs behind these words
 * give some of them a second meaning: a target with '=' sets a variable, a package with ':' is a URL, a file that
 * begins with '@' holds more options. */
#include "programs/reading.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}

static bool consists_of(struct str s, const char *more)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_alphanumeric(s.s[i]) && (!s.s[i] || !strchr(more, s.s[i])))
            return false;
    return true;
}

/* make all, xcodebuild build, rake test: NAME=VALUE would change how things are built, up to the shell that is used. */
void read_target(struct reading *r, struct piece p)
{
    if (!p.known || str_has(p.text, '='))
        doubt(r, p.word);
}

void read_number(struct reading *r, struct piece p)
{
    for (size_t i = 0; i < p.text.len; i++)
        if (!is_digit(p.text.s[i])) {
            doubt(r, p.word);
            return;
        }
}

/* The name of a task, a setting or a module. No credential's name in .npmrc is one: those begin with '_' or a URL. */
void read_name(struct reading *r, struct piece p)
{
    if (!p.known || !p.text.len || !is_alphanumeric(p.text.s[0]) || !consists_of(p.text, "._:-"))
        doubt(r, p.word);
}

/* A package of the registry: name, name@version, @scope/name. Everything else that npm takes (URL, git,
 * user/repository, file) may talk to anybody or run the scripts of what it fetched. */
void read_package(struct reading *r, struct piece p)
{
    struct str scope, name = p.text;

    if (name.len && name.s[0] == '@' && str_cut(str_from_byte(name, 1), '/', &scope, &name) &&
        !consists_of(scope, "._-"))
        doubt(r, p.word);
    if (!p.known || !name.len || !is_alphanumeric(name.s[0]) || !consists_of(name, "._@+~^*<>=| -"))
        doubt(r, p.word);
}

/* A file for a program that takes more options from @FILE, and in front of which "--" may stand. */
void read_input(struct reading *r, struct piece p)
{
    if (p.text.len &&
        (p.text.s[0] == '@' || p.text.s[0] == PROGRAM_UNKNOWN_BYTE || (p.text.s[0] == '-' && p.text.len > 1)))
        doubt(r, p.word);
    apply_role(r, STR("R"), p);
}

/* A Makefile or the like. From standard input it is not the project's. */
void read_file(struct reading *r, struct piece p)
{
    if (str_is(p.text, "-"))
        apply_role(r, STR("X"), p);
    else
        apply_role(r, STR("R"), p);
}

/* A file or directory; deno also takes URLs, npm:NAME and jsr:NAME. */
void read_local(struct reading *r, struct piece p)
{
    if (!p.known || str_has(p.text, ':'))
        doubt(r, p.word);
    apply_role(r, STR("R"), p);
}

/* protoc --go_out=paths=source_relative:DIRECTORY */
void read_outdir(struct reading *r, struct piece p)
{
    size_t colon = str_last_index(p.text, ':');

    if (colon != STR_NONE)
        p.text = str_from_byte(p.text, colon + 1);
    apply_role(r, STR("W"), p);
}

/* A word for a program that nobody sees: it may be a path, and so may what stands behind --option=. */
void read_arg(struct reading *r, struct piece p)
{
    struct str name, value;

    if (p.text.len && p.text.s[0] == '-') {
        if (!str_cut(p.text, '=', &name, &value))
            return;
        p.text = value;
    }
    p.operand = false;
    apply_role(r, STR("R"), p);
}

void read_args(struct reading *r, struct piece p)
{
    for (size_t i = p.word; i < r->count; i++)
        read_arg(r, whole_word(r, i));
}

/* mise exec [TOOL@VERSION]... -- COMMAND: the tools are installed when they are not there. */
void read_mise(struct reading *r, struct piece p)
{
    size_t i = p.word;

    for (; i < r->count && !str_is(r->words[i].text, "--"); i++) {
        r->out->effects |= EFFECT_INSTALL;
        read_package(r, whole_word(r, i));
    }
    if (i + 1 < r->count)
        apply_role(r, STR("I"), whole_word(r, i + 1));
    else
        r->out->effects |= EFFECT_CODE;
}

static bool is_one_of(struct str s, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_is(s, list[i]))
            return true;
    return false;
}

/* Maven: phases, and goals that only look or format. exec:exec and the like run what their properties say. */
void read_maven(struct reading *r, struct piece p)
{
    static const char *const goals[] = {
        "checkstyle:check",
        "clean",
        "compile",
        "dependency:analyze",
        "dependency:resolve",
        "dependency:tree",
        "generate-sources",
        "help:effective-pom",
        "install",
        "package",
        "process-classes",
        "process-resources",
        "site",
        "spotbugs:check",
        "spotless:apply",
        "spotless:check",
        "test",
        "test-compile",
        "validate",
        "verify",
    };

    if (str_is(p.text, "deploy"))
        r->out->effects |= EFFECT_SEND;
    else if (!p.known || !is_one_of(p.text, goals, COUNT(goals)))
        doubt(r, p.word);
}

/* Gradle: tasks of the build script, with or without their project. */
void read_gradle(struct reading *r, struct piece p)
{
    size_t colon = str_last_index(p.text, ':');
    struct str task = colon == STR_NONE ? p.text : str_from_byte(p.text, colon + 1);

    if (!p.known || !task.len || !consists_of(task, "_-"))
        doubt(r, p.word);
    if (str_starts(task, STR("publish")) || str_starts(task, STR("upload")) || str_starts(task, STR("deploy")) ||
        str_starts(task, STR("release")))
        r->out->effects |= EFFECT_SEND;
}
