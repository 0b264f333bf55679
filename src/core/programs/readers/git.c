/* git.c - operands of git and gh: remotes, revisions, settings. */
#include "programs/reading.h"

#include "base/ascii.h"

/* SOURCE:TARGET changes a branch or tag of the receiving repository, even with "git fetch"; + does
 * so even if commits are lost, and an empty source deletes. */
void read_refspec(struct reading *r, struct piece p)
{
    if (!p.known)
        doubt(r, p.word);
    if (str_has(p.text, '+') || str_starts(p.text, STR(":")))
        r->out->effects |= EFFECT_LOSS;
    if (str_has(p.text, ':'))
        r->out->effects |= EFFECT_REPO;
}

static void add_revision(struct reading *r, struct piece p, enum program_revision_kind kind)
{
    const struct program_revision one = {p.text, kind, p.known && !p.may_glob};

    LIST_PUSH(r->arena, &r->out->revisions, one);
}

/* After "--" all words are paths. */
static bool follows_dashes(const struct reading *r, struct piece p)
{
    for (size_t i = 1; i < p.word && i < r->count; i++)
        if (str_is(r->words[i].text, "--"))
            return true;
    return false;
}

/* What becomes part of the work tree, the index or a branch. Whether that is the project's own,
 * only the repository knows. */
void read_commit(struct reading *r, struct piece p)
{
    if (!follows_dashes(r, p))
        add_revision(r, p, REVISION_COMMIT);
}

/* git checkout X, git reset X */
void read_treeish(struct reading *r, struct piece p)
{
    if (!follows_dashes(r, p))
        add_revision(r, p, REVISION_OR_PATH);
}

/* The same, and as a file it is written. */
void read_restored(struct reading *r, struct piece p)
{
    read_treeish(r, p);
    apply_role(r, STR("w"), p);
}

/* Without a word git merge takes the branch that this one follows. */
void read_upstream(struct reading *r, struct piece p)
{
    p.text = STR("@{upstream}");
    p.known = true;
    p.may_glob = false;
    add_revision(r, p, REVISION_COMMIT);
}

/* git stash apply [N]: a number, or a name of the stash. */
void read_stash(struct reading *r, struct piece p)
{
    struct str text = p.text;

    if (str_starts(text, STR("refs/")))
        text = str_from_byte(text, 5);
    for (size_t i = 0; p.known && i < text.len && ascii_is_digit(text.s[i]); i++)
        if (i + 1 == text.len && text.len < 4)
            return;
    if (p.known &&
        (str_is(text, "stash") || (str_starts(text, STR("stash@{")) && str_ends(text, STR("}")) &&
                                   !str_has(str_slice(text, 7, text.len - 1), '}'))))
        return;
    add_revision(r, p, REVISION_COMMIT);
}

/* Where may a ref be made? Only among those that a person would look at: refs/replace takes the
 * place of files, and the others hide what a branch would show. */
static bool is_branch_or_tag(struct str name)
{
    return str_starts(name, STR("refs/heads/")) || str_starts(name, STR("refs/tags/")) ||
           str_starts(name, STR("refs/remotes/"));
}

/* SOURCE:TARGET of git fetch; without a target the source only becomes FETCH_HEAD. */
static bool read_fetched_pair(struct reading *r, struct piece p)
{
    struct str source = p.text, target;

    if (str_starts(source, STR("+")))
        source = str_from_byte(source, 1);
    if (!str_cut(source, ':', &source, &target) || target.len == 0)
        return false;
    if (str_contains(target, STR("..")) ||
        (str_starts(target, STR("refs/")) && !is_branch_or_tag(target)))
        doubt(r, p.word);
    p.text = source;
    if (str_starts(target, STR("refs/remotes/")) || str_starts(target, STR("remotes/")))
        add_revision(r, p, REVISION_TRACKED);
    else
        add_revision(r, p, REVISION_PULLED);
    return true;
}

void read_fetched(struct reading *r, struct piece p)
{
    read_refspec(r, p);
    (void)read_fetched_pair(r, p);
}

/* git pull merges what it names, target or not. */
void read_pulled(struct reading *r, struct piece p)
{
    struct str target;

    read_refspec(r, p);
    if (read_fetched_pair(r, p))
        return;
    if (str_starts(p.text, STR("+")))
        p.text = str_from_byte(p.text, 1);
    (void)str_cut(p.text, ':', &p.text, &target);
    add_revision(r, p, REVISION_PULLED);
}

/* The full name of a ref, which is a file in .git: `git symbolic-ref config refs/heads/x`
 * overwrites the settings, and hooks/pre-commit is a valid name too. CONFIG is refused as well:
 * some disks ignore case. */
void read_ref(struct reading *r, struct piece p)
{
    if (!p.known || str_contains(p.text, STR("..")) ||
        !(is_branch_or_tag(p.text) || str_is(p.text, "HEAD")))
        doubt(r, p.word);
}

/* A name below refs/remotes, right in front of this word. */
static bool names_remote(const struct reading *r, struct piece p)
{
    return p.word > 1 && str_is(r->words[p.word - 2].text, "symbolic-ref") &&
           r->words[p.word - 1].known &&
           str_starts(r->words[p.word - 1].text, STR("refs/remotes/"));
}

/* What a symbolic ref leads to. A branch, or HEAD, that leads to one of a remote would change with
 * every fetch, and count as the project's own. */
void read_symbolic(struct reading *r, struct piece p)
{
    read_ref(r, p);
    if (!str_starts(p.text, STR("refs/heads/")) && !names_remote(r, p))
        doubt(r, p.word);
    read_commit(r, p);
}

/* REV:PATH where only the path is unknown. Whatever it is, it was committed, and git log -p would
 * print it anyway. */
static bool is_committed(struct piece p)
{
    size_t colon = str_index(p.text, ':'), unknown = str_index(p.text, WORD_UNKNOWN);

    return !p.known && !p.may_glob && colon != STR_NONE && unknown != STR_NONE && colon > 0 &&
           colon < unknown && p.text.s[0] != '-';
}

/* $hash, $hash^, $a..$b: the unknown parts are letters and digits, so it cannot name a file
 * elsewhere. */
static bool is_revision(const struct reading *r, struct piece p, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!(text.s[i] == WORD_UNKNOWN && (r->words[p.word].shape & SHAPE_PLAIN)) &&
            !ascii_is_alnum(text.s[i]) && !strchr("^~.@", text.s[i]))
            return false;
    return text.len > 0 && text.s[0] == WORD_UNKNOWN;
}

/* ":(top,icase)PATH": the path after the magic. */
static struct str after_magic(struct str text)
{
    size_t end = text.len && text.s[0] == '(' ? str_index(text, ')') : STR_NONE;

    return end == STR_NONE ? text : str_from_byte(text, end + 1);
}

/* A revision or a path; REV:PATH and :0:PATH print that file. */
void read_rev(struct reading *r, struct piece p)
{
    struct piece file = p;
    size_t colon = str_last_index(p.text, ':');

    if (is_committed(p) || (!p.known && is_revision(r, p, p.text)))
        return;
    if (!p.known && colon != STR_NONE && is_revision(r, p, str_slice(p.text, 0, colon)) &&
        !str_has(str_from_byte(p.text, colon), WORD_UNKNOWN)) {
        file.text = str_from_byte(p.text, colon + 1);
        file.known = true;
        apply_role(r, STR("R"), file);
        return;
    }
    apply_role(r, STR("r"), p);
    if (colon == STR_NONE)
        return;
    file.text = after_magic(str_from_byte(p.text, colon + 1));
    apply_role(r, STR("R"), file);
}

static bool is_on_github(struct str text)
{
    return str_starts(text, STR("https://github.com/")) || str_starts(text, STR("github.com/"));
}

/* OWNER/REPO, a number or a branch are on the host that gh is logged in to. HOST/OWNER/REPO and
 * URLs name their own host, and gh sends GH_ENTERPRISE_TOKEN to it. */
void read_github(struct reading *r, struct piece p)
{
    size_t slashes = 0;

    for (size_t i = 0; i < p.text.len; i++)
        slashes += p.text.s[i] == '/';
    if (!(p.known || ((r->words[p.word].shape & SHAPE_PLAIN) && !p.may_glob)) ||
        (!is_on_github(p.text) && (slashes > 1 || str_has(p.text, ':'))))
        apply_role(r, STR("N"), p);
}

/* pull.rebase=interactive makes git pull open an editor. */
static bool is_interactive(struct str key, struct str value)
{
    return str_eq_nocase(key, STR("pull.rebase")) && !str_is(value, "true") &&
           !str_is(value, "false") && !str_is(value, "merges");
}

/* Accepts settings of the repository that only say how something is written or shown. Any other may
 * name a program, a file or a server. */
static bool is_plain_key(struct piece p, struct str value)
{
    static const char *const keys[] = {"user.name",
                                       "user.email",
                                       "init.defaultbranch",
                                       "pull.rebase",
                                       "pull.ff",
                                       "merge.ff",
                                       "merge.conflictstyle",
                                       "merge.renames",
                                       "rebase.autosquash",
                                       "rebase.autostash",
                                       "rerere.enabled",
                                       "fetch.prune",
                                       "core.autocrlf",
                                       "core.eol",
                                       "core.filemode",
                                       "core.quotepath",
                                       "core.abbrev",
                                       "diff.renames",
                                       "diff.algorithm",
                                       "diff.colormoved",
                                       "log.date",
                                       "log.decorate",
                                       "status.short",
                                       "color.ui",
                                       "status.showuntrackedfiles"};

    for (size_t i = 0; p.known && i < COUNT(keys); i++)
        if (str_eq_nocase(p.text, str_from(keys[i])) && !is_interactive(p.text, value))
            return true;
    return false;
}

/* The files that git reads its settings from, in the repository and in the home. Which of them is
 * written, the directory and the environment decide. */
void read_gitfile(struct reading *r, struct piece p)
{
    p.known = true;
    p.text = STR(".git/config");
    apply_role(r, STR("W"), p);
    p.text = STR("~/.gitconfig");
    apply_role(r, STR("W"), p);
}

/* git config KEY VALUE */
void read_gitkey(struct reading *r, struct piece p)
{
    if (is_plain_key(p, p.word + 1 < r->count ? r->words[p.word + 1].text : STR("")))
        return;
    doubt(r, p.word);
    read_gitfile(r, (struct piece){.word = 0});
}

/* A setting whose value is printed. Some are credentials: http.*.extraHeader,
 * sendemail.smtpPass. */
void read_gitread(struct reading *r, struct piece p)
{
    static const char *const parts[] = {"cookie", "extraheader", "pass", "secret", "token"};

    for (size_t i = 0; i < COUNT(parts); i++)
        if (!p.known || str_contains_nocase(p.text, str_from(parts[i])))
            r->out->effects |= EFFECT_SECRETS;
}

/* git -c KEY=VALUE: accepts settings that name neither a program nor a file. */
void read_gitset(struct reading *r, struct piece p)
{
    struct str value;

    if (!str_cut(p.text, '=', &p.text, &value))
        value = STR("true");
    if (is_plain_key(p, value))
        return;
    r->out->effects |= EFFECT_CODE;
    doubt(r, p.word);
}

/* An option of a merge strategy. "subtree" puts the other side's files into any directory. */
void read_strategy(struct reading *r, struct piece p)
{
    if (p.known && !str_starts(p.text, STR("subtree")))
        return;
    r->out->effects |= EFFECT_UNKNOWN;
    doubt(r, p.word);
}
