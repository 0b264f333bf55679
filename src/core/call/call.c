#include "call/call.h"

#include <stddef.h>

#include "base/json.h"
#include "base/list.h"
#include "base/nearest.h"
#include "base/path.h"

/* What to do with a field of a call. KNOWN fields are accepted and ignored: hooks and harnesses
 * send them along. */
enum take {
    KNOWN,
    TEXT,
    NAME,
    INPUT,
    ANNOTATIONS,
    CWD_UNKNOWN,
    SUBAGENT,
    CONTEXT,
    NO_REVIEW,
    WAIT
};

#define TO(take, member) (take), offsetof(struct call, member)

static const struct field {
    struct str name;
    enum take take;
    size_t to; /* where a TEXT or a NAME is stored */
} fields[] = {
    {STR("tool"), TO(TEXT, tool)}, /* the usual fields first: the search is linear */
    {STR("input"), INPUT},
    {STR("cwd"), TO(TEXT, cwd)},
    {STR("project"), TO(TEXT, project)},
    {STR("tool_name"), TO(TEXT, tool)},
    {STR("tool_input"), INPUT},
    {STR("cwd_unknown"), CWD_UNKNOWN},
    {STR("doubt"), TO(TEXT, doubt)},
    {STR("session"), TO(TEXT, session)},
    {STR("session_id"), TO(TEXT, session)},
    {STR("mode"), TO(TEXT, mode)},
    {STR("permission_mode"), TO(TEXT, mode)},
    {STR("tool_use_id"), TO(TEXT, tool_use_id)},
    {STR("annotations"), ANNOTATIONS},
    {STR("plan_file"), TO(TEXT, plan_file)},
    {STR("agent"), KNOWN},
    {STR("agent_id"), KNOWN},
    {STR("agent_type"), KNOWN},
    {STR("client"), TO(NAME, client)},
    {STR("tier"), TO(TEXT, tier)},
    {STR("comment"), KNOWN},
    {STR("context"), CONTEXT},
    {STR("effort"), KNOWN},
    {STR("hook_event_name"), KNOWN},
    {STR("id"), KNOWN},
    {STR("mcp_server"), KNOWN},
    {STR("model"), KNOWN},
    {STR("note"), KNOWN},
    {STR("outcome"), KNOWN},
    {STR("project_id"), TO(NAME, project_id)},
    {STR("prompt_id"), KNOWN},
    {STR("review"), NO_REVIEW},
    {STR("review_id"), TO(TEXT, review_id)},
    {STR("seq"), KNOWN},
    {STR("source"), KNOWN},
    {STR("subagent"), SUBAGENT},
    {STR("task_id"), TO(NAME, task_id)},
    {STR("timestamp"), KNOWN},
    {STR("transcript_path"), KNOWN},
    {STR("turn_id"), KNOWN},
    {STR("wait"), WAIT},
    {STR("worker_id"), TO(NAME, worker_id)},
};

static const struct value empty_object = {.kind = VALUE_OBJECT};

static const struct field *known_field(struct str name)
{
    for (size_t i = 0; name.len && i < COUNT(fields); i++)
        if (fields[i].name.len == name.len && fields[i].name.s[0] == name.s[0] &&
            str_eq(name, fields[i].name))
            return &fields[i];
    return NULL;
}

static enum status take_text(const struct member *m, struct str *out, struct error *err)
{
    if (m->value.kind == VALUE_NULL)
        return STATUS_OK;
    if (m->value.kind != VALUE_STRING)
        return fail_at(err, STATUS_SYNTAX, m->value.line, m->value.column,
                       "\"%s\" must be a string, not %s", m->key.s, value_kind_name(m->value.kind));
    /* Two spellings of one field ("tool" and "tool_name") must agree: a client that reads the other
     * one would run a different call. */
    if (out->len && !str_eq(*out, m->value.text))
        return fail_at(err, STATUS_SYNTAX, m->line, m->column,
                       "\"%s\" contradicts an earlier field", m->key.s);
    *out = m->value.text;
    return STATUS_OK;
}

/* A name that is only recorded. Harnesses send numbers too. */
static enum status take_name(const struct member *m, struct str *out)
{
    if (m->value.kind == VALUE_STRING || m->value.kind == VALUE_INTEGER)
        *out = m->value.text;
    return STATUS_OK;
}

static enum status take_flag(const struct value *annotations, const char *name, const char *hint,
                             bool *out, struct error *err)
{
    const struct value *v = value_get(annotations, name);

    if (!v)
        v = value_get(annotations, hint);
    if (!v || v->kind == VALUE_NULL)
        return STATUS_OK;
    if (v->kind != VALUE_BOOL)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "annotation \"%s\" must be true or false", name);
    *out = v->boolean;
    return STATUS_OK;
}

static enum status take_annotations(const struct member *m, struct call *out, struct error *err)
{
    enum status status;

    if (m->value.kind == VALUE_NULL)
        return STATUS_OK;
    if (m->value.kind != VALUE_OBJECT)
        return fail_at(err, STATUS_SYNTAX, m->value.line, m->value.column,
                       "\"annotations\" must be an object");
    if ((status = take_flag(&m->value, "readOnly", "readOnlyHint", &out->read_only, err)) !=
        STATUS_OK)
        return status;
    return take_flag(&m->value, "destructive", "destructiveHint", &out->destructive, err);
}

static enum status take_input(const struct member *m, struct call *out, struct error *err)
{
    if (m->value.kind != VALUE_OBJECT)
        return fail_at(err, STATUS_SYNTAX, m->value.line, m->value.column,
                       "\"%s\" must be an object, not %s", m->key.s,
                       value_kind_name(m->value.kind));
    if (out->input != &empty_object)
        return fail_at(err, STATUS_SYNTAX, m->line, m->column, "the input is given twice");
    out->input = &m->value;
    return STATUS_OK;
}

static enum status take_bool(const struct member *m, bool *out, struct error *err)
{
    if (m->value.kind != VALUE_BOOL)
        return fail_at(err, STATUS_SYNTAX, m->value.line, m->value.column,
                       "\"%s\" must be true or false", m->key.s);
    *out = m->value.boolean;
    return STATUS_OK;
}

static enum status take_subagent(const struct member *m, struct call *out, struct error *err)
{
    enum status status = take_bool(m, &out->subagent, err);

    out->main_agent = status == STATUS_OK && !out->subagent;
    return status;
}

/* Other programs use this field for their own data: ignore whatever is not text. */
static enum status take_context(const struct member *m, struct call *out)
{
    out->task_description = value_text(&m->value, "task_description");
    out->worktree_path = value_text(&m->value, "worktree_path");
    return STATUS_OK;
}

/* "review": false means that the caller itself will ask a person. */
static enum status take_no_review(const struct member *m, struct call *out, struct error *err)
{
    bool wanted = true;
    enum status status = take_bool(m, &wanted, err);

    out->no_review = !wanted;
    return status;
}

static enum status take_wait(const struct member *m, struct call *out, struct error *err)
{
    int64_t seconds;

    if (m->value.kind == VALUE_NULL)
        return STATUS_OK;
    if (m->value.kind != VALUE_INTEGER || m->value.text.s[0] == '-')
        return fail_at(err, STATUS_SYNTAX, m->value.line, m->value.column,
                       "\"wait\" must be whole seconds, not %s",
                       m->value.kind == VALUE_INTEGER ? "below 0" : value_kind_name(m->value.kind));
    if (!value_integer(&m->value, &seconds) || seconds > CALL_WAIT_MAX)
        seconds = CALL_WAIT_MAX;
    out->wait_ms = (uint32_t)seconds * 1000;
    return STATUS_OK;
}

/* The fields that few calls have, out of line. */
__attribute__((noinline)) static enum status
take_rare(const struct member *m, const struct field *field, struct call *out, struct error *err)
{
    switch (field->take) {
    case KNOWN:
    case TEXT:
    case INPUT:
        break;
    case NAME:
        return take_name(m, (struct str *)((char *)out + field->to));
    case ANNOTATIONS:
        return take_annotations(m, out, err);
    case CWD_UNKNOWN:
        return take_bool(m, &out->cwd_unknown, err);
    case SUBAGENT:
        return take_subagent(m, out, err);
    case CONTEXT:
        return take_context(m, out);
    case NO_REVIEW:
        return take_no_review(m, out, err);
    case WAIT:
        return take_wait(m, out, err);
    }
    return STATUS_OK;
}

static enum status take_field(const struct member *m, const struct field *field, struct call *out,
                              struct error *err)
{
    if (field->take == TEXT)
        return take_text(m, (struct str *)((char *)out + field->to), err);
    return field->take == INPUT ? take_input(m, out, err) : take_rare(m, field, out, err);
}

/* Makes a directory absolute; `otherwise` is used if the call gave none. */
static bool absolute(struct arena *a, struct str given, struct str otherwise, struct str home,
                     struct str *out)
{
    if (given.len == 0) {
        *out = otherwise;
        return path_is_absolute(otherwise);
    }
    if (memchr(given.s, '\0', given.len))
        return false;
    if (given.s[0] != '/')
        return given.s[0] == '~' && path_absolute(a, STR("/"), home, given, out);
    *out = path_cleaned(a, given);
    return true;
}

/* The agent's own settings: reading one is harmless, but setting one may change its permission
 * mode. */
static bool sets_something(const struct call *c)
{
    return c->row && str_is(c->row->name, "Config") && value_get(c->input, "value");
}

/* Fills in the defaults and what follows from the tool's name. */
static enum status finish(struct arena *a, const struct call_defaults *defaults, struct call *out,
                          struct error *err)
{
    if (out->tool.len == 0)
        return fail(err, STATUS_SYNTAX, "the call names no tool");
    if (memchr(out->tool.s, '\0', out->tool.len))
        return fail(err, STATUS_SYNTAX, "the tool name contains a NUL byte");
    if (!out->cwd.len && out->worktree_path.len && out->worktree_path.s[0] == '/')
        out->cwd = out->worktree_path;
    bool at_project = out->project.len && str_eq(out->project, out->cwd);
    if (!absolute(a, out->cwd, defaults->cwd, defaults->home, &out->cwd))
        return fail(err, STATUS_SYNTAX, "\"cwd\" must be an absolute path");
    if (at_project)
        out->project = out->cwd;
    else if (!absolute(a, out->project, defaults->project.len ? defaults->project : out->cwd,
                       defaults->home, &out->project))
        return fail(err, STATUS_SYNTAX, "\"project\" must be an absolute path");
    out->mode_given = out->mode.len > 0;
    if (!out->mode_given)
        out->mode = defaults->mode;
    if (out->plan_file.len == 0)
        out->plan_file = defaults->plan_file;
    if (out->session.len == 0 && defaults->session.len) {
        out->session = defaults->session;
        out->client = defaults->client;
    }

    out->row = tool_find(out->tool);
    out->kind = out->row ? out->row->kind : TOOL_OTHER;
    if (!out->row && tool_mcp_server(out->tool, &out->server))
        out->kind = TOOL_MCP;
    if (sets_something(out))
        out->kind = TOOL_OTHER;
    return STATUS_OK;
}

enum status call_read(struct arena *a, const struct value *object,
                      const struct call_defaults *defaults, struct call *out, struct error *err)
{
    *out = (struct call){.input = &empty_object};
    if (object->kind != VALUE_OBJECT)
        return fail_at(err, STATUS_SYNTAX, object->line, object->column,
                       "a call must be an object, not %s", value_kind_name(object->kind));
    for (size_t i = 0; i < object->count; i++) {
        const struct member *m = &object->members[i];
        const struct field *field = known_field(m->key);
        if (!field)
            return fail_at(err, STATUS_SYNTAX, m->line, m->column, "a call has no field \"%.60s\"",
                           m->key.s);
        enum status status = take_field(m, field, out, err);
        if (status != STATUS_OK)
            return status;
    }
    return finish(a, defaults, out, err);
}

enum status call_from_input(struct arena *a, struct str tool, const struct value *input,
                            const struct call_defaults *defaults, struct call *out,
                            struct error *err)
{
    *out = (struct call){.tool = tool, .input = input};
    if (input->kind != VALUE_OBJECT)
        return fail_at(err, STATUS_SYNTAX, input->line, input->column,
                       "the input must be an object, not %s", value_kind_name(input->kind));
    return finish(a, defaults, out, err);
}

static enum status refuse_tool(struct str tool, const struct tool *row, struct error *err)
{
    struct nearest n = nearest_to(tool);
    struct str shown = str_slice(tool, 0, 60);
    size_t count;
    const struct tool *rows = tool_rows(&count);

    if (row)
        return fail(err, STATUS_USAGE, "%.*s has no first argument: give its whole input as JSON",
                    STR_ARG(shown));
    for (size_t i = 0; i < count; i++)
        nearest_try(&n, rows[i].name);
    if (n.best.len)
        return fail(err, STATUS_USAGE, "unknown tool \"%.*s\"; did you mean %.*s?", STR_ARG(shown),
                    STR_ARG(n.best));
    return fail(err, STATUS_USAGE,
                "unknown tool \"%.*s\": give its whole input, or use Bash for a shell command",
                STR_ARG(shown));
}

enum status call_make(struct arena *a, struct str tool, struct str argument,
                      const struct call_defaults *defaults, struct call *out, struct error *err)
{
    const struct tool *row = tool_find(tool);
    struct str names = row ? row->first : STR(""), name;
    struct value *input = ARENA_NEW(a, struct value);

    input->kind = VALUE_OBJECT;
    if (!str_next_word(&names, &name))
        return refuse_tool(tool, row, err);
    input->count = 1;
    input->members = ARENA_NEW(a, struct member);
    input->members[0].key = str_copy(a, name);
    input->members[0].value = (struct value){.kind = VALUE_STRING, .text = str_copy(a, argument)};
    return call_from_input(a, tool, input, defaults, out, err);
}

struct str call_field_text(struct arena *a, const struct value *v)
{
    struct buf b = buf_in(a);

    if (v->kind == VALUE_STRING)
        return v->text;
    json_value(&b, v);
    return buf_str(&b);
}

static const struct member *first_member(const struct call *c)
{
    struct str names = c->row ? c->row->first : STR(""), name;

    while (str_next_word(&names, &name)) {
        const struct member *m = value_member(c->input, name);
        if (m)
            return m;
    }
    return NULL;
}

static bool join_words(struct arena *a, const struct value *list, struct str *command)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].kind != VALUE_STRING)
            return false;
        if (i)
            buf_byte(&b, ' ');
        buf_quoted(&b, list->items[i].text);
    }
    *command = buf_str(&b);
    return list->count > 0;
}

static bool command_of(struct arena *a, const struct value *v, struct str *command)
{
    if (v->kind == VALUE_ARRAY)
        return join_words(a, v, command);
    *command = v->text;
    return v->kind == VALUE_STRING;
}

bool call_first(struct arena *a, const struct call *c, struct str *field, struct str *value)
{
    const struct member *m = first_member(c);

    if (!m)
        return false;
    *field = m->key;
    if (c->kind == TOOL_SHELL)
        return command_of(a, &m->value, value);
    *value = call_field_text(a, &m->value);
    return true;
}

bool call_command(struct arena *a, const struct call *c, struct str *command)
{
    const struct member *m = first_member(c);

    return c->kind == TOOL_SHELL && m && command_of(a, &m->value, command);
}

/* JavaScript white space beyond ASCII. */
static const char *const blanks[] = {
    "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
    "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u2028",
    "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff",
};

static struct str without_blanks(struct str s)
{
    size_t before;

    do {
        before = s.len;
        s = str_trim(s);
        for (size_t i = 0; i < COUNT(blanks); i++) {
            struct str blank = str_from(blanks[i]);
            if (str_starts(s, blank))
                s = str_from_byte(s, blank.len);
            if (str_ends(s, blank))
                s = str_slice(s, 0, s.len - blank.len);
        }
    } while (s.len < before);
    return s;
}

struct str call_directory(struct arena *a, const struct call *c, struct str home)
{
    struct str names = c->kind == TOOL_SHELL ? c->row->paths : STR("workdir"), name, directory;
    struct str here = c->cwd_unknown ? (struct str){0} : c->cwd;

    /* most calls have only the command field: nothing to search */
    while (c->input->count > 1 && str_next_word(&names, &name)) {
        const struct member *m = value_member(c->input, name);
        if (!m || m->value.kind == VALUE_NULL ||
            (m->value.kind == VALUE_STRING && m->value.text.len == 0))
            continue;
        bool plain =
            m->value.kind == VALUE_STRING && str_eq(without_blanks(m->value.text), m->value.text);
        return plain && path_absolute(a, here, home, m->value.text, &directory) ? directory
                                                                                : (struct str){0};
    }
    return here;
}

/* Some clients trim a path and others do not: judge both readings. */
static void add_text(struct arena *a, struct str text, struct strs *out)
{
    struct str trimmed = without_blanks(text);

    LIST_PUSH(a, out, text);
    if (!str_eq(trimmed, text))
        LIST_PUSH(a, out, trimmed);
}

static void add_texts(struct arena *a, const struct value *v, struct strs *out)
{
    if (v->kind == VALUE_STRING)
        add_text(a, v->text, out);
    for (size_t i = 0; v->kind == VALUE_ARRAY && i < v->count; i++)
        add_texts(a, &v->items[i], out);
}

/* A patch names its files in header lines ("*** Update File: x", "+++ b/x"). */
static void add_patch_paths(struct arena *a, struct str patch, struct strs *out)
{
    static const char *const marks[] = {"*** Add File: ",
                                        "*** Update File: ",
                                        "*** Delete File: ",
                                        "*** Move to: ",
                                        "--- a/",
                                        "+++ b/",
                                        "--- ",
                                        "+++ "};
    struct str line;

    while (patch.len) {
        str_cut(patch, '\n', &line, &patch);
        line = str_trim(line); /* a client may be just as lenient */
        for (size_t i = 0; i < COUNT(marks); i++)
            if (str_starts(line, str_from(marks[i]))) {
                LIST_PUSH(a, out, str_trim(str_from_byte(line, strlen(marks[i]))));
                break;
            }
    }
}

static bool is_among(struct str names, struct str wanted)
{
    struct str name;

    while (str_next_word(&names, &name))
        if (str_eq(name, wanted))
            return true;
    return false;
}

/* A list of edits may name a file in each of them. */
static void add_inner_paths(struct arena *a, struct str names, const struct value *v,
                            struct strs *out)
{
    for (size_t i = 0; v->kind == VALUE_ARRAY && i < v->count; i++)
        add_inner_paths(a, names, &v->items[i], out);
    for (size_t i = 0; v->kind == VALUE_OBJECT && i < v->count; i++) {
        if (is_among(names, v->members[i].key))
            add_texts(a, &v->members[i].value, out);
        add_inner_paths(a, names, &v->members[i].value, out);
    }
}

void call_paths(struct arena *a, const struct call *c, struct strs *paths)
{
    const struct str all = c->row ? c->row->paths : STR("");
    struct str names = all, name, field, text;

    if (c->kind == TOOL_PATCH && call_first(a, c, &field, &text))
        add_patch_paths(a, text, paths);
    while (c->kind != TOOL_SHELL && str_next_word(&names, &name)) {
        const struct member *m = value_member(c->input, name);
        if (m)
            add_texts(a, &m->value, paths);
    }
    for (size_t i = 0; c->kind == TOOL_EDIT && i < c->input->count; i++)
        add_inner_paths(a, all, &c->input->members[i].value, paths);
}

/* The second of two fields in `names` whose values differ. */
static const struct member *second_value(struct arena *a, const struct call *c, struct str names)
{
    struct str name;
    const struct member *first = NULL;

    while (c->input->count > 1 && str_next_word(&names, &name)) {
        const struct member *m = value_member(c->input, name);
        if (!m || m->value.kind == VALUE_NULL)
            continue;
        if (first && !str_eq(call_field_text(a, &first->value), call_field_text(a, &m->value)))
            return m;
        first = m;
    }
    return NULL;
}

const struct member *call_contradiction(struct arena *a, const struct call *c)
{
    const struct member *m = NULL;

    if (c->input->count < 2)
        return NULL;
    switch (c->kind) {
    case TOOL_SHELL:
        m = second_value(a, c, c->row->first);
        return m ? m : second_value(a, c, c->row->paths);
    case TOOL_STDIN:
    case TOOL_READ:
    case TOOL_EDIT:
    case TOOL_PATCH:
        return second_value(a, c, c->row->first);
    case TOOL_SEARCH:
        return second_value(a, c, c->row->paths);
    case TOOL_OTHER:
    case TOOL_FETCH:
    case TOOL_QUERY:
    case TOOL_AGENT:
    case TOOL_PLAN_ENTER:
    case TOOL_PLAN_EXIT:
    case TOOL_QUESTION:
    case TOOL_NOTE:
    case TOOL_MCP:
        break;
    }
    return NULL;
}

bool call_knows_field(const struct call *c, struct str name)
{
    const struct tool *row = c->row;

    return row && (str_has_word(row->first, name) || str_has_word(row->paths, name) ||
                   str_has_word(row->others, name));
}

/* Is this a shell we know, in a system directory? Elsewhere a program called "bash" may be
 * anything. */
static bool is_usual_shell(const struct value *v)
{
    static const char *const places[] = {"/bin/", "/usr/bin/", "/usr/local/bin/",
                                         "/opt/homebrew/bin/"};
    struct str name = v->text;

    if (v->kind != VALUE_STRING)
        return v->kind == VALUE_NULL;
    for (size_t i = 0; i < COUNT(places); i++)
        if (str_starts(v->text, str_from(places[i])))
            name = str_from_byte(v->text, strlen(places[i]));
    return name.len == 0 || str_has_word(STR("bash dash sh zsh"), name);
}

const struct member *call_unknown_field(const struct call *c, size_t *at)
{
    for (; c->row && *at < c->input->count; ++*at) {
        const struct member *m = &c->input->members[*at];
        if (!call_knows_field(c, m->key) ||
            (c->kind == TOOL_SHELL && str_is(m->key, "shell") && !is_usual_shell(&m->value))) {
            ++*at;
            return m;
        }
    }
    return NULL;
}
