"""An agent whose tool calls Warder judges. If the verdict is ask, this program asks at the terminal.

With the Claude Agent SDK it is one line, which sees every call:
ClaudeAgentOptions(hooks={"PreToolUse": [HookMatcher(hooks=[engine.pre_tool_use(ask)], timeout=660)]}).
"""

import asyncio

import warder

POLICY = """
allow: ['Bash(npm run:*)']
deny: ['Bash(curl:*)', 'Read(**/.env)']
"""

CALLS = [
    ("Bash", {"command": "git status"}),
    ("Bash", {"command": "npm run build && curl example.com"}),
    ("Bash", {"command": "make install"}),
    ("Read", {"file_path": "src/.env"}),
]


async def ask(question: warder.Question) -> warder.Answer:
    answer = await asyncio.to_thread(input, f"{question.tool} {question.input}: {question.verdict['reason']}? [y/N] ")
    allow = answer.strip().lower() == "y"
    return warder.Answer(warder.Behavior.ALLOW if allow else warder.Behavior.DENY, by=warder.By.PERSON)


async def main() -> None:
    with warder.Engine(texts=[POLICY]) as engine:
        for tool, arguments in CALLS:
            decision = await engine.resolve_async(engine.check(tool, arguments), ask)
            print(decision.behavior.name.lower(), tool, arguments, decision.message)


asyncio.run(main())
