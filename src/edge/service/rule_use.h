/* rule_use.h - how rules are used: how often records name each of them, and what the linter says.
 */
#ifndef SERVICE_RULE_USE_H
#define SERVICE_RULE_USE_H

#include "service/service.h"

#define RULE_USE_DAYS 30

struct rule_use {
    struct str rule, last;
    uint64_t count;
};
struct rule_uses LIST_OF(struct rule_use); /* in the order of their ids */

/* By the log of the last RULE_USE_DAYS days. It waits for the disk. Do not call this inside an
 * arena_try(). */
enum status rule_uses_read(warder_service *s, struct arena *a, struct rule_uses *out,
                           struct error *err);

/* "hits" and "last_hit" */
void rule_use_members(struct json_writer *w, const struct rule_uses *uses, struct str id);
/* "lint": rule is one of these, or NULL. Those that are shipped have no findings. */
void rule_lint_member(struct json_writer *w, const struct rules *rules, const struct rule *rule);

#endif
