/* readers.c - the table of readers: small languages inside arguments. */
#include "base/ascii.h"
#include "programs/reading.h"

/* clang-format off */
/* ORDER: by name, for the binary search. A test looks up every reader that a row names. */
static const struct reader {
    const char *name;
    void (*read)(struct reading *r, struct piece p);
    bool subcommands; /* the words that it takes name a subcommand */
    bool language;    /* what it reads is a program */
} readers[] = {
    {"ansible", read_ansible}, {"apart", read_apart}, {"archive", read_archive}, {"arg", read_arg},
    {"args", read_args}, {"at", read_at}, {"atname", read_atname},
    {"awk", read_awk, .language = true}, {"awkfile", read_awkfile}, {"aws", read_aws, true},
    {"az", read_az, true}, {"code", read_code}, {"commit", read_commit}, {"data", read_data},
    {"dbfile", read_dbfile}, {"dbname", read_dbname}, {"define", read_define},
    {"emitted", read_emitted}, {"emptied", read_emptied}, {"env", read_env, .language = true}, {"except", read_except},
    {"fetched", read_fetched},
    {"file", read_file}, {"filter", read_filter}, {"form", read_form}, {"formula", read_formula},
    {"fzf", read_fzf}, {"gcloud", read_gcloud, true}, {"gitfile", read_gitfile},
    {"github", read_github}, {"gitkey", read_gitkey}, {"gitread", read_gitread},
    {"gitset", read_gitset}, {"goflags", read_goflags}, {"gomod", read_gomod},
    {"gopackage", read_gopackage}, {"goreplace", read_goreplace}, {"gradle", read_gradle}, {"header", read_header},
    {"inline", read_inline}, {"input", read_input}, {"inspect", read_inspect}, {"jq", read_jq},
    {"js", read_js, .language = true}, {"jstype", read_jstype}, {"kind", read_kind},
    {"label", read_label}, {"listen", read_listen}, {"local", read_local}, {"maven", read_maven}, {"message", read_message},
    {"method", read_method}, {"mise", read_mise, true}, {"name", read_name},
    {"naming", read_naming}, {"nobar", read_nobar}, {"nopipe", read_nopipe},
    {"noplus", read_noplus}, {"number", read_number}, {"only", read_only}, {"outdir", read_outdir},
    {"output", read_output}, {"package", read_package}, {"page", read_page},
    {"pattern", read_pattern}, {"peer", read_peer}, {"plain", read_plain}, {"printf", read_printf},
    {"ps", read_ps}, {"pulled", read_pulled}, {"python", read_python, .language = true},
    {"query", read_query}, {"ref", read_ref}, {"refspec", read_refspec}, {"report", read_report},
    {"restored", read_restored}, {"rev", read_rev}, {"rule", read_rule}, {"rustc", read_rustc},
    {"rustfmt", read_rustfmt}, {"script", read_script}, {"sed", read_sed, .language = true},
    {"setting", read_setting}, {"settings", read_settings}, {"source", read_source},
    {"sqlite", read_sqlite}, {"sshset", read_sshset}, {"stash", read_stash}, {"strategy", read_strategy},
    {"style", read_style},
    {"suffix", read_suffix}, {"symbolic", read_symbolic}, {"target", read_target},
    {"task", read_task}, {"taskname", read_taskname}, {"test", read_test}, {"text", read_text},
    {"tmux", read_tmux, true}, {"treeish", read_treeish}, {"unitprop", read_unitprop},
    {"upstream", read_upstream}, {"url", read_url}, {"writeout", read_writeout}, {"yq", read_yq},
};
/* clang-format on */

/* Byte by byte: most names differ in the first two bytes. */
static int compare(struct str name, const char *row)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.s[i] != row[i])
            return name.s[i] < row[i] ? -1 : 1;
    return row[name.len] ? -1 : 0;
}

static const struct reader *find(struct str name)
{
    size_t low = 0, high = COUNT(readers);

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare(name, readers[middle].name);
        if (order == 0)
            return &readers[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool reader_exists(struct str name)
{
    return find(name) != NULL;
}

bool reader_is_language(struct str name)
{
    const struct reader *reader = find(name);

    return reader && reader->language;
}

bool reader_has_subcommands(struct str name)
{
    const struct reader *reader = name.len ? find(name) : NULL;

    return reader && reader->subcommands;
}

bool run_reader(struct reading *r, struct str name, struct piece p)
{
    const struct reader *reader = find(name);

    if (reader && reader->language) { /* of "s/a/$b/" the greater part is known */
        r->told = true;
        r->out->unseen |= p.text.len == 1 && p.text.s[0] == WORD_UNKNOWN;
    }
    if (reader)
        reader->read(r, p);
    return reader != NULL;
}

/* All words are data, whatever they look like (echo). */
void read_data(struct reading *r, struct piece p)
{
    (void)r;
    (void)p;
}

/* fzf --bind KEY:ACTION+ACTION,KEY:ACTION: only an action with an argument can contain a
 * command. */
void read_fzf(struct reading *r, struct piece p)
{
    struct str rest = p.text, one, key, actions;

    for (bool more = p.known; more;) {
        more = str_cut(rest, ',', &one, &rest);
        if (!str_cut(one, ':', &key, &actions))
            break;
        for (size_t i = 0; i < actions.len; i++)
            p.known &= ascii_is_letter(actions.s[i]) || actions.s[i] == '-' || actions.s[i] == '+';
        if (!more && p.known)
            return;
    }
    doubt(r, p.word);
}

/* A file to read. For less and more a word with a leading + is a command, which may run a program;
 * for a shell it clears an option (bash -n +n). */
void read_noplus(struct reading *r, struct piece p)
{
    if (p.text.len && (p.text.s[0] == '+' || p.text.s[0] == WORD_UNKNOWN)) {
        r->out->effects |= EFFECT_CODE; /* +!sh */
        doubt(r, p.word);
    }
    add_path(r, p, PROGRAM_READS, false);
}

/* A file or directory for a Perl program, which may run a name that ends in a bar as a command. */
void read_nopipe(struct reading *r, struct piece p)
{
    struct str text = str_trim(p.text);
    char last = text.len ? text.s[text.len - 1] : '\0';

    if (last == '|' || last == WORD_UNKNOWN)
        doubt(r, p.word);
    apply_role(r, STR("r"), p);
}

/* A file to write, or with a bar or an exclamation mark in front a command to write to. */
void read_nobar(struct reading *r, struct piece p)
{
    if (p.text.len && strchr("|!\1", p.text.s[0]))
        doubt(r, p.word);
    apply_role(r, STR("W"), p);
}

/* tree -L 2: the value is the next word. Letters attached to -L are more options, which take their
 * own values from the words after it: -Lo 2 FILE writes. A number may be attached. */
void read_apart(struct reading *r, struct piece p)
{
    if (p.text.s != r->words[p.word].text.s)
        read_number(r, p);
}

/* A name that the glob matches, with a letter for each open part. A glob with a leading dot matches
 * few names, and the disk says which. */
static void take_example(struct reading *r, struct piece *p)
{
    char *example = arena_bytes(r->arena, p->text.len);

    p->known = true;
    p->may_glob = p->text.s[0] == '.' &&
                  (str_has(p->text, '*') || str_has(p->text, '?') || str_has(p->text, '['));
    if (p->may_glob)
        return;
    for (size_t i = 0; i < p->text.len; i++)
        example[i] = (char)(p->text.s[i] == '*' || p->text.s[i] == '?' ? 'x' : p->text.s[i]);
    p->text.s = example;
}

/* grep --include=GLOB, rg -g GLOB, rg --type-add NAME:GLOB: restricts a recursive read to these
 * files, so a glob that names a secret reads it. Only the last component matters. */
void read_only(struct reading *r, struct piece p)
{
    if (str_starts(p.text, STR("!"))) {
        LIST_PUSH(r->arena, &r->out->only, p.text);
        return; /* rg: a leading ! excludes files */
    }
    bool type = str_has(p.text, ':');
    if (type)
        p.text = str_from_byte(p.text, str_last_index(p.text, ':') + 1);
    if (str_has(p.text, '/'))
        p.text = str_from_byte(p.text, str_last_index(p.text, '/') + 1);
    if (!p.text.len || str_has(p.text, WORD_UNKNOWN)) {
        LIST_PUSH(r->arena, &r->out->only, STR("*"));
        return; /* unknown: reads the directory, as without the option */
    }
    if (!type)
        LIST_PUSH(r->arena, &r->out->only, p.text);
    take_example(r, &p);
    add_path(r, p, PROGRAM_READS, false);
}

/* grep --exclude=GLOB: no braces have a meaning there. Of files that no glob matches the first such
 * option decides: they are searched, whatever an --include after it says. */
void read_except(struct reading *r, struct piece p)
{
    if (!r->out->only.count)
        LIST_PUSH(r->arena, &r->out->only, STR("*"));
    if (p.known && p.text.len && !strpbrk(str_copy(r->arena, p.text).s, "{}/\\"))
        LIST_PUSH(r->arena, &r->out->only, str_join(r->arena, STR("!"), p.text));
}

/* systemctl show -p NAME: the variables of a service are where its passwords are. */
void read_unitprop(struct reading *r, struct piece p)
{
    if (!p.known || str_contains(p.text, STR("Environment")))
        r->out->effects |= EFFECT_SECRETS;
}

/* A manual page by its name. A file could say `.so PATH`, and that file is shown then. */
void read_page(struct reading *r, struct piece p)
{
    if (!p.known || str_has(p.text, '/'))
        doubt(r, p.word);
    add_path(r, p, PROGRAM_READS, false);
}

/* A formula or cask by its name. A tap (a/b/c), a URL or a file (x.rb) is Ruby code that is run. */
void read_formula(struct reading *r, struct piece p)
{
    if (str_ends(p.text, STR(".rb")))
        r->out->effects |= EFFECT_CODE;
    apply_role(r, STR("M"), p);
}

/* printf -v NAME: a subscript in the name is code. Only the first word can be -v. */
void read_printf(struct reading *r, struct piece p)
{
    if (p.word + 1 >= r->count)
        return;
    const struct shell_word *first = &r->words[p.word];
    if (str_starts(first->text, STR("-v"))) {
        struct piece name = first->text.len > 2 ? p : whole_word(r, p.word + 1);
        if (first->text.len > 2)
            name.text = str_from_byte(first->text, 2);
        apply_role(r, STR("V"), name);
    } else if (first->may_dash || first->may_split) {
        doubt(r, p.word);
    }
}

/* yq: two programs share this name. One is jq; the other has operators that read files and the
 * environment, and takes a first operand that exists as a file for that file. */
void read_yq(struct reading *r, struct piece p)
{
    static const char *const words[] = {"load", "system", "split", "eval", "file"};

    read_jq(r, p);
    if (str_contains(p.text, STR("env")))
        r->out->effects |= EFFECT_SECRETS;
    for (size_t i = 0; i < COUNT(words); i++)
        if (str_contains(p.text, str_from(words[i])))
            doubt(r, p.word);
    add_path(r, p, PROGRAM_READS, false);
}

/* The suffix of backup copies (sed -i.bak, cp -S ~). One with a slash or a star names a file
 * elsewhere. */
void read_suffix(struct reading *r, struct piece p)
{
    if (!p.known || str_has(p.text, '/') || str_has(p.text, '*'))
        doubt(r, p.word);
}

/* An assignment before a command: the name must be known; shell/ checks the value. */
bool is_assignment(const struct shell_word *w)
{
    struct str name, value;

    return !w->may_split && str_cut(w->text, '=', &name, &value) && name.len && name.s[0] != '-' &&
           !str_has(name, WORD_UNKNOWN);
}

/* env: assignments, then a command; without a command it prints the environment. */
void read_env(struct reading *r, struct piece p)
{
    size_t i = p.word;

    if (i < r->count && r->words[i].known && str_is(r->words[i].text, "-"))
        i++; /* a bare dash is -i */
    while (i < r->count && is_assignment(&r->words[i]))
        i++;
    if (i == r->count)
        r->out->effects |= EFFECT_SECRETS;
    else if (r->words[i].text.len && r->words[i].text.s[0] == '-')
        doubt(r, i);
    else
        apply_role(r, STR("I"), whole_word(r, i));
}

/* ps: words without a dash are letters, of which 'e' (and 'E' on macOS) prints environments. Lists
 * (pid,etime) and numbers are data. */
void read_ps(struct reading *r, struct piece p)
{
    for (size_t i = 0; i < p.text.len; i++) {
        char c = p.text.s[i];
        if (c == 'e' || c == 'E')
            r->out->effects |= EFFECT_SECRETS;
        if (c == 'e' || c == 'E' || !ascii_is_letter(c))
            break;
    }
    if (!p.known)
        doubt(r, p.word);
}

static bool is_test_operator(const struct shell_word *w)
{
    static const char *const operators[] = {"=",   "==",  "!=",  "<",   ">",   "-eq", "-ne",
                                            "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};
    for (size_t i = 0; i < COUNT(operators); i++)
        if (w->known && str_is(w->text, operators[i]))
            return true;
    return false;
}

/* -f -d -n ...: a dash and one letter; but not -v and -R, which evaluate the subscript of a
 * variable, nor -a and -o, which may be followed by another test. */
static bool is_test_question(const struct shell_word *w)
{
    return w->known && w->text.len == 2 && w->text.s[0] == '-' && !strchr("vRao", w->text.s[1]);
}

/* test and [: strings and file names are data as long as no unknown word could be -v. */
void read_test(struct reading *r, struct piece p)
{
    for (size_t i = p.word; i < r->count; i++) {
        const struct shell_word *w = &r->words[i];
        bool asked = i > p.word && (is_test_question(w - 1) || is_test_operator(w - 1));
        bool compared = i + 1 < r->count && is_test_operator(w + 1);
        bool alone =
            i == p.word && (r->count == i + 1 || (r->count == i + 2 && str_is(w[1].text, "]")));
        if (w->may_split || (!w->known && !asked && !compared && !alone))
            doubt(r, i);
        else if (!asked && !compared && (str_is(w->text, "-v") || str_is(w->text, "-R")))
            apply_role(r, STR("V"), i + 1 < r->count ? whole_word(r, i + 1) : p);
    }
}
