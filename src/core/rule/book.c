#include "rule/book.h"

#include "rule/index.h"

const struct problem *rulebook_broken(const struct rulebook *b)
{
    for (size_t i = 0; i < b->problems.count; i++)
        if (b->problems.items[i].fatal)
            return &b->problems.items[i];
    return NULL;
}

bool rulebook_is_managed(const struct rulebook *b)
{
    for (size_t i = 0; i < b->files.count; i++)
        if (b->files.items[i].source == SOURCE_MANAGED && b->files.items[i].found)
            return true;
    return false;
}

bool rulebook_has_hooks(const struct rulebook *b, bool foreign)
{
    for (size_t i = 0; i < b->hooks.count; i++)
        if (b->hooks.items[i].foreign == foreign)
            return true;
    return false;
}

void rulebook_index(struct arena *a, struct rulebook *b)
{
    b->index = rule_index_build(a, &b->rules);
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
