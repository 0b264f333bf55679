/* session_parts.h - what the files session_*.c share. */
#ifndef ASK_SESSION_PARTS_H
#define ASK_SESSION_PARTS_H

#include "ask/session_file.h"
#include "base/json.h"

#define SESSION_LOCK      "lock"
#define SESSION_SHOWN_MAX 4096 /* bytes of a session's name; longer ones are not shown */

/* The text of a session's file; .s NULL: there is none. Below an arena_try(). */
enum status session_parse(struct arena *a, const char *name, struct str text, struct session *out,
                          struct error *err);

/* Is that the name of a session's file? */
bool session_is_file(const char *name);

/* Its list of approvals; `list` NULL: none. False: damaged. */
bool approvals_read(struct arena *a, const struct value *list, struct session_approvals *out);
void approvals_write(struct json_writer *w, const struct session_approvals *list);

#endif
