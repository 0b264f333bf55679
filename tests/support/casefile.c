#include "support/casefile.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/path.h"
#include "decide/session.h"
#include "decide/session_builds.h"
#include "decide/update.h"
#include "engine/engine.h"
#include "facts/own_places.h"
#include "machine/age.h"
#include "machine/regex.h"
#include "machine/world.h"
#include "policy/image.h"
#include "policy/trust.h"
#include "support/half_paper.h"
#include "support/paper_disk.h"
#include "support/scenes.h"
#include "support/shared.h"

#define MEMORY ((size_t)256 * 1024 * 1024)
#define ROOT   "/tmp/warder-case-"

/* The state of one section, and its last verdict. */
struct case_scene {
    const struct case_watch *watch; /* NULL: nobody */
    const char *file;
    size_t line, heading; /* where it is read, and where it began */
    bool skipped;         /* up to the next heading */
    struct case_counts *counts;
    struct arena arena;
    struct disk disk; /* as it is while one call is judged */
    struct world world;
    struct half_paper half; /* if somebody watches */
    char root[64];          /* of the scene's own directory tree */
    struct str home, project, cwd;
    const struct profile *profile;
    struct str mode, call_mode, plan_file;
    bool headless, auto_allow, paused;
    struct cell_facts cell;
    bool saves;         /* what is lost will be saved, */
    struct str unsaved; /* but for this */
    struct cli_rules rules;
    struct strs policies;
    struct str clearances; /* a file that policies do not list yet */
    struct strs own;       /* as an engine would list it */
    struct value *annotations;
    struct answer hook, callback;
    struct session session;
    struct policy *policy; /* read by the first call */
    struct rulebook book;  /* its rulebook, with the updates so far */
    struct image
        *image; /* of the policy, as warder-hook maps it; NULL: none, or outdated by an update */
    size_t image_size;
    struct error refused; /* the scene was refused */
    struct call call;
    struct verdict verdict;
    bool has_verdict;
};

/* ---- the scene's disk ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

static void unmap_image(struct case_scene *s)
{
    if (s->image)
        munmap(s->image, s->image_size);
    s->image = NULL;
}

static void close_scene(struct case_scene *s)
{
    policy_free(s->policy);
    s->policy = NULL;
    unmap_image(s);
    if (s->root[0])
        nftw(s->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    arena_release(&s->arena);
}

/* In digits: letters may be words. */
static void make_root(struct case_scene *s)
{
    static unsigned number;

    if (!number)
        number = (unsigned)getpid();
    for (unsigned tries = 0; tries < 1000000; tries++) {
        snprintf(s->root, sizeof(s->root), ROOT "%06u", number++ % 1000000);
        if (mkdir(s->root, 0700) == 0)
            return;
        if (errno != EEXIST)
            break;
    }
    perror(s->root);
    exit(1);
}

static void open_scene(struct case_scene *s)
{
    const char *file = s->file;
    const struct case_watch *watch = s->watch;
    struct case_counts *counts = s->counts;
    size_t line = s->line;

    close_scene(s);
    *s = (struct case_scene){.watch = watch,
                             .file = file,
                             .line = line,
                             .heading = line,
                             .counts = counts,
                             .profile = profile_find(STR("warder"))};
    arena_init(&s->arena, MEMORY);
    make_root(s);
}

static void name_places(void *arg)
{
    struct case_scene *s = arg;

    s->home = str_format(&s->arena, "%s/home", s->root);
    s->project = str_format(&s->arena, "%s/project", s->root);
    s->cwd = s->project;
    mkdir(s->home.s, 0755);
    mkdir(s->project.s, 0755);
}

/* Replaces $HOME, $PROJECT and $ROOT by the scene's directories. */
static struct str place_names(struct case_scene *s, struct str text)
{
    const struct {
        struct str name, value;
    } names[] = {
        {STR("$HOME"), s->home}, {STR("$PROJECT"), s->project}, {STR("$ROOT"), str_from(s->root)}};
    struct buf b = buf_in(&s->arena);

    for (size_t at = 0; at < text.len;) {
        size_t i = 0;
        while (i < COUNT(names) && !str_starts(str_from_byte(text, at), names[i].name))
            i++;
        if (i < COUNT(names)) {
            buf_add(&b, names[i].value);
            at += names[i].name.len;
        } else {
            buf_byte(&b, text.s[at++]);
        }
    }
    return buf_str(&b);
}

static struct str on_disk(struct case_scene *s, struct str path)
{
    struct str absolute;

    if (!path_absolute(&s->arena, s->project, s->home, place_names(s, path), &absolute))
        return s->project;
    return absolute;
}

static void make_parents(struct case_scene *s, struct str path)
{
    struct str parent = path_dir(path);

    if (parent.len <= strlen(s->root))
        return;
    make_parents(s, parent);
    mkdir(str_copy(&s->arena, parent).s, 0755);
}

static struct str write_file(struct case_scene *s, struct str path, struct str text)
{
    make_parents(s, path);
    FILE *f = fopen(path.s, "w");
    if (!f || fwrite(text.s, 1, text.len, f) != text.len || fclose(f) != 0) {
        perror(path.s);
        exit(1);
    }
    chmod(path.s, 0644);
    return path;
}

/* ---- failures ---- */

static void complain(struct case_scene *s, const char *what, struct str wanted, struct str got)
{
    s->counts->failed++;
    printf("%s:%zu: %s: wanted \"%.*s\", got \"%.*s\"\n", s->file, s->line, what, STR_ARG(wanted),
           STR_ARG(got));
    if (s->has_verdict)
        printf("    %s by %s: %.*s\n", behavior_name(s->verdict.behavior), s->verdict.layer,
               STR_ARG(s->verdict.reason));
}

static void broken(struct case_scene *s, const char *what, struct str text)
{
    complain(s, what, STR("a line that can be read"), text);
}

/* ---- reading the policy ---- */

static struct policy_request request_of(struct case_scene *s)
{
    struct str root = str_format(&s->arena, "%s/root", s->root);

    return (struct policy_request){
        .dialect = s->profile->dialect,
        .order = s->profile->order,
        .shipped = s->profile->shipped,
        .caliban_paths = s->profile->caliban_paths,
        .project = s->project,
        .home = s->home,
        .root = root,
        .state_dir = str_format(&s->arena, "%s/state", s->root),
        .files = s->policies,
        .cli = s->rules,
        .mode = s->mode,
    };
}

/* Builds the image, frees it with the policy it was built from, and maps it at its address again: a
 * pointer out of the image would now crash. */
static void map_image(struct case_scene *s, const struct policy_request *request)
{
    struct image_draft draft;
    struct error err = {0};

    if (rulebook_broken(&s->book))
        return;
    enum status status = image_draft_make(request, &draft, &err);
    if (status == STATUS_IO)
        return; /* some sanitizers use that address; test_image checks that it is free otherwise */
    if (status != STATUS_OK || image_draft_seal(&draft, &err) != STATUS_OK) {
        complain(s, "the image", STR(""), str_from(err.message));
        return;
    }
    s->image_size = draft.image->size;
    char *bytes = arena_copy(&s->arena, (const char *)draft.image, s->image_size);
    image_draft_free(&draft);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the image's own address */
    s->image = mmap((void *)IMAGE_ADDRESS, s->image_size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if ((uintptr_t)s->image != IMAGE_ADDRESS)
        abort();
    memcpy(s->image, bytes, s->image_size);
    mprotect(s->image, s->image_size, PROT_READ);
}

static enum status read_policy(struct case_scene *s)
{
    const struct policy_request request = request_of(s);

    if (s->policy)
        return STATUS_OK;
    enum status status = policy_open(&request, &s->policy, &s->refused);
    if (status == STATUS_OK) {
        s->book = s->policy->book;
        map_image(s, &request);
    }
    return status;
}

static struct value *parse_json(struct case_scene *s, struct str text)
{
    struct value *v = ARENA_NEW(&s->arena, struct value);
    struct error err;

    if (json_read(&s->arena, place_names(s, text), NULL, v, &err) != STATUS_OK) {
        complain(s, "JSON", STR(""), str_from(err.message));
        return NULL;
    }
    return v;
}

static struct answer parse_answer(struct case_scene *s, struct str text)
{
    struct answer a = {0};
    struct value *v = str_is(text, "-") ? NULL : parse_json(s, text);

    if (!v)
        return a;
    a.given = true;
    a.decided = behavior_parse(value_text(v, "decision"), &a.behavior);
    a.reason = value_text(v, "reason");
    const struct value *go_on = value_get(v, "continue");
    a.stop = go_on && go_on->kind == VALUE_BOOL && !go_on->boolean;
    a.updated_input = value_get(v, "updatedInput");
    return a;
}

/* ---- calls ---- */

static struct str unescape(struct case_scene *s, struct str text)
{
    struct buf b = buf_in(&s->arena);

    for (size_t i = 0; i < text.len; i++) {
        char next = text.s[i] == '\\' && i + 1 < text.len ? text.s[i + 1] : '\0';
        if (next == 'n' || next == 't' || next == '\\') {
            buf_byte(&b, next == 'n' ? '\n' : next == 't' ? '\t' : '\\');
            i++;
        } else {
            buf_byte(&b, text.s[i]);
        }
    }
    return buf_str(&b);
}

static enum status read_call(struct case_scene *s, struct str text, struct error *err)
{
    struct str tool, argument;
    const struct call_defaults defaults = {.cwd = s->cwd,
                                           .home = s->home,
                                           .project = s->project,
                                           .mode = s->call_mode,
                                           .plan_file = s->plan_file};
    struct call_defaults d = defaults;
    enum status status;

    if (d.mode.len == 0)
        d.mode = s->mode;
    str_cut(text, ' ', &tool, &argument);
    argument = str_trim(argument);
    if (tool.len && tool.s[0] == '{') {
        struct value *v = ARENA_NEW(&s->arena, struct value);
        if ((status = json_read(&s->arena, place_names(s, text), NULL, v, err)) != STATUS_OK)
            return status;
        return call_read(&s->arena, v, &d, &s->call, err);
    }
    if (argument.len == 0 || argument.s[0] == '{') {
        struct value *v = ARENA_NEW(&s->arena, struct value);
        struct str json = argument.len ? place_names(s, argument) : STR("{}");
        if ((status = json_read(&s->arena, json, NULL, v, err)) != STATUS_OK)
            return status;
        status = call_from_input(&s->arena, tool, v, &d, &s->call, err);
    } else {
        status =
            call_make(&s->arena, tool, unescape(s, place_names(s, argument)), &d, &s->call, err);
    }
    if (status == STATUS_OK && s->annotations) {
        const struct value *r = value_get(s->annotations, "readOnly"),
                           *x = value_get(s->annotations, "destructive");
        s->call.read_only = r && r->boolean;
        s->call.destructive = x && x->boolean;
    }
    return status;
}

/* The index may only leave out rules that do not match: the verdict must not change. */
static void judge_without_index(struct case_scene *s, struct decide_options o)
{
    struct rulebook plain = s->book;
    struct verdict v;

    plain.index = NULL;
    o.book = &plain;
    decide(&s->arena, &o, &s->call, &v);
    if (v.behavior != s->verdict.behavior || v.rule != s->verdict.rule ||
        !str_eq(v.reason, s->verdict.reason))
        complain(s, "with the index", v.reason, s->verdict.reason);
}

static bool has_regex(const struct rulebook *b)
{
    for (size_t i = 0; i < b->rules.count; i++)
        if (rule_more(&b->rules.items[i])->regex_code)
            return true;
    return false;
}

/* The same with the image, as in warder-hook, which cannot judge regular expressions. */
static void judge_by_image(struct case_scene *s, struct decide_options o)
{
    struct verdict v;

    if (!s->image || has_regex(&s->book))
        return;
    o.book = &s->image->book;
    decide(&s->arena, &o, &s->call, &v);
    if (v.behavior != s->verdict.behavior || !str_eq(v.reason, s->verdict.reason) ||
        !str_eq(v.message, s->verdict.message) || strcmp(v.layer, s->verdict.layer) != 0)
        complain(s, "by the image", s->verdict.reason, v.reason);
}

static struct str paused(void *context, const struct call *call)
{
    (void)context;
    (void)call;
    return STR("noon");
}

static const struct cell_facts *cell_of(void *scene)
{
    return &((const struct case_scene *)scene)->cell;
}

static bool saves(void *scene, struct arena *a, const struct losses *losses, struct str *why_not)
{
    const struct case_scene *s = scene;

    (void)a;
    (void)losses;
    *why_not = s->unsaved;
    return !s->unsaved.len;
}

static void judge(struct case_scene *s, struct str text)
{
    struct error err = {0};
    enum mode mode = MODE_DEFAULT;

    s->has_verdict = true;
    if (read_call(s, text, &err) != STATUS_OK) {
        decide_malformed(&s->arena, str_format(&s->arena, "%s", err.message), &s->verdict);
        return;
    }
    s->call.mode_given = s->call.mode_given || s->call_mode.len > 0;
    mode_parse(s->mode, &mode);
    disk_begin(&s->disk, &s->arena, NULL);
    s->world = world_of(&s->disk, regex_match);
    if (s->watch) {
        s->half = (struct half_paper){s->world, s->root};
        s->world = half_paper_world(&s->half);
    }
    const struct decide_options o = {
        .now = s->watch ? PAPER_BEGAN : time(NULL),
        .profile = s->profile,
        .book = &s->book,
        .session = &s->session,
        .world = &s->world,
        .home = s->home,
        .own = &s->own,
        .own_mode = s->mode,
        .bypass_flag = s->mode.len && mode == MODE_BYPASS,
        .headless = s->headless,
        .auto_allow = s->auto_allow,
        .paused = s->paused ? paused : NULL,
        .cell = cell_of,
        .saves = s->saves ? saves : NULL,
        .context = s,
        .hook = s->hook,
        .callback = s->callback,
    };
    decide(&s->arena, &o, &s->call, &s->verdict);
    if (s->watch)
        return;
    judge_without_index(s, o);
    judge_by_image(s, o);
}

static void expect(struct case_scene *s, enum behavior wanted, struct str text)
{
    s->counts->cases++;
    s->has_verdict = false;
    if (read_policy(s) != STATUS_OK) {
        complain(s, "the policy was refused", STR(""), str_from(s->refused.message));
        return;
    }
    judge(s, text);
    if (s->watch) {
        const struct verdict seen = s->verdict;
        const struct call call = s->call;
        s->watch->judged(s->watch->context, s, text);
        s->verdict = seen; /* the session goes on with this one */
        s->call = call;
        return;
    }
    if (s->verdict.behavior != wanted)
        complain(s, text.s, str_from(behavior_name(wanted)),
                 str_from(behavior_name(s->verdict.behavior)));
}

static void expect_error(struct case_scene *s, struct str part)
{
    s->counts->cases++;
    if (read_policy(s) == STATUS_OK)
        complain(s, "the scene was taken", part, STR(""));
    else if (!str_contains(str_from(s->refused.message), part))
        complain(s, "error", part, str_from(s->refused.message));
}

static void look_closer(struct case_scene *s, struct str text)
{
    const struct verdict *v = &s->verdict;
    struct str what, wanted, got = {0};
    bool part = false;

    str_cut(text, ' ', &what, &wanted);
    wanted = place_names(s, str_trim(wanted));
    if (str_is(what, "layer"))
        got = str_from(v->layer);
    else if (str_is(what, "rule"))
        got = v->rule ? v->rule->text : STR("-");
    else if (str_is(what, "comment"))
        got = v->rule && rule_about(v->rule)->comment.len ? rule_about(v->rule)->comment : STR("-");
    else if (str_is(what, "reason") || str_is(what, "says")) {
        got = str_is(what, "reason") ? v->reason : v->message;
        part = true;
    } else if (str_is(what, "message"))
        got = v->message;
    else if (str_is(what, "interrupt"))
        got = v->interrupt ? STR("yes") : STR("no");
    else if (str_is(what, "contained"))
        got = v->contained.yes ? str_from(cell_tier_name(v->contained.tier)) : STR("no");
    else if (str_is(what, "reversible"))
        got = v->reversible.yes ? STR("yes") : STR("no");
    else if (str_is(what, "immune"))
        got = v->immune ? STR("yes") : STR("no");
    else if (str_is(what, "mode"))
        got = str_from(mode_name(v->mode));
    else if (str_is(what, "risk"))
        got = str_from(risk_name(v->risk));
    else if (str_is(what, "suggests")) {
        if (strs_has(&v->suggestions, wanted))
            return;
        got = v->suggestions.count ? v->suggestions.items[0] : STR("-");
    } else if (str_is(what, "updated")) {
        struct buf b = buf_in(&s->arena);
        if (v->updated_input)
            json_value(&b, v->updated_input);
        got = v->updated_input ? buf_str(&b) : STR("-");
    } else {
        broken(s, "a closer look", text);
        return;
    }
    if (part ? !str_contains(got, wanted) : !str_eq(got, wanted))
        complain(s, str_copy(&s->arena, what).s, wanted, got);
}

/* ---- directives ---- */

static void session_line(struct case_scene *s, struct str text)
{
    struct str what, rest;

    str_cut(text, ' ', &what, &rest);
    if (str_is(what, "denials")) {
        char *end;
        s->session.denials = (uint32_t)strtoul(str_copy(&s->arena, rest).s, &end, 10);
        s->session.denials_in_a_row = *end ? (uint32_t)strtoul(end, NULL, 10) : 0;
    } else if (str_is(what, "mode")) {
        s->session.has_mode = mode_parse(rest, &s->session.mode);
    } else if (str_is(what, "began")) { /* seconds from now, when the case's files are created */
        s->session.began = time(NULL) + strtol(str_copy(&s->arena, rest).s, NULL, 10);
    } else if (str_is(what, "runs")) { /* an ask among them has been approved by a person */
        bool asked = s->verdict.behavior == BEHAVIOR_ASK;
        const struct session seen = s->session;
        s->verdict.behavior = BEHAVIOR_ALLOW;
        if (asked)
            session_agree(&s->arena, &s->session, &s->verdict);
        session_brings(&s->session, &s->verdict, asked, &seen);
        session_gives(&s->session, &s->verdict);
    } else if (str_is(what, "keep")) { /* as if answered this many seconds from now */
        session_builds_keep(&s->arena, &s->session, &s->verdict,
                            age_now() +
                                (int64_t)1000 * strtol(str_copy(&s->arena, rest).s, NULL, 10));
    } else if (str_is(what, "grant")) {
        session_grant(&s->arena, &s->session, &s->verdict);
    } else if (str_is(what, "count")) {
        session_count(&s->session, s->verdict.behavior, s->verdict.mode);
    } else if (str_is(what, "after")) {
        session_after(&s->session, &s->call, s->verdict.mode);
    } else {
        broken(s, "session", text);
    }
}

static void update_line(struct case_scene *s, struct str text)
{
    struct str word, rest = text;
    struct update u = {0};
    struct error err = {0};

    if (read_policy(s) != STATUS_OK) {
        complain(s, "the policy was refused", STR(""), str_from(s->refused.message));
        return;
    }
    str_cut(rest, ' ', &word, &rest);
    if (!update_kind_parse(word, &u.kind)) {
        broken(s, "update", text);
        return;
    }
    u.destination = SOURCE_SESSION;
    if (u.kind == UPDATE_SET_MODE) {
        mode_parse(rest, &u.mode);
    } else if (u.kind == UPDATE_ADD_DIRECTORIES || u.kind == UPDATE_REMOVE_DIRECTORIES) {
        LIST_PUSH(&s->arena, &u.directories, place_names(s, rest));
    } else {
        str_cut(rest, ' ', &word, &rest);
        u.destination_given = !str_is(word, "-");
        if (u.destination_given && !source_parse(word, &u.destination))
            broken(s, "destination", word);
        str_cut(rest, ' ', &word, &rest);
        u.behavior_given = !str_is(word, "-");
        if (u.behavior_given && !behavior_parse(word, &u.behavior))
            broken(s, "behavior", word);
        LIST_PUSH(&s->arena, &u.rules, str_copy(&s->arena, rest));
    }
    struct rulebook next;
    if (update_apply(&s->arena, &s->book, s->profile, &u, &s->session, &next, &err) != STATUS_OK) {
        complain(s, "update", STR(""), str_from(err.message));
        return;
    }
    s->book = next;
    unmap_image(s);
}

static bool on_or_off(struct case_scene *s, struct str text)
{
    if (!str_is(text, "on") && !str_is(text, "off"))
        broken(s, "on or off", text);
    return str_is(text, "on");
}

static void trust_line(struct case_scene *s)
{
    struct error err = {0};

    if (trust_add(str_format(&s->arena, "%s/state", s->root).s, s->project.s, &err) != STATUS_OK)
        complain(s, "trust", STR(""), str_from(err.message));
}

static void link_line(struct case_scene *s, struct str text)
{
    struct str path, target;

    str_cut(text, ' ', &path, &target);
    path = on_disk(s, path);
    make_parents(s, path);
    if (symlink(place_names(s, target).s, path.s) != 0)
        complain(s, "link", path, str_from(strerror(errno)));
}

static struct str given(struct str text)
{
    return str_is(text, "-") ? (struct str){0} : text;
}

static void profile_line(struct case_scene *s, struct str text)
{
    const struct profile *p = profile_find(text);

    if (p)
        s->profile = p;
    else
        broken(s, "profile", text);
}

/* In a file of managed policy. Where a scene names its files, this is one of them. */
static void clearances_line(struct case_scene *s, struct str text)
{
    s->clearances = write_file(s, str_format(&s->arena, "%s/root/etc/warder/warder.yaml", s->root),
                               str_format(&s->arena, "clearances: %.*s\n", STR_ARG(text)));
}

/* What the machine has, and what the client does not do: "rewrites" or "rules". */
static void cell_line(struct case_scene *s, struct str text)
{
    struct str tier, lacks;

    str_cut(text, ' ', &tier, &lacks);
    s->cell = (struct cell_facts){.rewrites = !str_is(lacks, "without rewrites"),
                                  .rules_read = !str_is(lacks, "without rules")};
    if (!cell_tier_parse(tier.len ? tier : text, &s->cell.tier) ||
        (lacks.len && s->cell.rewrites && s->cell.rules_read))
        broken(s, "cell", text);
}

/* "saves": undo saves what is lost; "saves not WHY": it would, and cannot. */
static void saves_line(struct case_scene *s, struct str text)
{
    static const struct str not = STR("not ");

    s->saves = true;
    s->unsaved = str_starts(text, not ) ? str_from_byte(text, not .len) : (struct str){0};
}

static void rule_line(struct case_scene *s, enum behavior effect, struct str text)
{
    LIST_PUSH(&s->arena, &s->rules, (struct cli_rule){effect, place_names(s, text)});
}

/* A directive with a text up to the end mark. */
static void text_line(struct case_scene *s, struct str word, struct str name, struct str body)
{
    struct str text = place_names(s, body);

    if (str_is(word, "managed")) {
        name = name.len ? str_join(&s->arena, STR("warder/"), name)
                        : STR("claude-code/managed-settings.json");
        write_file(s, str_format(&s->arena, "%s/root/etc/%.*s", s->root, STR_ARG(name)), text);
    } else if (str_is(word, "policy")) {
        struct str path = str_format(&s->arena, "%s/policy/%.*s", s->root, STR_ARG(name));
        LIST_PUSH(&s->arena, &s->policies, write_file(s, path, text));
        if (s->clearances.len)
            LIST_PUSH(&s->arena, &s->policies, s->clearances);
        s->clearances.len = 0;
    } else if (str_is(word, "file")) {
        write_file(s, on_disk(s, name), text);
    } else {
        broken(s, "a text", word);
    }
}

static bool setting_line(struct case_scene *s, struct str word, struct str rest)
{
    if (str_is(word, "profile"))
        profile_line(s, rest);
    else if (str_is(word, "clearances"))
        clearances_line(s, rest);
    else if (str_is(word, "mode"))
        s->mode = given(str_copy(&s->arena, rest));
    else if (str_is(word, "call-mode"))
        s->call_mode = given(str_copy(&s->arena, rest));
    else if (str_is(word, "headless"))
        s->headless = on_or_off(s, rest);
    else if (str_is(word, "auto-allow"))
        s->auto_allow = on_or_off(s, rest);
    else if (str_is(word, "saves"))
        saves_line(s, rest);
    else if (str_is(word, "cell"))
        cell_line(s, rest);
    else if (str_is(word, "pause"))
        s->paused = on_or_off(s, rest);
    else if (str_is(word, "own"))
        own_places_add(&s->arena, &s->own, s->home, on_disk(s, rest));
    else if (str_is(word, "plan-file"))
        s->plan_file = on_disk(s, rest);
    else if (str_is(word, "cwd"))
        s->cwd = on_disk(s, rest);
    else if (str_is(word, "annotations"))
        s->annotations = str_is(rest, "-") ? NULL : parse_json(s, rest);
    else if (str_is(word, "hook"))
        s->hook = parse_answer(s, rest);
    else if (str_is(word, "callback"))
        s->callback = parse_answer(s, rest);
    else
        return false;
    return true;
}

static bool scene_line(struct case_scene *s, struct str word, struct str rest)
{
    if (str_is(word, "allow"))
        rule_line(s, BEHAVIOR_ALLOW, rest);
    else if (str_is(word, "ask"))
        rule_line(s, BEHAVIOR_ASK, rest);
    else if (str_is(word, "deny"))
        rule_line(s, BEHAVIOR_DENY, rest);
    else if (str_is(word, "file"))
        write_file(s, on_disk(s, rest), STR(""));
    else if (str_is(word, "program"))
        chmod(write_file(s, on_disk(s, rest), STR("\177ELF, as far as anybody looks\n")).s, 0755);
    else if (str_is(word, "remove"))
        remove(on_disk(s, rest).s);
    else if (str_is(word, "dir"))
        make_parents(s, path_join(&s->arena, on_disk(s, rest), STR("x")));
    else if (str_is(word, "link"))
        link_line(s, rest);
    else if (str_is(word, "trust"))
        trust_line(s);
    else if (str_is(word, "session"))
        session_line(s, rest);
    else if (str_is(word, "update"))
        update_line(s, rest);
    else
        return setting_line(s, word, rest);
    return true;
}

static void verdict_line(struct case_scene *s, struct str word, struct str rest)
{
    if (str_is(word, "ALLOW"))
        expect(s, BEHAVIOR_ALLOW, rest);
    else if (str_is(word, "ASK"))
        expect(s, BEHAVIOR_ASK, rest);
    else if (str_is(word, "DENY"))
        expect(s, BEHAVIOR_DENY, rest);
    else if (str_is(word, "ERROR"))
        expect_error(s, rest);
    else if (str_is(word, "."))
        look_closer(s, rest);
    else if (!scene_line(s, word, rest))
        broken(s, "a line", word);
}

/* ---- the file ---- */

struct policy_reader {
    struct case_scene *scene;
    struct str line, body;
    bool has_body;
};

static void one_line(void *arg)
{
    struct policy_reader *r = arg;
    struct str word, rest, mark;

    str_cut(str_copy(&r->scene->arena, r->line), ' ', &word, &rest);
    rest = str_copy(&r->scene->arena, str_trim(rest));
    if (!r->has_body) {
        verdict_line(r->scene, word, rest);
        return;
    }
    rest = str_trim(str_slice(rest, 0, rest.len - 5)); /* without <<END */
    (void)mark;
    text_line(r->scene, word, rest, r->body);
}

static struct str take_line(struct case_scene *s, struct str *text)
{
    struct str line;

    str_cut(*text, '\n', &line, text);
    s->line++;
    return line;
}

static struct str take_body(struct case_scene *s, struct str *text)
{
    struct str start = *text;

    while (text->len) {
        size_t len = (size_t)(text->s - start.s);
        if (str_is(take_line(s, text), "END"))
            return str_slice(start, 0, len);
    }
    return start;
}

static void end_scene(const struct case_scene *s)
{
    if (!s->skipped)
        scene_ended(s->file, s->heading);
}

static void next_scene(struct case_scene *s)
{
    end_scene(s);
    s->skipped = !scene_wanted(s->file, s->line);
    if (s->skipped)
        return;
    open_scene(s);
    arena_try(&s->arena, name_places, s);
}

static void do_line(struct case_scene *s, struct str line, struct str *text)
{
    struct policy_reader r = {.scene = s, .line = str_trim(line)};

    if (r.line.len == 0 || r.line.s[0] == '#')
        return;
    if (str_starts(r.line, STR("== "))) {
        next_scene(s);
        return;
    }
    if (str_ends(r.line, STR("<<END"))) {
        r.has_body = true;
        r.body = take_body(s, text);
    }
    if (!s->skipped && !arena_try(&s->arena, one_line, &r)) {
        s->counts->failed++;
        printf("%s:%zu: out of memory\n", s->file, s->line);
    }
}

/* tools/mutants needs no more. */
static bool only_first_red(void)
{
    return getenv("WARDER_FIRST_RED") != NULL;
}

static void run_file(const char *path, struct case_counts *counts, const struct case_watch *watch)
{
    size_t len;
    char *whole = read_whole_file(path, &len);
    struct str text = {whole, len};
    struct case_scene s = {.file = path, .counts = counts, .watch = watch};

    open_scene(&s);
    arena_try(&s.arena, name_places, &s);
    while (text.len && !(counts->failed && only_first_red() && !watch)) {
        struct str line = take_line(&s, &text);
        do_line(&s, line, &text);
    }
    end_scene(&s);
    close_scene(&s);
    free(whole);
}

void casefile_run(const char *path, struct case_counts *counts)
{
    run_file(path, counts, NULL);
}

/* ---- for whoever watches ---- */

void casefile_watch(const char *path, const struct case_watch *watch)
{
    struct case_counts counts = {0};

    run_file(path, &counts, watch);
}

void case_scene_judge(struct case_scene *s, struct str call)
{
    judge(s, call);
}

size_t case_scene_line(const struct case_scene *s)
{
    return s->heading;
}

struct arena *case_scene_arena(struct case_scene *s)
{
    return &s->arena;
}

const struct verdict *case_scene_verdict(const struct case_scene *s)
{
    return &s->verdict;
}

struct str case_scene_named(struct case_scene *s, struct str text)
{
    static const struct str root = {ROOT, sizeof(ROOT) - 1};
    const char *digits = s->root + root.len;
    struct buf b = buf_in(&s->arena);

    for (size_t i = 0; i < text.len; i++) {
        buf_byte(&b, text.s[i]);
        if (i + 1 < root.len || memcmp(text.s + i + 1 - root.len, root.s, root.len) != 0)
            continue;
        /* all of them, or as many as are left where it was cut */
        for (size_t n = 0; digits[n] && i + 1 < text.len && text.s[i + 1] == digits[n]; n++, i++)
            buf_byte(&b, '#');
    }
    return buf_str(&b);
}

/* ---- all files ---- */

static int is_case_file(const struct dirent *e)
{
    size_t len = strlen(e->d_name);

    return len > 5 && strcmp(e->d_name + len - 5, ".case") == 0;
}

void casefile_each(const char *directory, void (*each)(void *context, const char *path),
                   void *context)
{
    struct dirent **names;
    char base[4096], path[8192];

    snprintf(base, sizeof(base), "%s", source_path(directory));
    int n = scandir(base, &names, is_case_file, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "%s/%s", base, names[i]->d_name);
        each(context, path);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

static void run_one(void *counts, const char *path)
{
    struct case_counts *all = counts, one = {0};

    if (all->failed && only_first_red())
        return;
    casefile_run(path, &one);
    printf("%-40s %4zu cases, %zu failed\n", strrchr(path, '/') + 1, one.cases, one.failed);
    all->cases += one.cases;
    all->failed += one.failed;
}

void casefile_run_all(const char *directory, struct case_counts *counts)
{
    casefile_each(directory, run_one, counts);
}
