#include "call/tool.h"

#include "base/list.h"

/* clang-format off */
#define NAME(name)   {(name), sizeof(name) - 1}
#define ALIASES(...) (const struct str[]){__VA_ARGS__}, COUNT(((const struct str[]){__VA_ARGS__}))
#define NO_ALIASES   NULL, 0
#define ROW(name, kind, risk, first, paths, others, ...) \
    {NAME(name), kind, risk, NAME(first), NAME(paths), NAME(others), __VA_ARGS__}
/* clang-format on */

/* Sources of the names and fields: the clients' own tool schemas as seen on the wire (Claude Code
 * 2.1, Codex 0.166, Gemini CLI 0.61, Copilot CLI 1.0, Qwen Code 0.24, OpenCode 1.18), and the specs
 * of the profiles. */
static const struct tool tools[] = {
    ROW("Bash", TOOL_SHELL, RISK_HIGH, "command cmd", "cwd workdir dir_path directory",
        "description timeout timeout_ms run_in_background is_background background "
        "dangerouslyDisableSandbox restart "
        "mode "
        "sessionId shellId initial_wait yield_time_ms max_output_tokens login shell tty "
        "justification "
        "sandbox_permissions "
        "prefix_rule",
        ALIASES(NAME("bash"), NAME("run_shell"), NAME("run_shell_command"), NAME("shell"),
                NAME("Shell"), NAME("exec_command"), NAME("local_shell"), NAME("container.exec"),
                NAME("Execute"), NAME("execute_bash"), NAME("run_commands"),
                NAME("run_terminal_cmd"), NAME("Monitor"))),
    ROW("PowerShell", TOOL_SHELL, RISK_HIGH, "command", "", "description timeout run_in_background",
        ALIASES(NAME("powershell"), NAME("pwsh")), .under = NAME("Bash")),
    ROW("WriteStdin", TOOL_STDIN, RISK_HIGH, "chars input text", "",
        "session_id sessionId shellId yield_time_ms max_output_tokens delay",
        ALIASES(NAME("write_stdin"), NAME("write_bash")), .under = NAME("Bash")),
    ROW("KillShell", TOOL_NOTE, RISK_LOW, "shell_id", "", "shellId sessionId bash_id task_id",
        ALIASES(NAME("KillBash"), NAME("stop_bash"), NAME("TaskStop"))),
    ROW("BashOutput", TOOL_NOTE, RISK_LOW, "bash_id", "", "filter shellId sessionId delay",
        ALIASES(NAME("read_bash"), NAME("list_bash"))),
    ROW("Read", TOOL_READ, RISK_NONE, "file_path path filePath absolute_path",
        "file_path path filePath absolute_path",
        "offset limit pages view_range line_start line_end start_line end_line",
        ALIASES(NAME("read"), NAME("read_file"), NAME("view"), NAME("ReadFile"))),
    ROW("ReadMany", TOOL_READ, RISK_NONE, "paths", "paths include",
        "exclude recursive useDefaultExcludes file_filtering_options",
        ALIASES(NAME("read_many_files")), .under = NAME("Read")),
    ROW("NotebookRead", TOOL_READ, RISK_NONE, "notebook_path", "notebook_path", "cell_id",
        NO_ALIASES, .under = NAME("Read")),
    ROW("ViewImage", TOOL_READ, RISK_NONE, "path", "path", "detail", ALIASES(NAME("view_image")),
        .under = NAME("Read")),
    ROW("Glob", TOOL_SEARCH, RISK_NONE, "pattern path", "path dir_path directory",
        "case_sensitive respect_git_ignore respect_gemini_ignore include_dirs",
        ALIASES(NAME("glob"), NAME("FindFiles"))),
    ROW("Grep", TOOL_SEARCH, RISK_NONE, "pattern query regex path",
        "path dir_path directory includePattern",
        "isRegexp maxResults file_pattern glob_pattern literal_text line_numbers context_before "
        "context_after "
        "case_insensitive glob output_mode -A -B -C -n -i context type head_limit offset multiline "
        "include "
        "include_pattern exclude_pattern "
        "limit "
        "case_sensitive fixed_strings names_only max_matches_per_file total_max_matches after "
        "before",
        ALIASES(NAME("grep"), NAME("grep_search"), NAME("search_file_content"), NAME("rg")),
        .under = NAME("Read")),
    ROW("LS", TOOL_SEARCH, RISK_NONE, "path directory_path", "path dir_path directory_path",
        "ignore ignorePatterns recursive depth file_filtering_options",
        ALIASES(NAME("ls"), NAME("list"), NAME("list_files"), NAME("list_directory"),
                NAME("list_dir"), NAME("ListFiles"))),
    ROW("LSP", TOOL_SEARCH, RISK_NONE, "filePath file_path", "filePath file_path",
        "operation line character query", ALIASES(NAME("lsp"))),
    ROW("Write", TOOL_EDIT, RISK_MEDIUM, "file_path path filePath", "file_path path filePath",
        "content file_text contents modified_by_user ai_proposed_content",
        ALIASES(NAME("write"), NAME("write_file"), NAME("create"), NAME("WriteFile"),
                NAME("create_file")),
        .under = NAME("Edit")),
    ROW("Edit", TOOL_EDIT, RISK_MEDIUM, "file_path path filePath", "file_path path filePath",
        "old_string new_string replace_all oldString newString replaceAll old_str new_str "
        "expected_replacements "
        "instruction "
        "insert_line insert_text allow_multiple edits command",
        ALIASES(NAME("edit"), NAME("edit_file"), NAME("replace"), NAME("str_replace"),
                NAME("str_replace_editor"), NAME("StrReplace"), NAME("insert"))),
    ROW("MultiEdit", TOOL_EDIT, RISK_MEDIUM, "file_path filePath replacements",
        "file_path filePath", "edits explanation",
        ALIASES(NAME("multiedit"), NAME("multi_replace_string_in_file")), .under = NAME("Edit")),
    ROW("Delete", TOOL_EDIT, RISK_MEDIUM, "file_path path", "file_path path", "",
        ALIASES(NAME("delete_file")), .under = NAME("Edit Write")),
    ROW("NotebookEdit", TOOL_EDIT, RISK_MEDIUM, "notebook_path", "notebook_path",
        "new_source cell_id cell_type edit_mode cell_number",
        ALIASES(NAME("Notebook"), NAME("notebook_edit")), .under = NAME("Edit")),
    ROW("ApplyPatch", TOOL_PATCH, RISK_MEDIUM, "input patch patchText command", "", "workdir",
        ALIASES(NAME("apply_patch"), NAME("patch")), .under = NAME("Edit Write MultiEdit Delete")),
    ROW("WebFetch", TOOL_FETCH, RISK_HIGH, "url prompt", "", "prompt format timeout max_length raw",
        ALIASES(NAME("web_fetch"), NAME("webfetch"), NAME("fetch"))),
    ROW("WebSearch", TOOL_QUERY, RISK_HIGH, "query", "",
        "allowed_domains blocked_domains numResults type livecrawl contextMaxCharacters",
        ALIASES(NAME("web_search"), NAME("websearch"), NAME("google_web_search"))),
    ROW("Agent", TOOL_AGENT, RISK_CRITICAL, "prompt", "",
        "description subagent_type model isolation run_in_background name team_name mode "
        "agent_name agent agent_type "
        "task "
        "message items fork_context objective",
        ALIASES(NAME("Task"), NAME("task"), NAME("spawn_agent"), NAME("invoke_agent"))),
    ROW("Skill", TOOL_OTHER, RISK_HIGH, "skill name command", "", "args",
        ALIASES(NAME("skill"), NAME("activate_skill"))),
    ROW("Config", TOOL_NOTE, RISK_LOW, "setting", "", "value", NO_ALIASES),
    ROW("TaskOutput", TOOL_NOTE, RISK_LOW, "task_id", "", "block timeout wait_up_to",
        ALIASES(NAME("AgentOutput"), NAME("TaskOut"))),
    ROW("AskUserQuestion", TOOL_QUESTION, RISK_LOW, "questions question", "",
        "answers metadata choices",
        ALIASES(NAME("AskUser"), NAME("ask_user"), NAME("ask_question"), NAME("question"))),
    ROW("EnterPlanMode", TOOL_PLAN_ENTER, RISK_LOW, "", "", "reason",
        ALIASES(NAME("enter_plan_mode"))),
    ROW("ExitPlanMode", TOOL_PLAN_EXIT, RISK_LOW, "plan", "",
        "planFilePath plan_path allowedPrompts pushToRemote", ALIASES(NAME("exit_plan_mode"))),
    ROW("TodoWrite", TOOL_NOTE, RISK_LOW, "todos", "", "",
        ALIASES(NAME("todowrite"), NAME("todo_write"), NAME("write_todos"), NAME("update_plan"),
                NAME("update_todo"))),
    ROW("TodoRead", TOOL_NOTE, RISK_LOW, "", "", "", ALIASES(NAME("todoread"))),
    ROW("TaskCreate", TOOL_NOTE, RISK_LOW, "subject", "", "description activeForm metadata",
        NO_ALIASES),
    ROW("TaskUpdate", TOOL_NOTE, RISK_LOW, "taskId", "",
        "status subject description activeForm owner addBlocks addBlockedBy metadata", NO_ALIASES),
    ROW("TaskGet", TOOL_NOTE, RISK_LOW, "taskId", "", "", NO_ALIASES),
    ROW("TaskList", TOOL_NOTE, RISK_LOW, "", "", "", NO_ALIASES),
    ROW("ToolSearch", TOOL_NOTE, RISK_LOW, "query", "", "max_results", NO_ALIASES),
    ROW("ReportIntent", TOOL_NOTE, RISK_LOW, "intent", "", "", ALIASES(NAME("report_intent"))),
    ROW("SaveMemory", TOOL_OTHER, RISK_HIGH, "fact", "", "scope", ALIASES(NAME("save_memory"))),
};

const struct tool *tool_at(size_t number)
{
    return number < COUNT(tools) ? &tools[number] : NULL;
}

const struct tool *tool_find(struct str name)
{
    for (size_t i = 0; i < COUNT(tools); i++)
        if (str_eq(name, tools[i].name))
            return &tools[i];
    for (size_t i = 0; i < COUNT(tools); i++)
        for (size_t n = 0; n < tools[i].alias_count; n++)
            if (str_eq(tools[i].aliases[n], name))
                return &tools[i];
    return NULL;
}

struct strs tool_names_above(struct arena *a, const struct tool *t)
{
    struct str rest = t->under, name;
    struct strs out = {0};

    while (str_next_word(&rest, &name)) {
        const struct tool *above = tool_find(name);
        LIST_PUSH(a, &out, above->name);
        for (size_t i = 0; i < above->alias_count; i++)
            LIST_PUSH(a, &out, above->aliases[i]);
    }
    return out;
}

const struct tool *tool_rows(size_t *count)
{
    *count = COUNT(tools);
    return tools;
}

const char *risk_name(enum risk r)
{
    static const char *const names[] = {
        [RISK_CRITICAL] = "critical", [RISK_HIGH] = "high", [RISK_MEDIUM] = "medium",
        [RISK_LOW] = "low",           [RISK_NONE] = "none",
    };

    return names[r];
}

bool tool_mcp_server(struct str name, struct str *server)
{
    static const struct str mark = {"mcp__", 5};

    if (!str_starts(name, mark))
        return false;
    struct str rest = str_from_byte(name, mark.len);
    for (size_t i = 0; i + 1 < rest.len; i++)
        if (rest.s[i] == '_' && rest.s[i + 1] == '_') {
            *server = str_slice(rest, 0, i);
            return i > 0;
        }
    *server = rest;
    return rest.len > 0;
}
