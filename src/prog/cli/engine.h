/* engine.h - from the command line to an engine and a decision; what check and explain, rules and
 * policy share. */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include "cli/command.h"
#include "warder.h"
#include "warder_admin.h"

/* What their help says of exit codes. */
#define VERDICT_EXITS "0 allow, 1 deny, 2 ask"
#define LINT_EXITS    "0 clean, 1 warnings, 65 errors"

/* All return 0, or an exit code after a complaint. */

/* Relative directories become absolute here: the library judges absolute paths only. */
int engine_options(struct cli *cli, warder_options *out);

/* Reads the policy; what is wrong with it goes to standard error. */
int engine_open(struct cli *cli, warder_engine **out);
/* The same with these files in place of --policy; none: as the policy is found. */
int engine_open_policies(struct cli *cli, const char *const *files, size_t count,
                         warder_engine **out);

/* EX_DATAERR if its policy cannot be read: then it denies everything, which is not what anyone
 * wants to compare. */
int engine_is_sound(warder_engine *engine);

/* engine_open() with the operands, if there are any, in place of --policy, and without a word about
 * what is wrong with them: a report will say it. */
int engine_open_for_report(struct cli *cli, warder_engine **out);

/* The log that says which rules are unused, for this many days (`given`; 0: as usual). *out NULL:
 * nobody asked for it. */
int log_for_usage(struct cli *cli, bool wanted, const char *given, warder_log **out,
                  uint32_t *days);

/* The call that the operands and --input describe. Free both, in every case. */
int engine_decide(struct cli *cli, warder_engine **engine, warder_decision **decision);

/* A call a line from standard input, an answer a line; check and explain have it. */
int check_lines(struct cli *cli, bool explained);

/* Prints the text about a decision. Without one it prints a deny, frees the decision, and returns
 * NULL, which denies. */
warder_decision *print_or_deny(const char *json, warder_decision *decision);

int verdict_exit(const warder_decision *decision);

/* Prints a report and frees it. */
void report_print(struct cli *cli, warder_report *report);
/* Opens the engine, and prints what this says about it. */
typedef warder_status engine_report(warder_engine *engine, warder_report **out, warder_error *err);
int report_of_engine(struct cli *cli, engine_report *make);
/* report_print() for a report of findings; returns its exit code. */
int report_findings(struct cli *cli, warder_report *report);

#endif
