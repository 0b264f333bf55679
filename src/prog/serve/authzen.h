/* authzen.h - the Authorization API 1.0 of the OpenID Foundation (AuthZEN): a gateway that speaks
 * it asks whether a subject may do an action with a resource, and is told true or false.
 *
 * An evaluation is a call like any other: judged, recorded, and reviewed where a person must
 * decide. True is said for allow alone. The resource says which call it is (docs/service.md). */
#ifndef SERVE_AUTHZEN_H
#define SERVE_AUTHZEN_H

struct authzen;
struct peer;
struct request;

void api_evaluation(struct peer *peer, const struct request *request);
void api_evaluations(struct peer *peer, const struct request *request);
void api_authzen_configuration(struct peer *peer, const struct request *request);

void authzen_free(struct authzen *authzen); /* NULL is fine */

#endif
