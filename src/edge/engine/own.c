/* own.c - what the verdicts of an engine depend on besides its policy files, and where it is on
 * this machine: the agents' settings where a variable has moved them, our record and socket, and
 * the program that runs with those beside it. */
#include "facts/own_places.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "call/agents.h"
#include "engine/edges.h"
#include "engine/engine.h"

static void add(warder_engine *e, struct str path)
{
    own_places_add(&e->arena, &e->own, e->home, path);
}

/* A hook has forgotten the one that also says where policy is, and keeps it under another name. */
static struct str moved_to(const struct agent_move *m)
{
    const char *set = getenv(m->variable);

    if (!set && strcmp(m->variable, "XDG_CONFIG_HOME") == 0)
        set = getenv("WARDER_AGENTS_CONFIG_HOME");
    return str_from(set);
}

/* A variable counts here even where it does not for policy: the agent believes it. */
static void add_moved(warder_engine *e)
{
    for (size_t i = 0; i < agent_move_count; i++) {
        const struct agent_move *m = &agent_moves[i];
        struct str to = moved_to(m);
        if (to.len < 2 || to.s[0] != '/')
            continue;
        to = path_clean(&e->arena, to);
        add(e, path_join(&e->arena, to, str_from(m->file)));
        own_places_add_moved(&e->arena, &e->own, e->home, str_from(m->directory), to);
    }
}

static bool find_program(const warder_engine *e, char out[WORLD_PATH_MAX])
{
    if (e->edges->program && e->edges->program(out))
        return true;
    ssize_t len = readlink("/proc/self/exe", out, WORLD_PATH_MAX - 1);
    out[len > 0 ? len : 0] = '\0';
    return len > 0 && len < WORLD_PATH_MAX - 1;
}

/* Without a look at the rows: one that protects it, too, changes nothing, and they are many. */
static void add_beside(warder_engine *e, struct str directory, const char *name)
{
    struct str path = path_clean(&e->arena, path_join(&e->arena, directory, str_from(name)));

    if (!strs_has(&e->own, path))
        LIST_PUSH(&e->arena, &e->own, path);
}

/* warder-hook hands over to `warder` beside it, and our `bash` (prog/launch) starts it; a service
 * is started as any of them. */
static void add_program(warder_engine *e)
{
    static const char *const beside[] = {"warder", "warder-hook", "warder-serve", "libexec/warder",
                                         "../libexec/warder"};
    char program[WORLD_PATH_MAX];

    if (!find_program(e, program))
        return;
    struct str path = str_copy(&e->arena, str_from(program));
    e->program = path;
    add(e, path);
    for (size_t i = 0; i < COUNT(beside); i++)
        add_beside(e, path_dir(path), beside[i]);
}

void engine_find_own(warder_engine *e)
{
    add_moved(e);
    add(e, e->request.state_dir);
    for (size_t i = 0; i < SERVICE_DIRS; i++)
        if (!str_eq(e->service_dirs[i], e->request.state_dir))
            add(e, e->service_dirs[i]);
    add_program(e);
}
