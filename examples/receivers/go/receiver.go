// Receives webhooks. It needs Go 1.19 or newer, and no modules: go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Event struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	CreatedAt string `json:"created_at"`
	Data      struct {
		OrderID    string `json:"share_purchase_id"`
		InvestorID string `json:"investor_id"`
		Status     string `json:"status"`
		Terminal   *bool  `json:"terminal"`
	} `json:"data"`
}

type Order struct {
	investorID, status, at string
	isFinal                bool
}

const longestBody = 64 << 10

var (
	secrets    = []string{setting("COOPSHARE_SIGNING_SECRET"), os.Getenv("COOPSHARE_PREVIOUS_SIGNING_SECRET")}
	baseURL    = setting("COOPSHARE_URL")
	clientID   = setting("COOPSHARE_CLIENT_ID")
	secret     = setting("COOPSHARE_CLIENT_SECRET")
	eventsFile = settingOr("EVENTS_FILE", "events.jsonl")
	client     = &http.Client{Timeout: 30 * time.Second}

	// In your database: your orders, and a table of events whose primary key is the id.
	lock   sync.Mutex
	orders = map[string]Order{}
	known  []string              // the ids of the orders, in the sequence in which they became known
	seen   = map[string]string{} // the order of each event
)

func setting(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatalf("%s is missing.", name)
	}
	return value
}

func settingOr(name, usual string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return usual
}

func isGenuine(header string, body []byte) bool {
	parts := strings.Split(header, ",")
	t := ""
	for _, part := range parts {
		if strings.HasPrefix(part, "t=") && t == "" {
			t = part[2:]
		}
	}
	seconds, err := strconv.ParseUint(t, 10, 40)
	age := time.Now().Unix() - int64(seconds)
	if err != nil || age > 300 || age < -300 {
		return false
	}
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(t + "."))
		mac.Write(body)
		expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
		for _, part := range parts {
			if hmac.Equal(expected, []byte(part)) {
				return true
			}
		}
	}
	return false
}

// handle is one transaction in your database. If it fails, the answer is 500, and the service sends the event again.
func handle(event Event) (string, error) {
	lock.Lock()
	defer lock.Unlock()
	if _, isKnown := seen[event.ID]; isKnown {
		return "repeated: " + event.Type, nil
	}
	file, err := os.OpenFile(eventsFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer file.Close()
	line, _ := json.Marshal(event)
	// A line begins with its line break, so that a line which a crash cut off does not spoil the next one.
	if _, err := file.Write(append([]byte("\n"), line...)); err != nil {
		return "", err
	}
	if err := file.Sync(); err != nil {
		return "", err
	}
	return apply(event), nil
}

func apply(event Event) string {
	data, at := event.Data, event.CreatedAt
	seen[event.ID] = data.OrderID
	// `webhook.test`, and types that will be added, need not be about an order.
	if data.OrderID == "" || data.Terminal == nil {
		return "ignored: " + event.Type
	}
	order, isKnown := orders[data.OrderID]
	// A replayed event can come after later ones, and then changes nothing.
	if isKnown && (order.isFinal || order.at > at) {
		return "too late: " + event.Type
	}
	if !isKnown {
		known = append(known, data.OrderID)
	}
	orders[data.OrderID] = Order{data.InvestorID, data.Status, at, *data.Terminal}
	if *data.Terminal {
		return fmt.Sprintf("%s: %s (final)", data.OrderID, data.Status)
	}
	return fmt.Sprintf("%s: %s (open)", data.OrderID, data.Status)
}

// send makes at most three attempts: after a lost connection, 429 or 5xx, the next one may succeed.
func send(method, path, form string, authorize func(*http.Request), answer any) error {
	for attempt := 1; ; attempt++ {
		wait, err := sendOnce(method, path, form, authorize, answer)
		if err == nil || wait < 0 || attempt == 3 {
			return err
		}
		time.Sleep(time.Duration(max(wait, attempt)) * time.Second)
	}
}

// sendOnce also returns the Retry-After of the answer, or -1 if another attempt would fail, too.
func sendOnce(method, path, form string, authorize func(*http.Request), answer any) (int, error) {
	request, err := http.NewRequest(method, baseURL+path, strings.NewReader(form))
	if err != nil {
		return -1, err
	}
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	authorize(request)
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode == 200 {
		return 0, json.NewDecoder(response.Body).Decode(answer)
	}
	err = fmt.Errorf("%s answered %d", path, response.StatusCode)
	if response.StatusCode != 429 && response.StatusCode < 500 {
		return -1, err
	}
	after, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return after, err
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// reconcile asks the API, which knows the truth: events can be lost. An order that cannot be read does not stop the others.
func reconcile() error {
	investors := openInvestors()
	if len(investors) == 0 {
		return nil
	}
	var token struct {
		Value string `json:"access_token"`
	}
	basic := func(request *http.Request) { request.SetBasicAuth(url.QueryEscape(clientID), url.QueryEscape(secret)) }
	if err := send("POST", "/oauth2/token", "grant_type=client_credentials", basic, &token); err != nil {
		return err
	}
	bearer := func(request *http.Request) { request.Header.Set("Authorization", "Bearer "+token.Value) }
	for _, investorID := range investors {
		if err := reconcileInvestor(investorID, bearer); err != nil {
			fmt.Printf("not reconciled: %s: %v\n", investorID, err)
		}
	}
	return nil
}

func openInvestors() []string {
	lock.Lock()
	defer lock.Unlock()
	var investors []string
	listed := map[string]bool{}
	for _, id := range known {
		if order := orders[id]; !order.isFinal && !listed[order.investorID] {
			listed[order.investorID] = true
			investors = append(investors, order.investorID)
		}
	}
	return investors
}

func reconcileInvestor(investorID string, bearer func(*http.Request)) error {
	for page, hasNext := 1, true; hasNext; page++ {
		var found struct {
			Items []struct {
				ID        string `json:"share_purchase_id"`
				Status    string `json:"status"`
				UpdatedAt string `json:"updated_at"`
			} `json:"items"`
			HasNext bool `json:"has_next"`
		}
		path := fmt.Sprintf("/v1/investors/%s/share-purchases?page=%d", investorID, page)
		if err := send("GET", path, "", bearer, &found); err != nil {
			return err
		}
		for _, order := range found.Items {
			lock.Lock()
			isSame := orders[order.ID].status == order.Status
			lock.Unlock()
			if isSame {
				continue
			}
			terminal := order.Status == "settled" || order.Status == "rejected" || order.Status == "cancelled"
			event := Event{ID: order.ID + ":" + order.Status, Type: "reconciled", CreatedAt: order.UpdatedAt}
			event.Data.OrderID, event.Data.InvestorID = order.ID, investorID
			event.Data.Status, event.Data.Terminal = order.Status, &terminal
			done, err := handle(event)
			if err != nil {
				return err
			}
			fmt.Println(done)
		}
		hasNext = found.HasNext
	}
	return nil
}

func receive(request *http.Request, response http.ResponseWriter) int {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, longestBody))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return 413
	}
	if err != nil || !isGenuine(request.Header.Get("X-Service-Webhook-Signature"), body) {
		return 401
	}
	event, err := readEvent(body)
	if err != nil || event.ID == "" {
		return 400
	}
	done, err := handle(event)
	if err != nil {
		fmt.Println("not received:", err)
		return 500
	}
	fmt.Println(done)
	return 204
}

// readEvent leaves out a field of another kind, which a type that will be added may have.
func readEvent(text []byte) (event Event, err error) {
	err = json.Unmarshal(text, &event)
	var otherKind *json.UnmarshalTypeError
	if errors.As(err, &otherKind) {
		err = nil
	}
	return event, err
}

// showState is for `coopshare webhook certify --state-url`, in tests only.
func showState(response http.ResponseWriter, orderID string) {
	lock.Lock()
	defer lock.Unlock()
	events := []string{}
	for id, about := range seen {
		if about == orderID {
			events = append(events, id)
		}
	}
	state := map[string]any{"status": nil, "events": events}
	if order, isKnown := orders[orderID]; isKnown {
		state["status"] = order.status
	}
	json.NewEncoder(response).Encode(state)
}

func main() {
	stored, _ := os.ReadFile(eventsFile)
	for _, line := range strings.Split(string(stored), "\n") {
		// A line that is not JSON was cut off, so its event was not acknowledged.
		if event, err := readEvent([]byte(line)); err == nil {
			apply(event)
		}
	}
	seconds, err := strconv.Atoi(settingOr("RECONCILE_SECONDS", "3600"))
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for ; ; time.Sleep(time.Duration(seconds) * time.Second) {
			if err := reconcile(); err != nil {
				fmt.Println("not reconciled:", err)
			}
		}
	}()
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		if request.Method == "POST" {
			response.WriteHeader(receive(request, response))
		} else if os.Getenv("SHOW_STATE") == "true" {
			showState(response, request.URL.Query().Get("share_purchase_id"))
		} else {
			response.WriteHeader(404)
		}
	})
	server := &http.Server{Addr: "127.0.0.1:" + setting("PORT"), ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
