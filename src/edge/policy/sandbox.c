/* sandbox.c - the key `sandbox` of our own files.
 *
 * What narrows a cell may be said by every file, also by that of a project that nobody trusts. What
 * widens one, or lets more run in it without a question, is for managed policy, the user and the
 * trusted local file alone: an agent may have written the project's. */
#include "policy/sandbox.h"
#include "base/hosts.h"
#include "base/path.h"
#include "base/range.h"
#include "programs/kits.h"

#define PUBLISHED_MAX 100 /* ports of one entry */

static const struct list_row {
    const char *key;
    enum sandbox_list list;
    enum {
        BY_PERSON,  /* what leads out of a cell: managed policy and the user alone */
        BY_TRUSTED, /* what widens one: these, and a trusted local file */
        BY_ALL,     /* what narrows one */
    } who;
    enum {
        ENTRY_PATH,
        ENTRY_WORDS,
        ENTRY_VARIABLE,
        ENTRY_HOST,
        ENTRY_REFUSED,
        ENTRY_KIT,
        ENTRY_PORTS
    } kind;
} list_rows[] = {
    {"write", SANDBOX_WRITE, BY_TRUSTED, ENTRY_PATH},
    {"protect", SANDBOX_PROTECT, BY_ALL, ENTRY_PATH},
    {"hide", SANDBOX_HIDE, BY_ALL, ENTRY_PATH},
    {"reveal", SANDBOX_REVEAL, BY_TRUSTED, ENTRY_PATH},
    {"outside", SANDBOX_OUTSIDE, BY_TRUSTED, ENTRY_WORDS},
    {"env.hide", SANDBOX_ENV_HIDE, BY_ALL, ENTRY_VARIABLE},
    {"env.keep", SANDBOX_ENV_KEEP, BY_TRUSTED, ENTRY_VARIABLE},
    {"network.hosts", SANDBOX_HOSTS, BY_TRUSTED, ENTRY_HOST},
    {"network.refuse", SANDBOX_REFUSE, BY_ALL, ENTRY_REFUSED},
    {"network.kits", SANDBOX_KITS, BY_TRUSTED, ENTRY_KIT},
    {"sockets", SANDBOX_SOCKETS, BY_PERSON, ENTRY_PATH},
    {"network.loopback", SANDBOX_LOOPBACK, BY_TRUSTED, ENTRY_PORTS},
    {"network.publish", SANDBOX_PUBLISH, BY_TRUSTED, ENTRY_PORTS},
};

_Static_assert(COUNT(list_rows) == SANDBOX_LISTS, "every list has a row, in the order of the enum");

const char *sandbox_list_key(enum sandbox_list list)
{
    return list_rows[list].key;
}

/* ---- who may say what ---- */

bool sandbox_may_widen(const struct policy_reader *r)
{
    return r->source == SOURCE_MANAGED || r->source == SOURCE_USER ||
           (r->source == SOURCE_LOCAL && r->trusted);
}

static bool narrows(const struct list_row *row)
{
    return row->who == BY_ALL;
}

static bool may_add(const struct policy_reader *r, const struct list_row *row)
{
    return narrows(row) ||
           (sandbox_may_widen(r) && (row->who == BY_TRUSTED || r->source != SOURCE_LOCAL));
}

static enum sandbox_voice voice_of(const struct policy_reader *r, bool client)
{
    switch (r->source) {
    case SOURCE_MANAGED:
        return client ? VOICE_MANAGED_CLIENT : VOICE_MANAGED;
    case SOURCE_USER:
        return client ? VOICE_USER_CLIENT : VOICE_USER;
    case SOURCE_LOCAL:
        return VOICE_LOCAL;
    case SOURCE_PROJECT:
    case SOURCE_CLI:
    case SOURCE_RUNTIME:
    case SOURCE_COMMAND:
    case SOURCE_SESSION:
    case SOURCE_BUILTIN:
        break;
    }
    return VOICE_PROJECT;
}

static void refuse(struct policy_reader *r, const struct value *v)
{
    schema_problem(r, false, v,
                   "a project can only make the sandbox stricter; this is ignored here");
}

static unsigned strictest(enum sandbox_key key)
{
    unsigned words = 0;

    while (words < SANDBOX_WORDS_MAX && sandbox_rows[key].words[words])
        words++;
    return words - 1;
}

void sandbox_say(struct policy_reader *r, const struct value *v, enum sandbox_key key,
                 unsigned value, bool client)
{
    unsigned char *said = &r->book->sandbox.said[key][voice_of(r, client)];

    if (!sandbox_may_widen(r) && value != strictest(key))
        refuse(r, v);
    else if (*said < value + 1) /* two files of one source: the stricter one */
        *said = (unsigned char)(value + 1);
}

void sandbox_add(struct policy_reader *r, const struct value *v, enum sandbox_list list,
                 struct str entry)
{
    struct sandbox_policy *p = &r->book->sandbox;
    const struct list_row *row = &list_rows[list];

    if (!sandbox_may_widen(r) && !may_add(r, row))
        refuse(r, v);
    else if (!may_add(r, row))
        schema_problem(r, false, v,
                       "only your own and managed policy can say this; it is ignored here");
    else if (!narrows(row) && (p->locked & (1u << list)) && r->source != SOURCE_MANAGED)
        schema_problem(r, false, v, "managed policy has locked this key; it is ignored here");
    else
        LIST_PUSH(r->arena, &p->lists[list], entry);
}

/* ---- scalars ---- */

/* "off" is a word of YAML 1.1 for false. */
static struct str word_of(const struct value *v)
{
    return v->kind == VALUE_BOOL && !v->boolean ? STR("off") : v->text;
}

static void take_scalar(struct policy_reader *r, const struct value *v, enum sandbox_key key)
{
    const struct sandbox_row *row = &sandbox_rows[key];
    struct str word = word_of(v);
    struct buf b = buf_in(r->arena);

    for (unsigned i = 0; i < SANDBOX_WORDS_MAX && row->words[i]; i++) {
        if (str_is(word, row->words[i])) {
            sandbox_say(r, v, key, i, false);
            return;
        }
        buf_format(&b, "%s\"%s\"", i ? " or " : "", row->words[i]);
    }
    schema_problem(r, true, v, "%s must be %s", row->key, buf_str(&b).s);
}

#define SCALAR(name, key)                                                                          \
    static void take_##name(struct policy_reader *r, const struct value *v)                        \
    {                                                                                              \
        take_scalar(r, v, key);                                                                    \
    }
SCALAR(use, SANDBOX_USE)
SCALAR(need, SANDBOX_NEED)
SCALAR(code, SANDBOX_CODE)
SCALAR(asks, SANDBOX_ASKS)
SCALAR(retry, SANDBOX_RETRY)
SCALAR(background, SANDBOX_BACKGROUND)
SCALAR(unavailable, SANDBOX_UNAVAILABLE)
SCALAR(caches, SANDBOX_CACHES)

/* ---- lists ---- */

static bool is_narrowing(enum sandbox_list list)
{
    return narrows(&list_rows[list]);
}

bool sandbox_path(struct policy_reader *r, const struct value *v, enum sandbox_list list,
                  struct str text, struct str *out)
{
    struct str real;

    /* What every cell has is no entry. */
    if (list == SANDBOX_WRITE &&
        (str_is(text, ".") || str_is(text, "/tmp") || str_is(text, "$TMPDIR")))
        return false;
    if (strpbrk(text.s, "*?[$") || !path_absolute(r->arena, r->project, r->home, text, &real)) {
        schema_problem(r, is_narrowing(list), v, "a sandbox path must be a plain path");
        return false;
    }
    if (!is_narrowing(list) && (path_is_inside(r->home, real) || str_is(real, "/"))) {
        schema_problem(r, false, v, "%.*s is too wide for a sandbox; ignored", STR_ARG(real));
        return false;
    }
    *out = str_copy(r->arena, real);
    return true;
}

bool sandbox_is_host(enum sandbox_list list, struct str text)
{
    struct host host;
    struct range range;

    return host_parse(text, &host) || (list == SANDBOX_REFUSE && range_parse(text, &range));
}

static bool are_ports(struct str text)
{
    struct ports ports;

    return ports_parse(text, &ports) && ports.last - ports.first < PUBLISHED_MAX;
}

static bool entry_is_good(struct policy_reader *r, const struct value *v,
                          const struct list_row *row, struct str *text)
{
    switch (row->kind) {
    case ENTRY_PATH:
        return sandbox_path(r, v, row->list, *text, text);
    case ENTRY_HOST:
    case ENTRY_REFUSED:
        if (sandbox_is_host(row->list, *text))
            return true;
        schema_problem(r, narrows(row), v, "a host is a name, *.name or an address, with :port");
        return false;
    case ENTRY_PORTS:
        if (are_ports(*text))
            return true;
        schema_problem(r, false, v,
                       "a port is a number, or two with a dash between them, at most %d; ignored",
                       PUBLISHED_MAX);
        return false;
    case ENTRY_KIT:
        if (kit_find(*text))
            return true;
        schema_problem(r, false, v, "unknown kit \"%.60s\"; ignored", text->s);
        return false;
    case ENTRY_WORDS:
    case ENTRY_VARIABLE:
        break;
    }
    return true;
}

static void take_list(struct policy_reader *r, const struct value *v, enum sandbox_list list)
{
    const struct list_row *row = &list_rows[list];
    struct str text;

    for (size_t i = 0; i < v->count; i++)
        if (schema_text(r, narrows(row), &v->items[i], &text) &&
            entry_is_good(r, &v->items[i], row, &text))
            sandbox_add(r, &v->items[i], list, text);
}

#define LIST_KEY(name, list)                                                                       \
    static void take_##name(struct policy_reader *r, const struct value *v)                        \
    {                                                                                              \
        take_list(r, v, list);                                                                     \
    }
LIST_KEY(write, SANDBOX_WRITE)
LIST_KEY(protect, SANDBOX_PROTECT)
LIST_KEY(hide, SANDBOX_HIDE)
LIST_KEY(reveal, SANDBOX_REVEAL)
LIST_KEY(outside, SANDBOX_OUTSIDE)
LIST_KEY(env_hide, SANDBOX_ENV_HIDE)
LIST_KEY(env_keep, SANDBOX_ENV_KEEP)
LIST_KEY(hosts, SANDBOX_HOSTS)
LIST_KEY(refused, SANDBOX_REFUSE)
LIST_KEY(sockets, SANDBOX_SOCKETS)

/* Who names some means these and no others. */
static void take_kits(struct policy_reader *r, const struct value *v)
{
    take_list(r, v, SANDBOX_KITS);
    if (sandbox_may_widen(r))
        r->book->sandbox.kits_named = true;
}

/* "own", or "own + 5432 + 6379". */
static void take_loopback(struct policy_reader *r, const struct value *v)
{
    struct str rest = str_copy(r->arena, v->text), part;

    (void)str_cut(rest, '+', &part, &rest);
    if (!str_is(str_trim(part), "own")) {
        schema_problem(r, false, v, "loopback must be \"own\" or \"own + PORT\"; ignored");
        return;
    }
    while (rest.len) {
        (void)str_cut(rest, '+', &part, &rest);
        part = str_copy(r->arena, str_trim(part));
        if (entry_is_good(r, v, &list_rows[SANDBOX_LOOPBACK], &part))
            sandbox_add(r, v, SANDBOX_LOOPBACK, part);
    }
}

/* A single port may be a number. */
static void take_publish(struct policy_reader *r, const struct value *v)
{
    const struct list_row *row = &list_rows[SANDBOX_PUBLISH];
    struct str text;

    for (size_t i = 0; i < v->count; i++) {
        const struct value *one = &v->items[i];
        int64_t number = 0;
        if (one->kind == VALUE_INTEGER && value_integer(one, &number))
            text = str_format(r->arena, "%lld", (long long)number);
        else if (!schema_text(r, false, one, &text))
            continue;
        if (entry_is_good(r, one, row, &text))
            sandbox_add(r, one, SANDBOX_PUBLISH, text);
    }
}

static const struct schema_key env_keys[] = {
    {"hide", TAKES(VALUE_ARRAY), true, take_env_hide},
    {"keep", TAKES(VALUE_ARRAY), false, take_env_keep},
};

static void take_env(struct policy_reader *r, const struct value *v)
{
    schema_take(r, v, env_keys, COUNT(env_keys));
}

static const struct schema_key network_keys[] = {
    {"hosts", TAKES(VALUE_ARRAY), false, take_hosts},
    {"kits", TAKES(VALUE_ARRAY), false, take_kits},
    {"refuse", TAKES(VALUE_ARRAY), true, take_refused},
    {"loopback", TAKES(VALUE_STRING), false, take_loopback},
    {"publish", TAKES(VALUE_ARRAY), false, take_publish},
};

static void take_network(struct policy_reader *r, const struct value *v)
{
    schema_take(r, v, network_keys, COUNT(network_keys));
}

/* "write", "env.keep": only managed policy can widen these from here on. It is read first. */
static void take_lock(struct policy_reader *r, const struct value *v)
{
    struct str text;

    if (r->source != SOURCE_MANAGED) {
        schema_problem(r, false, v, "only managed policy can set this; it is ignored here");
        return;
    }
    for (size_t i = 0; i < v->count; i++) {
        bool known = false;
        if (!schema_text(r, true, &v->items[i], &text))
            continue;
        for (size_t k = 0; k < COUNT(list_rows); k++)
            if (!narrows(&list_rows[k]) && str_is(text, list_rows[k].key)) {
                r->book->sandbox.locked |= 1u << list_rows[k].list;
                known = true;
            }
        if (!known)
            schema_problem(r, true, &v->items[i], "unknown key \"%.60s\" in lock", text.s);
    }
}

#define WORDS (TAKES(VALUE_STRING) | TAKES(VALUE_BOOL))
static const struct schema_key sandbox_keys[] = {
    {"lock", TAKES(VALUE_ARRAY), true, take_lock}, /* first: it is about the others */
    {"use", WORDS, true, take_use},
    {"need", WORDS, true, take_need},
    {"code", WORDS, true, take_code},
    {"asks", WORDS, true, take_asks},
    {"retry", WORDS, true, take_retry},
    {"background", WORDS, true, take_background},
    {"unavailable", WORDS, true, take_unavailable},
    {"caches", WORDS, true, take_caches},
    {"write", TAKES(VALUE_ARRAY), false, take_write},
    {"protect", TAKES(VALUE_ARRAY), true, take_protect},
    {"hide", TAKES(VALUE_ARRAY), true, take_hide},
    {"reveal", TAKES(VALUE_ARRAY), false, take_reveal},
    {"outside", TAKES(VALUE_ARRAY), false, take_outside},
    {"env", TAKES(VALUE_OBJECT), true, take_env},
    {"network", TAKES(VALUE_OBJECT), true, take_network},
    {"sockets", TAKES(VALUE_ARRAY), false, take_sockets},
};

void take_sandbox(struct policy_reader *r, const struct value *v)
{
    schema_take(r, v, sandbox_keys, COUNT(sandbox_keys));
}
