"""Writes large-offsets.json: random expressions on fields with large offsets, computed by NumPy in double precision.

Run from the repository's root: python3 src/lang/expression/execute/testing/make-large-offsets.py
"""

import json
import pathlib
import random

import numpy as np

rng = random.Random(20)
n = 16
fields = {
    "wave": 1e8 + np.sin(np.arange(n) * 0.7),
    "time": 1.7e9 + 10.0 * np.arange(n),
    "deep": -3e10 + np.cos(np.arange(n) * 1.3) * 40,
    "unit": (np.arange(n) * 7 % n) / n,
}


def expression(depth):
    """A text of the expression language, and its values."""
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.25:
            number = rng.choice([2.0, 0.5, 3.0, 1e8, 1.7e9, 2e8, 0.1])
            return repr(number), np.full(n, number)
        name = rng.choice(list(fields))
        return name, fields[name]
    kind = rng.choice(["+", "-", "-", "-", "*", "/", "min", "max", "abs", "sqrt", "centred"])
    a, x = expression(depth - 1)
    if kind == "abs":
        return f"abs({a})", np.abs(x)
    if kind == "sqrt":
        return f"sqrt(abs({a}))", np.sqrt(np.abs(x))
    if kind == "centred":
        return f"(({a}) - minimum({a}))", x - np.min(x)
    b, y = expression(depth - 1)
    if kind in ("min", "max"):
        return f"{kind}({a}, {b})", {"min": np.minimum, "max": np.maximum}[kind](x, y)
    operate = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[kind]
    return f"({a} {kind} {b})", operate(x, y)


cases = []
with np.errstate(all="ignore"):
    while len(cases) < 40:
        text, values = expression(3)
        if text in fields or not np.all(np.isfinite(values)) or np.min(values) == np.max(values):
            continue
        cases.append(
            {
                "text": text,
                "values": values.tolist(),
                "spread": np.max(values) - np.min(values),
                "deviation": np.std(values),
                "third": np.quantile(values, 0.3),
            }
        )

path = pathlib.Path(__file__).with_name("large-offsets.json")
given = {name: values.tolist() for name, values in fields.items()}
path.write_text(json.dumps({"fields": given, "cases": cases}) + "\n")
