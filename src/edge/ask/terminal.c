#include "ask/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/auto.h"

#define WRITE_PATIENCE_MS 1000
#define SIZE_MAX_SANE     4000 /* rows or columns; a larger size was never set */

/* Pasted text is bracketed by escape sequences, so that it cannot press a key. */
#define KEYS_ON  "\033[?2004h"
#define KEYS_OFF "\033[?2004l"
#define PAGE_ON  "\033[?1049h"
#define PAGE_OFF "\033[?1049l"

/* ---- signals ---- */

/* `news` 0: the signal ends the process. */
static const struct {
    int number;
    unsigned news;
    bool again; /* raised again when the terminal is closed */
} signals[] = {
    {SIGINT, TERMINAL_INTERRUPTED, false},
    {SIGTERM, TERMINAL_ENDED, true},
    {SIGHUP, TERMINAL_ENDED, true},
    {SIGQUIT, TERMINAL_ENDED, true},
    {SIGTSTP, TERMINAL_STOPPED, false},
    {SIGCONT, TERMINAL_CONTINUED, false},
    {SIGWINCH, TERMINAL_RESIZED, false},
    {SIGSEGV, 0, false},
    {SIGBUS, 0, false},
    {SIGFPE, 0, false},
    {SIGILL, 0, false},
    {SIGABRT, 0, false},
};

/* State for the signal handler. A process has one terminal, so there is one of these; `taken`
 * guards it. */
static struct {
    atomic_flag taken;
    struct sigaction before[COUNT(signals)];
    struct termios saved;
    atomic_int fd; /* in cbreak mode, to be restored; -1: nothing to restore */
    int pipe[2];
    atomic_uint news, ended; /* ended: a bit for each row whose signal is to be raised again */
} held = {.taken = ATOMIC_FLAG_INIT, .fd = -1, .pipe = {-1, -1}};

/* Safe in a signal handler. SIGTTOU, which would stop a background process here, is blocked
 * meanwhile. */
static void give_back(void)
{
    int fd = atomic_exchange(&held.fd, -1);
    sigset_t output, before;

    if (fd < 0)
        return;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &output, &before);
    (void)!write(fd, KEYS_OFF, sizeof(KEYS_OFF) - 1);
    tcsetattr(fd, TCSANOW, &held.saved);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_signal(int number)
{
    int error = errno;
    size_t i = 0;

    while (i < COUNT(signals) - 1 && signals[i].number != number)
        i++;
    if (signals[i].news == 0) {
        give_back();
        sigaction(number, &held.before[i], NULL);
        raise(number);
    } else {
        if (signals[i].again) {
            atomic_fetch_or(&held.ended, 1u << i);
            give_back(); /* at once: the loop may not get its turn soon */
        }
        atomic_fetch_or(&held.news, signals[i].news);
        (void)!write(held.pipe[1], "", 1);
    }
    errno = error;
}

static void catch_one(size_t i)
{
    struct sigaction act = {.sa_handler = on_signal};

    sigfillset(&act.sa_mask);
    sigaction(signals[i].number, NULL, &held.before[i]);
    if (held.before[i].sa_handler != SIG_IGN) /* nohup: the parent process wants it ignored */
        sigaction(signals[i].number, &act, NULL);
}

static bool catch_all(struct terminal *t)
{
    static atomic_flag registered = ATOMIC_FLAG_INIT;

    if (pipe2(held.pipe, O_CLOEXEC | O_NONBLOCK) < 0)
        return false;
    atomic_store(&held.news, 0);
    atomic_store(&held.ended, 0);
    t->wake = held.pipe[0];
    for (size_t i = 0; i < COUNT(signals); i++)
        catch_one(i);
    if (!atomic_flag_test_and_set(&registered))
        atexit(give_back);
    return true;
}

static void release_all(void)
{
    for (size_t i = 0; i < COUNT(signals); i++)
        sigaction(signals[i].number, &held.before[i], NULL);
    for (int i = 0; i < 2; i++) {
        if (held.pipe[i] >= 0)
            close(held.pipe[i]);
        held.pipe[i] = -1;
    }
}

unsigned terminal_news(struct terminal *t)
{
    char drained[64];

    if (t->wake < 0)
        return 0;
    while (read(t->wake, drained, sizeof(drained)) > 0)
        ;
    return atomic_exchange(&held.news, 0);
}

/* ---- modes ---- */

static bool enter(struct terminal *t)
{
    /* After a stop without notice the mode may still be ours: then the saved one is still right. */
    if (atomic_load(&held.fd) < 0 && tcgetattr(t->in, &held.saved) < 0)
        return false;
    struct termios mode = held.saved;
    mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
    mode.c_lflag |= ISIG;
    mode.c_iflag |= ICRNL;
    mode.c_oflag |= OPOST | ONLCR;
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    atomic_store(&held.fd, t->in);
    /* What was typed before the question appeared is not an answer to it. */
    if (tcsetattr(t->in, TCSAFLUSH, &mode) < 0) {
        atomic_store(&held.fd, -1);
        return false;
    }
    terminal_write(t, STR(KEYS_ON));
    return true;
}

static void leave(struct terminal *t)
{
    terminal_page(t, false);
    give_back();
}

void terminal_resume(struct terminal *t)
{
    if (t->keys && atomic_load(&held.ended) == 0)
        (void)enter(t);
}

void terminal_suspend(struct terminal *t)
{
    sigset_t stop, before;
    size_t i = 0;

    while (signals[i].number != SIGTSTP)
        i++;
    leave(t);
    sigaction(SIGTSTP, &held.before[i], NULL);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &before); /* here it stops, and here it goes on */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    catch_one(i);
    terminal_resume(t);
}

/* ---- opening ---- */

static bool names_utf8(const char *locale)
{
    struct str s = str_from(locale);

    return str_contains_nocase(s, STR("utf-8")) || str_contains_nocase(s, STR("utf8"));
}

static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < COUNT(names); i++) {
        const char *value = getenv(names[i]);
        if (value && value[0])
            return names_utf8(value);
    }
    return false;
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");

    return !term || !term[0] || strcmp(term, "dumb") == 0;
}

bool terminal_is_there(void)
{
    AUTO_CLOSE int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

    return fd >= 0;
}

static bool open_keys(struct terminal *t)
{
    if (tcgetpgrp(t->in) != getpgrp() || atomic_flag_test_and_set(&held.taken))
        return false;
    if (catch_all(t) && enter(t)) {
        t->keys = true;
        return true;
    }
    release_all();
    atomic_flag_clear(&held.taken);
    return false;
}

bool terminal_open(struct terminal *t, int in, int out)
{
    *t = (struct terminal){.in = in, .out = out, .wake = -1, .utf8 = is_utf8()};
    if (in < 0) {
        t->in = t->out = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
        t->owned = true;
    }
    if (t->in < 0)
        return false;
    t->typed = isatty(t->in);
    if (!t->typed || is_dumb())
        return true;
    t->out = t->in;
    if (open_keys(t))
        return true;
    terminal_close(t);
    return false;
}

void terminal_close(struct terminal *t)
{
    if (t->keys) {
        leave(t);
        release_all();
        unsigned ended = atomic_load(&held.ended);
        atomic_flag_clear(&held.taken);
        for (size_t i = 0; i < COUNT(signals); i++)
            if (ended & 1u << i)
                raise(signals[i].number);
    }
    if (t->owned && t->in >= 0)
        close(t->in);
    *t = (struct terminal){.in = -1, .out = -1, .wake = -1};
}

/* ---- writing ---- */

void terminal_size(const struct terminal *t, size_t *rows, size_t *columns)
{
    struct winsize size = {0};

    *rows = 24;
    *columns = 80;
    if (!isatty(t->out) || ioctl(t->out, TIOCGWINSZ, &size) < 0)
        return;
    if (size.ws_row > 0 && size.ws_row < SIZE_MAX_SANE)
        *rows = size.ws_row;
    if (size.ws_col > 0 && size.ws_col < SIZE_MAX_SANE)
        *columns = size.ws_col;
}

void terminal_write(const struct terminal *t, struct str text)
{
    while (text.len) {
        struct pollfd ready = {.fd = t->out, .events = POLLOUT};
        /* In small parts: poll() says that there is room, but not how much. */
        size_t part = text.len < 512 ? text.len : 512;
        if (poll(&ready, 1, WRITE_PATIENCE_MS) == 0)
            return;
        ssize_t n = write(t->out, text.s, part);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return;
        text = str_from_byte(text, n > 0 ? (size_t)n : 0);
    }
}

void terminal_write_lines(const struct terminal *t, struct arena *scratch, const struct strs *lines)
{
    struct buf b = buf_in(scratch);

    for (size_t i = 0; i < lines->count; i++) {
        buf_add(&b, lines->items[i]);
        buf_byte(&b, '\n');
    }
    terminal_write(t, buf_str(&b));
}

void terminal_page(struct terminal *t, bool on)
{
    if (t->keys && t->paged != on)
        terminal_write(t, on ? STR(PAGE_ON) : STR(PAGE_OFF));
    t->paged = t->keys && on;
}
