"""As much of JSON Schema as `resources/model.schema.json` uses."""

from __future__ import annotations

_TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {
    "$schema", "$id", "$defs", "$ref", "title", "description", "type", "required", "properties", "const",
    "enum", "items", "minItems", "minimum", "additionalProperties", "oneOf", "not",
}  # fmt: skip


def violations(value, schema, root=None, path="$"):
    """Return what is wrong, a line each."""
    root = root or schema
    assert set(schema) <= KNOWN, f"unchecked keywords: {set(schema) - KNOWN}"
    found = []
    if "$ref" in schema:
        found += violations(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, path)
    if "const" in schema and value != schema["const"]:
        found.append(f"{path} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path} is none of {schema['enum']}")
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_is(value, name) for name in types):
        return [*found, f"{path} is not {types}"]
    if "minimum" in schema and value < schema["minimum"]:
        found.append(f"{path} is below {schema['minimum']}")
    if isinstance(value, dict):
        found += _object(value, schema, root, path)
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            found.append(f"{path} is too short")
        for i, item in enumerate(value):
            found += violations(item, schema.get("items", {}), root, f"{path}[{i}]")
    if "not" in schema and not violations(value, schema["not"], root, path):
        found.append(f"{path} is what it must not be")
    if "oneOf" in schema and sum(not violations(value, s, root, path) for s in schema["oneOf"]) != 1:
        found.append(f"{path} fits not exactly one alternative")
    return found


def _object(value, schema, root, path):
    found = [f"{path} lacks {name}" for name in schema.get("required", []) if name not in value]
    properties = schema.get("properties", {})
    for key, item in value.items():
        if key in properties:
            found += violations(item, properties[key], root, f"{path}.{key}")
        elif schema.get("additionalProperties") is False:
            found.append(f"{path} has an unknown {key}")
    return found


def _is(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, _TYPES[name])
