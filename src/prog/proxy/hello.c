#include "proxy/hello.h"

#define RECORD_HANDSHAKE 22
#define RECORD_HEAD      5
#define MESSAGE_HEAD     4
#define CLIENT_HELLO     1
#define RANDOM_BYTES     32
#define SERVER_NAME      0

/* What is left of a message; too short a one has none left, and is bad. */
struct cursor {
    struct str left;
    bool bad;
};

static struct str take(struct cursor *c, size_t len)
{
    struct str taken = str_slice(c->left, 0, len);

    c->bad |= taken.len < len;
    c->left = str_from_byte(c->left, taken.len);
    return taken;
}

static size_t take_number(struct cursor *c, size_t bytes)
{
    struct str text = take(c, bytes);
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n = n << 8 | (unsigned char)text.s[i];
    return n;
}

/* A list with its length before it. */
static struct cursor take_list(struct cursor *c, size_t bytes)
{
    return (struct cursor){.left = take(c, take_number(c, bytes))};
}

/* ---- the message out of its records ---- */

struct gathered {
    char *room;
    size_t len;
    enum hello state; /* HELLO_NAMED: all of it is there */
};

static bool is_whole(const struct gathered *g)
{
    struct cursor c = {.left = {g->room, g->len}};

    if (g->len < MESSAGE_HEAD)
        return false;
    (void)take(&c, 1);
    return g->len >= MESSAGE_HEAD + take_number(&c, 3);
}

static struct gathered gather(struct str bytes, char *room)
{
    struct gathered g = {.room = room, .state = HELLO_MORE};

    while (bytes.len && !is_whole(&g)) {
        struct cursor c = {.left = bytes};
        const size_t kind = take_number(&c, 1), major = take_number(&c, 1);
        if (kind != RECORD_HANDSHAKE || (bytes.len > 1 && major != 3)) {
            g.state = g.len ? HELLO_BAD : HELLO_OTHER;
            return g;
        }
        (void)take(&c, 1);
        struct str piece = take(&c, take_number(&c, 2));
        if (c.bad)
            return g;
        if (piece.len == 0 || g.len + piece.len > HELLO_MAX) {
            g.state = HELLO_BAD;
            return g;
        }
        memcpy(room + g.len, piece.s, piece.len);
        g.len += piece.len;
        bytes = c.left;
    }
    if (is_whole(&g))
        g.state = HELLO_NAMED;
    return g;
}

/* ---- its meaning, RFC 8446 4.1.2 and RFC 6066 3 ---- */

static enum hello read_server_name(struct cursor extension, struct str *name)
{
    struct cursor list = take_list(&extension, 2);
    const size_t kind = take_number(&list, 1);

    *name = take_list(&list, 2).left;
    /* one name: a second one could be the one that counts */
    return list.bad || extension.bad || kind != 0 || list.left.len || extension.left.len ||
                   name->len == 0
               ? HELLO_BAD
               : HELLO_NAMED;
}

static enum hello read_extensions(struct cursor extensions, struct str *name)
{
    enum hello found = HELLO_UNNAMED;

    while (extensions.left.len) {
        const size_t kind = take_number(&extensions, 2);
        struct cursor one = take_list(&extensions, 2);
        if (extensions.bad || (kind == SERVER_NAME && found != HELLO_UNNAMED))
            return HELLO_BAD;
        if (kind == SERVER_NAME && (found = read_server_name(one, name)) == HELLO_BAD)
            return HELLO_BAD;
    }
    return found;
}

static enum hello read_message(struct str message, struct str *name)
{
    struct cursor c = {.left = message};
    const size_t kind = take_number(&c, 1);
    struct cursor body = take_list(&c, 3);

    if (kind != CLIENT_HELLO)
        return HELLO_BAD;
    (void)take(&body, 2 + RANDOM_BYTES);
    (void)take_list(&body, 1); /* the session */
    (void)take_list(&body, 2); /* ciphers */
    (void)take_list(&body, 1); /* compression */
    if (!body.bad && body.left.len == 0)
        return HELLO_UNNAMED;
    struct cursor extensions = take_list(&body, 2);
    return body.bad || body.left.len ? HELLO_BAD : read_extensions(extensions, name);
}

enum hello hello_read(struct str bytes, struct str *name, char room[HELLO_MAX])
{
    struct gathered g = gather(bytes, room);

    *name = (struct str){0};
    return g.state == HELLO_NAMED ? read_message((struct str){room, g.len}, name) : g.state;
}
