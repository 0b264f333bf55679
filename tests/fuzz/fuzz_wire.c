/* fuzz_wire.c - fuzzes src/prog/serve/{head,frame}.c: what clients send to the service before they
 * have logged in.
 *
 * The input is used as the head of a request, as a query, as a list of words and as a frame.
 * Properties: no read past the input; an accepted head has no byte at which another reader could
 * end a line; the result does not depend on what follows, and nothing is accepted before it is
 * complete. */
#include <stdint.h>
#include <stdlib.h>

#include "../../src/prog/serve/bytes.c"
#include "../../src/prog/serve/frame.c"
#include "../../src/prog/serve/head.c"

#define LARGEST 4096

static void must(bool holds)
{
    if (!holds)
        abort();
}

const char *method_name(enum method m)
{
    static const char *const names[] = {"", "GET", "POST", "PUT", "DELETE"};

    return names[m];
}

static bool lies_in(struct str part, struct str whole)
{
    return !part.s || (part.s >= whole.s && part.s + part.len <= whole.s + whole.len);
}

/* Every line feed follows a carriage return, and every carriage return precedes a line feed. */
static bool has_plain_lines(struct str head)
{
    for (size_t i = 0; i < head.len; i++)
        if ((head.s[i] == '\n' && (i == 0 || head.s[i - 1] != '\r')) ||
            (head.s[i] == '\r' && (i + 1 == head.len || head.s[i + 1] != '\n')) ||
            head.s[i] == '\0')
            return false;
    return true;
}

static void check_head(struct str bytes)
{
    const char *detail = NULL;
    struct head head;
    size_t len = head_length(bytes);

    must(len <= bytes.len);
    if (len == 0)
        return;
    must(head_length(str_slice(bytes, 0, len)) == len &&
         head_length(str_slice(bytes, 0, len - 1)) == 0);
    bytes = str_slice(bytes, 0, len);
    if (head_read(bytes, &head, &detail)) {
        must(detail != NULL);
        return;
    }
    must(has_plain_lines(bytes) && head.path.len && head.path.s[0] == '/');
    must(lies_in(head.path, bytes) && lies_in(head.query, bytes));
    for (size_t i = 0; i < HEADER_COUNT; i++)
        must(lies_in(head.headers[i], bytes));
}

static void check_query(struct str bytes)
{
    static struct query query;

    if (!head_query(bytes, &query))
        return;
    must(query.count <= QUERY_MAX);
    for (size_t i = 0; i < query.count; i++) {
        const struct parameter *p = &query.items[i];
        must(p->name.len < QUERY_VALUE_MAX && p->value.len < QUERY_VALUE_MAX &&
             p->value.s[p->value.len] == '\0');
        must(strlen(p->value.s) == p->value.len);
    }
}

/* Uses a block of the exact size, so that an overrun is detected. */
static void check_frame(struct str bytes)
{
    char payload[FRAME_CONTROL_MAX];
    size_t used = 0, len = 0;
    enum frame_kind kind = frame_read(bytes, &used, payload, &len);

    if (kind == FRAME_NONE || kind == FRAME_BAD || kind == FRAME_UNWANTED)
        return;
    must(used <= bytes.len && len <= FRAME_CONTROL_MAX && used == 6 + len);
    for (size_t cut = 0; cut < used; cut++)
        must(frame_read(str_slice(bytes, 0, cut), &used, payload, &len) == FRAME_NONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char accept[FRAME_ACCEPT_MAX];
    struct str bytes = {(const char *)data, size};

    if (size > LARGEST)
        return 0;
    check_head(bytes);
    check_query(bytes);
    check_frame(bytes);
    (void)head_lists(bytes, STR("upgrade"));
    if (frame_accept(bytes, accept))
        must(size == 24);
    return 0;
}
