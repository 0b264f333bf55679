/* api.h - the running service, as the commands for operators see it: over HTTP, on this machine
 * only.
 *
 * The token is never on the command line, where every process could read it: it comes from
 * --token-file, from $WARDER_TOKEN, or from the file operator-token in the data directory. It is
 * sent to loopback addresses alone. */
#ifndef CLI_API_H
#define CLI_API_H

#include "base/json.h"
#include "cli/command.h"
#include "machine/http.h"

#define API_DEFAULT_URL                                                                            \
    "http://127.0.0.1:8420"              /* where `warder serve` listens unless it is told         \
                                          */
#define API_TOKEN_FILE  "operator-token" /* in the data directory, if there is one */
#define API_DEADLINE_MS 30000

#define SERVICE_EXITS "0 done, 65 invalid, 66 not found, 69 no service, 77 not permitted"

struct api {
    struct cli *cli;
    struct http_url url;
    char token[HTTP_SECRET_MAX + 1];
    struct arena arena; /* of one answer */
};

/* 0, or an exit code after a complaint. api_close() in every case. */
int api_open(struct cli *cli, struct api *out);
void api_close(struct api *api);

struct api_question {
    const char *method;
    struct str path, body;
    uint32_t more_ms; /* that the service may hold its answer, beside the usual time */
};

/* *out: what it said, when it said yes; it lives until the next question. Else what it said is on
 * standard error, and the exit code tells: 1 it is over already or not so any more, 65 not right,
 * 66 there is none, 69 no service answers, 77 not with this token. */
int api_ask(struct api *api, const struct api_question *question, struct value *out);

/* A member of a body, unless it was not given (NULL). */
void api_text_member(struct json_writer *w, const char *key, const char *text);

/* Prints a value as JSON on one line; 0, or an exit code. */
int api_print(struct api *api, const struct value *answer);

#endif
