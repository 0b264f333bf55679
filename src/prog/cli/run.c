/* run.c - `warder run`: decide, ask if needed, and then become the command, or not.
 *
 * What runs is what was judged. A command is judged as the text that gives exactly its words, and
 * started from those words, without a shell. A text is judged as bash reads it and given to bash,
 * which is told to heed nothing else: no start-up file, no functions or options from the
 * environment. Nothing is started while an answer is pending, and then nothing of us is left: exit
 * code, signals and descriptors are the command's own. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/cell.h"
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *text;
    bool lines, sandbox;
};

enum {
    EXIT_DENIED = 126,     /* as shells say of what may not be run */
    EXIT_NO_COMMAND = 127, /* ... and of what is not there */
};

/* What is to run. */
struct job {
    const char *file; /* of the program; NULL: not looked for yet */
    char **argv;      /* ends with NULL */
    struct str text;  /* as it is judged */
    int plan;         /* what it gets in the sandbox, to be read from here; 0: it runs freely */
};

/* ---- words as text ---- */

/* As the first word these would be read as something else than a program that is looked for in
 * PATH. */
static const char *const shell_words[] = {
    "!",        ".",         ":",        "[",       "[[",      "]]",     "alias",   "bg",
    "bind",     "break",     "builtin",  "caller",  "case",    "cd",     "command", "compgen",
    "complete", "compopt",   "continue", "coproc",  "declare", "dirs",   "disown",  "do",
    "done",     "echo",      "elif",     "else",    "enable",  "esac",   "eval",    "exec",
    "exit",     "export",    "false",    "fc",      "fg",      "fi",     "for",     "function",
    "getopts",  "hash",      "help",     "history", "if",      "in",     "jobs",    "kill",
    "let",      "local",     "logout",   "mapfile", "popd",    "printf", "pushd",   "pwd",
    "read",     "readarray", "readonly", "return",  "select",  "set",    "shift",   "shopt",
    "source",   "suspend",   "test",     "then",    "time",    "times",  "trap",    "true",
    "type",     "typeset",   "ulimit",   "umask",   "unalias", "unset",  "until",   "wait",
    "while",    "{",         "}",
};

static bool is_shell_word(const char *word)
{
    for (size_t i = 0; i < COUNT(shell_words); i++)
        if (strcmp(word, shell_words[i]) == 0)
            return true;
    return false;
}

/* ---- the program's file ---- */

static bool is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* As execvp() looks, but what it finds is not handed to a shell when it is no program. */
static const char *find_program(struct arena *a, const char *name)
{
    struct str rest = str_from(getenv("PATH")), directory;
    bool more = rest.s != NULL;

    if (strchr(name, '/'))
        return name;
    while (more && name[0]) {
        more = str_cut(rest, ':', &directory, &rest);
        const char *file =
            str_format(a, "%.*s%s%s", STR_ARG(directory), directory.len ? "/" : "", name).s;
        if (is_program(file))
            return file;
    }
    return NULL;
}

/* ---- what is to run ---- */

static char **copy_words(struct arena *a, const char *const *words, size_t count)
{
    char **out = ARENA_ARRAY(a, char *, count + 1);

    for (size_t i = 0; i < count; i++)
        out[i] = arena_copy(a, words[i], strlen(words[i]));
    return out;
}

static int plan_words(struct cli *cli, const char *const *words, size_t count, struct job *job)
{
    struct buf b = buf_in(cli->arena);

    job->argv = copy_words(cli->arena, words, count);
    job->file = find_program(cli->arena, words[0]);
    if (!job->file) {
        complain("%s: command not found", words[0]);
        return EXIT_NO_COMMAND;
    }
    for (size_t i = 0; i < count; i++) {
        if (i)
            buf_byte(&b, ' ');
        buf_shell_word(&b, str_from(i == 0 && is_shell_word(words[0]) ? job->file : words[i]));
    }
    job->text = buf_str(&b);
    return 0;
}

static int plan_text(struct cli *cli, const char *text, struct job *job)
{
    static const char *const files[] = {"/bin/bash", "/usr/bin/bash"};
    const char *const words[] = {"bash", "-p", "-c", "--", text};

    *job =
        (struct job){.argv = copy_words(cli->arena, words, COUNT(words)), .text = str_from(text)};
    for (size_t i = 0; i < COUNT(files) && !job->file; i++)
        if (is_program(files[i]))
            job->file = files[i];
    if (!job->file) {
        complain("cannot find %s, which would run the text", files[0]);
        return EXIT_NO_COMMAND;
    }
    if (getenv("POSIXLY_CORRECT") || getenv("POSIX_PEDANTIC")) {
        complain("denied: with POSIXLY_CORRECT in the environment, bash would not read the text as "
                 "it was judged");
        return EXIT_DENIED;
    }
    return 0;
}

static int plan(struct cli *cli, struct job *job)
{
    const struct given *given = cli->args.given;
    const struct arguments *args = &cli->args;

    if (given->text && args->operands.count) {
        complain("give -c TEXT or -- COMMAND, not both");
        return usage_error(cli->command);
    }
    if (given->text)
        return plan_text(cli, given->text, job);
    if (args->operands.count == 0 || !args->dashes_first) {
        complain(args->operands.count
                     ? "write -- before the command: everything after it belongs to the command"
                     : "which command? give -- COMMAND or -c TEXT");
        return usage_error(cli->command);
    }
    return plan_words(cli, args->operands.items, args->operands.count, job);
}

/* ---- asking ---- */

static struct str make_call(struct cli *cli, const struct job *job)
{
    struct buf b = buf_in(cli->arena);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_key(&w, "tool");
    json_text(&w, STR("Bash"));
    json_key(&w, "input");
    json_begin_object(&w);
    json_key(&w, "command");
    json_text(&w, job->text);
    json_end_object(&w);
    if (cli->args.session) {
        json_key(&w, "session");
        json_text(&w, str_from(cli->args.session));
    }
    json_end_object(&w);
    return buf_str(&b);
}

static int put(struct cli *cli, warder_engine *engine, struct job *job, warder_decision **out)
{
    const struct given *given = cli->args.given;
    warder_asking asking = WARDER_ASKING_INIT;
    struct str call = make_call(cli, job);
    warder_error err = {0};

    asking.client = "run";
    asking.terminal = !cli->args.headless;
    asking.lines = given->lines;
    if (warder_check_json(engine, call.s, call.len, out, &err) != WARDER_OK ||
        warder_resolve(engine, *out, &asking, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    return 0;
}

static int refuse(struct cli *cli, warder_decision *d)
{
    if (cli->args.json) {
        const char *json = warder_decision_json(d);
        fprintf(stderr, "%s\n", json ? json : "{\"behavior\":\"deny\"}");
        return EXIT_DENIED;
    }
    if (strcmp(warder_decision_layer(d), "prompt") == 0) {
        if (!isatty(STDERR_FILENO)) /* the prompt has said so at the terminal */
            complain("denied by you");
        return EXIT_DENIED;
    }
    const char *reason = warder_decision_reason(d), *message = warder_decision_message(d);
    complain("denied: %s", strstr(message, reason) ? message : reason);
    if (!strstr(reason, message) && !strstr(message, reason))
        complain("%s", message);
    for (size_t i = 0; i < warder_decision_suggestion_count(d); i++)
        complain("%s %s", i ? "or" : "to allow it:", warder_decision_suggestion(d, i));
    return EXIT_DENIED;
}

/* A hook or an asker gave it another input: a text, whatever we were given. Fields that we would
 * not heed are more than we can do. */
static int take_input(struct cli *cli, const char *json, struct job *job)
{
    struct value input;

    if (json_read(cli->arena, str_from(json), NULL, &input, NULL) != STATUS_OK ||
        input.kind != VALUE_OBJECT)
        return EX_SOFTWARE;
    struct str command = value_text(&input, "command");
    for (size_t i = 0; i < input.count; i++)
        if (!str_is(input.members[i].key, "command") &&
            !str_is(input.members[i].key, "description"))
            command = (struct str){0};
    if (command.len == 0 || str_has(command, '\0')) {
        complain("denied: the input was rewritten to something that cannot be run as a command");
        return EXIT_DENIED;
    }
    complain("the command was rewritten: %s", command.s);
    return plan_text(cli, command.s, job);
}

/* ---- the sandbox ---- */

static int plan_sandbox(warder_engine *engine, struct job *job)
{
    warder_report *plan = cell_plan(engine, job->file, job->argv);

    job->plan = plan ? cell_keep(plan) : -1;
    warder_report_free(plan);
    return job->plan < 0 ? EXIT_NOT_CONTAINED : 0;
}

static int decide(struct cli *cli, struct job *job)
{
    const struct given *given = cli->args.given;
    warder_engine *engine = NULL;
    warder_decision *d = NULL;
    int code = engine_open(cli, &engine);

    if (!code)
        code = put(cli, engine, job, &d);
    if (!code && warder_decision_behavior(d) != WARDER_ALLOW)
        code = refuse(cli, d);
    if (!code && warder_decision_updated_input(d))
        code = take_input(cli, warder_decision_updated_input(d), job);
    if (!code && cli->args.auto_allow && strncmp(warder_decision_reason(d), "DANGEROUS", 9) == 0)
        complain("%s", warder_decision_reason(d));
    if (!code && given->sandbox)
        code = plan_sandbox(engine, job);
    warder_decision_free(d);
    warder_engine_free(engine);
    return code;
}

/* ---- running ---- */

static int become(const struct cli *cli, const struct job *job)
{
    output_hand_over();
    if (job->plan)
        return cell_enter(cli->environment, job->plan);
    execve(job->file, job->argv, cli->environment);
    int failed = errno;
    complain("cannot run %s: %s", job->file, strerror(failed));
    return failed == ENOENT ? EXIT_NO_COMMAND : EXIT_DENIED;
}

static int run_run(struct cli *cli)
{
    struct job job = {0};
    int code = plan(cli, &job);

    if (code)
        return code;
    if (!utf8_valid(job.text)) {
        complain("denied: the command is not UTF-8 and cannot be judged");
        return EXIT_DENIED;
    }
    code = decide(cli, &job);
    return code ? code : job.file ? become(cli, &job) : EX_SOFTWARE;
}

static const struct option run_options[] = {
    OPT_TEXT("-c", "TEXT", OWN(text), "a shell text, instead of COMMAND; bash runs it"),
    OPT_TEXT("--session", "ID", SHARED(session), "remember approvals and denials in this session"),
    OPT_FLAG("--auto-allow", SHARED(auto_allow), "DANGEROUS: allow instead of ask"),
    OPT_FLAG("--sandbox", OWN(sandbox),
             "run it in a sandbox: it can write only in the project and /tmp, sees no secrets and "
             "has no network"),
    OPT_FLAG("--headless", SHARED(headless), "do not ask at the terminal"),
    OPT_FLAG("--answers", OWN(lines),
             "without a terminal, the first character of a line of standard input answers"),
    {0},
};

const struct command command_run = {
    .name = "run",
    .operands = "-- COMMAND [ARG ...] | -c TEXT",
    .summary = "decide, ask if needed, and then run a command or a shell text",
    .operands_max = SIZE_MAX,
    .tables = {run_options, profile_options, mode_options, given_rule_options, home_options,
               project_options, common_options},
    .run = run_run,
    .exits = "those of the command; 125 no sandbox, 126 denied, or it cannot be run, 127 "
             "no such command",
    .more =
        "A COMMAND runs without a shell, with exactly these words. Only a refusal is printed, to "
        "standard error.",
    .records = true,
};
