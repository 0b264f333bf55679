/* explain.h - a call that a person tries, in the service's profile or in others.
 *
 * The rules of this service are written in the words of its profile. In another one they cannot be
 * read, so a call is judged there without them: by the profile, its built-in rules and managed
 * policy. */
#ifndef SERVE_EXPLAIN_H
#define SERVE_EXPLAIN_H

#include "serve/routes.h"

void api_explain(struct peer *peer, const struct request *request);
void api_matrix(struct peer *peer, const struct request *request);

#endif
