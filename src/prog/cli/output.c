#include "cli/output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "base/utf8.h"

#define COMPLAINT_MAX 2048 /* bytes; longer ones are cut */

/* "\033[1;31m": the length of such a colour at byte `at`, or 0. */
static size_t colour_length(struct str s, size_t at)
{
    size_t end = at + 2;

    if (s.len - at < 3 || s.s[at] != '\033' || s.s[at + 1] != '[')
        return 0;
    while (end < s.len && (isdigit((unsigned char)s.s[end]) || s.s[end] == ';'))
        end++;
    return end < s.len && s.s[end] == 'm' ? end + 1 - at : 0;
}

static void print_code_point(FILE *to, struct str s, size_t at, size_t len, uint32_t cp,
                             enum print_mode mode)
{
    if (cp == UTF8_INVALID)
        fprintf(to, "\\x%02x", (unsigned char)s.s[at]);
    else if (cp == '\n' && mode == PRINT_LINE)
        fputs("\\n", to);
    else if (utf8_suspicious_name(cp))
        fprintf(to, cp < 0x80 ? "\\x%02x" : "\\u{%x}", (unsigned)cp);
    else
        fwrite(s.s + at, 1, len, to);
}

void print_text(FILE *to, const char *text, enum print_mode mode)
{
    struct str s = str_from(text);
    size_t len;

    for (size_t at = 0; at < s.len; at += len) {
        uint32_t cp;
        if (mode == PRINT_COLOUR && (len = colour_length(s, at)) > 0) {
            fwrite(s.s + at, 1, len, to);
            continue;
        }
        len = utf8_next(s, at, &cp);
        if (len == 0)
            len = 1;
        print_code_point(to, s, at, len, cp, mode);
    }
}

bool output_coloured(const char *when)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    return isatty(STDOUT_FILENO) && !(no && no[0]) && !(term && strcmp(term, "dumb") == 0);
}

const char *behavior_colour(warder_behavior behavior)
{
    switch (behavior) {
    case WARDER_ALLOW:
        return "\033[1;32m";
    case WARDER_ASK:
        return "\033[1;33m";
    case WARDER_DENY:
        break;
    }
    return "\033[1;31m";
}

void print_json(const char *text)
{
    fputs(text, stdout);
    if (!str_ends(str_from(text), STR("\n")))
        putchar('\n');
}

void complain(const char *format, ...)
{
    char line[COMPLAINT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    (void)fflush(stdout); /* what was said before it stays before it */
    fputs("warder: ", stderr);
    print_text(stderr, line, PRINT_LINE);
    fputc('\n', stderr);
}

/* A mark below byte `column`, from 1, of the complaint that was just printed. */
static void mark(const char *about, const char *colon, const char *message, size_t column)
{
    char before[COMPLAINT_MAX], *shown = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&shown, &len);

    if (!to)
        return;
    snprintf(before, sizeof before, "%s%s%.*s", about, colon, (int)(column - 1), message);
    print_text(to, before, PRINT_LINE);
    if (fclose(to) == 0) {
        size_t wide = strlen("warder: ");
        for (size_t i = 0; i < len; i++)
            wide += ((unsigned char)shown[i] & 0xc0) != 0x80;
        fprintf(stderr, "%*s^\n", (int)wide, "");
    }
    free(shown);
}

static int exit_for(warder_status status)
{
    switch (status) {
    case WARDER_ESYNTAX:
    case WARDER_ELIMIT:
    case WARDER_EUNSAFE:
        return EX_DATAERR;
    case WARDER_EIO:
        return EX_NOINPUT;
    case WARDER_ENOMEM:
        return EX_OSERR;
    case WARDER_EUSAGE:
        return EX_USAGE;
    case WARDER_OK:
        break;
    }
    return EX_SOFTWARE;
}

int complain_error(const char *about, const warder_error *err)
{
    const char *message = err->message[0] ? err->message : "something failed, without saying what";
    const char *colon = about ? ": " : "";

    about = about ? about : "";
    if (err->line) {
        complain("%s%sline %u, column %u: %s", about, colon, err->line, err->column, message);
    } else {
        complain("%s%s%s", about, colon, message);
        if (err->column)
            mark(about, colon, message, err->column);
    }
    return exit_for(err->status);
}

/* The first two would end us where a failed write can be reported and denied; without the third one
 * the exit code of a hook cannot be read. */
static const struct {
    int number;
    void (*handler)(int);
} signals[] = {{SIGPIPE, SIG_IGN}, {SIGXFSZ, SIG_IGN}, {SIGCHLD, SIG_DFL}};

/* What output_start() has changed. */
static bool opened[3];
static void (*handlers[COUNT(signals)])(int);

void output_start(void)
{
    /* Each with the direction that makes its use fail. */
    static const int directions[] = {O_WRONLY, O_RDONLY, O_WRONLY};

    for (int fd = 0; fd < 3; fd++) {
        opened[fd] = fcntl(fd, F_GETFD) < 0;
        if (opened[fd] && open("/dev/null", directions[fd]) != fd)
            _exit(EXIT_BLOCKED); /* an agent takes every other code of its hook for no objection */
    }
    for (size_t i = 0; i < COUNT(signals); i++)
        handlers[i] = signal(signals[i].number, signals[i].handler);
}

void output_hand_over(void)
{
    (void)fflush(NULL);
    for (int fd = 0; fd < 3; fd++)
        if (opened[fd])
            close(fd);
    for (size_t i = 0; i < COUNT(signals); i++)
        (void)signal(signals[i].number, handlers[i]);
}

/* `warder log | head` has seen enough, and needs no complaint. */
static bool reader_left(void)
{
    struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

int output_finish(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout) && fclose(stdout) == 0)
        return code;
    if (!reader_left())
        complain("cannot write the answer: %s", errno ? strerror(errno) : "write error");
    return code < EX_USAGE ? EX_IOERR : code;
}

bool write_whole(int fd, struct str text)
{
    while (text.len) {
        ssize_t done = write(fd, text.s, text.len);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text = str_from_byte(text, (size_t)done);
    }
    return true;
}
