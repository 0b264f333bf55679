/* action_json.h - actions, paths and findings as JSON: the members that a verdict and a parse
 * report share. */
#ifndef ENGINE_ACTION_JSON_H
#define ENGINE_ACTION_JSON_H

#include "base/json.h"
#include "engine/engine.h"

void json_text_or_null(struct json_writer *w, const char *key, struct str text);
void json_span(struct json_writer *w, size_t at, size_t len);     /* "at" and "length" */
void json_findings(struct json_writer *w, const struct facts *f); /* with its key; f may be NULL */
void json_action_members(struct json_writer *w, const struct facts *f, size_t i);

#endif
