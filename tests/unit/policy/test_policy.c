/* What policy files mean: every format, every source, precedence, and the effect of errors.
 *
 * A case is a few files and the resulting rulebook (see support/policy_tree.h for its spelling). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "policy/load.h"
#include "policy/schema.h"
#include "support/policy_tree.h"
#include "support/shared.h"

#include <cmocka.h> /* last: it defines a macro fail */

#define DUMP_MAX 65536

struct file_case {
    const char *why;
    struct tree_file files[6];
    const char *want;
    bool trusted;
};

static char got[DUMP_MAX];

static void load(const struct tree *t, const struct policy_request *r)
{
    struct policy *p = NULL;
    struct error err = {0};

    if (policy_open(r, &p, &err))
        fail_msg("not loaded: %s", err.message);
    tree_dump(t, &p->book, got, sizeof(got));
    policy_free(p);
}

static void run_cases(const struct file_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct tree t;
        struct error err = {0};
        tree_make(&t);
        for (const struct tree_file *f = cases[i].files; f->path; f++)
            tree_write(&t, f->path, f->text, f->mode);
        if (cases[i].trusted && trust_add(t.state, t.project, &err))
            fail_msg("%s: not trusted: %s", cases[i].why, err.message);
        struct policy_request r = tree_request(&t);
        r.caliban_paths = true;
        load(&t, &r);
        tree_remove(&t);
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s:\ngot\n%s\nwant\n%s", cases[i].why, got, cases[i].want);
    }
}

/* ---- formats ---- */

#define HOOKS                                                                                      \
    "\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", "    \
    "\"command\": "                                                                                \
    "\"/bin/guard\","                                                                              \
    " \"args\": [\"-x\"], \"timeout\": 1.5}]}], \"PermissionRequest\": [{\"hooks\": "              \
    "[{\"command\": \"ask\"}]}]}"

static const struct file_case format_cases[] = {
    {"nothing anywhere", {{0}}, ""},
    {"settings: everything it can say",
     {{"home/.claude/settings.json",
       "{\"permissions\": {\"allow\": [\"Read\", \"Bash(npm test:*)\"], \"ask\": [\"Bash(git "
       "push:*)\"],\n"
       " \"deny\": [\"WebFetch\"], \"defaultMode\": \"acceptEdits\", \"mode\": \"plan\",\n"
       " \"additionalDirectories\": [\"/a/./b\", \"~/c\", \"../d\"], "
       "\"disableBypassPermissionsMode\": \"disable\",\n"
       " \"disableAutoMode\": \"disable\"}, \"disabledTools\": [\"Agent\"], \"allowedTools\": "
       "[\"Glob\"],\n" HOOKS "}",
       0}},
     "deny user WebFetch\nask user Bash(git push:*)\nallow user Read\nallow user Bash(npm "
     "test:*)\nmode plan user\n"
     "no bypass\nno auto\ndirectory user /a/b\ndirectory user @/home/c\ndirectory user "
     "@/d\ndisabled user Agent\n"
     "allowed user Glob\nhook PreToolUse user matcher=Bash command=/bin/guard arg=-x timeout=2\n"
     "hook PermissionRequest user matcher= command=ask timeout=60\n"},
    {"settings: hooks that only observe, or sometimes",
     {{"home/.claude/settings.json",
       "{\"disableAllHooks\": true, \"hooks\": {\"PreToolUse\": [{\"matcher\": \"mcp__.*\", "
       "\"hooks\": [{\"command\": "
       "\"a\", \"async\": true, \"observe\": 3}, {\"command\": \"b\", \"if\": \"Bash(git "
       "*)\"}]}]}}",
       0}},
     "no client hooks\nhook PreToolUse user matcher=mcp__.* command=a timeout=60 regex observes\n"
     "hook PreToolUse user matcher=mcp__.* command=b timeout=60 regex conditional\n"},
    {"ours: a hook that observes",
     {{"home/.config/warder/warder.yaml",
       "hooks: {PreToolUse: [{matcher: A|B, hooks: [{command: a, observe: true}]}]}\n", 0}},
     "hook PreToolUse user matcher=A|B command=a timeout=60 observes\n"},
    {"settings: unknown keys belong to other programs",
     {{"home/.claude/settings.json",
       "{\"model\": \"x\", \"permissions\": {\"new\": 1}, \"hooks\": {\"Stop\": 3}}", 0}},
     ""},
    {"settings: comments and a last comma",
     {{"home/.claude/settings.json", "{// why\n\"permissions\": {\"deny\": [\"Agent\",],},}", 0}},
     "deny user Agent\n"},
    {"settings: defaultMode alone",
     {{"home/.claude/settings.json", "{\"permissions\": {\"defaultMode\": \"dontAsk\"}}", 0}},
     "mode dontAsk user\n"},
    {"caliban: [[rule]] in written order",
     {{"home/.config/caliban/permissions.toml",
       "[[rule]]\ntool = \"Bash:git *\"\naction = \"Allow\"\ncomment = \"git\"\n[[rule]]\ntool = "
       "\"Bash\"\n"
       "action = \"DENY\"\nextra = 1\n",
       0}},
     "allow user Bash:git * comment=git\ndeny user Bash\n"},
    {"caliban: [[rules]] with pattern",
     {{"home/.config/caliban/permissions.toml", "[[rules]]\npattern = \"*\"\naction = \"ask\"\n",
       0}},
     "ask user *\n"},
    {"caliban: [[permissions.rules]]",
     {{"home/.config/caliban/permissions.toml",
       "[[permissions.rules]]\ntool = \"Read\"\naction = \"allow\"\n", 0}},
     "allow user Read\n"},
    {"guild: strings and objects",
     {{"home/.config/warder/authorization.yaml",
       "deny:\n  - pattern: \"curl*\"\n    reason: no network\n    id: d1\n    scope: global\n  - "
       "'wget*'\n"
       "accept:\n  - pattern: 'bun test*'\n  - {pattern: 'go *', scope: elsewhere}\n  - {pattern: "
       "'make', scope: "
       "project}\n"
       "  - regex: '^tsc( |$)'\n",
       0}},
     "deny user curl* reason=no network id=d1\ndeny user wget*\nallow user bun test*\nallow user "
     "make\n"
     "allow user * regex=^tsc( |$)\nwarning @/home/.config/warder/authorization.yaml:9:5\n"},
    {"ours: everything it can say",
     {{"home/.config/warder/warder.yaml",
       "profile: guild\nmode: dontAsk\nallow:\n  - Bash(npm test:*)\n  - {rule: Bash, regex: "
       "'^make (a|b)$', id: m}\n"
       "ask: [Agent]\ndeny:\n  - rule: Bash\n    flags: [--force, -f]\n    paths: [~/.ssh, "
       "//etc]\n    reason: no\n"
       "    comment: c\n  - pattern: 'curl*'\nrules:\n  - {action: allow, tool: 'Bash:ls *'}\n"
       "  - {action: deny, rule: WebSearch}\nadditionalDirectories: [/x]\ndisabledTools: "
       "[Task]\nallowedTools: [Read]\n"
       "readOnlyServers: [github]\nrunners: false\ndisableBypassPermissionsMode: "
       "disable\ndisableAutoMode: true\n"
       "hooks:\n  PreToolUse:\n    - hooks: [{command: g}]\n",
       0}},
     "deny user Bash flag=--force flag=-f path=~/.ssh path=//etc reason=no comment=c\ndeny user "
     "curl*\nask user Agent\n"
     "allow user Bash:ls *\ndeny user WebSearch\nallow user Bash(npm test:*)\nallow user Bash "
     "regex=^make (a|b)$ id=m\n"
     "mode dontAsk user\nprofile guild\nno bypass\nno auto\nno runners\ndirectory user "
     "/x\ndisabled user Task\n"
     "allowed user Read\nserver github\nhook PreToolUse user matcher= command=g timeout=60\n"},
    {"ours: a file of comments says nothing",
     {{"home/.config/warder/warder.yaml", "# nothing yet\n", 0}},
     ""},
};

static void formats(void **state)
{
    (void)state;
    run_cases(format_cases, COUNT(format_cases));
}

/* ---- mistakes ---- */

#define OURS     "home/.config/warder/warder.yaml"
#define SETTINGS "home/.claude/settings.json"

static const struct file_case mistake_cases[] = {
    {"an allow entry that cannot be read is skipped",
     {{SETTINGS, "{\"permissions\": {\n \"allow\": [\"Bash(\", 7, \"\", \"Read\"]}}", 0}},
     "allow user Read\nwarning @/" SETTINGS ":2:17\nwarning @/" SETTINGS
     ":2:21\nwarning @/" SETTINGS ":2:24\n"},
    {"a deny entry that cannot be read is fatal",
     {{SETTINGS, "{\"permissions\": {\n \"deny\": [\"Bash(\", \"Read\"]}}", 0}},
     "deny user Read\nfatal @/" SETTINGS ":2:16\n"},
    {"an ask entry that cannot be read is fatal",
     {{SETTINGS, "{\"permissions\": {\"ask\": [null]}}", 0}},
     "fatal @/" SETTINGS ":1:26\n"},
    {"settings have no long form",
     {{SETTINGS, "{\"permissions\": {\"deny\": [{\"rule\": \"Bash\"}]}}", 0}},
     "fatal @/" SETTINGS ":1:27\n"},
    {"allow is not a list",
     {{SETTINGS, "{\"permissions\": {\"allow\": \"Bash\"}}", 0}},
     "warning @/" SETTINGS ":1:27\n"},
    {"deny is not a list",
     {{SETTINGS, "{\"permissions\": {\"deny\": \"Bash\"}}", 0}},
     "fatal @/" SETTINGS ":1:26\n"},
    {"permissions is not an object",
     {{SETTINGS, "{\"permissions\": []}", 0}},
     "fatal @/" SETTINGS ":1:17\n"},
    {"a mode that does not exist",
     {{SETTINGS, "{\"permissions\": {\"mode\": \"lenient\"}}", 0}},
     "fatal @/" SETTINGS ":1:26\n"},
    {"an internal mode", {{OURS, "mode: bubble\n", 0}}, "fatal @/" OURS ":1:7\n"},
    {"bypass switch with a strange value",
     {{SETTINGS, "{\"permissions\": {\"disableBypassPermissionsMode\": \"disabled\"}}", 0}},
     "fatal @/" SETTINGS ":1:50\n"},
    {"bypass switch that says no",
     {{SETTINGS, "{\"permissions\": {\"disableBypassPermissionsMode\": false}}", 0}},
     ""},
    {"a file that is not JSON",
     {{SETTINGS, "{\"permissions\": {\n", 0}},
     "fatal @/" SETTINGS ":2:1\n"},
    {"an empty file is not JSON", {{SETTINGS, "", 0}}, "fatal @/" SETTINGS ":1:1\n"},
    {"a key twice",
     {{SETTINGS, "{\"permissions\": {},\n \"permissions\": {}}", 0}},
     "fatal @/" SETTINGS ":2:2\n"},
    {"a list is not a policy", {{SETTINGS, "[]", 0}}, "fatal @/" SETTINGS ":1:1\n"},
    {"a NUL in a rule",
     {{SETTINGS, "{\"permissions\": {\"deny\": [\"Bash(a\\u0000b)\"]}}", 0}},
     "fatal @/" SETTINGS ":1:27\n"},
    {"unknown key in ours",
     {{OURS, "deny: [Agent]\nalow: [Read]\n", 0}},
     "deny user Agent\nfatal @/" OURS ":2:1\n"},
    {"unknown key in a deny entry of ours",
     {{OURS, "deny:\n  - {rule: Bash, flag: [-f]}\n", 0}},
     "fatal @/" OURS ":2:18\n"},
    {"unknown key in an allow entry of ours",
     {{OURS, "allow:\n  - {rule: Bash, flag: [-f]}\n", 0}},
     "warning @/" OURS ":2:18\n"},
    {"two spellings of one rule",
     {{OURS, "deny: [{rule: Bash, tool: Bash}]\n", 0}},
     "fatal @/" OURS ":1:27\n"},
    {"an entry without a rule", {{OURS, "deny: [{regex: a}]\n", 0}}, "fatal @/" OURS ":1:8\n"},
    {"a malformed regular expression",
     {{OURS, "deny: [{rule: Bash, regex: '('}]\n", 0}},
     "fatal @/" OURS ":1:30\n"},
    {"flags that are no list",
     {{OURS, "deny: [{rule: Bash, flags: -f}]\n", 0}},
     "fatal @/" OURS ":1:28\n"},
    {"a row without an action", {{OURS, "rules: [{rule: Bash}]\n", 0}}, "fatal @/" OURS ":1:9\n"},
    {"a row with a strange action",
     {{OURS, "rules: [{rule: Bash, action: maybe}]\n", 0}},
     "fatal @/" OURS ":1:30\n"},
    {"an allow row without a rule",
     {{OURS, "rules: [{action: allow}]\n", 0}},
     "warning @/" OURS ":1:9\n"},
    {"a string among rows", {{OURS, "rules: [Bash]\n", 0}}, "fatal @/" OURS ":1:9\n"},
    {"caliban: no action",
     {{"home/.config/caliban/permissions.toml", "[[rule]]\ntool = \"Bash\"\n", 0}},
     "fatal @/home/.config/caliban/permissions.toml:1:1\n"},
    {"runners is a yes or no", {{OURS, "runners: 'no'\n", 0}}, "fatal @/" OURS ":1:10\n"},
    {"a hook without a command",
     {{SETTINGS, "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\"}]}]}}", 0}},
     "fatal @/" SETTINGS ":1:38\n"},
    {"a hook with a strange timeout",
     {{SETTINGS,
       "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"x\", \"timeout\": -1}]}]}}", 0}},
     "fatal @/" SETTINGS ":1:66\n"},
    {"a malformed matcher",
     {{SETTINGS,
       "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"(\", \"hooks\": [{\"command\": \"x\"}]}]}}",
       0}},
     "fatal @/" SETTINGS ":1:39\n"},
    {"observe is a yes or no",
     {{OURS, "hooks: {PreToolUse: [{hooks: [{command: x, observe: 1}]}]}\n", 0}},
     "fatal @/" OURS ":1:53\n"},
    {"a hook that only the client can run",
     {{SETTINGS,
       "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"http\", \"url\": \"x\"}]}]}}", 0}},
     "warning @/" SETTINGS ":1:38\n"},
    {"an event that ours does not know",
     {{OURS, "hooks: {Stop: []}\n", 0}},
     "fatal @/" OURS ":1:9\n"},
    {"a directory that cannot be resolved",
     {{OURS, "additionalDirectories: [~someone/x, /y]\n", 0}},
     "directory user /y\nwarning @/" OURS ":1:25\n"},
    {"two files of one name",
     {{OURS, "deny: [Agent]\n", 0}, {"home/.config/warder/warder.toml", "deny = [\"Task\"]\n", 0}},
     "deny user Agent\ndeny user Task\nfatal @/home/.config/warder/warder.toml\n"},
};

static void mistakes(void **state)
{
    (void)state;
    run_cases(mistake_cases, COUNT(mistake_cases));
}

/* ---- sources ---- */

#define ALLOW(rule) "{\"permissions\": {\"allow\": [\"" rule "\"]}}"

static const struct file_case source_cases[] = {
    {"every place, strongest source first",
     {{"etc/warder/warder.json", "{\"allow\": [\"A1\"]}", 0},
      {"etc/claude-code/managed-settings.json", ALLOW("A2"), 0},
      {"etc/claude-code/managed-settings.d/10-b.json", ALLOW("A3"), 0},
      {"etc/claude-code/managed-settings.d/20-a.json", ALLOW("A4"), 0},
      {"etc/claude-code/managed-settings.d/readme.txt", "no policy", 0}},
     "allow managed A1\nallow managed A4\nallow managed A3\nallow managed A2\n"},
    {"user files",
     {{"home/.config/warder/warder.toml", "allow = [\"U1\"]", 0},
      {"home/.config/warder/authorization.json", "{\"accept\": [\"u2\"]}", 0},
      {"home/.config/caliban/permissions.toml", "[[rule]]\ntool = \"U3\"\naction = \"allow\"", 0},
      {"home/.claude/settings.local.json", ALLOW("U4"), 0},
      {"home/.claude/settings.json", ALLOW("U5"), 0}},
     "allow user U1\nallow user u2\nallow user U3\nallow user U4\nallow user U5\n"},
    {"project files, local ones first",
     {{"project/.warder/warder.yml", "allow: [P1]", 0},
      {"project/.warder/authorization.yaml", "accept: [p2]", 0},
      {"project/.caliban/permissions.toml", "[[rule]]\ntool = \"P3\"\naction = \"allow\"", 0},
      {"project/.claude/settings.json", ALLOW("P4"), 0},
      {"project/.warder/warder.local.json", "{\"allow\": [\"L1\"]}", 0}},
     "allow local L1\nallow project P1\nallow project p2\nallow project P3\nallow project P4\n",
     .trusted = true},
    {"local settings",
     {{"project/.claude/settings.local.json", ALLOW("L2"), 0},
      {"home/.claude/settings.json", ALLOW("U"), 0}},
     "allow local L2\nallow user U\n",
     .trusted = true},
    {"the stronger source gives the mode",
     {{"home/.claude/settings.json", "{\"permissions\": {\"mode\": \"plan\"}}", 0},
      {"project/.claude/settings.json", "{\"permissions\": {\"mode\": \"acceptEdits\"}}", 0}},
     "mode acceptEdits project\n",
     .trusted = true},
    {"managed mode always wins",
     {{"etc/warder/warder.yaml", "mode: plan\n", 0},
      {"project/.claude/settings.local.json",
       "{\"permissions\": {\"mode\": \"bypassPermissions\"}}", 0}},
     "mode plan managed\n",
     .trusted = true},
    {"a later drop-in gives the managed mode",
     {{"etc/claude-code/managed-settings.json", "{\"permissions\": {\"mode\": \"plan\"}}", 0},
      {"etc/claude-code/managed-settings.d/1.json", "{\"permissions\": {\"mode\": \"dontAsk\"}}",
       0}},
     "mode dontAsk managed\n"},
    {"bypass disabled by any source falls back",
     {{"project/.warder/warder.yaml", "disableBypassPermissionsMode: disable\n", 0},
      {"home/.claude/settings.json", "{\"permissions\": {\n\"mode\": \"bypassPermissions\"}}", 0}},
     "mode default user\nno bypass\nwarning @/home/.claude/settings.json:2:0\n"},
    {"only managed allow rules",
     {{"etc/claude-code/managed-settings.json",
       "{\"allowManagedPermissionRulesOnly\": true, \"permissions\": {\"allow\": [\"A\"]}}", 0},
      {"home/.claude/settings.json",
       "{\"permissions\": {\"allow\": [\"U\"], \"deny\": [\"D\"], \"ask\": [\"K\"]}}", 0}},
     "allow managed A\ndeny user D\nask user K\nmanaged only\nwarning \n"},
    {"only managed policy can say that",
     {{"home/.claude/settings.json",
       "{\"allowManagedPermissionRulesOnly\": true, \"permissions\": {\"allow\": [\"U\"]}}", 0}},
     "allow user U\nwarning @/home/.claude/settings.json:1:37\n"},
    {"managed policy chooses the profile",
     {{"etc/warder/warder.yaml", "profile: mink\n", 0},
      {"home/.config/warder/warder.yaml", "profile: mini\n", 0}},
     "profile mink\n"},
    {"no project chooses the profile",
     {{"project/.warder/warder.yaml", "profile: mini\n", 0}},
     "fatal @/project/.warder/warder.yaml:1:10\n",
     .trusted = true},
    {"managed policy says how long records are kept",
     {{"etc/warder/warder.yaml", "recordDays: 30\nrecordSync: crash\n", 0},
      {"home/.config/warder/warder.yaml", "recordDays: 365\nrecordSync: always\n", 0}},
     "record days 30\nrecord sync crash\n"},
    {"records are kept for thirty days at least",
     {{"home/.config/warder/warder.yaml", "recordDays: 29\n", 0}},
     "fatal @/home/.config/warder/warder.yaml:1:13\n"},
    {"a way to sync that there is not",
     {{"home/.config/warder/warder.yaml", "recordSync: never\n", 0}},
     "fatal @/home/.config/warder/warder.yaml:1:13\n"},
    {"no project says what becomes of the record",
     {{"project/.warder/warder.yaml", "recordDays: 365\nrecordSync: crash\n", 0}},
     "warning @/project/.warder/warder.yaml:1:13\nwarning @/project/.warder/warder.yaml:2:13\n",
     .trusted = true},
    {"managed policy says whether the service decides",
     {{"etc/warder/warder.yaml", "service: required\n", 0},
      {"home/.config/warder/warder.yaml", "service: off\n", 0}},
     "service required\n"},
    {"a service that may not be asked",
     {{"home/.config/warder/warder.yaml", "service: off\n", 0}},
     "service off\n"},
    {"a way to use the service that there is not",
     {{"home/.config/warder/warder.yaml", "service: maybe\n", 0}},
     "fatal @/home/.config/warder/warder.yaml:1:10\n"},
    {"a project cannot choose the decider",
     {{"project/.warder/warder.yaml", "service: off\n", 0}},
     "warning @/project/.warder/warder.yaml:1:10\n",
     .trusted = true},
    {"no project says which agents may edit",
     {{"project/.warder/warder.yaml", "edits: [claude]\n", 0}},
     "warning @/project/.warder/warder.yaml:1:8\n",
     .trusted = true},
    {"no project vouches for MCP servers",
     {{"project/.warder/warder.yaml", "readOnlyServers: [x]\n", 0}},
     "warning @/project/.warder/warder.yaml:1:18\n",
     .trusted = true},
};

static void sources(void **state)
{
    (void)state;
    run_cases(source_cases, COUNT(source_cases));
}

/* ---- rows for programs ---- */

#define PROJECT "project/.warder/warder.yaml"

static const struct file_case program_cases[] = {
    {"rows, subcommands and wrappers, in order",
     {{OURS,
       "programs:\n  - name: zip2\n    options: -v -o,--out=W\n    operands: R*\n    effects: "
       "[send]\n"
       "  - {name: a, subcommands: [{name: b, operands: none}, {name: c, subcommands: [{name: "
       "d}]}]}\n"
       "  - {name: lock, operands: . I, transparent: true}\n",
       0}},
     "program user a [] [sub] \nprogram user a b [] [none] \nprogram user a c [] [sub] \nprogram "
     "user a c d [] [] \n"
     "program user lock [] [. I] transparent \nprogram user zip2 [-v -o,--out=W] [R*] send\n"},
    {"user policy may say more of a program that is known",
     {{OURS, "programs: [{name: git frob}, {name: rm}]\n", 0}},
     "program user git frob [] [] \nprogram user rm [] [] \n"},
    {"managed policy comes before the user's",
     {{"etc/warder/warder.yaml", "programs: [{name: a, operands: R}]\n", 0},
      {OURS, "programs: [{name: a, operands: W}, {name: b}]\n", 0}},
     "program managed a [] [R] \nprogram user b [] [] \n"},
    {"managed policy may want its own only",
     {{"etc/warder/warder.yaml", "allowManagedPermissionRulesOnly: true\nprograms: [{name: a}]\n",
       0},
      {OURS, "programs: [{name: b}]\n", 0}},
     "managed only\nprogram managed a [] [] \n"},
    {"a project that is not trusted has no say",
     {{PROJECT, "programs: [{name: a}, {name: b}]\n", 0}},
     "warning @/" PROJECT "\n"},
    {"a trusted one may only add new programs",
     {{PROJECT,
       "programs: [{name: a},\n {name: rm},\n {name: git frob},\n {name: python3.99},\n {name: npx "
       "a},\n"
       " {name: sudo},\n {name: env, subcommands: [{name: x}]},\n {name: eval},\n {name: xargs}, "
       "{name: mksh},\n"
       " {name: timeout}, {name: find}]\n",
       0}},
     "program project a [] [] \nwarning @/" PROJECT ":2:2\nwarning @/" PROJECT
     ":3:2\nwarning @/" PROJECT ":4:2\nwarning @/" PROJECT ":5:2\nwarning @/" PROJECT
     ":6:2\nwarning @/" PROJECT ":7:2\nwarning @/" PROJECT ":7:28\nwarning @/" PROJECT
     ":8:2\nwarning @/" PROJECT ":9:2\nwarning @/" PROJECT ":9:17\nwarning @/" PROJECT
     ":10:2\nwarning @/" PROJECT ":10:19\n",
     .trusted = true},
    {"and the user's row stays",
     {{PROJECT, "programs: [{name: a, operands: .*}]\n", 0},
      {OURS, "programs: [{name: a, operands: X*}]\n", 0}},
     "program user a [] [X*] \n",
     .trusted = true},
    {"no list", {{OURS, "programs: {name: a}\n", 0}}, "fatal @/" OURS ":1:11\n"},
    {"no object", {{OURS, "programs: [a]\n", 0}}, "fatal @/" OURS ":1:12\n"},
    {"no name", {{OURS, "programs: [{operands: R}]\n", 0}}, "fatal @/" OURS ":1:12\n"},
    {"an empty name", {{OURS, "programs: [{name: ''}]\n", 0}}, "fatal @/" OURS ":1:12\n"},
    {"a name with a directory",
     {{OURS, "programs: [{name: ./a}]\n", 0}},
     "fatal @/" OURS ":1:12\n"},
    {"a name with two blanks",
     {{OURS, "programs: [{name: 'a  b'}]\n", 0}},
     "fatal @/" OURS ":1:12\n"},
    {"a name of four words is the longest",
     {{OURS, "programs: [{name: a b c d}]\n", 0}},
     "program user a b c d [] [] \n"},
    {"a name of five words",
     {{OURS, "programs: [{name: a b c d e}]\n", 0}},
     "fatal @/" OURS ":1:12\n"},
    {"a key that does not exist",
     {{OURS, "programs: [{name: a, option: -v}]\n", 0}},
     "fatal @/" OURS ":1:22\n"},
    {"a role that does not exist",
     {{OURS, "programs:\n  - name: a\n    options: -v=Q\n", 0}},
     "fatal @/" OURS ":3:14\n"},
    {"an operand that does not exist",
     {{OURS, "programs:\n  - name: a\n    options: -v\n    operands: Q\n", 0}},
     "fatal @/" OURS ":4:15\n"},
    {"an option twice",
     {{OURS, "programs: [{name: a, options: -v -v}]\n", 0}},
     "fatal @/" OURS ":1:31\n"},
    {"a command as an option's value",
     {{OURS, "programs: [{name: a, options: -x=I}]\n", 0}},
     "fatal @/" OURS ":1:31\n"},
    {"an effect that does not exist",
     {{OURS, "programs: [{name: a, effects: [send, fun]}]\n", 0}},
     "fatal @/" OURS ":1:38\n"},
    {"effects that are no list",
     {{OURS, "programs: [{name: a, effects: send}]\n", 0}},
     "fatal @/" OURS ":1:31\n"},
    {"transparent is yes or no",
     {{OURS, "programs: [{name: a, transparent: 1}]\n", 0}},
     "fatal @/" OURS ":1:35\n"},
    {"the same name twice in a file",
     {{OURS, "programs: [{name: a},\n {name: a}]\n", 0}},
     "program user a [] [] \nfatal @/" OURS ":2:2\n"},
    {"a fault in a file of a project that is not trusted",
     {{PROJECT, "programs: [{name: a, options: -v -v}]\n", 0}},
     "fatal @/" PROJECT ":1:31\n"},
};

static void programs(void **state)
{
    (void)state;
    run_cases(program_cases, COUNT(program_cases));
}

/* ---- trust ---- */

#define ALL_OF_IT                                                                                  \
    "{\"permissions\": {\"allow\": [\"A\", \"B\"], \"ask\": [\"K\"], \"deny\": [\"D\"], "          \
    "\"mode\": \"plan\", "                                                                         \
    "\"additionalDirectories\": [\"/x\"], \"disableBypassPermissionsMode\": \"disable\"}, "        \
    "\"disabledTools\": "                                                                          \
    "[\"T\"], "                                                                                    \
    "\"allowedTools\": [\"U\"], \"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": "          \
    "\"c\"}]}]}}"

static const struct file_case trust_cases[] = {
    {"untrusted: only what restricts counts",
     {{"project/.claude/settings.json", ALL_OF_IT, 0}},
     "deny project D\nask project K\nno bypass\ndisabled project T\nwarning "
     "@/project/.claude/settings.json\n"},
    {"trusted: everything counts",
     {{"project/.claude/settings.json", ALL_OF_IT, 0}},
     "deny project D\nask project K\nallow project A\nallow project B\nmode plan project\nno "
     "bypass\n"
     "directory project /x\ndisabled project T\nallowed project U\n"
     "hook PreToolUse project matcher= command=c timeout=60\n",
     .trusted = true},
    {"untrusted: it cannot switch hooks off",
     {{"project/.claude/settings.json",
       "{\"disableAllHooks\": true, \"allowManagedHooksOnly\": true}", 0}},
     "warning @/project/.claude/settings.json\n"},
    {"untrusted: a local file is the project's, too",
     {{"project/.warder/warder.local.yaml", "allow: [A]\ndeny: [D]\n", 0}},
     "deny local D\nwarning @/project/.warder/warder.local.yaml\n"},
    {"untrusted: an unknown mode does not matter",
     {{"project/.warder/warder.yaml", "mode: lenient\n", 0}},
     "warning @/project/.warder/warder.yaml\n"},
    {"untrusted: a broken file still denies",
     {{"project/.warder/warder.yaml", "deny: [\n", 0}},
     "fatal @/project/.warder/warder.yaml:2:1\n"},
    {"nothing to trust and nothing left out",
     {{"project/.warder/warder.yaml", "deny: [D]\n", 0}},
     "deny project D\n"},
};

static void trust_decides_what_counts(void **state)
{
    (void)state;
    run_cases(trust_cases, COUNT(trust_cases));
}

/* ---- options ---- */

static void cli_rules_and_mode(void **state)
{
    struct tree t;
    struct cli_rule rules[] = {{BEHAVIOR_ALLOW, STR("Bash(ls:*)")}, {BEHAVIOR_DENY, STR("Bash")}};

    (void)state;
    tree_make(&t);
    tree_write(&t, SETTINGS, "{\"permissions\": {\"mode\": \"plan\", \"deny\": [\"X\"]}}", 0);
    struct policy_request r = tree_request(&t);
    r.cli = (struct cli_rules){rules, COUNT(rules), COUNT(rules)};
    r.mode = STR("acceptEdits");
    load(&t, &r);
    assert_string_equal(got,
                        "allow cli Bash(ls:*)\ndeny cli Bash\ndeny user X\nmode acceptEdits cli\n");

    tree_write(&t, "etc/warder/warder.yaml", "mode: dontAsk\n", 0);
    load(&t, &r);
    assert_string_equal(got,
                        "allow cli Bash(ls:*)\ndeny cli Bash\ndeny user X\nmode dontAsk managed\n");

    static const enum source weak_managed[SOURCE_COUNT] = {
        SOURCE_USER,    SOURCE_CLI,     SOURCE_PROJECT, SOURCE_LOCAL,  SOURCE_SESSION,
        SOURCE_RUNTIME, SOURCE_COMMAND, SOURCE_BUILTIN, SOURCE_MANAGED};
    r.order = weak_managed;
    tree_write(&t, "etc/warder/warder.yaml", "deny: [M]\nmode: dontAsk\n", 0);
    load(&t, &r);
    assert_string_equal(
        got,
        "deny managed M\ndeny user X\nallow cli Bash(ls:*)\ndeny cli Bash\nmode dontAsk managed\n");
    tree_remove(&t);
}

static void refuse(const struct policy_request *r, enum status want, const char *message)
{
    struct policy *p = NULL;
    struct error err = {0};

    assert_int_equal(policy_open(r, &p, &err), want);
    assert_null(p);
    if (!strstr(err.message, message))
        fail_msg("\"%s\" is not in \"%s\"", message, err.message);
}

static void wrong_options_fail(void **state)
{
    struct tree t;
    struct cli_rule bad = {BEHAVIOR_ALLOW, STR("Bash(")};

    (void)state;
    tree_make(&t);
    struct policy_request r = tree_request(&t);
    r.cli = (struct cli_rules){&bad, 1, 1};
    refuse(&r, STATUS_USAGE, "--allow \"Bash(\"");
    r = tree_request(&t);
    r.mode = STR("lenient");
    refuse(&r, STATUS_USAGE, "unknown mode \"lenient\"");
    struct str missing = str_from(tree_path(&t, "none.yaml"));
    r = tree_request(&t);
    r.files = (struct strs){&missing, 1, 1};
    refuse(&r, STATUS_IO, "no policy file");
    r = tree_request(&t);
    r.settings_override = missing;
    refuse(&r, STATUS_IO, "no policy file");
    tree_remove(&t);
}

static void overrides_replace(void **state)
{
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, SETTINGS, "{\"permissions\": {\"deny\": [\"Old\"]}}", 0);
    tree_write(&t, "home/.claude/settings.local.json", "{\"permissions\": {\"deny\": [\"Local\"]}}",
               0);
    tree_write(&t, OURS, "deny: [OldOurs]\n", 0);
    tree_write(&t, "new.json", "{\"permissions\": {\"deny\": [\"New\"]}}", 0);
    tree_write(&t, "new.yaml", "ask: [NewOurs]\n", 0);
    struct policy_request r = tree_request(&t);
    r.settings_override = str_from(tree_path(&t, "new.json"));
    r.config_override = str_from(tree_path(&t, "new.yaml"));
    load(&t, &r);
    assert_string_equal(got, "deny user Local\nask user NewOurs\ndeny user New\n");
    tree_remove(&t);
}

/* --policy: these files, and none that is found otherwise but those of managed policy. */
static void named_files_and_managed_ones_are_all_there_is(void **state)
{
    struct tree t;
    struct str files[2];

    (void)state;
    tree_make(&t);
    tree_write(&t, SETTINGS, "{\"permissions\": {\"deny\": [\"Old\"]}}", 0);
    tree_write(&t, "etc/warder/warder.yaml", "deny: [Managed]\n", 0);
    tree_write(&t, "project/.warder/warder.yaml", "deny: [Project]\n", 0);
    tree_write(&t, "b.yaml", "allow: [B]\nprofile: mink\n", 0);
    tree_write(&t, "project/.warder/a.json", "{\"permissions\": {\"allow\": [\"A\"]}}", 0);
    files[0] = str_from(tree_path(&t, "b.yaml"));
    files[1] = str_from(tree_path(&t, "project/.warder/a.json"));
    struct policy_request r = tree_request(&t);
    r.files = (struct strs){files, 2, 2};
    load(&t, &r);
    assert_string_equal(got, "deny managed Managed\nallow user B\nallow user A\nprofile mink\n");
    tree_remove(&t);
}

static void shipped_rules_come_last(void **state)
{
    static const struct shipped_rule rules[] = {
        {BEHAVIOR_DENY, "curl*", "network", false},
        {BEHAVIOR_ALLOW, "npm test*", NULL, true},
        {BEHAVIOR_ALLOW, "ls*", NULL, false},
    };
    static const struct shipped_list list = {"test", DIALECT_ACTION, rules, COUNT(rules)};
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, OURS, "deny: [X]\n", 0);
    struct policy_request r = tree_request(&t);
    r.shipped = &list;
    load(&t, &r);
    assert_string_equal(got,
                        "deny user X\ndeny builtin curl* reason=network id=builtin-63f2b1dafe21\n"
                        "allow builtin npm test* id=builtin-26edfcf589b9\n"
                        "allow builtin ls* id=builtin-3b64cb590fe1\n");
    tree_write(&t, OURS, "runners: false\n", 0);
    load(&t, &r);
    assert_string_equal(got, "deny builtin curl* reason=network id=builtin-63f2b1dafe21\n"
                             "allow builtin ls* id=builtin-3b64cb590fe1\nno runners\n");
    tree_remove(&t);
}

static void home_as_project_is_the_users(void **state)
{
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, SETTINGS, "{\"permissions\": {\"allow\": [\"U\"]}}", 0);
    struct policy_request r = tree_request(&t);
    r.project = r.home;
    load(&t, &r);
    assert_string_equal(got, "allow user U\n");
    tree_remove(&t);
}

/* ---- recognising the format ---- */

static const struct {
    const char *name, *text;
    enum format want;
} recognise_cases[] = {
    {"p.json", "{\"permissions\": {\"allow\": []}}", FORMAT_SETTINGS},
    {"p.json", "{\"permissions\": {}}", FORMAT_SETTINGS},
    {"p.json", "{\"permissions\": 3}", FORMAT_SETTINGS},
    {"p.json", "{\"permissions\": {\"rules\": [], \"deny\": []}}", FORMAT_SETTINGS},
    {"p.json", "{\"permissions\": {\"rules\": [{\"tool\": \"x\", \"action\": \"deny\"}]}}",
     FORMAT_CALIBAN},
    {"p.json", "{\"rule\": [{\"tool\": \"x\", \"action\": \"deny\"}]}", FORMAT_CALIBAN},
    {"p.json", "{\"rules\": [{\"pattern\": \"x\", \"action\": \"deny\"}]}", FORMAT_CALIBAN},
    {"p.json", "{\"rules\": [{\"rule\": \"x\", \"action\": \"deny\"}]}", FORMAT_WARDER},
    {"p.json", "{\"rules\": [{\"tool\": \"x\", \"action\": \"deny\"}], \"mode\": \"plan\"}",
     FORMAT_WARDER},
    {"p.json", "{\"rules\": [{\"tool\": \"x\", \"action\": \"deny\"}], \"deny\": []}",
     FORMAT_WARDER},
    {"p.json", "{\"accept\": [\"ls*\"]}", FORMAT_GUILD},
    {"p.json", "{\"deny\": [\"curl*\"]}", FORMAT_GUILD},
    {"p.json", "{\"deny\": [{\"pattern\": \"curl*\"}]}", FORMAT_GUILD},
    {"p.json", "{\"deny\": [], \"accept\": []}", FORMAT_GUILD},
    {"p.json", "{\"deny\": [\"Bash(curl:*)\"]}", FORMAT_WARDER},
    {"p.json", "{\"deny\": [\"WebFetch\"]}", FORMAT_WARDER},
    {"p.json", "{\"deny\": [\"mcp__github\"]}", FORMAT_WARDER},
    {"p.json", "{\"deny\": [{\"rule\": \"x\"}]}", FORMAT_WARDER},
    {"p.json", "{\"deny\": [\"curl*\"], \"allow\": [\"ls\"]}", FORMAT_WARDER},
    {"p.json", "{\"deny\": [\"curl*\"], \"accept\": [], \"mode\": \"plan\"}", FORMAT_WARDER},
    {"warder.json", "{\"deny\": [\"curl*\"]}", FORMAT_WARDER},
    {"settings.json", "{\"model\": \"x\"}", FORMAT_SETTINGS},
    {"p.json", "{\"model\": \"x\"}", FORMAT_WARDER},
    {"p.json", "{}", FORMAT_WARDER},
};

static void formats_are_recognised(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(recognise_cases); i++) {
        struct arena a;
        struct value v;
        arena_init(&a, 1 << 20);
        assert_int_equal(json_read(&a, str_from(recognise_cases[i].text), NULL, &v, NULL),
                         STATUS_OK);
        enum format f = schema_recognise(str_from(recognise_cases[i].name), &v);
        if (f != recognise_cases[i].want)
            fail_msg("%s is %s, not %s", recognise_cases[i].text,
                     format_name(recognise_cases[i].want), format_name(f));
        arena_release(&a);
    }
}

/* ---- one content, three syntaxes ---- */

static void three_syntaxes_one_meaning(void **state)
{
    static const struct tree_file same[] = {
        {"p.yaml",
         "mode: plan\nallow: ['Bash(npm test:*)', {rule: Bash, regex: '^make$', reason: r}]\ndeny: "
         "[Agent]\n"
         "rules:\n  - {action: ask, rule: WebFetch}\nrunners: false\n"
         "hooks: {PreToolUse: [{matcher: Bash, hooks: [{command: c, timeout: 5}]}]}\n",
         0},
        {"p.toml",
         "mode = \"plan\"\nallow = ['Bash(npm test:*)', {rule = \"Bash\", regex = '^make$', reason "
         "= \"r\"}]\n"
         "deny = [\"Agent\"]\nrunners = false\n[[rules]]\naction = \"ask\"\nrule = \"WebFetch\"\n"
         "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ncommand = "
         "\"c\"\ntimeout = 5\n",
         0},
        {"p.json",
         "{\"mode\": \"plan\", \"allow\": [\"Bash(npm test:*)\", {\"rule\": \"Bash\", \"regex\": "
         "\"^make$\", "
         "\"reason\": \"r\"}], \"deny\": [\"Agent\"], \"rules\": [{\"action\": \"ask\", \"rule\": "
         "\"WebFetch\"}], "
         "\"runners\": false, \"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": "
         "[{\"command\": \"c\", "
         "\"timeout\": 5}]}]}}",
         0},
    };
    static const char *const want =
        "deny user Agent\nask user WebFetch\nallow user Bash(npm test:*)\nallow user Bash "
        "regex=^make$ reason=r\n"
        "mode plan user\nno runners\nhook PreToolUse user matcher=Bash command=c timeout=5\n";

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(same); i++) {
        struct tree t;
        tree_make(&t);
        const struct tree_file *f = &same[i % COUNT(same)];
        const char *name =
            i < COUNT(same) ? f->path : "policy.conf"; /* the others by their first bytes */
        tree_write(&t, name, f->text, 0);
        struct str path = str_from(tree_path(&t, name));
        struct policy_request r = tree_request(&t);
        r.files = (struct strs){&path, 1, 1};
        load(&t, &r);
        tree_remove(&t);
        assert_string_equal(got, want);
    }
}

/* ---- places and limits ---- */

static void rules_know_their_place(void **state)
{
    struct tree t;
    struct policy *p;

    (void)state;
    tree_make(&t);
    tree_write(&t, OURS, "deny:\n  - Agent\nallow: [Read,\n  Glob]\n", 0);
    struct policy_request r = tree_request(&t);
    assert_int_equal(policy_open(&r, &p, NULL), STATUS_OK);
    assert_int_equal(p->book.rules.count, 3);
    const struct rule *rules = p->book.rules.items;
    assert_true(rules[0].line == 2 && rules[0].column == 5);
    assert_true(rules[1].line == 3 && rules[1].column == 9);
    assert_true(rules[2].line == 4 && rules[2].column == 3);
    assert_true(str_is(rules[0].file, tree_path(&t, OURS)));
    assert_true(str_is(rules[0].base, t.project));
    size_t found = 0;
    for (size_t i = 0; i < p->book.files.count; i++)
        if (p->book.files.items[i].found) {
            found++;
            assert_int_equal(p->book.files.items[i].rules, 3);
            assert_true(str_is(p->book.files.items[i].format, "warder"));
        }
    assert_int_equal(found, 1);
    policy_free(p);
    tree_remove(&t);
}

static void count_of_rules_is_limited(void **state)
{
    struct tree t;
    struct policy *p;
    static char text[6 * POLICY_RULES_MAX + 100];

    (void)state;
    tree_make(&t);
    struct policy_request r = tree_request(&t);
    for (size_t extra = 0; extra < 2; extra++) {
        size_t len = (size_t)snprintf(text, sizeof(text), "deny: [");
        for (size_t i = 0; i < POLICY_RULES_MAX + extra; i++)
            len += (size_t)snprintf(text + len, sizeof(text) - len, "Abc, ");
        snprintf(text + len, sizeof(text) - len, "]\n");
        tree_write(&t, OURS, text, 0);
        assert_int_equal(policy_open(&r, &p, NULL), STATUS_OK);
        assert_int_equal(p->book.rules.count, POLICY_RULES_MAX);
        assert_int_equal(rulebook_broken(&p->book) != NULL, extra);
        policy_free(p);
    }
    tree_remove(&t);
}

static void warnings_are_limited_and_fatal_ones_are_not(void **state)
{
    struct tree t;
    struct policy *p;
    static char text[8 * POLICY_WARNINGS_MAX];

    (void)state;
    tree_make(&t);
    struct policy_request r = tree_request(&t);
    size_t len = (size_t)snprintf(text, sizeof(text), "allow: [");
    for (size_t i = 0; i < POLICY_WARNINGS_MAX + 1; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "'', ");
    snprintf(text + len, sizeof(text) - len, "]\nrunners: 3\n");
    tree_write(&t, OURS, text, 0);
    assert_int_equal(policy_open(&r, &p, NULL), STATUS_OK);
    assert_int_equal(p->book.problems.count, POLICY_WARNINGS_MAX + 1);
    assert_non_null(rulebook_broken(&p->book));
    policy_free(p);
    tree_remove(&t);
}

/* ---- the published schema ---- */

static void same_keys(const struct value *properties, const char *const *names, size_t count)
{
    assert_non_null(properties);
    for (size_t i = 0; i < count; i++)
        if (!value_get(properties, names[i]))
            fail_msg("%s is not in the schema", names[i]);
    for (size_t i = 0; i < properties->count; i++) {
        bool known = false;
        for (size_t j = 0; j < count; j++)
            known |= str_is(properties->members[i].key, names[j]);
        if (!known)
            fail_msg("%s is in the schema only", properties->members[i].key.s);
    }
}

static void schema_has_the_same_keys(void **state)
{
    size_t len, count, long_count = 0;
    char *text = read_whole_file(source_path("docs/warder.schema.json"), &len);
    const struct schema_key *keys = warder_keys(&count);
    const char *names[64], *long_names[64], *program_names[16];
    size_t program_count = 0;
    struct arena a;
    struct value schema;

    (void)state;
    arena_init(&a, 1 << 22);
    assert_int_equal(json_read(&a, (struct str){text, len}, NULL, &schema, NULL), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        names[i] = keys[i].name;
    while (entry_long_key(long_count)) {
        long_names[long_count] = entry_long_key(long_count);
        long_count++;
    }
    while (programs_key(program_count)) {
        program_names[program_count] = programs_key(program_count);
        program_count++;
    }
    same_keys(value_get(value_get(value_get(&schema, "$defs"), "program"), "properties"),
              program_names, program_count);
    same_keys(value_get(&schema, "properties"), names, count);
    same_keys(value_get(value_get(value_get(&schema, "$defs"), "longRule"), "properties"),
              long_names, long_count);
    arena_release(&a);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(sources),
        cmocka_unit_test(programs),
        cmocka_unit_test(trust_decides_what_counts),
        cmocka_unit_test(cli_rules_and_mode),
        cmocka_unit_test(wrong_options_fail),
        cmocka_unit_test(overrides_replace),
        cmocka_unit_test(named_files_and_managed_ones_are_all_there_is),
        cmocka_unit_test(shipped_rules_come_last),
        cmocka_unit_test(home_as_project_is_the_users),
        cmocka_unit_test(formats_are_recognised),
        cmocka_unit_test(three_syntaxes_one_meaning),
        cmocka_unit_test(rules_know_their_place),
        cmocka_unit_test(count_of_rules_is_limited),
        cmocka_unit_test(warnings_are_limited_and_fatal_ones_are_not),
        cmocka_unit_test(schema_has_the_same_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
