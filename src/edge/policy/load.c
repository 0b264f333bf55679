#include "policy/load.h"

#include <stdlib.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/sha256.h"
#include "document/document.h"
#include "policy/gather.h"
#include "policy/schema.h"
#include "programs/other_names.h"

#define TRIM_FROM ((size_t)1 << 20) /* bytes of a policy */

struct policy_load {
    const struct policy_request *request;
    const struct gathered *gathered;
    struct policy *policy;
    struct arena draft;   /* of documents, and of the rules before they are sorted: they are freed
                             afterwards */
    struct arena scratch; /* of one rule while it is read */
    unsigned char rank[SOURCE_COUNT];
    struct str project, home; /* copies that live as long as the policy */
    enum status status;
    struct error *err;
};

/* Managed policy is the strongest in every profile. A source missing from the order is the weakest.
 */
static void rank_sources(struct policy_load *l)
{
    memset(l->rank, SOURCE_COUNT, sizeof(l->rank));
    for (size_t i = 0; l->request->order && i < SOURCE_COUNT; i++)
        l->rank[l->request->order[i]] = (unsigned char)(i + 1);
    l->rank[SOURCE_MANAGED] = 0;
}

static void add_problem(struct policy_load *l, bool fatal, struct str file, const struct error *e)
{
    struct arena *a = &l->policy->arena;
    struct problem p = {.fatal = fatal, .file = file, .line = e->line, .column = e->column};

    p.message = str_copy(a, str_from(e->message));
    LIST_PUSH(a, &l->policy->book.problems, p);
}

static bool is_project(enum source source)
{
    return source == SOURCE_PROJECT || source == SOURCE_LOCAL;
}

static bool is_trusted(const struct policy_load *l, const struct gathered_file *f)
{
    if (f->kept)
        return false;
    if (f->main)
        return l->gathered->main_trusted && !f->other;
    return !is_project(f->source) || l->request->preview || l->gathered->trust == TRUST_YES;
}

static void note_left_out(struct policy_load *l, const struct policy_reader *r)
{
    struct error e;

    if (r->left_out == 0)
        return;
    fail(&e, STATUS_OK,
         "this project is not trusted: %zu %s ignored (review it, then run: warder trust)",
         r->left_out,
         r->left_out == 1 ? "allow rule or setting is" : "allow rules and settings are");
    add_problem(l, false, r->file, &e);
}

/* Reads a file; returns its format, or FORMAT_UNKNOWN if it cannot be read. */
static enum format read_document(struct policy_load *l, struct policy_reader *r,
                                 const struct gathered_file *f)
{
    struct value document;
    struct error e = f->error;
    enum format format = f->format;

    if (!e.status)
        document_read(r->draft, document_syntax(r->file), f->text, &document, &e);
    if (e.status) {
        struct value at = {.line = e.line, .column = e.column};
        schema_problem(r, true, &at, "%s", e.message);
        return FORMAT_UNKNOWN;
    }
    if (format == FORMAT_UNKNOWN)
        format = schema_recognise(r->file, &document);
    schema_read(r, format, &document);
    if (!f->kept && !f->other)
        note_left_out(l, r);
    return format;
}

/* A name that is not absolute is relative to where we were started; the real one is not. */
static void keep_own(struct policy_load *l, const struct gathered_file *f)
{
    struct arena *a = &l->policy->arena;
    struct strs *own = &l->policy->book.own;

    if (f->named && f->path[0] == '/')
        LIST_PUSH(a, own, str_copy(a, str_from(f->path)));
    if (f->real && !(own->count && str_is(own->items[own->count - 1], f->real)))
        LIST_PUSH(a, own, str_copy(a, str_from(f->real)));
}

static void add_file(struct policy_load *l, const struct gathered_file *f)
{
    struct policy *p = l->policy;
    struct policy_reader r = {.arena = &p->arena,
                              .draft = &l->draft,
                              .scratch = &l->scratch,
                              .book = &p->book,
                              .regexes = &p->regexes,
                              .knows = l->request->knows,
                              .rank = l->rank,
                              .file = str_copy(&p->arena, str_from(f->path)),
                              .text = f->text,
                              .source = f->source,
                              .dialect = l->request->dialect,
                              .project = l->project,
                              .home = l->home,
                              .now = l->request->now ? l->request->now : (int64_t)time(NULL),
                              .kept = f->kept,
                              .trusted = is_trusted(l, f)};
    struct policy_file row = {
        .path = r.file, .source = f->source, .found = f->found, .trusted = r.trusted};

    if (f->found)
        row.format = str_copy(&p->arena, str_from(format_name(read_document(l, &r, f))));
    row.rules = r.rules;
    keep_own(l, f);
    LIST_PUSH(&p->arena, &p->book.files, row);
}

/* warder.yaml beside warder.toml: it is not known which one its author edits. */
static void refuse_twins(struct policy_load *l)
{
    const struct gathered_file *items = l->gathered->items;
    struct error e;

    for (size_t i = 1; i < l->gathered->count; i++)
        for (size_t j = i; j-- > 0 && items[j].group == items[i].group;)
            if (items[i].found && items[j].found) {
                fail(&e, STATUS_UNSAFE, "there is also %s; keep one of them", items[j].path);
                add_problem(l, true, str_copy(&l->policy->arena, str_from(items[i].path)), &e);
            }
}

/* Is it the settings of an agent that runs us? The words of a registration, whatever its form. */
static bool registers(const struct gathered_file *f)
{
    return f->found && !f->kept && f->format == FORMAT_SETTINGS &&
           str_contains(f->text, STR("warder")) && str_contains(f->text, STR("hook"));
}

static void find_registration(struct policy_load *l)
{
    bool here = false, elsewhere = false;

    for (size_t i = 0; i < l->gathered->count; i++)
        if (registers(&l->gathered->items[i]))
            *(is_project(l->gathered->items[i].source) ? &here : &elsewhere) = true;
    l->policy->book.registered_here = here && !elsewhere;
    l->policy->book.registered_by_person = elsewhere;
}

static void add_files(struct policy_load *l)
{
    find_registration(l);
    for (size_t i = 0; i < l->gathered->count; i++)
        add_file(l, &l->gathered->items[i]);
    refuse_twins(l);
    if (l->gathered->project_error.status)
        add_problem(l, true, l->project, &l->gathered->project_error);
    if (l->gathered->trust_error.status && !l->request->preview)
        add_problem(l, false, l->project, &l->gathered->trust_error);
}

/* With the mark on the rule in the message itself. */
static enum status refuse_cli(const struct cli_rule *given, const struct error *cause,
                              struct error *err)
{
    struct excerpt e = excerpt_at(given->text, cause->column ? cause->column - 1 : 0);
    const char *name = behavior_name(given->effect);

    return fail_at(err, STATUS_USAGE, 0, (uint32_t)(strlen("-- \"") + strlen(name) + e.column + 1),
                   "--%s \"%.*s\": %s", name, STR_ARG(e.line), cause->message);
}

/* A person can correct it at once, so an invalid rule on the command line is never skipped. */
static void add_cli(struct policy_load *l)
{
    struct policy *p = l->policy;
    struct error e = {0};

    for (size_t i = 0; i < l->request->cli.count; i++) {
        const struct cli_rule *given = &l->request->cli.items[i];
        struct rule rule = {0};
        if (rule_parse_lean(&p->arena, &l->scratch, given->text, l->request->dialect, &rule, &e)) {
            l->status = refuse_cli(given, &e, l->err);
            return;
        }
        rule.effect = given->effect;
        rule.source = SOURCE_CLI;
        rule.base = l->project;
        LIST_PUSH(&l->draft, &p->book.rules, rule);
    }
}

static void warn_of_profile(struct policy_load *l)
{
    const struct rulebook *b = &l->policy->book;
    struct error e;

    if (!b->profile_managed || !l->request->profile.len || str_eq(b->profile, l->request->profile))
        return;
    fail(&e, STATUS_OK, "managed policy chose the profile %.*s: --profile %.*s does not count",
         STR_ARG(b->profile), STR_ARG(l->request->profile));
    add_problem(l, false, (struct str){"", 0}, &e);
}

static void add_cli_mode(struct policy_load *l)
{
    struct mode_setting *set = &l->policy->book.mode;
    struct str name = l->request->mode;
    enum mode mode;

    if (name.len == 0)
        return;
    if (!mode_parse(name, &mode) ||
        mode == MODE_BUBBLE) /* an internal mode that cannot be chosen */
        l->status = fail(l->err, STATUS_USAGE, "unknown mode \"%.*s\"",
                         (int)(name.len < 80 ? name.len : 80), name.s);
    else if (!set->given || l->rank[SOURCE_CLI] < l->rank[set->source])
        *set = (struct mode_setting){.given = true, .mode = mode, .source = SOURCE_CLI};
}

static void add_shipped(struct policy_load *l)
{
    const struct shipped_list *list = l->request->shipped;
    struct policy *p = l->policy;
    struct error e = {0};

    for (size_t i = 0; list && i < list->count; i++) {
        const struct shipped_rule *given = &list->rules[i];
        struct rule rule = {0};
        if (given->runner && p->book.runners_off)
            continue;
        if (rule_parse_lean(&p->arena, &l->scratch, str_from(given->text), list->dialect, &rule,
                            &e)) {
            l->status =
                fail(l->err, STATUS_SYNTAX, "shipped rule \"%s\": %s", given->text, e.message);
            return;
        }
        rule.effect = given->effect;
        rule.source = SOURCE_BUILTIN;
        struct rule_about *about = rule_add_about(&p->arena, &rule);
        about->id = shipped_id(&p->arena, list, given);
        about->reason = str_copy(&p->arena, str_from(given->reason));
        rule.base = l->project;
        rule.covers_loss = list->covers_loss;
        LIST_PUSH(&l->draft, &p->book.rules, rule);
    }
}

static struct str guarding_rule(struct arena *a, const char *tool, struct str directory)
{
    struct buf b = buf_in(a);

    buf_format(&b, "%s(/", tool);
    for (size_t i = 0; i < directory.len; i++) {
        if (strchr("\\*?[]{}()!", directory.s[i]))
            buf_byte(&b, '\\');
        buf_byte(&b, directory.s[i]);
    }
    buf_text(&b, "/**)");
    return buf_str(&b);
}

/* Protects the record and the rules of a service, wherever they are, by rules of managed policy,
 * which count in every model. */
static void add_guard(struct policy_load *l)
{
    static const char *const tools[] = {"Edit", "Read"};
    struct arena *a = &l->policy->arena;
    struct error e = {0};

    for (size_t i = 0; l->request->guarded.len && i < COUNT(tools); i++) {
        struct rule rule = {0};
        if (rule_parse(a, guarding_rule(a, tools[i], l->request->guarded), DIALECT_WARDER, &rule,
                       &e)) {
            l->status =
                fail(l->err, STATUS_USAGE, "the data directory cannot be protected: %s", e.message);
            return;
        }
        rule.effect = BEHAVIOR_DENY;
        rule.source = SOURCE_MANAGED;
        struct rule_about *about = rule_add_about(a, &rule);
        about->id = str_format(a, "builtin-data-%s", i ? "read" : "write");
        about->reason = str_copy(a, STR("Warder's own data"));
        rule.base = l->project;
        LIST_PUSH(&l->draft, &l->policy->book.rules, rule);
    }
}

static bool is_dropped(const struct rulebook *b, const struct rule *r)
{
    return b->managed_rules_only && r->effect == BEHAVIOR_ALLOW && r->source != SOURCE_MANAGED &&
           r->source != SOURCE_BUILTIN;
}

/* Strongest source first; inside a source in the order they were read. */
static void sort_rules(struct policy_load *l)
{
    struct rulebook *b = &l->policy->book;
    struct rules sorted = {0};
    size_t dropped = 0;
    struct error e;

    sorted.items = ARENA_ARRAY(&l->policy->arena, struct rule, b->rules.count);
    sorted.room = b->rules.count;
    for (unsigned rank = 0; rank <= SOURCE_COUNT; rank++)
        for (size_t i = 0; i < b->rules.count; i++) {
            const struct rule *r = &b->rules.items[i];
            if (l->rank[r->source] != rank)
                continue;
            if (is_dropped(b, r))
                dropped++;
            else
                sorted.items[sorted.count++] = *r;
        }
    b->rules = sorted;
    if (dropped == 0)
        return;
    fail(&e, STATUS_OK, "only allow rules of managed policy count: %zu left out", dropped);
    add_problem(l, false, (struct str){"", 0}, &e);
}

static struct str id_of(const struct rule *r)
{
    return rule_about(r)->id.len ? rule_about(r)->id : r->text;
}

static void name_by_place(struct arena *a, struct rule *r, size_t number)
{
    struct str id = id_of(r);

    id = r->file.len
             ? str_format(a, "%.*s @%.*s:%u:%u", STR_ARG(id), STR_ARG(r->file), r->line, r->column)
             : str_format(a, "%.*s @%s:%zu", STR_ARG(id), source_name(r->source), number);
    rule_add_about(a, r)->id = id;
}

/* A rule is known by its id, or else by its text. Of several with the same one the strongest keeps
 * it, and the others get their place added: a record must say which of them decided. */
static void name_twins(struct policy_load *l)
{
    struct rules *rules = &l->policy->book.rules;
    const size_t room = rules->count * 2 + 1;
    size_t *places = ARENA_ARRAY(&l->draft, size_t, room); /* number of a rule + 1; 0: free */

    memset(places, 0, room * sizeof(*places));
    for (size_t i = 0; i < rules->count; i++) {
        const struct str id = id_of(&rules->items[i]);
        size_t at = str_hash(id) % room;
        while (places[at] && !str_eq(id_of(&rules->items[places[at] - 1]), id))
            at = (at + 1) % room;
        if (places[at])
            name_by_place(&l->policy->arena, &rules->items[i], i);
        else
            places[at] = i + 1;
    }
}

/* A mode that a policy forbids falls back to the one that asks. */
static void forbid_modes(struct policy_load *l)
{
    struct rulebook *b = &l->policy->book;
    struct error e;

    if (!b->mode.given || !((b->mode.mode == MODE_BYPASS && b->bypass_disabled) ||
                            (b->mode.mode == MODE_AUTO && b->auto_disabled)))
        return;
    fail_at(&e, STATUS_OK, b->mode.line, 0, "mode %s is disabled by policy",
            mode_name(b->mode.mode));
    add_problem(l, false, b->mode.file, &e);
    b->mode.mode = MODE_DEFAULT;
}

static void fingerprint(struct policy_load *l)
{
    const struct gathered *g = l->gathered;
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;

    sha256_init(&h);
    for (size_t i = 0; i < g->count; i++)
        if (g->items[i].found) {
            sha256_add_part(&h, str_from(g->items[i].path));
            sha256_add_part(&h, g->items[i].text);
        }
    sha256_end(&h, hash);
    rulebook_fingerprint(&l->policy->arena, &l->policy->book,
                         (struct str){(const char *)hash, sizeof(hash)});
}

static void keep_places(struct policy_load *l)
{
    struct arena *a = &l->policy->arena;

    for (size_t i = 0; i < l->gathered->place_count; i++)
        LIST_PUSH(a, &l->policy->places, str_copy(a, str_from(l->gathered->places[i])));
}

/* Everything that allocates in the arena; called inside its arena_try(). */
static void build(void *arg)
{
    struct policy_load *l = arg;

    l->project = str_copy(&l->policy->arena, l->request->project);
    l->home = str_copy(&l->policy->arena, l->request->home);
    if (l->gathered->project.count)
        l->policy->book.digest = str_copy(&l->policy->arena, str_from(l->gathered->project.digest));
    l->policy->book.trusted_at = l->gathered->trusted_at;
    rank_sources(l);
    keep_places(l);
    add_files(l);
    warn_of_profile(l);
    add_cli(l);
    if (!l->status)
        add_guard(l);
    if (!l->status)
        add_cli_mode(l);
    if (!l->status)
        add_shipped(l);
    programs_finish(&l->policy->book);
    sort_rules(l);
    name_twins(l);
    rulebook_index(&l->policy->arena, &l->policy->book, &program_name_lists);
    forbid_modes(l);
    fingerprint(l);
    if (l->request->prove && l->policy->book.examples.count)
        l->request->prove(l->policy, l->request);
}

/* Inside the arena_try() of the policy's arena. */
static void build_from_draft(void *arg)
{
    struct policy_load *l = arg;

    arena_init(&l->draft, l->policy->arena.limit);
    arena_init(&l->scratch, l->policy->arena.limit);
    if (!arena_try(&l->draft, build, l))
        l->status = fail(l->err, STATUS_NOMEM, "the policy has too many rules");
}

static enum status load(struct policy_load *l)
{
    struct gathered gathered;
    struct policy *p = l->policy;

    l->gathered = &gathered;
    l->status = gather(l->request, &gathered, l->err);
    if (!l->status) {
        p->trust = gathered.trust;
        if (!arena_try(&p->arena, build_from_draft, l))
            l->status = fail(l->err, STATUS_NOMEM, "the policy takes more than %zu bytes of memory",
                             p->arena.limit);
    }
    arena_release(&l->draft);
    arena_release(&l->scratch);
    gathered_release(&gathered);
    if (l->status)
        policy_free(p);
    return l->status;
}

/* Memory that was needed only for reading is freed: for a large policy twice as much as it keeps.
 */
static void give_back(const struct policy *policy)
{
#ifdef __GLIBC__
    if (policy->arena.used >= TRIM_FROM)
        malloc_trim(0);
#else
    (void)policy;
#endif
}

static void release(struct policy *policy)
{
    regexes_release(&policy->regexes);
    arena_release(&policy->arena);
    free(policy);
}

enum status policy_open_in(const struct policy_request *request, void *memory, size_t size,
                           struct policy **out, struct error *err)
{
    struct policy_load l = {.request = request, .err = err};
    enum status status;

    *out = NULL;
    l.policy = calloc(1, sizeof(*l.policy));
    if (!l.policy)
        return fail(err, STATUS_NOMEM, "no memory for the policy");
    atomic_init(&l.policy->holders, 1);
    l.policy->release = release;
    if (memory)
        arena_init_in(&l.policy->arena, memory, size);
    else
        arena_init(&l.policy->arena, size);
    if ((status = load(&l)) == STATUS_OK) {
        give_back(l.policy);
        *out = l.policy;
    }
    return status;
}

enum status policy_open(const struct policy_request *request, struct policy **out,
                        struct error *err)
{
    return policy_open_in(request, NULL, POLICY_MEMORY_MAX, out, err);
}
