#include "serve/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/own.h"
#include "serve/options.h"
#include "serve/say.h"

#define BACKLOG     1024
#define SOCKET_NAME "warder.sock"

/* "A/B/warder.sock"; false if it is too long or `a` is not an absolute path. */
static bool put(struct socket_file *file, const char *a, const char *b)
{
    int len = a ? snprintf(file->path, sizeof file->path, "%s%s/" SOCKET_NAME, a, b) : 0;

    return len > 0 && (size_t)len < sizeof file->path && a[0];
}

static bool find_place(struct socket_file *file, const struct serve_options *o)
{
    const char *runtime = o->home ? NULL : getenv("XDG_RUNTIME_DIR");
    const char *state = o->home ? NULL : getenv("XDG_STATE_HOME");

    if (o->socket)
        return (size_t)snprintf(file->path, sizeof file->path, "%s", o->socket) < sizeof file->path;
    if (o->data)
        return put(file, o->data, "");
    if (runtime && runtime[0] == '/')
        return put(file, runtime, "/warder");
    if (state && state[0] == '/')
        return put(file, state, "/warder");
    return put(file, o->home ? o->home : getenv("HOME"), "/.local/state/warder");
}

/* A user who can write to the directory could replace our socket. */
static bool open_directory(struct socket_file *file)
{
    char directory[PATH_MAX];
    char *slash = strrchr(file->path, '/');
    struct error err = {0};

    file->name = slash ? slash + 1 : file->path;
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - file->path) : 1,
             slash ? file->path : ".");
    if (own_make_directory(directory, &err) == STATUS_OK &&
        own_open_directory(directory[0] ? directory : "/", &file->directory, &err) == STATUS_OK)
        return true;
    serve_say("the socket needs a directory that only you can write to: %s", err.message);
    return false;
}

/* Through the descriptor of the checked directory, so the length of its path does not matter. */
static bool address_of(const struct socket_file *file, struct sockaddr_un *out)
{
    int len;

    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    len = snprintf(out->sun_path, sizeof out->sun_path, "/proc/self/fd/%d/%s", file->directory,
                   file->name);
    return len > 0 && (size_t)len < sizeof out->sun_path && file->name[0];
}

/* A socket file that does not answer was left by a service that died. */
static bool remove_stale(const struct socket_file *file, const struct sockaddr_un *address)
{
    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct stat st;

    if (fstatat(file->directory, file->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT;
    if (!S_ISSOCK(st.st_mode)) {
        serve_say("%s exists and is not a socket", file->path);
        return false;
    }
    if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 ||
        errno != ECONNREFUSED) {
        serve_say("%s: another service answers there", file->path);
        return false;
    }
    return unlinkat(file->directory, file->name, 0) == 0;
}

static int bind_to(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(S_IXUSR | S_IRWXG | S_IRWXO);
    bool bound = fd >= 0 && bind(fd, (const struct sockaddr *)address, sizeof *address) == 0;

    umask(before);
    if (bound && listen(fd, BACKLOG) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static void forget(struct socket_file *file)
{
    if (file->directory >= 0)
        close(file->directory);
    file->directory = -1;
    file->path[0] = '\0';
}

int socket_open(struct socket_file *file, const struct serve_options *options)
{
    struct sockaddr_un address;
    int fd = -1;

    if (!find_place(file, options)) {
        serve_say("no directory for the socket; choose one with --socket");
        return -1;
    }
    if (!open_directory(file))
        return -1;
    if (!address_of(file, &address))
        serve_say("path of the socket too long: %s", file->path);
    else if (remove_stale(file, &address) && (fd = bind_to(&address)) < 0)
        serve_say("cannot listen on %s: %s", file->path, strerror(errno));
    if (fd < 0)
        forget(file);
    return fd;
}

void socket_remove(struct socket_file *file)
{
    if (file->directory >= 0)
        unlinkat(file->directory, file->name, 0);
    forget(file);
}
