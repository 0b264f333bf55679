/* shared_options.c - tables of options that several commands have. */
#include "cli/options.h"
#include "warder_admin.h"

#define MODES "default acceptEdits bypassPermissions dontAsk plan delegate auto"
#define PROFILE_OPTION(help)                                                                       \
    OPT_NAMES("--profile", "PROFILE", SHARED(profile), NULL, warder_profile_name, help)

const struct option reading_options[] = {
    PROFILE_OPTION("read rules as this permission model does"),
    {0},
};

/* What the policy is read from. */
#define MODEL_ROWS                                                                                 \
    PROFILE_OPTION("decide by this permission model"),                                             \
        OPT_ONE_OF("--mode", "MODE", SHARED(mode), MODES, "the session's mode")

const struct option profile_options[] = {
    MODEL_ROWS,
    OPT_LIST("--policy", "FILE", SHARED(policies),
             "read this file and no others but managed ones; may be repeated"),
    {0},
};

/* The same without the policy, where operands name it. */
const struct option model_options[] = {MODEL_ROWS, {0}};

/* The mode as the programs of mink and mini spell it. */
const struct option mode_options[] = {
    OPT_ONE_OF("--permission-mode", "MODE", SHARED(mode), MODES, "the same as --mode"),
    OPT_WORD("--plan", SHARED(mode), "plan", "--mode plan"),
    OPT_WORD("--accept-edits", SHARED(mode), "acceptEdits", "--mode acceptEdits"),
    OPT_WORD("--dont-ask", SHARED(mode), "dontAsk", "--mode dontAsk"),
    OPT_WORD("--yolo", SHARED(mode), "bypassPermissions", "--mode bypassPermissions"),
    {0},
};

const struct option given_rule_options[] = {
    OPT_RULE("--allow", WARDER_ALLOW, "an allow rule; may be repeated"),
    OPT_RULE("--ask", WARDER_ASK, "an ask rule; may be repeated"),
    OPT_RULE("--deny", WARDER_DENY, "a deny rule; may be repeated"),
    {0},
};

const struct option cwd_options[] = {
    OPT_TEXT("--cwd", "DIR", SHARED(cwd), "the agent's current directory (default: here)"),
    {0},
};

const struct option home_options[] = {
    OPT_TEXT("--home", "DIR", SHARED(home),
             "the user's home (default: $HOME; where a verdict counts, that of /etc/passwd)"),
    {0},
};

const struct option project_options[] = {
    OPT_TEXT("--project", "DIR", SHARED(project), "the project (default: the cwd)"),
    {0},
};

/* What the call is, and whether a person can be asked. */
const struct option call_options[] = {
    OPT_TEXT("--input", "JSON", SHARED(input), "the tool's whole input, instead of ARG"),
    OPT_TEXT("--plan-file", "FILE", SHARED(plan_file), "the one file that plan mode may write"),
    OPT_TEXT("--session", "ID", SHARED(session),
             "judge as in this session: its beginning says which scripts are old"),
    OPT_TEXT("--client", "CLIENT", SHARED(client),
             "whose session it is (default: run, that of warder run)"),
    OPT_ONE_OF("--tier", "TIER", SHARED(tier), "namespaces landlock none",
               "judge as where the sandbox is this one (default: that of this machine)"),
    OPT_FLAG("--auto-allow", SHARED(auto_allow), "DANGEROUS: allow instead of ask"),
    OPT_FLAG("--headless", SHARED(headless), "print what an ask becomes when nobody can be asked"),
    OPT_FLAG("--jsonl", SHARED(jsonl),
             "read one call a line from standard input, print one verdict a line"),
    {0},
};

/* What kind of sandbox, where one is built. */
const struct option tier_options[] = {
    OPT_ONE_OF("--tier", "TIER", SHARED(tier), "namespaces landlock",
               "this kind of sandbox (default: the best one that sandbox check has found)"),
    {0},
};

const struct option data_options[] = {
    OPT_TEXT("--data", "DIR", SHARED(data),
             "the data directory (default: warder in $XDG_STATE_HOME or ~/.local/state)"),
    {0},
};

/* The service that operators talk to. */
const struct option service_options[] = {
    OPT_TEXT("--url", "URL", SHARED(url), "the service (default: http://127.0.0.1:8420)"),
    OPT_TEXT("--token-file", "FILE", SHARED(token_file),
             "an operator's token (default: $WARDER_TOKEN, or DIR/operator-token)"),
    {0},
};

const struct option yes_options[] = {
    OPT_LETTER("--yes", "-y", SHARED(yes), "do not ask"),
    {0},
};

const struct option common_options[] = {
    OPT_FLAG("--json", SHARED(json), "print JSON"),
    OPT_CHOICE("--color", "WHEN", SHARED(color), "auto always never",
               "colour the output (default: auto, on a terminal without NO_COLOR)"),
    OPT_LETTER("--help", "-h", SHARED(help), "print this help"),
    {0},
};
