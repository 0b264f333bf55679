#include "service.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "place.h"

static char program[PATH_MAX];

bool service_is_built(void)
{
    snprintf(program, sizeof(program), "%s/warder-serve", BENCH_BUILD);
    if (access(program, X_OK) != 0)
        return false;
    snprintf(program, sizeof(program), "%s/warder", BENCH_BUILD);
    return true;
}

/* It prints where it listens when it is ready: HTTP first, the socket in the second line. */
static void await_start(int fd)
{
    char c;

    for (int lines = 0; lines < 2; lines += c == '\n')
        if (read(fd, &c, 1) != 1)
            place_stop("the service does not start");
}

void service_start(struct service *s, const char *name, const char *sync)
{
    char data[PATH_MAX], directory[PATH_MAX], below[64];
    const char *const argv[] = {program,         "serve",   "--listen", "127.0.0.1:0",
                                "--socket",      s->socket, "--data",   data,
                                "--record-sync", sync,      NULL};
    int out[2];

    snprintf(below, sizeof(below), "data-%s", name);
    place_path(data, below);
    snprintf(below, sizeof(below), "run-%s", name);
    place_path(directory, below);
    snprintf(below, sizeof(below), "run-%s/warder.sock", name);
    place_path(s->socket, below);
    if (mkdir(directory, S_IRWXU) < 0)
        place_stop(directory);
    if (pipe2(out, O_CLOEXEC) < 0 || (s->pid = place_spawn(argv, "/dev/null", NULL, out[1])) < 0)
        place_stop(program);
    close(out[1]);
    await_start(out[0]);
    close(out[0]);
}

void service_stop(struct service *s)
{
    kill(s->pid, SIGTERM);
    waitpid(s->pid, NULL, 0);
}

/* The path may be too long for a socket address: enters its directory instead. */
static int with_address(const char *path, int (*use)(int, const struct sockaddr *, socklen_t))
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(directory, sizeof(directory), "%.*s", (int)(slash - path), path);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", slash + 1);
    if (fd < 0 || chdir(directory) < 0 ||
        use(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
        place_stop(path);
    return fd;
}

int service_listen(const char *path)
{
    int fd = with_address(path, bind);

    if (listen(fd, 8) < 0)
        place_stop(path);
    return fd;
}

int service_connect(const char *path)
{
    return with_address(path, connect);
}

bool service_ask(int fd, const char *line, size_t len, char *answer, size_t room)
{
    size_t got = 0;

    if (write(fd, line, len) != (ssize_t)len)
        return false;
    do {
        ssize_t n = read(fd, answer + got, room - 1 - got);
        if (n <= 0)
            return false;
        got += (size_t)n;
    } while (answer[got - 1] != '\n' && got < room - 1);
    answer[got] = '\0';
    return true;
}
