/* tmux.c - the commands of tmux.
 *
 * A word that ends in ";" starts another command, even if it is a target or a format; and #( ) in a
 * format runs a shell. So no word is only data, and this reader takes them all. */
#include "programs/reading.h"

/* #S, #{name}, #{?a,b,c}: names and choices. Modifiers (#{E:...}) expand their result again. */
static bool format_is_plain(struct str s)
{
    size_t depth = 0;

    for (size_t i = 0; i < s.len; i++) {
        char c = s.s[i], next = i + 1 < s.len ? s.s[i + 1] : '\0';
        if (c == '#') {
            if (!next || strchr("#(,:", next))
                return false;
            depth += next == '{';
        } else if (depth && c == '}') {
            depth--;
        } else if (depth && strchr(":;|=<>!&*()", c)) {
            return false;
        }
    }
    return true;
}

static bool word_is_plain(const struct shell_word *w)
{
    return w->known && !str_ends(w->text, STR(";")) && format_is_plain(w->text);
}

void read_tmux(struct reading *r, struct piece p)
{
    struct str command = p.text;
    bool plain = true, prints = !str_has_word(STR("capture-pane capturep"), command);

    for (size_t i = p.word; i < r->count; i++) {
        bool dashed = str_starts(r->words[i].text, STR("-"));
        if (!word_is_plain(&r->words[i]) || (dashed && str_has(r->words[i].text, 'I')))
            plain = false; /* display-message -I: sends its input to a pane */
        prints |= dashed && str_has(r->words[i].text, 'p');
    }
    plain &= prints;
    if (plain &&
        str_has_word(STR("capture-pane capturep display display-message has has-session info "
                         "list-buffers list-clients "
                         "list-commands list-keys list-panes list-sessions list-windows ls lsb "
                         "lsc lscm lsk lsp lsw show "
                         "show-options show-window-options showw"),
                     command))
        return;
    if (plain && str_has_word(STR("show-buffer show-environment showb showenv"), command))
        r->out->effects |= EFFECT_SECRETS;
    else
        r->out->effects |= EFFECT_CODE | EFFECT_PROCESS;
    for (size_t i = p.word; !plain && i < r->count; i++) /* new-session "$command" */
        r->out->unseen |= str_eq(r->words[i].text, WORD_UNKNOWN_STR);
}
