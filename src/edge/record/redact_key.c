#include "base/ascii.h"
#include "base/path.h"
#include "record/redact_parts.h"
#include "record/redact_rows.h"

/* A key is secret if one of these comes before it: API_KEY, not SORT_KEY. */
static const char *const keys_of[] = {
    "api",     "access",       "secret",  "private", "auth",    "encryption",   "encrypt",
    "signing", "sign",         "master",  "account", "storage", "shared",       "license",
    "app",     "application",  "client",  "deploy",  "webhook", "subscription", "integration",
    "write",   "admin",        "session", "service", "project", "server",       "functions",
    "host",    "registration", "join",
};
/* A token is not secret if one of these comes before it. */
static const char *const no_tokens_of[] = {
    "next",    "page", "starting", "start",  "end",   "continuation", "cancellation", "eos",
    "bos",     "pad",  "unk",      "mask",   "sep",   "cls",          "stop",         "max",
    "special", "sync", "cancel",   "first",  "last",  "image",        "idempotency",  "no",
    "show",    "list", "get",      "forgot", "reset", "change",
};
/* After the noun these change nothing: DB_PASSWORD_PROD. */
static const char *const suffixes[] = {"prod", "production", "dev",    "staging", "test", "value",
                                       "new",  "old",        "base64", "b64",     "text", "plain",
                                       "raw",  "ci",         "live",   "default"};

#define WORDS_MAX 12

struct key_words {
    struct str items[WORDS_MAX];
    size_t count;
};

/* fooBar, FOO_BAR, foo-bar and foo.bar are two words each; `lower` has the key in lower case. */
static void split(struct str key, struct str lower, struct key_words *out)
{
    size_t start = 0;

    out->count = 0;
    for (size_t i = 0; i <= key.len; i++) {
        bool hump =
            i > 0 && i < key.len && ascii_is_upper(key.s[i]) && !ascii_is_upper(key.s[i - 1]);
        bool gap = i == key.len || !ascii_is_alnum(key.s[i]);
        if (!hump && !gap)
            continue;
        if (i > start && out->count < WORDS_MAX)
            out->items[out->count++] = str_slice(lower, start, i);
        start = gap ? i + 1 : i;
    }
}

static bool is_number(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_digit(s.s[i]))
            return false;
    return true;
}

static bool names_secret_alone(struct str word)
{
    for (size_t i = 0; i < redact_key_end_count; i++) {
        const struct key_end *e = &redact_key_ends[i];
        if (e->kind == KEY_NOUN ? str_ends(word, e->text)
                                : e->kind == KEY_WORD && str_eq(word, e->text))
            return true;
    }
    return false;
}

static bool names_secret(struct key_words *k)
{
    while (k->count > 1 &&
           (is_number(k->items[k->count - 1]) || STR_IN(k->items[k->count - 1], suffixes)))
        k->count--;
    if (!k->count)
        return false;
    struct str last = k->items[k->count - 1];
    struct str before = k->count > 1 ? k->items[k->count - 2] : (struct str){0};
    if (str_is(last, "pwd") && k->count == 1)
        return false; /* the directory */
    if (str_is(last, "key") ? !STR_IN(before, keys_of) : !names_secret_alone(last))
        return false;
    return !STR_IN(before, no_tokens_of) && !STR_IN(k->items[0], no_tokens_of);
}

bool redact_ends_key(struct str text)
{
    for (size_t i = 0; i < redact_key_end_count; i++) {
        struct str end = redact_key_ends[i].text;
        if (end.len <= text.len && str_eq_nocase(str_from_byte(text, text.len - end.len), end))
            return true;
    }
    return false;
}

bool redact_key_is_secret(struct str key)
{
    char lower[REDACT_KEY_MAX];
    struct key_words k;

    if (!key.len || key.len > sizeof(lower))
        return false;
    for (size_t i = 0; i < key.len; i++)
        lower[i] = ascii_lower(key.s[i]);
    split(key, (struct str){lower, key.len}, &k);
    return names_secret(&k);
}

/* ---- values ---- */

static const char *const plain_values[] = {
    "true",    "false",     "null",     "none",      "nil",      "yes",     "no",     "on",
    "off",     "undefined", "required", "ask",       "env",      "stdin",   "prompt", "changed",
    "present", "set",       "absent",   "encrypted", "disabled", "enabled",
};
/* What may follow a name in program text and in schemas. */
static const char *const type_names[] = {
    "string", "str",   "int",      "integer", "number", "bool",  "boolean", "any",
    "bytes",  "char",  "optional", "text",    "void",   "self",  "object",  "type",
    "await",  "const", "new",      "varchar", "uuid",   "float", "unknown"};
static const char *const top_directories[] = {
    "bin",  "boot",       "dev",    "etc",     "home",   "lib",       "media",   "mnt",
    "opt",  "proc",       "root",   "run",     "sbin",   "srv",       "sys",     "tmp",
    "usr",  "var",        "Users",  "app",     "data",   "workspace", "secrets", "private",
    "code", "src",        "work",   "vol",     "config", "certs",     "keys",    "vault",
    "nix",  "workspaces", "builds", "project",
};

static bool is_path(struct str v)
{
    struct str first, rest;

    if (str_starts(v, STR("./")) || str_starts(v, STR("../")) || str_starts(v, STR("~/")) ||
        str_starts(v, STR("@")))
        return true;
    if (!path_is_absolute(v) || !str_cut(str_from_byte(v, 1), '/', &first, &rest))
        return false;
    return STR_IN(first, top_directories);
}

static bool is_placeholder(struct str v)
{
    static const char *const openings[] = {"{{",  "<",   "${",    "%",    "env:",  "file:",
                                           "fd:", "id=", "type=", "arn:", "op://", "[REDACTED]"};

    for (size_t i = 0; i < COUNT(openings); i++)
        if (str_starts(v, str_from(openings[i])))
            return true;
    for (size_t i = 0; i < v.len; i++)
        if (v.s[i] != '*' && v.s[i] != '.' && v.s[i] != WORD_UNKNOWN && v.s[i] != '-')
            return false;
    return true;
}

static bool is_word_of(struct str v, const char *const *list, size_t count)
{
    char lower[16];

    if (v.len > sizeof(lower))
        return false;
    for (size_t i = 0; i < v.len; i++)
        lower[i] = ascii_lower(v.s[i]);
    return str_in((struct str){lower, v.len}, list, count);
}

/* token=self.token, password=args.password: a name and not a value. */
static bool is_name(struct str v)
{
    while (v.len && strchr(")];,", v.s[v.len - 1]))
        v.len--;
    for (size_t i = 0; i < v.len; i++)
        if (!ascii_is_alnum(v.s[i]) && v.s[i] != '_' && v.s[i] != '.')
            return false;
    return v.len <= REDACT_KEY_MAX && redact_key_is_secret(v);
}

bool redact_value_is_plain(struct str v, bool written)
{
    if (!v.len || is_placeholder(v) || is_path(v) ||
        is_word_of(v, plain_values, COUNT(plain_values)))
        return true;
    if (!written)
        return false;
    return v.len < 3 || v.s[0] == '$' || is_name(v) || is_word_of(v, type_names, COUNT(type_names));
}
