/* registrations.c - where each client keeps its hooks, and how ours is written there: the rows of
 * call/agents.def, and the texts that are too long for a row. */
#include "client/register.h"

/* clang-format off */

/* A group with a matcher and its handlers, as Claude Code has them; others adopted the form. */
#define GROUP(handler) "{\"matcher\": \"*\", \"hooks\": [" handler "]}"
#define SHELL_HANDLER  "{\"type\": \"command\", \"command\": $COMMAND, \"timeout\": $TIMEOUT}"
/* For clients that start the hook by a shell, in an environment that a project's .env file adds to, or what starts the client:
 * these variables would keep the shell from starting, have it run something else first, or nothing at all. Those that an empty
 * value does not switch off are LD_TRACE_LOADED_OBJECTS and LD_SHOW_AUXV (which cli/hook_environment.c notices). */
#define CLEAN_SHELL "\"env\": {" CLEAN_VARIABLES "}"
#define CLEAN_VARIABLES \
    "\"LD_LIBRARY_PATH\": \"\", \"LD_PRELOAD\": \"\", \"LD_AUDIT\": \"\", \"LD_DEBUG\": \"\", " \
    "\"GLIBC_TUNABLES\": \"\", \"GCONV_PATH\": \"\", \"LOCPATH\": \"\", " \
    "\"SHELLOPTS\": \"\", \"BASHOPTS\": \"\", \"BASH_ENV\": \"\", \"ENV\": \"\""
#define NAMED_HANDLER  "{\"name\": \"warder\", \"type\": \"command\", \"command\": $COMMAND, \"timeout\": $TIMEOUT, " \
    "\"env\": {$LAUNCH" CLEAN_VARIABLES "}}"

/* Values of another kind make Claude Code drop the whole file (measured: 2.1.325). */
#define CLAUDE_TYPED \
    "permissions=object permissions.allow=list permissions.deny=list permissions.ask=list " \
    "permissions.additionalDirectories=list permissions.disableBypassPermissionsMode=disable " \
    "permissions.defaultMode=default|manual|acceptEdits|plan|auto|dontAsk|bypassPermissions " \
    "agent=text alwaysThinkingEnabled=bool apiKeyHelper=text attribution=object awsAuthRefresh=text " \
    "cleanupPeriodDays=number companyAnnouncements=list disableAllHooks=bool " \
    "enableAllProjectMcpServers=bool enabledPlugins=object env=object fileSuggestion=object " \
    "includeCoAuthoredBy=bool language=text model=text outputStyle=text respectGitignore=bool " \
    "sandbox=object sandbox.enabled=bool skipDangerousModePermissionPrompt=bool " \
    "spinnerTipsEnabled=bool statusLine=object verbose=bool worktree=object $schema=text"
/* One bad entry in any list of these makes Codex drop the whole file (measured: 0.166). */
#define CODEX_EVENTS \
    "PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SessionStart SessionEnd " \
    "UserPromptSubmit SubagentStart SubagentStop Stop"

/* Runs the hook and obeys it; anything but a complete answer throws, which blocks the call. */
static const char opencode_plugin[] =
    "// Asks Warder before each tool call. Written by `warder install opencode`.\n"
    "import { spawnSync } from \"node:child_process\"\n"
    "\n"
    "const program = $PROGRAM\n"
    "\n"
    "function ask(event) {\n"
    "  const run = spawnSync(program, [$HOOK\"--client\", \"opencode\"], {\n"
    "    input: JSON.stringify(event),\n"
    "    encoding: \"utf8\",\n"
    "    timeout: $TIMEOUT000,\n"
    "    killSignal: \"SIGKILL\",\n"
    "    maxBuffer: 64 * 1024 * 1024,\n"
    "  })\n"
    "  if (run.error) throw new Error(\"Warder cannot be run: \" + run.error.message)\n"
    "  if (run.status !== 0) throw new Error((run.stderr || \"\").trim() || \"Warder gave no verdict\")\n"
    "  return JSON.parse(run.stdout)\n"
    "}\n"
    "\n"
    "export const Warder = async ({ directory }) => ({\n"
    "  \"tool.execute.before\": async (call, output) => {\n"
    "    const answer = ask({\n"
    "      client: \"opencode\",\n"
    "      hook_event_name: \"tool.execute.before\",\n"
    "      session_id: call.sessionID,\n"
    "      tool_use_id: call.callID,\n"
    "      cwd: directory,\n"
    "      tool_name: call.tool,\n"
    "      tool_input: output.args ?? {},\n"
    "    })\n"
    "    if (answer.decision !== \"allow\") throw new Error(answer.reason || \"Warder: denied\")\n"
    "    if (answer.input) {\n"
    "      for (const key of Object.keys(output.args)) delete output.args[key]\n"
    "      Object.assign(output.args, answer.input)\n"
    "    }\n"
    "  },\n"
    "})\n";

static const char cline_script[] =
    "#!/bin/sh\n"
    "# Asks Warder before each tool call. Written by `warder install cline`.\n"
    "answer=$($COMMAND_LINE) && [ -n \"$answer\" ] && printf '%s\\n' \"$answer\" && exit 0\n"
    "printf '%s\\n' '{\"cancel\":true,\"errorMessage\":\"Warder gave no verdict\"}'\n";

static const char kiro_hooks[] =
    "{\n"
    "  \"version\": \"v1\",\n"
    "  \"hooks\": [\n"
    "    {\n"
    "      \"name\": \"warder\",\n"
    "      \"trigger\": \"PreToolUse\",\n"
    "      \"action\": {\"type\": \"command\", \"command\": $COMMAND},\n"
    "      \"timeout\": $TIMEOUT,\n"
    "      \"enabled\": true\n"
    "    }\n"
    "  ]\n"
    "}\n";

#define CLAUDE_CANARY(more) \
    "{\"session_id\":\"canary\",\"transcript_path\":\"canary\",\"cwd\":$CWD,\"prompt_id\":\"canary\"," \
    "\"permission_mode\":\"default\"," more "\"tool_input\":{\"command\":$CMD},\"tool_use_id\":\"canary\"}"

#define CODEX_CANARY \
    CLAUDE_CANARY("\"turn_id\":\"canary\",\"model\":\"canary\"," \
                  "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",")
/* What an administrator requires needs no trust, and neither a project nor a person can switch it off
 * (measured: 0.166). The feature is named because a project may switch all hooks off. */
#define CODEX_REQUIRED(event) \
    event " = [{matcher = \"*\", hooks = [{type = \"command\", command = $COMMAND, timeout = $TIMEOUT}]}]\n"
static const struct registration codex_managed = {
    .block = "# Warder is asked before each tool call (warder install --managed codex)\n"
             "[features]\n"
             "hooks = true\n"
             "\n"
             "[hooks]\n"
             CODEX_REQUIRED("PreToolUse")
             CODEX_REQUIRED("PermissionRequest")
             "# end of what Warder needs\n",
    .per_second = 1, .program = "codex", .managed_stays = true, .canary = CODEX_CANARY};

#define FIRST(first, ...)    first
#define PROGRAMS(...)        .program = FIRST(__VA_ARGS__, ),
#define EDITOR(name)         .program = (name),
#define REGISTRATION(...)    __VA_ARGS__
#define AGENT(name, title, sections) {sections},

/* In the order of clients[]. */
static const struct registration rows[] = {
#include "call/agents.def"
};
/* clang-format on */

const struct registration *registration_of(const struct client *client)
{
    const struct registration *row = &rows[client - clients];

    return row->files[SCOPE_USER] ? row : NULL;
}
