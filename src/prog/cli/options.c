#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/nearest.h"
#include "base/str.h"
#include "cli/output.h"

static const struct option *find(const struct option *const *tables, struct str name)
{
    for (size_t t = 0; t < OPTION_TABLES_MAX && tables[t]; t++)
        for (const struct option *o = tables[t]; o->name; o++)
            if (str_is(name, o->name) || (o->letter && str_is(name, o->letter)))
                return o;
    return NULL;
}

bool read_count(const char *text, uint32_t *out)
{
    char *end;

    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (!text[0] || *end || errno || text[0] == '-' || !n || n > UINT32_MAX)
        return false;
    *out = (uint32_t)n;
    return true;
}

bool read_seconds(const char *text, uint64_t *out)
{
    static const struct {
        char unit;
        uint64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
    char *end;
    unsigned long number = strtoul(text, &end, 10);

    *out = 0;
    for (size_t i = 0; i < COUNT(units) && number && number < 1000000; i++)
        if (text[0] >= '0' && text[0] <= '9' && end[0] == units[i].unit && !end[1])
            *out = number * units[i].seconds;
    return *out > 0;
}

bool option_repeats(const struct option *o)
{
    return o->kind == OPTION_LIST || o->kind == OPTION_RULE;
}

const void *option_target(const struct option *o, const struct arguments *args)
{
    return (const char *)(o->own ? args->given : (const void *)args) + o->target;
}

bool option_value(const struct option *o, size_t number, struct str *out)
{
    struct str rest = str_from(o->values);

    while (rest.len) {
        if (!str_cut(rest, ' ', out, &rest))
            rest = (struct str){0};
        if (number-- == 0)
            return true;
    }
    *out = str_from(o->more_values ? o->more_values(number) : NULL);
    return out->s != NULL;
}

static bool is_among(const struct option *o, const char *given)
{
    struct str value;

    for (size_t i = 0; option_value(o, i, &value); i++)
        if (str_is(value, given))
            return true;
    return false;
}

/* The option with its value, and a mark below the value. */
static void mark_value(struct arena *a, const struct option *o, const char *given)
{
    struct str words = str_format(a, "%s %s", o->name, given);
    struct excerpt e = excerpt_at(words, strlen(o->name) + 1);
    struct buf b = buf_in(a);

    excerpt_show(&b, EXCERPT_INDENT, &e, strlen(given));
    fprintf(stderr, "%.*s", STR_ARG(buf_str(&b)));
}

/* `refused`: the library has said what is wrong. */
static void complain_of_value(struct arena *a, const struct option *o, const char *given,
                              bool refused)
{
    struct buf list = buf_in(a);
    struct nearest near = nearest_to(str_from(given));
    struct str value;

    for (size_t i = 0; option_value(o, i, &value); i++) {
        buf_format(&list, " %.*s", STR_ARG(value));
        nearest_try(&near, value);
    }
    if (!refused)
        complain("unknown %s \"%.80s\"" NEAREST_FORMAT, o->name, given, NEAREST_ARG(near));
    mark_value(a, o, given);
    if (!near.best.len)
        complain("%s is one of:%s", o->name, buf_str(&list).s);
}

/* The value as its list spells it. A value that is in no list is left as it is. */
static const char *canonical(struct arena *a, const struct option *o, const char *given)
{
    struct str value;

    for (size_t i = 0; option_value(o, i, &value); i++)
        if (str_eq_nocase(value, str_from(given)))
            return str_format(a, "%.*s", STR_ARG(value)).s;
    return given;
}

static bool store(struct arena *a, const struct option *o, const char *value, struct arguments *out)
{
    void *target = (char *)(o->own ? out->given : (void *)out) + o->target;

    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)target = true;
        return true;
    case OPTION_WORD:
    case OPTION_TEXT:
        if (*(const char **)target) {
            complain("%s is given twice", o->name);
            return false;
        }
        *(const char **)target = o->kind == OPTION_WORD ? o->word : canonical(a, o, value);
        if (!o->closed || is_among(o, *(const char **)target))
            return true;
        complain_of_value(a, o, value, false);
        return false;
    case OPTION_LIST:
        LIST_PUSH(a, (struct texts *)target, value);
        return true;
    case OPTION_RULE:
        LIST_PUSH(a, (struct given_rules *)target, (warder_rule){o->behavior, value});
        return true;
    }
    return false;
}

/* An option after an option that needs a value means that the value was forgotten: "--deny --json".
 */
static const char *separate_value(const struct option *const *tables, const struct option *o,
                                  const char *word)
{
    if (!word || find(tables, str_from(word))) {
        complain(word ? "%s needs a value; write %s=%s if %s is meant" : "%s needs a value",
                 o->name, o->name, word, word);
        return NULL;
    }
    return word;
}

static void complain_of_unknown(const struct option *const *tables, struct str name)
{
    struct nearest near = nearest_to(name);

    for (size_t t = 0; t < OPTION_TABLES_MAX && tables[t]; t++)
        for (const struct option *o = tables[t]; o->name; o++)
            nearest_try(&near, str_from(o->name));
    if (near.best.len)
        complain("unknown option %.*s; did you mean %.*s?", STR_ARG(name), STR_ARG(near.best));
    else
        complain("unknown option %.*s", STR_ARG(name));
}

static bool takes_value(const struct option *o)
{
    return o->kind != OPTION_FLAG && o->kind != OPTION_WORD;
}

/* Reads the option in words[0]. Returns how many words it took; 0 after a complaint. */
static size_t take(struct arena *a, const struct option *const *tables, const char *const *words,
                   size_t count, struct arguments *out)
{
    struct str name, value;
    bool attached = str_cut(str_from(words[0]), '=', &name, &value);
    const struct option *o = find(tables, name);
    size_t used = 1;

    if (!o) {
        complain_of_unknown(tables, name);
        return 0;
    }
    if (!takes_value(o) && attached) {
        complain("%s takes no value", o->name);
        return 0;
    }
    if (takes_value(o) && !attached) {
        value = str_from(separate_value(tables, o, count > 1 ? words[1] : NULL));
        used = 2;
    }
    if (takes_value(o) && value.len == 0) {
        /* An empty value is mostly a variable that was not set; it must not read as "not given". */
        if (value.s)
            complain("%s needs a value, and this one is empty", o->name);
        return 0;
    }
    return store(a, o, value.s, out) ? used : 0;
}

/* The size of the struct given that the command's own options are members of. */
static size_t size_of_given(const struct option *const *tables)
{
    for (size_t t = 0; t < OPTION_TABLES_MAX && tables[t]; t++)
        for (const struct option *o = tables[t]; o->name; o++)
            if (o->own)
                return o->own;
    return 0;
}

bool options_parse(struct arena *a, const struct option *const tables[OPTION_TABLES_MAX],
                   size_t count, const char *const *words, struct arguments *out)
{
    size_t size = size_of_given(tables);
    bool operands_only = false;

    if (size)
        out->given = arena_alloc(a, 1, size);
    for (size_t i = 0; i < count;) {
        const char *word = words[i];
        if (operands_only || word[0] != '-' || word[1] == '\0') {
            LIST_PUSH(a, &out->operands, word);
            i++;
        } else if (strcmp(word, "--") == 0) {
            operands_only = true;
            out->dashes_first = out->operands.count == 0;
            out->before_dashes = out->operands.count;
            i++;
        } else {
            size_t used = take(a, tables, words + i, count - i, out);
            if (!used)
                return false;
            i += used;
        }
    }
    if (!operands_only)
        out->before_dashes = out->operands.count;
    return true;
}

void options_name_values(struct arena *a, const struct option *const tables[OPTION_TABLES_MAX],
                         const struct arguments *args)
{
    const void *named = NULL; /* what an option of two names said is explained once */

    for (size_t t = 0; t < OPTION_TABLES_MAX && tables[t]; t++)
        for (const struct option *o = tables[t]; o->name; o++) {
            const void *target = option_target(o, args);
            const char *given = o->values || o->more_values ? *(const char *const *)target : NULL;
            if (!given || is_among(o, given) || target == named)
                continue;
            complain_of_value(a, o, given, true);
            named = target;
        }
}
