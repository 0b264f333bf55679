/* peer_tree_sitter.c - wraps tree-sitter-bash in one function for bench_shell. Built by
 * tools/bench-peers, never shipped. */
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_bash(void);
int peer_parse(const char *text, unsigned len);

int peer_parse(const char *text, unsigned len)
{
    static TSParser *parser;

    if (!parser) {
        parser = ts_parser_new();
        if (!ts_parser_set_language(parser, tree_sitter_bash()))
            return 1;
    }
    TSTree *tree = ts_parser_parse_string(parser, 0, text, len);
    ts_tree_delete(tree);
    return tree == 0;
}
