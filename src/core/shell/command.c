/* command.c - simple commands and redirections: where actions are made. */
#include "shell/walk.h"

#include "base/ascii.h"

static bool is_one_of(const struct shell_word *word, const char *list)
{
    return word->known && str_has_word(str_from(list), word->text);
}

/* The text that it is if all that is not known in it is empty. */
static struct str emptied(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < text.len; i++)
        if (text.s[i] != WORD_UNKNOWN)
            buf_byte(&b, text.s[i]);
    return buf_str(&b);
}

bool test_is_for_emptiness(struct arena *a, const struct shell_word *left,
                           const struct shell_word *right)
{
    const struct shell_word *unknown = left->known ? right : left;
    const struct shell_word *wanted = left->known ? left : right;

    return wanted->known && !wanted->may_glob && !unknown->known &&
           str_eq(emptied(a, unknown->text), wanted->text);
}

/* Does the test only say whether there is one: [ -n "$TOKEN" ], [ "$TOKEN" = "" ]? Whoever may ask
 * what it is equal to may ask until it is known. -eq and others print what is no number, and so do
 * words that are no expression: what may become several words is an error that shows one of them.
 */
static bool is_quiet_test(struct arena *arena, const struct shell_action *a)
{
    const struct shell_words *words = &a->words;
    size_t count = words->count;

    if (a->kind != SHELL_COMMAND || count < 2)
        return false;
    if (str_is(words->items[0].text, "["))
        count--; /* the last bracket */
    else if (!str_is(words->items[0].text, "test"))
        return false;
    for (size_t i = 1; i < count; i++)
        if (words->items[i].may_split && !words->items[i].may_vanish)
            return false;
    const struct shell_word *word = words->items;
    return count == 2 || (count == 3 && is_one_of(&word[1], "! -n -z")) ||
           (count == 4 && is_one_of(&word[1], "!") && is_one_of(&word[2], "-n -z")) ||
           (count == 4 && is_one_of(&word[2], "= == !=") &&
            test_is_for_emptiness(arena, &word[1], &word[3]));
}

struct shell_action *shell_action_begin(struct walk *w, enum shell_action_kind kind, size_t at,
                                        size_t len)
{
    struct shell_actions *all = &w->out->actions;

    all->items = list_room(w->arena, all->items, all->count, &all->room, sizeof(*all->items));
    struct shell_action *a = &all->items[all->count++];
    *a = (struct shell_action){.kind = kind,
                               .directory = directory_of_command(&w->env.directory),
                               .at = span_at(w, at),
                               .len = span_len(w, len),
                               .parent = w->frame.parent,
                               .after = w->env.after,
                               .loop = w->frame.loop,
                               .in_background = w->frame.background,
                               .in_pipe = w->frame.pipe,
                               .in_substitution = w->frame.substitution,
                               .elsewhere = w->frame.elsewhere};
    return a;
}

/* Only commands of zsh, jq and git can be worth a finding. */
static bool may_be_found(struct walk *w, const struct shell_action *a)
{
    if (a->kind != SHELL_COMMAND)
        return true;
    struct str name = command_name(w, a->words.items[0].text);
    const struct named *named = names_of(w, name);
    return named->rows[NAMED_ZSH] || str_is(name, "git") || str_is(name, "jq");
}

static void complete(struct walk *w, struct shell_action *a)
{
    a->secret = w->secret && (w->traces || w->cut || !is_quiet_test(w->arena, a));
    w->tested |= w->secret && !a->secret;
    w->secret = w->cut = false;
    bool slashed = forms_fill(w, a);
    walk_spend(w, SHELL_STEPS_ACTION + a->normal.len / SHELL_STEP_BYTES, a->at);
    if (slashed || may_be_found(w, a))
        findings_in_action(w, a, slashed);
}

static bool begins_at_home(const struct shell_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        if (words->items[i].home)
            return true;
    return false;
}

/* The same words, with the home directory from outside in place of one that is not known. */
RARE static struct shell_words at_home(struct walk *w, const struct shell_words *words)
{
    struct shell_words out = {0};

    for (size_t i = 0; i < words->count; i++) {
        struct shell_word word = words->items[i];
        if (word.home) {
            struct str rest = str_from_byte(word.text, 1);
            word = (struct shell_word){.text = str_join(w->arena, w->context->home, rest),
                                       .known = !word.may_glob && !str_has(rest, WORD_UNKNOWN),
                                       .at = word.at,
                                       .len = word.len};
        }
        LIST_PUSH(w->arena, &out, word);
    }
    return out;
}

int shell_action_end(struct walk *w)
{
    int index = (int)w->out->actions.count - 1;
    struct shell_action *a = &w->out->actions.items[index];

    complete(w, a);
    if (w->seen.homes && begins_at_home(&a->words)) {
        struct shell_action again = *a;
        again.allow_forms = again.deny_forms = (struct strs){0};
        again.words = at_home(w, &a->words);
        again.parent = index;
        LIST_PUSH(w->arena, &w->out->actions, again);
        complete(w, &w->out->actions.items[index + 1]);
    }
    return index;
}

/* What was found in the words of an action belongs to it: the actions from `first` on that have no
 * parent of their own yet. They are listed before it, since the shell runs them first. */
static void adopt(struct walk *w, size_t first, int index)
{
    for (size_t i = first; i < (size_t)index; i++)
        if (w->out->actions.items[i].parent == w->frame.parent)
            w->out->actions.items[i].parent = index;
}

void shell_add_assign(struct walk *w, struct str name, struct shell_word value, bool whole,
                      size_t at, size_t len)
{
    struct shell_action *a = shell_action_begin(w, SHELL_ASSIGN, at, len);

    a->whole_environment = whole;
    a->uses = variable_uses(name);
    LIST_PUSH(w->arena, &a->words,
              (struct shell_word){.text = name, .known = true, .at = span_at(w, at)});
    LIST_PUSH(w->arena, &a->words, value);
    shell_action_end(w);
}

void shell_add_set(struct walk *w, struct str name, size_t at, size_t len)
{
    size_t index = w->out->actions.count;

    if (variable_is_of_text(name) || !name_is_identifier(name))
        return;
    shell_add_assign(w, name, (struct shell_word){.text = WORD_UNKNOWN_STR}, true, at, len);
    if (w->out->actions.count > index)
        w->out->actions.items[index].set = true;
}

bool shell_may_open(struct str text)
{
    return str_has(text, '<') || str_contains(text, STR("$'")) ||
           str_contains(text, STR("$\\\n")); /* the line goes on, perhaps with a quote */
}

/* Rarely asked, but then perhaps for each redirection. */
static bool may_open(struct walk *w)
{
    if (!w->cache.open_asked)
        w->cache.may_open = shell_may_open(w->text);
    w->cache.open_asked = true;
    return w->cache.may_open;
}

/* A target that keeps nothing, or a source that has nothing to read. Opening the name of a stream
 * opens its file again: `echo x <file >/dev/stdin` writes the file that was opened for reading, and
 * so does /dev/stdout after `1<file`. */
static bool is_nowhere(struct walk *w, struct str path, unsigned access)
{
    static const char *const inputs[] = {"/dev/stdin", "/dev/fd/0"};
    static const char *const outputs[] = {"/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"};
    bool writes = access & SHELL_WRITES;

    if (str_is(path, "/dev/null"))
        return true;
    for (size_t i = 0; !writes && i < COUNT(inputs); i++)
        if (str_is(path, inputs[i]))
            return true;
    for (size_t i = 0; i < COUNT(outputs); i++)
        if (str_is(path, outputs[i]))
            return !(writes && may_open(w));
    return false;
}

static unsigned access_of(enum redirect_op op)
{
    switch (op) {
    case REDIRECT_IN:
        return SHELL_READS;
    case REDIRECT_BOTH:
        return SHELL_READS | SHELL_WRITES;
    case REDIRECT_OUT:
    case REDIRECT_APPEND:
    case REDIRECT_CLOBBER:
    case REDIRECT_OUT_DUP:
    case REDIRECT_ALL:
    case REDIRECT_ALL_APP:
        return SHELL_WRITES;
    case REDIRECT_IN_DUP:
    case REDIRECT_HERE_DOC:
    case REDIRECT_HERE_STR:
        return 0;
    }
    return SHELL_WRITES;
}

static bool is_descriptor(const struct shell_word *word)
{
    struct str s = word->text;

    if (!word->known)
        return false;
    if (s.len && s.s[s.len - 1] == '-')
        s.len--;
    return !s.len || (text_is_number(s) && s.s[0] != '-');
}

static void set_input(struct walk *w, enum shell_input kind, struct str text)
{
    w->env.input = (struct input){.kind = kind, .text = text};
}

/* A command in the target of a redirection reads the same input: cat <<E 3< <(head -c 5) */
RARE static void lose_input(struct walk *w, size_t first)
{
    if (w->out->actions.count > first && w->env.input.kind == SHELL_INPUT_TEXT)
        set_input(w, SHELL_INPUT_UNKNOWN, (struct str){0});
}

static void read_text(struct walk *w, const struct redirect *r)
{
    size_t first = w->out->actions.count;
    struct shell_word now = eval_value(w, &r->target, 0);

    lose_input(w, first);
    if (r->fd.len && !str_is(r->fd, "0"))
        return;
    set_input(w, now.known ? SHELL_INPUT_TEXT : SHELL_INPUT_UNKNOWN, now.text);
}

/* bash expands the word after >& a second time when it is not a descriptor: >&'$(cmd)' runs cmd. */
RARE static void check_twice(struct walk *w, const struct redirect *r,
                             const struct shell_word *target)
{
    bool plain = target->known && !target->may_split;

    for (size_t i = 0; i < target->text.len; i++)
        plain &= !strchr("$`\\'\"*?[~{<>()", target->text.s[i]);
    if (!plain)
        walk_fail(w, r->at, "the target of >& is expanded twice");
}

static void walk_redirect(struct walk *w, const struct redirect *r)
{
    struct shell_words target = {0};
    unsigned access = access_of(r->op);

    if (r->op == REDIRECT_HERE_DOC || r->op == REDIRECT_HERE_STR) {
        read_text(w, r);
        return;
    }
    size_t first = w->out->actions.count;
    if (redirect_variable(r).len)
        shell_add_set(w, redirect_variable(r), r->at, r->len);
    eval_fields(w, &r->target, &target);
    if (redirect_variable(r).len)
        env_forget(w, redirect_variable(r));
    lose_input(w, first);
    if ((access & SHELL_READS || r->op == REDIRECT_IN_DUP) && (!r->fd.len || str_is(r->fd, "0")))
        set_input(w, SHELL_INPUT_UNKNOWN, (struct str){0});
    if (!target.count)
        LIST_PUSH(w->arena, &target,
                  (struct shell_word){.text = WORD_UNKNOWN_STR, .may_split = true});
    for (size_t i = 0; i < target.count; i++) {
        bool dup = r->op == REDIRECT_OUT_DUP || r->op == REDIRECT_IN_DUP;
        if (dup && !is_descriptor(&target.items[i]))
            check_twice(w, r, &target.items[i]);
        dup &= is_descriptor(&target.items[i]);
        if (dup || r->op == REDIRECT_IN_DUP ||
            (target.items[i].known && is_nowhere(w, target.items[i].text, access)))
            continue;
        struct shell_action *a = shell_action_begin(w, SHELL_REDIRECT, r->at, r->len);
        a->access = access;
        a->appends = r->op == REDIRECT_APPEND || r->op == REDIRECT_ALL_APP;
        LIST_PUSH(w->arena, &a->words, target.items[i]);
        adopt(w, first, shell_action_end(w));
        first = w->out->actions.count;
        if (access & SHELL_WRITES)
            written_note(w, &target.items[i],
                         &(struct output){0}); /* fill_target() adds what its command prints */
    }
}

/* Can one of the redirections fail? Then the command does not run. */
bool redirects_may_fail(const struct walk *w, const struct node *n)
{
    struct str target;

    for (size_t i = 0; i < n->redirects.count; i++) {
        const struct redirect *r = n->redirects.items[i];
        bool text = r->op == REDIRECT_HERE_DOC || r->op == REDIRECT_HERE_STR;
        bool dup = r->op == REDIRECT_IN_DUP || r->op == REDIRECT_OUT_DUP;
        if (!text && !(word_static(w->arena, &r->target, &target) &&
                       (str_is(target, "/dev/null") ||
                        (dup && target.len == 1 && target.s[0] >= '0' && target.s[0] <= '2'))))
            return true;
    }
    return false;
}

/* The redirections of a program are expanded in its own process. */
void walk_redirects(struct walk *w, const struct node *n)
{
    const struct variables before = env_variables(w);

    for (size_t i = 0; i < n->redirects.count; i++)
        walk_redirect(w, n->redirects.items[i]);
    env_may_be_unread(w, &before);
}

static struct shell_word value_word(struct walk *w, const struct word *word, struct shell_value v)
{
    struct shell_word out = {.text = v.text,
                             .known = v.known,
                             .at = span_at(w, word->at),
                             .len = span_len(w, word->len)};

    if (v.array)
        out.text = words_join(w->arena, v.elements.items, v.elements.count);
    if (v.number && !v.known)
        out.shape = SHAPE_DIGITS;
    return out;
}

/* declare -a x='($(cmd))': a value in parentheses is read once more, as the elements of an array.
 */
void shell_check_compound(struct walk *w, bool array, struct str name, struct shell_word value,
                          size_t at)
{
    bool open =
        value.text.len ? strchr("(" WORD_UNKNOWN_TEXT, value.text.s[0]) != NULL : !value.known;

    if (open && (array || walk_is_array(w, name)))
        walk_fail(w, at, "the value of an array is read as shell text");
}

/* export "x=a" x+=b adds to what is not set yet. From the end: one that adds is an assignment for
 * the next. */
static bool assigns_before(const struct shell_words *argv)
{
    size_t i = argv->count;

    while (i > 0 && !str_has(argv->items[i - 1].text, '='))
        i--;
    return i > 0;
}

/* x=value, x+=value or x[...]=value, as the command gets it. */
static struct shell_word declared_as_written(struct walk *w, const struct word *word,
                                             struct shell_word value)
{
    struct str text = value.known ? value.text : WORD_UNKNOWN_STR;

    if (word->append || word->subscript)
        text = WORD_UNKNOWN_STR;
    else if (!value.known && value.text.len)
        text = value.text;
    value.known &= !word->append && !word->subscript;
    value.text = str_format(w->arena, "%.*s%s%s=%.*s", STR_ARG(word->name),
                            word->subscript ? WORD_UNKNOWN_TEXT : "", word->append ? "+" : "",
                            STR_ARG(text));
    return value;
}

/* x+=y and x[1]=y leave what was there, and a redirection that fails leaves everything. */
static bool surely_sets(const struct walk *w, const struct node *n, const struct word *word)
{
    return !n->redirects.count &&
           ((!word->append && !word->subscript) || env_owns(&w->env, word->name));
}

/* export x=$y: the value is not split, and the variable is set. */
RARE static void declare_word(struct walk *w, const struct node *n, const struct word *word,
                              bool array, struct declarations *declared, struct shell_words *argv)
{
    struct shell_value v = eval_assignment(w, word);
    if (word->append && (assigns_before(argv) || w->frame.calls))
        v = (struct shell_value){0}; /* a new local variable is appended to, not the one outside */
    struct shell_word value = value_word(w, word, v), out = declared_as_written(w, word, value);

    if (!word->array && !word->subscript)
        shell_check_compound(w, array, word->name, value, word->at);
    env_check_integer(w, word->name, v, word->at);
    v.own = surely_sets(w, n, word);
    LIST_PUSH(w->arena, declared, (struct declared){argv->count, word->name, v});
    LIST_PUSH(w->arena, argv, out);
    shell_add_assign(w, word->name, value, true, word->at, word->len);
}

/* export x={a,$y} is export x=a x=$y, and what braces have made is split like other words. */
static bool has_braces(struct walk *w, const struct word *word)
{
    return brace_expand(w, word, &(struct words){0});
}

/* The leading words that were read in one step. Most commands have no other words. */
static void eval_literals(struct walk *w, const struct words *words, struct shell_words *argv)
{
    size_t i = 0;

    while (i < words->count && i < w->left.steps && word_is_literal(&words->items[i])) {
        const struct word *word = &words->items[i];
        argv->items[i++] = word_literal(w, word);
    }
    w->left.steps -= i;
    argv->count = i;
}

static void eval_words(struct walk *w, const struct node *n, struct shell_words *argv,
                       struct declarations *declared)
{
    struct str first = {0};
    /* \export and "declare" are no declarations for bash: their words are split like others */
    bool declaring =
        n->words.count && word_plain(w->arena, &n->words.items[0], &first) && name_declares(first);
    bool array = false; /* an option before this word says that an array follows */

    argv->items = arena_room(w->arena, n->words.count, sizeof(*argv->items));
    argv->room = n->words.count;
    if (!declaring)
        eval_literals(w, &n->words, argv);
    for (size_t i = argv->count; i < n->words.count; i++) {
        const struct word *word = &n->words.items[i];
        size_t from = argv->count;
        if (word_is_literal(word)) {
            walk_spend(w, 1, word->at);
            LIST_PUSH(w->arena, argv, word_literal(w, word));
        } else if (declaring && word->name.len && word->value_from && !has_braces(w, word)) {
            declare_word(w, n, word, array, declared, argv);
        } else {
            eval_fields(w, word, argv);
        }
        while (declaring && from < argv->count)
            array |= option_names_array(argv->items[from++].text);
    }
}

/* IFS=: read -r a b: only read sees it. */
static bool is_for_read(const struct walk *w, const struct word *word,
                        const struct shell_words *argv)
{
    return argv->count && str_is(word->name, "IFS") && str_is(argv->items[0].text, "read") &&
           !env_function(&w->env, argv->items[0].text) && !word->append && !word->array &&
           !word->subscript;
}

/* X=$(go env X): the variable keeps its value. */
static bool is_what_it_was(const struct walk *w, const struct word *word)
{
    const struct part *only =
        word->parts.count == word->value_from + 1 ? &word->parts.items[word->value_from] : NULL;

    struct str variable = known_lines(w->output.lines)->variable;

    return only && only->kind == PART_COMMAND && !word->append && variable.len &&
           str_eq(variable, word->name);
}

RARE static void walk_assigns(struct walk *w, const struct node *n, const struct shell_words *argv)
{
    bool whole = !argv->count;

    for (size_t i = 0; i < n->assigns.count; i++) {
        const struct word *word = &n->assigns.items[i];
        size_t first = w->out->actions.count;
        struct shell_value v = eval_assignment(w, word);
        bool same = is_what_it_was(w, word);
        env_check_integer(w, word->name, v, word->at);
        int index = (int)w->out->actions.count;
        shell_add_assign(w, word->name, value_word(w, word, v), whole, word->at, word->len);
        if (w->out->actions.count > (size_t)index)
            w->out->actions.items[index].idle = is_for_read(w, word, argv) || same;
        adopt(w, first, index);
        v.own = surely_sets(w, n, word);
        if (whole)
            env_bind(w, word->name, v);
    }
}

/* x=y export x: the assignment outlives the command. */
static bool keeps_prefix(const struct shell_words *argv)
{
    size_t i = 0;

    while (i < argv->count && (name_precedes_command(argv->items[i].text) ||
                               str_starts(argv->items[i].text, STR("-"))))
        i++;
    return i < argv->count && name_declares(argv->items[i].text);
}

/* After the command, variables that were assigned for it alone are what they were, unless it has
 * set others. */
RARE static void drop_prefix(struct walk *w, const struct node *n, const struct shell_words *argv,
                             const struct variables *before)
{
    const struct binding *b = w->env.vars;

    for (size_t i = 0; i < n->assigns.count && b; i++)
        b = b->before;
    if (b == before->vars)
        w->env.vars = b;
    /* in a plain sh the assignment of `x=y :` outlives the command; and what a function or eval
     * sets in such a variable is lost after it */
    bool kept = b != before->vars || w->frame.plain_sh || keeps_prefix(argv) ||
                env_function(&w->env, argv->items[0].text);
    for (size_t i = 0; kept && i < n->assigns.count; i++)
        env_forget(w, n->assigns.items[i].name);
    w->env.ifs = before->ifs;
}

/* A variable that is assigned for one command. Only functions and eval could use the value, so it
 * is treated as not known, which is never wrong. */
RARE static void hide_prefix(struct walk *w, const struct word *word,
                             const struct shell_words *argv)
{
    if (str_is(word->name, "IFS") && word->parts.count == word->value_from &&
        str_is(argv->items[0].text, "read"))
        env_bind(w, word->name, (struct shell_value){.known = true}); /* IFS= read -r line */
    else
        env_forget(w, word->name);
}

/* `exec < file`, also after `command` and `builtin`: it feeds the rest of the shell. */
static bool feeds_shell(const struct walk *w, const struct node *n, const struct shell_words *argv)
{
    for (size_t i = 0;
         n->redirects.count && w->env.input.kind != SHELL_INPUT_INHERITED && i < argv->count; i++)
        if (!argv->items[i].known || str_is(argv->items[i].text, "exec"))
            return true;
    return false;
}

/* echo ls > x: what a command prints, when that is known, is what the file holds. */
static void fill_target(struct walk *w, const struct node *n, const struct written *before,
                        const struct written *target)
{
    const struct redirect *to = NULL;
    size_t count = 0;

    for (size_t i = 0; i < n->redirects.count; i++)
        if (access_of(n->redirects.items[i]->op) & SHELL_WRITES) {
            to = n->redirects.items[i];
            count++;
        }
    if (count != 1 || target == before || !w->output.known || (to->fd.len && !str_is(to->fd, "1")))
        return;
    if (to->op == REDIRECT_OUT || to->op == REDIRECT_CLOBBER)
        written_note_contents(w, target, &w->output);
    else if (to->op == REDIRECT_APPEND)
        written_note_more(w, target, &w->output, before);
}

/* > file, 1>&2, &> file: it prints elsewhere. */
static bool moves_output(const struct node *n)
{
    for (size_t i = 0; i < n->redirects.count; i++) {
        const struct redirect *r = n->redirects.items[i];
        bool in = r->op == REDIRECT_IN || r->op == REDIRECT_BOTH || r->op == REDIRECT_IN_DUP ||
                  r->op == REDIRECT_HERE_DOC || r->op == REDIRECT_HERE_STR;
        if (r->fd.len ? str_is(r->fd, "1") : !in)
            return true;
    }
    return false;
}

/* What is known of the output after redirections: nothing if it goes elsewhere, and no text if the
 * command may not run. */
static void redirect_output(struct walk *w, const struct node *n)
{
    if (moves_output(n))
        w->output = (struct output){0};
    if (redirects_may_fail(w, n))
        w->output.known = false;
}

/* Redirections and assignments, before the command runs. Returns whether they start a process that
 * prints to the same place as the command: cmd 2>&1 3< <(echo x >&2) */
static bool walk_around(struct walk *w, const struct node *n, const struct shell_words *argv,
                        const struct written **target, struct variables *before)
{
    unsigned started = w->seen.started;

    walk_redirects(w, n);
    bool mixed = w->seen.started != started;
    *target = w->written;
    if (n->assigns.count) {
        walk_assigns(w, n, argv);
        if (!argv->count)
            walk_redirects(w, n); /* without a command bash assigns first, others do not */
    }
    w->output = (struct output){0};
    if (!argv->count)
        return mixed;
    w->seen.fed |= feeds_shell(w, n, argv);
    *before = env_variables(w);
    for (size_t i = 0; i < n->assigns.count; i++)
        hide_prefix(w, &n->assigns.items[i], argv);
    return mixed;
}

/* time -v rm x: bash looks for a command -v; where time is no keyword (dash), the program runs rm.
 */
RARE static void put_time_in_front(struct walk *w, const struct node *n, struct shell_words *argv)
{
    struct shell_words words = {0};

    walk_fail(w, n->at, "time with an option that only the program has");
    LIST_PUSH(w->arena, &words,
              (struct shell_word){.text = STR("time"), .known = true, .at = span_at(w, n->at)});
    for (size_t i = 0; i < argv->count; i++)
        LIST_PUSH(w->arena, &words, argv->items[i]);
    *argv = words;
}

/* In the order of bash: words are expanded first, then redirections are made and assignments
 * evaluated, then the command runs. The action of the command is listed after those that its words,
 * redirections and assignments start, and adopts them. The output is known only if nothing else
 * prints to the same place: no process in a redirection or >(...), no trap.
 * False: there is no command, only assignments and redirections. */
static bool run_simple(struct walk *w, const struct node *n)
{
    struct shell_words argv = {0};
    struct declarations declared = {0};
    unsigned beside = w->seen.beside;
    size_t first = w->out->actions.count;
    unsigned errors = w->seen.errors;
    bool timed = w->frame.timed;

    w->frame.timed = false;
    eval_words(w, n, &argv, &declared);
    if (timed && argv.count && str_starts(argv.items[0].text, STR("-")))
        put_time_in_front(w, n, &argv);
    w->output = (struct output){0};
    const struct written *written = w->written, *target = written;
    struct variables before = {0};
    bool mixed = false;
    if (n->redirects.count || n->assigns.count)
        mixed = walk_around(w, n, &argv, &target, &before);
    mixed |= w->seen.beside != beside;
    if (!argv.count)
        return false;
    int index = (int)w->out->actions.count;
    bool function = w->env.functions && env_function(&w->env, argv.items[0].text);
    const struct lines *in = w->env.input.lines;
    w->declared = declared;
    w->declared_for = argv.items;
    shell_run_command(w, argv, n->at, n->len, w->frame.parent);
    if (w->seen.errors != errors)
        w->output.known = false; /* it may print nothing: the command may not run */
    if (n->redirects.count)
        fill_target(w, n, written, target);
    w->env.input.lines = in;
    /* only a pipe or a substitution reads what is printed */
    w->output.lines = w->frame.piped || w->frame.substitution ? lines_printed(w, n, &argv) : NULL;
    if (n->redirects.count)
        redirect_output(w, n);
    if (w->seen.interrupted || mixed)
        w->output = (struct output){0};
    w->simple = function ? -1 : index;
    adopt(w, first, index);
    if (n->assigns.count)
        drop_prefix(w, n, &argv, &before);
    return true;
}

void walk_simple(struct walk *w, const struct node *n)
{
    if (!w->left.commands) {
        walk_fail(w, n->at, "too many commands");
        return;
    }
    w->left.commands--;
    if (!n->redirects.count) {
        run_simple(w, n);
        return;
    }
    struct env start = w->env;
    bool command = run_simple(w, n);
    if (!redirects_may_fail(w, n))
        return;
    if (command || (w->frame.plain_sh && !n->assigns.count))
        env_doubt(w, &start);
    else if (w->frame.plain_sh) /* its value stays, so that deny rules see what runs in bash */
        walk_fail(w, n->at, "bash assigns this before it redirects, another sh may not");
}

static struct calls *find_call(const struct walk *w, struct str name)
{
    struct calls *c = w->frame.calls;

    while (c && !str_eq(c->name, name))
        c = c->outer;
    return c;
}

/* :(){ :|:& };: and similar functions, which start themselves twice at the same time, with no
 * arguments that could end it. */
static bool is_fork_bomb(const struct walk *w, struct calls *c, const struct shell_words *argv)
{
    if (argv->count > 1)
        return false;
    bool beside = w->frame.pipeline && w->frame.pipeline == c->pipeline;
    c->pipeline = w->frame.pipeline;
    c->in_background |= w->frame.background;
    return ++c->again > 1 && (beside || c->in_background);
}

/* A trap may end the function at any point: what the body sets may be as before, or as in the
 * middle of the body. */
static void doubt_body(struct walk *w, const struct env *before, const struct node *body)
{
    env_forget_assigned(w, body);
    env_doubt(w, before);
    w->env.errexit &= before->errexit;
}

/* Walks the body of a function with the arguments of one call. The body runs in the shell of the
 * caller: what it sets stays set, but for arguments and local variables. Loops of the caller are
 * hidden from it, since `break` in a function does not end them. `return` in its middle leaves a
 * state in call.left, which is merged with the state at the end. Recursion is not followed: a
 * function that calls itself is not understood. */
static void call_function(struct walk *w, const struct function *f, const struct shell_words *argv,
                          size_t at, int index)
{
    struct calls call = {.outer = w->frame.calls, .name = f->name, .forks = w->env.forks};
    const struct env start = w->env;

    struct calls *before = find_call(w, f->name);
    if (before && is_fork_bomb(w, before, argv))
        finding_add(w, "fork-bomb", f->name, at, f->name.len);
    if (before || !w->left.calls) {
        finding_add(w, "recursive-function", f->name, at, f->name.len);
        walk_fail(w, at, "a function that calls itself");
        return;
    }
    w->env.args = arguments_from(argv, 1);
    w->env.input.lines =
        NULL; /* whether other commands in the body read some of the input is not checked */
    w->env.locals = NULL;
    struct walk_frame outer = walk_enter(w);
    w->frame.calls = &call;
    w->frame.loops = NULL;
    w->frame.parent = index;
    w->left.calls--;
    walk_node(w, f->body);
    w->left.calls++;
    walk_leave(w, &outer);
    w->output = (struct output){0}; /* more than its last command may print */
    if (call.left)
        env_merge(w, call.left);
    env_end_locals(w, &call);
    env_leave_given_up(w, &call);
    w->env.locals = start.locals;
    if (w->seen.interrupted)
        doubt_body(w, &start, f->body);
    w->env.args = start.args;
}

static void run_program(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                        int index)
{
    struct str path = argv->items[0].text, name = command_name(w, path);
    const struct named *named = names_of(w, name);

    if (name.len != path.len)
        nested_run_script(w, argv, 0, at, len, index);
    if (named->rows[NAMED_WRITER] || w->written)
        written_note_changes(w, argv);
    if (named->rows[NAMED_BUILTIN] && builtin_run(w, argv, at, len, index))
        return;
    if (!w->left.wrappers) {
        walk_fail(w, at, "too many nested wrappers");
        return;
    }
    if (!named->rows[NAMED_WRAPPER] && !named->rows[NAMED_RUNNER] && !walk_has_added(w))
        return;
    w->left.wrappers--;
    wrapper_run(w, argv, at, len, index);
    w->left.wrappers++;
}

/* In a plain sh some builtins come before functions, and a name with a slash is a file. */
static bool is_function_name(struct walk *w, struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!ascii_is_alnum(name.s[i]) && name.s[i] != '_' && name.s[i] != '-')
            return false;
    return !names_find(w, &builtin_names, name);
}

/* Runs each of the functions that the name may mean. False: it may also mean none of them. */
RARE static bool run_functions(struct walk *w, const struct shell_words *argv, size_t at, int index,
                               const struct env **done)
{
    const struct env start = w->env;

    for (const struct function *f = env_function(&start, argv->items[0].text); f;
         f = env_function_before(f)) {
        w->env = start;
        call_function(w, f, argv, at, index);
        env_leave(w, done);
        if (f->sure && !w->seen.unsure_functions) {
            w->env = **done;
            w->out->actions.items[index].function =
                !w->frame.late && is_function_name(w, argv->items[0].text);
            return true;
        }
        w->env = start;
    }
    return false;
}

void shell_run_command(struct walk *w, struct shell_words argv, size_t at, size_t len, int parent)
{
    struct shell_action *a = shell_action_begin(w, SHELL_COMMAND, at, len);

    a->parent = parent;
    a->words = argv;
    a->input = w->env.input.kind == SHELL_INPUT_INHERITED && w->seen.fed ? SHELL_INPUT_UNKNOWN
                                                                         : w->env.input.kind;
    a->input_text = w->env.input.kind == SHELL_INPUT_TEXT ? w->env.input.text : (struct str){0};
    int index = shell_action_end(w);
    if (!argv.items[0].known) {
        walk_fail(w, argv.items[0].at, "the name of the program is not known before run time");
        return;
    }
    const struct env *done = NULL; /* the state after those functions */
    if (w->env.functions && run_functions(w, &argv, at, index, &done))
        return;
    run_program(w, &argv, at, len, index);
    if (done)
        env_merge(w, done);
}
