/* layers.c - the table of all layers, and how they give their opinion. */
#include "decide/layer.h"

const struct layer layers[LAYER_COUNT] = {
#define LAYER(id, kind, function, name, sentence)                                                  \
    [LAYER_##id] = {name, sentence, .kind = layer_##function},
#include "decide/layers.def"
#undef LAYER
};

const struct said *say_all(const struct facts *f, struct said said)
{
    struct said *kept = arena_room(f->arena, 1, sizeof(*kept));

    *kept = said;
    return kept;
}

const struct said *say(const struct facts *f, enum opinion opinion, struct str reason)
{
    static const struct said allow = {.opinion = SAY_ALLOW,
                                      .action = WHOLE_CALL}; /* the most frequent one */

    if (opinion == SAY_ALLOW && reason.len == 0)
        return &allow;
    return say_all(f, (struct said){.opinion = opinion, .action = WHOLE_CALL, .reason = reason});
}

const struct said *say_immune_ask(const struct facts *f, size_t action, struct str reason)
{
    return say_all(
        f, (struct said){.opinion = SAY_ASK, .action = action, .reason = reason, .immune = true});
}

/* "deny rule Bash(curl:*) (user, settings.json:12): network request" */
struct said *say_rule(const struct facts *f, enum opinion opinion, const struct rule *rule,
                      size_t action)
{
    struct buf b = buf_in(f->arena);

    buf_text(&b, behavior_name(rule->effect));
    buf_text(&b, " rule ");
    buf_add(&b, rule->text);
    buf_text(&b, " (");
    buf_text(&b, source_name(rule->source));
    if (rule->file.len) {
        buf_text(&b, ", ");
        buf_add(&b, rule->file);
        buf_byte(&b, ':');
        buf_number(&b, rule->line);
    }
    buf_byte(&b, ')');
    if (rule_about(rule)->reason.len) {
        buf_text(&b, ": ");
        buf_add(&b, rule_about(rule)->reason);
    }
    struct said *said = ARENA_NEW(f->arena, struct said);
    *said =
        (struct said){.opinion = opinion, .rule = rule, .action = action, .reason = buf_str(&b)};
    /* The authors of an untrusted project could address the model through the rule's text. */
    if (rule->untrusted)
        said->message =
            str_format(f->arena, "a %s rule of this project matched%s", behavior_name(rule->effect),
                       rule->kept ? ", kept from the start of the session" : "");
    return said;
}
