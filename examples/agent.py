"""An agent whose tool calls Warder judges. If the verdict is ask, this program asks at the terminal.

With the Claude Agent SDK it is one line: ClaudeAgentOptions(can_use_tool=engine.can_use_tool(ask)).
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


async def ask(question: warder.Question) -> bool:
    answer = await asyncio.to_thread(input, f"{question.tool} {question.input}: {question.verdict['reason']}? [y/N] ")
    return answer.strip().lower() == "y"


async def main() -> None:
    with warder.Engine(texts=[POLICY]) as engine:
        can_use_tool = engine.can_use_tool(ask)
        for tool, arguments in CALLS:
            result = await can_use_tool(tool, arguments, None)
            print(result.behavior, tool, arguments, getattr(result, "message", ""))


asyncio.run(main())
