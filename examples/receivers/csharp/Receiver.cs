// Receives webhooks. It runs with Mono, as below, and with .NET 10 (dotnet run Receiver.cs), which we have not tried.
// mcs -langversion:latest -r:System.Net.Http.dll -r:System.Runtime.Serialization.dll Receiver.cs && mono Receiver.exe
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

[DataContract]
public class Envelope
{
    [DataMember(Name = "id")] public string Id;
    [DataMember(Name = "type")] public string Type;
    [DataMember(Name = "created_at")] public string CreatedAt;
}

[DataContract]
public class Event : Envelope
{
    [DataMember(Name = "data")] public Order Data;
}

[DataContract]
public class Order
{
    [DataMember(Name = "share_purchase_id")] public string Id;
    [DataMember(Name = "investor_id")] public string InvestorId;
    [DataMember(Name = "status")] public string Status;
    [DataMember(Name = "terminal")] public bool? IsFinal;
    [DataMember(Name = "updated_at")] public string At;
}

[DataContract]
public class Page
{
    [DataMember(Name = "items")] public Order[] Items;
    [DataMember(Name = "has_next")] public bool HasNext;
}

[DataContract]
public class Token
{
    [DataMember(Name = "access_token")] public string Value;
}

[DataContract]
public class State
{
    [DataMember(Name = "status")] public string Status;
    [DataMember(Name = "events")] public string[] Events;
}

public static class Receiver
{
    static readonly string[] Secrets =
        { Setting("COOPSHARE_SIGNING_SECRET"), Environment.GetEnvironmentVariable("COOPSHARE_PREVIOUS_SIGNING_SECRET") };
    static readonly string Url = Setting("COOPSHARE_URL");
    static readonly string Credentials = Setting("COOPSHARE_CLIENT_ID") + ":" + Setting("COOPSHARE_CLIENT_SECRET");
    static readonly string EventsFile = Environment.GetEnvironmentVariable("EVENTS_FILE") ?? "events.jsonl";
    static readonly bool ShowState = Environment.GetEnvironmentVariable("SHOW_STATE") == "true";
    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
    const int LongestBody = 64 * 1024;

    // In your database: your orders, and a table of events whose primary key is the id.
    static readonly Dictionary<string, Order> Orders = new Dictionary<string, Order>();
    static readonly Dictionary<string, string> Seen = new Dictionary<string, string>();

    static string Setting(string name)
    {
        var value = Environment.GetEnvironmentVariable(name);
        if (!string.IsNullOrEmpty(value)) return value;
        Console.Error.WriteLine(name + " is missing.");
        Environment.Exit(1);
        return null;
    }

    public static void Main()
    {
        foreach (var line in File.Exists(EventsFile) ? File.ReadAllLines(EventsFile) : new string[0])
        {
            // A line that is not JSON was cut off, so its event was not acknowledged.
            try { Apply(ReadEvent(Encoding.UTF8.GetBytes(line))); }
            catch (Exception) { }
        }
        var seconds = double.Parse(Environment.GetEnvironmentVariable("RECONCILE_SECONDS") ?? "3600");
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + Setting("PORT") + "/");
        listener.Start();
        Task.WaitAll(Listen(listener), ReconcileEvery(TimeSpan.FromSeconds(seconds)));
    }

    static async Task Listen(HttpListener listener)
    {
        while (true)
        {
            var context = await listener.GetContextAsync();
            _ = Task.Run(() => Answer(context));
        }
    }

    static async Task Answer(HttpListenerContext context)
    {
        try
        {
            if (context.Request.HttpMethod == "POST")
            {
                context.Response.StatusCode = await Receive(context.Request);
                context.Response.Close();
            }
            else if (ShowState)
                context.Response.Close(StateOf(context.Request.QueryString["share_purchase_id"] ?? ""), true);
            else
            {
                context.Response.StatusCode = 404;
                context.Response.Close();
            }
        }
        catch (Exception error) { Console.WriteLine("not answered: " + error.Message); }
    }

    static async Task<int> Receive(HttpListenerRequest request)
    {
        if (request.ContentLength64 > LongestBody) return 413;
        var body = new MemoryStream();
        var part = new byte[8192];
        for (int length; (length = await request.InputStream.ReadAsync(part, 0, part.Length)) > 0;)
        {
            body.Write(part, 0, length);
            if (body.Length > LongestBody) return 413;
        }
        if (!IsGenuine(request.Headers["X-Service-Webhook-Signature"], body.ToArray())) return 401;
        Event received;
        try { received = ReadEvent(body.ToArray()); }
        catch (Exception) { return 400; }
        if (received == null || received.Id == null) return 400;
        try
        {
            Console.WriteLine(Handle(received));
            return 204;
        }
        catch (Exception error)
        {
            Console.WriteLine("not received: " + error.Message);
            return 500;
        }
    }

    static bool IsGenuine(string header, byte[] body)
    {
        var parts = (header ?? "").Split(',');
        var t = (parts.FirstOrDefault(part => part.StartsWith("t=")) ?? "t=").Substring(2);
        long seconds;
        if (!t.All(c => c >= '0' && c <= '9') || !long.TryParse(t, out seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
        foreach (var secret in Secrets.Where(secret => !string.IsNullOrEmpty(secret)))
            using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            {
                var hash = hmac.ComputeHash(Encoding.UTF8.GetBytes(t + ".").Concat(body).ToArray());
                var hex = BitConverter.ToString(hash).Replace("-", "").ToLowerInvariant();
                var expected = Encoding.UTF8.GetBytes("v1=" + hex);
                if (parts.Any(part => CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(part))))
                    return true;
            }
        return false;
    }

    /// <summary>In your database: one transaction. If it fails, the answer is 500, and the service sends the event again.</summary>
    static string Handle(Event received)
    {
        lock (Orders)
        {
            if (Seen.ContainsKey(received.Id)) return "repeated: " + received.Type;
            // A line begins with its line break, so that a line which a crash cut off does not spoil the next one.
            var line = Encoding.UTF8.GetBytes("\n").Concat(Write(received)).ToArray();
            using (var file = new FileStream(EventsFile, FileMode.Append))
            {
                file.Write(line, 0, line.Length);
                file.Flush(true);
            }
            return Apply(received);
        }
    }

    static string Apply(Event received)
    {
        var order = received.Data ?? new Order();
        order.At = received.CreatedAt;
        Seen[received.Id] = order.Id;
        // `webhook.test`, and types that will be added, need not be about an order.
        if (order.Id == null || order.IsFinal == null) return "ignored: " + received.Type;
        Order known;
        var isKnown = Orders.TryGetValue(order.Id, out known);
        // A replayed event can come after later ones, and then changes nothing.
        if (isKnown && (known.IsFinal == true || string.CompareOrdinal(known.At, order.At) > 0))
            return "too late: " + received.Type;
        Orders[order.Id] = order;
        return order.Id + ": " + order.Status + (order.IsFinal == true ? " (final)" : " (open)");
    }

    /// <summary>Events can be lost; the API knows the truth. An order that cannot be read does not stop the others.</summary>
    static async Task Reconcile()
    {
        string[] investors;
        lock (Orders)
            investors = Orders.Values.Where(it => it.IsFinal != true).Select(it => it.InvestorId).Distinct().ToArray();
        if (investors.Length == 0) return;
        var basic = Convert.ToBase64String(Encoding.UTF8.GetBytes(Credentials));
        var token = await Send<Token>(HttpMethod.Post, "/oauth2/token", "Basic", basic);
        foreach (var investorId in investors)
        {
            try
            {
                var hasNext = true;
                for (var page = 1; hasNext; page++)
                {
                    var path = "/v1/investors/" + investorId + "/share-purchases?page=" + page;
                    var found = await Send<Page>(HttpMethod.Get, path, "Bearer", token.Value);
                    foreach (var order in found.Items) Compare(order);
                    hasNext = found.HasNext;
                }
            }
            catch (Exception error) { Console.WriteLine("not reconciled: " + investorId + ": " + error.Message); }
        }
    }

    static void Compare(Order order)
    {
        lock (Orders)
        {
            Order known;
            if (Orders.TryGetValue(order.Id, out known) && known.Status == order.Status) return;
            order.IsFinal = new[] { "settled", "rejected", "cancelled" }.Contains(order.Status);
            var id = order.Id + ":" + order.Status;
            Console.WriteLine(Handle(new Event { Id = id, Type = "reconciled", CreatedAt = order.At, Data = order }));
        }
    }

    static async Task ReconcileEvery(TimeSpan wait)
    {
        while (true)
        {
            try { await Reconcile(); }
            catch (Exception error) { Console.WriteLine("not reconciled: " + error.Message); }
            await Task.Delay(wait);
        }
    }

    /// <summary>Makes at most three attempts: after a lost connection, 429 or 5xx, the next one may succeed.</summary>
    static async Task<T> Send<T>(HttpMethod method, string path, string scheme, string credentials)
    {
        for (var attempt = 1; ; attempt++)
        {
            var wait = TimeSpan.FromSeconds(attempt);
            try
            {
                var request = new HttpRequestMessage(method, Url + path);
                request.Headers.Authorization = new AuthenticationHeaderValue(scheme, credentials);
                var form = new Dictionary<string, string> { { "grant_type", "client_credentials" } };
                if (method == HttpMethod.Post) request.Content = new FormUrlEncodedContent(form);
                var response = await Client.SendAsync(request);
                var status = (int)response.StatusCode;
                if (status == 200) return Read<T>(await response.Content.ReadAsByteArrayAsync());
                if (attempt == 3 || (status != 429 && status < 500)) throw new InvalidDataException("answered " + status);
                var after = response.Headers.RetryAfter?.Delta ?? TimeSpan.Zero;
                if (after > wait) wait = after;
            }
            catch (HttpRequestException) when (attempt < 3) { }
            catch (TaskCanceledException) when (attempt < 3) { }
            await Task.Delay(wait);
        }
    }

    /// <summary>For `coopshare webhook certify --state-url`, in tests only.</summary>
    static byte[] StateOf(string orderId)
    {
        lock (Orders)
        {
            Order order;
            Orders.TryGetValue(orderId, out order);
            var events = Seen.Where(it => it.Value == orderId).Select(it => it.Key).ToArray();
            return Write(new State { Status = order?.Status, Events = events });
        }
    }

    // A type that will be added may have other data, which is left out.
    static Event ReadEvent(byte[] json)
    {
        try { return Read<Event>(json); }
        catch (Exception)
        {
            var envelope = Read<Envelope>(json);
            return new Event { Id = envelope.Id, Type = envelope.Type, CreatedAt = envelope.CreatedAt };
        }
    }

    static T Read<T>(byte[] json)
    {
        return (T)new DataContractJsonSerializer(typeof(T)).ReadObject(new MemoryStream(json));
    }

    static byte[] Write<T>(T value)
    {
        var json = new MemoryStream();
        new DataContractJsonSerializer(typeof(T)).WriteObject(json, value);
        return json.ToArray();
    }
}
