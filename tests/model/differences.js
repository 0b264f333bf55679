'use strict';
// Where Warder follows its own documents and not the letter of the five. Each has the sentence of the document, ours, and
// is a branch of the model (`ours(NAME)`): it predicts the verdict, it does not excuse one.

module.exports = {
    'managed-first': {
        document: 'mini: "if (mode === \'bypassPermissions\') return { action: \'allow\' }"; 001: layer 1 is the mode',
        ours: 'profiles.md, 4: "Deny rules of managed policy hold before everything else, bypass included."',
    },
    'managed-strongest': {
        document: 'mink: "policy < flag < local < project < user < cliArg < command < session"',
        ours: 'policy-files.md, Order: "Managed policy is first in every profile."',
    },
    'managed-only': {
        document: 'none knows such a switch',
        ours: 'warder.conf(5), allowManagedPermissionRulesOnly: "Allow rules of other sources do not count."',
    },
    ceiling: {
        document: 'mink: "Files are merged in CC\'s precedence order"; the others have one mode',
        ours: 'profiles.md, 6: "Managed policy that sets a mode is a ceiling: a call may be stricter, not looser."',
    },
    trust: {
        document: 'caliban: "Project + user files allow shared team policies committed to source control."',
        ours: 'profiles.md, 5: "A project\'s allow rules, hooks, mode and directories count only once the project is trusted"',
    },
    guests: {
        document: 'caliban: "Within a single source, first match wins"',
        ours: 'profiles.md, 8: "Two kinds of ask rules may make a verdict stricter, and never milder"',
    },
    'reduced-forms': {
        document: 'caliban: "Bash:rm * does not match Bash:sudo rm *"',
        ours: 'profiles.md, 1: "Deny and ask rules also match reduced forms"',
    },
    'every-action': {
        document: 'guild: "How should compound commands (cmd1 && cmd2) be evaluated?"; the others match the whole text',
        ours: 'profiles.md, 2: "An allow rule must cover every action of a command"',
    },
    'normal-form': {
        document: 'mini: "value = input.command"',
        ours: 'warder-rules(5): "its words after quote removal with single blanks between them"',
    },
    names: {
        document: '001: "Step 1: Exact tool name match"',
        ours: 'warder-rules(5): "The names that other clients have for the same tools are known"',
    },
    'mcp-server': {
        document: '001: "Step 1: Exact tool name match"',
        ours: 'profiles.md: a deny or ask rule mcp__server binds every tool of the server',
    },
    'danger-forms': {
        document: 'mini: "DANGEROUS_PATTERNS.some((p) => p.test(command))"',
        ours: 'profiles.md: the danger patterns are also looked for in reduced forms',
    },
    'plan-file': {
        document: 'mini: "filePath === planFilePath"',
        ours: 'profiles.md: another spelling of the plan file is the plan file',
    },
    'mini-capitals': {
        document: 'mini: "rule.match(/^([a-z_]+)\\((.+)\\)$/)"',
        ours: 'profiles.md: names of tools may have capitals',
    },
    'mink-as-written': {
        document: 'mink, step 6: "any matching allow entry: ALLOW"',
        ours: 'profiles.md: "in a group, in the background, after env ... they are asked about. The bare tool (Bash) covers those as well."',
    },
    'mink-prefix': {
        document: 'mink: "Tool(arg_key:pattern)", "Tool(content_pattern)": x:* is a glob on texts with a colon',
        ours: 'profiles.md: "Bash(x:*) is a prefix on words, as in the program whose settings files these are"',
    },
    'guild-bare': {
        document: 'guild: "nc *"',
        ours: 'profiles.md: "A trailing  * of a deny rule also matches the bare program; of an accept rule it does not."',
    },
    'guild-clearances': {
        document: 'guild: "Everything not matching accept or deny rules goes to human review."',
        ours: 'profiles.md: "what it leaves to a person is first looked at by the layers harmless, repository and project-code"',
    },
    'guild-shipped': {
        document: 'guild: "npm test*", "ls*", ...',
        ours: 'profiles.md: "an accept rule that is shipped covers what its words say and not all that its star could stand for"',
    },
    'star-ceiling': {
        document: 'guild, caliban: no settings.json',
        ours: 'policy-files.md, What a star covers: "Bash(git *) does not cover git push"; settings.json is in that dialect there',
    },
    'managed-readings': {
        document: 'mini: parseRule() is the one reading of a rule',
        ours: 'policy-files.md: managed rules that deny or ask are also read in the default spelling',
    },
    'prefix-mark': {
        document: '001: "Contains *, ?, [, {: doublestar.Match"; mini: "trailing * for prefix matching"',
        ours: 'profiles.md, 13: "In mini and waterfall, where :* does not mark a prefix, a rule Bash(x:*) is an error"',
    },
    'guild-evasion': {
        document: 'guild, REQ-NF-1: "Deny rules cannot be bypassed by command obfuscation"',
        ours: 'policy-files.md: "It stops that command, whoever starts it and however it is written"',
    },
    'guild-made': {
        document: 'guild, REQ-NF-1: "Deny rules cannot be bypassed by command obfuscation"',
        ours: 'policy-files.md: "the call runs a file that is not there yet and that another command of the call may make"',
    },
    disabled: {
        document: '001: the disabled tools are layer 2, after the mode; the others have none',
        ours: 'profiles.md: "In every profile disabledTools denies and managed deny rules come first"',
    },
    unreadable: {
        document: 'mini: "return { tool: rule, pattern: null }"',
        ours: 'policy-files.md, Mistakes: a deny or ask entry that cannot be read: "every call is denied until it is mended"',
    },
    'settings-dialect': {
        document: 'caliban, guild: no settings.json',
        ours: 'profiles.md: settings.json is read in the default dialect there',
    },
    'mini-ask': {
        document: 'mini: "Why no ask rule"',
        ours: 'profiles.md: "an ask rule of a shared settings file still asks"',
    },
    'mink-plan': {
        document: 'mink, step 5: "bypassPermissions (and plan when bypass is available): ALLOW for anything not yet decided"',
        ours: 'profiles.md: "its table of modes governs over step 5: plan denies writing, editing and shell commands"',
    },
    'extra-modes': {
        document: 'mink: four modes; caliban: none; guild: none',
        ours: 'profiles.md: auto: "what would be asked about is denied"; dontAsk and delegate likewise in every profile',
    },
    'auto-allow-rules': {
        document: 'caliban: "--auto-allow is the documented escape hatch for non-interactive runs"; the others have none',
        ours: 'warder(1): ask rules of guild, mini and mink stay asks',
    },
    'path-rules': {
        document: '001: "Tool Write: matches against input[file_path]"',
        ours: 'profiles.md: deny and ask rules about paths bind other tools, the resolved path and any case',
    },

    // A known error of Warder would be here with `bug: true`: both verdicts are admitted, and whoever fixes it removes its
    // entry.
};
