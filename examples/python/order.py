"""Registers a customer and places an order. Run it with the variables of `coopshare with`."""

import os
import uuid
from datetime import datetime, timezone

from partner_app import PartnerApp

NAMES = ("COOPSHARE_URL", "COOPSHARE_CLIENT_ID", "COOPSHARE_CLIENT_SECRET")
app = PartnerApp(*(os.environ[name] for name in NAMES))

cooperative = app.call("GET", "/v1/cooperatives?q=allg%C3%A4u")["items"][0]
profile = {
    "first_name": "Ada",
    "last_name": "Muster",
    "birth_date": "1990-02-28",
    "address": {"street": "Weg", "house_number": "1", "postal_code": "10115", "city": "Berlin"},
    "bank_account": {"iban": "DE89370400440532013000"},
    "consents": {name: {"given": True} for name in ("terms", "privacy", "data_sharing")},
}
customer = {"partner_customer_ref": f"customer-{uuid.uuid4()}", "email": "ada@example.org"}
investor_id = app.call("POST", "/v1/investors", {**customer, "profile": profile})["investor_id"]

# Your customer presses the button: store the key and the time, then send the order.
key, now = str(uuid.uuid4()), datetime.now(timezone.utc).isoformat()
placed = app.order(investor_id, cooperative["id"], 5, key, at=now)
again = app.order(investor_id, cooperative["id"], 5, key, at=now)
is_same = placed["share_purchase_id"] == again["share_purchase_id"]

print(f"5 shares of {cooperative['name']}: {placed['total']} {placed['total_currency']}, {placed['status']}")
print("repeated:", "the same order" if is_same else "a second order")
print("orders:", len(app.orders(investor_id)))
