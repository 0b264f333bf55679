/* destinations.h - programs that talk to hosts which files of the project name: cargo fetch to
 * those of Cargo.toml, go mod download to those of go.mod. */
#ifndef FACTS_DESTINATIONS_H
#define FACTS_DESTINATIONS_H

#include "facts/facts.h"

/* May one of these files hold what the agent wrote, without a person having agreed? Then the name
 * of a host, and all that a URL can carry, may be the agent's choice. True if another part of the
 * call writes one; if one has changed since the session began; and in acceptEdits, where files are
 * written without a question, if it is not known when that was. */
bool destinations_may_be_new(const struct facts *f, const struct action *a);

#endif
