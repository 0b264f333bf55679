"""docs/openapi.yaml as a judge of answers: each one must be what the document says, with no member more or less.

Needs PyYAML and jsonschema (python3-yaml and python3-jsonschema). Without them nothing is judged, and the first who asks is told.
"""

import json
import re
from pathlib import Path

try:
    import jsonschema
    import yaml
except ImportError as missing:
    jsonschema = yaml = None
    WHY = f"answers are not compared with docs/openapi.yaml: {missing}"

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "openapi.yaml"
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


class Judge:
    def __init__(self):
        self.document = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
        self.formats = jsonschema.FormatChecker(formats=())
        self.formats.checks("date-time")(lambda value: not isinstance(value, str) or STAMP.fullmatch(value) is not None)
        self.validators = {}
        self.seen = set()  # (method, path, status)

    def operation(self, method, path):
        """The path of the document, and what it says there."""
        for known, item in sorted(self.document["paths"].items(), key=lambda pair: "{" in pair[0]):
            pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(known))
            if re.fullmatch(pattern, path) and method.lower() in item:
                return known, item[method.lower()]
        return None, None

    def resolve(self, thing):
        while "$ref" in thing:
            place = self.document
            for name in thing["$ref"].removeprefix("#/").split("/"):
                place = place[name]
            thing = place
        return thing

    def faults(self, schema, value):
        """What is wrong with this value; `schema` is one of the document."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "components": self.document["components"], **schema}
            self.validators[key] = jsonschema.Draft202012Validator(whole, format_checker=self.formats)
        return [f"{'/'.join(map(str, fault.absolute_path))}: {fault.message[:300]}" for fault in self.validators[key].iter_errors(value)]

    def judge(self, method, path, status, content_type, body):
        """What is wrong with an answer."""
        known, operation = self.operation(method, path.split("?")[0])
        kind = (content_type or "").split(";")[0]
        if not operation:
            schema = {"$ref": "#/components/schemas/Problem"}
            if any(self.operation(m, path.split("?")[0])[1] for m in ("get", "post", "put", "delete")):
                schema = {"anyOf": [schema, {"$ref": "#/components/schemas/Denial"}]}
            return self.faults(schema, json.loads(body)) if kind == "application/problem+json" else [f"{status} {kind} of an unknown operation"]
        self.seen.add((method, known, status))
        response = operation["responses"].get(str(status)) or (operation["responses"]["default"] if status >= 400 else None)
        if response is None:
            return [f"{method} {known} does not describe {status}"]
        content = self.resolve(response).get("content", {})
        if not content and not body:
            return []
        if kind not in content:
            return [f"{method} {known} {status} is {kind}, not one of {sorted(content)}"]
        value = json.loads(body) if kind.endswith("json") and kind != "application/manifest+json" else body.decode()
        return [f"{method} {known} {status}: {fault}" for fault in self.faults(content[kind]["schema"], value)]

    def judge_request(self, method, path, body):
        """What is wrong with a request that was accepted."""
        known, operation = self.operation(method, path.split("?")[0])
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        return [f"{method} {known}: {fault}" for fault in self.faults(schema, json.loads(body))]


judge = Judge() if jsonschema else None
