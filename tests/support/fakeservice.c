#include "support/fakeservice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ask/service.h"

#include <cmocka.h>

static bool hear(int fd, char *line, size_t room)
{
    size_t len = 0;

    while (len + 1 < room && recv(fd, line + len, 1, 0) == 1)
        if (line[len++] == '\n') {
            line[len - 1] = '\0';
            return true;
        }
    return false;
}

static void *serve(void *arg)
{
    struct fake *f = arg;
    int c = accept(f->fd, NULL, NULL);
    char byte;

    for (size_t i = 0; i < f->count && hear(c, f->heard[i], sizeof(f->heard[i])); i++) {
        f->lines++;
        if (!f->answers[i])
            break;
        if (send(c, f->answers[i], strlen(f->answers[i]), MSG_NOSIGNAL) < 0 || !f->answers[i][0])
            break;
    }
    if (f->count && !f->answers[f->count - 1])
        (void)!recv(c, &byte, 1, 0);
    close(c);
    return NULL;
}

int fake_listen(const char *directory)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(address.sun_path, sizeof(address.sun_path), "%s/" SERVICE_SOCKET, directory);
    unlink(address.sun_path);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(fd, 4), 0);
    return fd;
}

void fake_start(struct fake *f, const char *directory)
{
    f->fd = fake_listen(directory);
    assert_int_equal(pthread_create(&f->thread, NULL, serve, f), 0);
}

void fake_stop(struct fake *f)
{
    shutdown(f->fd, SHUT_RDWR); /* if no client connected */
    pthread_join(f->thread, NULL);
    close(f->fd);
}
