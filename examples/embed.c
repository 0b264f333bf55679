/* Asks Warder about a tool call: cc embed.c $(pkg-config --cflags --libs warder) -o embed
 *                                ./embed Bash '{"command": "git status"}' */
#include <stdio.h>
#include <string.h>
#include <warder.h>

static const char policy[] = "allow:\n  - Bash(npm run:*)\ndeny: [Bash(curl:*), Read(**/.env)]\n";

/* The embedder's own way to ask a person, who always says no here. */
static int ask_person(void *context, const warder_question *question, warder_answer *answer)
{
    fprintf(context, "may %s run with %s?\n", question->tool, question->input);
    answer->given = 1; /* behavior is deny unless it is set */
    answer->message = "a person said no";
    return 0;
}

int main(int argc, char **argv)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_asking asking = WARDER_ASKING_INIT;
    const warder_text text = {"embed.yaml", "warder", policy, sizeof(policy) - 1};
    warder_engine *engine = NULL;
    warder_decision *decision = NULL;
    warder_error err = {0};

    options.texts = &text;
    options.text_count = 1;
    asking.can_use_tool = ask_person;
    asking.context = stderr;
    if (argc != 3 || warder_engine_new(&options, &engine, &err) ||
        warder_check_input(engine, argv[1], argv[2], strlen(argv[2]), &decision, &err) ||
        warder_resolve(engine, decision, &asking, &err)) /* all return WARDER_OK, which is 0 */
        fprintf(stderr, "embed: %s\n", argc != 3 ? "usage: embed TOOL INPUT" : err.message);
    int allowed = warder_decision_behavior(decision) == WARDER_ALLOW; /* NULL denies */
    printf("%s: %s\n", allowed ? "allow" : "deny", warder_decision_reason(decision));
    warder_decision_free(decision);
    warder_engine_free(engine);
    return allowed ? 0 : 1;
}
