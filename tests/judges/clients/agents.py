"""The real agents: how each is set up for the fake model, started, and asked to call a tool.

The agents and the fake model that they talk to are not part of the project: ../shared/clients/e2e has them, and its
setup.sh installs the programs."""
import glob
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
E2E = os.path.join(HERE, "..", "..", "..", "..", "shared", "clients", "e2e")
LIMIT = 300  # seconds for one agent's run

sys.path.insert(0, E2E)
try:
    import common
except ImportError:
    common = None

# An MCP server with one tool: says yes to every question and notes it.
ANSWERER = """import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    if m["method"] == "initialize":
        r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}},
             "serverInfo": {"name": "person", "version": "1"}}
    elif m["method"] == "tools/list":
        r = {"tools": [{"name": "ask", "description": "asks", "inputSchema": {"type": "object"}}]}
    elif m["method"] == "tools/call":
        asked = m["params"]["arguments"]
        open(sys.argv[1], "a").write(json.dumps(asked) + "\\n")
        r = {"content": [{"type": "text", "text": json.dumps({"behavior": "allow", "updatedInput": asked["input"]})}]}
    else:
        r = {}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"""


def modules(*parts):
    found = sorted(glob.glob(os.path.join(common.NM, *parts)))
    return found[0] if found else None


def write(path, content, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(content if isinstance(content, str) else json.dumps(content, indent=2) + "\n")
    os.chmod(path, mode)


def wait_for(done, seconds=180):  # on a busy machine an agent takes a minute to draw its window
    end = time.time() + seconds
    while not done():
        if time.time() > end:
            raise TimeoutError("it did not happen in %d seconds" % seconds)
        time.sleep(0.2)


class Agent:
    """One agent: how it is configured for the fake model, how it is started, how its shell tool is called."""

    name = tool = ""
    registration = ""  # below the home
    field = "command"
    extra = {}
    writer = None  # its tool that writes a file, with the names of the path and of the content
    home_variable = None  # the variable that says where its settings are, so that HOME may be another one
    lister = None  # the tool and the input by which it lists files without a person; None: its shell tool
    rewrites = True
    static = False  # it has no loader, which would read variables before it
    unhooked = ()  # cases in which a variable that nothing can unset keeps the shell that starts the hook from doing so
    shows_errors = True  # the model sees the standard error of a hook that blocks

    def settings(self, home, project, url):
        pass

    def environment(self, home, url):
        return {}

    def command(self, mode):
        raise NotImplementedError

    def program(self):
        raise NotImplementedError

    def shell(self, command, **more):
        """One call of its shell tool, as the model makes it."""
        return {"name": self.tool, "input": {self.field: command, **self.extra, **more}}

    def writes(self, path, content):
        """One call of its tool that writes a file."""
        tool, path_name, content_name = self.writer
        return {"name": tool, "input": {path_name: path, content_name: content}}

    def put_in(self, directory):
        """A directory for PATH, in which the agent has the name that people type."""
        program = self.program()
        start = "node " if program.endswith(".js") else ""
        write(directory + "/" + self.name, '#!/bin/sh\nexec %s%s "$@"\n' % (start, program), 0o755)


class Claude(Agent):
    name, tool, registration = "claude", "Bash", ".claude/settings.json"
    extra = {"description": "demo"}
    writer = ("Write", "file_path", "content")
    home_variable = "CLAUDE_CONFIG_DIR"

    def environment(self, home, url):
        return {"CLAUDE_CONFIG_DIR": home + "/.claude", "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "IS_SANDBOX": "1"}

    def program(self):
        return modules("@anthropic-ai", "claude-code-linux-x64", "claude")

    def command(self, mode):
        modes = {"careful": "default", "free": "bypassPermissions"}
        return [self.program(), "-p", "go", "--output-format", "json", "--model", "claude-sonnet-4-5",
                "--permission-mode", modes[mode]]


class Codex(Agent):
    name, tool, field, registration = "codex", "exec_command", "cmd", ".codex/hooks.json"
    writer = ("apply_patch",)
    static = True
    unhooked = ("traced", "no libc", "listed", "tunables", "no exec")
    home_variable = "CODEX_HOME"

    def writes(self, path, content):
        patch = "*** Begin Patch\n*** Add File: %s\n+%s\n*** End Patch\n" % (os.path.basename(path), content.rstrip("\n"))
        return {"name": "apply_patch", "custom": True, "input": patch}

    def settings(self, home, project, url):
        write(home + "/.codex/config.toml", "\n".join([
            'model = "gpt-5.5"', 'model_provider = "fake"', 'approval_policy = "never"',
            'sandbox_mode = "danger-full-access"', "[model_providers.fake]", 'name = "fake"',
            'base_url = "%s/v1"' % url, 'wire_api = "responses"', 'env_key = "FAKE_KEY"', "request_max_retries = 0",
            "stream_max_retries = 0", "supports_websockets = false", "[features]",
            "enable_request_compression = false", "[analytics]", "enabled = false",
            '[projects."%s"]' % project, 'trust_level = "trusted"', ""]))

    def environment(self, home, url):
        return {"CODEX_HOME": home + "/.codex", "FAKE_KEY": "none"}

    def program(self):
        return modules("@openai", "codex-linux-x64", "vendor", "*", "bin", "codex") or modules(
            "@openai", "codex-linux-x64", "vendor", "*", "codex", "codex")

    def trust_hooks(self, home, project, root, prompt=None):
        """As a person does, in Codex's own window: the second choice, "Trust all and continue". With a prompt, the window then
        gets it, and its last screen is returned."""
        env = {**common.base_env(root), **self.environment(home, ""), "TERM": "xterm-256color", "SHELL": "/bin/bash"}

        def tmux(*words):
            return subprocess.run(["tmux", "-S", root + "/tmux", *words], env=env, capture_output=True, text=True).stdout

        def trusts():  # a key that comes too early is lost
            if "Trust all" in tmux("capture-pane", "-p"):
                tmux("send-keys", "2", "Enter")
                time.sleep(1)
            return "trusted_hash" in open(home + "/.codex/config.toml").read()

        tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "60", "-c", project, self.program())
        try:
            wait_for(lambda: "Trust all" in tmux("capture-pane", "-p"))
            wait_for(trusts)
            if prompt:
                wait_for(lambda: "Ask Codex" in tmux("capture-pane", "-p"))
                time.sleep(2)
                tmux("send-keys", "-l", prompt)
                time.sleep(1)
                tmux("send-keys", "Enter")
                wait_for(lambda: "FAKE-DONE" in tmux("capture-pane", "-p"))
            return tmux("capture-pane", "-p")
        finally:
            tmux("kill-server")

    def command(self, mode):
        return [self.program(), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "go"]


class Gemini(Agent):
    name, tool, registration = "gemini", "run_shell_command", ".gemini/settings.json"
    lister = ("list_directory", {"dir_path": "."})
    extra = {"description": "demo"}
    writer = ("write_file", "file_path", "content")

    def settings(self, home, project, url):
        write(home + "/.gemini/settings.json", {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False}, "telemetry": {"enabled": False},
            "privacy": {"usageStatisticsEnabled": False}, "hooksConfig": {"enabled": True}})

    def environment(self, home, url):
        return {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_NO_RELAUNCH": "true",
                "NO_BROWSER": "1"}

    def program(self):
        return modules("@google", "gemini-cli", "bundle", "gemini.js")

    def command(self, mode):
        return ["node", self.program(), "-p", "go", "-m", "gemini-2.5-flash", "--approval-mode", "yolo",
                "--skip-trust"]


class Copilot(Agent):
    name, tool, registration = "copilot", "bash", ".copilot/hooks/warder.json"
    extra = {"description": "demo", "mode": "sync"}
    writer = ("create", "path", "file_text")
    home_variable = "COPILOT_HOME"
    shows_errors = False

    def settings(self, home, project, url):
        write(home + "/.copilot/config.json", {"trusted_folders": [project], "banner": "never"})

    def environment(self, home, url):
        return {"COPILOT_HOME": home + "/.copilot", "COPILOT_OFFLINE": "true", "COPILOT_MODEL": "fake-model",
                "COPILOT_PROVIDER_BASE_URL": url + "/v1", "COPILOT_PROVIDER_API_KEY": "none",
                "COPILOT_AUTO_UPDATE": "false"}

    def program(self):
        return modules("@github", "copilot-linux-x64", "copilot")

    def command(self, mode):
        return [self.program(), "-p", "go", "--no-color"] + (["--allow-all-tools"] if mode == "free" else [])


class Qwen(Agent):
    name, tool, registration = "qwen", "run_shell_command", ".qwen/settings.json"
    lister = ("glob", {"pattern": "*"})
    extra = {"description": "demo", "is_background": False}
    writer = ("write_file", "file_path", "content")
    rewrites = False

    def settings(self, home, project, url):
        write(home + "/.qwen/settings.json", {
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False}, "telemetry": {"enabled": False},
            "privacy": {"usageStatisticsEnabled": False}})

    def environment(self, home, url):
        return {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": url + "/v1", "OPENAI_MODEL": "fake-model",
                "QWEN_CODE_NO_RELAUNCH": "true"}

    def program(self):
        package = modules("@qwen-code", "qwen-code", "package.json")
        if not package:
            return None
        entry = json.load(open(package))["bin"]
        return os.path.join(os.path.dirname(package), entry if isinstance(entry, str) else list(entry.values())[0])

    def command(self, mode):
        return ["node", self.program(), "-p", "go", "--approval-mode", "yolo"]


class OpenCode(Agent):
    name, tool, registration = "opencode", "bash", ".config/opencode/plugins/warder.js"
    extra = {"description": "demo"}
    writer = ("write", "filePath", "content")

    def settings(self, home, project, url):
        write(project + "/opencode.json", {
            "autoupdate": False, "share": "disabled", "model": "fake/fake-model", "small_model": "fake/fake-model",
            "enabled_providers": ["fake"],
            "provider": {"fake": {
                "npm": "@ai-sdk/openai-compatible", "name": "fake",
                "options": {"baseURL": url + "/v1", "apiKey": "none"},
                "models": {"fake-model": {"name": "fake", "tool_call": True,
                                          "limit": {"context": 100000, "output": 4000}}}}}})

    def environment(self, home, url):
        return {"OPENCODE_DISABLE_" + what: "1" for what in
                ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE")}

    def program(self):
        return modules("opencode-linux-x64-baseline", "bin", "opencode") or modules(
            "opencode-linux-x64", "bin", "opencode")

    def command(self, mode):
        return [self.program(), "run", "go"]


AGENTS = [Claude(), Codex(), Gemini(), Copilot(), Qwen(), OpenCode()]


def skip(why):
    print("SKIPPED: " + why)
    sys.exit(77)


def go_offline():
    """Runs this program again with a network that is loopback only; skips it where there are no agents."""
    if not common:
        skip("../shared/clients/e2e is not here")
    if os.environ.get("WARDER_LOOPBACK") != "1":
        os.environ["WARDER_LOOPBACK"] = "1"
        os.execv(E2E + "/loopback-only.sh", [E2E + "/loopback-only.sh", sys.executable] + sys.argv)


def results_of(root):
    """What the model was told by the tools that it called, in their order."""
    last = []
    for line in open(root + "/llm.jsonl"):
        request = json.loads(line)
        if request["kind"] == "request" and len(request["results"]) >= len(last):
            last = request["results"]
    return last
