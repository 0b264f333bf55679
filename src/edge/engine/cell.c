#include "engine/cell.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/cells.h"
#include "base/auto.h"
#include "base/path.h"
#include "base/sha256.h"
#include "client/client.h"
#include "decide/contained_network.h"
#include "engine/approve.h"
#include "engine/cell_outside.h"
#include "engine/cell_rules.h"
#include "engine/losses.h"

#define SESSION_BYTES 8 /* of a hash that tells sessions apart */

/* ---- whether ---- */

static bool tier_of(const warder_decision *d, enum cell_tier *out)
{
    const warder_engine *e = d->engine;

    if (d->call.tier.len && !e->recorder)
        return cell_tier_parse(d->call.tier, out);
    *out = e->tier;
    return e->tier_given;
}

struct cell_facts cell_find(const warder_decision *d)
{
    const warder_engine *e = d->engine;
    struct str name = d->past_client.len ? d->past_client : decision_client(d);
    const struct client *client = name.len ? client_find(name) : NULL;
    struct cell_facts found = {0};

    if (!e->contains || !client)
        return found;
    found.rewrites = client_contains(client);
    found.rules_read = cell_rules_known(d, client);
    found.edits_by_person = decision_edits_by_person(d, client);
    if (tier_of(d, &found.tier) || !found.rewrites)
        return found;
    bool untried;
    found.tier = cells_tier(e->home.s, str_from(client->name), &untried);
    d->engine->untried |= untried && e->recorder;
    return found;
}

/* ---- the plan ---- */

/* The same for all calls of a session in one workspace; empty if there is none. */
static struct str session_of(const warder_decision *d)
{
    const struct str parts[] = {decision_client(d), d->call.session, d->verdict.facts->workspace};
    char digits[2 * SHA256_BYTES + 1];
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;

    if (!d->call.session.len)
        return (struct str){0};
    sha256_init(&h);
    for (size_t i = 0; i < COUNT(parts); i++)
        sha256_add_part(&h, parts[i]);
    sha256_end(&h, hash);
    *str_hex(digits, hash, SESSION_BYTES) = '\0';
    return str_copy(d->verdict.facts->arena, str_from(digits));
}

static struct cell_order order_of(const warder_decision *d)
{
    const struct facts *f = d->verdict.facts;

    return (struct cell_order){.book = d->book,
                               .own = &d->engine->own,
                               .home = d->engine->home,
                               .project = f->workspace,
                               .directory = call_directory(f->arena, f->call, f->home),
                               .tier = d->verdict.contained.tier,
                               .kits = contained_kits(f),
                               .registries = contained_registries(f),
                               .session = session_of(d)};
}

void cell_write_places(struct json_writer *w, const warder_decision *d, struct cell_places *places)
{
    static const char *const words[] = {"bash", NULL};
    struct cell_order order = order_of(d);

    order.program = "/bin/bash";
    order.words = words;
    cell_plan_write(w->out->arena, w, &order, places);
}

/* ---- leaving ---- */

struct containing_call {
    warder_decision *decision;
    struct str command, plan;
    char token[CELL_TOKEN_SIZE], program[PATH_MAX], boot[CELL_BOOT_SIZE], build[CELL_BUILD_SIZE];
    char call[CELL_CALL_SIZE];
    const char *shell;
    int tokens;               /* the directory */
    bool follow;              /* the client's shell asks where the cell's shell has ended */
    bool outside;             /* a person lets it run there */
    struct bound_files bound; /* for a person who would */
    struct cell_undo undo;
    struct cell_memory memory;
    struct cell_places places;
    const struct value *input;
};

static const char *find_shell(void)
{
    static const char *const places[] = {"/bin/bash", "/usr/bin/bash"};

    for (size_t i = 0; i < COUNT(places); i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return NULL;
}

static bool is_directory(struct arena *a, struct str path)
{
    struct stat st;

    return stat(str_copy(a, path).s, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool starts_anew(const warder_decision *d)
{
    const struct client *client = client_find(d->past_client);

    return client && client->starts_anew;
}

static bool needs_no_quotes(struct arena *a, struct str path)
{
    static const char plain[] =
        "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@";

    return strspn(str_copy(a, path).s, plain) == path.len;
}

/* As `warder-cell TOKEN`. From inside of a cell a command cannot change the directory of the
 * client's shell: where its text leaves the shell in another one, the client's shell enters that,
 * too, before, or after a text that may have made it. Where it cannot be told which one it will be,
 * warder-cell says so afterwards. */
static struct str new_command(struct containing_call *c)
{
    const struct facts *f = c->decision->verdict.facts;
    struct arena *a = &c->decision->arena;

    if ((f->stays && !f->enters.len) || starts_anew(c->decision))
        return str_format(a, "%s %s", c->program, c->token);
    c->follow = !f->stays || !needs_no_quotes(a, f->enters);
    if (c->follow)
        return str_format(a, "%s %s; set -- $?; cd -- \"$(%s --left %s)\" 2>/dev/null; (exit $1)",
                          c->program, c->token, c->program, c->token);
    if (is_directory(a, f->enters))
        return str_format(a, "cd -- %.*s; %s %s", STR_ARG(f->enters), c->program, c->token);
    return str_format(a, "%s %s; set -- $?; cd -- %.*s 2>/dev/null; (exit $1)", c->program,
                      c->token, STR_ARG(f->enters));
}

/* Every member that names the command: clients differ in which of them they read. */
static const struct value *new_input(struct containing_call *c)
{
    const struct call *call = &c->decision->last;
    struct arena *a = &c->decision->arena;
    struct value *v = ARENA_NEW(a, struct value);
    size_t replaced = 0;

    *v = *call->input;
    v->members = ARENA_ARRAY(a, struct member, v->count + 1);
    for (size_t i = 0; i < v->count; i++) {
        struct str names = call->row->first, name;
        v->members[i] = call->input->members[i];
        while (str_next_word(&names, &name)) {
            if (!str_eq(name, v->members[i].key))
                continue;
            if (v->members[i].value.kind != VALUE_STRING)
                return NULL;
            v->members[i].value.text = new_command(c);
            replaced++;
        }
    }
    return replaced ? v : NULL;
}

static void write_plan(struct containing_call *c)
{
    warder_decision *d = c->decision;
    struct arena *a = &d->arena;
    const char *const words[] = {"bash", "-c", str_copy(a, c->command).s, NULL};
    struct cell_order order = order_of(d);
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    order.program = c->shell;
    order.words = words;
    order.token = str_from(c->token);
    order.boot = str_from(c->boot);
    order.build = str_from(c->build);
    order.call = str_from(c->call);
    order.until = c->memory.now + CELL_SECONDS;
    order.undo = c->undo;
    order.memory = &c->memory;
    order.follow = c->follow;
    order.bound = d->outside[0] ? &c->bound : NULL;
    cell_plan_write(a, &w, &order, &c->places);
    c->plan = buf_str(&b);
}

static void plan_call(void *arg)
{
    struct containing_call *c = arg;
    warder_decision *d = c->decision;

    if (!call_command(&d->arena, &d->last, &c->command) || str_has(c->command, '\0'))
        return;
    c->input = new_input(c);
    const struct cell_call call = {
        .client = str_copy(&d->arena, d->past_client),
        .session = d->call.session,
        .use = d->call.tool_use_id.len ? d->call.tool_use_id : c->command,
    };
    cells_name_call(&call, c->call);
    write_plan(c);
}

/* What runs in a cell could put its own program in the place of the one that builds cells. */
static bool is_program_exposed(const struct containing_call *c)
{
    for (size_t i = 0; i < c->places.write.count; i++)
        if (path_is_inside(str_from(c->program), c->places.write.items[i]))
            return true;
    return false;
}

/* Without namespaces a cell can read what it can write. In the directory for temporary files only
 * sockets are hidden then (cell_plan.c). */
static bool hides_in_vain(const struct containing_call *c)
{
    for (size_t i = 0; i < c->places.hide.count; i++)
        for (size_t k = 0; k < c->places.write.count; k++)
            if (path_is_inside(c->places.hide.items[i], c->places.write.items[k]) &&
                !str_is(c->places.write.items[k], "/tmp"))
                return c->decision->verdict.contained.tier == CELL_LANDLOCK;
    return false;
}

/* Why it cannot be contained; NULL: it is. */
static const char *contain(struct containing_call *c, struct str recalled, struct error *err)
{
    warder_decision *d = c->decision;

    if (!cells_program(d->engine->program, c->program, sizeof(c->program)))
        return "warder-cell is not where it should be";
    if (!(c->shell = find_shell()))
        return "there is no bash to run it";
    if (!cells_new_token(c->token) || !cells_boot(c->boot))
        return "the system gives no random bytes, or does not say when it was started";
    cells_build(c->build);
    c->memory = (struct cell_memory){.boot = str_from(c->boot),
                                     .build = str_from(c->build),
                                     .now = approval_now(),
                                     .old = recalled};
    losses_record(d, &c->undo);
    c->undo.needed = d->verdict.reversible.by_cell;
    if (c->undo.needed && !c->undo.entry.len)
        return "what it deletes cannot be saved";
    if (!decision_try(d, plan_call, c) || !c->input || !c->plan.len)
        return "no plan could be made for it";
    if (is_program_exposed(c))
        return "warder-cell is where it could be replaced";
    if (hides_in_vain(c))
        return "something in the workspace is hidden, and this machine has no namespaces";
    if (cells_put(c->tokens, c->token, c->plan, err) != STATUS_OK)
        return err->message;
    cells_remember(c->tokens, c->token, c->memory.new);
    memcpy(d->token, c->token, sizeof(c->token));
    return NULL;
}

static const char *open_and_contain(struct containing_call *c, struct error *err)
{
    AUTO_CLOSE int tokens = -1;
    AUTO_FREE char *recalled = NULL;
    size_t len = 0;

    if (cells_open(c->decision->engine->home.s, &tokens, err) != STATUS_OK)
        return err->message;
    cell_outside_name(c->decision, &c->bound);
    c->outside = cell_outside_take(c->decision, tokens);
    if (c->outside)
        return NULL;
    cells_recall(tokens, CELL_MEMORY_MAX, &recalled, &len);
    c->tokens = tokens;
    return contain(c, (struct str){recalled, len}, err);
}

void cell_contain(warder_decision *d)
{
    struct containing_call c = {.decision = d};
    struct error err = {0};

    if (d->verdict.behavior != BEHAVIOR_ALLOW || !d->verdict.contained.yes ||
        !d->engine->recorder || !d->engine->contains)
        return;
    const char *why = open_and_contain(&c, &err);
    if (c.outside) {
        d->verdict.contained = (struct contained){0};
        d->verdict.reason = STR("a person lets it run outside the sandbox, once");
        return;
    }
    if (!why) {
        d->verdict.updated_input = c.input;
        return;
    }
    snprintf(d->why, sizeof(d->why), "it should run in the sandbox: %.200s", why);
    d->verdict.contained = (struct contained){0};
    d->verdict.reversible = (struct reversible){0};
    verdict_refuse(&d->verdict, BEHAVIOR_ASK, layers[LAYER_CONTAINED].name, str_from(d->why));
}
