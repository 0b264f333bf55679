/* entry_parts.h - shared by the files that read one rule of a policy file. */
#ifndef POLICY_ENTRY_PARTS_H
#define POLICY_ENTRY_PARTS_H

#include "policy/schema.h"
#include "rule/when.h"

enum status entry_wrong(const struct value *v, const char *wanted, struct error *err);
enum status entry_text(const struct value *v, struct str *out, struct error *err);

/* A text, or a list of texts; and path patterns. What they push lives in the reader's arena. */
enum status entry_texts(struct policy_reader *r, const struct value *v, struct strs *out,
                        struct error *err);
/* What one slash in front of a path means: the project in settings files, the root of the file
 * system in guild's. */
enum path_spelling { PATHS_OF_SETTINGS, PATHS_OF_SYSTEM };
enum status entry_paths(struct policy_reader *r, const struct value *v, enum path_spelling spelling,
                        struct rule_paths *out, struct error *err);

/* entry_terms.c: the parts of the long form that say when a rule counts and how far it reaches. */
enum status entry_effects(const struct value *v, unsigned *out, struct error *err);
enum status entry_hosts(struct policy_reader *r, const struct value *v, struct strs *out,
                        struct error *err);
enum status entry_when(struct policy_reader *r, const struct value *v, const struct rule_when **out,
                       struct error *err);
enum status entry_within(struct policy_reader *r, const struct value *v,
                         enum path_spelling spelling, const struct rule_within **out,
                         struct error *err);

/* examples.c: one call, or each of a list, which a rule is about or not. */
enum status entry_examples(struct policy_reader *r, const struct value *v, enum example_kind kind,
                           struct examples *out, struct error *err);

/* All of them as a text. */
struct str entry_terms(struct arena *a, const struct rule_more *more);

#endif
