#include "report/recorded.h"

#include "base/json.h"
#include "call/tool.h"
#include "record/redact.h"

static const char without_call[] = "it was not a call";
static const char without_secrets[] = "its secrets are not in the record";
static const char without_rest[] = "only a part of it is in the record";
static const char without_input[] = "its input is not in the record";

/* ---- what is missing ---- */

/* As record/decision.c and redact_json() mark what they cut: "... (70000 bytes)". */
static bool is_cut(struct str text)
{
    size_t open = str_last_index(text, '(');

    return open != STR_NONE && str_ends(text, STR(" bytes)")) &&
           (open == 0 || str_ends(str_slice(text, 0, open), STR("... ")));
}

static const char *text_lacks(struct str text)
{
    return str_contains(text, STR(REDACTED)) ? without_secrets : is_cut(text) ? without_rest : NULL;
}

static const char *value_lacks(const struct value *v)
{
    const char *lacks = v->kind == VALUE_STRING ? text_lacks(v->text) : NULL;

    for (size_t i = 0; !lacks && v->kind == VALUE_ARRAY && i < v->count; i++)
        lacks = value_lacks(&v->items[i]);
    for (size_t i = 0; !lacks && v->kind == VALUE_OBJECT && i < v->count; i++) {
        lacks = text_lacks(v->members[i].key);
        if (!lacks)
            lacks = value_lacks(&v->members[i].value);
    }
    return lacks;
}

/* Any of the texts that the verdict may depend on. */
static const char *find_lack(const struct value *v, const struct value *input,
                             const struct recorded *r)
{
    static const char *const texts[] = {"command", "cwd", "project_id", "project", "worker_id"};
    const char *lacks = NULL;

    if (!r->tool.len)
        return without_call;
    for (size_t i = 0; !lacks && i < COUNT(texts); i++)
        lacks = text_lacks(value_text(v, texts[i]));
    if (!lacks && input)
        lacks = value_lacks(input);
    if (!lacks && !(input && input->kind == VALUE_OBJECT) && !r->shown.len)
        lacks = without_input;
    return lacks;
}

/* ---- the call ---- */

static bool first_field(struct str tool, struct str *out)
{
    const struct tool *row = tool_find(tool);
    struct str names = row ? row->first : (struct str){0};

    return str_next_word(&names, out);
}

static void write_argument(struct json_writer *w, struct str field, struct str argument)
{
    json_key(w, "input");
    json_begin_object(w);
    json_key_str(w, field);
    json_text(w, argument);
    json_end_object(w);
}

bool recorded_call(struct arena *a, struct str tool, struct str argument, struct str cwd,
                   struct str *out)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);
    struct str field;

    if (!first_field(tool, &field))
        return false;
    json_begin_object(&w);
    json_text_member(&w, "tool", tool);
    write_argument(&w, field, argument);
    json_text_member_if(&w, "cwd", cwd);
    json_end_object(&w);
    *out = buf_str(&b);
    return true;
}

/* A project is its directory, or what a worker calls it: then it is the directory of the call. */
static void write_place(struct json_writer *w, const struct recorded *r)
{
    bool named = r->project.len && r->project.s[0] != '/';

    json_text_member_if(w, "cwd", r->cwd);
    json_text_member_if(w, "project", named || !r->project.len ? r->cwd : r->project);
    if (named)
        json_text_member(w, "project_id", r->project);
}

static const char *write_call(struct arena *a, const struct value *v, const struct value *input,
                              struct recorded *r)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);
    struct str field;

    json_begin_object(&w);
    json_text_member(&w, "tool", r->tool);
    if (input && input->kind == VALUE_OBJECT) {
        json_key(&w, "input");
        json_any(&w, input);
    } else if (first_field(r->tool, &field)) {
        write_argument(&w, field, r->shown);
    } else {
        return without_input;
    }
    write_place(&w, r);
    json_text_member_if(&w, "mode", value_text(v, "mode"));
    json_text_member_if(&w, "worker_id", value_text(v, "worker_id"));
    json_text_member_if(&w, "client", r->client);
    json_end_object(&w);
    r->call = buf_str(&b);
    return NULL;
}

struct str recorded_in_session(struct arena *a, const struct recorded *r)
{
    struct buf b = buf_in(a);

    buf_add(&b, str_slice(r->call, 0, r->call.len - 1)); /* without its brace */
    buf_text(&b, ",\"session\":");
    json_string(&b, r->session);
    buf_byte(&b, '}');
    return buf_str(&b);
}

/* ---- the record ---- */

static const struct {
    const char *name;
    enum behavior was;
    enum recorded_answer answer;
} decisions[] = {
    {"auto-accept", BEHAVIOR_ALLOW, ANSWER_NONE},  {"auto-deny", BEHAVIOR_DENY, ANSWER_NONE},
    {"human-accept", BEHAVIOR_ASK, ANSWER_ACCEPT}, {"human-deny", BEHAVIOR_ASK, ANSWER_REJECT},
    {"timeout-deny", BEHAVIOR_ASK, ANSWER_NONE},   {"ask", BEHAVIOR_ASK, ANSWER_NONE},
};

static void read_decision(const struct value *v, struct recorded *r)
{
    struct str decision = value_text(v, "decision"), answer = value_text(v, "answer");

    for (size_t i = 0; i < COUNT(decisions); i++)
        if (str_is(decision, decisions[i].name)) {
            r->decided = true;
            r->was = decisions[i].was;
            r->answer = decisions[i].answer;
        }
    if (str_is(answer, "accept"))
        r->answer = ANSWER_ACCEPT;
    if (str_is(answer, "reject"))
        r->answer = ANSWER_REJECT;
}

static struct str either(const struct value *v, const char *key, const char *other)
{
    struct str text = value_text(v, key);

    return text.len ? text : value_text(v, other);
}

/* The first argument of an input, where the record has no command. */
static struct str first_of(const struct value *input, struct str tool)
{
    const struct tool *row = tool_find(tool);
    struct str names = row ? row->first : (struct str){0}, name;

    while (input && str_next_word(&names, &name))
        for (size_t i = 0; input->kind == VALUE_OBJECT && i < input->count; i++)
            if (str_eq(input->members[i].key, name))
                return input->members[i].value.text;
    return (struct str){0};
}

bool recorded_read(struct arena *a, struct str line, struct recorded *out)
{
    struct value *v = ARENA_NEW(a, struct value);

    *out = (struct recorded){0};
    if (json_read(a, line, NULL, v, NULL) != STATUS_OK || v->kind != VALUE_OBJECT)
        return false;
    struct str kind = value_text(v, "kind");
    if (kind.len && !str_is(kind, "decision"))
        return false;
    const struct value *input =
        value_get(v, "input") ? value_get(v, "input") : value_get(v, "tool_input");
    out->id = value_text(v, "id");
    out->at = either(v, "timestamp", "at");
    out->session = either(v, "session_id", "session");
    out->client = value_text(v, "client");
    out->tool = either(v, "tool", "tool_name");
    out->shown = value_text(v, "command");
    if (!out->shown.len)
        out->shown = first_of(input, out->tool);
    out->cwd = value_text(v, "cwd");
    out->project = either(v, "project_id", "project");
    out->policy = value_text(v, "policy");
    out->layer = value_text(v, "layer");
    out->rule = value_text(v, "matched_rule_id");
    read_decision(v, out);
    out->lacks = find_lack(v, input, out);
    if (!out->lacks)
        out->lacks = write_call(a, v, input, out);
    return true;
}
