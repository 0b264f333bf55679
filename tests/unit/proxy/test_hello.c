/* The server that a tunnel's TLS names: in one piece or many, and what could hide another name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "proxy/hello.h"
#include "proxy/lookup.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define STR_OF(literal)                                                                            \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

/* ---- messages ---- */

struct message {
    char bytes[20000];
    size_t len;
};

static void add(struct message *m, struct str s)
{
    assert_true(m->len + s.len <= sizeof(m->bytes));
    memcpy(m->bytes + m->len, s.s, s.len);
    m->len += s.len;
}

static void add_number(struct message *m, size_t n, size_t bytes)
{
    while (bytes-- > 0) {
        char byte = (char)(n >> (8 * bytes) & 0xff);
        add(m, (struct str){&byte, 1});
    }
}

/* With its length before it. */
static void add_list(struct message *m, struct str s, size_t bytes)
{
    add_number(m, s.len, bytes);
    add(m, s);
}

static struct str text_of(const struct message *m)
{
    return (struct str){m->bytes, m->len};
}

static struct message server_name(const char *name)
{
    struct message names = {0}, extension = {0};

    add_number(&names, 0, 1);
    add_list(&names, str_from(name), 2);
    add_list(&extension, text_of(&names), 2);
    return extension;
}

/* Everything before the extensions. */
static struct message start(void)
{
    struct message body = {0};
    static const char version_and_random[34] = {3, 3};

    add(&body, (struct str){version_and_random, sizeof(version_and_random)});
    add_list(&body, STR("session"), 1);
    add_list(&body, STR("\x13\x01"), 2);
    add_list(&body, (struct str){"\0", 1}, 1);
    return body;
}

static struct message hello_of(struct str body)
{
    struct message m = {0};

    add_number(&m, 1, 1);
    add_list(&m, body, 3);
    return m;
}

/* In records of so many bytes each. */
static struct message in_records(struct str message, size_t each)
{
    struct message m = {0};

    for (size_t at = 0; at < message.len; at += each) {
        add(&m, STR("\x16\x03\x01"));
        add_list(&m, str_slice(message, at, at + each < message.len ? at + each : message.len), 2);
    }
    return m;
}

static void add_extension(struct message *extensions, size_t kind, struct str content)
{
    add_number(extensions, kind, 2);
    add_list(extensions, content, 2);
}

static struct message with_extensions(struct str extensions)
{
    struct message body = start();

    add_list(&body, extensions, 2);
    return hello_of(text_of(&body));
}

static struct message naming(const char *name)
{
    struct message extensions = {0}, sni = server_name(name);

    add_extension(&extensions, 43, STR("\x02\x03\x04"));
    add_extension(&extensions, 0, text_of(&sni));
    add_extension(&extensions, 10, STR("\x00"));
    return with_extensions(text_of(&extensions));
}

/* ---- what is read ---- */

static char room[HELLO_MAX];

static void reads(struct str bytes, enum hello wanted, const char *name)
{
    struct str got;

    assert_int_equal(hello_read(bytes, &got, room), wanted);
    if (wanted == HELLO_NAMED)
        assert_true(str_is(got, name));
}

static void a_name_in_any_pieces(void **state)
{
    const struct message m = naming("example.org");
    static const size_t sizes[] = {1, 2, 3, 4, 5, 50, 10000};

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const struct message records = in_records(text_of(&m), sizes[i]);
        const struct str bytes = text_of(&records);
        reads(bytes, HELLO_NAMED, "example.org");
        for (size_t len = 0; len < bytes.len; len++)
            reads(str_slice(bytes, 0, len), HELLO_MORE, NULL);
    }
    /* what follows the message is not looked at */
    struct message more = in_records(text_of(&m), 10000);
    add(&more, STR("\x17\x03\x03xyz"));
    reads(text_of(&more), HELLO_NAMED, "example.org");
}

static void no_tls_at_all(void **state)
{
    (void)state;
    reads(STR("SSH-2.0"), HELLO_OTHER, NULL);
    reads(STR("\x15\x03\x01"), HELLO_OTHER, NULL);
    reads(STR("\x16\x02"), HELLO_OTHER, NULL);
    reads(STR("\x16"), HELLO_MORE, NULL);
    reads(STR("\x16\x03"), HELLO_MORE, NULL);
    /* ... but once it has begun */
    const struct message m = naming("example.org");
    struct message records = in_records(str_slice(text_of(&m), 0, 20), 10);
    add(&records, STR("\x15\x03\x01"));
    reads(text_of(&records), HELLO_BAD, NULL);
    reads(STR("\x16\x03\x01\x00\x00"), HELLO_BAD, NULL);
}

static void no_name(void **state)
{
    const struct message body = start(), old = hello_of(text_of(&body)),
                         none = with_extensions(STR(""));
    struct message other = {0};

    (void)state;
    add_extension(&other, 43, STR("\x02\x03\x04"));
    const struct message all[] = {old, none, with_extensions(text_of(&other))};
    for (size_t i = 0; i < COUNT(all); i++) {
        const struct message records = in_records(text_of(&all[i]), 10000);
        reads(text_of(&records), HELLO_UNNAMED, NULL);
    }
}

static void is_bad(const struct message *m)
{
    const struct message records = in_records(text_of(m), 10000);

    reads(text_of(&records), HELLO_BAD, NULL);
}

/* As the content of the extension for names. */
static void names_that_are_bad(void **state)
{
    static const struct str contents[] = {
        STR_OF(""),
        STR_OF("\0\x04\0\0\1"),         /* cut off */
        STR_OF("\0\x04\0\0\1ab"),       /* more after the list */
        STR_OF("\0\x05\0\0\1ab"),       /* more in the list */
        STR_OF("\0\x08\0\0\1a\0\0\1b"), /* two names */
        STR_OF("\0\x04\1\0\1a"),        /* another kind */
        STR_OF("\0\x03\0\0\0"),         /* an empty one */
        STR_OF("\0\x04\0\0\2a"),        /* longer than its list */
        STR_OF("\0\x05\0\0\1a"),        /* a list that is longer than its extension */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(contents); i++) {
        struct message extensions = {0};
        add_extension(&extensions, 0, contents[i]);
        const struct message m = with_extensions(text_of(&extensions));
        is_bad(&m);
    }
    struct message twice = {0}, sni = server_name("example.org");
    add_extension(&twice, 0, text_of(&sni));
    const struct message once = with_extensions(text_of(&twice));
    const struct message fine = in_records(text_of(&once), 10000);
    reads(text_of(&fine), HELLO_NAMED, "example.org");
    add_extension(&twice, 0, text_of(&sni));
    const struct message m = with_extensions(text_of(&twice));
    is_bad(&m);
}

static void messages_that_are_bad(void **state)
{
    struct message m = naming("example.org"), longer = {0}, body = start();

    (void)state;
    m.bytes[0] = 2; /* a server's */
    is_bad(&m);
    add(&body, STR("\0\1"));
    m = hello_of(text_of(&body)); /* extensions that are cut off */
    is_bad(&m);
    body = start();
    add_list(&body, STR(""), 2);
    add(&body, STR("x")); /* more after them */
    m = hello_of(text_of(&body));
    is_bad(&m);
    body = start();
    for (size_t len = 0; len < body.len; len++) {
        m = hello_of(str_slice(text_of(&body), 0, len));
        is_bad(&m);
    }
    add_extension(&longer, 43, STR("x"));
    for (size_t len = 1; len < longer.len; len++) {
        m = with_extensions(str_slice(text_of(&longer), 0, len));
        is_bad(&m);
    }
}

/* As long as a message may be, and one byte longer. */
static void a_message_has_an_end(void **state)
{
    static char padding[HELLO_MAX];
    struct message body = start();
    const size_t rest = HELLO_MAX - 4 - body.len - 2 - 4;

    (void)state;
    for (size_t more = 0; more < 2; more++) {
        struct message extensions = {0};
        add_extension(&extensions, 21, (struct str){padding, rest + more});
        const struct message m = with_extensions(text_of(&extensions));
        assert_int_equal(m.len, HELLO_MAX + more);
        const struct message records = in_records(text_of(&m), 10000);
        reads(text_of(&records), more ? HELLO_BAD : HELLO_UNNAMED, NULL);
    }
}

/* ---- questions for addresses ---- */

static void a_question_keeps_its_number_and_has_an_end(void **state)
{
    static const char question[] = "\x12\x34\x01\0\0\x01\0\0\0\0\0\0\7example\3org\0\0\1\0\1";
    char bytes[LOOKUP_MAX + 1] = {0}, name[400];
    struct lookup asked;
    size_t len = 0;

    (void)state;
    memcpy(bytes, question, sizeof(question) - 1);
    assert_true(lookup_read((struct str){bytes, sizeof(question) - 1}, &asked));
    assert_int_equal(asked.id, 0x1234);
    assert_int_equal(asked.question, sizeof(question) - 1);
    assert_true(lookup_read((struct str){bytes, LOOKUP_MAX}, &asked));
    assert_false(lookup_read((struct str){bytes, LOOKUP_MAX + 1}, &asked));
    for (size_t cut = 0; cut < sizeof(question) - 1; cut++)
        assert_false(lookup_read((struct str){bytes, cut}, &asked));
    /* labels of 63 bytes: four of them are a byte too long for a name, with the dots */
    for (size_t last = 60; last <= 63; last++) {
        len = 0;
        for (size_t i = 0; i < 4; i++) {
            const size_t label = i < 3 ? 63 : last;
            name[len++] = (char)label;
            memset(name + len, 'a', label);
            len += label;
        }
        memcpy(bytes + 12, name, len);
        memcpy(bytes + 12 + len, "\0\0\1\0\1", 5);
        assert_int_equal(lookup_read((struct str){bytes, 12 + len + 5}, &asked),
                         3 * 64 + last <= DESTINATION_NAME_MAX);
    }
    memcpy(bytes + 12, "\x40", 1); /* a label of 64 bytes */
    assert_false(lookup_read((struct str){bytes, 200}, &asked));
}

/* An answer that has no room for the address is sent without it. */
static void an_answer_fits(void **state)
{
    char out[LOOKUP_MAX + 64];
    struct lookup asked = {.question = LOOKUP_MAX - 16};

    (void)state;
    memset(out, 'x', sizeof(out));
    assert_int_equal(lookup_print(&asked, LOOKUP_FOUND, 0, out), LOOKUP_MAX);
    assert_int_equal(out[LOOKUP_MAX], 'x');
    asked.question = LOOKUP_MAX - 15;
    memset(out, 'x', sizeof(out));
    assert_int_equal(lookup_print(&asked, LOOKUP_FOUND, 0, out), LOOKUP_MAX - 15);
    assert_int_equal(out[LOOKUP_MAX - 15], 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_in_any_pieces),
        cmocka_unit_test(no_tls_at_all),
        cmocka_unit_test(no_name),
        cmocka_unit_test(names_that_are_bad),
        cmocka_unit_test(messages_that_are_bad),
        cmocka_unit_test(a_message_has_an_end),
        cmocka_unit_test(a_question_keeps_its_number_and_has_an_end),
        cmocka_unit_test(an_answer_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
