/* limits.h - the limits of the service. Each has a test at its edge and a row in
 * docs/service.md. */
#ifndef SERVE_LIMITS_H
#define SERVE_LIMITS_H

#define CALL_BODY_MAX   1000000u /* bytes of a call, or of a line on the unix socket */
#define SMALL_BODY_MAX  65536u   /* bytes of an answer or a rule */
#define HEADERS_MAX     8192u    /* bytes of a request line and headers; more ends the connection */
#define HOST_MAX        256u     /* bytes of a host name with its port, and the NUL */
#define REQUEST_ID_MAX  129u  /* bytes of an X-Request-ID, and the NUL; a longer one is left out */
#define ETAG_MAX        64u   /* bytes of an If-None-Match, and the NUL; a longer one is not ours */
#define SEGMENT_MAX     128u  /* bytes of the id in a path */
#define QUERY_MAX       16u   /* parameters of a query */
#define QUERY_VALUE_MAX 1024u /* bytes of one of them, with its name */

#define CONNECTIONS_MAX   16384u /* TCP and unix together */
#define DESCRIPTORS_OWN   128u   /* for other files: journal, database, policy */
#define DESCRIPTORS_LEAST 256u   /* where the limit of the process is not known */

#define REQUEST_TIMEOUT_S   20.0 /* for a whole request, from the connection or its first byte on */
#define KEEPALIVE_TIMEOUT_S 60   /* between two requests */
#define REPLY_TIMEOUT_S     30.0 /* for a client to read its whole answer */
#define WAIT_MAX_S          900u /* longest wait for an answer; longer values are cut */

#define LINE_ANSWERS_MAX 64u /* unanswered lines of a unix connection; then reading pauses */

#define EVENTS_KEPT        1024u /* events that a WebSocket may be behind; beyond that it is dropped */
#define REVIEWS_PAGE_MAX   1000u /* the most that the service gives at once */
#define DECISIONS_PAGE_MAX 10000u
#define EVENTS_PAGE_MAX    200u   /* events in one answer or one message */
#define SEND_BUFFER        131072 /* bytes that the kernel buffers for a client that does not read */
#define PING_INTERVAL_S    45.0   /* the last ping must be answered by the next one */

#define EVALUATIONS_MAX 100u /* of one AuthZEN request */

#define JOBS_MAX           64u   /* log queries and audits that wait for their thread */
#define JOBS_NICE          10    /* of that thread, more than the others have */
#define KEEP_UP_EVERY_MS   1000  /* the index of the log, while there is no query */
#define KEEP_UP_REST       19    /* times as long as it worked, while calls are recorded, */
#define KEEP_UP_HURRY_MS   10000 /* and half of that after each such time that it is behind, */
#define KEEP_UP_REST_LEAST 4     /* until it is about this */
#define KEEP_UP_ROWS       200u /* at a time, so that neither a query nor a record waits for more */

#define RELOAD_QUIET_S 0.2 /* reload when the files have not changed for this long */
#define STOP_GRACE_S   5.0 /* for answers to leave after the service is told to stop */

#endif
