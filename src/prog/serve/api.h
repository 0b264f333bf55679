/* api.h - what the routes do: one function each, between a request and the service. */
#ifndef SERVE_API_H
#define SERVE_API_H

#include "serve/routes.h"

void api_check(struct peer *peer, const struct request *request);
void api_dry_run(struct peer *peer, const struct request *request);
void api_reviews(struct peer *peer, const struct request *request);
void api_review(struct peer *peer, const struct request *request);
void api_answer(struct peer *peer, const struct request *request);
void api_link_look(struct peer *peer, const struct request *request);
void api_link_answer(struct peer *peer, const struct request *request);
void api_rules(struct peer *peer, const struct request *request);
void api_rule(struct peer *peer, const struct request *request);
void api_rule_add(struct peer *peer, const struct request *request);
void api_rule_change(struct peer *peer, const struct request *request);
void api_rule_remove(struct peer *peer, const struct request *request);
void api_rule_audit(struct peer *peer, const struct request *request);
void api_decisions(struct peer *peer, const struct request *request);
void api_decision(struct peer *peer, const struct request *request);
void api_proposals(struct peer *peer, const struct request *request);
void api_sessions(struct peer *peer, const struct request *request);
void api_stats(struct peer *peer, const struct request *request);
void api_session(struct peer *peer, const struct request *request);
void api_session_revoke(struct peer *peer, const struct request *request);
void api_update(struct peer *peer, const struct request *request);
void api_events(struct peer *peer, const struct request *request);
void api_metrics(struct peer *peer, const struct request *request);
void api_health(struct peer *peer, const struct request *request);
void api_root(struct peer *peer, const struct request *request);

#endif
