/* proxy_driver.c - the proxy of a cell without the cell: proxy_driver HOST...
 *
 * Listens on a port of 127.0.0.1, prints it, and then a line for each connection that has ended.
 * PROXY_REFUSE names a range of addresses to refuse. Ends with its standard input. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/serve.h"

static int listen_somewhere(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(at);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (const void *)&at, size) != 0 || listen(fd, 64) != 0 ||
        getsockname(fd, (void *)&at, &size) != 0)
        exit(2);
    printf("%u\n", ntohs(at.sin_port));
    (void)fflush(stdout);
    return fd;
}

int main(int argc, char **argv)
{
    struct host *hosts = calloc((size_t)argc, sizeof(*hosts));
    struct range refused;
    const char *range = getenv("PROXY_REFUSE");
    int ends[2];

    if (!hosts || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return 2;
    for (int i = 1; i < argc; i++)
        if (!host_parse(str_from(argv[i]), &hosts[i - 1]))
            return 2;
    if (range && !range_parse(str_from(range), &refused))
        return 2;
    struct proxy proxy = {.hosts = hosts,
                          .host_count = (size_t)argc - 1,
                          .refused = &refused,
                          .refused_count = range ? 1 : 0,
                          .sockets = {{PROXY_ASKED, 0, listen_somewhere()}},
                          .socket_count = 1,
                          .notes = ends[1]};
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        proxy_run(&proxy);
    }
    close(ends[1]);
    for (;;) {
        struct pollfd events[] = {{ends[0], POLLIN, 0}, {0, POLLIN, 0}};
        struct proxy_note note;
        if (child < 0 || poll(events, 2, -1) < 0 || events[1].revents ||
            recv(ends[0], &note, sizeof(note), 0) != (ssize_t)sizeof(note))
            return 0;
        printf("%s %s:%u %llu %llu\n", proxy_reason(note.verdict), note.to.name, note.to.port,
               (unsigned long long)note.sent, (unsigned long long)note.received);
        (void)fflush(stdout);
    }
}
