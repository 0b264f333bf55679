#include "serve/options.h"

#include <string.h>

#include "base/str.h"
#include "serve/say.h"

enum kind { KIND_TEXT, KIND_LIST, KIND_NUMBER, KIND_BYTES, KIND_SYNC, KIND_FLAG };

#define AT(field) offsetof(struct serve_options, field)

static const struct {
    const char *name;
    enum kind kind;
    size_t target;
} table[] = {
    {"--listen", KIND_TEXT, AT(listen)},
    {"--socket", KIND_TEXT, AT(socket)},
    {"--data", KIND_TEXT, AT(data)},
    {"--home", KIND_TEXT, AT(home)},
    {"--policy", KIND_LIST, AT(policies)},
    {"--profile", KIND_TEXT, AT(profile)},
    {"--mode", KIND_TEXT, AT(mode)},
    {"--review-timeout", KIND_NUMBER, AT(review_timeout_s)},
    {"--cooldown", KIND_NUMBER, AT(cooldown_s)},
    {"--retention", KIND_NUMBER, AT(retention_days)},
    {"--retention-bytes", KIND_BYTES, AT(retention_bytes)},
    {"--record-sync", KIND_SYNC, AT(no_sync)},
    {"--tls-cert", KIND_TEXT, AT(tls_cert)},
    {"--tls-key", KIND_TEXT, AT(tls_key)},
    {"--host", KIND_LIST, AT(hosts)},
    {"--public-url", KIND_TEXT, AT(public_url)},
    {"--notify-command", KIND_LIST, AT(notify_commands)},
    {"--notify-webhook", KIND_LIST, AT(notify_webhooks)},
    {"--notify-ntfy", KIND_LIST, AT(notify_ntfy)},
    {"--notify-slack", KIND_LIST, AT(notify_slack)},
    {"--notify-answers", KIND_TEXT, AT(notify_answers)},
    {"--json", KIND_FLAG, AT(json)},
    {"--routes", KIND_FLAG, AT(routes)},
    {"--connect", KIND_TEXT, AT(connect)},
    {"--ca", KIND_TEXT, AT(ca)},
};

#define NUMBER_MAX 100000000u

static bool read_number(const char *text, uint32_t *out)
{
    uint32_t n = 0;

    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9' || n > NUMBER_MAX / 10)
            return false;
        n = n * 10 + (uint32_t)(*c - '0');
    }
    *out = n;
    return text[0] && n > 0;
}

/* 512M, 20G. */
static bool read_bytes(const char *text, uint64_t *out)
{
    static const char units[] = "KMGT";
    char digits[16];
    size_t len = strlen(text);
    const char *unit = len ? strchr(units, text[len - 1]) : NULL;
    uint32_t n;

    if (!len || len > sizeof digits)
        return false;
    len -= unit ? 1 : 0;
    memcpy(digits, text, len);
    digits[len < sizeof digits ? len : sizeof digits - 1] = '\0';
    if (!read_number(digits, &n))
        return false;
    *out = (uint64_t)n << (unit ? 10 * (unit - units + 1) : 0);
    return *out >> (unit ? 10 * (unit - units + 1) : 0) == n;
}

static bool add(struct option_list *list, const char *value)
{
    if (list->count == OPTION_LIST_MAX)
        return false;
    list->items[list->count++] = value;
    return true;
}

static bool store(struct serve_options *out, size_t row, const char *value)
{
    void *target = (char *)out + table[row].target;

    switch (table[row].kind) {
    case KIND_TEXT:
        *(const char **)target = value;
        return value != NULL;
    case KIND_LIST:
        return value && add(target, value);
    case KIND_NUMBER:
        return value && read_number(value, target);
    case KIND_BYTES:
        return value && read_bytes(value, target);
    case KIND_SYNC:
        *(bool *)target = value && strcmp(value, "crash") == 0;
        return value && (*(bool *)target || strcmp(value, "always") == 0);
    case KIND_FLAG:
        *(bool *)target = true;
        return value == NULL;
    }
    return false;
}

bool options_read(int argc, char **argv, struct serve_options *out)
{
    static const char *const needs[] = {
        [KIND_TEXT] = "needs a value",
        [KIND_LIST] = "needs a value, or was given too often",
        [KIND_NUMBER] = "needs a number, at least 1",
        [KIND_BYTES] = "needs a number of bytes, such as 512M or 20G",
        [KIND_SYNC] = "must be always or crash",
        [KIND_FLAG] = "takes no value",
    };

    *out = (struct serve_options){0};
    for (int i = 1; i < argc; i++) {
        struct str name, value;
        const char *given = str_cut(str_from(argv[i]), '=', &name, &value) ? value.s : NULL;
        size_t row = 0;
        while (row < COUNT(table) && !str_is(name, table[row].name))
            row++;
        if (row == COUNT(table)) {
            serve_say("unknown option %.*s; run `warder serve` instead of this program",
                      STR_ARG(name));
            return false;
        }
        if (!given && table[row].kind != KIND_FLAG && i + 1 < argc)
            given = argv[++i];
        if (!store(out, row, given)) {
            serve_say("%s: %s", table[row].name, needs[table[row].kind]);
            return false;
        }
    }
    return true;
}
