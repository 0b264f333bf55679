/* learn_transcript.c - calls and their answers, as files have them: our own lines, and what Claude
 * Code and Codex write about their sessions.
 *
 * A transcript is the client's diary, not a record of answers. Believed is: that a person rejected
 * a call, where the client says so; and that one was let through, where the client ran it in a mode
 * in which it asks. Codex asks only about commands that it would not run by itself, so there only
 * those count which asked to leave the sandbox, or a policy that trusts nothing. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/file.h"
#include "report/learn.h"

/* A call that has no result yet. */
struct waiting {
    struct str id, tool, cwd, session, mode, time;
    struct str input; /* as JSON */
    bool asked;
};
struct waitings LIST_OF(struct waiting);

struct reader {
    warder_learning *learning;
    struct arena *arena, *scratch; /* of the learning, and of one line */
    void (*read)(struct reader *r, const struct value *line);
    struct str line;
    struct str session, cwd, mode;
    struct str project; /* where the session began */
    struct waitings waiting;
    size_t bad;
    const char *wrong; /* with a line of our own; NULL: nothing */
};

static struct str keep(struct reader *r, struct str text)
{
    return str_copy(r->arena, text);
}

/* As `learn --jsonl` takes it. A mode that we do not have is left out: the call is judged in ours.
 */
static void give(struct reader *r, const struct waiting *w, struct str project, const char *answer)
{
    struct buf b = buf_in(r->scratch);
    struct json_writer json = json_to(&b);
    enum mode mode;

    json_begin_object(&json);
    json_text_member(&json, "tool", w->tool);
    json_key(&json, "input");
    json_raw(&json, w->input);
    /* a directory that cannot be one must not hide a rejection */
    if (str_starts(w->cwd, STR("/")) || strcmp(answer, "reject") != 0)
        json_text_member_if(&json, "cwd", w->cwd);
    if (str_starts(project, STR("/")) || strcmp(answer, "reject") != 0)
        json_text_member_if(&json, "project", project);
    json_text_member_if(&json, "session", w->session);
    json_text_member_if(&json, "id", w->id);
    json_text_member_if(&json, "at", w->time);
    if (mode_parse(w->mode, &mode) && mode != MODE_AUTO && mode != MODE_BUBBLE)
        json_text_member(&json, "mode", str_from(mode_name(mode)));
    json_text_member_if(&json, "answer", str_from(answer));
    json_end_object(&json);
    learn_take(r->learning, r->scratch, buf_str(&b));
}

/* ---- our own lines ---- */

/* In a mode in which no one is asked, what ran says nothing; a no is a no. */
static bool asks(struct str mode)
{
    enum mode m;

    if (str_starts(mode, STR("never"))) /* Codex: its approval_policy */
        return false;
    return !mode_parse(mode, &m) || m == MODE_DEFAULT || m == MODE_ACCEPT_EDITS || m == MODE_PLAN;
}

static struct str as_json(struct reader *r, const struct value *v)
{
    struct buf b = buf_in(r->arena);

    json_value(&b, v);
    return buf_str(&b);
}

/* What cannot be read may have been a rejection. */
static const char *wrong_with(const struct value *line, const struct value *input,
                              const struct value *answer)
{
    if (line->kind != VALUE_OBJECT)
        return "a line must be an object";
    if (value_get(line, "decision") || value_get(line, "kind"))
        return NULL;
    if (!value_text(line, "tool").len || !input || input->kind != VALUE_OBJECT)
        return "a call needs a tool and an input";
    if (answer && answer->kind != VALUE_NULL && !str_is(answer->text, "accept") &&
        !str_is(answer->text, "reject"))
        return "an answer is accept or reject";
    return NULL;
}

static void read_own(struct reader *r, const struct value *line)
{
    const struct value *input = value_get(line, "input");
    const struct value *said = value_get(line, "answer");
    struct str answer = value_text(line, "answer");

    r->wrong = wrong_with(line, input, said);
    if (r->wrong)
        return;
    if (value_get(line, "decision")) { /* of a log, where a person's answer is one */
        learn_take(r->learning, r->scratch, r->line);
        return;
    }
    const struct waiting w = {.id = value_text(line, "id"),
                              .tool = value_text(line, "tool"),
                              .cwd = value_text(line, "cwd"),
                              .session = value_text(line, "session"),
                              .mode = value_text(line, "mode"),
                              .time = value_text(line, "at"),
                              .input = input ? as_json(r, input) : STR("null")};
    bool accepted = str_is(answer, "accept") && asks(w.mode);

    give(r, &w, value_text(line, "project"),
         str_is(answer, "reject") ? "reject"
         : accepted               ? "accept"
                                  : "");
}

/* ---- calls and their results ---- */

static void wait_for(struct reader *r, struct waiting w)
{
    if (w.id.len)
        LIST_PUSH(r->arena, &r->waiting, w);
}

static void settle(struct reader *r, struct str id, bool rejected)
{
    for (size_t i = r->waiting.count; id.len && i-- > 0;) {
        const struct waiting w = r->waiting.items[i];
        if (!str_eq(w.id, id))
            continue;
        r->waiting.items[i] = r->waiting.items[--r->waiting.count];
        give(r, &w, r->project, rejected ? "reject" : w.asked ? "accept" : "");
        return;
    }
}

/* ---- Claude Code: ~/.claude/projects/DIRECTORY/SESSION.jsonl ---- */

static void claude_use(struct reader *r, const struct value *line, const struct value *part)
{
    const struct value *input = value_get(part, "input");

    if (!input || input->kind != VALUE_OBJECT)
        return;
    wait_for(r, (struct waiting){.id = keep(r, value_text(part, "id")),
                                 .tool = keep(r, value_text(part, "name")),
                                 .cwd = keep(r, value_text(line, "cwd")),
                                 .session = keep(r, value_text(line, "sessionId")),
                                 .mode = r->mode,
                                 .time = keep(r, value_text(line, "timestamp")),
                                 .input = as_json(r, input),
                                 .asked = r->mode.len && asks(r->mode)});
}

/* The text of a result: a string, or a list of parts. */
static bool text_contains(const struct value *v, struct str sentence)
{
    if (!v)
        return false;
    if (v->kind == VALUE_STRING)
        return str_contains(v->text, sentence);
    for (size_t i = 0; v->kind == VALUE_ARRAY && i < v->count; i++)
        if (str_contains(value_text(&v->items[i], "text"), sentence))
            return true;
    return false;
}

/* One sentence for a person's no, whose words after it differ; one for a key that stopped it; hooks
 * and rules of the client have their own. All of them are a no. */
static bool claude_refused(const struct value *line, const struct value *part)
{
    static const char *const sentences[] = {
        "The user doesn't want to proceed with this tool use",
        "The user doesn't want to take this action right now",
        "Permission to use ",
        "requested permissions to ",
    };
    const struct value *error = value_get(part, "is_error");

    if (str_starts(value_text(line, "toolUseResult"), STR("User rejected tool use")) ||
        value_text(line, "toolDenialKind").len)
        return true;
    for (size_t i = 0; error && error->boolean && i < COUNT(sentences); i++)
        if (text_contains(value_get(part, "content"), str_from(sentences[i])))
            return true;
    return false;
}

static void read_claude(struct reader *r, const struct value *line)
{
    const struct value *parts = value_get(value_get(line, "message"), "content");
    struct str type = value_text(line, "type"), mode = value_text(line, "permissionMode");

    if (mode.len)
        r->mode = keep(r, mode);
    if (!r->project.len)
        r->project = keep(r, value_text(line, "cwd"));
    for (size_t i = 0; parts && parts->kind == VALUE_ARRAY && i < parts->count; i++) {
        const struct value *part = &parts->items[i];
        struct str kind = value_text(part, "type");
        if (str_is(type, "assistant") && str_is(kind, "tool_use"))
            claude_use(r, line, part);
        else if (str_is(type, "user") && str_is(kind, "tool_result"))
            settle(r, value_text(part, "tool_use_id"), claude_refused(line, part));
    }
}

/* ---- Codex: ~/.codex/sessions/YYYY/MM/DD/rollout-TIME-SESSION.jsonl ---- */

static void codex_context(struct reader *r, const struct value *payload)
{
    if (value_text(payload, "cwd").len)
        r->cwd = keep(r, value_text(payload, "cwd"));
    if (!r->project.len)
        r->project = r->cwd;
    if (value_text(payload, "approval_policy").len)
        r->mode = keep(r, value_text(payload, "approval_policy"));
}

static bool codex_asked(const struct reader *r, const struct value *arguments)
{
    const struct value *escalated = value_get(arguments, "with_escalated_permissions");

    if (str_is(r->mode, "untrusted"))
        return true;
    return str_is(r->mode, "on-request") &&
           ((escalated && escalated->boolean) ||
            str_is(value_text(arguments, "sandbox_permissions"), "require_escalated"));
}

/* {"command": ["bash", "-lc", "x"]}, {"command": "x"}, {"cmd": "x"}: as Bash has it. */
static struct str codex_input(struct reader *r, const struct value *arguments)
{
    const struct value *command = value_get(arguments, "command");
    struct buf b = buf_in(r->arena);
    struct json_writer w = json_to(&b);

    if (!command)
        command = value_get(arguments, "cmd");
    if (!command || (command->kind != VALUE_STRING && command->kind != VALUE_ARRAY))
        return (struct str){0};
    json_begin_object(&w);
    json_key(&w, "command");
    json_any(&w, command);
    json_end_object(&w);
    return buf_str(&b);
}

static void codex_call(struct reader *r, const struct value *line, const struct value *payload)
{
    static const char *const shells[] = {"shell", "exec_command", "shell_command", "container.exec",
                                         "local_shell"};
    struct value arguments = {0};
    struct str name = value_text(payload, "name");

    if (!STR_IN(name, shells) || json_read(r->scratch, value_text(payload, "arguments"), NULL,
                                           &arguments, NULL) != STATUS_OK)
        return;
    struct str workdir = value_text(&arguments, "workdir"), input = codex_input(r, &arguments);
    if (input.len)
        wait_for(r, (struct waiting){.id = keep(r, value_text(payload, "call_id")),
                                     .tool = STR("Bash"),
                                     .cwd = workdir.len ? keep(r, workdir) : r->cwd,
                                     .session = r->session,
                                     .time = keep(r, value_text(line, "timestamp")),
                                     .input = input,
                                     .asked = codex_asked(r, &arguments)});
}

static bool codex_refused(const struct value *output)
{
    static const struct str no = {"rejected by user", 16};

    return text_contains(output, no) || text_contains(value_get(output, "content"), no);
}

static void read_codex(struct reader *r, const struct value *line)
{
    const struct value *payload = value_get(line, "payload");
    struct str type = value_text(line, "type"), kind = value_text(payload, "type");

    if (str_is(type, "session_meta"))
        r->session = keep(r, value_text(payload, "id"));
    if (str_is(type, "session_meta") || str_is(type, "turn_context"))
        codex_context(r, payload);
    else if (str_is(type, "response_item") && str_is(kind, "function_call"))
        codex_call(r, line, payload);
    else if (str_is(type, "response_item") && str_is(kind, "function_call_output"))
        settle(r, value_text(payload, "call_id"), codex_refused(value_get(payload, "output")));
}

/* ---- lines ---- */

static const struct {
    const char *name;
    void (*read)(struct reader *r, const struct value *line);
} formats[] = {{"jsonl", read_own}, {"claude", read_claude}, {"codex", read_codex}};

static struct reader *reader_new(warder_learning *l, const char *format)
{
    for (size_t i = 0; i < COUNT(formats); i++)
        if (strcmp(formats[i].name, format) == 0) {
            struct reader *r = ARENA_NEW(&l->arena, struct reader);
            r->learning = l;
            r->arena = &l->arena;
            r->scratch = &l->scratch;
            r->read = formats[i].read;
            return r;
        }
    return NULL;
}

struct line_job {
    struct reader *reader;
    struct error *err;
    bool bad;
};

static void read_line(void *arg)
{
    struct line_job *job = arg;
    struct value line;

    job->bad =
        json_read(job->reader->scratch, job->reader->line, NULL, &line, job->err) != STATUS_OK;
    job->reader->wrong = NULL;
    if (!job->bad)
        job->reader->read(job->reader, &line);
    if (job->reader->wrong)
        job->bad = fail(job->err, STATUS_SYNTAX, "%s", job->reader->wrong) != STATUS_OK;
}

static void try_line(void *arg)
{
    struct line_job *job = arg;

    if (!arena_try(job->reader->scratch, read_line, job))
        job->bad = true;
}

/* False: no memory. A line that is not JSON is counted; of our own lines it is an error, because it
 * may have been a rejection. */
static bool take_line(struct reader *r, struct str line, struct error *err)
{
    struct line_job job = {.reader = r, .err = err};

    r->line = str_trim(line);
    arena_reset(r->scratch);
    if (r->line.len && !arena_try(r->arena, try_line, &job))
        return false;
    r->bad += job.bad;
    r->learning->unread += job.bad;
    return true;
}

/* ---- files ---- */

#define FILES_MAX 100000

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static const char *format_of(struct str line)
{
    return str_contains(line, STR("\"payload\""))  ? "codex"
           : str_contains(line, STR("\"answer\"")) ? "jsonl"
                                                   : "claude";
}

struct reader_job {
    warder_learning *learning;
    const char *format;
    struct reader *reader;
};

static void make_reader(void *arg)
{
    struct reader_job *job = arg;

    job->reader = reader_new(job->learning, job->format);
}

static warder_status bad_line(const char *name, size_t number, const struct error *why,
                              warder_error *err)
{
    struct error inner;

    fail(&inner, STATUS_SYNTAX, "%.120s:%zu: %.90s", name, number, why->message);
    return error_out(err, &inner);
}

/* The first line says what it is. */
static bool open_reader(struct reader_job *job, struct str line)
{
    if (!job->format)
        job->format = format_of(line);
    return job->reader || (arena_try(&job->learning->arena, make_reader, job) && job->reader);
}

static warder_status take_numbered(struct reader_job *job, const char *name, struct str line,
                                   size_t number, warder_error *err)
{
    struct error why = {0};

    if (!open_reader(job, line) || !take_line(job->reader, line, &why))
        return give_no_memory(err);
    return job->reader->bad && job->reader->read == read_own ? bad_line(name, number, &why, err)
                                                             : WARDER_OK;
}

static warder_status read_stream(warder_learning *l, const char *name, const char *format,
                                 FILE *stream, warder_error *err)
{
    struct reader_job job = {.learning = l, .format = format};
    warder_status status = WARDER_OK;
    size_t room = 0, number = 0;
    char *line = NULL;
    ssize_t len;

    while (status == WARDER_OK && (len = getline(&line, &room, stream)) >= 0)
        status = take_numbered(&job, name, (struct str){line, (size_t)len}, ++number, err);
    free(line);
    return status;
}

/* What others can write is no evidence. */
static enum status open_own(const char *path, int *out, struct error *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (fd < 0)
        return fail(err, STATUS_IO, "cannot open %.150s: %s", path, strerror(errno));
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_uid == geteuid() || st.st_uid == 0) &&
        !(st.st_mode & S_IWOTH) &&
        (!(st.st_mode & S_IWGRP) || file_group_is_private(st.st_uid, st.st_gid))) {
        *out = fd;
        return STATUS_OK;
    }
    close(fd);
    return fail(err, STATUS_UNSAFE, "%.150s is not a file that only its owner can write", path);
}

static warder_status read_path(warder_learning *l, const char *path, const char *format,
                               warder_error *err)
{
    struct error inner;
    int fd = -1;

    if (open_own(path, &fd, &inner) != STATUS_OK)
        return error_out(err, &inner);
    FILE *stream = fdopen(fd, "r");
    if (!stream) {
        close(fd);
        return give_no_memory(err);
    }
    warder_status status = read_stream(l, path, format, stream, err);
    (void)fclose(stream);
    return status;
}

/* Files below a directory, in the order of their names; links are not followed. */
static warder_status read_below(warder_learning *l, const char *directory, warder_error *err)
{
    char *root = strdup(directory), *const roots[] = {root, NULL};
    warder_status status = WARDER_OK;
    struct error inner;
    size_t count = 0;
    FTS *tree = root ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name) : NULL;

    free(root);
    if (!tree)
        return give_no_memory(err);
    for (FTSENT *entry; status == WARDER_OK && (entry = fts_read(tree));) {
        if (entry->fts_info != FTS_F || !str_ends(str_from(entry->fts_name), STR(".jsonl")))
            continue;
        if (++count > FILES_MAX) {
            fail(&inner, STATUS_LIMIT, "more than %d files below %.150s", FILES_MAX, directory);
            status = error_out(err, &inner);
        } else {
            status = read_path(l, entry->fts_path, NULL, err);
        }
    }
    fts_close(tree);
    if (status == WARDER_OK && !count) {
        fail(&inner, STATUS_IO, "no transcripts below %.150s", directory);
        status = error_out(err, &inner);
    }
    return status;
}

static const struct {
    const char *client, *directory;
} homes[] = {{"claude", ".claude/projects"}, {"codex", ".codex/sessions"}};

warder_status warder_learning_take_transcripts(warder_learning *l, const char *what,
                                               warder_error *err)
{
    char path[PATH_MAX];
    struct stat st;

    if (!l || !what)
        return give_usage(err, "missing argument: learning, client or file");
    for (size_t i = 0; i < COUNT(homes); i++)
        if (strcmp(what, homes[i].client) == 0) {
            snprintf(path, sizeof(path), "%.*s/%s", STR_ARG(l->engine->home), homes[i].directory);
            return read_below(l, path, err);
        }
    if (lstat(what, &st) == 0 && S_ISDIR(st.st_mode))
        return read_below(l, what, err);
    return read_path(l, what, NULL, err);
}

warder_status warder_learning_record(warder_learning *l, const char *json, size_t len,
                                     warder_error *err)
{
    struct error why = {0};

    if (!l || !json)
        return give_usage(err, "missing argument: learning or record");
    struct reader_job job = {.learning = l, .format = "jsonl", .reader = l->own};
    if (!open_reader(&job, (struct str){json, len}))
        return give_no_memory(err);
    l->own = job.reader;
    l->own->bad = 0;
    if (!take_line(l->own, (struct str){json, len}, &why))
        return give_no_memory(err);
    return l->own->bad ? error_out(err, &why) : WARDER_OK;
}
