/* fuzz_journal.c - fuzzes src/edge/record/chain.c, stamp.c and journal_verify.c: journal lines from
 * an attacker.
 *
 * Properties: chain_write() would write each accepted record in the same way, and a text that
 * verifies is a chain from its first to its last record. */
#include <stdint.h>
#include <stdlib.h>

#include "record/journal_verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writing this body at this place must give the same line. */
static void write_again(struct str line, const struct chain_link *link)
{
    struct chain_head head = {.n = link->n - 1};
    int64_t at;
    char out[4096 + CHAIN_FRAME];

    if (!stamp_parse(link->at, &at))
        abort();
    memcpy(head.hash, link->prev.s, link->prev.len);
    if (link->n == 1 && !str_is(link->prev, CHAIN_START))
        return; /* a valid line, but not at this place: chain_follow() refuses it */
    size_t len = chain_write(&head, at, link->body, out);
    if (!str_eq((struct str){out, len - 1}, line))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size};
    struct journal_verdict verdict;
    struct journal_walk walk;
    struct journal_line line = {.segment = 1, .first = true};

    if (size > 4096)
        return 0;
    verify_begin(&walk, &verdict, NULL, 0);
    while (rest.len) {
        struct chain_link link;
        line.torn = !str_cut(rest, '\n', &line.text, &rest);
        line.line++;
        verify_line(&walk, &line);
        if (!line.torn && !chain_read(line.text, &link))
            write_again(line.text, &link);
        line.first = false;
        if (line.torn)
            break;
    }
    verify_end(&walk);
    if (!verdict.problem_count && verdict.records &&
        verdict.head.n != verdict.first + verdict.records - 1)
        abort();
    return 0;
}
