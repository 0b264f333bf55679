#include "record/journal_verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"

static void problem(struct journal_walk *w, uint64_t n, const struct journal_line *line,
                    const char *why)
{
    struct journal_verdict *v = w->out;

    if (v->problem_count++ >= VERIFY_PROBLEMS_MAX)
        return;
    struct journal_problem *p = &v->problems[v->problem_count - 1];
    *p = (struct journal_problem){.n = n};
    if (line) {
        p->segment = line->segment;
        p->line = line->line;
    }
    snprintf(p->why, sizeof(p->why), "%s", why);
}

void verify_begin(struct journal_walk *w, struct journal_verdict *out,
                  const struct journal_anchor *anchors, size_t count)
{
    *out = (struct journal_verdict){0};
    *w = (struct journal_walk){.out = out, .anchors = anchors, .anchor_count = count};
}

/* ---- special records ---- */

static uint64_t number_member(struct str body, const char *key)
{
    char name[40];
    int len = snprintf(name, sizeof(name), "\"%s\":", key);
    const char *at = memmem(body.s, body.len, name, (size_t)len);
    uint64_t n = 0;

    for (at = at ? at + len : NULL; at && at < body.s + body.len && ascii_is_digit(*at); at++)
        n = n * 10 + (uint64_t)(*at - '0');
    return n;
}

/* Old segments were removed, up to the record that it names. If the rest begins right after that,
 * the hashes must agree; a crash may have left some of the old ones. */
static void take_retention(struct journal_walk *w, const struct chain_link *link,
                           const struct journal_line *line)
{
    uint64_t through = number_member(link->body, "removed_through");

    if (through > w->out->removed)
        w->out->removed = through;
    if (through + 1 < w->out->first)
        return;
    if (through + 1 == w->out->first && !str_is(chain_member(link->body, "head"), w->start))
        problem(w, link->n, line, "it names a different record as the one before the rest");
    w->start_known = true;
}

static void take_special(struct journal_walk *w, const struct chain_link *link,
                         const struct journal_line *line)
{
    struct str kind = chain_member(link->body, "kind");

    if (str_is(kind, "retention"))
        take_retention(w, link, line);
    else if (str_is(kind, "repair"))
        w->out->repairs++;
    if (str_starts(link->body, STR("\"clock\":\"")))
        w->out->clocks++;
}

/* ---- anchors ---- */

static void check_anchors(struct journal_walk *w, const struct chain_link *link,
                          const struct journal_line *line)
{
    while (w->anchor_next < w->anchor_count && w->anchors[w->anchor_next].n < link->n)
        w->anchor_next++;
    for (; w->anchor_next < w->anchor_count && w->anchors[w->anchor_next].n == link->n;
         w->anchor_next++) {
        if (!str_is(link->hash, w->anchors[w->anchor_next].hash))
            problem(w, link->n, line, "it is not the record of the anchor");
        else
            w->out->anchored = link->n;
    }
}

/* ---- the walk ---- */

static void begin_chain(struct journal_walk *w, const struct chain_link *link)
{
    w->begun = true;
    w->out->first = link->n;
    w->head.n = link->n - 1;
    memcpy(w->start, link->n == 1 ? CHAIN_START : link->prev.s, SHA256_HEX - 1);
    memcpy(w->head.hash, w->start, sizeof(w->start));
    w->start_known = link->n == 1;
}

void verify_line(struct journal_walk *w, const struct journal_line *line)
{
    struct chain_link link;
    const char *why = line->torn       ? "a write was cut off here; the next one moves it aside"
                      : line->too_long ? "the line is too long"
                                       : chain_read(line->text, &link);

    if (why) {
        problem(w, w->head.n + 1, line, why);
        w->begun = w->broken = true;
        w->head.n++;
        return;
    }
    if (!w->begun)
        begin_chain(w, &link);
    if (w->broken && link.n == w->head.n + 1)
        chain_take(&w->head, &link); /* what it follows is no longer known */
    else if ((why = chain_follow(&w->head, &link)) != NULL)
        problem(w, link.n, line, why);
    if (line->first && link.n != line->segment)
        problem(w, link.n, line, "the name of its file has a different number");
    w->broken = false;
    chain_take(&w->head, &link);
    w->out->records++;
    w->out->head = w->head;
    check_anchors(w, &link, line);
    take_special(w, &link, line);
}

void verify_end(struct journal_walk *w)
{
    if (w->begun && w->out->first > 1 && !w->start_known)
        problem(w, w->out->first - 1, NULL,
                "records up to this one are missing, and no record says that they were removed");
    for (; w->anchor_next < w->anchor_count; w->anchor_next++)
        problem(w, w->anchors[w->anchor_next].n, NULL,
                "it is missing at the end, but there is an anchor for it");
}

enum status journal_verify(const char *dir, const struct journal_anchor *anchors, size_t count,
                           struct journal_verdict *out, struct error *err)
{
    struct journal_reader reader;
    struct journal_walk walk;
    struct journal_line line;
    bool got = true;
    enum status status = journal_reader_open(&reader, dir, 0, err);

    verify_begin(&walk, out, anchors, count);
    while (status == STATUS_OK && got) {
        status = journal_next(&reader, true, &line, &got, err);
        if (status == STATUS_OK && got)
            verify_line(&walk, &line);
    }
    verify_end(&walk);
    journal_reader_close(&reader);
    return status;
}

/* ---- anchors ---- */

void anchor_print(const struct chain_head *head, char out[ANCHOR_SIZE])
{
    snprintf(out, ANCHOR_SIZE, "%" PRIu64 " %s %s", head->n, head->hash, head->at);
}

static struct str last_word(struct str *line)
{
    struct str rest = str_trim(*line);
    size_t blank = str_last_index(rest, ' ');
    struct str word = str_from_byte(rest, blank == STR_NONE ? 0 : blank + 1);

    *line = str_slice(rest, 0, rest.len - word.len);
    return word;
}

bool anchor_parse(struct str line, struct journal_anchor *out)
{
    struct str at = last_word(&line), hash = last_word(&line), number = last_word(&line);

    *out = (struct journal_anchor){0};
    if (!stamp_is(at) || hash.len != SHA256_HEX - 1 || !number.len || number.len > 19)
        return false;
    for (size_t i = 0; i < number.len; i++) {
        if (!ascii_is_digit(number.s[i]))
            return false;
        out->n = out->n * 10 + (uint64_t)(number.s[i] - '0');
    }
    memcpy(out->hash, hash.s, hash.len);
    return out->n > 0;
}

static int by_number(const void *a, const void *b)
{
    const struct journal_anchor *x = a, *y = b;

    return (x->n > y->n) - (x->n < y->n);
}

#define ANCHORS_MAX 1000000

static enum status read_anchors(FILE *f, const char *path, struct journal_anchor **out,
                                size_t *count, struct error *err)
{
    char line[1024];
    size_t room = 0;

    for (uint32_t number = 1; fgets(line, sizeof(line), f); number++) {
        struct journal_anchor anchor;
        if (!str_trim(str_from(line)).len)
            continue;
        if (!anchor_parse(str_from(line), &anchor))
            return fail_at(err, STATUS_SYNTAX, number, 1,
                           "%.150s:%" PRIu32 " is not a journal head", path, number);
        if (*count == room) {
            room = room ? room * 2 : 64;
            struct journal_anchor *bigger =
                room > ANCHORS_MAX ? NULL : realloc(*out, room * sizeof(anchor));
            if (!bigger)
                return fail(err, STATUS_LIMIT, "%s has too many lines", path);
            *out = bigger;
        }
        (*out)[(*count)++] = anchor;
    }
    return STATUS_OK;
}

enum status anchors_load(const char *path, struct journal_anchor **out, size_t *count,
                         struct error *err)
{
    FILE *f = fopen(path, "re");

    *out = NULL;
    *count = 0;
    if (!f)
        return fail(err, STATUS_IO, "cannot open %s", path);
    enum status status = read_anchors(f, path, out, count, err);
    if (ferror(f))
        status = fail(err, STATUS_IO, "cannot read %s", path);
    fclose(f);
    if (*count)
        qsort(*out, *count, sizeof(**out), by_number);
    return status;
}
