/* remote.c - commands that run on another machine or in a container: ssh, docker exec, kubectl
 * exec.
 *
 * They are listed so that a deny rule finds them. What is not known of them is
 * no reason to call the whole text not understood: the outer command is never
 * harmless anyway. */
#include "shell/walk.h"

/* ssh(1), OpenSSH 9.2: options with a value. */
static const char ssh_values[] = "BbcDEeFIiJLlmOopQRSWw";

/* The index of the first word that is not an option. */
static size_t skip_options(const struct shell_words *argv, size_t i, const char *short_values,
                           const char *const *long_values)
{
    for (; i < argv->count; i++) {
        struct str s = argv->items[i].text;
        if (str_is(s, "--"))
            return i + 1;
        if (s.len < 2 || s.s[0] != '-')
            return i;
        if (s.s[1] == '-') {
            for (const char *const *name = long_values; *name; name++)
                i += str_is(str_from_byte(s, 2), *name);
            continue;
        }
        for (size_t j = 1; j < s.len; j++)
            if (strchr(short_values, s.s[j])) {
                i += j + 1 == s.len;
                break;
            }
    }
    return i;
}

static void run_there(struct walk *w, const struct shell_words *argv, size_t i, bool text,
                      size_t at, size_t len, int index)
{
    struct env before = w->env;
    struct shell_words inner = {.items = argv->items + i, .count = argv->count - i};

    for (size_t k = 0; k < inner.count && text; k++)
        if (!inner.items[k].known)
            return;
    env_new_shell(w);
    env_forget_all(w);
    directory_forget(&w->env.directory);
    struct walk_frame outer = walk_enter(w);
    w->frame.elsewhere = w->frame.plain_sh = true;
    if (text)
        walk_in_shell(w, words_join(w->arena, inner.items, inner.count), true, index, at, len);
    else
        shell_run_command(w, inner, at, len, index);
    walk_leave(w, &outer);
    w->env = before;
}

bool remote_run_ssh(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                    int index)
{
    static const char *const none[] = {NULL};
    size_t host = skip_options(argv, 1, ssh_values, none);
    size_t i = skip_options(argv, host + 1, ssh_values, none);

    if (i < argv->count)
        run_there(w, argv, i, true, at, len, index);
    return true;
}

bool remote_run_container(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                          int index)
{
    static const char *const values[] = {"env",         "env-file",  "user",      "workdir",
                                         "detach-keys", "container", "namespace", NULL};
    static const char *const outer[] = {"host",       "context", "config", "namespace",
                                        "kubeconfig", "cluster", NULL};
    bool kubectl = str_is(base_name(argv->items[0].text), "kubectl");
    size_t i = skip_options(argv, 1, "Hcnls", outer);

    if (i >= argv->count || !str_is(argv->items[i].text, "exec"))
        return false;
    i = skip_options(argv, i + 1, kubectl ? "cnf" : "euw", values);
    if (!kubectl || (i < argv->count && !str_is(argv->items[i - 1].text, "--")))
        i++; /* the container or pod */
    if (kubectl)
        i = skip_options(argv, i, "cnf", values);
    if (i < argv->count)
        run_there(w, argv, i, false, at, len, index);
    return true;
}
