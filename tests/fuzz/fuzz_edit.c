/* fuzz_edit.c - fuzzes policy/edit_{plan,list,toml,yaml,text}.c: adds a rule to any text as a
 * policy file.
 *
 * The first byte chooses file, format and effect, the rest is the text. Property: the result is
 * nothing, or the old text with one insertion, and adding the same rule again changes nothing. */
#include <stdint.h>
#include <stdlib.h>

#include "policy/edit.h"

#define MEMORY ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct arena *a, struct str path, struct str text, enum format format,
                  const struct edit_rule *rule)
{
    struct edit once, twice;

    if (edit_plan(a, path, text, format, rule, &once, NULL) || once.already)
        return;
    if (!str_eq(str_slice(once.result, 0, once.at), str_slice(text, 0, once.at)) ||
        !str_eq(str_from_byte(once.result, once.at + once.insert.len),
                str_from_byte(text, once.at)))
        abort();
    if (edit_plan(a, path, once.result, format, rule, &twice, NULL) == STATUS_OK && !twice.already)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct str paths[] = {
        {"settings.json", 13}, {"warder.yaml", 11}, {"permissions.toml", 16}, {"x", 1}};
    struct edit_rule rule = {.text = STR("Bash:git \"x\" *"), .dialect = DIALECT_FIRST_ARG};
    struct arena a;

    if (size == 0)
        return 0;
    rule.effect = (enum behavior)(data[0] / 20 % 3);
    arena_init(&a, MEMORY);
    check(&a, paths[data[0] % 4], (struct str){(const char *)data + 1, size - 1},
          (enum format)(data[0] / 4 % FORMAT_COUNT), &rule);
    arena_release(&a);
    return 0;
}
