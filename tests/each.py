"""One test for many small items, where setting up and reporting each of them would take longer than the checks."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def for_each(names: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test for each of these values, like `pytest.mark.parametrize`, but as one test.

    A failure names its item. All items share the fixtures of one test, so the test must leave them as they were.
    """
    keys, items = names.split(", "), list(values)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def every(**fixtures: Any) -> None:
            assert items, f"nothing to try for {names}"
            for item in items:
                arguments = dict(zip(keys, item if len(keys) > 1 else (item,), strict=True))
                try:
                    test(**fixtures, **arguments)
                except BaseException as error:
                    error.add_note(f"For {', '.join(f'{key}={value!r}' for key, value in arguments.items())}")
                    raise

        signature = inspect.signature(test)
        kept = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        every.__signature__ = signature.replace(parameters=kept)  # pytest passes only fixtures
        return every

    return decorate
