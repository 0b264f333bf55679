/* commands.c - the table of all commands, and the tables of options that they share.
 *
 * Help, `warder help --json`, the manual's tests and the shell completion are
 * made from these rows or compared with them. */
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "cli/command.h"
#include "warder_admin.h"

/* clang-format off */
#define TARGET(field) .target = offsetof(struct arguments, field)
#define FLAG(n, field, h) {.name = (n), .help = (h), TARGET(field), .kind = OPTION_FLAG}
#define TEXT(n, a, field, h) {.name = (n), .argument = (a), .help = (h), TARGET(field), .kind = OPTION_TEXT}
#define ONE_OF(n, a, field, v, h) \
    {.name = (n), .argument = (a), .help = (h), TARGET(field), .values = (v), .kind = OPTION_TEXT}
#define LIST(n, a, field, h) {.name = (n), .argument = (a), .help = (h), TARGET(field), .kind = OPTION_LIST}
#define RULE(n, b, h) \
    {.name = (n), .argument = "RULE", .help = (h), TARGET(rules), .kind = OPTION_RULE, .behavior = (b)}
/* clang-format on */

/* What the policy is read from. */
#define PROFILE_ROWS                                                                               \
    {.name = "--profile",                                                                          \
     .argument = "PROFILE",                                                                        \
     .help = "decide by this permission model",                                                    \
     TARGET(profile),                                                                              \
     .more_values = warder_profile_name,                                                           \
     .kind = OPTION_TEXT},                                                                         \
        ONE_OF("--mode", "MODE", mode,                                                             \
               "default acceptEdits bypassPermissions dontAsk plan delegate auto",                 \
               "the session's mode"),                                                              \
        LIST("--policy", "FILE", policies, "read this file and no others; may be repeated")

#define POLICY_ROWS                                                                                \
    PROFILE_ROWS, RULE("--allow", WARDER_ALLOW, "a rule of the command line; may be repeated"),    \
        RULE("--ask", WARDER_ASK, "likewise"), RULE("--deny", WARDER_DENY, "likewise")

static const struct option policy_options[] = {
    POLICY_ROWS,
    TEXT("--cwd", "DIR", cwd, "where the agent stands (default: here)"),
    TEXT("--home", "DIR", home, "the user's home (default: $HOME)"),
    TEXT("--project", "DIR", project, "the project (default: the cwd)"),
    {0},
};

/* Of what is run here: where it stands and whose home it sees is not to be chosen. */
static const struct option run_policy_options[] = {
    POLICY_ROWS,
    TEXT("--project", "DIR", project, "the project (default: the cwd)"),
    {0},
};

static const struct option run_options[] = {
    TEXT("-c", "TEXT", text, "a shell text, instead of COMMAND; bash runs it"),
    TEXT("--session", "ID", session, "remember approvals and denials under this name"),
    FLAG("--auto-allow", auto_allow, "DANGEROUS: let run what a person should be asked about"),
    FLAG("--headless", headless, "do not ask at the terminal"),
    {0},
};

/* What the call is, and who is there to answer. */
static const struct option call_options[] = {
    TEXT("--input", "JSON", input, "the tool's whole input, instead of ARG"),
    TEXT("--plan-file", "FILE", plan_file, "the one file that plan mode may write"),
    TEXT("--session", "ID", session,
         "judge as in this session: its beginning says which scripts are old"),
    TEXT("--client", "CLIENT", client, "whose session it is (default: run, that of warder run)"),
    FLAG("--auto-allow", auto_allow, "DANGEROUS: let run what a person should be asked about"),
    FLAG("--headless", headless, "say what an ask becomes when nobody can answer"),
    {0},
};

static const struct option lines_options[] = {
    FLAG("--jsonl", jsonl, "read one call a line from standard input, print one verdict a line"),
    {0},
};

static const struct option text_options[] = {
    TEXT("-c", "TEXT", text, "the shell text, instead of FILE"),
    {0},
};

static const struct option hook_options[] = {
    {.name = "--client",
     .argument = "CLIENT",
     .help = "whose hook this is (default: auto)",
     TARGET(client),
     .values = "auto",
     .more_values = warder_client_name,
     .kind = OPTION_TEXT},
    TEXT("--timeout", "SECONDS", timeout,
         "how long the client waits (default: 10); we answer before that"),
    TEXT("--data", "DIR", data, "where decisions are recorded (default: as for `warder log`)"),
    FLAG("--image", image,
         "then write the policy's image for warder-hook, if there is no fresh one"),
    {0},
};

/* Where the record lies. */
static const struct option data_options[] = {
    TEXT("--data", "DIR", data,
         "the data directory (default: warder in $XDG_STATE_HOME or ~/.local/state)"),
    TEXT("--home", "DIR", home, "the user's home (default: $HOME)"),
    {0},
};

#define DECISION_NAMES "auto-accept auto-deny human-accept human-deny timeout-deny ask"

/* Which records. */
static const struct option filter_options[] = {
    ONE_OF("--decision", "DECISION", decision, DECISION_NAMES, "only these decisions"),
    TEXT("--project", "PROJECT", project, "only of this project: its id, or its directory"),
    TEXT("--worker", "ID", worker, "only of this worker"),
    TEXT("--session", "ID", session, "only of this session"),
    TEXT("--tool", "TOOL", tool, "only of this tool"),
    TEXT("--rule", "RULE", rule, "only what this rule decided: its id, or its text"),
    TEXT("--since", "TIME", since,
         "only from then on: 2026-01-31, 2026-01-31T12:00:00Z, or 24h ago"),
    TEXT("--until", "TIME", until, "only before then"),
    TEXT("--text", "TEXT", text, "only commands with this text in them"),
    TEXT("--limit", "N", limit, "at most so many (default: 50 in a list, all in an export)"),
    {0},
};

static const struct option cursor_options[] = {
    TEXT("--cursor", "CURSOR", cursor, "go on behind the list that ended with this one"),
    FLAG("--follow", follow, "print them as they come, the oldest first"),
    {0},
};

static const struct option token_options[] = {
    ONE_OF("--role", "ROLE", role, "operator worker viewer", "what it may do"),
    TEXT("--name", "NAME", name, "what people call it"),
    LIST("--policy", "FILE", policies, "a policy file that holds for this worker"),
    {0},
};

static const struct option serve_options[] = {
    TEXT("--listen", "ADDRESS:PORT", listen,
         "where HTTP is spoken (default: 127.0.0.1:8420); port 0: a free one"),
    TEXT("--socket", "PATH", socket, "the unix socket (default: where hooks look for it)"),
    TEXT("--review-timeout", "SECONDS", review_timeout,
         "how long a review waits for a person (default: 900)"),
    TEXT("--cooldown", "SECONDS", cooldown,
         "before a promoted rule acts, where the answer does not say it"),
    TEXT("--retention", "DAYS", retention,
         "how long decisions are kept (default: 90, not below 30)"),
    ONE_OF("--record-sync", "WHEN", record_sync, "always crash",
           "an answer's record survives a power cut (default), or only the death of the service"),
    TEXT("--tls-cert", "FILE", tls_cert, "speak TLS, with this certificate"),
    TEXT("--tls-key", "FILE", tls_key, "and this key"),
    LIST("--host", "NAME", hosts, "a further name that clients may call it by; may be repeated"),
    LIST("--notify-command", "PROGRAM", notify_commands,
         "run this with each event on its standard input; repeatable"),
    LIST("--notify-webhook", "URL", notify_webhooks,
         "post each event there; @FILE: the URL is in that file; repeatable"),
    {0},
};

static const struct option serve_policy_options[] = {
    PROFILE_ROWS,
    {0},
};

/* The service that operators speak to. */
static const struct option service_options[] = {
    TEXT("--url", "URL", url, "the service (default: http://127.0.0.1:8420)"),
    TEXT("--token-file", "FILE", token_file,
         "an operator's token (default: $WARDER_TOKEN, or DIR/operator-token)"),
    TEXT("--data", "DIR", data,
         "the data directory (default: warder in $XDG_STATE_HOME or ~/.local/state)"),
    TEXT("--home", "DIR", home, "the user's home (default: $HOME)"),
    {0},
};

static const struct option status_options[] = {
    ONE_OF("--status", "STATUS", status, "pending approved denied expired",
           "only these (default: all)"),
    {0},
};

static const struct option answer_options[] = {
    TEXT("--reason", "TEXT", reason, "what the worker is told, and the record keeps"),
    {0},
};

static const struct option promote_options[] = {
    TEXT("--reason", "TEXT", reason, "what the worker is told, and the record keeps"),
    TEXT("--rule", "PATTERN", rule, "the rule to add (default: exactly this command)"),
    TEXT("--cooldown", "SECONDS", cooldown,
         "before the rule acts (default: what the service was told, or 0)"),
    {0},
};

/* A rule of the service. */
static const struct option rule_options[] = {
    ONE_OF("--type", "TYPE", type, "accept deny", "what the rule does"),
    TEXT("--scope", "SCOPE", scope, "\"global\", or the id of the one project it holds in"),
    TEXT("--reason", "TEXT", reason, "why; a deny rule needs one"),
    FLAG("--dry-run", dry_run, "add nothing: say what it would match"),
    {0},
};

static const struct option change_options[] = {
    TEXT("--pattern", "PATTERN", pattern, "the new pattern"),
    ONE_OF("--type", "TYPE", type, "accept deny", "what the rule does"),
    TEXT("--scope", "SCOPE", scope, "\"global\", or the id of the one project it holds in"),
    TEXT("--reason", "TEXT", reason, "why; a deny rule needs one"),
    {0},
};

static const struct option audit_options[] = {
    ONE_OF("--type", "TYPE", type, "accept deny", "of a PATTERN (default: accept)"),
    TEXT("--scope", "SCOPE", scope, "of a PATTERN (default: global)"),
    LIST("--command", "COMMAND", commands, "would it match this one? May be repeated"),
    TEXT("--since", "TIME", since, "of the log, only from then on (default: all that is kept)"),
    TEXT("--limit", "N", limit, "at most so many commands of the log"),
    {0},
};

static const struct option anchor_options[] = {
    TEXT("--anchor", "FILE", anchor, "heads that were kept there"),
    {0},
};

static const struct option head_options[] = {
    TEXT("--anchor", "FILE", anchor,
         "add the head to this file, which should belong to another user"),
    FLAG("--journald", journald, "send the head to the system's journal"),
    {0},
};

static const struct option write_options[] = {
    FLAG("--write", write_file, "write it to ~/.config/warder/warder.yaml, if there is none"),
    {0},
};

static const struct option scope_options[] = {
    FLAG("--user", user, "in your own settings of the client (the default)"),
    FLAG("--project", in_project, "in the project's settings; whoever writes there can change it"),
    FLAG("--managed", managed, "for the whole machine; as root"),
    FLAG("--dry-run", dry_run, "show what would change, and change nothing"),
    {0},
};

#define SERVER_WORDS_MAX 1024

static const struct option proxy_options[] = {
    TEXT("--name", "NAME", name, "the server's name in rules (default: its program's)"),
    {0},
};

static const struct option home_options[] = {
    TEXT("--home", "DIR", home, "the user's home (default: $HOME)"),
    {0},
};

static const struct option list_options[] = {
    FLAG("--list", list, "say which calls wait, and ask nothing"),
    {0},
};

static const struct option yes_options[] = {
    FLAG("--yes", yes, "do not ask"),
    {0},
};

static const struct option common_options[] = {
    FLAG("--json", json, "print JSON"),
    FLAG("--help", help, "print this help"),
    {0},
};

static const struct option program_options[] = {
    FLAG("--version", version, "print the version"),
    {0},
};

#define VERDICT_EXITS "0 allow, 1 deny, 2 ask"
#define LINT_EXITS    "0 clean, 1 warnings, 65 errors"
#define SERVICE_EXITS                                                                              \
    "0 done, 65 not right, 66 there is none, 69 no service, 77 not with this token"
#define ANSWER_EXITS                                                                               \
    "0 answered, 1 it was answered before; 65, 66, 69 and 77 as for `warder review`"

const struct command program_row = {
    .name = "",
    .operands = "COMMAND",
    .summary = "decide whether an agent's tool call may run",
    .tables = {common_options, program_options},
};

const struct command commands[] = {
    {
        .name = "check",
        .operands = "TOOL [ARG]",
        .summary = "say whether a tool call may run: allow, deny or ask",
        .operands_max = 2,
        .tables = {policy_options, call_options, lines_options, common_options},
        .run = check_run,
        .exits = VERDICT_EXITS "; with --jsonl 0 when every line was answered",
        .more = "ARG is the tool's first argument: a command, a path, a URL. Write -- before one "
                "that begins with a\n"
                "dash. Writes nothing and asks nobody.",
    },
    {
        .name = "explain",
        .operands = "TOOL [ARG]",
        .summary = "the same, and how the verdict came about",
        .operands_max = 2,
        .tables = {policy_options, call_options, lines_options, common_options},
        .run = explain_run,
        .exits = VERDICT_EXITS "; with --jsonl 0 when every line was answered",
    },
    {
        .name = "parse",
        .operands = "[-c TEXT | FILE | -]",
        .summary = "how a shell text is read: its tree, actions, effects and findings",
        .operands_max = 1,
        .tables = {text_options, policy_options, common_options},
        .run = parse_run,
        .exits = "0 understood, 1 not understood",
        .more = "Without an operand, and for -, the text is read from standard input. Nothing of "
                "it is run.",
    },
    {
        .name = "run",
        .operands = "-- COMMAND [ARG ...] | -c TEXT",
        .summary = "decide, ask if needed, and then run a command or a shell text",
        .operands_max = SIZE_MAX,
        .tables = {run_options, run_policy_options, common_options},
        .run = run_run,
        .exits =
            "those of the command; 126 denied, or it cannot be run, 127 there is no such command",
        .more = "A COMMAND runs without a shell, with exactly these words. The verdict goes to "
                "standard error, and only\n"
                "when it is no.",
        .records = true,
    },
    {
        .name = "hook",
        .operands = "",
        .summary = "answer an agent's hook: the event on standard input, the answer in the agent's "
                   "own words",
        .tables = {hook_options, policy_options, common_options},
        .run = hook_run,
        .exits = "0 answered, 2 blocked; there is no other",
        .more = "Agents run it before each tool call; `warder install` registers it. Whatever goes "
                "wrong blocks the\n"
                "call: exit 2 and a line on standard error.",
        .blocks = true,
        .records = true,
    },
    {
        .name = "install",
        .operands = "CLIENT",
        .summary = "make an agent ask Warder: write the registration into the agent's own settings",
        .operands_max = 1,
        .tables = {scope_options, home_options, yes_options, common_options},
        .run = install_run,
        .exits = "0 registered, 1 not agreed to",
        .operand_values = warder_client_name,
        .more = "Shows what changes and asks first; keeps a copy of the file beside it.",
    },
    {
        .name = "uninstall",
        .operands = "CLIENT",
        .summary = "take that registration out again",
        .operand_values = warder_client_name,
        .operands_max = 1,
        .tables = {scope_options, home_options, yes_options, common_options},
        .run = uninstall_run,
        .exits = "0 not registered, 1 not agreed to",
    },
    {
        .name = "doctor",
        .operands = "[CLIENT]",
        .summary =
            "find the agents of this machine, and check that each of them really asks Warder",
        .operand_values = warder_client_name,
        .operands_max = 1,
        .tables = {home_options, common_options},
        .run = doctor_run,
        .exits = "0 all of them do, 1 something is wrong",
        .more = "Sends one harmful and one harmless call through each registered hook. Nothing of "
                "them is run.",
    },
    {
        .name = "import",
        .operands = "FILE|CLIENT",
        .summary = "print another agent's permissions as a policy of ours, never looser",
        .operands_max = 1,
        .tables = {write_options, home_options, common_options},
        .run = import_run,
        .exits = "0 all of it, 1 something could not be said",
        .operand_values = warder_import_name,
        .more = "Reads Codex rules, Gemini CLI policies, and the permissions of OpenCode, Cursor "
                "and Copilot; for a\n"
                "CLIENT its own file. Comments say what was left out.",
    },
    {
        .name = "mcp",
        .operands = "",
        .summary = "an MCP server whose tool `approve` answers permission prompts",
        .tables = {policy_options, common_options},
        .run = mcp_run,
        .exits = "0 when the client has gone",
        .more =
            "Speaks MCP on standard input and output. For Claude Code: --permission-prompt-tool\n"
            "mcp__warder__approve, with this command as the server warder.",
        .records = true,
    },
    {
        .name = "mcp proxy",
        .operands = "-- SERVER [ARG...]",
        .summary = "stand between an MCP client and a server, and judge each of its tool calls",
        .operands_max = SERVER_WORDS_MAX,
        .tables = {policy_options, proxy_options, common_options},
        .run = mcp_proxy_run,
        .exits = "the server's own",
        .more = "A tool is judged under the name mcp__NAME__TOOL, with the annotations that the "
                "server gave it. What is\n"
                "not allowed is answered as a tool error that says why; everything else passes "
                "through.",
        .records = true,
    },
    {
        .name = "acp proxy",
        .operands = "-- AGENT [ARG...]",
        .summary = "stand between an editor and an ACP agent, and answer its permission questions",
        .operands_max = SERVER_WORDS_MAX,
        .tables = {policy_options, common_options},
        .run = acp_proxy_run,
        .exits = "the agent's own",
        .more = "What is allowed or denied is answered at once, for this once; what a person "
                "should decide goes on to\n"
                "the editor, and so does a question that does not say what will run.",
        .records = true,
    },
    {
        .name = "rules list",
        .operands = "",
        .summary = "every rule in force, strongest source first",
        .tables = {policy_options, common_options},
        .run = rules_list_run,
    },
    {
        .name = "rules lint",
        .operands = "",
        .summary = "rules that contradict each other, never match, or are wider than they look",
        .tables = {policy_options, common_options},
        .run = rules_lint_run,
        .exits = LINT_EXITS,
    },
    {
        .name = "rules show",
        .operands = "RULE",
        .summary = "how one rule was read; RULE is its number in the list, its id or its text",
        .operands_max = 1,
        .tables = {policy_options, common_options},
        .run = rules_show_run,
    },
    {
        .name = "rules add",
        .operands = "PATTERN",
        .summary = "add a rule to the running service; it holds for the next call",
        .operands_max = 1,
        .tables = {rule_options, service_options, common_options},
        .run = rules_add_run,
        .exits = SERVICE_EXITS,
    },
    {
        .name = "rules change",
        .operands = "ID",
        .summary = "change a rule of the running service",
        .operands_max = 1,
        .tables = {change_options, service_options, common_options},
        .run = rules_change_run,
        .exits = SERVICE_EXITS,
    },
    {
        .name = "rules remove",
        .operands = "ID",
        .summary = "remove a rule of the running service",
        .operands_max = 1,
        .tables = {service_options, common_options},
        .run = rules_remove_run,
        .exits = SERVICE_EXITS,
    },
    {
        .name = "rules audit",
        .operands = "ID | PATTERN",
        .summary = "which commands a rule matches: those given, and those in the log",
        .operands_max = 1,
        .tables = {audit_options, service_options, common_options},
        .run = rules_audit_run,
        .exits = SERVICE_EXITS,
        .more = "ID is that of a rule of the service, as `rules add` prints it; anything else is a "
                "PATTERN.",
    },
    {
        .name = "review",
        .operands = "",
        .summary = "answer the reviews that wait, one after the other, at the terminal",
        .tables = {service_options, common_options},
        .run = review_run,
        .exits = SERVICE_EXITS,
        .more = "Speaks to the running service, as an operator. Waits for the next review when "
                "none is left.",
    },
    {
        .name = "review list",
        .operands = "",
        .summary = "the reviews of the running service",
        .tables = {status_options, service_options, common_options},
        .run = review_list_run,
        .exits = SERVICE_EXITS,
    },
    {
        .name = "review watch",
        .operands = "",
        .summary = "print reviews as they come, and as they end",
        .tables = {service_options, common_options},
        .run = review_watch_run,
        .exits = SERVICE_EXITS,
    },
    {
        .name = "review show",
        .operands = "ID",
        .summary = "all of one review: command, task, worker, what it ran before",
        .operands_max = 1,
        .tables = {service_options, common_options},
        .run = review_show_run,
        .exits = SERVICE_EXITS,
    },
    {
        .name = "review approve",
        .operands = "ID",
        .summary = "let the call run, once",
        .operands_max = 1,
        .tables = {answer_options, service_options, common_options},
        .run = review_answer_run,
        .exits = ANSWER_EXITS,
    },
    {
        .name = "review deny",
        .operands = "ID",
        .summary = "do not let it run",
        .operands_max = 1,
        .tables = {answer_options, service_options, common_options},
        .run = review_answer_run,
        .exits = ANSWER_EXITS,
    },
    {
        .name = "review promote",
        .operands = "ID",
        .summary = "let it run, and add a rule that accepts it from now on",
        .operands_max = 1,
        .tables = {promote_options, service_options, common_options},
        .run = review_answer_run,
        .exits = ANSWER_EXITS,
    },
    {
        .name = "policy show",
        .operands = "",
        .summary = "the effective policy, and where each part came from",
        .tables = {policy_options, common_options},
        .run = policy_show_run,
    },
    {
        .name = "policy check",
        .operands = "FILE",
        .summary = "read and lint one policy file",
        .operands_max = 1,
        .tables = {policy_options, common_options},
        .run = policy_check_run,
        .exits = LINT_EXITS,
    },
    {
        .name = "profiles",
        .operands = "",
        .summary = "the permission models, with their layers in order",
        .tables = {common_options},
        .run = profiles_run,
    },
    {
        .name = "log",
        .operands = "",
        .summary = "what was decided, the newest first",
        .tables = {filter_options, cursor_options, data_options, common_options},
        .run = log_run,
        .more = "Commands are shown as they are kept: without their secrets.",
    },
    {
        .name = "log list",
        .operands = "",
        .summary = "the same",
        .tables = {filter_options, cursor_options, data_options, common_options},
        .run = log_run,
    },
    {
        .name = "log show",
        .operands = "ID",
        .summary = "all of one record; ID is that of a decision, or the number of a record",
        .operands_max = 1,
        .tables = {data_options, common_options},
        .run = log_show_run,
    },
    {
        .name = "log export",
        .operands = "",
        .summary = "every decision, the oldest first, as one line of JSON each",
        .tables = {filter_options, data_options, common_options},
        .run = log_export_run,
    },
    {
        .name = "log verify",
        .operands = "",
        .summary = "walk the chain of the journal: was a record changed, removed or moved?",
        .tables = {anchor_options, data_options, common_options},
        .run = log_verify_run,
        .exits = "0 consistent, 1 not consistent",
        .more = "Whether records are missing at the end, or all of it was written anew, only a "
                "head tells that was\n"
                "kept elsewhere: see `warder log head`.",
    },
    {
        .name = "log head",
        .operands = "",
        .summary = "the last record's number, hash and time, to be kept elsewhere",
        .tables = {head_options, data_options, common_options},
        .run = log_head_run,
    },
    {
        .name = "log rebuild",
        .operands = "",
        .summary = "throw the index away and build it again from the journal",
        .tables = {data_options, common_options},
        .run = log_rebuild_run,
    },
    {
        .name = "log repair",
        .operands = "",
        .summary =
            "set a last record aside that was changed, so that decisions can be recorded again",
        .tables = {data_options, common_options},
        .run = log_repair_run,
    },
    {
        .name = "token create",
        .operands = "",
        .summary = "make a token for the service, and print it: nothing else has it",
        .tables = {token_options, data_options, common_options},
        .run = token_create_run,
    },
    {
        .name = "token list",
        .operands = "",
        .summary = "the tokens there are, without their secrets",
        .tables = {data_options, common_options},
        .run = token_list_run,
    },
    {
        .name = "token revoke",
        .operands = "ID",
        .summary = "end a token, at once",
        .operands_max = 1,
        .tables = {data_options, common_options},
        .run = token_revoke_run,
    },
    {
        .name = "serve",
        .operands = "",
        .summary = "run the service: workers ask it, people answer its reviews, rules change while "
                   "it runs",
        .tables = {serve_options, serve_policy_options, data_options, common_options},
        .run = serve_run,
        .exits = "0 when it was told to stop",
        .more = "HTTP and WebSocket with tokens (`warder token create`), JSON lines on the unix "
                "socket. Prints where it\n"
                "listens. SIGTERM stops it in order, SIGHUP has the policy read again. See "
                "warder-serve(1).",
    },
    {
        .name = "approve",
        .operands = "[ID]",
        .summary = "answer a call that an agent could not ask about: it may then run, once",
        .operands_max = 1,
        .tables = {list_options, home_options, common_options},
        .run = approve_run,
        .exits = "0 approved, 1 refused, 2 left open",
        .more = "Only at a terminal, and not for agents. Without an ID: the only call that waits. "
                "An approval counts\n"
                "for ten minutes, and only while the call, the policy and the files that it runs "
                "stay the same.",
    },
    {
        .name = "trust",
        .operands = "[DIR]",
        .summary = "let a project's own policy files loosen what is allowed in it",
        .operands_max = 1,
        .tables = {home_options, yes_options, common_options},
        .run = trust_run,
        .exits = "0 trusted, 1 not trusted",
        .more = "Shows first what that switches on. Trust is given to what the files say now: a "
                "change ends it.",
    },
    {
        .name = "trust status",
        .operands = "[DIR]",
        .summary = "say whether a project is trusted",
        .operands_max = 1,
        .tables = {home_options, common_options},
        .run = trust_status_run,
        .exits = "0 trusted, 1 not trusted, 2 nothing to trust",
    },
    {
        .name = "untrust",
        .operands = "[DIR]",
        .summary = "take a project's trust back",
        .operands_max = 1,
        .tables = {home_options, common_options},
        .run = untrust_run,
    },
    {
        .name = "help",
        .operands = "[COMMAND]",
        .summary = "print help for a command",
        .operands_max = 2,
        .tables = {common_options},
        .run = help_run,
    },
    {0},
};

/* How many words of `words` are the name of the row; 0 when they are not. */
static size_t words_of(const struct command *c, size_t count, const char *const *words)
{
    struct str rest = str_from(c->name), word;
    bool more = true;
    size_t used = 0;

    while (more) {
        more = str_cut(rest, ' ', &word, &rest);
        if (used == count || !str_is(word, words[used]))
            return 0;
        used++;
    }
    return used;
}

const struct command *command_find(size_t count, const char *const *words, size_t *used)
{
    const struct command *found = NULL;

    *used = 0;
    for (const struct command *c = commands; c->name; c++) {
        size_t n = words_of(c, count, words);
        if (n > *used) {
            *used = n;
            found = c;
        }
    }
    return found;
}

bool command_is_family(const char *word)
{
    size_t len = strlen(word);

    for (const struct command *c = commands; c->name; c++)
        if (strncmp(c->name, word, len) == 0 && c->name[len] == ' ')
            return true;
    return false;
}
