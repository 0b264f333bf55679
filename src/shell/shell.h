#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H
#include "base/list.h"
#include "base/str.h"
struct shell_word {
    struct str text;
    bool known, may_glob, may_split, may_dash;
    size_t at, len;
};
struct shell_words LIST_OF(struct shell_word);
enum shell_action_kind { SHELL_COMMAND = 0, SHELL_REDIRECT, SHELL_ASSIGN };
enum shell_access { SHELL_READS = 1, SHELL_WRITES = 2 };
struct shell_action {
    enum shell_action_kind kind;
    struct shell_words words;
    struct str normal;
    struct strs allow_forms, deny_forms;
    unsigned access;
    struct str cwd;
    size_t at, len;
    int parent;
    bool in_background, in_pipe, in_substitution;
};
struct shell_actions LIST_OF(struct shell_action);
struct shell_finding {
    const char *name;
    struct str what;
    size_t at, len;
};
struct shell_findings LIST_OF(struct shell_finding);
struct shell_analysis {
    bool understood;
    struct str why;
    size_t why_at;
    struct shell_actions actions;
    struct shell_findings findings;
};
struct shell_context {
    struct str cwd, home;
};
void shell_analyse(struct arena *a, struct str text, const struct shell_context *c, struct shell_analysis *out);
#endif
