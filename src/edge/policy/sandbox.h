/* sandbox.h - how files speak about the sandbox: our own (sandbox.c) and settings of clients
 * (sandbox_settings.c), with one answer to who may say what. */
#ifndef POLICY_SANDBOX_H
#define POLICY_SANDBOX_H

#include "policy/schema.h"

/* May this file widen a cell, or only narrow it? */
bool sandbox_may_widen(const struct policy_reader *r);

/* A word, and an entry of a list, if the file may say it; else a warning. `client`: by the settings
 * of a client. */
void sandbox_say(struct policy_reader *r, const struct value *v, enum sandbox_key key,
                 unsigned value, bool client);
void sandbox_add(struct policy_reader *r, const struct value *v, enum sandbox_list list,
                 struct str entry);

/* A path of such a list; false: it is none, or needs no entry. */
bool sandbox_path(struct policy_reader *r, const struct value *v, enum sandbox_list list,
                  struct str text, struct str *out);

/* Where a list stands below "sandbox": write, network.hosts. */
const char *sandbox_list_key(enum sandbox_list list);

/* Can the cell read this entry of `network.hosts` or `network.refuse`? */
bool sandbox_is_host(enum sandbox_list list, struct str text);

#endif
