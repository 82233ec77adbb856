"""A small app of a partner. It needs no packages."""

import base64
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

ATTEMPTS = 3


class Refused(Exception):
    def __init__(self, status, body):
        self.status, self.code = status, body.get("code") or body.get("error")
        detail = body.get("detail") or body.get("error_description")
        super().__init__(f"{status} {self.code}: {detail}")


class PartnerApp:
    def __init__(self, url, client_id, client_secret, pause=time.sleep):
        self.url, self.pause, self.token = url, pause, None
        self.basic = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()

    def call(self, method, path, body=None, **headers):
        for is_last in (False, True):
            self.token = self.token or self.get_token()
            headers |= {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
            data = None if body is None else json.dumps(body).encode()
            try:
                return self.send(method, path, data, headers)
            except Refused as refused:
                if refused.status != 401 or is_last:
                    raise
                self.token = None

    def get_token(self):
        form = urllib.parse.urlencode({"grant_type": "client_credentials"}).encode()
        headers = {"authorization": f"Basic {self.basic}"}
        return self.send("POST", "/oauth2/token", form, headers)["access_token"]

    def send(self, method, path, data, headers):
        """Repeats a request that may succeed later: after a lost connection, 429 or 5xx."""
        for attempt in range(1, ATTEMPTS + 1):
            request = urllib.request.Request(self.url + path, data, headers, method=method)
            after = 0
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code != 429 and error.code < 500:
                    raise Refused(error.code, json.load(error)) from error
                after = int(error.headers.get("retry-after", 0))
            except (OSError, ValueError, http.client.HTTPException):
                pass
            if attempt < ATTEMPTS:
                self.pause(max(after, attempt))
        raise ConnectionError(f"no answer from {path}")

    def order(self, investor_id, cooperative_id, shares, key=None, at="2026-11-20T09:00:00Z"):
        body = {
            "cooperative_id": cooperative_id,
            "share_count": shares,
            "sepa_mandate": {"signed_at": at},
            "statute_consent_given_at": at,
        }
        path = f"/v1/investors/{investor_id}/share-purchases"
        return self.call("POST", path, body, **{"idempotency-key": key or str(uuid.uuid4())})

    def orders(self, investor_id):
        return self.call("GET", f"/v1/investors/{investor_id}/share-purchases")["items"]
