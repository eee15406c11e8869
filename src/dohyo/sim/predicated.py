"""Flat functions over many games at once: vectors in the place of numbers, and masks in the place of branches.

Theory of operation
-------------------
The rules' own source is walked, statement by statement, and code of LLVM is written for `count` games, the lanes,
at once. A number is a vector with a place for each lane. Both ways of an `if` are gone, each under the mask of the
lanes that go it: what these write is blended into what is there. A `return` leaves its lanes out of what follows. A
call is put in its place, and a loop is written out; so both must be known beforehand.

How numbers are counted with is in `dohyo.sim.vectors`. What cannot be written so is refused by `NoLanesError`; it
never becomes other than what the plain function does.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from dohyo.core.flat import popcount
from dohyo.sim.vectors import EXACT, LONGEST_ROW, RING, Lanes, Mask, NoLanesError, Vectors, fits

Function = Callable[..., Any]

LONGEST_LOOP = 64  # turns of a loop that is written out
MOST_WRITTEN = 5000  # statements, with those of loops within loops each time: of more, to compile takes minutes


class Cell:
    """A place that holds a number a lane, from `low` to `high`; `was_written` once it has got another.

    Where these are the bounds of a kind of field, a number beyond them loses its upper bits. Where they are a guess,
    it was wrong then (`went_beyond`), and what is written is of no use.
    """

    def __init__(self, content: Any, low: int, high: int, is_guess: bool = False) -> None:
        self.content, self.low, self.high, self.is_guess = content, low, high, is_guess
        self.was_written = self.went_beyond = False

    @property
    def bits(self) -> int:
        """How many bits a lane it takes."""
        return fits(self.low, self.high)


class Record:
    """A record's fields: each a `Cell`, or a list of them. `was_read` has the names that were looked at."""

    def __init__(self, fields: dict[str, Cell | list[Cell]]) -> None:
        self.fields = fields
        self.was_read: set[str] = set()

    def cells(self) -> list[tuple[tuple[str, int], Cell]]:
        """All of them in order, each after its field's name and its place there."""
        rows = {name: field if isinstance(field, list) else [field] for name, field in self.fields.items()}
        return [((name, place), cell) for name, row in rows.items() for place, cell in enumerate(row)]


@cache
def _source_of(function: FunctionType) -> ast.FunctionDef:
    """A function's source. Raises `NoLanesError` where that is not at hand."""
    try:
        (found,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    except (OSError, TypeError, SyntaxError, ValueError) as error:
        raise NoLanesError(f"the source of {function.__name__} is not at hand") from error
    if not isinstance(found, ast.FunctionDef):
        raise NoLanesError(f"{function.__name__} is no plain function")
    compiled = compile(ast.Module([found], []), "rules", "exec", dont_inherit=True)
    codes = [each for each in compiled.co_consts if isinstance(each, CodeType) and each.co_name == function.__name__]
    if _does(function.__code__) not in map(_does, codes):
        raise NoLanesError(f"the source of {function.__name__} has changed")
    return found


def _does(code: CodeType) -> tuple[Any, ...]:
    """What a function's code does, wherever it stands."""
    return code.co_code, code.co_consts, code.co_names, code.co_varnames


class Predicated:
    """Walks flat functions, and writes what they do on all lanes."""

    def __init__(self, vectors: Vectors, parts: Mapping[str, Any]) -> None:
        """`parts` stand for names that functions leave open, as in `dohyo.sim.compiled`."""
        self.vectors, self._parts, self.written = vectors, parts, 0

    def count(self) -> None:
        """One more statement is written. Raises `NoLanesError` for too many."""
        self.written += 1
        if self.written > MOST_WRITTEN:
            raise NoLanesError(f"more than {MOST_WRITTEN} statements")

    def call(self, function: Function, arguments: Sequence[Any], where: Any = True) -> Any:
        """What the function returns for these arguments; only lanes in the mask `where` write anything."""
        if function is popcount:
            return self.vectors.popcount(*arguments)
        if not getattr(function, "__flat__", False):
            raise NoLanesError(f"a call of {function!r}")
        function = getattr(function, "__twin__", function)
        if not isinstance(function, FunctionType) or function.__closure__:
            raise NoLanesError(f"a call of {function!r}")
        return _Walk(self, function, arguments).run(where)

    def named(self, function: FunctionType, name: str) -> Any:
        """What a name of its module stands for."""
        own = function.__globals__.get(name)
        if own is None and name in self._parts:  # where a module has something of that name, it means that
            return self._parts[name]
        if name in function.__globals__:
            return own
        known = {"len": len, "range": range, "int": int, "bool": bool, "min": min, "max": max, "abs": abs}
        if name in known:
            return known[name]
        raise NoLanesError(f"the name {name}")


class _Walk:
    """One call of a function."""

    def __init__(self, code: Predicated, function: FunctionType, arguments: Sequence[Any]) -> None:
        self._code, self._function, self._vectors = code, function, code.vectors
        self._source = _source_of(function)
        names = [each.arg for each in self._source.args.args]
        if len(names) != len(arguments):
            raise NoLanesError(f"defaults of {function.__name__}")
        self._names: dict[str, Any] = dict(zip(names, arguments, strict=True))
        self._returned: list[tuple[Any, Any]] = []

    def run(self, where: Any) -> Any:
        """Walk it; what it returns."""
        rest = self._all(self._source.body, where)
        if rest is not False:
            self._returned.append((rest, None))
        *before, (_, result) = self._returned or [(True, None)]
        for mask, value in reversed(before):
            if (value is None) != (result is None):
                raise NoLanesError(f"{self._function.__name__} returns something on some ways only")
            result = None if value is None else self._vectors.select(mask, value, result)
        return result

    # --- statements: each says on which lanes the function goes on behind it

    def _all(self, statements: Sequence[ast.stmt], where: Any) -> Any:
        for statement in statements:
            if where is False:
                break
            where = self._one(statement, where)
        return where

    def _one(self, statement: ast.stmt, where: Any) -> Any:
        self._code.count()
        if isinstance(statement, ast.Return):
            value = None if statement.value is None else self._value(statement.value, where)
            self._returned.append((where, value))
            return False
        if isinstance(statement, ast.If):
            return self._if(statement, where)
        if isinstance(statement, ast.For):
            return self._for(statement, where)
        if isinstance(statement, ast.Expr):
            if not isinstance(statement.value, ast.Constant):
                self._value(statement.value, where)
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            self._assign(statement.targets[0], statement.value, where)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            self._assign(statement.target, statement.value, where)
        elif isinstance(statement, ast.AugAssign):
            before = self._value(statement.target, where)
            change = self._value(statement.value, where)
            self._put(statement.target, self._vectors.operation(type(statement.op), before, change), where)
        elif not isinstance(statement, ast.Pass):
            raise NoLanesError(f"{self._function.__name__} has {type(statement).__name__}")
        return where

    def _if(self, statement: ast.If, where: Any) -> Any:
        vectors = self._vectors
        test = vectors.truth(self._value(statement.test, where))
        if isinstance(test, bool):
            return self._all(statement.body if test else statement.orelse, where)
        yes, no = vectors.both(where, test), vectors.both(where, vectors.opposite(test))
        after_yes, after_no = self._all(statement.body, yes), self._all(statement.orelse, no)
        if after_yes is yes and after_no is no:
            return where
        return vectors.either(after_yes, after_no)

    def _for(self, statement: ast.For, where: Any) -> Any:
        over = statement.iter
        if not isinstance(over, ast.Call) or self._value(over.func, where) is not range or statement.orelse:
            raise NoLanesError(f"{self._function.__name__} goes over what is no range")
        bounds = [self._value(each, where) for each in over.args]
        if not all(isinstance(bound, int) for bound in bounds):
            raise NoLanesError(f"{self._function.__name__} goes over a range that is not known beforehand")
        if len(range(*bounds)) > LONGEST_LOOP:
            raise NoLanesError(f"{self._function.__name__} goes over {len(range(*bounds))} numbers")
        for number in range(*bounds):
            self._put(statement.target, number, where)
            where = self._all(statement.body, where)
        return where

    def _assign(self, target: ast.expr, value: ast.expr, where: Any) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            found = [self._value(each, where) for each in value.elts]
            for one, new in zip(target.elts, found, strict=True):
                self._put(one, new, where)
        else:
            self._put(target, self._value(value, where), where)

    def _put(self, target: ast.expr, value: Any, where: Any) -> None:
        """Write a value, on the lanes in the mask."""
        if isinstance(target, ast.Name):
            before = self._names.get(target.id)
            if before is not None and before is not value:
                if where is not True and not isinstance(value, int | Lanes | Mask):
                    raise NoLanesError(f"{self._function.__name__} lets {target.id} be one of two rows")
                value = self._vectors.select(where, value, before)
            self._names[target.id] = value
        elif isinstance(target, ast.Attribute):
            record = self._value(target.value, where)
            if not isinstance(record, Record) or not isinstance(record.fields.get(target.attr), Cell):
                raise NoLanesError(f"{self._function.__name__} writes to {target.attr}")
            self._put_cell(record.fields[target.attr], value, where)
        elif isinstance(target, ast.Subscript):
            row, at = self._value(target.value, where), self._value(target.slice, where)
            self._put_in_row(row, at, value, where)
        else:
            raise NoLanesError(f"{self._function.__name__} writes to {type(target).__name__}")

    def _put_in_row(self, row: Any, at: Any, value: Any, where: Any) -> None:
        if not isinstance(row, list):
            raise NoLanesError(f"{self._function.__name__} writes to what is no row")
        for place, here in self._places(row, at):
            self._put_cell(row[place], value, self._vectors.both(where, here))

    def _places(self, row: Sequence[Any], at: Any) -> list[tuple[int, Any]]:
        """The places of a row that a number can mean, each with the mask of the lanes in which it does."""
        low, high = self._vectors.bounds(at)
        if low < 0 or low >= len(row):
            raise NoLanesError(f"{self._function.__name__} looks into a row at a place that may be outside of it")
        places = range(low, min(high, len(row) - 1) + 1)
        if len(places) > LONGEST_ROW:
            raise NoLanesError(f"{self._function.__name__} looks into a long row")
        masks = [self._vectors.compare(ast.Eq, at, place) for place in places]
        if len(places) == 2 and (low, high) == (places[0], places[1]):
            masks[0] = self._vectors.opposite(masks[1])  # which LLVM then knows
        return list(zip(places, masks, strict=True))

    def _put_cell(self, cell: Any, value: Any, where: Any) -> None:
        if where is False:
            return
        low, high = self._vectors.bounds(value)
        kept = value
        if low < cell.low or high > cell.high:
            cell.went_beyond = cell.is_guess
            if cell.is_guess:
                return
            if cell.low != -cell.high - 1:
                raise NoLanesError(f"{self._function.__name__} writes {low} to {high} where less has room")
            kept = Lanes(self._vectors.at_width(value, cell.bits), cell.low, cell.high)
        cell.content = self._vectors.select(where, kept, cell.content)
        cell.was_written = True

    # --- expressions

    def _value(self, node: ast.expr, where: Any, wanted: int = 64) -> Any:
        """An expression's value; the lower `wanted` bits of a number, where the others are not asked for."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.BinOp):
            return self._operation(node, where, wanted)
        made = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if made is None:
            raise NoLanesError(f"{self._function.__name__} has {type(node).__name__}")
        return made(node, where)

    def _operation(self, node: ast.BinOp, where: Any, wanted: int) -> Any:
        kind = type(node.op)
        if kind not in EXACT:
            raise NoLanesError(f"{self._function.__name__} has {kind.__name__}")
        other = self._value(node.right, where, wanted if kind in RING else 64)
        if kind is ast.RShift and other == 32 and isinstance(node.left, ast.BinOp) and type(node.left.op) is ast.Mult:
            factors = self._value(node.left.left, where), self._value(node.left.right, where)
            return self._vectors.upper_half(*factors)
        asked = wanted if kind in RING or kind is ast.LShift else 64
        if kind is ast.BitAnd and isinstance(other, int) and other >= 0 and other & (other + 1) == 0:
            asked = min(asked, fits(0, other) or 64)
        return self._vectors.operation(kind, self._value(node.left, where, asked), other, wanted)

    def _of_name(self, node: ast.Name, where: Any) -> Any:
        if node.id in self._names:
            return self._names[node.id]
        return self._code.named(self._function, node.id)

    def _of_attribute(self, node: ast.Attribute, where: Any) -> Any:
        record = self._value(node.value, where)
        if not isinstance(record, Record) or node.attr not in record.fields:
            raise NoLanesError(f"{self._function.__name__} reads {node.attr}")
        record.was_read.add(node.attr)
        field = record.fields[node.attr]
        return field.content if isinstance(field, Cell) else field

    def _of_subscript(self, node: ast.Subscript, where: Any) -> Any:
        row, at = self._value(node.value, where), self._value(node.slice, where)
        if isinstance(row, tuple | bytes) and all(isinstance(each, int) for each in row):
            return self._vectors.looked_up(row, at)
        if isinstance(row, tuple) and isinstance(at, int):
            return row[at]
        if not isinstance(row, list):
            raise NoLanesError(f"{self._function.__name__} looks into what is no row")
        (first, _), *rest = self._places(row, at)
        found = row[first].content
        for place, here in rest:
            found = self._vectors.select(here, row[place].content, found)
        return found

    def _of_unaryop(self, node: ast.UnaryOp, where: Any) -> Any:
        value = self._value(node.operand, where)
        if isinstance(node.op, ast.Not):
            return self._vectors.opposite(self._vectors.truth(value))
        if isinstance(node.op, ast.USub):
            return self._vectors.operation(ast.Sub, 0, value)
        if isinstance(node.op, ast.Invert):
            return self._vectors.operation(ast.BitXor, value, -1)
        raise NoLanesError(f"{self._function.__name__} has {type(node.op).__name__}")

    def _of_boolop(self, node: ast.BoolOp, where: Any) -> Any:
        """`and` and `or`, of truth values."""
        is_and = isinstance(node.op, ast.And)
        found: Any = is_and
        for each in node.values:
            if isinstance(found, bool) and found is not is_and:
                break
            asked = found if is_and else self._vectors.opposite(found)
            value = self._value(each, self._vectors.both(where, asked))
            if not isinstance(value, bool | Mask):
                raise NoLanesError(f"{self._function.__name__} has a number beside `and` or `or`")
            found = (self._vectors.both if is_and else self._vectors.either)(found, value)
        return found

    def _of_compare(self, node: ast.Compare, where: Any) -> Any:
        found: Any = True
        left = self._value(node.left, where)
        for kind, each in zip(node.ops, node.comparators, strict=True):
            right = self._value(each, where)
            if isinstance(kind, ast.Is | ast.IsNot):
                holds: Any = (left is right) == isinstance(kind, ast.Is)
            else:
                holds = self._vectors.compare(type(kind), left, right)
            found, left = self._vectors.both(found, holds), right
        return found

    def _of_ifexp(self, node: ast.IfExp, where: Any) -> Any:
        test = self._vectors.truth(self._value(node.test, where))
        if isinstance(test, bool):
            return self._value(node.body if test else node.orelse, where)
        yes, no = self._vectors.both(where, test), self._vectors.both(where, self._vectors.opposite(test))
        return self._vectors.select(test, self._value(node.body, yes), self._value(node.orelse, no))

    def _of_call(self, node: ast.Call, where: Any) -> Any:
        function = self._value(node.func, where)
        arguments = [self._value(each, where) for each in node.args]
        if node.keywords:
            raise NoLanesError(f"{self._function.__name__} names arguments")
        if function is len and isinstance(arguments[0], list | tuple | bytes):
            return len(arguments[0])
        if function in (int, bool) and len(arguments) == 1:
            return self._vectors.truth(arguments[0]) if function is bool else arguments[0]
        return self._code.call(function, arguments, where)
