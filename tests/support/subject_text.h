/* subject_text.h - a subject described in one line, for case files.
 *
 *     Bash git status          one action; the command is its only form
 *     Read src/x               a file tool: the path is below /p and not a link
 *     WebFetch https://a.b/c   the host comes from the address
 *     TodoWrite                a tool without a first argument
 *
 * Options follow, each after " ;; ":
 *
 *     form=TEXT     the written form of the action, if it is not the whole command
 *     deny=TEXT     one more form for deny and ask
 *     unknown       the command was not understood
 *     alias=NAME    another name of the same tool
 *     unlisted      the tool is in no table: its fields are those that are present
 *     field=N:V     an input field
 *     first=TEXT    the first argument, for a tool that is described by its fields
 *     path=A:/x     a path touched; A is r, w, d or x, with ? if uncertain, * if a pattern
 *     link=/x       where the path before it leads; link= if that is not known
 *     host=H        a host contacted
 *
 * cwd is /p, home is /home/u. */
#ifndef TESTS_SUPPORT_SUBJECT_TEXT_H
#define TESTS_SUPPORT_SUBJECT_TEXT_H

#include "rule/rule.h"

/* Fails the test on an option that does not exist. */
struct subject subject_from_text(struct arena *a, struct str line);

extern const struct rule_env subject_env;

#endif
