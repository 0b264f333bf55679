/* warder.c - our own format: everything that the others can express; unknown keys are errors.
 *
 * docs/warder.schema.json publishes this table for editors; a test compares the two. */
#include "base/ascii.h"
#include "policy/schema.h"
#include "programs/variables.h"

static void take_nothing(struct policy_reader *r, const struct value *v)
{
    (void)r;
    (void)v;
}

static bool is_from_person(const struct policy_reader *r)
{
    return r->source == SOURCE_MANAGED || r->source == SOURCE_USER;
}

/* A name that is not one of its kind is a problem. */
static bool is_known(struct policy_reader *r, enum policy_name kind, bool fatal,
                     const struct value *v, struct str name)
{
    static const char *const kinds[] = {[NAME_PROFILE] = "profile", [NAME_CLIENT] = "agent"};
    struct nearest near = nearest_to(name);
    struct str shown = str_slice(name, 0, 60);

    if (!r->knows || r->knows(kind, &near))
        return true;
    schema_problem(r, fatal, v, "unknown %s \"%.*s\"" NEAREST_FORMAT, kinds[kind], STR_ARG(shown),
                   NEAREST_ARG(near));
    return false;
}

/* A project must not choose the permission model. */
static void take_profile(struct policy_reader *r, const struct value *v)
{
    struct str name;

    if (!is_from_person(r))
        schema_problem(r, true, v, "only managed and user policy can choose the profile");
    else if (schema_text(r, true, v, &name) && is_known(r, NAME_PROFILE, true, v, name) &&
             r->book->profile.len == 0) {
        r->book->profile = name;
        r->book->profile_managed = r->source == SOURCE_MANAGED;
    }
}

static void take_deny(struct policy_reader *r, const struct value *v)
{
    entry_take_all(r, ENTRY_LONG, BEHAVIOR_DENY, v);
}

static void take_ask(struct policy_reader *r, const struct value *v)
{
    entry_take_all(r, ENTRY_LONG, BEHAVIOR_ASK, v);
}

static void take_rules(struct policy_reader *r, const struct value *v)
{
    entry_take_rows(r, ENTRY_LONG, v);
}

static void take_allow(struct policy_reader *r, const struct value *v)
{
    entry_take_all(r, ENTRY_LONG, BEHAVIOR_ALLOW, v);
}

/* A project must not change the record, which process decides, or who is trusted. */
static bool is_for_person(struct policy_reader *r, const struct value *v)
{
    if (!is_from_person(r))
        schema_problem(r, false, v,
                       "only managed and user policy can set this; it is ignored here");
    return is_from_person(r);
}

static void take_names(struct policy_reader *r, const struct value *v, struct strs *out)
{
    struct str name;

    if (!is_for_person(r, v))
        return;
    for (size_t i = 0; i < v->count; i++)
        if (schema_text(r, false, &v->items[i], &name))
            LIST_PUSH(r->arena, out, name);
}

/* A person also chooses which MCP servers are trusted to call a tool harmless. */
static void take_read_only_servers(struct policy_reader *r, const struct value *v)
{
    take_names(r, v, &r->book->read_only_servers);
}

/* ... and which agents may edit files where they cannot ask, or do not tell their mode. */
static void take_edits(struct policy_reader *r, const struct value *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->items[i].kind == VALUE_STRING)
            (void)is_known(r, NAME_CLIENT, false, &v->items[i], v->items[i].text);
    take_names(r, v, &r->book->edits);
}

/* NAME or BEGIN*, where the beginning says whose variables they are. */
#define VARIABLE_BEGINS_LEAST 3

static bool is_variable(struct str name)
{
    size_t len = str_ends(name, STR("*")) ? name.len - 1 : name.len;

    for (size_t i = 0; i < len; i++)
        if (!ascii_is_letter(name.s[i]) && name.s[i] != '_' &&
            !(i > 0 && ascii_is_alnum(name.s[i])))
            return false;
    return len >= (len < name.len ? VARIABLE_BEGINS_LEAST : 1);
}

/* ... and which variables steer no program. */
static void take_variables(struct policy_reader *r, const struct value *v)
{
    struct str name;

    if (!is_for_person(r, v))
        return;
    for (size_t i = 0; i < v->count; i++) {
        const struct value *one = &v->items[i];
        if (!schema_text(r, false, one, &name))
            continue;
        if (!is_variable(name))
            schema_problem(
                r, false, one,
                "a variable must be a name, or at least three letters and a star; ignored");
        else if (variable_surely_steers(name))
            schema_problem(r, false, one,
                           "%.*s can decide which code runs or which host is contacted; ignored",
                           STR_ARG(name));
        else
            LIST_PUSH(r->arena, &r->book->variables,
                      (struct tool_entry){str_copy(r->arena, name), r->source});
    }
}

static void take_runners(struct policy_reader *r, const struct value *v)
{
    r->book->runners_off |= !v->boolean;
}

static void take_scripts(struct policy_reader *r, const struct value *v)
{
    r->book->scripts_off |= !v->boolean;
}

static void take_inline(struct policy_reader *r, const struct value *v)
{
    r->book->inline_off |= !v->boolean;
}

#define RECORD_DAYS_LEAST 30
#define RECORD_DAYS_MOST  36500

static void take_record_days(struct policy_reader *r, const struct value *v)
{
    int64_t days;

    if (!is_for_person(r, v))
        return;
    if (!value_integer(v, &days) || days < RECORD_DAYS_LEAST || days > RECORD_DAYS_MOST)
        schema_problem(r, true, v, "records can be kept for %d to %d days", RECORD_DAYS_LEAST,
                       RECORD_DAYS_MOST);
    else if (!r->book->record_days)
        r->book->record_days = (unsigned)days;
}

static void take_record_sync(struct policy_reader *r, const struct value *v)
{
    bool always = str_is(v->text, "always");

    if (!is_for_person(r, v))
        return;
    if (!always && !str_is(v->text, "crash"))
        schema_problem(r, true, v, "recordSync must be \"always\" or \"crash\"");
    else if (!r->book->record_sync)
        r->book->record_sync = always ? RECORD_SYNC_ALWAYS : RECORD_SYNC_CRASH;
}

static void take_classifier_allows(struct policy_reader *r, const struct value *v)
{
    if (is_for_person(r, v))
        r->book->classifier_allows |= v->boolean;
}

static void take_service(struct policy_reader *r, const struct value *v)
{
    static const char *const names[] = {
        [SERVICE_AUTO] = "auto", [SERVICE_OFF] = "off", [SERVICE_REQUIRED] = "required"};
    enum service_use said = SERVICE_UNSAID;

    if (!is_for_person(r, v))
        return;
    for (size_t i = SERVICE_AUTO; i < COUNT(names); i++)
        if (str_is(v->text, names[i]))
            said = (enum service_use)i;
    if (v->kind == VALUE_BOOL && !v->boolean) /* "off" in YAML 1.1 */
        said = SERVICE_OFF;
    if (said == SERVICE_UNSAID)
        schema_problem(r, true, v, "service must be \"auto\", \"off\" or \"required\"");
    else if (!r->book->service) {
        r->book->service = said;
        r->book->service_managed = r->source == SOURCE_MANAGED;
    }
}

static void take_notify(struct policy_reader *r, const struct value *v)
{
    bool off = v->kind == VALUE_BOOL ? !v->boolean : str_is(v->text, "off");

    if (!is_for_person(r, v))
        return;
    if (str_is(v->text, "desktop"))
        r->book->notify_desktop = true;
    else if (!off)
        schema_problem(r, false, v, "notify must be \"desktop\" or \"off\"");
}

/* What everybody writes first who comes from settings.json. */
static const struct schema_key permission_keys[] = {
    {"deny", TAKES(VALUE_ARRAY), true, take_deny},
    {"ask", TAKES(VALUE_ARRAY), true, take_ask},
    {"allow", TAKES(VALUE_ARRAY), false, take_allow},
    {"defaultMode", TAKES(VALUE_STRING), true, take_mode},
    {"additionalDirectories", TAKES(VALUE_ARRAY), false, take_directories},
};

static void take_permissions(struct policy_reader *r, const struct value *v)
{
    schema_take(r, v, permission_keys, COUNT(permission_keys));
}

static const struct schema_key keys[] = {
    {"$schema", TAKES(VALUE_STRING), false, take_nothing},
    {"profile", TAKES(VALUE_STRING), true, take_profile},
    {"mode", TAKES(VALUE_STRING), true, take_mode},
    {"deny", TAKES(VALUE_ARRAY), true, take_deny},
    {"ask", TAKES(VALUE_ARRAY), true, take_ask},
    {"rules", TAKES(VALUE_ARRAY), true, take_rules},
    {"allow", TAKES(VALUE_ARRAY), false, take_allow},
    {"permissions", TAKES(VALUE_OBJECT), true, take_permissions},
    {"disabledTools", TAKES(VALUE_ARRAY), true, take_disabled_tools},
    {"allowedTools", TAKES(VALUE_ARRAY), false, take_allowed_tools},
    {"additionalDirectories", TAKES(VALUE_ARRAY), false, take_directories},
    {"readOnlyServers", TAKES(VALUE_ARRAY), false, take_read_only_servers},
    {"edits", TAKES(VALUE_ARRAY), false, take_edits},
    {"variables", TAKES(VALUE_ARRAY), false, take_variables},
    {"runners", TAKES(VALUE_BOOL), true, take_runners},
    {"scripts", TAKES(VALUE_BOOL), true, take_scripts},
    {"inline", TAKES(VALUE_BOOL), true, take_inline},
    CLEARANCES_KEY,
    {"recordDays", TAKES(VALUE_INTEGER), true, take_record_days},
    {"recordSync", TAKES(VALUE_STRING), true, take_record_sync},
    {"service", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), true, take_service},
    {"notify", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), false, take_notify},
    {"pause", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), true, take_pause},
    {"undo", TAKES(VALUE_OBJECT), false, take_undo},
    {"disableBypassPermissionsMode", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), true,
     take_bypass_switch},
    {"disableAutoMode", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), true, take_auto_switch},
    {"allowManagedPermissionRulesOnly", TAKES(VALUE_BOOL), true, take_managed_only},
    {"hooks", TAKES(VALUE_OBJECT), true, take_hooks},
    {"sandbox", TAKES(VALUE_OBJECT), true, take_sandbox},
    {"classifierAllows", TAKES(VALUE_BOOL), false, take_classifier_allows},
    {"programs", TAKES(VALUE_ARRAY), true, take_programs},
    {"learned", TAKES(VALUE_OBJECT), false, take_nothing}, /* what `warder learn` knows of them */
    {"tests", TAKES(VALUE_OBJECT), true, take_tests},
};

const struct schema_key *warder_keys(size_t *count)
{
    *count = COUNT(keys);
    return keys;
}

void warder_read(struct policy_reader *r, const struct value *document)
{
    schema_take(r, document, keys, COUNT(keys));
}
