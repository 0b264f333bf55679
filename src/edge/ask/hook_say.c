#include "ask/hook_say.h"

#include "base/json.h"

#define EXIT_BLOCK     2
#define EXIT_NOT_RUN   126 /* exit code of a shell for a program that it cannot run ... */
#define EXIT_NOT_FOUND 127 /* ... or not find */

/* The hook is named by its place and not by its command line, because the model sees the reason. */
static struct str place(struct arena *a, const struct hook *hook)
{
    return str_format(a, "the %s hook at %.*s:%u", hook_event_name(hook->event),
                      STR_ARG(hook->file), hook->line);
}

static void decide_for(struct arena *a, const struct hook *hook, enum behavior behavior,
                       const char *what, struct hook_word *out)
{
    struct str where = place(a, hook);

    out->failed = true;
    out->answer = (struct answer){.given = true,
                                  .decided = true,
                                  .behavior = behavior,
                                  .reason = str_format(a, "%.*s %s", STR_ARG(where), what)};
}

void hook_failed(struct arena *a, const struct hook *hook, const char *why, struct hook_word *out)
{
    decide_for(a, hook, BEHAVIOR_DENY, why, out);
}

/* ---- JSON ---- */

/* The output while it is read. Reading ends at the first invalid value. */
struct hook_output {
    struct arena *arena;
    const struct hook *hook;
    struct answer *answer;
    const char *nonsense;
};

static void refuse(struct hook_output *h, const char *what)
{
    if (!h->nonsense)
        h->nonsense = what;
}

static struct str text_of(struct hook_output *h, const struct value *object, const char *key)
{
    const struct value *v = value_get(object, key);

    if (v && v->kind != VALUE_STRING && v->kind != VALUE_NULL)
        refuse(h, "gave something other than a string where a string is required");
    return str_copy(h->arena, str_slice(value_text(object, key), 0, HOOK_TEXT_MAX));
}

/* Of two decisions in one answer the stricter counts. */
static void choose(struct hook_output *h, enum behavior behavior, struct str reason)
{
    if (h->answer->decided && h->answer->behavior <= behavior)
        return;
    h->answer->decided = true;
    h->answer->behavior = behavior;
    if (reason.len)
        h->answer->reason = reason;
}

static const struct {
    const char *word;
    enum behavior behavior;
} decisions[] = {
    {"allow", BEHAVIOR_ALLOW}, {"approve", BEHAVIOR_ALLOW}, {"deny", BEHAVIOR_DENY},
    {"block", BEHAVIOR_DENY},  {"ask", BEHAVIOR_ASK},       {"defer", BEHAVIOR_ASK},
};

static void hear_decision(struct hook_output *h, const struct value *object, const char *key,
                          const char *reason_key)
{
    const struct value *v = value_get(object, key);

    if (!v || v->kind == VALUE_NULL || v->kind == VALUE_OBJECT)
        return;
    for (size_t i = 0; v->kind == VALUE_STRING && i < COUNT(decisions); i++)
        if (str_is(v->text, decisions[i].word)) {
            choose(h, decisions[i].behavior, text_of(h, object, reason_key));
            return;
        }
    refuse(h, "gave an unknown decision");
}

static void hear_input(struct hook_output *h, const struct value *object)
{
    const struct value *v = value_get(object, "updatedInput");

    if (!v || v->kind == VALUE_NULL)
        return;
    if (v->kind != VALUE_OBJECT)
        refuse(h, "rewrote the input to something that is not an object");
    h->answer->updated_input = v;
}

static bool hear_bool(struct hook_output *h, const struct value *object, const char *key,
                      bool otherwise)
{
    const struct value *v = value_get(object, key);

    if (!v || v->kind == VALUE_NULL)
        return otherwise;
    if (v->kind != VALUE_BOOL)
        refuse(h, "gave something other than true or false where one is required");
    return v->kind == VALUE_BOOL && v->boolean;
}

/* {"decision": {"behavior": "deny", "message": ..., "interrupt": true}} of a PermissionRequest
 * hook. */
static void hear_request(struct hook_output *h, const struct value *decision)
{
    if (!decision || decision->kind != VALUE_OBJECT)
        return;
    hear_decision(h, decision, "behavior", "message");
    hear_input(h, decision);
    if (!value_get(decision, "behavior"))
        refuse(h, "gave a decision without a behavior");
    if (hear_bool(h, decision, "interrupt", false))
        h->answer->stop = true;
}

static void hear_specific(struct hook_output *h, const struct value *object)
{
    struct str event = text_of(h, object, "hookEventName");

    if (!object || object->kind == VALUE_NULL)
        return;
    if (object->kind != VALUE_OBJECT)
        refuse(h, "gave a hookSpecificOutput that is not an object");
    if (event.len && !str_is(event, hook_event_name(h->hook->event)))
        refuse(h, "answered a different event");
    hear_decision(h, object, "permissionDecision", "permissionDecisionReason");
    hear_decision(h, object, "decision", "reason");
    hear_input(h, object);
    hear_request(h, value_get(object, "decision"));
}

static void hear_object(struct hook_output *h, const struct value *object)
{
    hear_specific(h, value_get(object, "hookSpecificOutput"));
    hear_decision(h, object, "permissionDecision", "permissionDecisionReason");
    hear_decision(h, object, "decision", "reason");
    hear_request(h, value_get(object, "decision"));
    if (!hear_bool(h, object, "continue", true)) {
        struct str why = text_of(h, object, "stopReason");
        h->answer->stop = true;
        if (!h->answer->reason.len)
            h->answer->reason = why;
    }
}

static void hear_json(struct arena *a, const struct hook *hook, struct str text,
                      struct hook_word *out)
{
    struct hook_output h = {.arena = a, .hook = hook, .answer = &out->answer};
    struct value *v = ARENA_NEW(a, struct value);

    if (json_read(a, text, NULL, v, NULL) != STATUS_OK || v->kind != VALUE_OBJECT)
        refuse(&h, "wrote something that starts like JSON but is not");
    else
        hear_object(&h, v);
    if (h.nonsense) {
        out->answer = (struct answer){0};
        hook_failed(a, hook, h.nonsense, out);
    }
}

/* Plain text is ignored, unless an answer seems to follow it: the author of that hook believes that
 * it denies. */
static bool looks_like_answer(struct str text)
{
    static const char *const keys[] = {"permissionDecision", "\"decision\"", "\"continue\"",
                                       "hookSpecificOutput"};

    for (size_t i = 0; i < COUNT(keys); i++)
        if (str_contains(text, str_from(keys[i])))
            return true;
    return false;
}

static void hear_output(struct arena *a, const struct hook *hook, const struct process *p,
                        struct hook_word *out)
{
    struct str text = p->out.len ? str_trim((struct str){p->out.text, p->out.len}) : STR("");

    if (text.len && text.s[0] == '{')
        hear_json(a, hook, text, out);
    else if (looks_like_answer(text))
        hook_failed(a, hook, "wrote an answer after other text", out);
}

/* ---- exit codes ---- */

static struct str complaint(struct arena *a, const struct process *p)
{
    return p->err.len ? str_copy(a, str_trim((struct str){p->err.text, p->err.len}))
                      : (struct str){0};
}

static void hear_code(struct arena *a, const struct hook *hook, const struct process *p,
                      struct hook_word *out)
{
    struct str said = complaint(a, p), where = place(a, hook);

    if (p->code == 0) {
        hear_output(a, hook, p, out);
    } else if (p->code == EXIT_BLOCK) {
        out->answer.decided = true;
        out->answer.behavior = BEHAVIOR_DENY;
        out->answer.reason =
            said.len ? said : str_format(a, "%.*s refused it without a reason", STR_ARG(where));
    } else if (p->code == EXIT_NOT_RUN || p->code == EXIT_NOT_FOUND) {
        struct str what =
            str_format(a, "could not be run: %.*s", STR_ARG(said.len ? said : hook->command));
        hook_failed(a, hook, what.s, out);
    } else {
        struct str what = str_format(a, "failed with exit code %d%s%.*s", p->code,
                                     said.len ? ": " : "", STR_ARG(said));
        decide_for(a, hook, BEHAVIOR_ASK, what.s, out);
    }
}

void hook_hear(struct arena *a, const struct hook *hook, const struct process *p,
               struct hook_word *out)
{
    *out = (struct hook_word){.answer.given = true};
    switch (p->end) {
    case PROCESS_EXITED:
        hear_code(a, hook, p, out);
        return;
    case PROCESS_KILLED:
        hook_failed(a, hook, str_format(a, "was killed by signal %d", p->code).s, out);
        return;
    case PROCESS_TIMEOUT:
        hook_failed(a, hook, "did not answer in time", out);
        return;
    case PROCESS_TOO_MUCH:
        hook_failed(a, hook, str_format(a, "wrote more than %zu bytes", PROCESS_OUTPUT_MAX).s, out);
        return;
    case PROCESS_RUNNING:
    case PROCESS_LOST:
        break;
    }
    hook_failed(a, hook, "ended in an unknown way", out);
}
