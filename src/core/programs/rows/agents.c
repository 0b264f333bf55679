/* agents.c - rows: programs that are made for agents and their sessions. Only what reads is
 * explained; what starts an agent, changes its hooks or sends something has an effect. */
#include "programs/programs.h"

#define ENTIRE "docs.entire.io/cli-reference"
#define HELP   "%-h,--help "
#define EXPLAINS                                                                                   \
    HELP "-c,--checkpoint= --commit= --session= --full -s,--short -v,--verbose --no-pager "        \
         "--raw-transcript "                                                                       \
         "--search-all "
#define SWE_AGENT "swe-agent.com, its config/commands"

static const struct program_row rows[] = {
    {"decompile", "mixed --function_name=", "R cwd=W", 0,
     SWE_AGENT "; keeps what it found in ghidra_out"},
    {"disassemble", "mixed --function_name=", "R cwd=W", 0,
     SWE_AGENT "; keeps what it found in ghidra_out"},
    {"entire", HELP "%-v,--version", "{0} none | sub", 0, ENTIRE},
    {"entire attach", HELP, ".*", EFFECT_CODE | EFFECT_REPO, ENTIRE},
    {"entire auth", HELP, "{0} none | sub", 0, ENTIRE},
    {"entire auth status", HELP "--json", "none", EFFECT_FETCH, ENTIRE},
    {"entire checkpoint", HELP, "{0} none | sub", 0, ENTIRE},
    /* --generate asks an agent */
    {"entire checkpoint explain", "mixed " EXPLAINS "^code^network--generate --force", ".",
     EFFECT_FETCH, ENTIRE},
    {"entire checkpoint list", "mixed " HELP "--session= --no-pager --json", "none", EFFECT_FETCH,
     ENTIRE},
    {"entire checkpoint rewind", HELP, ".*", EFFECT_LOSS, ENTIRE},
    {"entire checkpoint search", HELP, ".*", EFFECT_NETWORK,
     ENTIRE "; the question leaves the machine"},
    {"entire checkpoints", "=entire checkpoint", "", 0, ENTIRE},
    {"entire clean", "mixed " HELP "^loss-f,--force -n,--dry-run --all", "{-n} none | ^loss none",
     0, ENTIRE},
    {"entire collab", HELP, ".*", EFFECT_CODE | EFFECT_NETWORK, ENTIRE},
    {"entire completion", HELP, ".", 0, ENTIRE},
    {"entire configure", HELP, ".*", EFFECT_CODE,
     ENTIRE "; changes hooks and where checkpoints go"},
    {"entire disable", HELP, ".*", EFFECT_CODE, ENTIRE},
    {"entire dispatch", HELP, ".*", EFFECT_CODE | EFFECT_NETWORK, ENTIRE},
    {"entire doctor", HELP "^loss-f,--force", "none", 0, ENTIRE "; asks before it mends something"},
    {"entire enable", HELP, ".*", EFFECT_CODE, ENTIRE "; installs hooks"},
    {"entire explain", "mixed " EXPLAINS "^code^network--generate --force", ".", EFFECT_FETCH,
     ENTIRE},
    {"entire help", HELP, ".*", 0, ENTIRE},
    {"entire hooks", HELP, ".*", EFFECT_CODE, ENTIRE},
    {"entire login", HELP, ".*", EFFECT_SECRETS | EFFECT_NETWORK, ENTIRE},
    {"entire recap", HELP, ".*", EFFECT_CODE | EFFECT_NETWORK, ENTIRE},
    {"entire reset", HELP, ".*", EFFECT_LOSS, ENTIRE},
    {"entire resume", HELP, ".*", EFFECT_CODE | EFFECT_REPO, ENTIRE},
    {"entire rewind", "mixed " HELP "--list ^loss--to= --logs-only --reset",
     "{--list} none | ^loss .*", 0, ENTIRE},
    {"entire search", HELP, ".*", EFFECT_NETWORK, ENTIRE "; the question leaves the machine"},
    {"entire session", HELP, "{0} none | sub", 0, ENTIRE},
    {"entire session current", "mixed " HELP "--json --transcript", "none", 0, ENTIRE},
    {"entire session info", "mixed " HELP "--json --transcript", ".", 0, ENTIRE},
    {"entire session list", "mixed " HELP "--json", "none", 0, ENTIRE},
    {"entire session stop", HELP, ".*", EFFECT_PROCESS, ENTIRE},
    {"entire session tokens", "mixed " HELP "--json --current --agent-brief", ".", 0, ENTIRE},
    {"entire sessions", "=entire session", "", 0, ENTIRE},
    {"entire status", HELP "--detailed --json", "none", 0, ENTIRE},
    {"entire version", HELP, "none", 0, ENTIRE},
    {"set_cursors", "", "@number @number", 0, SWE_AGENT},
};

extern const struct program_file rows_agents;
const struct program_file rows_agents = {"programs/rows/agents.c", rows, COUNT(rows)};
