/* serve_floor.c - the floor for tools/bench-serve: libwebsockets with the libev loop, and a handler
 * that reads a body and sends a constant answer. Prints the port that it listens on. */
#include <ev.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <string.h>

#define ANSWER "{\"behavior\":\"allow\"}"

static int answer(struct lws *wsi)
{
    unsigned char room[LWS_PRE + 512], *start = room + LWS_PRE, *at = start,
                                       *end = room + sizeof room - 1;

    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "application/json", strlen(ANSWER), &at,
                                    end) ||
        lws_finalize_http_header(wsi, &at, end))
        return -1;
    memcpy(at, ANSWER, strlen(ANSWER));
    at += strlen(ANSWER);
    if (lws_write(wsi, start, (size_t)(at - start), LWS_WRITE_HTTP_FINAL) < 0)
        return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    (void)user, (void)in, (void)len;
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP:
        if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0)
            return 0;
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return answer(wsi);
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {{.name = "floor", .callback = callback}, {0}};

int main(void)
{
    struct ev_loop *loop = ev_default_loop(EVFLAG_AUTO);
    void *loops[] = {loop};
    struct lws_context_creation_info info = {
        .iface = "lo",
        .protocols = protocols,
        .foreign_loops = loops,
        .options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_DISABLE_IPV6,
        .gid = -1,
        .uid = -1,
    };
    struct lws_context *context;
    struct lws_vhost *vhost;

    lws_set_log_level(LLL_ERR, NULL);
    context = lws_create_context(&info);
    vhost = context ? lws_create_vhost(context, &info) : NULL;
    if (!vhost)
        return 1;
    printf("%d\n", lws_get_vhost_listen_port(vhost));
    fflush(stdout);
    ev_run(loop, 0);
    return 0;
}
