/* warder_admin.h - for operating Warder rather than embedding it: rules, policies, profiles, the
 * log, and which projects are trusted.
 *
 * Ownership and errors are as in warder.h. A warder_report is a finished answer, as plain text and
 * as JSON. */
#ifndef WARDER_ADMIN_H
#define WARDER_ADMIN_H

#include "warder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct warder_report warder_report;

WARDER_API const char *warder_report_text(const warder_report *report);
WARDER_API const char *warder_report_json(const warder_report *report);
/* How many problems a person should look at. */
WARDER_API size_t warder_report_errors(const warder_report *report);
WARDER_API size_t warder_report_warnings(const warder_report *report);
WARDER_API void warder_report_free(warder_report *report);

/* Every rule in force, strongest source first: number, behaviour, text, source, place, reason. */
WARDER_API WARDER_CHECK warder_status warder_rules_list(warder_engine *engine, warder_report **out,
                                                        warder_error *err);
/* A policy file to begin with, with comments: relaxed, standard (also NULL) or strict. Of the user,
 * or of the project. `write`: where there is none yet; else it is only shown. */
WARDER_API WARDER_CHECK warder_status warder_policy_start(warder_engine *engine, const char *preset,
                                                          int in_project, int write,
                                                          warder_report **out, warder_error *err);
WARDER_API const char *warder_preset_name(size_t number); /* NULL after the last */

/* Rules that are shadowed, contradictory, wider than they look, or never match. */
WARDER_API WARDER_CHECK warder_status warder_rules_lint(warder_engine *engine, warder_report **out,
                                                        warder_error *err);
typedef struct warder_log warder_log;
/* The same, and with a log the rules that have decided nothing for this many days (0: 90); a log
 * that is younger than that says nothing about them. */
WARDER_API WARDER_CHECK warder_status warder_lint(warder_engine *engine, warder_log *log,
                                                  uint32_t days, warder_report **out,
                                                  warder_error *err);
/* The same as SARIF 2.1.0, which is the report's JSON. */
WARDER_API WARDER_CHECK warder_status warder_lint_sarif(warder_engine *engine, warder_log *log,
                                                        uint32_t days, warder_report **out,
                                                        warder_error *err);
/* One rule, by its number in the list, its id or its text: how it was parsed. */
WARDER_API WARDER_CHECK warder_status warder_rules_show(warder_engine *engine, const char *which,
                                                        warder_report **out, warder_error *err);
/* The effective policy: files, mode, directories, tools, hooks, and where each comes from. The text
 * lists files that exist, and with `all` every place that was searched, as the JSON does. */
WARDER_API WARDER_CHECK warder_status warder_policy_show(warder_engine *engine, int all,
                                                         warder_report **out, warder_error *err);
/* Reads and lints one file: problems with line and column. */
WARDER_API WARDER_CHECK warder_status warder_policy_check(const warder_options *options,
                                                          const char *file, warder_report **out,
                                                          warder_error *err);
/* Judges the examples of the policy files (`tests`; `match` and `not` of rules), each by the rules
 * of its own file. The report's warnings are those that fail; its errors are what else is wrong
 * with the files. coverage: also the rules that no example is about. */
WARDER_API WARDER_CHECK warder_status warder_policy_test(warder_engine *engine, int coverage,
                                                         warder_report **out, warder_error *err);
/* The same as JUnit's XML, which is the report's text. */
WARDER_API WARDER_CHECK warder_status warder_policy_junit(warder_engine *engine,
                                                          warder_report **out, warder_error *err);
/* Which rules of a policy file do nothing: those that say the same as another, that a stricter one
 * always beats, allow rules that can match nothing; with a log, allow rules that have decided
 * nothing for this many days (0: 90). The engine's policy is that file. Nothing is written before
 * warder_tidy_apply(), which keeps a copy beside the file for warder_tidy_undo(), and fails if the
 * file has changed meanwhile. The report's warnings are the rules that go; it has the diff. */
typedef struct warder_tidy warder_tidy;
WARDER_API WARDER_CHECK warder_status warder_tidy_plan(warder_engine *engine, const char *file,
                                                       warder_log *log, uint32_t days,
                                                       warder_tidy **out, warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_tidy_report(const warder_tidy *tidy,
                                                         warder_report **out, warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_tidy_apply(const warder_tidy *tidy, warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_tidy_undo(const char *file, warder_error *err);
WARDER_API void warder_tidy_free(warder_tidy *tidy);
/* The table of profiles, with their layers in order. */
WARDER_API WARDER_CHECK warder_status warder_profiles(warder_report **out, warder_error *err);
/* The name of profile 0, 1 and so on; NULL after the last. */
WARDER_API const char *warder_profile_name(size_t number);
/* The tools that Warder knows, by their usual names. NULL after the last. */
WARDER_API const char *warder_tool_name(size_t number);

/* What a command would get in the sandbox, in the engine's project and directory: the plan that
 * warder-cell reads is the report's JSON. `program` is the file, `words` its arguments with its
 * name first, ended by NULL. */
WARDER_API WARDER_CHECK warder_status warder_sandbox_plan(warder_engine *engine,
                                                          const char *program,
                                                          const char *const *words,
                                                          warder_report **out, warder_error *err);

/* How a shell command is understood: its tree, its actions with their forms, directories, effects
 * and paths, and the findings. The report has 1 error if the text was not understood. The text may
 * contain any byte. */
WARDER_API WARDER_CHECK warder_status warder_shell_parse(warder_engine *engine, const char *text,
                                                         size_t len, warder_report **out,
                                                         warder_error *err);

/* Problems found while the policy was read, one line each; also why a reload kept an older policy.
 */
WARDER_API WARDER_CHECK warder_status warder_engine_problems(warder_engine *engine,
                                                             warder_report **out,
                                                             warder_error *err);

/* Trust in a project is bound to its place (its path, or its repository for linked work trees) and
 * to the contents of its policy files. home NULL: $HOME; directory
 * NULL: the current one. */
typedef enum warder_trust {
    WARDER_UNTRUSTED = 0,
    WARDER_TRUSTED = 1,
    WARDER_NOTHING_TO_TRUST = 2
} warder_trust;
WARDER_API WARDER_CHECK warder_status warder_trust_status(const char *home, const char *directory,
                                                          warder_trust *out, warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_trust_add(const char *home, const char *directory,
                                                       warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_trust_remove(const char *home, const char *directory,
                                                          warder_error *err);
/* Why it is not trusted, if that can be said: {"why", "elsewhere"}; the report's text is the reason
 * alone, and empty if the project was never trusted, or is. */
WARDER_API WARDER_CHECK warder_status warder_trust_reason(const char *home, const char *directory,
                                                          warder_report **out, warder_error *err);
/* Everything that is trusted: {"trusted": [{"project", "repository", "digest"}]}. */
WARDER_API WARDER_CHECK warder_status warder_trust_list(const char *home, warder_report **out,
                                                        warder_error *err);
/* Everything that trusting the project would activate: each of its files that trust depends on,
 * rules, allowedTools, additionalDirectories, hooks, program rows, mode. `profile` is how rules are
 * read; NULL: the one that policy chooses. */
WARDER_API WARDER_CHECK warder_status warder_trust_preview(const char *home, const char *directory,
                                                           const char *profile, warder_report **out,
                                                           warder_error *err);

/* What an agent's hook must print, and its exit code. `client`: the agent's name, or "auto";
 * `event`: what the agent sent; `deadline_ms`: for hooks of our own files. The decision is
 * recorded; if it cannot be recorded, it is a deny. Any error means that the call was not judged:
 * block it (exit 2 and a line on standard error), whatever the client. */
typedef struct warder_reply warder_reply;
WARDER_API WARDER_CHECK warder_status warder_hook(const warder_options *options, const char *client,
                                                  const char *event, size_t len,
                                                  uint32_t deadline_ms, warder_reply **out,
                                                  warder_error *err);
WARDER_API const char *warder_reply_out(const warder_reply *reply); /* all of standard output */
/* A line for standard error, or "". */
WARDER_API const char *warder_reply_err(const warder_reply *reply);
WARDER_API int warder_reply_code(const warder_reply *reply); /* NULL blocks */
/* Call it after the answer was sent: saves the policy as an image, which warder-hook(1) maps. Does
 * nothing if there is a fresh one, or if the options chose the policy. */
WARDER_API warder_status warder_reply_keep_image(const warder_reply *reply, warder_error *err);
/* An event that says that a tool has run (PostToolUse): if Warder had left the question about this
 * call to the agent's own prompt, a person has said yes. That is recorded, and the very same call
 * is not asked about again in its session. Nothing is answered; an event that cannot be used, or
 * that nothing is known of, is no error. Call it in the process that the agent has started. */
WARDER_API void warder_hook_ran(const warder_options *options, const char *client,
                                const char *event, size_t len);

WARDER_API void warder_reply_free(warder_reply *reply);

/* ---- agents on this machine ---- */

/* The name of client 0, 1 and so on, as warder_hook(), warder_install_plan() and warder_doctor()
 * take it, and of those whose permissions warder_import() reads; NULL after the last. */
WARDER_API const char *warder_client_name(size_t number);
WARDER_API const char *warder_import_name(size_t number);
/* What people call it, such as "Claude Code"; NULL: it is unknown. */
WARDER_API const char *warder_client_title(const char *client);
/* A variable of the environment by which some agent tells its hooks something (where the project
 * is, where its settings are), 0, 1 and so on; NULL after the last. Some come twice. A program that
 * answers hooks in a clean environment keeps these. */
WARDER_API const char *warder_client_variable(size_t number);

typedef enum warder_scope {
    WARDER_SCOPE_USER = 0,
    WARDER_SCOPE_PROJECT,
    WARDER_SCOPE_MANAGED
} warder_scope;

typedef struct warder_installation {
    size_t struct_size;
    const char *client;
    warder_scope scope;
    int remove; /* remove the registration instead of adding it */
    /* NULL: $HOME, the current directory, warder-hook beside this program */
    const char *home, *project, *program;
} warder_installation;
#define WARDER_INSTALLATION_INIT WARDER_INIT(warder_installation)

/* Is `client` on this machine: its program in $PATH, or the directory of its settings? */
WARDER_API WARDER_CHECK warder_status warder_client_found(const warder_installation *where,
                                                          int *out, warder_error *err);

/* The change to the client's own file that makes it ask Warder; nothing is written before
 * warder_change_apply(). */
typedef struct warder_change warder_change;
WARDER_API WARDER_CHECK warder_status warder_install_plan(const warder_installation *where,
                                                          warder_change **out, warder_error *err);
WARDER_API const char *warder_change_file(const warder_change *change);
WARDER_API const char *warder_change_diff(const warder_change *change); /* "": nothing to change */
/* A note for the user, or NULL. */
WARDER_API const char *warder_change_note(const warder_change *change);
/* Fails if the file has changed since the plan was made. */
WARDER_API WARDER_CHECK warder_status warder_change_apply(warder_change *change, warder_error *err);
/* NULL: there was no file. */
WARDER_API const char *warder_change_backup(const warder_change *change);
WARDER_API void warder_change_free(warder_change *change);

/* Why a person has to say once whether the agent may edit files of the project without a question:
 * it "cannot ask you", or "does not tell Warder its mode". NULL: there is no reason to. */
WARDER_API const char *warder_edits_reason(const char *client);
/* The change to the user's policy that says yes, or takes that out again (`remove`). */
WARDER_API WARDER_CHECK warder_status warder_edits_plan(const warder_installation *where,
                                                        warder_change **out, warder_error *err);

/* What the sandbox of this machine, as far as it has been looked for, means for the calls of the
 * agent (`client` NULL: of those that run in one): one line, or none. */
WARDER_API WARDER_CHECK warder_status warder_sandbox_says(const warder_installation *where,
                                                          warder_report **out, warder_error *err);

/* Finds the agents, checks their registrations and sends a harmful and a harmless call through
 * each. `client` NULL: all of them. */
WARDER_API WARDER_CHECK warder_status warder_doctor(const warder_installation *where,
                                                    warder_report **out, warder_error *err);

/* The same for one `client`, and if nothing is wrong it is started with a harmless question, by its
 * person's account, in an empty directory, for at most so many seconds: it is seen if a call of
 * that run is on record. Ask the person first. WARDER_EUNSAFE: an agent seems to call this. */
#define WARDER_LIVE_QUESTION                                                                       \
    "Use one tool, once: list the files in the current directory. Then stop."
/* The question where policy uses the sandbox: a command that nobody knows, so that it must run in
 * one. The report says whether it did, and in which. */
#define WARDER_LIVE_CANARY "sandbox-canary"
#define WARDER_LIVE_SANDBOX_QUESTION                                                               \
    "Use your shell tool, once: run the command " WARDER_LIVE_CANARY                               \
    ", which need not exist. Then stop."
/* The one that will be put. */
WARDER_API const char *warder_live_question(const warder_installation *where);
WARDER_API WARDER_CHECK warder_status warder_doctor_live(const warder_installation *where,
                                                         uint32_t seconds, warder_report **out,
                                                         warder_error *err);
/* The command line, to which the question is added; NULL: the client is unknown, or cannot be
 * started in that way. */
WARDER_API const char *warder_live_command(const char *client);

/* The same at a glance, and what happened today, what waits and whether there is a pause; no hook
 * is started. The report's errors are what needs attention. `line`: its text is one line for a
 * status line, in which nothing is chosen by an agent; it has no errors. */
WARDER_API WARDER_CHECK warder_status warder_overview(const warder_installation *where, int line,
                                                      warder_report **out, warder_error *err);

/* Converts another agent's permissions to our policy, never looser. The report's text is the
 * policy, with comments on what could not be expressed, counted as warnings. `what`: a file, or the
 * client's name. */
WARDER_API WARDER_CHECK warder_status warder_import(const char *home, const char *what,
                                                    warder_report **out, warder_error *err);

/* Calls that an agent could not ask about and that wait for approval: ID, age, client, tool, input.
 */
WARDER_API WARDER_CHECK warder_status warder_approvals(warder_engine *engine, warder_report **out,
                                                       warder_error *err);
/* Shows one of them on the terminal and reads the answer: exactly this call may then run, once,
 * within ten minutes. id NULL: the only one waiting. WARDER_EUNSAFE: there seems to be no person at
 * a terminal. */
typedef enum warder_approval {
    WARDER_LEFT_OPEN = 0,
    WARDER_APPROVED = 1,
    WARDER_REFUSED = 2
} warder_approval;
WARDER_API WARDER_CHECK warder_status warder_approve(warder_engine *engine, const char *id,
                                                     warder_approval *out, warder_error *err);

/* A call that ran in the sandbox, and that something was refused to there: asks the person at the
 * terminal, and lets the very same call run outside, once, within ten minutes. `id`: as the call
 * was told, or its first eight digits. *report: what policy would let it do that inside. Free it.
 */
WARDER_API WARDER_CHECK warder_status warder_outside(warder_engine *engine, const char *id,
                                                     warder_approval *out, warder_report **report,
                                                     warder_error *err);

/* What of policy would let calls do in the sandbox what they failed without there, as the record
 * has it, with the evidence. Nothing is changed. `since`: a time, or NULL for all of the record. */
WARDER_API WARDER_CHECK warder_status warder_sandbox_suggest(warder_engine *engine,
                                                             const char *since, warder_report **out,
                                                             warder_error *err);

/* What a contained call was refused, as lines of the user's policy or of the project's own that
 * nobody shares: plan it, show the file and the change, write it. NULL: there is nothing to write.
 * The engine must record. WARDER_EUNSAFE: there seems to be no person at a terminal, or managed
 * policy has locked the key. Free it. */
typedef struct warder_sandbox_change warder_sandbox_change;
WARDER_API WARDER_CHECK warder_status warder_sandbox_change_plan(warder_engine *engine,
                                                                 const char *id, int in_project,
                                                                 warder_sandbox_change **out,
                                                                 warder_error *err);
WARDER_API const char *warder_sandbox_change_file(const warder_sandbox_change *change);
WARDER_API const char *warder_sandbox_change_diff(const warder_sandbox_change *change);
WARDER_API WARDER_CHECK warder_status warder_sandbox_change_write(warder_sandbox_change *change,
                                                                  warder_error *err);
WARDER_API void warder_sandbox_change_free(warder_sandbox_change *change);

/* No questions for so many seconds, at most eight hours: while they last, engines that are
 * `pausable` allow what they would ask about. Deny and ask rules, and what Warder itself denies or
 * protects, stay. in_project: only for calls of the engine's project. The engine must record. A
 * restart of the machine ends it. WARDER_EUNSAFE: policy forbids it, or there seems to be no person
 * at a terminal. */
WARDER_API WARDER_CHECK warder_status warder_pause(warder_engine *engine, uint64_t seconds,
                                                   int in_project, warder_report **out,
                                                   warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_resume(warder_engine *engine, warder_report **out,
                                                    warder_error *err);

/* Gives back what calls of the engine's project deleted or overwrote, where policy had it saved
 * (`undo: {use: on}`). The report's errors are the conflicts: while there are any, nothing is
 * changed. WARDER_EUNSAFE: there seems to be no person at a terminal, or what was saved cannot be
 * trusted. */
typedef struct warder_undo_wish {
    size_t struct_size;
    const char *id;           /* of a call, or of an undo, which is then redone; NULL: the newest */
    const char *session;      /* all calls of this session instead */
    const char *const *paths; /* only these; none: all */
    size_t path_count;
    int force;       /* also what was changed since */
    int keep_theirs; /* leave what was changed since as it is */
    int dry_run;     /* only say what would change */
} warder_undo_wish;
#define WARDER_UNDO_WISH_INIT WARDER_INIT(warder_undo_wish)

WARDER_API WARDER_CHECK warder_status warder_undo(warder_engine *engine,
                                                  const warder_undo_wish *wish, warder_report **out,
                                                  warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_undo_list(warder_engine *engine, warder_report **out,
                                                       warder_error *err);
/* Forgets one; forgets what is older or more than policy keeps. */
WARDER_API WARDER_CHECK warder_status warder_undo_drop(warder_engine *engine, const char *id,
                                                       warder_report **out, warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_undo_prune(warder_engine *engine, warder_report **out,
                                                        warder_error *err);

/* ---- reviews of the service ---- */

/* Shows one of them (a HumanReviewRequest, as JSON) at the terminal and reads the answer, which the
 * caller sends. *rule: with WARDER_REVIEW_PROMOTE, the rule's text if the person edited it, else
 * NULL. gone (may be NULL) is called about every second and returns nonzero once the review was
 * answered elsewhere. WARDER_EUNSAFE: there is no person at a terminal. */
typedef enum warder_review_word {
    WARDER_REVIEW_QUIT = 0,
    WARDER_REVIEW_APPROVE,
    WARDER_REVIEW_DENY,
    WARDER_REVIEW_PROMOTE,
    WARDER_REVIEW_SKIP,
    WARDER_REVIEW_GONE,
} warder_review_word;
WARDER_API WARDER_CHECK warder_status warder_review_ask(const char *review, size_t len,
                                                        int (*gone)(void *context), void *context,
                                                        warder_review_word *word,
                                                        warder_report **rule, warder_error *err);

/* A call, with "profile", "mode" and "tree", judged as if there were no policy of the user's or the
 * project's, whose words another profile may not know; managed policy counts. `data` is not used.
 */
WARDER_API WARDER_CHECK warder_status warder_explain_elsewhere(const char *data, const char *home,
                                                               const char *json, size_t len,
                                                               warder_report **out,
                                                               warder_error *err);
/* {"profiles", "modes", "cells": [[{"behavior", "layer", "reason"}]]}: the same in each of them. */
WARDER_API WARDER_CHECK warder_status warder_explain_matrix(const char *data, const char *home,
                                                            const char *json, size_t len,
                                                            warder_report **out, warder_error *err);

/* ---- tokens of the service ---- */

/* Creates one: the report's text is the token, which is stored nowhere else. role: operator, worker
 * or viewer. policy: a policy file for this worker; NULL: none. Every change of tokens is recorded.
 */
WARDER_API WARDER_CHECK warder_status warder_token_create(const char *data, const char *home,
                                                          const char *role, const char *name,
                                                          const char *policy, warder_report **out,
                                                          warder_error *err);

typedef struct warder_token_options {
    size_t struct_size;
    const char *role, *name, *policy; /* as above */
    /* Of a worker's token only: what its calls may name. projects: ids, or absolute directories.
     * Without them a worker may name any, but no allow rule counts because of it. workers: none:
     * any. modes: with commas between them; the first one is that of a call that names none, and
     * none of them counts that is milder than the service's own. NULL: any of those. */
    const char *const *projects;
    size_t project_count;
    const char *const *workers;
    size_t worker_count;
    const char *modes;
} warder_token_options;
#define WARDER_TOKEN_OPTIONS_INIT WARDER_INIT(warder_token_options)

WARDER_API WARDER_CHECK warder_status warder_token_make(const char *data, const char *home,
                                                        const warder_token_options *options,
                                                        warder_report **out, warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_token_list(const char *data, const char *home,
                                                        warder_report **out, warder_error *err);
/* Makes the database of reviews and tokens again from the journal; the old one is set aside. Fails
 * while a service runs. */
WARDER_API WARDER_CHECK warder_status warder_state_rebuild(const char *data, const char *home,
                                                           warder_report **out, warder_error *err);
/* WARDER_EUSAGE if there is no valid token with this id. */
WARDER_API WARDER_CHECK warder_status warder_token_revoke(const char *data, const char *home,
                                                          const char *id, warder_error *err);

/* ---- browsers ----
 *
 * A session of a browser is made of a one-time code, which a person at a terminal asks for, or of a
 * token; it lasts as long as that one is in force, at most until it expires. */

typedef struct warder_console_options {
    size_t struct_size;
    const char *role; /* operator or viewer; NULL: operator */
    const char *name; /* what the record calls the person; NULL: the user's name */
    uint32_t ttl_s;   /* of the session; 0: 12 hours */
} warder_console_options;
#define WARDER_CONSOLE_OPTIONS_INIT WARDER_INIT(warder_console_options)

/* {"url", "public_url", "code", "expires_at"}; the text is the address to open. The code is good
 * for a minute, once. WARDER_EUNSAFE unless a person at a terminal asks. WARDER_EIO: no service
 * runs on this data. */
WARDER_API WARDER_CHECK warder_status warder_console_code(const char *data, const char *home,
                                                          const warder_console_options *options,
                                                          warder_report **out, warder_error *err);
#define WARDER_BROWSER_TOKEN "wds_" /* what the secret of a session begins with */
/* {"code"} or {"token"} becomes {"session" (its secret), "id", "name", "role", "expires_at"}.
 * WARDER_EUNSAFE: it is unknown, used, expired or revoked, or a worker's. */
WARDER_API WARDER_CHECK warder_status warder_browser_begin(const char *data, const char *home,
                                                           const char *json, size_t len,
                                                           warder_report **out, warder_error *err);
/* {"sessions": [{"id", "name", "role", "from", "created_at", "expires_at"}]}: those in force. One
 * is ended as a token is revoked. */
WARDER_API WARDER_CHECK warder_status warder_browser_list(const char *data, const char *home,
                                                          warder_report **out, warder_error *err);

/* ---- the log: what warder_resolve() has recorded ----
 *
 * `data`: the data directory; NULL: below $XDG_STATE_HOME or home. A decision in JSON:
 * {"id", "timestamp", "worker_id", "task_id", "project_id", "command" (redacted),
 * "command_redacted", "decision": "auto-accept|auto-deny|human-accept|human-deny|timeout-deny"
 * ("ask" if its prompt shall ask, "left-to-client" if its own checks decide), "matched_rule_id",
 * "review_requested_at", "review_responded_at", "response_time_ms", "session_id", "tool", ...} */

/* NULL and 0: any. */
typedef struct warder_log_filter {
    size_t struct_size;
    const char *decision, *project, *worker, *session, *tool, *rule;
    const char *since, *until; /* RFC 3339, a date, or an age: 90s, 15m, 24h, 7d, 2w */
    const char *text;          /* part of the command as recorded */
    const char *cursor;        /* "next" of the previous list */
    uint32_t limit;            /* 0: 50; at most 10000 */
    /* Those after the record of this number, the oldest first, to follow the log: "next" is then
     * the number to continue after, and never null. "0": from the oldest. Not with `cursor`. */
    const char *after;
} warder_log_filter;
#define WARDER_LOG_FILTER_INIT WARDER_INIT(warder_log_filter)

WARDER_API WARDER_CHECK warder_status warder_log_open(const char *data, const char *home,
                                                      warder_log **out, warder_error *err);
WARDER_API void warder_log_close(warder_log *log);
/* A notice for the user, e.g. that a damaged index was moved aside; or NULL. */
WARDER_API const char *warder_log_notice(const warder_log *log);

/* The newest first: {"decisions": [...], "next": "cursor" or null}. */
WARDER_API WARDER_CHECK warder_status warder_log_list(warder_log *log,
                                                      const warder_log_filter *filter,
                                                      warder_report **out, warder_error *err);
/* What people keep accepting: {"least": N, "proposals": [{"pattern", "type": "allow", "program",
 * "accepted", "rejected": 0, "first", "last", "commands", "decisions", "workers", "projects"}]}.
 * Each has been accepted in at least `least` calls (0: 3) and rejected in none. No proposal is a
 * rule until an operator adds it. Of the filter project, worker, since (NULL: 30d) and until count.
 */
WARDER_API WARDER_CHECK warder_status warder_log_proposals(warder_log *log,
                                                           const warder_log_filter *filter,
                                                           uint32_t least, warder_report **out,
                                                           warder_error *err);
/* {"step", "t": [seconds], "series": {DECISION: [counts]}, "top_asked", "response": {"count",
 * "p50", "p95"} (seconds until a person answered), "total"}: the log in steps of so many seconds.
 * WARDER_EUSAGE: more than 2,000 steps. */
WARDER_API WARDER_CHECK warder_status warder_log_series(warder_log *log,
                                                        const warder_log_filter *filter,
                                                        uint32_t step_s, warder_report **out,
                                                        warder_error *err);
/* The log in figures: allowed, denied and asked by day and by agent, what was asked about most, and
 * the rules that decided most. Without `since`: the last seven days. `plot`: the report's text is a
 * drawing of the days, as SVG. */
WARDER_API WARDER_CHECK warder_status warder_log_stats(warder_log *log,
                                                       const warder_log_filter *filter, int plot,
                                                       warder_report **out, warder_error *err);
/* One record, by the id of the decision, its first letters, or its number. WARDER_EUSAGE if there
 * is none. */
WARDER_API WARDER_CHECK warder_status warder_log_show(warder_log *log, const char *id,
                                                      warder_report **out, warder_error *err);
/* The record of a decision: by its id or the beginning of one; id NULL: the newest of this project
 * (NULL: of all) that was asked about or denied. */
WARDER_API WARDER_CHECK warder_status warder_log_find(warder_log *log, const char *id,
                                                      const char *project, warder_report **out,
                                                      warder_error *err);
/* {"decision", "run"}: one decision, by its id, and what its call tried in the sandbox: {"code",
 * "refused": [{"kind", "what"}], "more", "connections"}; null: it did not run there, or has not
 * ended. WARDER_EUSAGE if there is no such decision. */
WARDER_API WARDER_CHECK warder_status warder_log_run(const char *data, const char *home,
                                                     const char *id, size_t len,
                                                     warder_report **out, warder_error *err);
/* One decision in plain words: when, who, what and why, and what the engine's policy says now. */
WARDER_API WARDER_CHECK warder_status warder_why(warder_engine *engine, const char *record,
                                                 size_t len, warder_report **out,
                                                 warder_error *err);
/* All of them, the oldest first, one at a time. The function returns 0 to continue. follow: at the
 * end, waits for more, and calls the function with two NULLs about every second so that it can stop
 * the export. The limit applies only without follow; 0: no limit. */
typedef int (*warder_log_visit)(void *context, const char *json, const char *text);
WARDER_API WARDER_CHECK warder_status warder_log_export(warder_log *log,
                                                        const warder_log_filter *filter, int follow,
                                                        warder_log_visit visit, void *context,
                                                        warder_error *err);
/* Lists and exports bring the index up to date first. This does it before anyone asks, about `most`
 * records at a time (0: all of them). *more: there is more to do. */
WARDER_API WARDER_CHECK warder_status warder_log_keep_up(warder_log *log, uint32_t most, int *more,
                                                         warder_error *err);
/* Deletes the index and rebuilds it from the journal. */
WARDER_API WARDER_CHECK warder_status warder_log_rebuild(warder_log *log, warder_report **out,
                                                         warder_error *err);

/* ---- two policies, compared ----
 *
 * Which calls does the policy of `after` judge otherwise than that of `before`? The calls are
 * records of a log, and calls near every rule of both: another option, host or path, in a wrapper,
 * with a second command. Both judge on the disk as it is now; what a record cannot say (its secrets
 * were removed, its directory is gone) is counted as such and never guessed. */
typedef struct warder_comparison warder_comparison;

typedef enum warder_widening {
    WARDER_SAME = 0,  /* no difference was found */
    WARDER_NOT_WIDER, /* stricter, or there is something that cannot be said */
    WARDER_WIDER,     /* something is allowed, or only asked about, that was not before */
} warder_widening;

/* recorded: compare with what the log says was decided; `before` then only tells whether a
 * difference is one of the policies. The engines must live longer than it. */
WARDER_API WARDER_CHECK warder_status warder_comparison_new(warder_engine *before,
                                                            warder_engine *after, int recorded,
                                                            warder_comparison **out,
                                                            warder_error *err);
/* One record: what warder_log_export() gives, a line of the journal, or {"tool", "input", "cwd",
 * "project", "session", "mode"}. Other lines are counted and skipped. */
WARDER_API WARDER_CHECK warder_status warder_comparison_record(warder_comparison *comparison,
                                                               const char *json, size_t len,
                                                               warder_error *err);
/* The rules themselves, and calls near them; once. */
WARDER_API WARDER_CHECK warder_status warder_comparison_rules(warder_comparison *comparison,
                                                              warder_error *err);
/* Changes in groups, by rule and effect. The report's warnings are the changes that are wider. */
WARDER_API WARDER_CHECK warder_status warder_comparison_report(const warder_comparison *comparison,
                                                               warder_report **out,
                                                               warder_error *err);
WARDER_API warder_widening warder_comparison_widening(const warder_comparison *comparison);
WARDER_API void warder_comparison_free(warder_comparison *comparison);
/* ---- rules, learned from answers ----
 *
 * Calls that people accepted become rules: program and subcommand, needed in at least two sessions,
 * and about nothing that anyone rejected. Every rule is tried by the engine on the recorded calls
 * before it is offered. Rules that send, run scripts or start an unknown program are offered
 * without a tick; what becomes another user, touches secrets, loses work, changes the machine,
 * installs, runs code of its arguments or talks to a host that is not known is not offered. */
typedef struct warder_learning warder_learning;

/* The options say what the present policy is, and must live longer than it. Only calls in its
 * project count; everywhere: all of them. */
WARDER_API WARDER_CHECK warder_status warder_learning_new(const warder_options *options,
                                                          int everywhere, warder_learning **out,
                                                          warder_error *err);
WARDER_API void warder_learning_free(warder_learning *learning);
/* One record: what warder_log_export() gives, or {"tool", "input", "cwd", "project", "session",
 * "mode", "answer": "accept" or "reject"}, and perhaps "id" and "at". */
WARDER_API WARDER_CHECK warder_status warder_learning_record(warder_learning *learning,
                                                             const char *json, size_t len,
                                                             warder_error *err);
/* Transcripts: "claude" or "codex" for those in the home, else a file or a directory of them. */
WARDER_API WARDER_CHECK warder_status warder_learning_take_transcripts(warder_learning *learning,
                                                                       const char *what,
                                                                       warder_error *err);
/* Ticks an offer, by its number, or takes the tick away. */
WARDER_API WARDER_CHECK warder_status warder_learning_tick(warder_learning *learning,
                                                           uint32_t number, int ticked,
                                                           warder_error *err);
/* What is offered, with the evidence, and how well rules of the first half of the sessions do on
 * the second. The JSON is a policy of what is ticked, with the rest under "learned". */
WARDER_API WARDER_CHECK warder_status warder_learning_report(warder_learning *learning,
                                                             warder_report **out,
                                                             warder_error *err);
/* What writing the ticked rules would change, in the project's own .warder/warder.local.* or in the
 * user's policy; or what taking the last such change back would change. Nothing is written before
 * warder_learning_write(), which fails if the file has changed since. The diff is "" if nothing
 * would change. */
typedef enum warder_learning_place {
    WARDER_LEARN_PROJECT = 0,
    WARDER_LEARN_USER,
    WARDER_LEARN_UNDO
} warder_learning_place;
WARDER_API WARDER_CHECK warder_status warder_learning_plan(warder_learning *learning,
                                                           warder_learning_place place,
                                                           warder_error *err);
WARDER_API const char *warder_learning_file(const warder_learning *learning);
WARDER_API const char *warder_learning_diff(const warder_learning *learning);
WARDER_API WARDER_CHECK warder_status warder_learning_write(warder_learning *learning,
                                                            warder_error *err);

/* ---- a rule from one recorded decision ----
 *
 * What `warder allow` and `warder deny` do. A call of the record is judged by the present policy;
 * the rules that would decide it from then on are offered: "command", this one exactly; "program",
 * its program and subcommand, as rules are learned; "host", fetching from its host. Each is tried
 * by the engine before it is offered. */
typedef struct warder_promotion warder_promotion;

/* effect: WARDER_ALLOW or WARDER_DENY. record: the JSON of warder_log_find(). The options say what
 * the present policy is, and must live longer than it. WARDER_EUSAGE: no rule can change what is
 * decided, or the record lacks a part of the call. WARDER_EUNSAFE: no person at a terminal. */
WARDER_API WARDER_CHECK warder_status warder_promotion_new(const warder_options *options,
                                                           warder_behavior effect,
                                                           const char *record, size_t len,
                                                           warder_promotion **out,
                                                           warder_error *err);
WARDER_API void warder_promotion_free(warder_promotion *promotion);
/* What is offered, numbered from 1, with calls near each rule and what they would get. */
WARDER_API WARDER_CHECK warder_status warder_promotion_report(const warder_promotion *promotion,
                                                              warder_report **out,
                                                              warder_error *err);
/* The number of the offer of this name; 0: there is none. That of "session", where the call can be
 * allowed for the rest of its session, is for warder_promotion_grant(). */
WARDER_API uint32_t warder_promotion_form(const warder_promotion *promotion, const char *as);
/* What writing it would change, in the user's policy or that of the call's project; seconds: how
 * long the rule counts, 0: for good. The diff is "" if it is there already. */
WARDER_API WARDER_CHECK warder_status warder_promotion_plan(warder_promotion *promotion,
                                                            uint32_t form,
                                                            warder_learning_place place,
                                                            uint64_t seconds, warder_error *err);
WARDER_API const char *warder_promotion_file(const warder_promotion *promotion);
WARDER_API const char *warder_promotion_diff(const warder_promotion *promotion);
/* Writes it, and judges the call once more by what is on the disk then. */
WARDER_API WARDER_CHECK warder_status warder_promotion_write(warder_promotion *promotion,
                                                             warder_error *err);
/* Instead of a rule: exactly this call is allowed for the rest of its session. */
WARDER_API WARDER_CHECK warder_status warder_promotion_grant(warder_promotion *promotion,
                                                             warder_error *err);
/* The rules of the present policy that were written that way, and what was approved for the rest of
 * a session that works in the engine's project; and takes one back, by its id. WARDER_EUNSAFE: no
 * person at a terminal. */
WARDER_API WARDER_CHECK warder_status warder_grants(warder_engine *engine, warder_report **out,
                                                    warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_grants_revoke(warder_engine *engine, const char *id,
                                                           warder_report **out, warder_error *err);

/* Verifies the hash chain of the journal. The report's errors are the problems found. anchors: a
 * file with heads that were saved elsewhere; NULL: none. */
WARDER_API WARDER_CHECK warder_status warder_log_verify(const char *data, const char *home,
                                                        const char *anchors, warder_report **out,
                                                        warder_error *err);
/* The head of the chain, "N HASH TIME"; also appended to the file `anchors`, or with `journald`
 * sent there. */
WARDER_API WARDER_CHECK warder_status warder_log_head(const char *data, const char *home,
                                                      const char *anchors, int journald,
                                                      warder_report **out, warder_error *err);
/* Moves a last record aside if it does not match its hash, so that decisions can be recorded again.
 */
WARDER_API WARDER_CHECK warder_status warder_log_repair(const char *data, const char *home,
                                                        warder_report **out, warder_error *err);

#ifdef __cplusplus
}
#endif
#endif
