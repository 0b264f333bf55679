/* browser.h - the sessions of browsers: signing in and out, and the cookie between.
 *
 * The cookie is no secret to be read (HttpOnly), is sent by no other site (SameSite=Strict), and
 * counts only where request.c says. On a loopback address its name has the port: cookies ignore
 * ports, and another service of this machine must neither get nor set it. */
#ifndef SERVE_BROWSER_H
#define SERVE_BROWSER_H

#include "serve/routes.h"

#define COOKIE_NAME_MAX 32u

const char *browser_cookie(const struct peer *peer, char out[COOKIE_NAME_MAX]);

void api_login(struct peer *peer, const struct request *request);
void api_logout(struct peer *peer, const struct request *request);
void api_me(struct peer *peer, const struct request *request);
void api_browsers(struct peer *peer, const struct request *request);
void api_tokens(struct peer *peer, const struct request *request);
void api_token_revoke(struct peer *peer, const struct request *request);
void api_browser_end(struct peer *peer, const struct request *request);

#endif
