/* warder_admin.h - for those who operate Warder rather than embed it: looking at
 * rules, policies and profiles, and saying which projects are trusted.
 *
 * Ownership and errors as in warder.h. A warder_report is a finished answer, as
 * text for people and as JSON. */
#ifndef WARDER_ADMIN_H
#define WARDER_ADMIN_H

#include "warder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct warder_report warder_report;

WARDER_API const char *warder_report_text(const warder_report *report);
WARDER_API const char *warder_report_json(const warder_report *report);
/* How many things a person should look at. */
WARDER_API size_t warder_report_errors(const warder_report *report);
WARDER_API size_t warder_report_warnings(const warder_report *report);
WARDER_API void warder_report_free(warder_report *report);

/* Every rule in force, strongest source first: number, behaviour, text, source, place, reason. */
WARDER_API WARDER_CHECK warder_status warder_rules_list(warder_engine *engine, warder_report **out, warder_error *err);
/* Rules that are shadowed, contradictory, wider than they look, or never match. */
WARDER_API WARDER_CHECK warder_status warder_rules_lint(warder_engine *engine, warder_report **out, warder_error *err);
/* One rule, by its number in the list, its id or its text: how it was read. */
WARDER_API WARDER_CHECK warder_status warder_rules_show(warder_engine *engine, const char *which, warder_report **out,
                                                        warder_error *err);
/* The effective policy: files looked for and found, mode, directories, tools, hooks, and where each came from. */
WARDER_API WARDER_CHECK warder_status warder_policy_show(warder_engine *engine, warder_report **out, warder_error *err);
/* Reads and lints one file: problems with line and column. */
WARDER_API WARDER_CHECK warder_status warder_policy_check(const warder_options *options, const char *file,
                                                          warder_report **out, warder_error *err);
/* The table of profiles, with their layers in order. */
WARDER_API WARDER_CHECK warder_status warder_profiles(warder_report **out, warder_error *err);

/* A shell text as the decision sees it: its tree, its actions with their forms, directories, effects and paths, and
 * what was noticed. Errors are counted in the report: 1 when the text was not understood. The text may hold any byte.
 */
WARDER_API WARDER_CHECK warder_status warder_shell_parse(warder_engine *engine, const char *text, size_t len,
                                                         warder_report **out, warder_error *err);

/* Problems that were found while the policy was read, one line each; also why a reload left an older policy in force.
 */
WARDER_API WARDER_CHECK warder_status warder_engine_problems(warder_engine *engine, warder_report **out,
                                                             warder_error *err);

/* A project is trusted by the content of its policy files. home NULL: $HOME; directory NULL: the current one. */
typedef enum warder_trust { WARDER_UNTRUSTED = 0, WARDER_TRUSTED = 1, WARDER_NOTHING_TO_TRUST = 2 } warder_trust;
WARDER_API WARDER_CHECK warder_status warder_trust_status(const char *home, const char *directory, warder_trust *out,
                                                          warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_trust_add(const char *home, const char *directory, warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_trust_remove(const char *home, const char *directory, warder_error *err);
/* What trusting the project would switch on: its files, allow rules, hooks, mode, rows for programs. */
WARDER_API WARDER_CHECK warder_status warder_trust_preview(const char *home, const char *directory, warder_report **out,
                                                           warder_error *err);

/* What an agent's hook prints and how it ends. `client`: the agent's name, or "auto"; `event`: what it sent;
 * `deadline_ms`: for hooks of our own files. The decision is recorded, and is a deny when it cannot be. Any failure
 * means that the call was not judged: it must be blocked (exit 2 and a line on standard error), whatever the client. */
typedef struct warder_reply warder_reply;
WARDER_API WARDER_CHECK warder_status warder_hook(const warder_options *options, const char *client, const char *event,
                                                  size_t len, uint32_t deadline_ms, warder_reply **out,
                                                  warder_error *err);
WARDER_API const char *warder_reply_out(const warder_reply *reply); /* all of standard output */
WARDER_API const char *warder_reply_err(const warder_reply *reply); /* a line of standard error, or "" */
WARDER_API int warder_reply_code(const warder_reply *reply);        /* NULL blocks */
WARDER_API void warder_reply_free(warder_reply *reply);

/* ---- agents on this machine ---- */

typedef enum warder_scope { WARDER_SCOPE_USER = 0, WARDER_SCOPE_PROJECT, WARDER_SCOPE_MANAGED } warder_scope;

typedef struct warder_installation {
    size_t struct_size;
    const char *client;
    warder_scope scope;
    int remove;                           /* take the registration out instead of writing it */
    const char *home, *project, *program; /* NULL: $HOME, the current directory, the program that runs */
} warder_installation;
#define WARDER_INSTALLATION_INIT WARDER_INIT(warder_installation)

/* What has to change in the client's own file so that it asks Warder; nothing is written before it is applied. */
typedef struct warder_change warder_change;
WARDER_API WARDER_CHECK warder_status warder_install_plan(const warder_installation *where, warder_change **out,
                                                          warder_error *err);
WARDER_API const char *warder_change_file(const warder_change *change);
WARDER_API const char *warder_change_diff(const warder_change *change); /* "": it says so already */
WARDER_API const char *warder_change_note(const warder_change *change); /* what a person should know; NULL: nothing */
/* Refused when the file is not what it was when it was planned. */
WARDER_API WARDER_CHECK warder_status warder_change_apply(warder_change *change, warder_error *err);
WARDER_API const char *warder_change_backup(const warder_change *change); /* NULL: there was no file */
WARDER_API void warder_change_free(warder_change *change);

/* Finds the agents, looks at their registrations and sends a harmful and a harmless call through each. `client` NULL:
 * all of them. */
WARDER_API WARDER_CHECK warder_status warder_doctor(const warder_installation *where, warder_report **out,
                                                    warder_error *err);

/* Another agent's permissions as a policy of ours, never looser: the report's text is the policy, with comments about
 * what could not be said; warnings counts those. `what`: a file, or codex, gemini, opencode, cursor or copilot. */
WARDER_API WARDER_CHECK warder_status warder_import(const char *home, const char *what, warder_report **out,
                                                    warder_error *err);

/* Calls that an agent could not ask about, and that wait for a person: ID, age, client, tool, input. */
WARDER_API WARDER_CHECK warder_status warder_approvals(warder_engine *engine, warder_report **out, warder_error *err);
/* Shows one of them on the terminal and takes the answer: the very same call may then run, once, within ten minutes.
 * id NULL: the only one that waits. WARDER_EUNSAFE: this is no person at a terminal, as far as that can be seen. */
typedef enum warder_approval { WARDER_LEFT_OPEN = 0, WARDER_APPROVED = 1, WARDER_REFUSED = 2 } warder_approval;
WARDER_API WARDER_CHECK warder_status warder_approve(warder_engine *engine, const char *id, warder_approval *out,
                                                     warder_error *err);

#ifdef __cplusplus
}
#endif
#endif
