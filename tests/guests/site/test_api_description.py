"""The description of the API is true: calls made from it are answered as it says, whatever they hold."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dohyo.guests.site.api.routes import document
from tests.guests.site.conftest import RunningSite, Visitor, new_ladder
from tests.guests.site.test_api import token_of

DESCRIBED = schemathesis.openapi.from_dict(document())
CALLS = [(path, method) for path, calls in document()["paths"].items() for method in calls]
EXAMPLES = 8
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
"""What an answer must be: not our defect, of a status, a type and a form that the description has."""


@pytest.fixture(scope="module")
def token(site: RunningSite, organiser: Visitor) -> str:
    """A token that may do everything, and a ladder for it to see."""
    new_ladder(organiser, "wondev-woman", "Described")
    return token_of(organiser, "read", "hand-in", "organise")


@pytest.mark.parametrize(("path", "method"), CALLS)
def test_calls_are_answered_as_described(site: RunningSite, token: str, path: str, method: str) -> None:
    """Every call, with values that fit and values that do not, is answered as the description says."""

    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=[*HealthCheck], derandomize=True
    )
    @given(case=DESCRIBED[path][method].as_strategy())
    def call(case: Case) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        case.call_and_validate(base_url=site.url, headers=headers, checks=CHECKS)

    call()
