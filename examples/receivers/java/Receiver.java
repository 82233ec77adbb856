// Receives webhooks. It needs Java 17 or newer, and no packages: java Receiver.java
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  static final Map<String, String> ENV = System.getenv();
  static final List<String> SECRETS =
      List.of(setting("COOPSHARE_SIGNING_SECRET"), ENV.getOrDefault("COOPSHARE_PREVIOUS_SIGNING_SECRET", ""));
  static final String URL = setting("COOPSHARE_URL");
  static final String CREDENTIALS = setting("COOPSHARE_CLIENT_ID") + ":" + setting("COOPSHARE_CLIENT_SECRET");
  static final Path EVENTS_FILE = Path.of(ENV.getOrDefault("EVENTS_FILE", "events.jsonl"));
  static final int LONGEST_BODY = 64 * 1024;
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  record Order(String investorId, String status, boolean isFinal, String at) {}

  // In your database: your orders, and a table of events whose primary key is the id.
  static final Map<String, Order> orders = new LinkedHashMap<>();
  static final Map<String, String> seen = new HashMap<>();

  static String setting(String name) {
    String value = ENV.getOrDefault(name, "");
    if (value.isEmpty()) {
      System.err.println(name + " is missing.");
      System.exit(1);
    }
    return value;
  }

  public static void main(String[] arguments) throws IOException {
    for (String line : Files.exists(EVENTS_FILE) ? Files.readAllLines(EVENTS_FILE) : List.<String>of()) {
      try {
        apply(Json.read(line));
      } catch (RuntimeException error) {
        // The line was cut off, so its event was not acknowledged.
      }
    }
    int port = Integer.parseInt(setting("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", Receiver::answer);
    server.start();
    long seconds = Long.parseLong(ENV.getOrDefault("RECONCILE_SECONDS", "3600"));
    Executors.newSingleThreadScheduledExecutor()
        .scheduleWithFixedDelay(Receiver::reconcile, 0, seconds, TimeUnit.SECONDS);
  }

  static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(receive(exchange), -1);
      } else if (ENV.getOrDefault("SHOW_STATE", "").equals("true")) {
        byte[] state = stateOf(exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, state.length);
        exchange.getResponseBody().write(state);
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  static int receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
    if (body.length > LONGEST_BODY) return 413;
    if (!isGenuine(exchange.getRequestHeaders().getFirst("X-Service-Webhook-Signature"), body)) return 401;
    try {
      String text = new String(body, StandardCharsets.UTF_8);
      var event = Json.read(text);
      if (event.get("id") == null) return 400;
      System.out.println(handle(event, text));
      return 204;
    } catch (IOException error) {
      System.out.println("not received: " + error);
      return 500;
    } catch (RuntimeException error) {
      return 400;
    }
  }

  static boolean isGenuine(String header, byte[] body) {
    List<String> parts = header == null ? List.of() : List.of(header.split(","));
    String t = parts.stream().filter(part -> part.matches("t=\\d{1,11}")).findFirst().orElse("t=0").substring(2);
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(t)) > 300) return false;
    for (String secret : SECRETS) {
      if (secret.isEmpty()) continue;
      byte[] expected = ("v1=" + HexFormat.of().formatHex(hmac(secret, t, body))).getBytes(StandardCharsets.UTF_8);
      for (String part : parts) {
        if (MessageDigest.isEqual(expected, part.getBytes(StandardCharsets.UTF_8))) return true;
      }
    }
    return false;
  }

  static byte[] hmac(String secret, String t, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  /** In your database: one transaction. If it fails, the answer is 500, and the service sends the event again. */
  static synchronized String handle(Map<?, ?> event, String text) throws IOException {
    if (seen.containsKey(event.get("id"))) return "repeated: " + event.get("type");
    // A line begins with its line break, so that a line which a crash cut off does not spoil the next one.
    byte[] line = ("\n" + text.replaceAll("[\r\n]", " ")).getBytes(StandardCharsets.UTF_8);
    try (var file = FileChannel.open(EVENTS_FILE, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      file.write(ByteBuffer.wrap(line));
      file.force(true);
    }
    return apply(event);
  }

  static String apply(Map<?, ?> event) {
    Map<?, ?> data = event.get("data") instanceof Map<?, ?> given ? given : Map.of();
    String orderId = (String) data.get("share_purchase_id"), at = String.valueOf(event.get("created_at"));
    seen.put((String) event.get("id"), orderId);
    // `webhook.test`, and types that will be added, need not be about an order.
    if (orderId == null || data.get("terminal") == null) return "ignored: " + event.get("type");
    Order known = orders.get(orderId);
    // A replayed event can come after later ones, and then changes nothing.
    if (known != null && (known.isFinal() || known.at().compareTo(at) > 0)) return "too late: " + event.get("type");
    boolean isFinal = data.get("terminal").equals("true");
    String status = (String) data.get("status");
    orders.put(orderId, new Order((String) data.get("investor_id"), status, isFinal, at));
    return orderId + ": " + status + (isFinal ? " (final)" : " (open)");
  }

  /** Events can be lost; the API knows the truth. An order that cannot be read does not stop the others. */
  static void reconcile() {
    try {
      Set<String> investors = openInvestors();
      if (investors.isEmpty()) return;
      String basic = "Basic " + Base64.getEncoder().encodeToString(CREDENTIALS.getBytes(StandardCharsets.UTF_8));
      var form = request("/oauth2/token", basic)
          .header("Content-Type", "application/x-www-form-urlencoded")
          .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials"));
      String bearer = "Bearer " + send(form).get("access_token");
      for (String investorId : investors) {
        try {
          boolean hasNext = true;
          for (int page = 1; hasNext; page++) {
            var found = send(request("/v1/investors/" + investorId + "/share-purchases?page=" + page, bearer));
            for (Object order : (List<?>) found.get("items")) compare((Map<?, ?>) order);
            hasNext = found.get("has_next").equals("true");
          }
        } catch (IOException | RuntimeException error) {
          System.out.println("not reconciled: " + investorId + ": " + error);
        }
      }
    } catch (IOException | RuntimeException error) {
      System.out.println("not reconciled: " + error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }

  static synchronized Set<String> openInvestors() {
    return orders.values().stream().filter(order -> !order.isFinal()).map(Order::investorId)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  static synchronized void compare(Map<?, ?> found) throws IOException {
    Object id = found.get("share_purchase_id"), status = found.get("status");
    Order known = orders.get(id);
    if (known != null && known.status().equals(status)) return;
    String event = """
        {"id":"%s:%s","type":"reconciled","created_at":"%s",\
        "data":{"share_purchase_id":"%s","investor_id":"%s","status":"%s","terminal":%b}}"""
        .formatted(id, status, found.get("updated_at"), id, found.get("investor_id"), status,
            Set.of("settled", "rejected", "cancelled").contains(status));
    System.out.println(handle(Json.read(event), event));
  }

  static HttpRequest.Builder request(String path, String authorization) {
    return HttpRequest.newBuilder(URI.create(URL + path))
        .timeout(Duration.ofSeconds(30)).header("Authorization", authorization);
  }

  /** Makes at most three attempts: after a lost connection, 429 or 5xx, the next one may succeed. */
  static Map<?, ?> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      long wait = attempt;
      try {
        var response = CLIENT.send(request.build(), BodyHandlers.ofString());
        int status = response.statusCode();
        if (status == 200) return Json.read(response.body());
        if (attempt == 3 || (status != 429 && status < 500)) throw new IllegalStateException("answered " + status);
        wait = Math.max(wait, response.headers().firstValueAsLong("Retry-After").orElse(0));
      } catch (IOException error) {
        if (attempt == 3) throw error;
      }
      TimeUnit.SECONDS.sleep(wait);
    }
  }

  /** For `coopshare webhook certify --state-url`, in tests only. */
  static synchronized String stateOf(String query) {
    String orderId = query == null ? "" : query.replace("share_purchase_id=", "");
    String events = seen.entrySet().stream().filter(event -> orderId.equals(event.getValue()))
        .map(event -> '"' + event.getKey() + '"').collect(Collectors.joining(","));
    String status = orders.containsKey(orderId) ? '"' + orders.get(orderId).status() + '"' : "null";
    return "{\"status\":" + status + ",\"events\":[" + events + "]}";
  }

  /**
   * Reads JSON, because the JDK has no parser for it. Numbers, true and false become texts, and escapes stay. With
   * Jackson: `new ObjectMapper().readValue(text, Map.class)`.
   */
  static class Json {
    static final Pattern TOKEN = Pattern.compile("\\s*+(?:\"((?:[^\"\\\\]++|\\\\.)*+)\"|([\\[\\]{},:])|([\\w.+-]++))\\s*+");
    final String text;
    int at;
    Matcher token;

    Json(String text) {
      this.text = text;
    }

    static Map<?, ?> read(String text) {
      Json json = new Json(text);
      json.next();
      Map<?, ?> read = (Map<?, ?>) json.value();
      if (json.at < text.length()) throw new IllegalArgumentException("more than one value");
      return read;
    }

    void next() {
      token = TOKEN.matcher(text).region(at, text.length());
      if (!token.lookingAt()) throw new IllegalArgumentException("no JSON");
      at = token.end();
    }

    boolean isAt(String mark) {
      return mark.equals(token.group(2));
    }

    Object value() {
      if (isAt("{")) {
        Map<String, Object> members = new HashMap<>();
        for (next(); !isAt("}"); next()) {
          if (isAt(",")) next();
          String name = token.group(1);
          next();
          next();
          members.put(name, value());
        }
        return members;
      }
      if (isAt("[")) {
        List<Object> items = new ArrayList<>();
        for (next(); !isAt("]"); next()) {
          if (isAt(",")) next();
          items.add(value());
        }
        return items;
      }
      if (token.group(2) != null) throw new IllegalArgumentException("no JSON");
      return token.group(1) != null ? token.group(1) : token.group(3).equals("null") ? null : token.group(3);
    }
  }
}
