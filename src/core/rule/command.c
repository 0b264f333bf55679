#include "rule/command.h"

#include "rule/index_program.h"

static struct rule_reading reading_of(const struct rule *r)
{
    const struct rule_more *more = rule_more(r);

    if (r->matcher == MATCH_FIELD)
        return (struct rule_reading){.matcher = MATCH_GLOB, .pattern = more->field_pattern};
    return more->has_unquoted ? more->unquoted
                              : (struct rule_reading){.matcher = r->matcher, .pattern = r->pattern};
}

bool rule_is_on_commands(const struct rule *r)
{
    if (r->effect == BEHAVIOR_ALLOW || r->access)
        return false;
    switch (r->matcher) {
    case MATCH_EXACT:
    case MATCH_PREFIX:
    case MATCH_STARTS:
    case MATCH_GLOB:
    case MATCH_SUBSTRING:
    case MATCH_FIELD:
    case MATCH_ACTION:
        return true;
    case MATCH_ANY: /* of a whole tool, which needs no other spelling */
        return rule_more(r)->flags.count || rule_more(r)->regex.len;
    case MATCH_PATH:
    case MATCH_DOMAIN:
        return false;
    }
    return false;
}

static bool is_glob(const struct rule_reading *r)
{
    return r->matcher == MATCH_GLOB || r->matcher == MATCH_ACTION;
}

struct str rule_program(const struct rule *r)
{
    struct rule_reading reading = reading_of(r);
    struct str rest = reading.pattern, word;

    if (reading.matcher == MATCH_SUBSTRING || reading.matcher == MATCH_ANY ||
        !str_next_word(&rest, &word))
        return (struct str){0};
    for (size_t i = 0; is_glob(&reading) && i < word.len; i++)
        if (strchr("*?[{\\", word.s[i]))
            return (struct str){0};
    return reading.matcher == MATCH_STARTS && !rest.len ? (struct str){0} : word;
}

static struct rule_word glob_word(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);
    bool wild = false;

    for (size_t i = 0; i < text.len; i++) {
        wild |= strchr("*?[{", text.s[i]) != NULL;
        if (text.s[i] == '\\' && i + 1 < text.len)
            i++;
        buf_byte(&b, text.s[i]);
    }
    return (struct rule_word){buf_str(&b), wild};
}

struct rule_words rule_words(struct arena *a, const struct rule *r)
{
    struct rule_reading reading = reading_of(r);
    struct str rest = reading.pattern, word;
    struct rule_words out = {0};

    if (reading.matcher == MATCH_SUBSTRING || reading.matcher == MATCH_ANY)
        return out;
    while (str_next_word(&rest, &word))
        LIST_PUSH(a, &out,
                  is_glob(&reading) ? glob_word(a, word) : (struct rule_word){word, false});
    if (reading.matcher == MATCH_STARTS && out.count) {
        struct rule_word *last = &out.items[out.count - 1];
        *last = (struct rule_word){str_join(a, last->text, STR("*")), true};
    } else if (reading.matcher == MATCH_PREFIX) {
        LIST_PUSH(a, &out, (struct rule_word){STR("*"), true});
    }
    return out;
}

const struct rule *rulebook_first_on_commands(const struct rulebook *b)
{
    if (b->index) {
        uint32_t place = rule_index_first_on_commands(b->index);
        return place == INDEX_NO_RULE ? NULL : &b->rules.items[place];
    }
    for (size_t i = 0; i < b->rules.count; i++)
        if (rule_is_on_commands(&b->rules.items[i]))
            return &b->rules.items[i];
    return NULL;
}

bool rulebook_may_name(const struct rulebook *b, char first)
{
    return !b->index || index_may_name(b->index, first);
}

bool rulebook_may_name_one(const struct rulebook *b, size_t list)
{
    return !b->index || index_may_name_one(b->index, list);
}

bool rulebook_may_name_other(const struct rulebook *b, char first)
{
    return !b->index || index_may_name_other(b->index, first);
}

static void add_by_looking(struct arena *a, const struct rulebook *b, struct str program,
                           struct rule_places *out)
{
    for (uint32_t i = 0; i < b->rules.count; i++) {
        const struct rule *r = &b->rules.items[i];
        if (!rule_is_on_commands(r))
            continue;
        struct str named = rule_program(r);
        if (!named.len || str_eq(named, program))
            LIST_PUSH(a, out, i);
    }
}

struct rule_places rulebook_on_program(struct arena *a, const struct rulebook *b,
                                       struct str program)
{
    struct rule_places out = {0};

    if (b->index)
        return index_on_program(a, b->index, &b->rules, program);
    add_by_looking(a, b, program, &out);
    return out;
}
