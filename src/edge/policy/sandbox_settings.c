/* sandbox_settings.c - the key `sandbox` of Claude Code's settings, as far as it means something
 * for our sandbox. What it means nothing for is a warning; what makes no sense switches the sandbox
 * off for this user, because it may have been meant to narrow it. */
#include "policy/sandbox.h"

static void give_up(struct policy_reader *r, const struct value *v, const char *key)
{
    r->book->sandbox.unread = true;
    schema_problem(r, false, v, "\"%s\" has no effect: nothing runs in the sandbox", key);
}

/* ---- the kinds of keys ---- */

static void say_if(struct policy_reader *r, const struct value *v, const char *key, bool wanted,
                   enum sandbox_key ours, unsigned value)
{
    if (v->kind != VALUE_BOOL)
        give_up(r, v, key);
    else if (v->boolean == wanted)
        sandbox_say(r, v, ours, value, true);
}

static void add_paths(struct policy_reader *r, const struct value *v, const char *key,
                      enum sandbox_list list)
{
    struct str path;

    if (v->kind != VALUE_ARRAY) {
        give_up(r, v, key);
        return;
    }
    for (size_t i = 0; i < v->count; i++) {
        const struct value *one = &v->items[i];
        /* One slash is the project in their rules, two are the root. */
        struct str text = one->kind == VALUE_STRING && str_starts(one->text, STR("//"))
                              ? str_from_byte(one->text, 1)
                              : one->text;
        if (one->kind != VALUE_STRING || !text.len || str_has(text, '\0') ||
            !sandbox_path(r, one, list, str_copy(r->arena, text), &path)) {
            if (list == SANDBOX_HIDE || list == SANDBOX_PROTECT)
                give_up(r, one, key);
            continue;
        }
        sandbox_add(r, one, list, path);
    }
}

/* What allows a host and is none is left out; what refuses one may have been meant for all. */
static bool is_usable(struct policy_reader *r, const struct value *v, const char *key,
                      enum sandbox_list list, struct str text)
{
    if ((list != SANDBOX_HOSTS && list != SANDBOX_REFUSE) || sandbox_is_host(list, text))
        return true;
    if (list == SANDBOX_REFUSE)
        give_up(r, v, key);
    else
        schema_problem(r, false, v, "\"%.60s\" is not a host that a sandbox can allow; ignored",
                       text.s);
    return false;
}

static void add_texts(struct policy_reader *r, const struct value *v, const char *key,
                      enum sandbox_list list)
{
    struct str text;

    if (v->kind != VALUE_ARRAY) {
        give_up(r, v, key);
        return;
    }
    for (size_t i = 0; i < v->count; i++)
        if (schema_text(r, false, &v->items[i], &text) &&
            is_usable(r, &v->items[i], key, list, text))
            sandbox_add(r, &v->items[i], list, text);
}

/* ---- the keys ---- */

struct settings_key {
    const char *name;
    enum { KEY_SWITCH, KEY_PATHS, KEY_TEXTS, KEY_NOTHING, KEY_OBJECT } kind;
    bool wanted; /* KEY_SWITCH: the value that says something */
    unsigned ours, value;
    const struct settings_key *below; /* KEY_OBJECT */
};

/* A list of {"name": ...} or names: variables that are withheld. */
static const struct settings_key filesystem_keys[] = {
    {"allowWrite", KEY_PATHS, false, SANDBOX_WRITE, 0, NULL},
    {"denyWrite", KEY_PATHS, false, SANDBOX_PROTECT, 0, NULL},
    {"denyRead", KEY_PATHS, false, SANDBOX_HIDE, 0, NULL},
    {"allowRead", KEY_PATHS, false, SANDBOX_REVEAL, 0, NULL},
    {0},
};
static const struct settings_key network_keys[] = {
    {"allowedDomains", KEY_TEXTS, false, SANDBOX_HOSTS, 0, NULL},
    {"deniedDomains", KEY_TEXTS, false, SANDBOX_REFUSE, 0, NULL},
    {"allowUnixSockets", KEY_PATHS, false, SANDBOX_SOCKETS, 0, NULL},
    {"allowLocalBinding", KEY_NOTHING, false, 0, 0, NULL},
    {0},
};
static const struct settings_key credential_keys[] = {
    {"envVars", KEY_TEXTS, false, SANDBOX_ENV_HIDE, 0, NULL},
    {"files", KEY_PATHS, false, SANDBOX_HIDE, 0, NULL},
    {0},
};
static const struct settings_key settings_keys[] = {
    {"enabled", KEY_SWITCH, true, SANDBOX_USE, USE_AUTO, NULL},
    {"enabled", KEY_SWITCH, false, SANDBOX_USE, USE_OFF, NULL},
    {"autoAllowBashIfSandboxed", KEY_SWITCH, false, SANDBOX_ASKS, ASKS_KEEP, NULL},
    {"excludedCommands", KEY_TEXTS, false, SANDBOX_OUTSIDE, 0, NULL},
    {"allowUnsandboxedCommands", KEY_SWITCH, false, SANDBOX_RETRY, RETRY_DENY, NULL},
    {"failIfUnavailable", KEY_SWITCH, true, SANDBOX_UNAVAILABLE, UNAVAILABLE_DENY, NULL},
    {"filesystem", KEY_OBJECT, false, 0, 0, filesystem_keys},
    {"network", KEY_OBJECT, false, 0, 0, network_keys},
    {"credentials", KEY_OBJECT, false, 0, 0, credential_keys},
    {"ignoreViolations", KEY_NOTHING, false, 0, 0, NULL},
    {0},
};

static void take_object(struct policy_reader *r, const struct value *v, const char *name,
                        const struct settings_key *keys);

static void take_key(struct policy_reader *r, const struct value *v, const struct settings_key *key)
{
    switch (key->kind) {
    case KEY_SWITCH:
        say_if(r, v, key->name, key->wanted, (enum sandbox_key)key->ours, key->value);
        return;
    case KEY_PATHS:
        add_paths(r, v, key->name, (enum sandbox_list)key->ours);
        return;
    case KEY_TEXTS:
        add_texts(r, v, key->name, (enum sandbox_list)key->ours);
        return;
    case KEY_OBJECT:
        take_object(r, v, key->name, key->below);
        return;
    case KEY_NOTHING:
        return;
    }
}

static bool is_known(const struct settings_key *keys, struct str name)
{
    for (; keys->name; keys++)
        if (str_is(name, keys->name))
            return true;
    return false;
}

static void take_object(struct policy_reader *r, const struct value *v, const char *name,
                        const struct settings_key *keys)
{
    if (v->kind != VALUE_OBJECT) {
        give_up(r, v, name);
        return;
    }
    for (size_t i = 0; i < v->count; i++)
        if (!is_known(keys, v->members[i].key))
            schema_problem(r, false, &v->members[i].value,
                           "\"%.*s\" has no meaning for Warder's sandbox; ignored",
                           STR_ARG(str_slice(v->members[i].key, 0, 60)));
    for (; keys->name; keys++)
        if (value_get(v, keys->name))
            take_key(r, value_get(v, keys->name), keys);
}

void take_client_sandbox(struct policy_reader *r, const struct value *v)
{
    take_object(r, v, "sandbox", settings_keys);
}
