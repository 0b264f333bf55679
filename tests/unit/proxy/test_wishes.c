/* Where a client of the proxy wants to go, in every spelling, and what is no destination at all. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/hosts.h"
#include "proxy/address.h"
#include "proxy/lookup.h"
#include "proxy/request.h"

#include <cmocka.h>

#define STR_OF(literal)                                                                            \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static const struct {
    const char *text, *want; /* NULL: no destination */
} destinations[] = {
    {"example.org", "example.org:443"},
    {"EXAMPLE.org.:8443", "example.org:8443"},
    {"xn--bcher-kva.example", "xn--bcher-kva.example:443"},
    {"a_b.example", "a_b.example:443"},
    {"192.0.2.7:5432", "192.0.2.7:5432"},
    {"[2001:DB8:0::1]:80", "2001:db8::1:80"},
    {"[::ffff:127.0.0.1]", "::ffff:127.0.0.1:443"},
    {"", NULL},
    {".", NULL},
    {"..", NULL},
    {"a..b", NULL},
    {"-a.org", NULL},
    {"a-.org", NULL},
    {"user@example.org", NULL},
    {"example.org/evil", NULL},
    {"example.org:0", NULL},
    {"example.org:65536", NULL},
    {"example.org:+443", NULL},
    {"example.org:", NULL},
    {"example.org:443:443", NULL},
    {"b\xc3\xbc"
     "cher.example",
     NULL},
    {"2130706433", NULL}, /* 127.0.0.1 for some resolvers */
    {"0x7f.1", NULL},
    {"127.1", NULL},
    {"0177.0.0.1", NULL},
    {"a.0x7f000001", NULL},
    {"2001:db8::1", NULL},
    {"[2001:db8::1", NULL},
    {"[example.org]", NULL},
    {"*.example.org", NULL},
    {"a b", NULL},
    {"localhost", "localhost:443"}, /* a name: its address is refused */
};

static void destinations_have_one_spelling(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(destinations); i++) {
        struct destination to;
        char shown[512] = "";
        bool is = destination_parse(str_from(destinations[i].text), 443, &to);

        if (is)
            (void)snprintf(shown, sizeof(shown), "%s:%u", to.name, to.port);
        if (is != (destinations[i].want != NULL) ||
            (is && strcmp(shown, destinations[i].want) != 0))
            fail_msg("%s: %s", destinations[i].text, is ? shown : "none");
    }
    struct destination to;
    assert_false(destination_parse((struct str)STR_OF("example.org\0.evil.example"), 443, &to));
}

static const struct {
    const char *host, *to;
    bool covers;
} hosts[] = {
    {"api.example.org", "api.example.org:443", true},
    {"api.example.org", "api.example.org:80", true},
    {"api.example.org", "api.example.org:22", false},
    {"API.example.org.", "api.EXAMPLE.org:443", true},
    {"api.example.org:8443", "api.example.org:443", false},
    {"api.example.org:8443", "api.example.org:8443", true},
    {"api.example.org", "api.example.org.evil.example:443", false},
    {"api.example.org", "xapi.example.org:443", false},
    {"api.example.org", "a.api.example.org:443", false},
    {"*.example.org", "a.example.org:443", true},
    {"*.example.org", "a.b.example.org:443", true},
    {"*.example.org", "example.org:443", false},
    {"*.example.org", "aexample.org:443", false},
    {"192.0.2.7:5432", "192.0.2.7:5432", true},
    {"192.0.2.7:5432", "192.0.2.70:5432", false},
    {"[2001:db8::1]:443", "[2001:DB8:0:0::1]:443", true},
};

static const char *const no_hosts[] = {
    "*", "*.org", "*.*", "*.192.0.2.7", "a*.example.org", "", "http://x.example"};

static void hosts_cover_what_they_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(hosts); i++) {
        struct host host;
        struct destination to;
        assert_true(host_parse(str_from(hosts[i].host), &host));
        assert_true(destination_parse(str_from(hosts[i].to), 0, &to));
        if (host_covers(&host, &to) != hosts[i].covers)
            fail_msg("%s and %s", hosts[i].host, hosts[i].to);
    }
    for (size_t i = 0; i < COUNT(no_hosts); i++) {
        struct host host;
        if (host_parse(str_from(no_hosts[i]), &host))
            fail_msg("%s is a host", no_hosts[i]);
    }
}

static const struct {
    const char *address;
    bool refused;
} addresses[] = {
    {"93.184.216.34", false},
    {"10.1.2.3", false}, /* a network of one's own: the name was allowed */
    {"2606:2800:220:1::1", false},
    {"0.0.0.0", true},
    {"127.0.0.1", true},
    {"127.255.255.254", true},
    {"128.0.0.1", false},
    {"169.254.169.254", true},
    {"100.100.100.200", true},
    {"100.100.100.201", false},
    {"198.18.0.1", true},
    {"198.19.255.255", true},
    {"198.20.0.0", false},
    {"224.0.0.1", true},
    {"255.255.255.255", true},
    {"::", true},
    {"::1", true},
    {"::127.0.0.1", true},
    {"::ffff:8.8.8.8", true},
    {"64:ff9b::8.8.8.8", false}, /* IPv4 behind a translator: judged as that */
    {"64:ff9b::127.0.0.1", true},
    {"64:ff9b::169.254.169.254", true},
    {"2002:7f00:1::", true},
    {"2002:808:808::", false},
    {"fe80::1", true},
    {"ff02::1", true},
    {"fd00:ec2::254", true},
    {"192.0.2.9", true}, /* by the policy of this test */
    {"64:ff9b::192.0.2.9", true},
    {"2001:db8::5", true},
};

static bool is_refused(const char *text)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    struct range more[2];

    assert_true(range_parse(STR("192.0.2.0/28"), &more[0]));
    assert_true(range_parse(STR("2001:db8::/32"), &more[1]));
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
        return address_is_refused((const void *)&four, more, COUNT(more));
    assert_int_equal(inet_pton(AF_INET6, text, &six.sin6_addr), 1);
    return address_is_refused((const void *)&six, more, COUNT(more));
}

static void addresses_of_this_machine_are_refused(void **state)
{
    static const char *const no_ranges[] = {"",  "10.0.0.0/33", "10.0.0.0/",  "10.0.0/8",
                                            "x", "::/129",      "10.0.0.0/-1"};
    struct range range;

    (void)state;
    for (size_t i = 0; i < COUNT(addresses); i++)
        if (is_refused(addresses[i].address) != addresses[i].refused)
            fail_msg("%s", addresses[i].address);
    for (size_t i = 0; i < COUNT(no_ranges); i++)
        assert_false(range_parse(str_from(no_ranges[i]), &range));
    const struct sockaddr other = {.sa_family = AF_UNIX};
    assert_true(address_is_refused(&other, NULL, 0));
}

static const struct {
    const char *head, *to; /* NULL: bad */
    const char *printed;   /* NULL: a tunnel */
} heads[] = {
    {"CONNECT example.org:443 HTTP/1.1\r\nHost: other\r\n\r\n", "example.org:443", NULL},
    {"CONNECT example.org:443 HTTP/1.0\r\n\r\n", "example.org:443", NULL},
    {"CONNECT example.org HTTP/1.1\r\n\r\n", NULL, NULL},
    {"CONNECT http://example.org:443 HTTP/1.1\r\n\r\n", NULL, NULL},
    {"CONNECT a@example.org:443 HTTP/1.1\r\n\r\n", NULL, NULL},
    {"GET http://Example.org/a?b HTTP/1.1\r\nHost: evil.example\r\nAccept: "
     "*/*\r\nProxy-Authorization: x\r\n\r\n",
     "example.org:80",
     "GET /a?b HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\nAccept: */*\r\n\r\n"},
    {"GET http://example.org:8080 HTTP/1.1\r\nconnection: keep-alive\r\n\r\n", "example.org:8080",
     "GET / HTTP/1.1\r\nHost: example.org:8080\r\nConnection: close\r\n\r\n"},
    {"GET http://example.org?q HTTP/1.0\r\n\r\n", "example.org:80",
     "GET /?q HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n"},
    {"GET http://[2001:db8::1]/ HTTP/1.1\r\n\r\n", "2001:db8::1:80",
     "GET / HTTP/1.1\r\nHost: [2001:db8::1]\r\nConnection: close\r\n\r\n"},
    {"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", NULL, NULL},
    {"GET https://example.org/ HTTP/1.1\r\n\r\n", NULL, NULL},
    {"GET http://u@example.org/ HTTP/1.1\r\n\r\n", NULL, NULL},
    {"GET http://example.org#x HTTP/1.1\r\n\r\n", NULL, NULL},
    {"GET http://evil.example\\@example.org/ HTTP/1.1\r\n\r\n", NULL, NULL},
    {"GET  http://example.org/ HTTP/1.1\r\n\r\n", NULL, NULL},
    {"GET http://example.org/ HTTP/1.1\n\nX: y\r\n\r\n", NULL, NULL},
    {"GET http://example.org/ HTTP/2.0\r\n\r\n", NULL, NULL},
    {"GET http://example.org/ HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", NULL, NULL},
    {"GET http://example.org/ HTTP/1.1\r\nA : b\r\n\r\n", NULL, NULL},
    {"GET http://example.org/ HTTP/1.1\r\nA: b\rc\r\n\r\n", NULL, NULL},
    {"GET http://example.org/\x01 HTTP/1.1\r\n\r\n", NULL, NULL},
    {"\r\nGET http://example.org/ HTTP/1.1\r\n\r\n", NULL, NULL},
};

static void heads_are_read_strictly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(heads); i++) {
        struct http_request request;
        char shown[512], printed[1024];
        const struct str head = str_from(heads[i].head);

        if ((http_read(head, &request) == READ_DONE) != (heads[i].to != NULL))
            fail_msg("%s", heads[i].head);
        for (size_t len = 0; heads[i].to && len < head.len; len++)
            assert_int_equal(http_read((struct str){head.s, len}, &request), READ_MORE);
        if (!heads[i].to)
            continue;
        assert_int_equal(http_read(head, &request), READ_DONE);
        assert_int_equal(request.head, head.len);
        (void)snprintf(shown, sizeof(shown), "%s:%u", request.to.name, request.to.port);
        assert_string_equal(shown, heads[i].to);
        assert_int_equal(request.tunnel, heads[i].printed == NULL);
        if (request.tunnel)
            continue;
        size_t len = http_print(&request, printed, sizeof(printed));
        assert_int_equal(len, strlen(heads[i].printed));
        assert_memory_equal(printed, heads[i].printed, len);
        assert_int_equal(http_print(&request, printed, len - 1), 0);
    }
}

static void a_head_without_end_is_bad(void **state)
{
    static char endless[REQUEST_MAX];
    struct http_request request;

    (void)state;
    memset(endless, 'a', sizeof(endless));
    assert_int_equal(http_read((struct str){endless, sizeof(endless) - 1}, &request), READ_MORE);
    assert_int_equal(http_read((struct str){endless, sizeof(endless)}, &request), READ_BAD);
}

static const struct {
    struct str bytes;
    const char *to;
} socks[] = {
    {STR_OF("\x05\x01\x00\x03\x0b"
            "example.org\x01\xbb"),
     "example.org:443"},
    {STR_OF("\x05\x01\x00\x01\xc0\x00\x02\x07\x15\x38"), "192.0.2.7:5432"},
    {STR_OF("\x05\x01\x00\x04\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01\0\x50"), "2001:db8::1:80"},
    {STR_OF("\x05\x02\x00\x03\x0b"
            "example.org\x01\xbb"),
     NULL}, /* bind */
    {STR_OF("\x05\x03\x00\x03\x0b"
            "example.org\x01\xbb"),
     NULL}, /* UDP */
    {STR_OF("\x05\x01\x00\x03\x00\x01\xbb"), NULL},
    {STR_OF("\x05\x01\x00\x03\x0b"
            "example.org\x00\x00"),
     NULL},
    {STR_OF("\x05\x01\x00\x03\x0b"
            "exam\0le.org\x01\xbb"),
     NULL},
    {STR_OF("\x04\x01\x01\xbb\xc0\x00\x02\x07\0"), NULL},
    {STR_OF("\x05\x01\x01\x01\xc0\x00\x02\x07\x15\x38"), NULL},
    {STR_OF("\x05\x01\x00\x02\xc0\x00\x02\x07\x15\x38"), NULL},
};

static void socks_is_read(void **state)
{
    size_t used = 0;
    bool plain = true;

    (void)state;
    for (size_t i = 0; i < COUNT(socks); i++) {
        struct destination to;
        char shown[512];
        const enum reading got = socks_read_request(socks[i].bytes, &used, &to);

        assert_int_equal(got, socks[i].to ? READ_DONE : READ_BAD);
        for (size_t len = 0; socks[i].to && len < socks[i].bytes.len; len++)
            assert_int_equal(socks_read_request((struct str){socks[i].bytes.s, len}, &used, &to),
                             READ_MORE);
        if (!socks[i].to)
            continue;
        assert_int_equal(socks_read_request(socks[i].bytes, &used, &to), READ_DONE);
        assert_int_equal(used, socks[i].bytes.len);
        (void)snprintf(shown, sizeof(shown), "%s:%u", to.name, to.port);
        assert_string_equal(shown, socks[i].to);
    }
    assert_int_equal(socks_read_methods(STR("\x05\x02\x02\x00"), &used, &plain), READ_DONE);
    assert_true(plain && used == 4);
    assert_int_equal(socks_read_methods(STR("\x05\x01\x02\x00"), &used, &plain), READ_DONE);
    assert_true(!plain && used == 3);
    assert_int_equal(socks_read_methods(STR("\x05\x02\x02"), &used, &plain), READ_MORE);
    assert_int_equal(socks_read_methods(STR("\x04\x01"), &used, &plain), READ_BAD);
}

#define HEAD "\x12\x34\x01\0\0\x01\0\0\0\0\0\0"

static const struct {
    struct str bytes;
    const char *name; /* NULL: it is no question */
    bool four;
} lookups[] = {
    {STR_OF(HEAD "\7EXAMPLE\3org\0\0\1\0\1"), "example.org", true},
    {STR_OF(HEAD "\7example\3org\0\0\x1c\0\1"), "example.org", false},
    {STR_OF(HEAD "\7example\3org\0\0\1\0\1 more of it"), "example.org", true},
    {STR_OF(HEAD "\7example\3org\0\0\1\0\3"), NULL, false}, /* another class */
    {STR_OF(HEAD "\7example\3org\0\0\1"), NULL, false},     /* cut off */
    {STR_OF(HEAD "\7example\3or"), NULL, false},
    {STR_OF(HEAD "\xc0\x0c\0\1\0\1"), NULL, false}, /* leads to itself */
    {STR_OF(HEAD "\0\0\1\0\1"), NULL, false},       /* no name */
    {STR_OF(HEAD "\x09"
                 "127.0.0.1"
                 "\0\0\1\0\1"),
     NULL, false}, /* an address */
    {STR_OF(HEAD "\3a\0b\3org\0\0\1\0\1"), NULL, false},
    {STR_OF("\x12\x34\x81\0\0\x01\0\0\0\0\0\0\7example\0\0\1\0\1"), NULL, false}, /* an answer */
    {STR_OF("\x12\x34\x01\0\0\x02\0\0\0\0\0\0\7example\0\0\1\0\1"), NULL,
     false}, /* two questions */
    {STR_OF("\x12\x34"), NULL, false},
};

static void lookups_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(lookups); i++) {
        struct lookup asked;
        const bool got = lookup_read(lookups[i].bytes, &asked);

        assert_int_equal(got, lookups[i].name != NULL);
        if (!got)
            continue;
        assert_string_equal(asked.name, lookups[i].name);
        assert_int_equal(asked.four, lookups[i].four);
    }
}

static void lookups_are_answered(void **state)
{
    static const char found[] = "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\1\2\3\4";
    const struct str question = lookups[2].bytes;
    const uint32_t address = htonl(0x01020304);
    char out[LOOKUP_MAX];
    struct lookup asked;

    (void)state;
    assert_true(lookup_read(question, &asked));
    memcpy(out, question.s, question.len);
    assert_int_equal(lookup_print(&asked, LOOKUP_FOUND, address, out),
                     asked.question + sizeof(found) - 1);
    assert_memory_equal(out, "\x12\x34\x81\x80\0\1\0\1\0\0\0\0", 12);
    assert_memory_equal(out + asked.question, found, sizeof(found) - 1);
    assert_int_equal(lookup_print(&asked, LOOKUP_REFUSED, 0, out), asked.question);
    assert_memory_equal(out, "\x12\x34\x81\x83\0\1\0\0\0\0\0\0", 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(destinations_have_one_spelling),
        cmocka_unit_test(hosts_cover_what_they_name),
        cmocka_unit_test(addresses_of_this_machine_are_refused),
        cmocka_unit_test(heads_are_read_strictly),
        cmocka_unit_test(a_head_without_end_is_bad),
        cmocka_unit_test(socks_is_read),
        cmocka_unit_test(lookups_are_read),
        cmocka_unit_test(lookups_are_answered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
