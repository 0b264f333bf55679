/* The HTTP client: URLs, answers in every accepted form, and invalid ones. */
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "machine/http.h"

#include <cmocka.h>

/* ---- URLs ---- */

static void urls_are_read(void **state)
{
    static const struct {
        const char *text, *host, *port, *path;
        bool loopback;
    } rows[] = {
        {"http://127.0.0.1:7777", "127.0.0.1", "7777", "/", true},
        {"http://localhost/x", "localhost", "80", "/x", true},
        {"http://[::1]:80/a/b?c=d", "::1", "80", "/a/b?c=d", true},
        {"http://LOCALHOST:1", "LOCALHOST", "1", "/", true},
        {"http://127.9.8.7:65535/", "127.9.8.7", "65535", "/", true},
        {"http://example.com:8080/hook", "example.com", "8080", "/hook", false},
        {"http://127.0.0.1.example.com/", "127.0.0.1.example.com", "80", "/", false},
        {"http://127.1/", "127.1", "80", "/", false},
        {"http://10.0.0.1/", "10.0.0.1", "80", "/", false},
    };
    struct http_url u;
    struct error err;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(http_url_parse(str_from(rows[i].text), &u, &err), STATUS_OK);
        assert_string_equal(u.host, rows[i].host);
        assert_string_equal(u.port, rows[i].port);
        assert_string_equal(u.path, rows[i].path);
        assert_int_equal(http_is_loopback(&u), rows[i].loopback);
    }
}

static void invalid_urls_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "127.0.0.1:80",
        "https://example.com/",
        "HTTP://x/",
        "http://",
        "http:///x",
        "http://:80/",
        "http://x:0/",
        "http://x:65536/",
        "http://x:8a/",
        "http://x:/",
        "http://u:p@x/",
        "http://u@x/",
        "http://x/#f",
        "http://x?y",
        "http://[::1",
        "http://[::1]x/",
        "http://x /",
        "http://x/a b",
        "http://x/\r\nHost: y",
        "http://x/\x7f",
        "file:///etc/passwd",
    };
    struct http_url u;
    struct error err;

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        if (http_url_parse(str_from(texts[i]), &u, &err) == STATUS_OK)
            fail_msg("taken: %s", texts[i]);
}

static void url_limits(void **state)
{
    char text[HTTP_PATH_MAX + 64];
    struct http_url u;
    struct error err;

    (void)state;
    for (size_t over = 0; over < 2; over++) {
        int len = snprintf(text, sizeof(text), "http://x/");
        memset(text + len, 'a', HTTP_PATH_MAX - 1 + over);
        struct str s = {text, (size_t)len + HTTP_PATH_MAX - 1 + over};
        assert_int_equal(http_url_parse(s, &u, &err), over ? STATUS_LIMIT : STATUS_OK);
        len = snprintf(text, sizeof(text), "http://");
        memset(text + len, 'h', HTTP_HOST_MAX + over);
        s = (struct str){text, (size_t)len + HTTP_HOST_MAX + over};
        assert_int_equal(http_url_parse(s, &u, &err), over ? STATUS_SYNTAX : STATUS_OK);
    }
}

static void words_of_a_url(void **state)
{
    struct arena arena;

    (void)state;
    arena_init(&arena, 65536);
    struct buf b = buf_in(&arena);
    buf_url_word(&b, (struct str){"aZ9-._~ /?&=%\n\0\xc3\xa4", 17});
    assert_string_equal(buf_str(&b).s, "aZ9-._~%20%2F%3F%26%3D%25%0A%00%C3%A4");
    arena_release(&arena);
}

/* ---- answers ---- */

struct server {
    int fd;
    const char *answer;
    size_t len, step; /* step: bytes per write; 0: all at once */
    bool hang;        /* sends no more and does not close */
    char request[4096];
};

static void *serve(void *arg)
{
    struct server *s = arg;
    int c = accept(s->fd, NULL, NULL);
    size_t got = 0;

    while (got + 1 < sizeof(s->request) && !memmem(s->request, got, "\r\n\r\n", 4)) {
        ssize_t n = recv(c, s->request + got, sizeof(s->request) - 1 - got, 0);
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    for (size_t at = 0; at < s->len;) {
        size_t n = s->step && s->len - at > s->step ? s->step : s->len - at;
        if (send(c, s->answer + at, n, MSG_NOSIGNAL) < 0)
            break;
        at += n;
    }
    if (s->hang)
        recv(c, s->request + got, 1, 0); /* until the client closes */
    close(c);
    return NULL;
}

static enum status ask(struct server *s, struct http_request *r, struct http_answer *out)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    char text[64];
    struct http_url url;
    struct error err = {0};
    pthread_t thread;

    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(s->fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(s->fd, 1), 0);
    assert_int_equal(getsockname(s->fd, (struct sockaddr *)&address, &size), 0);
    snprintf(text, sizeof(text), "http://127.0.0.1:%u/", ntohs(address.sin_port));
    assert_int_equal(http_url_parse(str_from(text), &url, &err), STATUS_OK);
    assert_int_equal(pthread_create(&thread, NULL, serve, s), 0);
    r->to = &url;
    enum status status = http_ask(r, out, &err);
    if (status != STATUS_OK)
        assert_true(err.message[0]);
    pthread_join(thread, NULL);
    close(s->fd);
    return status;
}

#define OK "HTTP/1.1 200 OK\r\n"

static const struct {
    const char *answer;
    enum status want;
    unsigned code;
    const char *body;
} answers[] = {
    {OK "Content-Length: 2\r\n\r\n{}", STATUS_OK, 200, "{}"},
    {OK "content-length: 0\r\n\r\n", STATUS_OK, 200, ""},
    {OK "Content-Length: 2\r\n\r\n{}more", STATUS_OK, 200, "{}"},
    {OK "\r\nuntil the end", STATUS_OK, 200, "until the end"},
    {"HTTP/1.0 404 x\r\nContent-Length: 1\r\n\r\nx", STATUS_OK, 404, "x"},
    {"HTTP/1.1 204 No Content\r\n\r\n", STATUS_OK, 204, ""},
    {OK "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", STATUS_OK, 200,
     "abcde"},
    {OK "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", STATUS_OK, 200, ""},
    {OK "Content-Length: 3\r\n\r\n{}", STATUS_IO, 0, NULL},
    {OK "Content-Length: 3", STATUS_IO, 0, NULL},
    {"", STATUS_IO, 0, NULL},
    {OK "Transfer-Encoding: chunked\r\n\r\n3\r\nab", STATUS_IO, 0, NULL},
    {OK "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", STATUS_LIMIT, 0, NULL},
    {OK "Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n", STATUS_LIMIT, 0, NULL},
    {OK "Transfer-Encoding: gzip\r\n\r\n", STATUS_SYNTAX, 0, NULL},
    {OK "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}", STATUS_SYNTAX, 0, NULL},
    {OK "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", STATUS_SYNTAX, 0, NULL},
    {OK "Content-Length: -1\r\n\r\n", STATUS_LIMIT, 0, NULL},
    {OK "Content-Length: 99999999999999999999\r\n\r\n", STATUS_LIMIT, 0, NULL},
    {OK "Content-Length: 33554433\r\n\r\n", STATUS_LIMIT, 0, NULL},
    {OK "no header\r\n\r\n", STATUS_SYNTAX, 0, NULL},
    {"SSH-2.0-OpenSSH_9.2\r\n\r\n", STATUS_SYNTAX, 0, NULL},
    {"HTTP/1.1 2x0 OK\r\n\r\n", STATUS_SYNTAX, 0, NULL},
    {"HTTP/1.1 100 Continue\r\n\r\n", STATUS_SYNTAX, 0, NULL},
    {"HTTP/2 200\r\n\r\n", STATUS_SYNTAX, 0, NULL},
};

static void answers_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(answers); i++)
        for (size_t step = 0; step < 2; step++) {
            struct server s = {
                .answer = answers[i].answer, .len = strlen(answers[i].answer), .step = step};
            struct http_request r = {.method = "GET", .deadline_ms = 20000};
            struct http_answer a;
            enum status status = ask(&s, &r, &a);
            if (status != answers[i].want)
                fail_msg("%s: %d", answers[i].answer, status);
            if (status == STATUS_OK) {
                assert_int_equal(a.status, answers[i].code);
                assert_string_equal(a.body, answers[i].body);
                assert_int_equal(a.len, strlen(a.body));
            } else {
                assert_null(a.body);
            }
            free(a.body);
        }
}

static void a_head_has_an_end(void **state)
{
    size_t len = HTTP_HEAD_MAX * 4;
    char *text = malloc(len);
    struct server s = {.answer = text, .len = len, .hang = true};
    struct http_request r = {.method = "GET", .deadline_ms = 20000};
    struct http_answer a;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', len);
    memcpy(text, OK, strlen(OK));
    assert_int_equal(ask(&s, &r, &a), STATUS_LIMIT);
    free(text);
}

static void the_deadline_holds(void **state)
{
    struct server s = {
        .answer = OK "Content-Length: 5\r\n\r\n12", .len = strlen(OK) + 23, .hang = true};
    struct http_request r = {.method = "GET", .deadline_ms = 50};
    struct http_answer a;

    (void)state;
    assert_int_equal(ask(&s, &r, &a), STATUS_IO);
}

static void bytes_of_a_request(void **state)
{
    struct server s = {.answer = OK "Content-Length: 0\r\n\r\n", .len = strlen(OK) + 21};
    struct http_request r = {.method = "POST",
                             .path = STR("/v1/x?y=z"),
                             .token = STR("wdr_t"),
                             .body = STR("{}"),
                             .deadline_ms = 20000};
    struct http_answer a;

    (void)state;
    assert_int_equal(ask(&s, &r, &a), STATUS_OK);
    free(a.body);
    assert_ptr_equal(strstr(s.request, "POST /v1/x?y=z HTTP/1.1\r\nHost: 127.0.0.1:"), s.request);
    assert_non_null(strstr(s.request, "\r\nAuthorization: Bearer wdr_t\r\n"));
    assert_non_null(strstr(s.request, "\r\nContent-Length: 2\r\n"));
}

static void nothing_is_smuggled(void **state)
{
    struct http_request rows[] = {
        {.method = "GET", .path = STR("/x\r\nA: b"), .deadline_ms = 2000},
        {.method = "GET", .path = STR("/x y"), .deadline_ms = 2000},
        {.method = "GET", .token = STR("a\r\nB: c"), .deadline_ms = 2000},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct server s = {.answer = OK "Content-Length: 0\r\n\r\n", .len = strlen(OK) + 21};
        struct http_answer a;
        assert_int_equal(ask(&s, &rows[i], &a), STATUS_USAGE);
        assert_string_equal(s.request, "");
    }
}

static void no_server(void **state)
{
    struct http_url url;
    struct http_request r = {.to = &url, .method = "GET", .deadline_ms = 2000};
    struct http_answer a;
    struct error err;

    (void)state;
    assert_int_equal(http_url_parse(STR("http://127.0.0.1:1/"), &url, &err), STATUS_OK);
    assert_int_equal(http_ask(&r, &a, &err), STATUS_IO);
    assert_non_null(strstr(err.message, "cannot connect"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_are_read),       cmocka_unit_test(invalid_urls_are_refused),
        cmocka_unit_test(url_limits),          cmocka_unit_test(words_of_a_url),
        cmocka_unit_test(answers_are_read),    cmocka_unit_test(a_head_has_an_end),
        cmocka_unit_test(the_deadline_holds),  cmocka_unit_test(bytes_of_a_request),
        cmocka_unit_test(nothing_is_smuggled), cmocka_unit_test(no_server),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
