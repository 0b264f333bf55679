#include "support/lock_scenes.h"

#include "base/json.h"
#include "decide/decide.h"
#include "decide/session.h"
#include "decide/session_builds.h"
#include "facts/general.h"
#include "facts/losses.h"
#include "policy/load.h"
#include "support/paper_disk.h"
#include "support/verdict_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define P PAPER_PROJECT
#define H PAPER_HOME

/* ---- policies ---- */

static const char nothing[] = "{}\n";

static const char denies[] =
    "deny:\n"
    "  - Bash(rm -rf *)\n"
    "  - Bash(git push --force *)\n"
    "  - Bash(git reset --hard:*)\n"
    "  - Bash(curl:*)\n"
    "  - Bash(touch *)\n"
    "  - Bash(chmod 777 *)\n"
    "  - Bash(tar -xzf *)\n"
    "  - Bash(sed -i *)\n"
    "  - Bash(find * -delete)\n"
    "  - Bash(kubectl delete ns prod *)\n"
    "  - Bash(npm publish:*)\n"
    "  - Bash(kill -9 *)\n"
    "  - Bash(docker run --privileged *)\n"
    "  - Bash(sudo *)\n"
    "  - Bash(echo secret)\n"
    "  - Read(~/.ssh/**)\n"
    "  - Read(.env)\n"
    "  - Read(//etc/**)\n"
    "  - Read(**/secrets/*.pem)\n"
    "  - Edit(/src/**)\n"
    "  - Write(./out/*)\n"
    "  - Edit(../other/**)\n"
    "  - Edit(*.lock)\n"
    "  - WebFetch(domain:evil.org)\n"
    "  - WebFetch(domain:*.example.net)\n"
    "  - mcp__db__drop\n"
    "  - mcp__prod\n"
    "  - NotebookEdit\n"
    "  - {rule: Bash, flags: [--force], paths: [//etc, ~/notes], reason: not here}\n"
    "  - {rule: \"Bash(git push:*)\", unless: [\"Bash(git push origin *)\"]}\n"
    "  - {pattern: \"wget*\"}\n"
    "  - {rule: Bash, regex: \"^(ls|cat) .*/srv\", id: srv, comment: not ours}\n"
    "  - {effect: send, hosts: [\"*.example.net\", x.org]}\n"
    "ask:\n"
    "  - Bash(git commit:*)\n"
    "  - Bash(make *)\n"
    "  - Bash(python3 *)\n"
    "  - Read(/notes.txt)\n"
    "  - Edit(**/*.c)\n"
    "  - Grep\n"
    "  - mcp__x__*\n"
    "  - {effect: delete}\n"
    "  - {effect: network, when: {mode: [acceptEdits]}}\n"
    "allow:\n"
    "  - Bash(git push origin *)\n"
    "  - Bash(cat *)\n"
    "  - Edit\n"
    "disabledTools: [Agent]\n";

static const char allows[] =
    "allow:\n"
    "  - Bash(npm *)\n"
    "  - Bash(git *)\n"
    "  - Bash(echo *)\n"
    "  - Bash(cat:*)\n"
    "  - Bash(python3 *)\n"
    "  - Bash(node *)\n"
    "  - Bash(bash *)\n"
    "  - Bash(sh *)\n"
    "  - Bash(curl *)\n"
    "  - Bash(find *)\n"
    "  - Bash(cp *)\n"
    "  - Bash(rm *)\n"
    "  - Bash(make *)\n"
    "  - Bash(sed *)\n"
    "  - Bash(awk:*)\n"
    "  - Bash(tar *)\n"
    "  - Bash(xargs *)\n"
    "  - Bash(cargo *)\n"
    "  - Bash(go *)\n"
    "  - Bash(docker *)\n"
    "  - Bash(kubectl get *)\n"
    "  - Bash(ssh host *)\n"
    "  - Bash(./build.sh *)\n"
    "  - Bash(tools/* --check)\n"
    "  - Bash(touch //tmp/*)\n"
    "  - Read(//etc/**)\n"
    "  - Read(~/notes/**)\n"
    "  - Edit(/src/**)\n"
    "  - Write(./out/**)\n"
    "  - Edit(//tmp/**)\n"
    "  - WebFetch(domain:*.github.com)\n"
    "  - WebFetch(domain:docs.rs)\n"
    "  - mcp__github__*\n"
    "  - mcp__files__read\n"
    "  - Glob\n"
    "  - WebSearch\n"
    "  - {tool: \"Bash:ls *\"}\n"
    "  - {rule: \"Bash(git push:*)\", within: {hosts: [github.com, \"*.x.org\"]}}\n"
    "  - {rule: \"Bash(wget:*)\", within: {hosts: [\"*.x.org\"], paths: [/out, //tmp], access: "
    "[write]}}\n"
    "  - {rule: \"Bash(mv:*)\", within: {effects: [delete, write], options: [-f], paths: "
    "[/d/**]}}\n"
    "  - {rule: Bash, regex: \"^ruby (x|y)$\", comment: builds}\n"
    "  - {rule: Bash, flags: [-n, --dry-run], when: {until: 2099-12-31}}\n"
    "deny:\n"
    "  - Bash(git push --delete *)\n"
    "  - Read(.env)\n"
    "ask:\n"
    "  - {rule: \"Bash(docker run:*)\", unless: [\"Bash(docker run --rm *)\", {effect: "
    "privilege}]}\n"
    "variables: [STAGE, \"MYAPP_*\"]\n"
    "additionalDirectories: [/srv/data, ../other]\n"
    "readOnlyServers: [x, github]\n"
    "programs:\n"
    "  - {name: deployctl status, options: \"-v -e,--env=\", operands: none, effects: [fetch]}\n"
    "  - {name: deployctl push, options: \"-f,--force\", operands: \"R+\", effects: [send]}\n"
    "  - {name: withlock, options: \"-t=\", operands: W I, transparent: true}\n";

static const char whole[] = "allow: [Bash, Read, Edit, Write, WebFetch, \"mcp__*\"]\n"
                            "deny:\n"
                            "  - Bash(git push *)\n"
                            "  - Bash(rm *)\n"
                            "  - Bash(python3 *)\n"
                            "  - Bash(make install *)\n"
                            "  - Bash(tar --extract *)\n"
                            "  - Bash(dd of=*)\n"
                            "  - Bash(ssh * reboot)\n"
                            "  - Bash(cp -r *)\n"
                            "  - Bash(ls -la *)\n"
                            "  - Bash(npm install *)\n"
                            "  - Bash(bash -c *)\n"
                            "  - Edit(~/**)\n"
                            "  - Edit(/d/**)\n"
                            "  - Read(secrets/)\n"
                            "ask:\n"
                            "  - Bash(git *)\n"
                            "  - Bash(cat *.txt)\n"
                            "  - Edit(./*.sh)\n"
                            "undo: {use: on}\n";

static const char effects[] = "deny:\n"
                              "  - {effect: privilege}\n"
                              "  - {effect: secrets}\n"
                              "  - {effect: loss, paths: [/src]}\n"
                              "  - {effect: send, unless: [\"Bash(git push *)\"]}\n"
                              "  - {effect: process, when: {mode: [default]}}\n"
                              "ask:\n"
                              "  - {effect: write, paths: [//tmp, ~/notes, ./d]}\n"
                              "  - {effect: install, when: {for: 1h}}\n"
                              "  - {effect: network, hosts: [x.org]}\n"
                              "allow:\n"
                              "  - {effect: delete, paths: [/build, /out]}\n"
                              "  - {effect: write, paths: [/src]}\n"
                              "  - {effect: project}\n"
                              "  - {effect: repository}\n"
                              "  - {rule: Bash, hosts: [\"*.github.com\"]}\n"
                              "sandbox: {use: always, write: [~/notes], hide: [/secrets], outside: "
                              "[\"make deploy*\"], network: {hosts: [github.com]}}\n";

static const char careful[] = "clearances: off\n"
                              "runners: false\n"
                              "scripts: false\n"
                              "inline: false\n"
                              "undo: {use: off}\n"
                              "pause: off\n"
                              "allow: [Bash(git status), Bash(ls *), Read]\n";

static const char mink[] =
    "allow: [Bash(command:make*), Bash(command:npm *), \"Bash(git log:*)\", "
    "Read(file_path:/home/*), Write(file_path:src/*), \"WebFetch(url:https://docs*)\"]\n"
    "ask: [Bash(command:git push*), Bash(command:rm*)]\n"
    "deny: [Bash(command:dd*), Bash(command:sudo*), \"mcp__db__query(database:prod*)\", "
    "Read(file_path:*.pem), WebSearch]\n";

static const char waterfall[] =
    "allow: [Bash(npm test), Bash(make), Write(/src/**), Read, \"Bash(git {status,log}*)\"]\n"
    "ask: [Bash(npm), \"Edit(**/*.c)\"]\n"
    "deny: [Bash(rm), Bash(npm publish), Bash(push origin), Glob(secret), \"Read(**/.env)\"]\n";

static const char caliban[] =
    "allow: [\"Bash:make *\", \"Bash:git *\", \"Edit:src/*\", \"Read:*\", \"mcp__x__*\"]\n"
    "ask: [\"Bash:git push *\", \"Write:*\"]\n"
    "deny: [\"Bash:rm *\", \"Write:/etc/*\", \"Read:secret*\", \"Bash:*sudo*\", "
    "\"WebFetch:http://*\"]\n";

static const char guild[] = "allow: [\"cat *\", \"make *\", \"git {status,log,diff}*\", \"tee *\", "
                            "\"ls *\", \"mcp__docs__search\", \"src/**\"]\n"
                            "deny: [\"git push*\", \"make install\", \"rm -rf *\", \"/etc/**\", "
                            "\"**/.env\", \"curl*\", \"sudo *\"]\n";

static const char mini[] =
    "allow: [run_shell(npm test*), run_shell(make*), run_shell(git status), write_file(" P
    "/d/*), Bash(ls*)]\n"
    "deny: [run_shell(curl*), run_shell(rm -rf*), read_file(/etc/*), write_file(/etc/hosts), "
    "Bash(git push*)]\n";

/* ---- scenes ---- */

enum {
    AGED = 1,       /* the session has begun, built and brought in things */
    HEADLESS = 2,   /* nobody answers */
    AUTO = 4,       /* --auto-allow */
    BYPASS = 8,     /* --mode bypassPermissions */
    SAVES = 16,     /* undo saves what is lost */
    UNSAVED = 32,   /* ... and cannot */
    PAUSED = 64,    /* by a person */
    NO_INDEX = 128, /* all rules are compared */
    MARKED = 256,   /* MCP tools are said to be read-only */
    ANSWERED = 512, /* a hook and a callback have answered */
    SPENT = 1024,   /* many denials, and a secret given to git */
    POOR = 2048,    /* little is known of the machine */
};

static const struct {
    const char *name, *profile, *mode, *policy, *cwd;
    unsigned how;
    struct cell_facts cell;
} scenes[] = {
    {"plain", "warder", "default", nothing, P, 0, {0}},
    {"cell",
     "warder",
     "default",
     nothing,
     P,
     AGED | SAVES,
     {.tier = CELL_NAMESPACES, .rewrites = true, .rules_read = true}},
    {"denies", "warder", "default", denies, P, AGED, {0}},
    {"allows", "warder", "default", allows, P, AGED | MARKED, {0}},
    {"whole",
     "warder",
     "default",
     whole,
     P,
     AGED | SAVES,
     {.tier = CELL_LANDLOCK, .rewrites = true, .rules_read = true}},
    {"effects",
     "warder",
     "default",
     effects,
     P "/src",
     AGED,
     {.tier = CELL_NAMESPACES, .rewrites = true, .rules_read = true}},
    {"edits", "warder", "acceptEdits", denies, P "/d", AGED | UNSAVED | NO_INDEX, {0}},
    {"edits-cell",
     "warder",
     "acceptEdits",
     allows,
     P,
     SAVES,
     {.tier = CELL_NAMESPACES, .rewrites = true, .rules_read = true}},
    {"plan", "warder", "plan", allows, P, AGED, {0}},
    {"bypass", "warder", "bypassPermissions", denies, P, AGED | BYPASS | SPENT, {0}},
    {"dont-ask",
     "warder",
     "dontAsk",
     allows,
     P,
     HEADLESS,
     {.tier = CELL_NAMESPACES, .rules_read = true}},
    {"auto", "warder", "auto", careful, P, AGED, {0}},
    {"paused", "warder", "default", effects, H, PAUSED | SPENT, {0}},
    {"lifted", "warder", "default", whole, P "/sub", AUTO, {0}},
    {"below", "warder", "default", nothing, P "/d", AGED | SAVES, {0}},
    {"poor", "warder", "default", allows, P, AGED | POOR, {0}},
    {"caliban", "caliban", "default", caliban, P, AGED, {0}},
    {"waterfall", "waterfall", "default", waterfall, P, ANSWERED, {0}},
    {"guild", "guild", "default", guild, P, AGED, {0}},
    {"mini", "mini", "default", mini, P, MARKED, {0}},
    {"mink", "mink", "acceptEdits", mink, P, AGED | MARKED, {0}},
};

static struct world poor_world; /* without what may be missing */
static struct policy *policies[COUNT(scenes)];
static const struct profile *profiles[COUNT(scenes)];

size_t lock_scene_count(void)
{
    return COUNT(scenes);
}

const char *lock_scene_name(size_t scene)
{
    return scenes[scene].name;
}

bool lock_scene_is_ruled(size_t scene)
{
    return scenes[scene].policy != nothing && scenes[scene].policy != careful;
}

const struct rulebook *lock_scene_book(size_t scene)
{
    return &policies[scene]->book;
}

static void read_policy(struct arena *a, size_t scene)
{
    struct policy_request request = {
        .dialect = profiles[scene]->dialect,
        .order = profiles[scene]->order,
        .shipped = profiles[scene]->shipped,
        .caliban_paths = profiles[scene]->caliban_paths,
        .project = STR(P),
        .home = STR(H),
        .root = STR("/nonexistent"),
        .named = true,
        .now = PAPER_BEGAN,
    };
    const struct policy_text text = {STR("lock.yaml"), FORMAT_WARDER,
                                     str_from(scenes[scene].policy)};
    struct error err = {0};

    LIST_PUSH(a, &request.texts, text);
    if (policy_open(&request, &policies[scene], &err) != STATUS_OK)
        fail_msg("%s: %s", scenes[scene].name, err.message);
    for (size_t i = 0; i < policies[scene]->book.problems.count; i++)
        fail_msg("%s: %.*s", scenes[scene].name,
                 STR_ARG(policies[scene]->book.problems.items[i].message));
}

static void open_all(void *arena)
{
    poor_world = (struct world){
        .kind = paper_world.kind, .resolve = paper_world.resolve, .regex = paper_world.regex};
    for (size_t i = 0; i < COUNT(scenes); i++) {
        profiles[i] = profile_find(str_from(scenes[i].profile));
        read_policy(arena, i);
    }
}

void lock_scenes_open(void)
{
    struct arena arena;

    arena_init(&arena, (size_t)16 << 20);
    assert_true(arena_try(&arena, open_all, &arena));
    arena_release(&arena);
}

/* ---- one call ---- */

static struct str paused(void *context, const struct call *call)
{
    (void)context;
    (void)call;
    return STR("noon");
}

static const struct cell_facts *cell_of(void *scene)
{
    return &scenes[*(const size_t *)scene].cell;
}

static bool saves(void *scene, struct arena *a, const struct losses *losses, struct str *why_not)
{
    (void)a;
    (void)losses;
    *why_not = scenes[*(const size_t *)scene].how & UNSAVED ? STR("big.bin is larger than 64M")
                                                            : (struct str){0};
    return !why_not->len;
}

static struct session session_of(struct arena *a, size_t scene)
{
    const unsigned how = scenes[scene].how;
    struct session s = {0};
    const struct session_program built[] = {
        {.path = STR(P "/out/prog"), .built = (int64_t)PAPER_BEGAN * 1000 + 50000},
        {.path = STR(P "/build/"),
         .tree = STR(H "/.cache/go-build"),
         .built = (int64_t)PAPER_BEGAN * 1000},
    };

    if (how & AGED) {
        s.began = PAPER_BEGAN;
        s.brought = 2;
        s.agreed = 1;
        for (size_t i = 0; i < COUNT(built); i++)
            LIST_PUSH(a, &s.programs, built[i]);
    }
    if (how & SPENT) {
        s.denials = 19;
        s.denials_in_a_row = 3;
        s.given = STR(P "/.env");
    }
    return s;
}

static void say_losses(struct buf *b, const struct verdict *v)
{
    struct losses l = {0};

    losses_find(v->facts, &l);
    if (!l.git && !l.paths.count)
        return;
    buf_format(b, " loses %d%d", (int)l.git, l.git_alone);
    for (size_t i = 0; i < l.paths.count; i++)
        buf_format(b, " %d%d%d<%.*s>", l.paths.items[i].tree, l.paths.items[i].written,
                   l.paths.items[i].at_once, STR_ARG(l.paths.items[i].path));
    buf_byte(b, '\n');
}

/* What each action is an example of. */
static void say_general(struct buf *b, const struct verdict *v)
{
    for (size_t i = 0; i < v->facts->actions.count; i++) {
        struct general g = {0};
        action_generalise(v->facts, &v->facts->actions.items[i], &g);
        buf_format(b, " general %d <%s> <%.*s> <%.*s>", (int)g.kind, g.why ? g.why : "",
                   STR_ARG(g.name), STR_ARG(g.rule));
        for (size_t n = 0; n < g.hosts.count; n++)
            buf_format(b, " %.*s", STR_ARG(g.hosts.items[n]));
        buf_byte(b, '\n');
    }
}

/* What the call leaves in its session, if a person has approved it. */
static struct session session_past(struct arena *a, const struct session *before,
                                   const struct verdict *v)
{
    struct session s = *before;

    session_builds_keep(a, &s, v, (int64_t)PAPER_BEGAN * 1000 + 60000);
    session_agree(a, &s, v);
    session_brings(&s, v, false, before);
    session_gives(&s, v);
    session_grant(a, &s, v);
    session_count(&s, v->behavior, v->mode);
    session_judged(&s, v->mode);
    session_after(&s, v->facts->call, v->mode);
    return s;
}

static void say_session(struct buf *b, const struct session *before, const struct session *s,
                        const struct verdict *v)
{
    if (session_builds_change(before, v) || !session_same_tree(before, s))
        buf_text(b, " changes");
    if (decide_depends_on_age(v) || decide_depends_on_programs(v))
        buf_text(b, " depends");
    buf_format(b, " like=%d", session_is_like(before, s, v->facts->call->project));
    buf_format(b, " session %u %u %d%d %u %u <%.*s>", s->brought, s->agreed, s->has_mode,
               (int)s->mode, s->denials, s->denials_in_a_row, STR_ARG(s->given));
    for (size_t i = 0; i < s->programs.count; i++)
        buf_format(b, " <%.*s>%.*s", STR_ARG(s->programs.items[i].path),
                   STR_ARG(s->programs.items[i].tree));
    for (size_t i = 0; i < s->grants.count; i++)
        buf_format(b, " %.*s", STR_ARG(s->grants.items[i]));
    for (size_t i = 0; i < s->agreements.count; i++)
        buf_format(b, " %.*s", STR_ARG(s->agreements.items[i]));
    buf_byte(b, '\n');
}

/* The same call once more in such a session. */
static void say_again(struct buf *b, struct arena *a, struct decide_options o,
                      const struct session *past, const struct call *call)
{
    struct verdict v = {0};

    o.session = past;
    decide(a, &o, call, &v);
    buf_text(b, "and again: ");
    verdict_text(b, &v);
}

static enum status make_call(struct arena *a, size_t scene, struct str tool, struct str argument,
                             struct call *call, struct error *err)
{
    const struct call_defaults d = {.cwd = str_from(scenes[scene].cwd),
                                    .home = STR(H),
                                    .project = str_eq(str_from(scenes[scene].cwd), STR(H)) ? STR(H)
                                                                                           : STR(P),
                                    .mode = str_from(scenes[scene].mode),
                                    .plan_file = STR(H "/.claude/plans/plan-x.md")};
    enum status status;

    if (argument.len && argument.s[0] == '{') {
        struct value *v = ARENA_NEW(a, struct value);
        if ((status = json_read(a, argument, NULL, v, err)) == STATUS_OK)
            status = call_from_input(a, tool, v, &d, call, err);
    } else {
        status = call_make(a, tool, argument, &d, call, err);
    }
    call->read_only = (scenes[scene].how & MARKED) != 0;
    return status;
}

enum behavior lock_scene_judge_by(struct arena *a, size_t scene, const struct rulebook *book,
                                  struct str tool, struct str argument, struct str *result)
{
    const unsigned how = scenes[scene].how;
    const struct session session = session_of(a, scene);
    struct buf b = buf_in(a);
    struct error err = {0};
    struct call call = {0};
    struct verdict v = {0};

    if (make_call(a, scene, tool, argument, &call, &err) != STATUS_OK) {
        decide_malformed(a, str_format(a, "%s", err.message), &v);
        *result = str_format(a, "%.*s at %u:%u", STR_ARG(v.reason), err.line, err.column);
        return v.behavior;
    }
    const struct decide_options o = {
        .profile = profiles[scene],
        .book = book,
        .session = &session,
        .world = how & POOR ? &poor_world : &paper_world,
        .home = STR(H),
        .own_mode = str_from(scenes[scene].mode),
        .bypass_flag = how & BYPASS,
        .headless = how & HEADLESS,
        .auto_allow = how & AUTO,
        .now = PAPER_BEGAN + 600,
        .paused = how & PAUSED ? paused : NULL,
        .cell = cell_of,
        .saves = how & (SAVES | UNSAVED) ? saves : NULL,
        .context = &scene,
        .hook = {.given = how & ANSWERED,
                 .decided = argument.len % 3 == 0,
                 .behavior = (enum behavior)(argument.len % 2 + 1)},
        .callback = {.given = how & ANSWERED,
                     .decided = argument.len % 5 == 0,
                     .behavior = BEHAVIOR_ALLOW},
    };
    decide(a, &o, &call, &v);
    verdict_text(&b, &v);
    if (v.facts) {
        say_losses(&b, &v);
        say_general(&b, &v);
        const struct session past = session_past(a, &session, &v);
        say_session(&b, &session, &past, &v);
        if (v.behavior == BEHAVIOR_ASK && argument.len % 3 == 0)
            say_again(&b, a, o, &past, &call);
    }
    *result = buf_str(&b);
    return v.behavior;
}

enum behavior lock_scene_judge(struct arena *a, size_t scene, struct str tool, struct str argument,
                               struct str *result)
{
    struct rulebook book = policies[scene]->book;

    if (scenes[scene].how & NO_INDEX)
        book.index = NULL;
    return lock_scene_judge_by(a, scene, &book, tool, argument, result);
}
