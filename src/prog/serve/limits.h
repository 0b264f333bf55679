/* limits.h - how much of anything the service takes. Each has a test at its edge, and a row in
 * docs/service.md. */
#ifndef SERVE_LIMITS_H
#define SERVE_LIMITS_H

#define CALL_BODY_MAX  1000000u /* bytes of a call, also of a line on the unix socket */
#define SMALL_BODY_MAX 65536u   /* bytes of an answer or a rule */
#define HEADERS_MAX                                                                                \
    8192u /* bytes of a request's line and headers that are kept; more ends the connection */
#define SEGMENT_MAX     128u  /* bytes of the id in a path */
#define QUERY_MAX       16u   /* parameters of a query */
#define QUERY_VALUE_MAX 1024u /* bytes of one of them, with its name */

#define CONNECTIONS_MAX 16384u /* TCP and unix together */
#define DESCRIPTORS_OWN 128u   /* that are no connections: journal, database, policy files */

#define REQUEST_TIMEOUT_S                                                                          \
    20.0 /* for a whole request to arrive, from its first byte, or from the connection on */
#define KEEPALIVE_TIMEOUT_S 60   /* between two requests */
#define REPLY_TIMEOUT_S     30.0 /* for a client to take its whole answer */
#define WAIT_MAX_S          900u /* how long an answer is held; longer wishes are cut to this */

#define LINE_ANSWERS_MAX                                                                           \
    64u /* answers that one unix connection may have outstanding; no more is read until then */

#define EVENTS_KEPT                                                                                \
    1024u /* events that a WebSocket may be behind; who is further behind is dropped */
#define EVENTS_PAGE_MAX                                                                            \
    200u /* in one answer, or in one message of those that a WebSocket has missed */
#define SEND_BUFFER 131072 /* bytes that the kernel keeps for a client that does not read */
#define PING_INTERVAL_S                                                                            \
    45.0 /* a WebSocket that has not answered the last ping by the next one is dropped */

#define JOBS_MAX 64u /* queries of the log that wait for the thread that runs them */

#define RELOAD_QUIET_S 0.2 /* a policy is read again when its files have been quiet for so long */
#define STOP_GRACE_S   5.0 /* for answers to leave when the service is told to stop */

#endif
