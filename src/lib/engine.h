/* engine.h - what stands behind the opaque types of the public headers. */
#ifndef LIB_ENGINE_H
#define LIB_ENGINE_H

#include "decide/decide.h"
#include "policy/load.h"
#include "warder.h"

#define DECISION_MEMORY_MAX ((size_t)256 * 1024 * 1024)
#define ENGINE_PROJECTS_MAX 4096 /* a line may name its own project, and each has its own policy files */

struct warder_engine {
    struct arena arena; /* of the options' copies */
    const struct profile *profile;
    bool profile_given;
    struct policy_request request;
    struct str cwd, home, project, mode, plan_file;
    bool headless, auto_allow, bypass_flag;
    struct policy **policies; /* one per project that was asked about */
    char **projects;          /* their names */
    size_t count, room;
    struct str problems;
};

struct warder_decision {
    struct arena arena;
    const struct warder_engine *engine;
    struct call call;
    struct verdict verdict;
    struct str json, explain_json, explain_text[2];
};

/* The policy that holds in a project; read once. */
warder_status engine_policy(warder_engine *e, struct str project, struct policy **out, struct error *err);

/* A call of `tool` with its first argument, of any bytes. */
warder_status engine_ask(warder_engine *e, const char *tool, struct str argument, warder_decision **out,
                         warder_error *err);

/* A decision that cannot be shown is none that may be acted on: it denies from here on, whatever it was. */
void decision_overflow(warder_decision *decision);

/* Copies an inner error out, and returns its status. */
warder_status give_error(warder_error *out, const struct error *in);
warder_status give_no_memory(warder_error *out);

/* Writes text so that a terminal shows it and does not obey it: control and invisible characters become escapes. */
void show_text(struct buf *b, struct str text);

/* "settings.json:12:7", or the source's name where no file holds the rule. */
struct str rule_place(struct arena *a, const struct rule *r);

#endif
