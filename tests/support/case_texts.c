#include "support/case_texts.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/shared.h"

struct reader {
    struct arena *arena;
    const char *file;
    struct case_texts *texts; /* NULL: rules are read */
    struct strs *rules;
};

static struct reader reader; /* nftw() hands nothing over */

static void add(enum case_kind kind, struct str tool, struct str text)
{
    const struct case_text t = {kind, str_copy(reader.arena, tool), text};

    LIST_PUSH(reader.arena, reader.texts, t);
}

static struct str unescaped(struct str text)
{
    struct buf b = buf_in(reader.arena);
    static const char from[] = "nt\\", to[] = "\n\t\\";

    for (size_t i = 0; i < text.len; i++) {
        const char *e = text.s[i] == '\\' && i + 1 < text.len && text.s[i + 1]
                            ? strchr(from, text.s[i + 1])
                            : NULL;
        buf_byte(&b, e ? to[e - from] : text.s[i]);
        i += e ? 1 : 0;
    }
    return buf_str(&b);
}

/* ⏎ ␉ ␍ in tests/cases/shell */
static struct str unpictured(struct str text)
{
    static const struct {
        const char *picture;
        char byte;
    } marks[] = {{"⏎", '\n'}, {"␉", '\t'}, {"␍", '\r'}};
    struct buf b = buf_in(reader.arena);

    for (size_t i = 0; i < text.len; i++) {
        size_t m = 0;
        while (m < COUNT(marks) && !str_starts(str_from_byte(text, i), str_from(marks[m].picture)))
            m++;
        buf_byte(&b, m < COUNT(marks) ? marks[m].byte : text.s[i]);
        i += m < COUNT(marks) ? strlen(marks[m].picture) - 1 : 0;
    }
    return buf_str(&b);
}

static void shell_line(struct str line)
{
    if (str_starts(line, STR("$ ")))
        add(CASE_SHELL, STR("Bash"), unpictured(str_from_byte(line, 2)));
    else if (line.len && line.s[0] != '%' && line.s[0] != ' ')
        add(CASE_SHELL, STR("Bash"), unpictured(line));
}

/* git -C sub status | | R:sub P:sub */
static void program_line(struct str line)
{
    size_t bar = line.len;

    while (bar > 0 && !str_starts(str_from_byte(line, bar), STR(" | ")))
        bar--;
    if (line.len && line.s[0] != '#' && bar > 0)
        add(CASE_PROGRAM, STR("Bash"),
            str_copy(reader.arena, str_slice(line, 0, str_index(line, '|'))));
}

static bool is_one_of(struct str word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_is(word, list[i]))
            return true;
    return false;
}

static void call_line(struct str line)
{
    static const char *const verbs[] = {"ALLOW", "ASK", "DENY"}, *const effects[] = {"allow", "ask",
                                                                                     "deny"};
    struct str verb, rest, tool, text;

    str_cut(line, ' ', &verb, &rest);
    rest = str_trim(rest);
    if (reader.rules && is_one_of(verb, effects, COUNT(effects)))
        LIST_PUSH(reader.arena, reader.rules, str_copy(reader.arena, rest));
    if (!reader.texts || !is_one_of(verb, verbs, COUNT(verbs)))
        return;
    str_cut(rest, ' ', &tool, &text);
    text = str_trim(text);
    add(CASE_CALL, tool,
        text.len && text.s[0] == '{' ? str_copy(reader.arena, text) : unescaped(text));
}

static void one_line(struct str line)
{
    if (!strstr(reader.file, "/cases/shell/") && !strstr(reader.file, "/cases/programs/"))
        call_line(line);
    else if (reader.texts && strstr(reader.file, "/cases/shell/"))
        shell_line(line);
    else if (reader.texts)
        program_line(line);
}

static int visit(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    size_t len;

    (void)st;
    (void)ftw;
    if (kind != FTW_F || !str_ends(str_from(path), STR(".case")))
        return 0;
    char *whole = read_whole_file(path, &len);
    struct str rest = str_copy(reader.arena, (struct str){whole, len}), line;
    free(whole);
    reader.file = path;
    while (rest.len) {
        str_cut(rest, '\n', &line, &rest);
        one_line(line);
    }
    return 0;
}

static void visit_all(struct arena *a, struct case_texts *texts, struct strs *rules)
{
    reader = (struct reader){.arena = a, .texts = texts, .rules = rules};
    nftw(source_path("tests/cases"), visit, 8, FTW_PHYS);
    nftw(source_path("tests/conformance"), visit, 8, FTW_PHYS);
}

static int by_text(const void *a, const void *b)
{
    const struct case_text *x = a, *y = b;
    int d = str_compare(x->text, y->text);

    return d ? d : (d = str_compare(x->tool, y->tool)) ? d : (int)x->kind - (int)y->kind;
}

static int by_bytes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Sorted: the order of a directory is chance. */
void case_texts_read(struct arena *a, struct case_texts *out)
{
    visit_all(a, out, NULL);
    qsort(out->items, out->count, sizeof(out->items[0]), by_text);
}

void case_rules_read(struct arena *a, struct strs *out)
{
    visit_all(a, NULL, out);
    qsort(out->items, out->count, sizeof(out->items[0]), by_bytes);
}
