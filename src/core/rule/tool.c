#include "rule/tool.h"

#include "rule/subject.h"

enum { WRITES = ACCESS_WRITE | ACCESS_DELETE };

static const struct rule_tool tools[] = {
    {"Bash", CONTENT_COMMAND, 0, false},
    {"bash", CONTENT_COMMAND, 0, false},
    {"Shell", CONTENT_COMMAND, 0, false},
    {"shell", CONTENT_COMMAND, 0, false},
    {"PowerShell", CONTENT_COMMAND, 0, false},
    {"run_shell", CONTENT_COMMAND, 0, false},
    {"run_shell_command", CONTENT_COMMAND, 0, false},
    {"run_terminal_cmd", CONTENT_COMMAND, 0, false},
    {"exec_command", CONTENT_COMMAND, 0, false},
    {"execute_bash", CONTENT_COMMAND, 0, false},
    {"local_shell", CONTENT_COMMAND, 0, false},

    {"Read", CONTENT_PATH, ACCESS_READ, true},
    {"read", CONTENT_PATH, ACCESS_READ, true},
    {"read_file", CONTENT_PATH, ACCESS_READ, true},
    {"ReadFile", CONTENT_PATH, ACCESS_READ, true},
    {"read_many_files", CONTENT_PATH, ACCESS_READ, true},
    {"view", CONTENT_PATH, ACCESS_READ, true},
    {"NotebookRead", CONTENT_PATH, ACCESS_READ, false},
    {"Glob", CONTENT_PATH, ACCESS_READ, false},
    {"glob", CONTENT_PATH, ACCESS_READ, false},
    {"Grep", CONTENT_PATH, ACCESS_READ, false},
    {"grep", CONTENT_PATH, ACCESS_READ, false},
    {"grep_search", CONTENT_PATH, ACCESS_READ, false},
    {"search_file_content", CONTENT_PATH, ACCESS_READ, false},
    {"LS", CONTENT_PATH, ACCESS_READ, false},
    {"ls", CONTENT_PATH, ACCESS_READ, false},
    {"list_files", CONTENT_PATH, ACCESS_READ, false},
    {"list_directory", CONTENT_PATH, ACCESS_READ, false},
    {"list_dir", CONTENT_PATH, ACCESS_READ, false},

    {"Edit", CONTENT_PATH, WRITES, true},
    {"edit", CONTENT_PATH, WRITES, true},
    {"edit_file", CONTENT_PATH, WRITES, true},
    {"replace", CONTENT_PATH, WRITES, true},
    {"str_replace", CONTENT_PATH, WRITES, true},
    {"MultiEdit", CONTENT_PATH, WRITES, true},
    {"Write", CONTENT_PATH, WRITES, true},
    {"write", CONTENT_PATH, WRITES, true},
    {"write_file", CONTENT_PATH, WRITES, true},
    {"WriteFile", CONTENT_PATH, WRITES, true},
    {"create_file", CONTENT_PATH, WRITES, true},
    {"NotebookEdit", CONTENT_PATH, WRITES, false},
    {"Delete", CONTENT_PATH, WRITES, false},
    {"delete_file", CONTENT_PATH, WRITES, false},

    {"WebFetch", CONTENT_URL, 0, false},
    {"web_fetch", CONTENT_URL, 0, false},
    {"webfetch", CONTENT_URL, 0, false},
    {"fetch", CONTENT_URL, 0, false},

    /* Only the names, for "did you mean". */
    {"Agent", CONTENT_TEXT, 0, false},
    {"AskUserQuestion", CONTENT_TEXT, 0, false},
    {"BashOutput", CONTENT_TEXT, 0, false},
    {"EnterPlanMode", CONTENT_TEXT, 0, false},
    {"ExitPlanMode", CONTENT_TEXT, 0, false},
    {"KillShell", CONTENT_TEXT, 0, false},
    {"Skill", CONTENT_TEXT, 0, false},
    {"SlashCommand", CONTENT_TEXT, 0, false},
    {"Task", CONTENT_TEXT, 0, false},
    {"TodoRead", CONTENT_TEXT, 0, false},
    {"TodoWrite", CONTENT_TEXT, 0, false},
    {"ToolSearch", CONTENT_TEXT, 0, false},
    {"WebSearch", CONTENT_TEXT, 0, false},
};

static const char *const command_fields[] = {"command", "cmd"};
static const char *const path_fields[] = {"file_path",     "path",          "filePath",
                                          "absolute_path", "notebook_path", "paths",
                                          "dir_path",      "file",          "target_file"};

const struct rule_tool *rule_tool_find(struct str name)
{
    for (size_t i = 0; i < COUNT(tools); i++)
        if (str_is(name, tools[i].name))
            return &tools[i];
    return NULL;
}

const struct rule_tool *rule_tool_rows(size_t *count)
{
    *count = COUNT(tools);
    return tools;
}

bool rule_field_is_command(struct str field)
{
    return STR_IN(field, command_fields);
}

bool rule_field_is_path(struct str field)
{
    return STR_IN(field, path_fields);
}
