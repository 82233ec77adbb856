"""Run with: coopshare with --fixtures examples/fixtures.yaml --bench -- pytest examples/python"""

import pytest
from partner_app import Refused

ADA = "7b000000-0000-4000-8000-0000000000ad"
SUN = "7b000000-0000-4000-8000-0000000005a1"


def test_an_order_is_approved_then_settled(app, bench):
    order = app.order(ADA, SUN, 5)
    for decision in ("approve", "settle"):
        bench.operation(f"purchase.{decision}", share_purchase_id=order["share_purchase_id"])
    assert [each["status"] for each in app.orders(ADA)] == ["settled"]


def test_an_order_is_rejected_with_a_reason(app, bench):
    order = app.order(ADA, SUN, 5)["share_purchase_id"]
    bench.operation("purchase.reject", share_purchase_id=order, reason="Membership refused.")
    assert app.orders(ADA)[0]["reason"] == "Membership refused."


def test_a_lost_answer_leaves_one_order(app, bench):
    bench.fault("placeSharePurchase", times=1, reset="after-commit")
    app.order(ADA, SUN, 5)
    first, again = bench.journal("placeSharePurchase")
    assert first["headers"]["idempotency-key"] == again["headers"]["idempotency-key"]
    assert len(app.orders(ADA)) == 1


def test_an_app_waits_as_long_as_retry_after_says(app, bench, pauses):
    bench.fault("listSharePurchases", times=1, status=429, retry_after=20)
    app.orders(ADA)
    assert pauses == [20]


def test_an_expired_token_is_replaced(app, bench):
    app.orders(ADA)
    bench.advance("16m")
    app.orders(ADA)
    statuses = [each["status"] for each in bench.journal("listSharePurchases")]
    assert statuses == [200, 401, 200]


def test_a_key_places_a_new_order_after_24_hours(app, bench):
    first = app.order(ADA, SUN, 5, key="key-of-ada")
    bench.advance("24h")
    bench.advance("1s")
    assert app.order(ADA, SUN, 5, key="key-of-ada") != first


def test_an_unpublished_cooperative_takes_no_orders(app, bench):
    bench.operation("cooperative.unpublish", cooperative="sun")
    with pytest.raises(Refused) as refused:
        app.order(ADA, SUN, 5)
    assert refused.value.code == "COOPERATIVE_NOT_FOUND"
