#include "machine/passwd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/auto.h"
#include "base/str.h"

/* name:password:uid:gid:comment:home:shell */
enum { FIELD_UID = 2, FIELD_HOME = 5, FIELDS = 6 };

/* What has been read of the file and not been looked at. */
struct passwd_text {
    int fd;
    bool ended, skipping; /* skipping: the rest of a line that was too long */
    size_t from, len;
    char bytes[PASSWD_LINE_MAX];
};

static bool is_number(struct str s, uid_t wanted)
{
    uint64_t number = 0;

    for (size_t i = 0; i < s.len; i++) {
        if (!ascii_is_digit(s.s[i]) || number > UINT32_MAX)
            return false;
        number = number * 10 + (uint64_t)(s.s[i] - '0');
    }
    return s.len && number == wanted;
}

/* False: the entry of another user, or no entry. */
static bool take_home(struct str line, uid_t user, struct str *home)
{
    struct str fields[FIELDS];

    for (size_t i = 0; i < FIELDS; i++)
        if (!str_cut(line, ':', &fields[i], &line))
            return false;
    *home = fields[FIELD_HOME];
    return is_number(fields[FIELD_UID], user);
}

/* Makes room by moving what is left to the front, and reads once. */
static bool read_more(struct passwd_text *t)
{
    if (t->from == 0 && t->len == sizeof(t->bytes)) {
        t->skipping = true;
        t->len = 0;
    }
    memmove(t->bytes, t->bytes + t->from, t->len);
    t->from = 0;
    ssize_t got;
    do
        got = read(t->fd, t->bytes + t->len, sizeof(t->bytes) - t->len);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return false;
    t->ended = got == 0;
    t->len += (size_t)got;
    return true;
}

/* The next line, without its end; a last line without an end counts. False at the end of the file,
 * and with errno set if it cannot be read. */
static bool next_line(struct passwd_text *t, struct str *line)
{
    errno = 0;
    for (;;) {
        const char *start = t->bytes + t->from, *end = memchr(start, '\n', t->len);
        bool skipped = t->skipping;
        size_t len = end ? (size_t)(end - start) : t->len;
        if (end || (t->ended && len)) {
            *line = (struct str){start, len};
            t->from += len + (end != NULL);
            t->len -= len + (end != NULL);
            t->skipping = false;
            if (!skipped)
                return true;
        } else if (t->ended || !read_more(t)) {
            return false;
        }
    }
}

enum status passwd_home(const char *file, uid_t user, char out[PASSWD_LINE_MAX], struct error *err)
{
    AUTO_CLOSE int fd = openat(AT_FDCWD, file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct passwd_text t = {.fd = fd, .len = 0};
    struct str line, home;

    while (fd >= 0 && next_line(&t, &line)) {
        if (!take_home(line, user, &home))
            continue;
        if (home.len == 0 || home.s[0] != '/')
            return fail(err, STATUS_USAGE, "%s names no home directory for user %lu", file,
                        (unsigned long)user);
        memcpy(out, home.s, home.len);
        out[home.len] = '\0';
        return STATUS_OK;
    }
    if (errno)
        return fail(err, STATUS_IO, "cannot read %s: %s", file, strerror(errno));
    return fail(err, STATUS_USAGE, "user %lu is not in %s, so their home directory is not known",
                (unsigned long)user, file);
}
