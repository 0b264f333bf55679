/* command.h - what a command is. One file per command (or family of them), one row each in
 * commands.c. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/arena.h"
#include "cli/options.h"

struct command;

/* One run of the program. The arena dies with it. */
struct cli {
    struct arena *arena;
    const struct command *command;
    struct arguments args;
};

struct command {
    const char *name;     /* one word or two: "rules list" */
    const char *operands; /* as usage shows them; "" for none */
    const char *summary;
    name_list *operand_values; /* what the operand CLIENT may be; NULL: it has none */
    size_t operands_max;
    const struct option *tables[OPTION_TABLES_MAX]; /* the unused ones are NULL */
    int (*run)(struct cli *cli);                    /* returns the exit code */
    const char *exits; /* what 0, 1 and 2 mean here; NULL: 0 and nothing else */
    const char *more;  /* further lines of help, or NULL */
    bool blocks;       /* a hook: every failure, also to read the command line, is EXIT_BLOCKED */
    bool records;      /* what it decides is recorded, or denied */
};

/* The program itself, for `warder --help`: a row without a name. */
extern const struct command program_row;

/* Ends with a row that has no name. */
extern const struct command commands[];

/* The command that words[0..count) begin with; the longest name wins. *used: how many words that
 * is. */
const struct command *command_find(size_t count, const char *const *words, size_t *used);

/* Is `word` the first word of names that have two? */
bool command_is_family(const char *word);

/* "Usage: warder check [options] TOOL ..." on standard error; returns EX_USAGE. */
int usage_error(const struct command *command);

int check_run(struct cli *cli);
int check_lines(struct cli *cli, bool explained); /* a call a line, an answer a line */
int explain_run(struct cli *cli);
int run_run(struct cli *cli);
int parse_run(struct cli *cli);
int serve_run(struct cli *cli);
int hook_run(struct cli *cli);
int install_run(struct cli *cli);
int uninstall_run(struct cli *cli);
int doctor_run(struct cli *cli);
int import_run(struct cli *cli);
int mcp_run(struct cli *cli);
int mcp_proxy_run(struct cli *cli);
int acp_proxy_run(struct cli *cli);
int rules_list_run(struct cli *cli);
int rules_lint_run(struct cli *cli);
int rules_show_run(struct cli *cli);
int rules_add_run(struct cli *cli);
int rules_change_run(struct cli *cli);
int rules_remove_run(struct cli *cli);
int rules_audit_run(struct cli *cli);
int review_run(struct cli *cli);
int review_list_run(struct cli *cli);
int review_watch_run(struct cli *cli);
int review_show_run(struct cli *cli);
int review_answer_run(struct cli *cli); /* approve, deny, promote */
int policy_show_run(struct cli *cli);
int policy_check_run(struct cli *cli);
int profiles_run(struct cli *cli);
int approve_run(struct cli *cli);
int log_run(struct cli *cli);
int log_show_run(struct cli *cli);
int log_export_run(struct cli *cli);
int log_verify_run(struct cli *cli);
int log_head_run(struct cli *cli);
int log_rebuild_run(struct cli *cli);
int log_repair_run(struct cli *cli);
int token_create_run(struct cli *cli);
int token_list_run(struct cli *cli);
int token_revoke_run(struct cli *cli);
int trust_run(struct cli *cli);
int trust_status_run(struct cli *cli);
int untrust_run(struct cli *cli);
int help_run(struct cli *cli);

#endif
