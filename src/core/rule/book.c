#include "rule/book.h"

#include "base/sha256.h"
#include "rule/index.h"

const struct problem *rulebook_broken(const struct rulebook *b)
{
    for (size_t i = 0; i < b->problems.count; i++)
        if (b->problems.items[i].fatal)
            return &b->problems.items[i];
    return NULL;
}

bool rulebook_may_pause(const struct rulebook *b)
{
    return !b->pause_off && !b->bypass_disabled && !b->managed_rules_only;
}

bool rulebook_is_managed(const struct rulebook *b)
{
    for (size_t i = 0; i < b->files.count; i++)
        if (b->files.items[i].source == SOURCE_MANAGED && b->files.items[i].found)
            return true;
    return false;
}

const char *hook_event_name(enum hook_event e)
{
    static const char *const names[] = {[HOOK_PRE_TOOL_USE] = "PreToolUse",
                                        [HOOK_PERMISSION_REQUEST] = "PermissionRequest",
                                        [HOOK_CLASSIFIER] = "Classifier"};

    return names[e];
}

bool rulebook_has_hooks(const struct rulebook *b, bool foreign)
{
    for (size_t i = 0; i < b->hooks.count; i++)
        if (b->hooks.items[i].foreign == foreign)
            return true;
    return false;
}

void rulebook_index(struct arena *a, struct rulebook *b, const struct word_lists *lists)
{
    b->index = rule_index_build(a, &b->rules, lists);
}

static void add_rule(struct sha256 *h, const struct rule *r)
{
    const struct rule_more *more = rule_more(r);
    const uint8_t how[] = {(uint8_t)r->effect, (uint8_t)r->source, (uint8_t)r->dialect};

    sha256_add(h, (struct str){(const char *)how, sizeof(how)});
    sha256_add_part(h, r->text);
    sha256_add_part(h, more->scope);
    sha256_add_part(h, more->session);
}

void rulebook_fingerprint(struct arena *a, struct rulebook *b, struct str from)
{
    const uint8_t mode[] = {b->mode.given, (uint8_t)b->mode.mode};
    uint8_t hash[SHA256_BYTES];
    char text[SHA256_HEX];
    struct sha256 h;

    sha256_init(&h);
    sha256_add_part(&h, from);
    sha256_add(&h, (struct str){(const char *)mode, sizeof(mode)});
    for (size_t i = 0; i < b->rules.count; i++)
        add_rule(&h, &b->rules.items[i]);
    for (size_t i = 0; i < b->directories.count; i++)
        sha256_add_part(&h, b->directories.items[i].path);
    sha256_end(&h, hash);
    sha256_hex(hash, text);
    b->fingerprint = str_copy(a, (struct str){text, FINGERPRINT_LEN});
}

const struct rule *rulebook_first_on_paths(const struct rulebook *b)
{
    if (b->index) {
        uint32_t place = rule_index_first_on_paths(b->index);
        return place == INDEX_NO_RULE ? NULL : &b->rules.items[place];
    }
    for (size_t i = 0; i < b->rules.count; i++)
        if (b->rules.items[i].effect != BEHAVIOR_ALLOW && rule_is_on_paths(&b->rules.items[i]))
            return &b->rules.items[i];
    return NULL;
}

const struct rule *rulebook_first_on_effects(const struct rulebook *b)
{
    if (b->index) {
        uint32_t place = rule_index_first_on_effects(b->index);
        return place == INDEX_NO_RULE ? NULL : &b->rules.items[place];
    }
    for (size_t i = 0; i < b->rules.count; i++)
        if (b->rules.items[i].effect != BEHAVIOR_ALLOW && rule_more(&b->rules.items[i])->does)
            return &b->rules.items[i];
    return NULL;
}

static bool any_rule(const struct rulebook *b, bool (*is)(const struct rule *r))
{
    for (size_t i = 0; i < b->rules.count; i++)
        if (is(&b->rules.items[i]))
            return true;
    return false;
}

bool rulebook_on_effects(const struct rulebook *b)
{
    return b->index ? rule_index_on_effects(b->index) : any_rule(b, rule_is_on_effects);
}

bool rulebook_on_age(const struct rulebook *b)
{
    return b->index ? rule_index_on_age(b->index) : any_rule(b, rule_is_on_age);
}
