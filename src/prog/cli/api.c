#include "cli/api.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/output.h"
#include "machine/own.h"

#define ANSWER_MEMORY_MAX ((size_t)512 * 1024 * 1024)

/* ---- the service and the token ---- */

/* As `warder log` finds it. */
static struct str data_directory(struct cli *cli)
{
    const struct arguments *args = &cli->args;
    const char *state = args->home ? NULL : getenv("XDG_STATE_HOME");
    const char *home = args->home ? args->home : getenv("HOME");

    if (args->data)
        return str_from(args->data);
    if (state && state[0] == '/')
        return str_format(cli->arena, "%s/warder", state);
    return str_format(cli->arena, "%s/.local/state/warder", home ? home : "");
}

/* The one line of a small file that no other user can read or write. False: errno, or 0 after a
 * complaint. */
static bool read_secret(const char *path, char *out, size_t room)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct error err = {0};
    struct stat st;

    if (fd < 0)
        return false;
    errno = 0;
    if (own_check_file(fd, path, &err) != STATUS_OK) {
        complain("%s", err.message);
        return false;
    }
    if (fstat(fd, &st) < 0 || (st.st_mode & (S_IRWXG | S_IRWXO))) {
        complain("others can read %s: run chmod 600 on it", path);
        return false;
    }
    ssize_t n = read(fd, out, room - 1);
    struct str line = {out, n > 0 ? (size_t)n : 0}, rest;
    str_cut(line, '\n', &line, &rest);
    out[line.len] = '\0';
    errno = 0;
    if (line.len == 0 || rest.len)
        complain("%s is not one line of text", path);
    return line.len && !rest.len;
}

static int find_url(const struct cli *cli, struct http_url *out)
{
    const char *text = cli->args.url ? cli->args.url : API_DEFAULT_URL;
    struct error err = {0};

    if (http_url_parse(str_from(text), out, &err) != STATUS_OK) {
        complain("%s: %s", text, err.message);
        return EX_USAGE;
    }
    if (!http_is_loopback(out)) {
        complain("%s: only a service on this machine is used: the token would cross the "
                 "network readable",
                 text);
        return EX_USAGE;
    }
    return 0;
}

/* ---- which user listens ---- */

/* The nth word of a line of /proc/net/tcp, from 0. */
static struct str word_at(struct str line, size_t n)
{
    struct str word = {0};

    line = str_trim(line);
    for (size_t i = 0; i <= n; i++) {
        str_cut(line, ' ', &word, &line);
        line = str_trim(line);
    }
    return word;
}

#define LISTENS "0A" /* TCP_LISTEN, as the kernel prints it */

/* Who listens on a port, as far as the kernel's table says. */
enum listener { NOBODY, WE_OR_ROOT, A_STRANGER };

/* "0100007F:20E4" */
static enum listener listens(struct str line, unsigned long port)
{
    struct str address, hex, uid = word_at(line, 7);

    if (!str_is(word_at(line, 3), LISTENS) || !str_cut(word_at(line, 1), ':', &address, &hex) ||
        !uid.len || strtoul(hex.s, NULL, 16) != port)
        return NOBODY;
    unsigned long owner = strtoul(uid.s, NULL, 10);
    return owner == 0 || owner == geteuid() ? WE_OR_ROOT : A_STRANGER;
}

/* False: the table cannot be read. *who becomes the worst of its lines. */
static bool look_up(const char *table, unsigned long port, enum listener *who)
{
    FILE *file = fopen(table, "re");
    char line[512];

    while (file && fgets(line, sizeof(line), file)) {
        enum listener found = listens(str_from(line), port);
        *who = found > *who ? found : *who;
    }
    if (file)
        (void)fclose(file);
    return file != NULL;
}

/* Any user may listen on a port where our service does not, and would receive the token. */
static int check_listener(const struct http_url *url)
{
    unsigned long port = strtoul(url->port, NULL, 10);
    enum listener who = NOBODY;
    bool read = look_up("/proc/net/tcp", port, &who);

    (void)look_up("/proc/net/tcp6", port, &who);
    if (who == A_STRANGER) {
        complain("port %s is served by another user, who would learn the token", url->port);
        return EX_NOPERM;
    }
    if (who == WE_OR_ROOT || !read)
        return 0;
    complain("nothing listens on %s port %s: is `warder serve` running?", url->host, url->port);
    return EX_UNAVAILABLE;
}

static int find_token(struct cli *cli, char *out, size_t room)
{
    const char *given = getenv("WARDER_TOKEN");
    const char *path = cli->args.token_file;

    if (!path && given && given[0]) {
        if (strlen(given) < room) {
            memcpy(out, given, strlen(given) + 1);
            return 0;
        }
        complain("WARDER_TOKEN is too long to be a token");
        return EX_USAGE;
    }
    if (!path)
        path = str_format(cli->arena, "%s/" API_TOKEN_FILE, data_directory(cli).s).s;
    if (read_secret(path, out, room))
        return 0;
    if (errno)
        complain(
            "no token: %s: %s; make one with: (umask 077; warder token create --role operator >%s)",
            path, strerror(errno), path);
    return EX_NOPERM;
}

int api_open(struct cli *cli, struct api *out)
{
    *out = (struct api){.cli = cli};
    arena_init(&out->arena, ANSWER_MEMORY_MAX);
    int code = find_url(cli, &out->url);
    if (!code)
        code = check_listener(&out->url);
    return code ? code : find_token(cli, out->token, sizeof(out->token));
}

void api_close(struct api *api)
{
    explicit_bzero(api->token, sizeof(api->token));
    arena_release(&api->arena);
}

/* ---- a question ---- */

static int exit_of(unsigned status)
{
    static const struct {
        unsigned status;
        int code;
    } rows[] = {{400, EX_DATAERR}, {401, EX_NOPERM},  {403, EX_NOPERM},  {404, EX_NOINPUT},
                {409, EXIT_NO},    {413, EX_DATAERR}, {422, EX_DATAERR}, {503, EX_TEMPFAIL}};

    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].status == status)
            return rows[i].code;
    return EX_UNAVAILABLE;
}

static void complain_problem(unsigned status, const struct value *answer)
{
    struct str detail = value_text(answer, "detail"), title = value_text(answer, "title");

    if (!detail.len)
        detail = title;
    if (detail.len)
        complain("%s", detail.s);
    else
        complain("the service answered with HTTP status %u", status);
}

int api_ask(struct api *api, const struct api_question *question, struct value *out)
{
    const struct http_request request = {.to = &api->url,
                                         .method = question->method,
                                         .path = question->path,
                                         .token = str_from(api->token),
                                         .body = question->body,
                                         .deadline_ms = API_DEADLINE_MS + question->more_ms};
    struct http_answer answer;
    struct error err = {0};
    enum status status = http_ask(&request, &answer, &err);

    if (status != STATUS_OK) {
        complain("%s%s", err.message, status == STATUS_IO ? "; is `warder serve` running?" : "");
        return status == STATUS_IO ? EX_UNAVAILABLE : EX_PROTOCOL;
    }
    arena_reset(&api->arena);
    *out = (struct value){0};
    status = answer.len
                 ? json_read(&api->arena, (struct str){answer.body, answer.len}, NULL, out, &err)
                 : STATUS_OK;
    free(answer.body);
    if (answer.status >= 200 && answer.status < 300 && status == STATUS_OK)
        return 0;
    if (answer.status >= 200 && answer.status < 300) {
        complain("the service's answer is not JSON: %s", err.message);
        return EX_PROTOCOL;
    }
    complain_problem(answer.status, out);
    return exit_of(answer.status);
}

void api_text_member(struct json_writer *w, const char *key, const char *text)
{
    if (text)
        json_text_member(w, key, str_from(text));
}

int api_print(struct api *api, const struct value *answer)
{
    struct str text = json_try_value(&api->arena, answer);

    if (text.s) {
        print_json(text.s);
        return 0;
    }
    complain("the answer is too large to be printed");
    return EX_OSERR;
}
