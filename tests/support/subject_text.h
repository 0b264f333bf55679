/* subject_text.h - a subject described in one line, for case files.
 *
 *     Bash git status                 one action; the command is its only form
 *     Read src/x                      a file tool: the path is made absolute below /p and is no
 * link WebFetch https://a.b/c          the host is taken from the address TodoWrite a tool without
 * first argument
 *
 * Options follow, each behind " ;; ":
 *
 *     form=TEXT     the written form of the action, where it is not the whole command
 *     deny=TEXT     one more form for deny and ask
 *     unknown       the command was not understood
 *     alias=NAME    another name of the same tool
 *     unlisted      the tool is in no table: its fields are those that are present
 *     field=N:V     an input field
 *     first=TEXT    the first argument, of a tool that is described by fields
 *     path=A:/x     a path touched; A of r, w, d, x, and ? when it is uncertain, * when it is a
 * pattern link=/x       where the path before it leads to; link= when that cannot be told host=H a
 * host talked to
 *
 * cwd is /p, home is /home/u. */
#ifndef TESTS_SUPPORT_SUBJECT_TEXT_H
#define TESTS_SUPPORT_SUBJECT_TEXT_H

#include "rule/rule.h"

/* Fails the test on an option that does not exist. */
struct subject subject_from_text(struct arena *a, struct str line);

extern const struct rule_env subject_env;

#endif
