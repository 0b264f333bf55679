/* clients.c - the table. Order: those that were measured, then those that were read about. */
#include "base/list.h"
#include "call/tool.h"
#include "client/client.h"
#include "client/field.h"

/* clang-format off */
#define ASKS_ALL "*"

/* Claude Code's own words, which many others took over. */
#define CLAUDE_FIELDS \
    .event = "hook_event_name", .tool = "tool_name", .input = "tool_input", .session = "session_id", \
    .use_id = "tool_use_id", .cwd = "cwd", .mode = "permission_mode"

const struct client clients[] = {
    {
        .name = "claude", .title = "Claude Code", .aliases = "claude-code", CLAUDE_FIELDS,
        .events = {
            {.name = "PreToolUse", .kind = EVENT_TOOL, .shape = ANSWER_SPECIFIC, .asks = ASKS_ALL},
            {.name = "PermissionRequest", .kind = EVENT_PERMISSION, .shape = ANSWER_REQUEST, .asks = ASKS_ALL},
            {.name = "ConfigChange", .kind = EVENT_CONFIG, .shape = ANSWER_BLOCK},
        },
        .rewrite = REWRITE_REPLACE, .interrupts = true, .shell = SHELL_USERS, .project = "CLAUDE_PROJECT_DIR",
        .has = "session_id transcript_path prompt_id", .lacks = "timestamp turn_id client tool_call_id cursor_version",
    },
    {
        .name = "codex", .title = "Codex", CLAUDE_FIELDS,
        /* apply_patch shows its patch as "command"; exec_command and shell show as Bash. */
        .events = {
            {.name = "PreToolUse", .kind = EVENT_TOOL, .shape = ANSWER_DENY_ONLY},
            {.name = "PermissionRequest", .kind = EVENT_PERMISSION, .shape = ANSWER_REQUEST, .asks = ASKS_ALL},
        },
        .rewrite = REWRITE_REPLACE, .stdin_unhooked = true, .shell = SHELL_USERS,
        .has = "turn_id model session_id", .lacks = "timestamp cursor_version",
    },
    {
        .name = "gemini", .title = "Gemini CLI", .aliases = "gemini-cli", CLAUDE_FIELDS,
        .tools = "get_internal_docs=ToolSearch",
        .mcp = MCP_UNDERSCORE,
        .events = {{.name = "BeforeTool", .kind = EVENT_TOOL, .shape = ANSWER_DECISION, .asks = ASKS_ALL}},
        .rewrite = REWRITE_MERGE, .interrupts = true, .project = "GEMINI_PROJECT_DIR",
        .has = "session_id cwd",
    },
    {
        .name = "copilot", .title = "Copilot CLI", .aliases = "copilot-cli",
        .event = "hook_event_name hookName", .tool = "toolName tool_name", .input = "toolArgs toolInput tool_input",
        .session = "sessionId session_id", .use_id = "", .cwd = "cwd", .mode = "",
        .events = {
            /* The first one's events carry no name: its fields are camel case, the other's are Claude Code's. */
            {.name = "preToolUse", .kind = EVENT_TOOL, .shape = ANSWER_TOP, .asks = ASKS_ALL},
            {.name = "PreToolUse", .kind = EVENT_TOOL, .shape = ANSWER_SPECIFIC, .asks = ASKS_ALL},
            {.name = "permissionRequest", .kind = EVENT_PERMISSION, .shape = ANSWER_BEHAVIOR, .asks = ASKS_ALL},
        },
        .rewrite = REWRITE_REPLACE, .project = "CLAUDE_PROJECT_DIR",
        .has = "timestamp cwd", .lacks = "tool_use_id tool_call clineVersion taskId transcript_path",
    },
    {
        .name = "qwen", .title = "Qwen Code", .aliases = "qwen-code", CLAUDE_FIELDS,
        .events = {
            {.name = "PreToolUse", .kind = EVENT_TOOL, .shape = ANSWER_SPECIFIC, .asks = ASKS_ALL},
            {.name = "PermissionRequest", .kind = EVENT_PERMISSION, .shape = ANSWER_REQUEST, .asks = ASKS_ALL},
        },
        /* A rewritten input is documented and was not applied. */
        .rewrite = REWRITE_NO, .project = "GEMINI_PROJECT_DIR",
        .has = "timestamp session_id permission_mode", .lacks = "turn_id",
    },
    {
        .name = "opencode", .title = "OpenCode", CLAUDE_FIELDS, .shell = SHELL_USERS,
        .events = {{.name = "tool.execute.before", .kind = EVENT_TOOL, .shape = ANSWER_PLUGIN}},
        .rewrite = REWRITE_REPLACE,
        .has = "client",
    },
    {
        .name = "cursor", .title = "Cursor",
        .event = "hook_event_name", .tool = "tool_name", .input = "tool_input", .session = "conversation_id",
        .use_id = "tool_use_id", .cwd = "cwd workspace_roots.0", .mode = "",
        .mcp = MCP_COLON,
        .events = {
            {.name = "beforeShellExecution", .kind = EVENT_TOOL, .shape = ANSWER_PERMISSION, .tool = "Bash",
             .fields = "command=command", .asks = ASKS_ALL},
            {.name = "beforeMCPExecution", .kind = EVENT_TOOL, .shape = ANSWER_PERMISSION, .tool = "mcp__cursor__",
             .asks = ASKS_ALL},
            {.name = "beforeReadFile", .kind = EVENT_TOOL, .shape = ANSWER_PERMISSION, .tool = "Read",
             .fields = "file_path=file_path"},
            /* Its ask is accepted and not enforced: these have an event of their own that is. */
            {.name = "preToolUse", .kind = EVENT_TOOL, .shape = ANSWER_PERMISSION, .asks = "Bash mcp__"},
        },
        .rewrite = REWRITE_NO, .cwd_moves = true, .stdin_unhooked = true, .shell = SHELL_USERS,
        .has = "conversation_id cursor_version",
    },
    {
        .name = "windsurf", .title = "Windsurf", .aliases = "cascade",
        .event = "agent_action_name", .tool = "tool_info.mcp_tool_name", .input = "", .session = "trajectory_id",
        .use_id = "execution_id", .cwd = "tool_info.cwd", .mode = "",
        .events = {
            {.name = "pre_run_command", .kind = EVENT_TOOL, .tool = "Bash", .fields = "command=tool_info.command_line"},
            {.name = "pre_write_code", .kind = EVENT_TOOL, .tool = "Edit",
             .fields = "file_path=tool_info.file_path edits=tool_info.edits"},
            {.name = "pre_read_code", .kind = EVENT_TOOL, .tool = "Read", .fields = "file_path=tool_info.file_path"},
            {.name = "pre_mcp_tool_use", .kind = EVENT_TOOL, .tool = "mcp__{tool_info.mcp_server_name}__",
             .input = "tool_info.mcp_tool_arguments"},
        },
        .stdin_unhooked = true, .shell = SHELL_USERS,
        .has = "agent_action_name tool_info",
    },
    {
        .name = "crush", .title = "Crush",
        .event = "event", .tool = "tool_name", .input = "tool_input", .session = "session_id", .use_id = "",
        .cwd = "cwd", .mode = "",
        .tools = "download=WebFetch agentic_fetch=WebFetch agent=Agent job_output=BashOutput job_kill=KillShell "
                 "todos=TodoWrite",
        .mcp = MCP_UNDERSCORE,
        .events = {{.name = "PreToolUse", .kind = EVENT_TOOL, .shape = ANSWER_CRUSH}},
        .rewrite = REWRITE_MERGE, .interrupts = true, .shell = SHELL_EMBEDDED, .project = "CRUSH_PROJECT_DIR",
        .has = "event session_id", .lacks = "hook_event_name",
    },
    {
        .name = "cline", .title = "Cline",
        .event = "hookName", .tool = "tool_call.name preToolUse.toolName",
        .input = "tool_call.input preToolUse.parameters", .session = "taskId", .use_id = "tool_call.id",
        .cwd = "workspaceRoots.0", .mode = "",
        .tools = "execute_command=Bash write_to_file=Write replace_in_file=Edit search_files=Grep "
                 "list_code_definition_names=LSP new_file=Write editor=Edit fetch_web_content=WebFetch "
                 "ask_followup_question=AskUserQuestion plan_mode_respond=AskUserQuestion "
                 "attempt_completion=ReportIntent",
        .events = {{.name = "PreToolUse tool_call", .kind = EVENT_TOOL, .shape = ANSWER_CANCEL, .asks = ASKS_ALL}},
        .rewrite = REWRITE_NO, .asks_needs = "tool_call", .cwd_moves = true, .stdin_unhooked = true,
        .shell = SHELL_USERS,
        .has = "hookName taskId",
    },
    {
        .name = "droid", .title = "Factory Droid", .aliases = "factory",
        .event = "hook_event_name hookEventName", .tool = "tool_name toolName", .input = "tool_input toolInput",
        .session = "session_id sessionId", .use_id = "tool_use_id toolUseId", .cwd = "cwd",
        .mode = "permission_mode permissionMode",
        .tools = "Create=Write FetchUrl=WebFetch ExitSpecMode=ExitPlanMode",
        .mcp = MCP_TRIPLE,
        .events = {{.name = "PreToolUse", .kind = EVENT_TOOL, .shape = ANSWER_SPECIFIC, .asks = ASKS_ALL}},
        .rewrite = REWRITE_NO, .shell = SHELL_USERS, .project = "FACTORY_PROJECT_DIR",
        .has = "cwd", .lacks = "tool_use_id prompt_id timestamp turn_id client tool_call_id cursor_version",
    },
    {
        .name = "kiro", .title = "Kiro", CLAUDE_FIELDS,
        .tools = "fs_read=Read fs_write=Edit subagent=Agent use_subagent=Agent delegate=Agent "
                 "todo_list=TodoWrite thinking=ReportIntent introspect=ToolSearch",
        .mcp = MCP_AT,
        .events = {{.name = "preToolUse PreToolUse", .kind = EVENT_TOOL}},
        .has = "hook_event_name cwd tool_name",
        .lacks = "transcript_path timestamp turn_id client tool_call_id cursor_version prompt_id permission_mode",
    },
    {
        .name = "kimi", .title = "Kimi Code", .aliases = "kimi-code kimi-cli",
        .event = "hook_event_name", .tool = "tool_name", .input = "tool_input", .session = "session_id",
        .use_id = "tool_call_id", .cwd = "cwd", .mode = "",
        .tools = "StrReplaceFile=Edit SearchWeb=WebSearch FetchURL=WebFetch SetTodoList=TodoWrite Think=ReportIntent "
                 "ReadMediaFile=Read",
        .events = {{.name = "PreToolUse", .kind = EVENT_TOOL}},
        .shell = SHELL_USERS,
        .has = "tool_call_id session_id cwd", .lacks = "timestamp tool_use_id",
    },
    {
        .name = "vscode", .title = "VS Code", .aliases = "code vs-code",
        .event = "hookEventName hook_event_name", .tool = "tool_name", .input = "tool_input",
        .session = "sessionId session_id", .use_id = "tool_use_id", .cwd = "cwd", .mode = "",
        .tools = "run_in_terminal=Bash replace_string_in_file=Edit insert_edit_into_file=Edit "
                 "fetch_webpage=WebFetch file_search=Glob runSubagent=Agent manage_todo_list=TodoWrite "
                 "create_directory=Write",
        .mcp = MCP_UNDERSCORE,
        .events = {{.name = "PreToolUse", .kind = EVENT_TOOL, .shape = ANSWER_SPECIFIC, .asks = ASKS_ALL}},
        .rewrite = REWRITE_REPLACE, .cwd_moves = true, .stdin_unhooked = true, .shell = SHELL_USERS,
        .has = "timestamp hookEventName", .lacks = "turn_id cursor_version",
    },
    {0},
};
/* clang-format on */

const struct client *client_find(struct str name)
{
    for (const struct client *c = clients; c->name; c++)
        if (str_is(name, c->name) || word_in(c->aliases, name))
            return c;
    return NULL;
}

static bool has_all(const struct value *event, const char *fields)
{
    struct str rest = str_from(fields), field;

    while (tool_next_word(&rest, &field))
        if (!field_at(event, field))
            return false;
    return true;
}

static bool has_any(const struct value *event, const char *fields)
{
    struct str rest = str_from(fields), field;

    while (tool_next_word(&rest, &field))
        if (field_at(event, field))
            return true;
    return false;
}

const struct client *client_recognise(const struct value *event)
{
    const struct client *found = NULL;

    for (const struct client *c = clients; c->name; c++) {
        if (!has_all(event, c->has) || has_any(event, c->lacks) || !client_event_of(c, event))
            continue;
        if (found)
            return NULL;
        found = c;
    }
    return found;
}
