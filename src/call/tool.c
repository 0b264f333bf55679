#include "call/tool.h"

/* Sources of the names and fields: the clients' own tool schemas as they were
 * seen on the wire (Claude Code 2.1, Codex 0.166, Gemini CLI 0.61, Copilot CLI
 * 1.0, Qwen Code 0.24, OpenCode 1.18), and the specs of the profiles. */
static const struct tool tools[] = {
    {"Bash", TOOL_SHELL, RISK_HIGH, "command cmd", "cwd workdir dir_path directory",
     "description timeout timeout_ms run_in_background is_background background dangerouslyDisableSandbox restart mode "
     "sessionId shellId initial_wait yield_time_ms max_output_tokens login shell tty justification sandbox_permissions "
     "prefix_rule",
     "bash run_shell run_shell_command shell Shell exec_command local_shell container.exec Execute execute_bash "
     "run_commands run_terminal_cmd Monitor"},
    {"PowerShell", TOOL_SHELL, RISK_HIGH, "command", "", "description timeout run_in_background", "powershell pwsh"},
    {"WriteStdin", TOOL_STDIN, RISK_HIGH, "chars input text", "",
     "session_id sessionId shellId yield_time_ms max_output_tokens delay", "write_stdin write_bash"},
    {"KillShell", TOOL_NOTE, RISK_LOW, "shell_id", "", "shellId sessionId bash_id task_id",
     "KillBash stop_bash TaskStop"},
    {"BashOutput", TOOL_NOTE, RISK_LOW, "bash_id", "", "filter shellId sessionId delay", "read_bash list_bash"},
    {"Read", TOOL_READ, RISK_NONE, "file_path path filePath absolute_path", "file_path path filePath absolute_path",
     "offset limit pages view_range line_start line_end start_line end_line", "read read_file view ReadFile"},
    {"ReadMany", TOOL_READ, RISK_NONE, "paths", "paths include",
     "exclude recursive useDefaultExcludes file_filtering_options", "read_many_files"},
    {"NotebookRead", TOOL_READ, RISK_NONE, "notebook_path", "notebook_path", "cell_id", ""},
    {"ViewImage", TOOL_READ, RISK_NONE, "path", "path", "detail", "view_image"},
    {"Glob", TOOL_SEARCH, RISK_NONE, "pattern path", "path dir_path directory",
     "case_sensitive respect_git_ignore respect_gemini_ignore include_dirs", "glob FindFiles"},
    {"Grep", TOOL_SEARCH, RISK_NONE, "pattern query regex path", "path dir_path directory includePattern",
     "isRegexp maxResults file_pattern glob_pattern literal_text line_numbers context_before context_after "
     "case_insensitive glob output_mode -A -B -C -n -i context type head_limit offset multiline include "
     "include_pattern exclude_pattern "
     "limit "
     "case_sensitive fixed_strings names_only max_matches_per_file total_max_matches after before",
     "grep grep_search search_file_content rg"},
    {"LS", TOOL_SEARCH, RISK_NONE, "path directory_path", "path dir_path directory_path",
     "ignore ignorePatterns recursive depth file_filtering_options",
     "ls list list_files list_directory list_dir ListFiles"},
    {"LSP", TOOL_SEARCH, RISK_NONE, "filePath file_path", "filePath file_path", "operation line character query",
     "lsp"},
    {"Write", TOOL_EDIT, RISK_MEDIUM, "file_path path filePath", "file_path path filePath",
     "content file_text contents modified_by_user ai_proposed_content",
     "write write_file create WriteFile create_file"},
    {"Edit", TOOL_EDIT, RISK_MEDIUM, "file_path path filePath", "file_path path filePath",
     "old_string new_string replace_all oldString newString replaceAll old_str new_str expected_replacements "
     "instruction "
     "insert_line insert_text allow_multiple edits command",
     "edit edit_file replace str_replace str_replace_editor StrReplace insert"},
    {"MultiEdit", TOOL_EDIT, RISK_MEDIUM, "file_path filePath", "file_path filePath", "edits", "multiedit"},
    {"Delete", TOOL_EDIT, RISK_MEDIUM, "file_path path", "file_path path", "", "delete_file"},
    {"NotebookEdit", TOOL_EDIT, RISK_MEDIUM, "notebook_path", "notebook_path",
     "new_source cell_id cell_type edit_mode cell_number", "Notebook notebook_edit"},
    {"ApplyPatch", TOOL_PATCH, RISK_MEDIUM, "input patch patchText command", "", "workdir", "apply_patch patch"},
    {"WebFetch", TOOL_FETCH, RISK_HIGH, "url prompt", "", "prompt format timeout max_length raw",
     "web_fetch webfetch fetch"},
    {"WebSearch", TOOL_QUERY, RISK_HIGH, "query", "",
     "allowed_domains blocked_domains numResults type livecrawl contextMaxCharacters",
     "web_search websearch google_web_search"},
    {"Agent", TOOL_AGENT, RISK_CRITICAL, "prompt", "",
     "description subagent_type model isolation run_in_background name team_name mode agent_name agent agent_type task "
     "message items fork_context objective",
     "Task task spawn_agent invoke_agent"},
    {"Skill", TOOL_OTHER, RISK_HIGH, "skill name command", "", "args", "skill activate_skill"},
    {"Config", TOOL_NOTE, RISK_LOW, "setting", "", "value", ""},
    {"TaskOutput", TOOL_NOTE, RISK_LOW, "task_id", "", "block timeout wait_up_to", "AgentOutput TaskOut"},
    {"AskUserQuestion", TOOL_QUESTION, RISK_LOW, "questions question", "", "answers metadata choices",
     "AskUser ask_user ask_question question"},
    {"EnterPlanMode", TOOL_PLAN_ENTER, RISK_LOW, "", "", "reason", "enter_plan_mode"},
    {"ExitPlanMode", TOOL_PLAN_EXIT, RISK_LOW, "plan", "", "planFilePath plan_path allowedPrompts pushToRemote",
     "exit_plan_mode"},
    {"TodoWrite", TOOL_NOTE, RISK_LOW, "todos", "", "", "todowrite todo_write write_todos update_plan update_todo"},
    {"TodoRead", TOOL_NOTE, RISK_LOW, "", "", "", "todoread"},
    {"TaskCreate", TOOL_NOTE, RISK_LOW, "subject", "", "description activeForm metadata", ""},
    {"TaskUpdate", TOOL_NOTE, RISK_LOW, "taskId", "",
     "status subject description activeForm owner addBlocks addBlockedBy metadata", ""},
    {"TaskGet", TOOL_NOTE, RISK_LOW, "taskId", "", "", ""},
    {"TaskList", TOOL_NOTE, RISK_LOW, "", "", "", ""},
    {"ToolSearch", TOOL_NOTE, RISK_LOW, "query", "", "max_results", ""},
    {"ReportIntent", TOOL_NOTE, RISK_LOW, "intent", "", "", "report_intent"},
    {"SaveMemory", TOOL_OTHER, RISK_MEDIUM, "fact", "", "scope", "save_memory"},
};

bool tool_next_word(struct str *list, struct str *word)
{
    while (list->len && list->s[0] == ' ')
        *list = str_from_byte(*list, 1);
    str_cut(*list, ' ', word, list);
    return word->len > 0;
}

static bool has_word(const char *list, struct str wanted)
{
    return str_has_word(str_from(list), wanted);
}

const struct tool *tool_find(struct str name)
{
    for (size_t i = 0; i < COUNT(tools); i++)
        if (str_is(name, tools[i].name))
            return &tools[i];
    for (size_t i = 0; i < COUNT(tools); i++)
        if (has_word(tools[i].aliases, name))
            return &tools[i];
    return NULL;
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
