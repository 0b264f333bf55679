#include "facts/outputs.h"

#include "base/ascii.h"
#include "base/path.h"
#include "facts/sensitive_paths.h"

/* A name with at most one star, at its beginning or its end. */
static bool fits(struct str name, const char *pattern)
{
    struct str p = str_from(pattern);

    if (p.s[0] == '*')
        return str_ends(name, str_from_byte(p, 1));
    if (p.s[p.len - 1] == '*')
        return str_starts(name, str_slice(p, 0, p.len - 1));
    return str_eq(name, p);
}

static bool fits_any(struct str name, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fits(name, patterns[i]))
            return true;
    return false;
}

/* Only written by programs, and read by none as code of the project. */
static const char *const directories[] = {
    "dist",          "build",       "target",  ".mypy_cache", ".pytest_cache", ".ruff_cache",
    "out",           "__pycache__", ".next",   ".nuxt",       ".turbo",        ".nyc_output",
    ".parcel-cache", "coverage",    "htmlcov", ".gradle",     ".build",
};

bool output_can_be_deleted(const struct facts *f, const struct subject_path *p)
{
    static const char *const by_tools[] = {
        "__pycache__",   ".mypy_cache",  ".pytest_cache", ".ruff_cache", ".nyc_output",
        ".parcel-cache", "node_modules", ".coverage",     ".tox",        "*.pyc",
    };
    struct str name = path_base(p->written);

    if (p->pattern || !str_eq(p->written, p->resolved) || str_eq(p->written, f->workspace) ||
        !path_in_workspace(f, p))
        return false;
    return fits_any(name, by_tools, COUNT(by_tools)) ||
           (fits_any(name, directories, COUNT(directories)) && f->world->ignored &&
            f->world->ignored(f->world->context, p->resolved.s));
}

static bool is_directory_name(struct str name)
{
    static const char *const more[] = {
        ".cache",        "bin",          "_build",   "allure-*",  "build-*",           "build_*",
        "cmake-build-*", "coverage-*",   "logs",     "obj",       "playwright-report", "reports",
        "test-reports",  "test-results", "*-report", "*-results",
    };

    return fits_any(name, directories, COUNT(directories)) || fits_any(name, more, COUNT(more));
}

/* What compilers, test runners and profilers write, and nothing else. */
static bool is_product(struct str name)
{
    static const char *const endings[] = {
        "*.a",     "*.bc",          "*.bin",   "*.class",    "*.cov",  "*.coverage", "*.d",
        "*.dll",   "*.dwo",         "*.dylib", "*.elf",      "*.exe",  "*.gcda",     "*.gcno",
        "*.gch",   "*.i",           "*.ii",    "*.info",     "*.jar",  "*.junit",    "*.lcov",
        "*.lib",   "*.ll",          "*.log",   "*.o",        "*.obj",  "*.out",      "*.pch",
        "*.pprof", "*.prof",        "*.pyc",   "*.profdata", "*.rlib", "*.profraw",  "*.rmeta",
        "*.s",     "*.sarif",       "*.so",    "*.su",       "*.tap",  "*.test",     "*.trace",
        "*.trx",   "*.tsbuildinfo", "*.wasm",  "*.xml",      "*cache",
    };

    return fits_any(name, endings, COUNT(endings)) || str_contains(name, STR(".so."));
}

/* report.json, coverage.html, test-results.txt */
bool output_is_report(struct str name)
{
    static const char *const endings[] = {"*.csv", "*.html", "*.json", "*.svg", "*.txt"};
    struct str words = STR("bench coverage junit metafile profile report result timing"), word;

    if (!fits_any(name, endings, COUNT(endings)))
        return false;
    while (str_next_word(&words, &word))
        if (str_contains(name, word))
            return true;
    return false;
}

/* A program has no ending, and neither have Makefile, justfile, BUILD and configure, which are
 * code. */
static bool is_program_name(struct str name)
{
    struct str code = STR("build configure gradlew mvnw workspace"), word;

    for (size_t i = 0; i < name.len; i++)
        if (!ascii_is_alnum(name.s[i]) && name.s[i] != '_' && name.s[i] != '-')
            return false;
    while (str_next_word(&code, &word))
        if (str_eq_nocase(name, word))
            return false;
    return name.len &&
           !(name.len >= 4 && str_eq_nocase(str_from_byte(name, name.len - 4), STR("file"))) &&
           !str_starts(name, STR("SCons"));
}

static bool is_file_name(struct str name)
{
    return is_product(name) || output_is_report(name) || is_program_name(name);
}

/* Is one of the directories above it, in the workspace, one for build output? */
static bool lies_in_output(const struct facts *f, struct str path)
{
    struct str rest, name;

    if (!path_relative(f->workspace, path, &rest))
        return false;
    while (str_cut(rest, '/', &name, &rest))
        if (is_directory_name(name))
            return true;
    return false;
}

static bool is_named_so(const struct facts *f, struct str path, enum file_kind kind)
{
    /* python -m venv .venv */
    const struct str environments = STR(".venv env venv");
    struct str name = path_base(path);

    if (lies_in_output(f, path) || is_directory_name(name))
        return true;
    if (kind == FILE_DIRECTORY)
        return false;
    return is_file_name(name) || (kind == FILE_ABSENT && str_has_word(environments, name));
}

static bool may_be_replaced(const struct facts *f, const char *path)
{
    struct file_mark mark;

    return (f->world->ignored && f->world->ignored(f->world->context, path)) ||
           (f->world->compiled && f->world->compiled(f->world->context, path, &mark));
}

static bool may_be_written(const struct facts *f, const struct subject_path *p)
{
    if (p->pattern || p->resolved.len == 0)
        return false;
    enum file_kind kind = f->world->kind(f->world->context, p->resolved.s);
    if (!is_named_so(f, p->written, kind) ||
        (!str_eq(p->written, p->resolved) && !is_named_so(f, p->resolved, kind)))
        return false;
    return kind == FILE_ABSENT || kind == FILE_DIRECTORY ||
           (kind == FILE_REGULAR && may_be_replaced(f, p->resolved.s));
}

/* Is it absent, and named like a source that the same command reads? tsc x.ts makes x.js. */
static bool is_beside_source(const struct facts *f, const struct action *a,
                             const struct subject_path *p)
{
    struct str stem = str_slice(p->written, 0, str_last_index(p->written, '.'));

    if (p->pattern || !p->resolved.len || !str_eq(p->written, p->resolved) ||
        f->world->kind(f->world->context, p->resolved.s) != FILE_ABSENT)
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *from = &a->subject.paths.items[i];
        if (from->access == ACCESS_READ && !from->below && str_starts(from->written, stem) &&
            str_starts(str_from_byte(from->written, stem.len), STR(".")) &&
            f->world->kind(f->world->context, from->resolved.s) == FILE_REGULAR)
            return true;
    }
    return false;
}

bool outputs_may_be_written(const struct facts *f, const struct action *a)
{
    if (f->mode == MODE_ACCEPT_EDITS || !(a->effects & EFFECT_PROJECT))
        return true;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_WRITE) && !p->below && !p->fresh && !p->unlikely &&
            !str_is(p->resolved, "/dev/null") && !may_be_written(f, p) &&
            !is_beside_source(f, a, p))
            return false;
    }
    return true;
}
