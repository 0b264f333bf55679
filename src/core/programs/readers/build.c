/* build.c - readers for the operands of build tools: targets, packages, the words after a script's
 * name.
 *
 * Each accepts the plain form of a word and doubts the rest, because these programs give some words
 * a second meaning: a target with '=' sets a variable, a package with ':' is a URL, a file that
 * begins with '@' contains more options. */
#include "programs/reading.h"

#include "base/ascii.h"
#include "base/path.h"
#include "programs/variables.h"

static bool consists_of(struct str s, const char *more)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && (!s.s[i] || !strchr(more, s.s[i])))
            return false;
    return true;
}

/* yes, no, 1: a value that is neither a path nor a command. */
static bool is_switch(struct str value)
{
    static const char *const switches[] = {"",    "0",  "1",    "FALSE", "NO",
                                           "OFF", "ON", "TRUE", "YES",   "no",
                                           "off", "on", "true", "false", "yes"};

    return STR_IN(value, switches);
}

/* SHELL=$x and .SHELLFLAGS=$x, and $x, which may be one of these. */
static bool may_set_command(const struct reading *r, struct piece p)
{
    struct str name, value;

    if (!p.text.len || p.text.s[0] == WORD_UNKNOWN)
        return !(r->words[p.word].shape & SHAPE_PLAIN);
    return str_cut(p.text, '=', &name, &value) && name.len && str_has(value, WORD_UNKNOWN) &&
           (name.s[0] == '.' || (variable_uses(name) & VARIABLE_COMMAND));
}

/* make all, xcodebuild build, rake test. NAME=VALUE changes how things are built, even which shell
 * is used, and make expands $(shell ...) in it; only switches are accepted. LIB(MEMBER) makes the
 * file of that name by a rule that no Makefile has. */
void read_target(struct reading *r, struct piece p)
{
    struct str name, value;

    r->out->unseen |= !p.known && may_set_command(r, p);
    if (str_starts(p.text, STR(".DEFAULT_GOAL=")))
        note_task(r, (struct piece){.text = str_from_byte(p.text, strlen(".DEFAULT_GOAL=")),
                                    .known = p.known});
    if (!p.known || str_has(p.text, '(') ||
        (str_cut(p.text, '=', &name, &value) && !(consists_of(name, "_") && is_switch(value))))
        doubt(r, p.word);
    else
        read_task(r, p);
}

static bool is_compiler(struct str value)
{
    static const char *const compilers[] = {"c++", "cc", "clang", "clang++", "g++", "gcc"};
    struct str plain = value;

    while (plain.len && (ascii_is_digit(plain.s[plain.len - 1]) || plain.s[plain.len - 1] == '-'))
        plain.len--;
    return STR_IN(plain, compilers);
}

/* cmake -D NAME[:TYPE]=VALUE. Many names make CMake run or include what they name: the compiler,
 * its launcher, a toolchain file, a package's directory. */
void read_define(struct reading *r, struct piece p)
{
    static const char *const plain[] = {"CMAKE_BUILD_TYPE",
                                        "CMAKE_CXX_STANDARD",
                                        "CMAKE_C_STANDARD",
                                        "CMAKE_INSTALL_PREFIX",
                                        "CMAKE_OSX_ARCHITECTURES",
                                        "CMAKE_OSX_DEPLOYMENT_TARGET",
                                        "CMAKE_POLICY_VERSION_MINIMUM",
                                        "CMAKE_SYSTEM_NAME"};
    struct str name, value, type;

    if (!p.known || !str_cut(p.text, '=', &name, &value)) {
        doubt(r, p.word);
        return;
    }
    str_cut(name, ':', &name, &type);
    if (STR_IN(name, plain))
        return;
    bool compiler = str_is(name, "CMAKE_C_COMPILER") || str_is(name, "CMAKE_CXX_COMPILER");
    if (!is_switch(value) && !(compiler && is_compiler(value)))
        doubt(r, p.word);
}

void read_number(struct reading *r, struct piece p)
{
    for (size_t i = 0; i < p.text.len; i++)
        if (!ascii_is_digit(p.text.s[i])) {
            doubt(r, p.word);
            return;
        }
}

/* The name of a task, a setting or a module. Names of credentials in .npmrc are not accepted: they
 * begin with '_' or a URL. */
void read_name(struct reading *r, struct piece p)
{
    if (!p.known || !p.text.len || !ascii_is_alnum(p.text.s[0]) || !consists_of(p.text, "._:-"))
        doubt(r, p.word);
}

/* A package of the registry: name, name@version, @scope/name. Everything else that npm takes (URL,
 * git, user/repository, file) may contact any server or run the scripts of what it fetched. */
void read_package(struct reading *r, struct piece p)
{
    struct str scope, name = p.text;

    if (str_contains(p.text, STR("://")))
        apply_role(r, STR("N"), p);
    if (name.len && name.s[0] == '@' && str_cut(str_from_byte(name, 1), '/', &scope, &name) &&
        !consists_of(scope, "._-"))
        doubt(r, p.word);
    if (!p.known || !name.len || !ascii_is_alnum(name.s[0]) || !consists_of(name, "._@+~^*<>=| -"))
        doubt(r, p.word);
}

/* A file for a program that reads more options from @FILE and accepts "--" before it. */
static void take_plain_file(struct reading *r, struct piece p, struct str role)
{
    if (p.text.len && (p.text.s[0] == '@' || p.text.s[0] == WORD_UNKNOWN ||
                       (p.text.s[0] == '-' && p.text.len > 1)))
        doubt(r, p.word);
    apply_role(r, role, p);
}

void read_input(struct reading *r, struct piece p)
{
    take_plain_file(r, p, STR("R"));
}

/* tsc x.ts: what it makes of a source is beside it. */
void read_emitted(struct reading *r, struct piece p)
{
    static const char *const endings[][2] = {
        {".mts", ".mjs"}, {".cts", ".cjs"}, {".tsx", ".js"}, {".tsx", ".jsx"}, {".ts", ".js"}};
    struct piece out = p;

    read_input(r, p);
    for (size_t i = 0; p.known && !p.may_glob && i < COUNT(endings); i++) {
        struct str ending = str_from(endings[i][0]);
        if (!str_ends(p.text, ending) || str_ends(p.text, STR(".d.ts")))
            continue;
        out.text = str_join(r->arena, str_slice(p.text, 0, p.text.len - ending.len),
                            str_from(endings[i][1]));
        apply_role(r, STR("W"), out);
    }
}

/* clang-format -style=file:PATH. If PATH is not a style, the error message prints its text. */
void read_style(struct reading *r, struct piece p)
{
    if (!p.known)
        doubt(r, p.word);
    if (str_starts(p.text, STR("file:"))) {
        p.text = str_from_byte(p.text, 5);
        apply_role(r, STR("R"), p);
    }
}

/* Only these two of yamllint's bases are not files. */
static bool extends_builtin(struct str text)
{
    size_t at = 0;

    while (at < text.len && strchr("\"' :", text.s[at]))
        at++;
    text = str_from_byte(text, at);
    return str_starts(text, STR("default")) || str_starts(text, STR("relaxed"));
}

static bool extends_file(struct str text)
{
    const char *at;

    while (text.len && (at = memmem(text.s, text.len, "extends", 7))) {
        text = str_from_byte(text, (size_t)(at - text.s) + 7);
        if (!extends_builtin(text))
            return true;
    }
    return false;
}

/* Settings in the command itself, or the name of their file (clang-tidy -config=, buf --config,
 * yamllint -d). Some keys name programs, files, or arguments of the compiler, which can write (-MF)
 * and print (-include) any file; escapes could spell such keys. */
void read_inline(struct reading *r, struct piece p)
{
    bool text = str_has(p.text, '{') || str_has(p.text, ':') || str_has(p.text, '\n');

    if (!p.known || str_has(p.text, '\\') || str_contains(p.text, STR("ExtraArgs")) ||
        str_contains(p.text, STR("plugin")) || extends_file(p.text))
        doubt(r, p.word);
    if (!text && p.text.len)
        apply_role(r, STR("R"), p);
}

/* ansible-playbook -e: @FILE, or variables. Their values may be templates, which run commands
 * (lookup('pipe', ...)). */
void read_ansible(struct reading *r, struct piece p)
{
    if (!p.known || str_has(p.text, '{') || str_has(p.text, '\\'))
        apply_role(r, STR("X"), p);
    read_at(r, p);
}

/* The archive that ar writes. */
void read_archive(struct reading *r, struct piece p)
{
    take_plain_file(r, p, STR("W"));
}

/* A source for a compiler. Standard input is not code of the project: #include reads any file, and
 * the result could replace one of the project's own programs. */
void read_code(struct reading *r, struct piece p)
{
    if (str_is(p.text, "-"))
        apply_role(r, STR("X"), p);
    read_input(r, p);
}

/* gcc -include FILE also searches the -I directories: accepted is a header and no other file. */
void read_header(struct reading *r, struct piece p)
{
    static const char *const ends[] = {".h", ".hh", ".hpp", ".hxx", ".inc", ".def"};
    bool header = false;

    for (size_t i = 0; i < COUNT(ends); i++)
        header |= str_ends(p.text, str_from(ends[i]));
    if (!header)
        doubt(r, p.word);
    apply_role(r, STR("R"), p);
}

/* The target of a rule that a compiler writes: make could read anything but a plain path as its own
 * syntax. */
void read_rule(struct reading *r, struct piece p)
{
    if (!p.known || !consists_of(p.text, "._/+-"))
        doubt(r, p.word);
}

/* What people read is no code of the project, whatever a program makes of it. */
static bool is_prose(struct str path)
{
    static const char *const endings[] = {".md",  ".txt", ".rst",  ".adoc", ".log",
                                          ".csv", ".out", ".diff", ".patch"};

    for (size_t i = 0; i < COUNT(endings); i++)
        if (str_ends(path, str_from(endings[i])))
            return true;
    return false;
}

/* A Makefile or the like. One on standard input is not the project's. */
void read_file(struct reading *r, struct piece p)
{
    if (str_is(p.text, "-"))
        apply_role(r, STR("X"), p);
    else if (is_prose(p.text))
        apply_role(r, STR("F"), p);
    else
        apply_role(r, STR("R"), p);
    if (p.known)
        LIST_PUSH(r->arena, &r->out->starts_from, p.text);
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

/* A directory that is emptied before it is written. Directories with these names only hold
 * generated files. */
void read_emptied(struct reading *r, struct piece p)
{
    static const char *const made[] = {"build", "coverage", "dist", "out", "test-results"};
    struct str name = path_base(p.text);

    apply_role(r, p.known && STR_IN(name, made) ? STR("W") : STR("wd"), p);
}

/* The name of a format. After a colon or a semicolon it names a file, which is written. */
void read_plain(struct reading *r, struct piece p)
{
    if (!p.known || !consists_of(p.text, "._,-"))
        doubt(r, p.word);
}

/* A text that comes out in what the program writes: a banner, a title, a format. The name of a
 * known format is none. */
void read_text(struct reading *r, struct piece p)
{
    static const char *const formats[] = {"colorized", "default",   "edit",      "gcc",
                                          "json",      "parseable", "pylint",    "quiet",
                                          "text",      "vs",        "cppcheck1", "gitlab"};

    r->text |= !p.known || !STR_IN(p.text, formats);
}

/* A pattern for the names of files in an output directory ([name]-[hash].js): it must not lead out
 * of that. */
void read_naming(struct reading *r, struct piece p)
{
    if (!p.known || str_contains(p.text, STR("..")) || str_starts(p.text, STR("/")))
        doubt(r, p.word);
}

/* pytest --cov-report=KIND or KIND:FILE */
void read_report(struct reading *r, struct piece p)
{
    struct str kind;

    if (!p.known)
        doubt(r, p.word);
    if (str_cut(p.text, ':', &kind, &p.text))
        apply_role(r, STR("W"), p);
}

/* A text that comes out between quotes in a file of code: the message of a migration. */
void read_message(struct reading *r, struct piece p)
{
    if (!p.known || !consists_of(p.text, " .,:;()_/#!?+*=&@'-"))
        apply_role(r, STR("X"), p);
}

/* bazel: //package:target, or a pattern of them. */
void read_label(struct reading *r, struct piece p)
{
    struct str label = p.text;

    while (label.len && strchr("-@", label.s[0]))
        label = str_from_byte(label, 1);
    if (!str_starts(label, STR("//")) || !p.known || str_contains(label, STR("..//")) ||
        !consists_of(label, "._/:+-@*"))
        read_arg(r, p);
}

/* A module with a version is fetched from the host in its name, so the whole name is sent there. */
void read_gomod(struct reading *r, struct piece p)
{
    if (!p.known || str_has(p.text, '@'))
        r->out->effects |= EFFECT_NETWORK;
}

/* OLD[@v]=NEW[@v]: what is built in the place of OLD, a directory or a module that is fetched. */
void read_goreplace(struct reading *r, struct piece p)
{
    struct str old;

    str_cut(p.text, '=', &old, &p.text);
    if (str_has(p.text, '@'))
        r->out->effects |= EFFECT_INSTALL;
    else
        apply_role(r, STR("F"), p);
}

/* A script of package.json for a launcher that falls back to any program: accepted is only a name
 * that no program has. */
void read_script(struct reading *r, struct piece p)
{
    note_task(r, p);
    if (p.known && p.text.len && ascii_is_alnum(p.text.s[0]) && str_has(p.text, ':') &&
        consists_of(p.text, "._:-"))
        r->out->effects |= EFFECT_PROJECT | task_effects(p.text);
    else
        apply_role(r, STR("F"), p);
}

/* What bun runs: a script of package.json, else a source file, else a program. An existing file
 * with the extension of a source file is never taken for a program. */
void read_source(struct reading *r, struct piece p)
{
    static const char *const endings[] = {".cjs", ".cts", ".js", ".jsx",
                                          ".mjs", ".mts", ".ts", ".tsx"};

    for (size_t i = 0; i < COUNT(endings); i++)
        if (str_ends(p.text, str_from(endings[i]))) {
            apply_role(r, STR("Z"), p);
            return;
        }
    read_script(r, p);
}

/* go build -ldflags='-s -w -X main.version=1', -gcflags='all=-N -l'. Other flags choose the linker
 * to run (-extld) or files to write (-cpuprofile). */
void read_goflags(struct reading *r, struct piece p)
{
    static const char *const plain[] = {"-N", "-l", "-m", "-s", "-w"};
    struct str rest = p.text, token, pattern;
    bool values = false;

    if (rest.len && rest.s[0] != '-')
        str_cut(rest, '=', &pattern, &rest);
    bool known = p.known && !str_has(rest, '\'') && !str_has(rest, '"');
    while (known && str_next_word(&rest, &token)) {
        known = values || str_is(token, "-X") || STR_IN(token, plain);
        values = !values && str_is(token, "-X");
    }
    if (!known)
        apply_role(r, STR("X"), p);
}

/* go run ./cmd/tool runs a package of the project. A file, or another package, is not the project's
 * code. */
/* example.org/x, example.org/x@latest: a package of somebody else, which go fetches. */
static bool is_import_path(struct str text)
{
    return !str_starts(text, STR("/")) && !str_starts(text, STR("./")) &&
           !str_starts(text, STR("../")) && !str_ends(text, STR(".go")) && !str_is(text, "..");
}

void read_gopackage(struct reading *r, struct piece p)
{
    bool here =
        str_is(p.text, ".") || (str_starts(p.text, STR("./")) && !str_ends(p.text, STR(".go")));

    if (p.known && here && !str_has(p.text, '@')) {
        r->out->effects |= EFFECT_PROJECT | task_effects(path_base(p.text));
        apply_role(r, STR("R"), p);
    } else if (p.known && is_import_path(p.text)) {
        r->out->effects |= EFFECT_CODE | EFFECT_INSTALL;
    } else {
        apply_role(r, STR("F"), p);
    }
}

/* mise exec [TOOL@VERSION]... -- COMMAND: missing tools are installed. */
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

/* Maven: phases, and goals that only show or format. exec:exec and the like run what their
 * properties name. */
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

    note_task(r, p);
    if (str_is(p.text, "deploy"))
        r->out->effects |= EFFECT_SEND;
    else if (!p.known || !STR_IN(p.text, goals))
        doubt(r, p.word);
}

/* Gradle: tasks of the build script, with or without their project. */
void read_gradle(struct reading *r, struct piece p)
{
    size_t colon = str_last_index(p.text, ':');
    struct str task = colon == STR_NONE ? p.text : str_from_byte(p.text, colon + 1);

    if (!p.known || !task.len || !consists_of(task, "_-"))
        doubt(r, p.word);
    if (str_is(task, "properties")) /* those of ~/.gradle/gradle.properties, too */
        r->out->effects |= EFFECT_SECRETS;
    if (!str_is(task, "installDist")) /* into the build directory */
        read_task(r, p);
}
