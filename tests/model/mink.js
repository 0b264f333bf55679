'use strict';
// "Decision algorithm: the full sequence (PermissionChecker.check)".
const { verdict, properName } = require('./shared.js');

const builtin = [];
const INTERACTIVE = new Set(['AskUserQuestion', 'ExitPlanMode']); // requires_user_interaction
const EDITS = new Set(['Write', 'Edit', 'NotebookEdit']);

const isWrite = (call) => EDITS.has(properName(call.tool)) || properName(call.tool) === 'Bash';

const isDestructive = ({ tool, annotations }) => tool.startsWith('mcp__') && Boolean(annotations && annotations.destructive);

// The table of modes: "plan: Read-only: every write/edit/bash returns deny"
function planned({ mode, call, ours }) {
    return mode === 'plan' && ours('mink-plan') && (isWrite(call) || isDestructive(call)) ? verdict('deny', 'mode') : null;
}

// Tools that are known to write nothing; of the others plan mode asks, whatever allow rules say.
const KNOWN = new Set(['Read', 'Glob', 'Grep', 'LS', 'Agent', 'WebFetch', 'WebSearch', 'Config', 'TaskOutput']);
function mayWrite({ mode, call, ours, believed }) {
    if (mode !== 'plan' || !ours('mink-plan') || KNOWN.has(properName(call.tool)))
        return null;
    const readOnly = believed && call.annotations && call.annotations.readOnly;
    return readOnly ? null : verdict('ask', 'may-write');
}

// Step 5, and "acceptEdits: Auto-allow file edits in the working tree"
function byMode({ mode, call, ours }) {
    const tool = properName(call.tool);
    if (mode === 'bypassPermissions' || (mode === 'plan' && !ours('mink-plan')))
        return verdict('allow', 'mode');
    if (mode === 'acceptEdits' && EDITS.has(tool) && call.inTree)
        return verdict('allow', 'mode');
    if (mode === 'delegate' && ours('extra-modes') && tool !== 'Agent')
        return verdict('deny', 'mode');
    return null;
}

function decide(walk) {
    const denied = walk.any('deny');
    if (denied)
        return verdict('deny', denied);
    const plan = planned(walk);
    if (plan)
        return plan;
    const asked = walk.any('ask');
    if (asked)
        return verdict('ask', asked);
    if (INTERACTIVE.has(walk.call.tool))
        return verdict('ask', 'interaction');
    return mayWrite(walk) || byMode(walk) || walk.covered() || verdict('ask', 'default');
}

module.exports = { builtin, decide };
