'use strict';
// "3. Unified Permission Check": checkPermission() of the document. Its code governs where its table says something else.
const { verdict, stricter, properName } = require('./shared.js');

const builtin = [];
const READ_TOOLS = new Set(['read_file', 'list_files', 'grep_search']);
const EDIT_TOOLS = new Set(['write_file', 'edit_file']);
const DANGEROUS_PATTERNS = [
    /\brm\s/,
    /\bgit\s+(push|reset|clean|checkout\s+\.)/,
    /\bsudo\b/,
    /\bmkfs\b/,
    /\bdd\s/,
    />\s*\/dev\//,
    /\bkill\b/,
    /\bpkill\b/,
    /\breboot\b/,
    /\bshutdown\b/,
    /\bdel\s/i,
    /\brmdir\s/i,
    /\bformat\s/i,
    /\btaskkill\s/i,
    /\bRemove-Item\s/i,
    /\bStop-Process\s/i,
];
const isDangerous = (command) => DANGEROUS_PATTERNS.some((p) => p.test(command));

// The document's own names; other clients' names for the same tools are known (differences.js, names).
const OWN = { Bash: 'run_shell', Read: 'read_file', Write: 'write_file', Edit: 'edit_file', Grep: 'grep_search', LS: 'list_files' };
const nameOf = ({ call, ours }) => (ours('names') && OWN[properName(call.tool)]) || call.tool;

function isPlanFile({ call, policy, ours }) {
    if (!policy.planFile)
        return false;
    return call.input.file_path === policy.planFile
        || (ours('plan-file') && `${policy.project}/${call.path}` === policy.planFile);
}

function planned(walk) {
    const tool = nameOf(walk);
    if (EDIT_TOOLS.has(tool))
        return verdict(isPlanFile(walk) ? 'allow' : 'deny', 'plan');
    return tool === 'run_shell' ? verdict('deny', 'plan') : null;
}

function dangerForms({ call, parts, ours }) {
    const written = [call.input.command];
    return ours('danger-forms') ? [...written, ...parts.flatMap((p) => [p.text, ...p.reduced])] : written;
}

// Layer 2
function needsConfirm(walk) {
    const tool = nameOf(walk);
    if (tool === 'run_shell')
        return dangerForms(walk).some(isDangerous);
    return EDIT_TOOLS.has(tool) && !walk.call.exists;
}

function decide(walk) {
    if (walk.mode === 'bypassPermissions')
        return verdict('allow', 'mode');
    const denied = walk.any('deny');
    if (denied)
        return verdict('deny', denied);
    const asked = walk.ours('mini-ask') && walk.any('ask');
    if (asked)
        return stricter(verdict('ask', asked), withoutRules(walk));
    return walk.covered() || withoutRules(walk);
}

function withoutRules(walk) {
    if (READ_TOOLS.has(nameOf(walk)))
        return verdict('allow', 'read-tools');
    const plan = walk.mode === 'plan' && planned(walk);
    if (plan)
        return plan;
    if (walk.mode === 'acceptEdits' && EDIT_TOOLS.has(nameOf(walk)))
        return verdict('allow', 'accept-edits');
    if (needsConfirm(walk))
        return verdict(walk.mode === 'dontAsk' ? 'deny' : 'ask', 'danger');
    return verdict('allow', 'default');
}

module.exports = { builtin, decide };
