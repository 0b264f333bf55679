/* layer_risk.c - the matrix of modes and risks. */
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/drivers.h"
#include "facts/sensitive_paths.h"

enum { A = SAY_ALLOW, Q = SAY_ASK, D = SAY_DENY };

/* Rows: modes. Columns: critical, high, medium, low, none. The waterfall spec's table; below it our
 * own two modes. ORDER of enum mode and enum risk. */
static const unsigned char matrix[MODE_COUNT][RISK_COUNT] = {
    [MODE_DEFAULT] = {Q, Q, Q, A, A}, [MODE_ACCEPT_EDITS] = {Q, Q, A, A, A},
    [MODE_BYPASS] = {A, A, A, A, A},  [MODE_DONT_ASK] = {D, D, D, A, A},
    [MODE_PLAN] = {D, D, D, D, D},    [MODE_DELEGATE] = {D, D, D, D, D},
    [MODE_AUTO] = {Q, Q, Q, A, A},    [MODE_BUBBLE] = {Q, Q, Q, A, A},
};

enum opinion risk_matrix(enum mode mode, enum risk risk)
{
    return (enum opinion)matrix[mode][risk];
}

static const struct said *answer(const struct facts *f, enum risk risk)
{
    /* The one cell with a footnote: delegate denies everything but the Agent tool. */
    enum opinion o = f->mode == MODE_DELEGATE && f->call->kind == TOOL_AGENT
                         ? SAY_ALLOW
                         : risk_matrix(f->mode, risk);

    return say(f, o, str_format(f->arena, "mode %s, risk %s", mode_name(f->mode), risk_name(risk)));
}

/* waterfall, layer 7: an ask falls through to the prompter. */
const struct said *layer_mode_default(const struct facts *f)
{
    const struct said *said = answer(f, f->risk);

    return said->opinion == SAY_ASK ? NULL : said;
}

/* guild: its rules are about shell commands; everything else follows the matrix. */
const struct said *layer_other_tools(const struct facts *f)
{
    return f->call->kind == TOOL_SHELL ? NULL : answer(f, f->risk);
}

/* The risk is high if a tool reaches further than its name says. */
static enum risk actual_risk(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct subject *s = &f->actions.items[i].subject;
        bool reads = f->call->kind == TOOL_READ || f->call->kind == TOOL_SEARCH;
        if (reads && !action_is_harmless(f, &f->actions.items[i]))
            return RISK_HIGH;
        for (size_t n = 0; n < s->paths.count; n++)
            if (!s->paths.items[n].below &&
                (s->paths.items[n].access & (ACCESS_WRITE | ACCESS_DELETE)) &&
                (!path_in_workspace(f, &s->paths.items[n]) ||
                 path_overwrites_secret(f, &s->paths.items[n]) ||
                 path_is_driver(f, &s->paths.items[n])))
                return RISK_HIGH;
        if ((f->call->kind == TOOL_EDIT || f->call->kind == TOOL_PATCH) && s->paths.count == 0)
            return RISK_HIGH;
    }
    return f->risk;
}

const struct said *layer_risk(const struct facts *f)
{
    return answer(f, f->risk > RISK_HIGH ? actual_risk(f) : f->risk);
}
