#include "report/findings.h"

#include "programs/programs.h"

static const char in_file[] = "policy";
static const char unused[] = "unused";

static const struct {
    const char *name, *means;
} meanings[] = {
    {"policy", "a policy file has a mistake"},
    {"contradictory", "another rule decides the same calls differently, and wins"},
    {"duplicate", "another rule says the same"},
    {"mangled", "the rule is a piece of a longer command"},
    {"never-matches", "the rule can match nothing"},
    {"not-compared", "there are too many rules to compare them with each other"},
    {"not-portable", "another client reads the rule differently"},
    {"one-program", "the rule names one program, and others do the same"},
    {"shadowed", "a wider rule always wins"},
    {"unknown-tool", "no tool has this name"},
    {"unreachable", "an earlier rule matches all that this one could"},
    {"unused", "the rule has decided nothing for a long time"},
    {"wider-than-it-looks", "the rule allows more than its text seems to say"},
};

bool finding_name(size_t n, const char **name, const char **means)
{
    if (n >= COUNT(meanings))
        return false;
    *name = meanings[n].name;
    *means = meanings[n].means;
    return true;
}

/* The reader of policy files warns of some of what lint finds, too. */
static bool is_found(const struct problem *p, const struct rules *rules,
                     const struct lint_findings *findings)
{
    for (size_t i = 0; !p->fatal && i < findings->count; i++) {
        const struct rule *rule = &rules->items[findings->items[i].rule];
        if (rule->line == p->line && rule->column == p->column && str_eq(rule->file, p->file) &&
            str_eq(findings->items[i].message, p->message))
            return true;
    }
    return false;
}

static void add_unused(struct arena *a, const struct rulebook *book, const struct usage *usage,
                       struct policy_findings *out)
{
    for (size_t i = 0; usage && usage->complete && i < book->rules.count; i++) {
        const struct rule *r = &book->rules.items[i];
        if (r->source == SOURCE_BUILTIN || usage_has(usage, r))
            continue;
        LIST_PUSH(
            a, out,
            (struct policy_finding){unused, NULL, r, i + 1,
                                    str_format(a,
                                               "has decided none of the %zu calls of the last "
                                               "%u days",
                                               usage->decisions, usage->days)});
    }
}

struct policy_findings findings_of(struct arena *a, const struct rulebook *book,
                                   const struct usage *usage)
{
    struct policy_findings out = {0};
    struct lint_findings findings = {0};

    rules_lint(a, &book->rules, program_caution, program_meant, &findings);
    for (size_t i = 0; i < book->problems.count; i++) {
        const struct problem *p = &book->problems.items[i];
        if (!is_found(p, &book->rules, &findings))
            LIST_PUSH(a, &out, (struct policy_finding){in_file, p, NULL, 0, p->message});
    }
    for (size_t i = 0; i < findings.count; i++) {
        const struct lint_finding *f = &findings.items[i];
        const struct rule *rule = &book->rules.items[f->rule];
        if (rule->source != SOURCE_BUILTIN)
            LIST_PUSH(a, &out,
                      (struct policy_finding){f->name, NULL, rule, f->rule + 1, f->message});
    }
    add_unused(a, book, usage, &out);
    return out;
}
