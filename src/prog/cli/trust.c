/* trust.c - `warder trust [DIR]`, `warder trust status [DIR]`, `warder trust list`, `warder untrust
 * [DIR]`.
 *
 * Trust lets files that the judged agent can write loosen its own verdicts, so
 * a person sees first what is switched on, and says yes to that. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/agree.h"
#include "cli/engine.h"
#include "cli/output.h"

static const char *directory_of(const struct cli *cli)
{
    return cli->args.operands.count ? cli->args.operands.items[0] : NULL;
}

static const char *trust_word(warder_trust trust)
{
    switch (trust) {
    case WARDER_TRUSTED:
        return "trusted";
    case WARDER_NOTHING_TO_TRUST:
        return "nothing to trust";
    case WARDER_UNTRUSTED:
        break;
    }
    return "not trusted";
}

/* `more` may be NULL: a report to be printed as the member `name`. */
static void print_trust(struct cli *cli, warder_trust trust, const char *name,
                        const warder_report *more)
{
    char place[PATH_MAX];
    const char *named = directory_of(cli) ? directory_of(cli) : ".";
    const char *directory = realpath(named, place) ? place : named;
    struct buf out = buf_in(cli->arena);
    struct json_writer w = json_to(&out);

    if (!cli->args.json) {
        print_text(stdout, directory, PRINT_LINE);
        printf(": %s\n", trust_word(trust));
        return;
    }
    json_begin_object(&w);
    json_key(&w, "directory");
    json_text(&w, str_from(directory));
    json_key(&w, "trust");
    json_text(&w, str_from(trust_word(trust)));
    json_end_object(&w);
    if (more) {
        /* The report is JSON already: it takes the place of the closing brace. */
        out.len--;
        buf_format(&out, ",\"%s\":%s}", name, warder_report_json(more));
    }
    print_json(buf_str(&out).s);
}

static int status_of(const struct cli *cli, warder_trust *out)
{
    warder_error err = {0};

    *out = WARDER_UNTRUSTED;
    if (warder_trust_status(cli->args.home, directory_of(cli), out, &err) != WARDER_OK)
        return complain_error(directory_of(cli), &err);
    return 0;
}

/* NULL: there is nothing to say, or it could not be found out. */
static warder_report *reason_of(const struct cli *cli, warder_trust trust)
{
    warder_report *why = NULL;
    warder_error err = {0};

    if (trust == WARDER_UNTRUSTED &&
        warder_trust_reason(cli->args.home, directory_of(cli), &why, &err) != WARDER_OK)
        complain_error(directory_of(cli), &err);
    return why;
}

static void say_status(struct cli *cli, warder_trust trust)
{
    warder_report *why = reason_of(cli, trust);

    print_trust(cli, trust, "reason", why);
    if (!cli->args.json && why && warder_report_text(why)[0]) {
        print_text(stdout, warder_report_text(why), PRINT_LINE);
        putchar('\n');
    }
    warder_report_free(why);
}

static int trust_status_run(struct cli *cli)
{
    warder_trust trust;
    int code = status_of(cli, &trust);

    if (code)
        return code;
    say_status(cli, trust);
    return trust == WARDER_TRUSTED            ? EXIT_YES
           : trust == WARDER_NOTHING_TO_TRUST ? EXIT_NEITHER
                                              : EXIT_NO;
}

/* The files may change between the question and the answer, and trust is about what they say at
 * the end: so they are read again, and if that is not what was shown, nothing stays trusted. */
static int add_checked(struct cli *cli, const warder_report *shown)
{
    warder_report *now = NULL;
    warder_error err = {0};
    const char *home = cli->args.home, *directory = directory_of(cli);
    warder_trust trust = WARDER_UNTRUSTED;
    bool same;

    if (warder_trust_add(home, directory, &err) != WARDER_OK)
        return complain_error(directory, &err);
    same = warder_trust_preview(home, directory, cli->args.profile, &now, &err) == WARDER_OK &&
           strcmp(warder_report_json(shown), warder_report_json(now)) == 0 &&
           status_of(cli, &trust) == 0 && trust == WARDER_TRUSTED;
    warder_report_free(now);
    if (same)
        return EXIT_YES;
    complain("the files changed after they were shown: they are not trusted");
    if (warder_trust_remove(home, directory, &err) != WARDER_OK)
        return complain_error(directory, &err);
    return EX_DATAERR;
}

static int trust_shown(struct cli *cli, const warder_report *preview)
{
    int code;

    print_text(cli->args.json ? stderr : stdout, warder_report_text(preview), PRINT_LINES);
    code = agree(cli, "Trust these files?");
    if (code == EXIT_YES)
        code = add_checked(cli, preview);
    if (code < EX_USAGE)
        print_trust(cli, code == EXIT_YES ? WARDER_TRUSTED : WARDER_UNTRUSTED, "preview", preview);
    return code;
}

/* A project that was moved, copied or changed: the person should know before agreeing again. */
static void say_why_again(struct cli *cli)
{
    warder_report *why = reason_of(cli, WARDER_UNTRUSTED);

    if (why && warder_report_text(why)[0]) {
        print_text(stderr, warder_report_text(why), PRINT_LINE);
        fputc('\n', stderr);
    }
    warder_report_free(why);
}

static int trust_run(struct cli *cli)
{
    warder_report *preview = NULL;
    warder_error err = {0};
    warder_trust trust;
    int code = status_of(cli, &trust);

    if (code)
        return code;
    if (trust != WARDER_UNTRUSTED) {
        print_trust(cli, trust, NULL, NULL);
        return trust == WARDER_TRUSTED ? EXIT_YES : EXIT_NO;
    }
    if (warder_trust_preview(cli->args.home, directory_of(cli), cli->args.profile, &preview,
                             &err) != WARDER_OK)
        return complain_error(directory_of(cli), &err);
    say_why_again(cli);
    code = trust_shown(cli, preview);
    warder_report_free(preview);
    return code;
}

static int trust_list_run(struct cli *cli)
{
    warder_report *list = NULL;
    warder_error err = {0};

    if (warder_trust_list(cli->args.home, &list, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    if (cli->args.json)
        print_json(warder_report_json(list));
    else
        print_text(stdout, warder_report_text(list), PRINT_LINES);
    warder_report_free(list);
    return EXIT_YES;
}

static int untrust_run(struct cli *cli)
{
    warder_error err = {0};

    if (warder_trust_remove(cli->args.home, directory_of(cli), &err) != WARDER_OK)
        return complain_error(directory_of(cli), &err);
    print_trust(cli, WARDER_UNTRUSTED, NULL, NULL);
    return EXIT_YES;
}

const struct command command_trust = {
    .name = "trust",
    .operands = "[DIR]",
    .summary = "let the policy files of a project allow more in it",
    .operands_max = 1,
    .tables = {reading_options, home_options, yes_options, common_options},
    .run = trust_run,
    .exits = "0 trusted, 1 not trusted",
    .more = "First shows what the project would be allowed, with rules as the profile reads "
            "them. Trust covers these files as they are now, in this place: a change ends it, "
            "and a copy elsewhere is not trusted. The work trees of one repository share it.",
};

const struct command command_trust_status = {
    .name = "trust status",
    .operands = "[DIR]",
    .summary = "say whether a project is trusted",
    .operands_max = 1,
    .tables = {home_options, common_options},
    .run = trust_status_run,
    .exits = "0 trusted, 1 not trusted, 2 nothing to trust",
};

const struct command command_trust_list = {
    .name = "trust list",
    .operands = "",
    .summary = "list the trusted projects",
    .tables = {home_options, common_options},
    .run = trust_list_run,
};

const struct command command_untrust = {
    .name = "untrust",
    .operands = "[DIR]",
    .summary = "stop trusting a project",
    .operands_max = 1,
    .tables = {home_options, common_options},
    .run = untrust_run,
};
