/* sandbox.c - the plan of one command that a person runs in the sandbox. */
#include <sys/stat.h>

#include "ask/cells.h"
#include "base/path.h"
#include "engine/cell.h"
#include "engine/report.h"
#include "facts/sensitive_paths.h"
#include "programs/kits.h"

struct planning {
    const warder_engine *engine;
    struct cell_order order;
};

static void fill(struct report *r, const void *about)
{
    const struct planning *p = about;
    struct cell_places places;

    cell_plan_write(r->arena, &r->json, &p->order, &places);
    buf_format(&r->text, "%zu writable, %zu protected, %zu hidden\n", places.write.count,
               places.protect.count, places.hide.count);
}

static bool has_directory(struct str path)
{
    struct stat st;

    return path.len && stat(path.s, &st) == 0 && S_ISDIR(st.st_mode);
}

static enum status check(const warder_engine *e, const char *program, const char *const *words,
                         struct error *err)
{
    if (!e || !program || !words || !words[0])
        return fail(err, STATUS_USAGE, "a program and its words are needed");
    if (e->tier_given && e->tier == CELL_NONE)
        return fail(err, STATUS_USAGE, "a sandbox needs a tier");
    if (!has_directory(e->project) || !has_directory(e->cwd))
        return fail(err, STATUS_USAGE, "the sandbox needs a project directory that exists");
    if (path_too_wide(e->project, e->home))
        return fail(err, STATUS_USAGE,
                    "%s is too wide for a sandbox: everything in it could be written",
                    e->project.s);
    return STATUS_OK;
}

/* The kit of a program that a person runs, if policy gives that. */
static struct strs kits_of(const struct rulebook *book, const char *word, struct str *room)
{
    const struct kit *kit = program_kit(program_by_any_name(path_base(str_from(word))));

    if (!kit || !sandbox_has_kit(&book->sandbox, kit->name))
        return (struct strs){0};
    *room = str_from(kit->name);
    return (struct strs){room, 1, 1};
}

/* npm install, and not npm test: by its own row. */
static bool needs_registry(const char *const *words)
{
    const struct program_row *program = program_by_any_name(path_base(str_from(words[0])));
    const struct program_row *row =
        program && words[1] ? program_subcommand(str_from(program->name), str_from(words[1]))
                            : NULL;

    return (row ? row->effects : program ? program->effects : 0u) & KIT_EFFECTS;
}

/* The one that is asked for, or the one that `warder sandbox check` has found. */
static enum cell_tier tier_of(const warder_engine *e)
{
    bool untried;

    if (e->tier_given)
        return e->tier;
    return cells_tier(e->home.s, STR("run"), &untried) == CELL_LANDLOCK ? CELL_LANDLOCK
                                                                        : CELL_NAMESPACES;
}

static struct cell_order order_of(const warder_engine *e, const struct rulebook *book,
                                  const char *program, const char *const *words, struct str *kit)
{
    struct cell_order order = {.book = book,
                               .own = &e->own,
                               .home = e->home,
                               .project = e->project,
                               .directory = e->cwd,
                               .program = program,
                               .words = words,
                               .tier = tier_of(e),
                               .kits = kits_of(book, words[0], kit)};

    if (needs_registry(words))
        order.registries = order.kits;
    return order;
}

warder_status warder_sandbox_plan(warder_engine *engine, const char *program,
                                  const char *const *words, warder_report **out, warder_error *err)
{
    struct error failed = {0};
    const struct project_policy *policy = NULL;
    struct str kit;

    if (check(engine, program, words, &failed) != STATUS_OK)
        return error_out(err, &failed);
    struct snapshot *snapshot = snapshot_slot_take(&engine->slot);
    warder_status status = WARDER_OK;
    if (snapshot_project(snapshot, engine->project, &policy, &failed) == STATUS_OK) {
        const struct planning p = {engine, order_of(engine, policy->book, program, words, &kit)};
        status = report_make_line(fill, &p, out, err);
    } else {
        status = error_out(err, &failed);
    }
    snapshot_drop(snapshot);
    return status;
}
