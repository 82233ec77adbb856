"""Uses the service that `coopshare with --bench` has started, over HTTP."""

import json
import os
import urllib.error
import urllib.request

import pytest
from partner_app import PartnerApp


class Bench:
    def __init__(self):
        self.url = os.environ["COOPSHARE_OPERATOR_URL"]
        self.token = os.environ["COOPSHARE_OPERATOR_TOKEN"]

    def send(self, method, path, body=None):
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def advance(self, time):
        return self.send("POST", "/bench/clock", {"advance": time})["now"]

    def fault(self, operation, **fault):
        return self.send("POST", "/bench/faults", {"operation": operation, **fault})

    def journal(self, operation):
        return self.send("GET", f"/bench/journal?operation={operation}")

    def operation(self, name, **given):
        return self.send("POST", f"/operations/{name}", given)


@pytest.fixture
def bench():
    bench = Bench()
    bench.send("POST", "/bench/reset", {})
    return bench


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def app(bench, pauses):
    names = ("COOPSHARE_URL", "COOPSHARE_CLIENT_ID", "COOPSHARE_CLIENT_SECRET")
    return PartnerApp(*(os.environ[name] for name in names), pause=pauses.append)
