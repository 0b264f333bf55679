/* prepare.c - warder_resolve() in two steps, for a caller that asks by itself. */
#include <stdlib.h>
#include <string.h>

#include "engine/resolving.h"

static warder_status refuse(warder_decision *d, warder_error *err, const char *why)
{
    if (d)
        decision_refuse(d, "ask", "it could not be resolved");
    return give_usage(err, why);
}

warder_status warder_prepare(warder_engine *engine, warder_decision *decision,
                             const warder_asking *asking, warder_error *err)
{
    if (!decision || engine != decision->engine)
        return refuse(decision, err, "there is no decision, or it is not this engine's");
    struct resolving *r = malloc(sizeof(*r));
    if (!r) {
        decision_refuse(decision, "ask", "it could not be resolved");
        return give_no_memory(err);
    }
    *r = (struct resolving){.d = decision, .defers = true, .remote.line.fd = -1};
    warder_status status = resolving_run(r, asking, err);
    if (status == WARDER_OK && r->open) {
        decision->open = r;
        return status;
    }
    if (status == WARDER_OK)
        resolving_end(r);
    else
        decision_refuse(decision, "ask", "it could not be resolved");
    free(r);
    return status;
}

struct question_job {
    warder_decision *decision;
    warder_question question;
};

static void make_question(void *arg)
{
    struct question_job *job = arg;

    decision_question(job->decision, &job->question);
}

warder_status warder_question_of(warder_decision *decision, warder_question *out, warder_error *err)
{
    struct question_job job = {.decision = decision};

    if (!out || out->struct_size < sizeof(out->struct_size))
        return give_usage(err, "there is no place for the question, or its struct_size is not set");
    const size_t size = out->struct_size, known = size < sizeof(*out) ? size : sizeof(job.question);
    memset(out, 0, size);
    out->struct_size = size;
    if (!decision || !decision->open)
        return give_usage(err, "no question is open: see warder_prepare()");
    if (!decision_try(decision, make_question, &job))
        return give_no_memory(err);
    job.question.struct_size = size;
    memcpy(out, &job.question, known);
    return WARDER_OK;
}

/* An answer that cannot be used is the caller's mistake, and denies. */
static enum status read_answer(const struct resolving *r, const warder_answer *given,
                               struct asking_result *out, struct error *err)
{
    warder_answer answer = {0};

    *out = (struct asking_result){.end = RACE_NOBODY, .who = CALLBACK_NAME};
    if (!given)
        return STATUS_OK;
    if (!copy_versioned(&answer, sizeof(answer), given, given->struct_size))
        return fail(err, STATUS_USAGE,
                    "the struct_size of the answer is not set, or it has members that this version "
                    "does not know");
    const struct callback_word word = answer_word(&answer);
    if (!word.given && !word.failed)
        return STATUS_OK;
    enum status status =
        callback_reply(&r->d->arena, &word, r->d->last.session.len > 0, &out->reply, err);
    if (status == STATUS_OK)
        out->end = RACE_ANSWERED;
    else
        out->fault = *err;
    return word.failed ? STATUS_OK : status; /* a failure to ask is no mistake of this call */
}

warder_status warder_conclude(warder_engine *engine, warder_decision *decision,
                              const warder_answer *answer, warder_error *err)
{
    struct asking_result said;
    struct error inner = {0};

    if (!decision || engine != decision->engine)
        return refuse(decision, err, "there is no decision, or it is not this engine's");
    struct resolving *r = decision->open;
    if (!r)
        return refuse(decision, err, "no question is open: see warder_prepare()");
    decision->open = NULL;
    enum status status = read_answer(r, answer, &said, &inner);
    resolving_resume(r, &said);
    resolving_end(r);
    free(r);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}
