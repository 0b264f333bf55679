/* registrations.c - the table: where each client keeps its hooks, and how ours is written there. */
#include "client/register.h"

/* clang-format off */

/* A group with a matcher and its handlers, as Claude Code has them; others took the form over. */
#define GROUP(handler) "{\"matcher\": \"*\", \"hooks\": [" handler "]}"
#define SHELL_HANDLER  "{\"type\": \"command\", \"command\": $COMMAND, \"timeout\": $TIMEOUT}"
#define NAMED_HANDLER  "{\"name\": \"warder\", \"type\": \"command\", \"command\": $COMMAND, \"timeout\": $TIMEOUT}"

/* Spawns the hook and obeys it; everything else than a whole answer throws, and a throw blocks the call. */
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

static const struct registration rows[] = {
    {
        .client = "claude", .program = "claude", .variable = "CLAUDE_CONFIG_DIR",
        .files = {".claude/settings.json", ".claude/settings.json", "/etc/claude-code/managed-settings.d/warder.json"},
        .blank = "{}\n", .events = "PreToolUse PermissionRequest ConfigChange",
        /* With "args" no shell stands between. */
        .entry = GROUP("{\"type\": \"command\", \"command\": $PROGRAM, \"args\": [$HOOK\"--client\", \"claude\"], "
                       "\"timeout\": $TIMEOUT}"),
        .per_second = 1,
        .canary = CLAUDE_CANARY("\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","),
    },
    {
        .client = "codex", .program = "codex", .variable = "CODEX_HOME",
        .files = {".codex/hooks.json", ".codex/hooks.json", NULL},
        .blank = "{}\n", .events = "PreToolUse PermissionRequest", .entry = GROUP(SHELL_HANDLER), .per_second = 1,
        .note = "Codex skips a hook silently until a person has trusted it: start codex once and review the hook there",
        .canary = CLAUDE_CANARY("\"turn_id\":\"canary\",\"model\":\"canary\",\"hook_event_name\":\"PreToolUse\","
                                "\"tool_name\":\"Bash\","),
    },
    {
        .client = "gemini", .program = "gemini",
        .files = {".gemini/settings.json", ".gemini/settings.json", "/etc/gemini-cli/settings.json"},
        .blank = "{}\n", .events = "BeforeTool", .entry = GROUP(NAMED_HANDLER), .per_second = 1000,
        .canary = "{\"session_id\":\"canary\",\"cwd\":$CWD,\"hook_event_name\":\"BeforeTool\",\"timestamp\":\"canary\","
                  "\"tool_name\":\"run_shell_command\",\"tool_input\":{\"command\":$CMD}}",
    },
    {
        .client = "copilot", .program = "copilot", .variable = "COPILOT_HOME",
        .files = {".copilot/hooks/warder.json", ".github/hooks/warder.json",
                  "/etc/github-copilot/policy.d/warder.json"},
        .blank = "{\n  \"version\": 1\n}\n", .events = "preToolUse permissionRequest",
        .entry = "{\"type\": \"command\", \"bash\": $COMMAND, \"timeoutSec\": $TIMEOUT}", .per_second = 1,
        .canary = "{\"sessionId\":\"canary\",\"timestamp\":1,\"cwd\":$CWD,\"toolName\":\"bash\","
                  "\"toolArgs\":{\"command\":$CMD}}",
    },
    {
        .client = "qwen", .program = "qwen",
        .files = {".qwen/settings.json", ".qwen/settings.json", "/etc/qwen-code/settings.json"},
        .blank = "{}\n", .events = "PreToolUse PermissionRequest", .entry = GROUP(NAMED_HANDLER), .per_second = 1000,
        .canary = CLAUDE_CANARY("\"timestamp\":\"canary\",\"hook_event_name\":\"PreToolUse\","
                                "\"tool_name\":\"run_shell_command\","),
    },
    {
        .client = "opencode", .program = "opencode", .variable = "XDG_CONFIG_HOME",
        .files = {".config/opencode/plugins/warder.js", ".opencode/plugins/warder.js", NULL},
        .whole = opencode_plugin,
        .canary = "{\"client\":\"opencode\",\"hook_event_name\":\"tool.execute.before\",\"session_id\":\"canary\","
                  "\"cwd\":$CWD,\"tool_name\":\"bash\",\"tool_input\":{\"command\":$CMD}}",
    },
    {
        .client = "cursor", .program = "cursor-agent",
        .files = {".cursor/hooks.json", ".cursor/hooks.json", "/etc/cursor/hooks.json"},
        .blank = "{\n  \"version\": 1\n}\n", .events = "beforeShellExecution beforeMCPExecution beforeReadFile preToolUse",
        .entry = "{\"command\": $COMMAND, \"timeout\": $TIMEOUT, \"failClosed\": true}", .per_second = 1,
        .canary = "{\"conversation_id\":\"canary\",\"cursor_version\":\"canary\",\"workspace_roots\":[$CWD],"
                  "\"hook_event_name\":\"beforeShellExecution\",\"command\":$CMD,\"cwd\":$CWD}",
    },
    {
        .client = "windsurf", .program = "windsurf",
        .files = {".codeium/windsurf/hooks.json", ".windsurf/hooks.json", "/etc/windsurf/hooks.json"},
        .blank = "{}\n", .events = "pre_run_command pre_write_code pre_read_code pre_mcp_tool_use",
        .entry = "{\"command\": $COMMAND, \"show_output\": true}",
        .canary = "{\"agent_action_name\":\"pre_run_command\",\"trajectory_id\":\"canary\",\"execution_id\":\"canary\","
                  "\"tool_info\":{\"command_line\":$CMD,\"cwd\":$CWD}}",
    },
    {
        .client = "crush", .program = "crush", .variable = "XDG_CONFIG_HOME",
        .files = {".config/crush/crush.json", "crush.json", NULL},
        .blank = "{}\n", .events = "PreToolUse",
        .entry = "{\"name\": \"warder\", \"command\": $COMMAND, \"timeout\": $TIMEOUT}", .per_second = 1,
        .note = "Crush does not ask hooks about what its sub-agents do",
        .canary = "{\"event\":\"PreToolUse\",\"session_id\":\"canary\",\"cwd\":$CWD,\"tool_name\":\"bash\","
                  "\"tool_input\":{\"command\":$CMD}}",
    },
    {
        .client = "cline", .program = "cline",
        .files = {".cline/hooks/PreToolUse.sh", ".cline/hooks/PreToolUse.sh", NULL},
        .whole = cline_script, .executable = true,
        .note = "the VS Code extension looks for the same script without its ending, in Documents/Cline/Hooks",
        .canary = "{\"hookName\":\"PreToolUse\",\"taskId\":\"canary\",\"workspaceRoots\":[$CWD],"
                  "\"tool_call\":{\"id\":\"canary\",\"name\":\"execute_command\",\"input\":{\"command\":$CMD}}}",
    },
    {
        .client = "droid", .program = "droid",
        .files = {".factory/settings.json", ".factory/settings.json", NULL},
        .blank = "{}\n", .events = "PreToolUse", .entry = GROUP(SHELL_HANDLER), .per_second = 1,
        .rival = ".factory/hooks.json",
        .canary = "{\"session_id\":\"canary\",\"cwd\":$CWD,\"permission_mode\":\"default\","
                  "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Execute\",\"tool_input\":{\"command\":$CMD}}",
    },
    {
        .client = "kiro", .program = "kiro-cli",
        .files = {".kiro/hooks/warder.json", ".kiro/hooks/warder.json", NULL},
        .whole = kiro_hooks,
        .canary = "{\"hook_event_name\":\"preToolUse\",\"cwd\":$CWD,\"tool_name\":\"execute_bash\","
                  "\"tool_input\":{\"command\":$CMD}}",
    },
    {
        .client = "kimi", .program = "kimi",
        .files = {".kimi-code/config.toml", NULL, NULL},
        .block = "[[hooks]]\nevent = \"PreToolUse\"\ncommand = $COMMAND\ntimeout = $TIMEOUT\n", .per_second = 1,
        .canary = "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"canary\",\"cwd\":$CWD,\"tool_call_id\":\"canary\","
                  "\"tool_name\":\"Shell\",\"tool_input\":{\"command\":$CMD}}",
    },
    {
        .client = "vscode", .program = "code", .variable = "COPILOT_HOME",
        /* Copilot CLI reads the same directory: the event tells which of them it is. */
        .files = {".copilot/hooks/warder-vscode.json", ".github/hooks/warder-vscode.json", NULL},
        .blank = "{}\n", .events = "PreToolUse", .entry = SHELL_HANDLER, .per_second = 1,
        .canary = "{\"timestamp\":\"canary\",\"sessionId\":\"canary\",\"cwd\":$CWD,\"hookEventName\":\"PreToolUse\","
                  "\"tool_name\":\"run_in_terminal\",\"tool_input\":{\"command\":$CMD},\"tool_use_id\":\"canary\"}",
    },
    {0},
};
/* clang-format on */

const struct registration *registration_of(const struct client *client)
{
    for (const struct registration *r = rows; r->client; r++)
        if (strcmp(r->client, client->name) == 0)
            return r;
    return NULL;
}
