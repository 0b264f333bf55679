/* What a sandbox refused to a call, out of the record, and the entries of policy that would give
 * it: none for a place that is protected, secret or wide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/journal.h"
#include "report/outside_call.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;
static char root[64], home[96];

static int make_home(void **state)
{
    (void)state;
    memcpy(root, "/tmp/warder-outside-XXXXXX", sizeof("/tmp/warder-outside-XXXXXX"));
    arena_init(&arena, 1 << 24);
    if (!mkdtemp(root))
        return -1;
    snprintf(home, sizeof(home), "%s/home", root);
    char command[512];
    snprintf(command, sizeof(command),
             "umask 077; mkdir -p %s/cache/own %s/.config %s/.ssh %s/p/.git %s/journal", home, home,
             home, home, root);
    return system(command);
}

static int remove_home(void **state)
{
    char command[128];

    (void)state;
    arena_release(&arena);
    snprintf(command, sizeof(command), "rm -rf %s", root);
    return system(command);
}

/* ---- walls ---- */

/* ~ is the home; `why` is NULL where there is an entry. */
static const struct {
    const char *kind, *what, *why;
    enum sandbox_list list;
    const char *value;
} walls[] = {
    {"connect", "api.example.com", NULL, SANDBOX_HOSTS, "api.example.com"},
    {"connect", "api.example.com:8443", NULL, SANDBOX_HOSTS, "api.example.com:8443"},
    {"connect", "nodejs.org", NULL, SANDBOX_KITS, "npm"},
    {"connect", "127.0.0.1:80", "a server of this machine", 0, NULL},
    {"connect", "localhost:80", "a server of this machine", 0, NULL},
    {"connect", "[::1]:80", "a server of this machine", 0, NULL},
    {"connect", "*.example.com", "no host that policy can name", 0, NULL},
    {"connect", "not a host", "no host that policy can name", 0, NULL},
    {"connect", "", "no host that policy can name", 0, NULL},
    {"connect", "/run/db", NULL, SANDBOX_SOCKETS, "/run/db"},
    {"bind", "x", "a protected name", 0, NULL},
    {"", "", "a protected name", 0, NULL},
    {"write", "~/cache/own", NULL, SANDBOX_WRITE, "~/cache/own"},
    {"write", "~/cache/own/file", NULL, SANDBOX_WRITE, "~/cache/own"},
    {"write", "~/cache/gone/file", "you could not write there either", 0, NULL},
    {"write", "/etc/x", "outside of your home", 0, NULL},
    {"write", "~2/x", "outside of your home", 0, NULL},
    {"write", "~/.ssh/config", "a protected or secret place", 0, NULL},
    {"write", "~/.ssh", "a protected or secret place", 0, NULL},
    {"write", "~/p/.git/hooks/x", "a protected or secret place", 0, NULL},
    {"write", "~/file", "its directory is too wide", 0, NULL},
    {"write", "~/.config/x", "its directory is too wide", 0, NULL},
    {"write", "~/.config", "its directory is too wide", 0, NULL},
};

static struct str at_home(const char *text)
{
    return text[0] == '~' ? str_format(&arena, "%s%s", home, text + 1) : str_from(text);
}

static void look_at_walls(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(walls); i++) {
        struct wall wall;
        const char *why =
            wall_of(&arena, str_from(home), str_from(walls[i].kind), at_home(walls[i].what), &wall);
        if (!why != !walls[i].why || (why && !strstr(why, walls[i].why)))
            fail_msg("%s %s: %s", walls[i].kind, walls[i].what, why ? why : "an entry");
        if (!why) {
            assert_int_equal(wall.list, walls[i].list);
            assert_true(str_eq(wall.value, at_home(walls[i].value)));
        }
    }
}

static void print_walls(void *arg)
{
    static const struct wall each[] = {{SANDBOX_HOSTS, STR("a")},
                                       {SANDBOX_HOSTS, STR("a")},
                                       {SANDBOX_HOSTS, STR("b\"")},
                                       {SANDBOX_WRITE, STR("/w")},
                                       {SANDBOX_SOCKETS, STR("/s")}};
    struct walls w = {0};
    struct buf b = buf_in(&arena);

    (void)arg;
    assert_true(walls_are_none(&w));
    for (size_t i = 0; i < COUNT(each); i++)
        walls_add(&arena, &w, &each[i]);
    assert_false(walls_are_none(&w));
    assert_int_equal(w.lists[SANDBOX_HOSTS].count, 2);
    walls_print(&b, &w);
    struct str text = buf_str(&b);
    if (!str_starts(text, STR("  sandbox:\n    ")) || !strstr(text.s, "    write: [\"/w\"]\n") ||
        !strstr(text.s, "    network:\n      hosts: [\"a\", \"b\\\"\"]\n") ||
        !strstr(text.s, "sockets: [\"/s\"]\n"))
        fail_msg("%s", text.s);
    assert_ptr_equal(strstr(strstr(text.s, "network:") + 1, "network:"), NULL);
}

static void entries_of_policy(void **state)
{
    (void)state;
    assert_true(arena_try(&arena, look_at_walls, NULL));
    assert_true(arena_try(&arena, print_walls, NULL));
}

/* ---- the record ---- */

#define ID    "0123456789abcdef0123456789abcdef"
#define TOKEN "fedcba9876543210fedcba9876543210"
#define CALL(id, token, command)                                                                   \
    "\"kind\":\"decision\",\"command\":\"" command "\",\"cwd\":\"/"                                \
    "c\",\"client\":\"claude\",\"session_id\":\"s\",\"contained\":{\"outside\":\"" id              \
    "\",\"token\":\"" token "\"}"
#define END(token, refused)                                                                        \
    "\"kind\":\"cell-end\",\"token\":\"" token "\",\"refused\":[" refused "]"
#define REFUSED(kind, what) "{\"kind\":\"" kind "\",\"what\":\"" what "\"}"

static const char *const record[] = {
    CALL("0123456700000000", "", "near"),
    CALL(ID, TOKEN, "first"),
    CALL(ID, TOKEN, "again"),
    "\"kind\":\"decision\",\"command\":\"" ID "\"",
    END("other", REFUSED("connect", "not.example.com")),
    END(TOKEN,
        REFUSED("connect", "a.example.com") "," REFUSED("connect", "a.example.com") "," REFUSED(
            "connect", "") "," REFUSED("connect", "127.0.0.1:80")),
    END(ID, REFUSED("write", "/etc/x") "," REFUSED("connect", "b.example.com")),
    "\"kind\":\"decision\",\"refused\":[" REFUSED("connect", "c.example.com") "],\"token\":\"" TOKEN
                                                                              "\"",
};

static void write_record(void)
{
    const struct journal_options options = {0};
    struct journal j;
    uint64_t n;

    assert_int_equal(journal_open(&j, root, &options, NULL), STATUS_OK);
    for (size_t i = 0; i < COUNT(record); i++) {
        struct str body = str_from(record[i]);
        assert_int_equal(journal_append(&j, &body, 1, &n, NULL), STATUS_OK);
    }
    journal_close(&j);
}

struct question {
    warder_engine *engine;
    const char *id;
    struct outside_call found;
    enum status status;
};

static void find(void *arg)
{
    struct question *q = arg;

    q->status = outside_find(&arena, q->engine, str_from(q->id), &q->found, NULL);
}

static void a_call_and_what_it_was_refused(void **state)
{
    static const char *const ids[] = {"01234567", "0123456789", ID, "fedcba98", TOKEN};
    static const char *const wrong[] = {"",           "0123456",  "0123456x", "0123456789ABCDEF",
                                        "89abcdef01", "00000000", ID "0",     "1"};
    struct question q = {.engine = calloc(1, sizeof(warder_engine))};

    (void)state;
    assert_non_null(q.engine);
    q.engine->home = str_from(home);
    q.engine->request.state_dir = str_from(root);
    write_record();
    for (size_t i = 0; i < COUNT(ids); i++) {
        q.id = ids[i];
        assert_true(arena_try(&arena, find, &q));
        assert_int_equal(q.status, STATUS_OK);
        const struct outside_call *c = &q.found;
        assert_true(str_is(c->id, ID) && str_is(c->token, TOKEN) && str_is(c->command, "again") &&
                    str_is(c->cwd, "/c") && str_is(c->client, "claude") && str_is(c->session, "s"));
        /* asked by its token, lines that name the ID alone are not about it */
        assert_int_equal(c->paths.count, i < 3 ? 1 : 0);
        if (c->paths.count)
            assert_true(str_is(c->paths.items[0], "/etc/x"));
        assert_int_equal(c->hosts.count, i < 3 ? 3 : 2);
        assert_true(str_is(c->hosts.items[0], "a.example.com") &&
                    str_is(c->hosts.items[1], "127.0.0.1:80"));
        assert_true(str_is(c->walls.lists[SANDBOX_HOSTS].items[0], "a.example.com"));
        assert_int_equal(c->walls.lists[SANDBOX_HOSTS].count, c->hosts.count - 1);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        q.id = wrong[i];
        assert_true(arena_try(&arena, find, &q));
        assert_int_equal(q.status, STATUS_USAGE);
    }
    free(q.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_policy),
        cmocka_unit_test(a_call_and_what_it_was_refused),
    };

    return cmocka_run_group_tests(tests, make_home, remove_home);
}
