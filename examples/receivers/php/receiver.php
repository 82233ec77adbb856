<?php
// Receives webhooks. It needs PHP 8.1 or newer, and no packages. It is a page of your web server, or, for tests:
//   PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:3000 receiver.php
// The command line reconciles once. Let cron do this every hour:
//   php receiver.php
declare(strict_types=1);

const LONGEST_BODY = 64 * 1024;

// A warning is an error, so that the answer is 500 and the service sends the event again.
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));

function setting(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("$name is missing.");
}

function is_genuine(string $header, string $body): bool
{
    $parts = explode(',', $header);
    $t = substr(array_values(preg_grep('/^t=\d{1,11}$/D', $parts))[0] ?? 't=0', 2);
    if (abs(time() - (int) $t) > 300) {
        return false;
    }
    foreach (array_filter([setting('COOPSHARE_SIGNING_SECRET'), getenv('COOPSHARE_PREVIOUS_SIGNING_SECRET')]) as $secret) {
        $expected = 'v1=' . hash_hmac('sha256', "$t.$body", $secret);
        foreach ($parts as $part) {
            if (hash_equals($expected, $part)) {
                return true;
            }
        }
    }
    return false;
}

/** In your database: your orders, and a table of events whose primary key is the id. */
final class Store
{
    public array $orders = [];
    public array $seen = [];
    private $file;

    /** Locks the events until the end of the process or close(), and reads them. */
    public function __construct()
    {
        $this->file = fopen(getenv('EVENTS_FILE') ?: 'events.jsonl', 'a+');
        flock($this->file, LOCK_EX);
        rewind($this->file);
        while (($line = fgets($this->file)) !== false) {
            // A line that is not JSON was cut off, so its event was not acknowledged.
            $event = json_decode($line, true);
            if (is_array($event)) {
                $this->apply($event);
            }
        }
    }

    public function close(): void
    {
        fclose($this->file);
    }

    /** In your database: one transaction. If it fails, the answer is 500, and the service sends the event again. */
    public function handle(array $event): string
    {
        if (array_key_exists($event['id'], $this->seen)) {
            return "repeated: $event[type]";
        }
        // A line begins with its line break, so that a line which a crash cut off does not spoil the next one.
        fwrite($this->file, "\n" . json_encode($event, JSON_THROW_ON_ERROR));
        fsync($this->file);
        return $this->apply($event);
    }

    private function apply(array $event): string
    {
        $data = $event['data'] ?? [];
        $at = $event['created_at'] ?? '';
        $orderId = $data['share_purchase_id'] ?? null;
        $isFinal = $data['terminal'] ?? null;
        $this->seen[$event['id']] = $orderId;
        // `webhook.test`, and types that will be added, need not be about an order.
        if ($orderId === null || $isFinal === null) {
            return "ignored: $event[type]";
        }
        $known = $this->orders[$orderId] ?? null;
        // A replayed event can come after later ones, and then changes nothing.
        if ($known && ($known['is_final'] || $known['at'] > $at)) {
            return "too late: $event[type]";
        }
        ['investor_id' => $investorId, 'status' => $status] = $data;
        $this->orders[$orderId] = ['investor_id' => $investorId, 'status' => $status, 'is_final' => $isFinal, 'at' => $at];
        return "$orderId: $status (" . ($isFinal ? 'final' : 'open') . ')';
    }

    /** For `coopshare webhook certify --state-url`, in tests only. */
    public function stateOf(string $orderId): string
    {
        $events = array_keys($this->seen, $orderId, true);
        return json_encode(['status' => $this->orders[$orderId]['status'] ?? null, 'events' => $events]);
    }
}

/** Makes at most three attempts: after a lost connection, 429 or 5xx, the next one may succeed. */
function get_json(string $path, string $authorization, string $form = ''): array
{
    $header = ["Authorization: $authorization", 'Content-Type: application/x-www-form-urlencoded'];
    $http = ['method' => $form ? 'POST' : 'GET', 'header' => $header, 'content' => $form, 'timeout' => 30];
    $context = stream_context_create(['http' => $http + ['ignore_errors' => true]]);
    for ($attempt = 1;; $attempt++) {
        [$status, $after] = [0, 0];
        try {
            $body = file_get_contents(setting('COOPSHARE_URL') . $path, false, $context);
            $status = (int) explode(' ', $http_response_header[0])[1];
            $after = (int) preg_replace('/\D/', '', implode(preg_grep('/^Retry-After:/i', $http_response_header)));
            if ($status === 200) {
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            }
            $failure = "answered $status";
        } catch (ErrorException | JsonException $error) {
            $failure = $error->getMessage();
        }
        if ($attempt === 3 || ($status >= 300 && $status < 500 && $status !== 429)) {
            throw new RuntimeException($failure);
        }
        sleep(max($after, $attempt));
    }
}

/** Events can be lost; the API knows the truth. An order that cannot be read does not stop the others. */
function reconcile(): void
{
    $store = new Store();
    $store->close();
    $open = array_filter($store->orders, fn (array $order) => !$order['is_final']);
    if (!$open) {
        return;
    }
    $basic = 'Basic ' . base64_encode(setting('COOPSHARE_CLIENT_ID') . ':' . setting('COOPSHARE_CLIENT_SECRET'));
    $token = get_json('/oauth2/token', $basic, 'grant_type=client_credentials')['access_token'];
    foreach (array_unique(array_column($open, 'investor_id')) as $investorId) {
        try {
            for ($page = 1, $hasNext = true; $hasNext; $page++) {
                $found = get_json("/v1/investors/$investorId/share-purchases?page=$page", "Bearer $token");
                compare($found['items']);
                $hasNext = $found['has_next'];
            }
        } catch (RuntimeException $error) {
            error_log("not reconciled: $investorId: {$error->getMessage()}");
        }
    }
}

function compare(array $found): void
{
    $store = new Store();
    foreach ($found as ['share_purchase_id' => $id, 'investor_id' => $investorId, 'status' => $status, 'updated_at' => $at]) {
        if (($store->orders[$id]['status'] ?? null) === $status) {
            continue;
        }
        $terminal = in_array($status, ['settled', 'rejected', 'cancelled'], true);
        $data = ['share_purchase_id' => $id, 'investor_id' => $investorId, 'status' => $status, 'terminal' => $terminal];
        error_log($store->handle(['id' => "$id:$status", 'type' => 'reconciled', 'created_at' => $at, 'data' => $data]));
    }
    $store->close();
}

function receive(): int
{
    $body = file_get_contents('php://input', length: LONGEST_BODY + 1);
    if (strlen($body) > LONGEST_BODY) {
        return 413;
    }
    if (!is_genuine($_SERVER['HTTP_X_SERVICE_WEBHOOK_SIGNATURE'] ?? '', $body)) {
        return 401;
    }
    $event = json_decode($body, true);
    if (!is_string($event['id'] ?? null)) {
        return 400;
    }
    error_log((new Store())->handle($event));
    return 204;
}

try {
    if (PHP_SAPI === 'cli') {
        reconcile();
    } elseif ($_SERVER['REQUEST_METHOD'] === 'POST') {
        http_response_code(receive());
    } elseif (getenv('SHOW_STATE') === 'true') {
        echo (new Store())->stateOf($_GET['share_purchase_id'] ?? '');
    } else {
        http_response_code(404);
    }
} catch (Throwable $error) {
    error_log("failed: {$error->getMessage()}");
    http_response_code(500);
}
