"""Receives webhooks. It needs Python 3.9 or newer, and no packages: python3 receiver.py"""

import base64, hashlib, hmac, json, os, sys, threading, time
import urllib.error, urllib.parse, urllib.request
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def setting(name):
    return os.environ.get(name) or sys.exit(f"{name} is missing.")


SECRETS = [setting("COOPSHARE_SIGNING_SECRET"), os.environ.get("COOPSHARE_PREVIOUS_SIGNING_SECRET")]
URL = setting("COOPSHARE_URL")
CLIENT = f"{setting('COOPSHARE_CLIENT_ID')}:{setting('COOPSHARE_CLIENT_SECRET')}"
EVENTS_FILE = os.environ.get("EVENTS_FILE", "events.jsonl")
RECONCILE_SECONDS = float(os.environ.get("RECONCILE_SECONDS", 3600))
LONGEST_BODY = 64 * 1024

# In your database: your orders, and a table of events whose primary key is the id.
orders, seen = {}, {}
lock = threading.Lock()


def is_genuine(header, body):
    parts = header.split(",")
    t = next((part[2:] for part in parts if part.startswith("t=")), "")
    if not t.isdecimal() or abs(int(time.time()) - int(t)) > 300:
        return False
    for secret in filter(None, SECRETS):
        expected = "v1=" + hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
        if any(hmac.compare_digest(expected.encode(), part.encode()) for part in parts):
            return True
    return False


def handle(event):
    """In your database: one transaction. If it fails, the answer is 500, and the service sends the event again."""
    with lock:
        if event["id"] in seen:
            return f"repeated: {event['type']}"
        # A line begins with its line break, so that a line which a crash cut off does not spoil the next one.
        with open(EVENTS_FILE, "a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(event))
            file.flush()
            os.fsync(file.fileno())
        return apply(event)


def apply(event):
    data, at = event.get("data") or {}, event.get("created_at", "")
    order_id, is_final = data.get("share_purchase_id"), data.get("terminal")
    seen[event["id"]] = order_id
    # `webhook.test`, and types that will be added, need not be about an order.
    if order_id is None or is_final is None:
        return f"ignored: {event['type']}"
    known = orders.get(order_id)
    # A replayed event can come after later ones, and then changes nothing.
    if known and (known["is_final"] or known["at"] > at):
        return f"too late: {event['type']}"
    orders[order_id] = {"investor_id": data.get("investor_id"), "status": data.get("status"), "is_final": is_final, "at": at}
    return f"{order_id}: {data.get('status')} ({'final' if is_final else 'open'})"


def get_json(path, authorization, form=None):
    """Makes at most three attempts: after a lost connection, 429 or 5xx, the next one may succeed."""
    for attempt in (1, 2, 3):
        wait = attempt
        try:
            request = urllib.request.Request(URL + path, form, {"Authorization": authorization})
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if attempt == 3 or (error.code != 429 and error.code < 500):
                raise
            wait = max(wait, int(error.headers.get("Retry-After", 0)))
        except (OSError, ValueError, HTTPException):
            if attempt == 3:
                raise
        time.sleep(wait)


def reconcile():
    """Events can be lost; the API knows the truth. An order that cannot be read does not stop the others."""
    with lock:
        investors = dict.fromkeys(order["investor_id"] for order in orders.values() if not order["is_final"])
    if not investors:
        return
    basic = "Basic " + base64.b64encode(CLIENT.encode()).decode()
    token = get_json("/oauth2/token", basic, b"grant_type=client_credentials")["access_token"]
    for investor_id in investors:
        try:
            page, has_next = 1, True
            while has_next:
                path = f"/v1/investors/{investor_id}/share-purchases?page={page}"
                found = get_json(path, f"Bearer {token}")
                for order in found["items"]:
                    compare(order)
                page, has_next = page + 1, found["has_next"]
        except (OSError, ValueError, HTTPException) as error:
            print(f"not reconciled: {investor_id}: {error}", flush=True)


def compare(order):
    order_id, status = order["share_purchase_id"], order["status"]
    if orders.get(order_id, {}).get("status") == status:
        return
    terminal = status in ("settled", "rejected", "cancelled")
    data = {"share_purchase_id": order_id, "investor_id": order["investor_id"], "status": status, "terminal": terminal}
    event = {"id": f"{order_id}:{status}", "type": "reconciled", "created_at": order["updated_at"], "data": data}
    print(handle(event), flush=True)


def reconcile_again_and_again():
    while True:
        try:
            reconcile()
        except (OSError, ValueError, HTTPException) as error:
            print(f"not reconciled: {error}", flush=True)
        time.sleep(RECONCILE_SECONDS)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        self.send_response(self.receive())
        self.end_headers()

    def receive(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > LONGEST_BODY:
            return 413
        body = self.rfile.read(length)
        if not is_genuine(self.headers.get("X-Service-Webhook-Signature", ""), body):
            return 401
        try:
            print(handle(json.loads(body)), flush=True)
            return 204
        except (ValueError, KeyError, TypeError, AttributeError):
            return 400
        except OSError as error:
            print(f"not received: {error}", flush=True)
            return 500

    def do_GET(self):
        """For `coopshare webhook certify --state-url`, in tests only."""
        is_shown = os.environ.get("SHOW_STATE") == "true"
        self.send_response(200 if is_shown else 404)
        self.end_headers()
        if is_shown:
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
            order_id = query.get("share_purchase_id", [""])[0]
            with lock:
                events = [event_id for event_id, about in seen.items() if about == order_id]
                status = orders.get(order_id, {}).get("status")
            self.wfile.write(json.dumps({"status": status, "events": events}).encode())

    def log_message(self, *args):
        pass


if os.path.exists(EVENTS_FILE):
    for line in open(EVENTS_FILE, encoding="utf-8"):
        try:
            apply(json.loads(line))
        except ValueError:
            pass  # The line was cut off, so its event was not acknowledged.
server = ThreadingHTTPServer(("127.0.0.1", int(setting("PORT"))), Receiver)
threading.Thread(target=reconcile_again_and_again, daemon=True).start()
server.serve_forever()
