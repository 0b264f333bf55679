/* fuzz_policy.c - fuzzes the policy readers (src/edge/policy, src/edge/document, rule_parse()): any
 * text as a policy file.
 *
 * The first byte chooses syntax and format, the rest is the text. Property: no incomplete rules,
 * such as one without its text or with a regular expression that is not compiled. */
#include <stdint.h>
#include <stdlib.h>

#include "document/document.h"
#include "policy/schema.h"
#include "programs/programs.h"

#define MEMORY ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    struct arena arena;
    struct rulebook book;
    struct regexes regexes;
    enum syntax syntax;
    enum format format;
    bool trusted;
    struct str text;
};

static void run(void *arg)
{
    static const unsigned char rank[SOURCE_COUNT];
    struct input *in = arg;
    struct value document;
    struct policy_reader r = {.arena = &in->arena,
                              .book = &in->book,
                              .regexes = &in->regexes,
                              .rank = rank,
                              .file = STR("policy"),
                              .source = in->trusted ? SOURCE_USER : SOURCE_PROJECT,
                              .project = STR("/p"),
                              .home = STR("/home/u"),
                              .trusted = in->trusted};

    if (document_read(&in->arena, in->syntax, in->text, &document, NULL))
        return;
    schema_read(&r, in->format ? in->format : schema_recognise(r.file, &document), &document);
    programs_finish(&in->book);
}

static void check(const struct input *in)
{
    for (size_t i = 0; i < in->book.rules.count; i++) {
        const struct rule *r = &in->book.rules.items[i];
        if (r->text.len == 0 || r->line == 0 ||
            (rule_more(r)->regex.len && !rule_more(r)->regex_code))
            abort();
        if (r->effect == BEHAVIOR_ALLOW && !in->trusted)
            abort();
    }
    for (size_t i = 0; in->book.programs && i < in->book.programs->count; i++)
        if (program_added_fault(&in->book.programs->items[i]) || !in->trusted ||
            program_added(in->book.programs, str_from(in->book.programs->items[i].name)) !=
                &in->book.programs->items[i])
            abort();
    for (size_t i = 0; i < in->book.problems.count; i++)
        if (in->book.problems.items[i].message.len == 0 || in->book.problems.items[i].line == 0)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {0};

    if (size == 0)
        return 0;
    in.syntax = (enum syntax)(data[0] % 4);
    in.format = (enum format)(data[0] / 4 % FORMAT_COUNT);
    in.trusted = data[0] < 128;
    in.text = (struct str){(const char *)data + 1, size - 1};
    arena_init(&in.arena, MEMORY);
    if (arena_try(&in.arena, run, &in))
        check(&in);
    regexes_release(&in.regexes);
    arena_release(&in.arena);
    return 0;
}
