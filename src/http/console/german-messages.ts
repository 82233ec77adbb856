// German for what the service says in English, in the log, in commands and to partners.
import type { problems, problemsWithoutCode } from '../../domain/problem-code.ts'

/** English, German. `{1}` is a part that varies. */
export const germanMessages: readonly (readonly [english: string, german: string])[] = [
  // Forms and addresses of the console.
  ['There is no such operation.', 'Diese Aktion gibt es nicht.'],
  [
    'The form was changed. Begin again.',
    'Das Formular wurde verändert. Bitte beginnen Sie von vorn.',
  ],
  ['Choose a file.', 'Bitte wählen Sie eine Datei aus.'],
  ['Choose a decision.', 'Bitte wählen Sie eine Entscheidung aus.'],
  ['Select at most {1} orders.', 'Bitte wählen Sie höchstens {1} Aufträge aus.'],
  ['This token is not valid.', 'Dieser Token ist nicht gültig.'],
  [
    '{1} is not a known address of this service. If it leads here, for example through a tunnel or a proxy, start the service with --operator-names {2}.',
    '{1} ist keine bekannte Adresse dieses Dienstes. Falls sie hierher führt, zum Beispiel durch einen Tunnel oder einen Proxy, starten Sie den Dienst mit --operator-names {2}.',
  ],
  [
    'Another page has requested this. Open it in a separate window.',
    'Eine andere Seite hat dies angefordert. Bitte öffnen Sie es in einem eigenen Fenster.',
  ],
  [
    'The form does not come from this page. Open the page again and repeat what you did.',
    'Das Formular kommt nicht von dieser Seite. Bitte öffnen Sie die Seite erneut und wiederholen Sie Ihre Eingabe.',
  ],
  [
    'No service is running here, so there is no console. Start it with `coopshare serve`.',
    'Hier läuft kein Dienst, deshalb gibt es keine Konsole. Starten Sie ihn mit „coopshare serve“.',
  ],
  ['This link is not valid any more.', 'Dieser Link gilt nicht mehr.'],
  [
    'Open this link in a window of its own.',
    'Bitte öffnen Sie diesen Link in einem eigenen Fenster.',
  ],
  ['Nothing exists at this path.', 'Unter dieser Adresse gibt es nichts.'],
  ['This path supports {1}.', 'Diese Adresse unterstützt {1}.'],
  ['The path must be percent-encoded UTF-8.', 'Die Adresse muss UTF-8 mit Prozentkodierung sein.'],
  ['must be percent-encoded UTF-8', 'muss UTF-8 mit Prozentkodierung sein'],
  ['The parameter {1} {2}.', 'Parameter {1}: {2}.'],
  ['Send the form of the page.', 'Bitte senden Sie das Formular der Seite.'],
  ['The form has more than {1} fields.', 'Das Formular hat mehr als {1} Felder.'],
  ['The form cannot be read.', 'Das Formular ist nicht lesbar.'],
  ['The request body is larger than {1} bytes.', 'Das Formular ist größer als {1} Bytes.'],
  ['The request body ended early.', 'Das Formular kam nicht vollständig an.'],
  [
    'This address has sent too many requests with a wrong operator token or none. Send the right token, or wait {1} s.',
    'Diese Adresse hat zu viele Anfragen mit einem falschen oder ohne Token gesendet. Bitte senden Sie den richtigen Token oder warten Sie {1} s.',
  ],
  [
    'Too many requests are waiting. Repeat the request in a moment.',
    'Es warten zu viele Anfragen. Bitte versuchen Sie es gleich noch einmal.',
  ],
  ['Repeat this request in {1} s.', 'Bitte wiederholen Sie diese Anfrage in {1} s.'],
  [
    '{1} is for {2}; {3} has the role {4}. Ask an administrator.',
    'Für {1} brauchen Sie {2}; {3} hat die Rolle {4}. Bitte wenden Sie sich an einen Administrator.',
  ],
  ['the role {1}', 'die Rolle {1}'],
  ['the roles {1} and {2}', 'die Rolle {1} oder {2}'],

  // What is wrong with a field.
  ['These fields are not valid: {1}.', 'Diese Felder sind nicht gültig: {1}.'],
  ['{1} must be one of {2}.', '{1}: Möglich sind {2}.'],
  ['must be one of {1}', 'möglich sind {1}'],
  ['is required', 'ist erforderlich'],
  [
    'is required: send the time of the proposal that you have seen, which is `proposal.at` of the share purchase',
    'ist erforderlich: der Zeitpunkt des Vorschlags, den Sie gesehen haben, also proposal.at des Auftrags',
  ],
  ['is unknown', 'ist unbekannt'],
  ['must be text', 'muss ein Text sein'],
  ['must be text: put it in quotes', 'muss ein Text sein: setzen Sie ihn in Anführungszeichen'],
  ['must not be blank', 'darf nicht leer sein'],
  ['must not be empty', 'darf nicht leer sein'],
  ['must have at most {1} characters', 'darf höchstens {1} Zeichen haben'],
  ['must have at least {1} entries', 'muss mindestens {1} Einträge haben'],
  ['must have at most {1} entries', 'darf höchstens {1} Einträge haben'],
  [
    'must not contain control characters or broken surrogates',
    'darf keine Steuerzeichen und keine halben Zeichen enthalten',
  ],
  [
    'must not have spaces at its ends, two spaces in a row, other white space, invisible characters or the replacement character (U+FFFD)',
    'darf weder Leerzeichen am Rand noch zwei Leerzeichen nacheinander, anderen Leerraum, unsichtbare Zeichen oder das Ersatzzeichen (U+FFFD) enthalten',
  ],
  ['must be an amount such as "250.00"', 'muss ein Betrag sein, zum Beispiel "250,00"'],
  ['must be greater than zero', 'muss größer als null sein'],
  ['must be a whole number, at least {1}', 'muss eine ganze Zahl sein, mindestens {1}'],
  ['must be a whole number, at most {1}', 'muss eine ganze Zahl sein, höchstens {1}'],
  ['must be a number, at least {1}', 'muss eine Zahl sein, mindestens {1}'],
  ['must be a number, at most {1}', 'muss eine Zahl sein, höchstens {1}'],
  ['must be a whole number', 'muss eine ganze Zahl sein'],
  ['must be a number', 'muss eine Zahl sein'],
  ['must be an object', 'muss ein Objekt sein'],
  ['must be a list', 'muss eine Liste sein'],
  ['must be true or false', 'muss ja oder nein sein'],
  ['must be an http or https address', 'muss eine Adresse mit http oder https sein'],
  ['must be a date in the form yyyy-MM-dd', 'muss ein Datum in der Form JJJJ-MM-TT sein'],
  [
    'must be a timestamp with an offset, such as 2026-03-31T09:30:00+02:00',
    'muss ein Zeitpunkt mit Zeitzone sein, zum Beispiel 2026-03-31T09:30:00+02:00',
  ],
  ['must be on an existing day', 'muss ein Tag sein, den es gibt'],
  ['must be between {1} and {2}', 'muss zwischen {1} und {2} liegen'],
  [
    'must not be in a leap second (60): use the second before or after it',
    'darf nicht in einer Schaltsekunde (60) liegen: nehmen Sie die Sekunde davor oder danach',
  ],
  ['must be a UUID in lower case', 'muss eine UUID in Kleinbuchstaben sein'],
  ['must be a UUID', 'muss eine UUID sein'],
  [
    'must be a time from 1s to 7d, for example 24h',
    'muss eine Dauer von 1s bis 7d sein, zum Beispiel 24h',
  ],
  ['must be an SVG, PNG, JPEG or WebP image', 'muss ein Bild als SVG, PNG, JPEG oder WebP sein'],
  ['must be {1}, as declared', 'muss {1} sein, wie angegeben'],
  ['must have at most {1} bytes', 'darf höchstens {1} Bytes haben'],
  ['must be base64', 'muss base64 sein'],
  [
    'must have 1 to 64 letters, digits, spaces and . _ @ - and begin and end with a letter or digit; "{1}" is reserved',
    'muss 1 bis 64 Buchstaben, Ziffern, Leerzeichen und . _ @ - haben und mit einem Buchstaben oder einer Ziffer beginnen und enden; "{1}" ist vergeben',
  ],
  ['must be {1}', 'muss {1} sein'],
  ['The reason {1}.', 'Grund: {1}.'],

  // Orders.
  [
    'No share purchase has the id {1}. "coopshare purchase list" lists all share purchases.',
    'Kein Auftrag hat die ID {1}. „coopshare purchase list“ zeigt alle Aufträge.',
  ],
  [
    'The share purchase cannot become {1}: it is {2}, {3}.',
    'Der Auftrag kann nicht in den Status „{1}“ wechseln: Er hat den Status „{2}“ {3}.',
  ],
  ['which is final', 'und behält ihn'],
  ['and can only become {1}', 'und kann nur noch wechseln in: {1}'],
  [
    'The bank cannot return the payment of this share purchase: it is {1}, and a payment is under way only while it is approved.',
    'Die Bank kann die Zahlung dieses Auftrags nicht zurückgeben: Er hat den Status „{1}“, und eine Zahlung ist nur unterwegs, solange er freigegeben ist.',
  ],
  [
    'The investor has no share purchase with this id.',
    'Der Anleger hat keinen Auftrag mit dieser ID.',
  ],
  ['None of your share purchases has this id.', 'Keiner Ihrer Aufträge hat diese ID.'],
  [
    'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
    'Der Idempotenzschlüssel muss 1 bis 255 sichtbare ASCII-Zeichen haben.',
  ],
  [
    'The share purchase cannot be settled: its entry fee or minimum number of shares depends on share purchase {1}, which is {2}.',
    'Der Auftrag kann nicht ausgeführt werden: Sein Eintrittsgeld oder die Mindestzahl der Anteile hängt vom Auftrag {1} ab, und der hat den Status „{2}“.',
  ],
  [
    'The share purchase cannot be settled yet: its entry fee or minimum number of shares depends on share purchase {1}, which is {2}.',
    'Der Auftrag kann noch nicht ausgeführt werden: Sein Eintrittsgeld oder die Mindestzahl der Anteile hängt vom Auftrag {1} ab, und der hat den Status „{2}“.',
  ],
  ['Settle that share purchase first.', 'Bitte führen Sie zuerst jenen Auftrag aus.'],
  ['Reject this share purchase.', 'Bitte lehnen Sie diesen Auftrag ab.'],
  ['not in the store', 'nicht im Speicher'],
  [
    'In production a rejection needs a reason.',
    'In der Produktion braucht eine Ablehnung einen Grund.',
  ],
  [
    'Other share purchases would be rejected with this one, and another operator has to confirm each rejection: {1}. Cancel or reject them first, or propose to reject this one with `coopshare purchase reject`.',
    'Mit diesem Auftrag würden weitere abgelehnt, und jede Ablehnung muss ein anderer Operator bestätigen: {1}. Bitte stornieren Sie sie oder lehnen Sie sie zuerst ab, oder schlagen Sie mit „coopshare purchase reject“ vor, diesen abzulehnen.',
  ],
  [
    'Nobody has proposed a decision on this share purchase, or the share purchase has changed since. Look at it with `coopshare purchase show`.',
    'Für diesen Auftrag ist keine Entscheidung vorgeschlagen, oder er hat sich seitdem geändert. Bitte sehen Sie ihn sich mit „coopshare purchase show“ an.',
  ],
  [
    'The proposed decision is not the one that you have seen. Look at the share purchase again before you confirm.',
    'Die vorgeschlagene Entscheidung ist eine andere als die, die Sie gesehen haben. Bitte sehen Sie sich den Auftrag noch einmal an, bevor Sie bestätigen.',
  ],
  [
    '{1} has proposed this decision, so another operator has to confirm it.',
    '{1} hat diese Entscheidung vorgeschlagen, deshalb muss ein anderer Operator sie bestätigen.',
  ],
  [
    '{1}, who has proposed this decision, was disabled or may no longer decide. Propose the decision again, and let another operator confirm it.',
    '{1} hat diese Entscheidung vorgeschlagen, wurde aber gesperrt oder darf nicht mehr entscheiden. Bitte schlagen Sie die Entscheidung noch einmal vor und lassen Sie sie von einem anderen Operator bestätigen.',
  ],
  [
    'Several {1} have the short id {2}: {3}. {4}',
    'Zur kurzen ID {2} passen mehrere ({1}): {3}. {4}',
  ],

  // Investors.
  [
    'No investor has the id {1}. "coopshare find" also finds a name, an e-mail address, an IBAN or a reference.',
    'Kein Anleger hat die ID {1}. „coopshare find“ findet auch einen Namen, eine E-Mail-Adresse, eine IBAN oder eine Referenz.',
  ],
  [
    'No investor has this id or reference. "coopshare find" also finds a name, an e-mail address or an IBAN.',
    'Kein Anleger hat diese ID oder Referenz. „coopshare find“ findet auch einen Namen, eine E-Mail-Adresse oder eine IBAN.',
  ],
  [
    'Several investors have this reference. Also give the organization.',
    'Mehrere Anleger haben diese Referenz. Bitte wählen Sie auch den Partner aus.',
  ],
  [
    'The text to find has no letter or digit. Give a name, an e-mail address, an IBAN, a reference, or at least 6 characters of an id.',
    'Der gesuchte Text hat weder Buchstaben noch Ziffern. Bitte geben Sie einen Namen, eine E-Mail-Adresse, eine IBAN, eine Referenz oder mindestens 6 Zeichen einer ID ein.',
  ],
  [
    'The personal data of {1} is damaged and cannot be read. `coopshare store check` names each damaged value; a backup may still have it.',
    'Die persönlichen Daten von {1} sind beschädigt und nicht lesbar. „coopshare store check“ nennt jeden beschädigten Wert; eine Sicherung kann ihn noch haben.',
  ],
  [
    'None of your investors has this id or reference.',
    'Keiner Ihrer Anleger hat diese ID oder Referenz.',
  ],
  [
    '`erased` cannot be combined with organization, since, until or sort.',
    'Gelöschte Anleger lassen sich weder nach Partner noch nach Zeit filtern oder sortieren.',
  ],
  ['Say why you erase a member.', 'Bitte nennen Sie den Grund, warum Sie ein Mitglied löschen.'],
  [
    'Share purchases of this investor are open: {1}. Settle, reject or cancel them first, because without the person they could neither be settled nor rejected.',
    'Dieser Anleger hat offene Aufträge: {1}. Bitte führen Sie sie zuerst aus, lehnen Sie sie ab oder stornieren Sie sie, denn ohne die Person ist beides nicht mehr möglich.',
  ],
  [
    'This person holds shares: {1}. Each cooperative must keep the name and address of its members in its list of members (in Germany section 30 of the GenG). If it keeps this list elsewhere, erase the person with `coopshare investor erase --although-member --reason TEXT`.',
    'Diese Person hält Anteile: {1}. Jede Genossenschaft muss Name und Anschrift ihrer Mitglieder in der Mitgliederliste führen (§ 30 GenG). Falls sie beides anderswo aufbewahrt, löschen Sie die Person mit „coopshare investor erase --although-member --reason TEXT“.',
  ],
  [
    'The person is erased, but the journal still has their former records, because it could not be compacted: {1} Then erase the person again, which compacts the journal.',
    'Die Person ist gelöscht, aber das Journal enthält noch ihre früheren Datensätze, weil es nicht komprimiert werden konnte: {1} Bitte löschen Sie die Person danach noch einmal, das komprimiert das Journal.',
  ],

  // Partners.
  ['There is no organization "{1}". {2}', 'Es gibt keinen Partner „{1}“. {2}'],
  [
    'An organization named "{1}" already exists, perhaps in a different case. Choose another name.',
    'Einen Partner mit dem Namen „{1}“ gibt es bereits, vielleicht in anderer Schreibweise. Bitte wählen Sie einen anderen Namen.',
  ],
  [
    'The organization "{1}" has investors, whose orders and holdings must stay. Disable it instead: `coopshare organization disable`.',
    'Der Partner „{1}“ hat Anleger, deren Aufträge und Bestände bleiben müssen. Bitte sperren Sie ihn stattdessen.',
  ],
  [
    'Send at least one of: investor_mail, self_service.',
    'Bitte geben Sie mindestens eine Einstellung an.',
  ],
  [
    'Your own signing secret is for staging only. If you leave it out, the service creates one and shows it once.',
    'Ein eigenes Signaturgeheimnis gibt es nur in der Testumgebung. Ohne Angabe erzeugt der Dienst eines und zeigt es einmal.',
  ],
  [
    'Self-service is for staging only: in production, only operators decide orders.',
    'Eigene Entscheidungen gibt es nur in der Testumgebung: In der Produktion entscheiden nur Operatoren über Aufträge.',
  ],
  [
    'There is no client "{1}". `coopshare client list` lists all clients.',
    'Es gibt keinen Client „{1}“. „coopshare client list“ zeigt alle Clients.',
  ],
  [
    'The client already has two active secrets. Revoke one first: `coopshare client revoke-secret`.',
    'Der Client hat bereits zwei gültige Geheimnisse. Bitte widerrufen Sie zuerst eines.',
  ],
  [
    'The client has no active secret "{1}". `coopshare client show` lists its secrets.',
    'Der Client hat kein gültiges Geheimnis „{1}“. „coopshare client show“ zeigt seine Geheimnisse.',
  ],
  [
    'This is the only active secret of the client. Create another one first, or disable the client: `coopshare client disable`.',
    'Dies ist das einzige gültige Geheimnis des Clients. Bitte erzeugen Sie zuerst ein neues oder sperren Sie den Client.',
  ],
  [
    'The client is disabled, so its tokens are refused. Enable it first: `coopshare client enable`.',
    'Der Client ist gesperrt, deshalb werden seine Tokens abgelehnt. Bitte geben Sie ihn zuerst frei.',
  ],
  [
    'The organization "{1}" is disabled, so its tokens are refused. Enable it first: `coopshare organization enable`.',
    'Der Partner „{1}“ ist gesperrt, deshalb werden seine Tokens abgelehnt. Bitte geben Sie ihn zuerst frei.',
  ],
  [
    'There is no webhook endpoint "{1}". `coopshare webhook list` lists all endpoints.',
    'Es gibt keinen Endpunkt „{1}“. „coopshare webhook list“ zeigt alle Endpunkte.',
  ],
  [
    'The organization already has {1} webhook endpoints. Remove one first: `coopshare webhook remove`.',
    'Der Partner hat bereits {1} Endpunkte. Bitte entfernen Sie zuerst einen.',
  ],
  [
    'The URL is refused: the organization already has an endpoint with this URL. `coopshare webhook rotate-secret` replaces the signing secret of an endpoint.',
    'Die Adresse wird abgelehnt: Der Partner hat bereits einen Endpunkt mit ihr. Sein Signaturgeheimnis können Sie auf der Seite des Partners wechseln.',
  ],
  ['The URL is refused: {1}.', 'Die Adresse wird abgelehnt: {1}.'],
  ['The URL is not allowed: {1}.', 'Die Adresse ist nicht erlaubt: {1}.'],
  ['it is not a URL', 'sie ist keine gültige Adresse'],
  ['it must begin with https', 'sie muss mit https beginnen'],
  [
    'it must not contain a user name or password',
    'sie darf weder Benutzernamen noch Passwort enthalten',
  ],
  ['it must not have a fragment', 'sie darf keinen Teil nach # haben'],
  ['it has more than {1} characters', 'sie hat mehr als {1} Zeichen'],
  ['its port must be 443, or {1} or above', 'ihr Port muss 443 oder mindestens {1} sein'],
  [
    'its address is link-local, multicast, unspecified or for cloud metadata, and no setting allows those',
    'sie führt zu einer Adresse, die der Dienst unter keinen Umständen anspricht (link-local, Multicast, unbestimmt oder Metadaten einer Cloud)',
  ],
  ['it must resolve to public addresses only', 'sie darf nur zu öffentlichen Adressen führen'],
  ['its host name cannot be resolved', 'ihr Name lässt sich nicht auflösen'],
  ['its host name was not resolved in time', 'ihr Name wurde nicht rechtzeitig aufgelöst'],

  // Catalogue.
  [
    'No cooperative has the id or key {1}. "coopshare cooperative list" lists all cooperatives.',
    'Keine Genossenschaft hat die ID oder den Schlüssel {1}. „coopshare cooperative list“ zeigt alle Genossenschaften.',
  ],
  [
    'A cooperative with the key {1} already exists. "coopshare cooperative update" changes it.',
    'Eine Genossenschaft mit dem Schlüssel {1} gibt es bereits.',
  ],
  ['There is no such image.', 'Dieses Bild gibt es nicht.'],

  // Events, and how their deliveries end.
  [
    'There is no event "{1}". It may have been purged. `coopshare event list` lists all events.',
    'Es gibt kein Ereignis „{1}“. Vielleicht wurde es entfernt. „coopshare event list“ zeigt alle Ereignisse.',
  ],
  [
    'None of your events has this id. The event may have been removed because of its age.',
    'Keines Ihrer Ereignisse hat diese ID. Vielleicht wurde es wegen seines Alters entfernt.',
  ],
  [
    'The organization has no event "{1}" to continue from. It may have been purged.',
    'Der Partner hat kein Ereignis „{1}“, ab dem es weitergehen könnte. Vielleicht wurde es entfernt.',
  ],
  [
    'No delivery of the event is pending: when it was recorded, its organization had no endpoint for events of this type.',
    'Keine Zustellung dieses Ereignisses steht aus: Als es entstand, hatte der Partner keinen Endpunkt für Ereignisse dieser Art.',
  ],
  [
    'No delivery of the event is pending: it is {1}. `coopshare event replay` sends it again.',
    'Keine Zustellung dieses Ereignisses steht aus: Sein Zustand ist „{1}“. Sie können es erneut zustellen.',
  ],
  [
    'E-mails can be selected only if they are dead: also select dead events.',
    'E-Mails können Sie nur auswählen, wenn sie tot sind: Bitte wählen Sie auch tote Ereignisse aus.',
  ],
  [
    'Select events by id, or by at least one of: dead, organization, type, since, until.',
    'Bitte wählen Sie Ereignisse nach ID, Zustand, Partner, Art oder Zeit aus.',
  ],
  ['No connection could be made.', 'Es konnte keine Verbindung hergestellt werden.'],
  ['No connection could be made. ({1})', 'Es konnte keine Verbindung hergestellt werden. ({1})'],
  ['The receiver answered {1}.', 'Der Empfänger antwortete mit {1}.'],
  ['A redirect is not followed.', 'Einer Weiterleitung wird nicht gefolgt.'],
  ['The answer did not arrive in time.', 'Die Antwort kam nicht rechtzeitig.'],
  ['The answer did not arrive in time. ({1})', 'Die Antwort kam nicht rechtzeitig. ({1})'],
  ['The answer was not usable.', 'Die Antwort war nicht verwendbar.'],
  ['The answer was not usable. ({1})', 'Die Antwort war nicht verwendbar. ({1})'],
  ['The answer is not valid HTTP: {1}.', 'Die Antwort ist kein gültiges HTTP: {1}.'],
  ['The answer is not valid HTTP: {1}. ({2})', 'Die Antwort ist kein gültiges HTTP: {1}. ({2})'],
  [
    'The connection was closed before the answer was complete.',
    'Die Verbindung wurde geschlossen, bevor die Antwort vollständig war.',
  ],
  [
    'The connection was closed before the answer was complete. ({1})',
    'Die Verbindung wurde geschlossen, bevor die Antwort vollständig war. ({1})',
  ],
  ['The address does not begin with https.', 'Die Adresse beginnt nicht mit https.'],
  ['The address is not valid.', 'Die Adresse ist nicht gültig.'],
  ['The address is not public.', 'Die Adresse ist nicht öffentlich.'],
  [
    'The address is link-local, or one that the service never calls.',
    'Die Adresse ist link-local oder eine, die der Dienst nie anspricht.',
  ],
  ['The name has no address.', 'Der Name hat keine Adresse.'],
  ['The name could not be resolved.', 'Der Name ließ sich nicht auflösen.'],
  ['The name could not be resolved. ({1})', 'Der Name ließ sich nicht auflösen. ({1})'],
  ['The name was not resolved in time.', 'Der Name wurde nicht rechtzeitig aufgelöst.'],
  ['The mail server answered {1}.', 'Der Mailserver antwortete mit {1}.'],
  [
    'The mail server did not answer in time. ({1})',
    'Der Mailserver antwortete nicht rechtzeitig. ({1})',
  ],
  [
    'The connection to the mail server failed. ({1})',
    'Die Verbindung zum Mailserver ist gescheitert. ({1})',
  ],
  ['The certificate {1} ({2}).', 'Das Zertifikat {1} ({2}).'],
  ['the certificate {1}', 'das Zertifikat {1}'],
  ['has expired', 'ist abgelaufen'],
  ['is not valid yet', 'ist noch nicht gültig'],
  ['is for another host name', 'gehört zu einem anderen Namen'],
  [
    'is self-signed, not signed by an authority',
    'ist selbst signiert und nicht von einer Zertifizierungsstelle',
  ],
  [
    'is from an authority that this machine does not know, or {1} leaves out its intermediate certificates',
    'ist von einer Zertifizierungsstelle, die diese Maschine nicht kennt, oder der Empfänger lässt seine Zwischenzertifikate weg',
  ],
  ['the certificate is not valid', 'das Zertifikat ist nicht gültig'],
  ['The receiver demands {1}', 'Der Empfänger verlangt {1}'],
  [
    'the receiver demands a client certificate, and the service has none: it must verify the signature instead',
    'der Empfänger verlangt ein Client-Zertifikat, das der Dienst nicht hat: er muss stattdessen die Signatur prüfen',
  ],
  [
    'the receiver asked for a client certificate, which the service does not have, and closed the connection',
    'der Empfänger fragte nach einem Client-Zertifikat, das der Dienst nicht hat, und schloss die Verbindung',
  ],
  ['the receiver ended the TLS handshake', 'der Empfänger brach den TLS-Handshake ab'],
  ['the receiver ended the TLS handshake: {1}', 'der Empfänger brach den TLS-Handshake ab: {1}'],
  [
    'it shares no cipher with the service, or demands a client certificate, which the service does not have',
    'er hat kein Verschlüsselungsverfahren mit dem Dienst gemeinsam oder verlangt ein Client-Zertifikat, das der Dienst nicht hat',
  ],
  ['there was no TLS at {1} in time', 'unter {1} kam TLS nicht rechtzeitig zustande'],
  ['there is no TLS at {1}', 'unter {1} gibt es kein TLS'],
  [
    'no connection could be made ({1}): nothing listens there, or something in between refuses',
    'es konnte keine Verbindung hergestellt werden ({1}): dort antwortet nichts, oder etwas dazwischen lehnt ab',
  ],

  // What the doctor finds.
  ['Fix the failed check first.', 'Bitte beheben Sie zuerst, was gescheitert ist.'],
  ['There is no certificate for http.', 'Für http gibt es kein Zertifikat.'],
  ['The URL uses https.', 'Die Adresse beginnt mit https.'],
  [
    'The URL uses http, which is allowed only with --allow-private-webhooks.',
    'Die Adresse beginnt mit http, was nur mit --allow-private-webhooks erlaubt ist.',
  ],
  [
    'The endpoint has been paused since {1}, so its events wait. `coopshare webhook resume` sends them in sequence.',
    'Der Endpunkt ist seit {1} angehalten, deshalb warten seine Ereignisse. Wenn Sie ihn fortsetzen, werden sie der Reihe nach gesendet.',
  ],
  ['{1} resolves to {2}.', '{1} führt zu {2}.'],
  ['{1} resolves to {2} and {3} more.', '{1} führt zu {2} und {3} weiteren.'],
  [
    'An attempt tries at most {1}, in this sequence.',
    'Ein Versuch probiert höchstens {1} davon, in dieser Reihenfolge.',
  ],
  ['{1}: its {2}.', '{1}: ihr {2}.'],
  ['All addresses are public.', 'Alle Adressen sind öffentlich.'],
  ['These addresses are not public: {1}.', 'Diese Adressen sind nicht öffentlich: {1}.'],
  [
    'They are allowed only with --allow-private-webhooks.',
    'Sie sind nur mit --allow-private-webhooks erlaubt.',
  ],
  [
    'Nothing is sent there: the host name must resolve to public addresses only.',
    'Dorthin wird nichts gesendet: Der Name darf nur zu öffentlichen Adressen führen.',
  ],
  [
    'The certificate was issued by {1}, valid until {2}.',
    'Das Zertifikat wurde von {1} ausgestellt und gilt bis {2}.',
  ],
  ['The certificate was issued by {1}.', 'Das Zertifikat wurde von {1} ausgestellt.'],
  ['It expires soon: renew it.', 'Es läuft bald ab: Bitte erneuern Sie es.'],
  [
    'The receiver asks for a client certificate, which the service does not have. If it insists on one, it refuses every event: it must verify the signature instead.',
    'Der Empfänger fragt nach einem Client-Zertifikat, das der Dienst nicht hat. Besteht er darauf, lehnt er jedes Ereignis ab: Er muss stattdessen die Signatur prüfen.',
  ],
  [
    'The receiver did not accept a signed event.',
    'Der Empfänger nahm ein signiertes Ereignis nicht an.',
  ],
  [
    'The receiver accepted a signed event: {1} in {2} ms.',
    'Der Empfänger nahm ein signiertes Ereignis an: {1} in {2} ms.',
  ],
  [
    'The receiver accepted a signed event, but only after {1} ms. It should respond first and process the event afterwards.',
    'Der Empfänger nahm ein signiertes Ereignis an, aber erst nach {1} ms. Er sollte zuerst antworten und das Ereignis danach verarbeiten.',
  ],
  [
    'The receiver accepted an event with a wrong signature ({1}). Either it does not verify signatures and accepts events from anybody, or it accepts unknown types before it verifies. It should verify first.',
    'Der Empfänger nahm ein Ereignis mit falscher Signatur an ({1}). Entweder prüft er Signaturen nicht und nimmt Ereignisse von jedem an, oder er nimmt unbekannte Arten an, bevor er prüft. Er sollte zuerst prüfen.',
  ],
  [
    'The receiver did not respond to an event with a wrong signature.',
    'Der Empfänger antwortete nicht auf ein Ereignis mit falscher Signatur.',
  ],
  [
    'The receiver refuses a wrong signature with {1}.',
    'Der Empfänger lehnt eine falsche Signatur mit {1} ab.',
  ],
  [
    'The receiver answers a wrong signature with {1}. Status 400 or 401 would be clearer.',
    'Der Empfänger beantwortet eine falsche Signatur mit {1}. Status 400 oder 401 wäre deutlicher.',
  ],

  // The system.
  [
    'There is no signing key "{1}". `coopshare key list` lists all keys.',
    'Es gibt keinen Signaturschlüssel „{1}“. „coopshare key list“ zeigt alle Schlüssel.',
  ],
  [
    'There is no operator "{1}". `coopshare operator list` lists all operators.',
    'Es gibt keinen Operator „{1}“. „coopshare operator list“ zeigt alle Operatoren.',
  ],
  [
    'An operator named "{1}" already exists, perhaps in a different case. Choose another name, or use `coopshare operator rotate-token`.',
    'Einen Operator mit dem Namen „{1}“ gibt es bereits, vielleicht in anderer Schreibweise. Bitte wählen Sie einen anderen Namen, oder wechseln Sie seinen Token.',
  ],
  ['The service is stopping.', 'Der Dienst wird gerade beendet.'],
  ['The store cannot accept writes.', 'Der Speicher nimmt keine Änderungen an.'],
  ['The store already has this encryption key.', 'Der Speicher hat diesen Schlüssel bereits.'],
  [
    'This service has no operation {1}. Does it have another version?',
    'Dieser Dienst kennt die Aktion {1} nicht. Hat er eine andere Version?',
  ],
  // Payments.
  ['The due date {1} {2}. Possible is {3}.', 'Fälligkeit {1}: {2}. Möglich ist {3}.'],
  [
    'is too early for {1}, whose investors get notice {2} days before, and whose bank needs the file {3} TARGET days before',
    'für {1} zu früh, deren Anleger es {2} Tage vorher erfahren und deren Bank die Datei {3} Bankarbeitstage vorher braucht',
  ],
  [
    'is more than {1} days ahead, and banks take no such file',
    'mehr als {1} Tage in der Zukunft, und Banken nehmen so eine Datei nicht an',
  ],
  ['is no TARGET day, so banks do not work on it', 'kein Bankarbeitstag'],
  [
    '{1} has no creditor, so nothing can be collected for it. Set one with `coopshare cooperative set-creditor {2}`.',
    '{1} hat keinen Gläubiger, deshalb lässt sich dafür nichts einziehen. Legen Sie einen mit „coopshare cooperative set-creditor {2}“ fest.',
  ],
  [
    'The payment of {1} {2} {3}. Wait until it is paid, or settle the share purchase with --unpaid: the payment then stays as it is.',
    'Die Zahlung über {1} {2} {3}. Warten Sie, bis sie bezahlt ist, oder führen Sie den Auftrag mit --unpaid aus: Die Zahlung bleibt dann, wie sie ist.',
  ],
  ['is due', 'ist fällig'],
  ['is being collected', 'wird eingezogen'],
  ['came back', 'wurde zurückgegeben'],
  ['was cancelled', 'wurde abgebrochen'],
  [
    'No transfer can be recorded for this payment: {1}.',
    'Für diese Zahlung lässt sich keine Überweisung erfassen: {1}.',
  ],
  [
    'it is in collection {1}, so the investor would pay twice. Cancel the collection, or wait for the statement of the bank',
    'Sie ist in Einzug {1}, der Anleger würde also doppelt zahlen. Brechen Sie den Einzug ab, oder warten Sie auf den Kontoauszug der Bank',
  ],
  ['it is {1}', 'sie ist {1}'],
  [
    'The share purchase is {1}, so its payment must not be collected again.',
    'Der Auftrag ist {1}, deshalb darf seine Zahlung nicht erneut eingezogen werden.',
  ],
  [
    'This entry is {1}, so it cannot be assigned. Only entries that matched nothing can be.',
    'Dieser Umsatz ist {1} und lässt sich nicht zuordnen. Das geht nur mit Umsätzen, die zu nichts passen.',
  ],
  [
    'The payment is {1}, so {2} cannot be assigned to it.',
    'Die Zahlung ist {1}, deshalb lässt sich ihr {2} nicht zuordnen.',
  ],
  [
    'The entry is on another account than that of {1}, so it cannot be assigned to this share purchase.',
    'Der Umsatz ist auf einem anderen Konto als dem von {1} und lässt sich diesem Auftrag nicht zuordnen.',
  ],
  [
    'The entry is in {1}, but payments are in {2}.',
    'Der Umsatz ist in {1}, Zahlungen sind aber in {2}.',
  ],
  [
    'The payment is {1}, and another entry has said so already, so this one cannot be assigned to it.',
    'Die Zahlung ist {1}, und das hat schon ein anderer Umsatz gesagt. Deshalb lässt sich ihr dieser nicht zuordnen.',
  ],
  [
    'Another entry has brought the money for this share purchase already.',
    'Das Geld für diesen Auftrag ist schon mit einem anderen Umsatz gekommen.',
  ],
  [
    'The share purchase is {1}, so pay the money back.',
    'Der Auftrag ist {1}, zahlen Sie das Geld also zurück.',
  ],
  [
    'The payment is in collection {1}, so the investor would pay twice. Cancel the collection, or wait for the statement of the bank and pay this money back.',
    'Die Zahlung ist in Einzug {1}, der Anleger würde also doppelt zahlen. Brechen Sie den Einzug ab, oder warten Sie auf den Kontoauszug der Bank und zahlen Sie dieses Geld zurück.',
  ],
  [
    'No transfer can be recorded for this payment: the share purchase is {1}, so pay the money back.',
    'Für diese Zahlung lässt sich keine Überweisung erfassen: Der Auftrag ist {1}, zahlen Sie das Geld also zurück.',
  ],
  [
    'The bank has refused all direct debits of this collection, so it sends no statement about it.',
    'Die Bank hat alle Lastschriften dieses Einzugs abgelehnt und schickt keinen Kontoauszug darüber.',
  ],
  ['money that came', 'eingegangenes Geld'],
  ['a return', 'eine Rückgabe'],
  ['the person was erased', 'die Person wurde gelöscht'],
  [
    'the mandate was not used for 36 months, so it has lapsed: ask the partner for a new order, or for a transfer',
    'das Mandat wurde 36 Monate lang nicht genutzt und ist verfallen: Bitten Sie den Partner um einen neuen Auftrag oder um eine Überweisung',
  ],
  [
    'a direct debit can have 0.01 to 999999999.99 EUR, but this payment has {1}: ask for a transfer',
    'eine Lastschrift kann 0,01 bis 999999999,99 EUR haben, diese Zahlung hat aber {1}: Bitten Sie um eine Überweisung',
  ],
  ['the investor has no profile', 'der Anleger hat kein Profil'],
  ['the name of the account holder is unknown', 'der Name des Kontoinhabers ist unbekannt'],
  [
    'the account is in {1}, outside the EEA, where banks demand the address of the payer with its country, and the country is unknown: only German postal codes are recognized',
    'das Konto liegt in {1}, außerhalb des EWR. Dort verlangen Banken die Anschrift des Zahlers mit dem Land, und das Land ist unbekannt: Nur deutsche Postleitzahlen werden erkannt',
  ],
  [
    'must be a possible due date, such as {1}',
    'muss eine mögliche Fälligkeit sein, zum Beispiel {1}',
  ],
  ['must not be in the future', 'darf nicht in der Zukunft liegen'],
  [
    '{1} is not an XML file in the encoding {2}, which it declares or which is the usual one.',
    '{1} ist keine XML-Datei in der Kodierung {2}, die sie angibt oder die üblich ist.',
  ],
  [
    '{1} is a ZIP file. Import the files that are in it.',
    '{1} ist eine ZIP-Datei. Importieren Sie die Dateien darin.',
  ],
  ['{1} Nothing in this file was imported.', '{1} Aus dieser Datei wurde nichts importiert.'],
  ['The file contains no statement', 'Die Datei enthält keinen Kontoauszug'],
  [
    'The payment of share purchase {1} is in collection {2}, so its outcome is not known yet. Wait for the statement of the bank, or cancel the collection.',
    'Die Zahlung von Auftrag {1} ist in Einzug {2}, ihr Ausgang ist noch nicht bekannt. Warten Sie auf den Kontoauszug der Bank, oder brechen Sie den Einzug ab.',
  ],
  [
    'Share purchase {1} cannot be cancelled: a later one depends on it, and its amount is being collected or was paid. Ask the operator of this service.',
    'Der Auftrag {1} kann nicht storniert werden: Ein späterer hängt von ihm ab, und dessen Betrag wird gerade eingezogen oder ist bezahlt. Fragen Sie den Betreiber dieses Dienstes.',
  ],
  [
    'Share purchase {1} is paid. Pay {2} {3} back, then reject it with --refunded.',
    'Auftrag {1} ist bezahlt. Zahlen Sie {2} {3} zurück, und lehnen Sie ihn dann mit --refunded ab.',
  ],
  [
    'Only a returned payment can be collected again, and this one is {1}.',
    'Nur eine zurückgegebene Zahlung lässt sich erneut einziehen, und diese ist {1}.',
  ],
  [
    'The bank has booked this collection, so it cannot be cancelled.',
    'Die Bank hat diesen Einzug gebucht, deshalb lässt er sich nicht abbrechen.',
  ],
  [
    'The bank has refused all direct debits of this collection, so it sends no statement about it.',
    'Die Bank hat alle Lastschriften dieses Einzugs abgelehnt, deshalb schickt sie keinen Kontoauszug darüber.',
  ],
  [
    'The collection was cancelled, so there is no file for the bank.',
    'Der Einzug wurde abgebrochen, deshalb gibt es keine Datei für die Bank.',
  ],
  [
    '{1} has created this collection, so another operator has to confirm it.',
    '{1} hat diesen Einzug angelegt, deshalb muss ihn eine andere Person bestätigen.',
  ],
  [
    'The collection is {1}, so there is nothing to confirm.',
    'Der Einzug ist {1}, es gibt nichts zu bestätigen.',
  ],
  [
    'A bank sends a statement only for a collection whose file it has. `coopshare collection export {1}` writes the file.',
    'Eine Bank schickt nur für einen Einzug einen Kontoauszug, dessen Datei sie hat. „coopshare collection export {1}“ schreibt die Datei.',
  ],
  [
    'A statement can be simulated only in staging. In production, import the statement of the bank.',
    'Ein Kontoauszug lässt sich nur in der Testumgebung simulieren. Importieren Sie in der Produktion den Kontoauszug der Bank.',
  ],
  [
    'No collection has the id {1}. `coopshare collection list` lists all collections.',
    'Kein Einzug hat die ID {1}. Alle Einzüge listet „coopshare collection list“ auf.',
  ],
  [
    'No statement has the id {1}. `coopshare statement list` lists all statements.',
    'Kein Kontoauszug hat die ID {1}. Alle Kontoauszüge listet „coopshare statement list“ auf.',
  ],
  [
    'No entry has the id {1}. `coopshare statement show` lists the entries of a statement.',
    'Kein Umsatz hat die ID {1}. Die Umsätze eines Kontoauszugs listet „coopshare statement show“ auf.',
  ],
  [
    'The entry has {1} {2}, but the share purchase costs {3} {4}. Only the whole amount can be assigned.',
    'Der Umsatz beträgt {1} {2}, der Auftrag kostet aber {3} {4}. Zuordnen lässt sich nur der ganze Betrag.',
  ],
  [
    'Share purchase {1} has no payment: its cooperative has no creditor, or it was never approved. `coopshare cooperative set-creditor` sets a creditor.',
    'Auftrag {1} hat keine Zahlung: Seine Genossenschaft hat keinen Gläubiger, oder er wurde nie freigegeben. Einen Gläubiger legt „coopshare cooperative set-creditor“ fest.',
  ],
  ['must be the name of the creditor', 'muss der Name des Gläubigers sein'],
  [
    'must be a creditor identifier such as DE98ZZZ09999999999',
    'muss eine Gläubiger-ID wie DE98ZZZ09999999999 sein',
  ],
  [
    'must be a creditor identifier with correct check digits',
    'muss eine Gläubiger-ID mit richtigen Prüfziffern sein',
  ],
]

/** The titles of problems, which are the reasons on the page Live. */
export const germanTitles: Readonly<
  Record<keyof typeof problems | keyof typeof problemsWithoutCode, string>
> = {
  INVALID_PARAMETER: 'Ein Parameter ist nicht gültig.',
  MALFORMED_REQUEST_BODY: 'Der Inhalt der Anfrage ist nicht lesbar.',
  UNAUTHENTICATED: 'Ein gültiger Zugriffstoken ist erforderlich.',
  INSUFFICIENT_SCOPE: 'Dem Zugriffstoken fehlt ein Recht.',
  FORBIDDEN: 'Dieser Client darf das nicht.',
  COOPERATIVE_NOT_FOUND: 'Diese Genossenschaft gibt es nicht.',
  MANAGED_INVESTOR_NOT_FOUND: 'Diesen Anleger gibt es nicht.',
  SHARE_PURCHASE_NOT_FOUND: 'Diesen Auftrag gibt es nicht.',
  INVESTOR_PROFILE_INCOMPLETE: 'Das Profil des Anlegers ist nicht vollständig.',
  PURCHASE_DEFAULTS_UNAVAILABLE: 'Ein fehlender Wert ließ sich nicht ergänzen.',
  SHARE_PURCHASE_ILLEGAL_STATE: 'Der Zustand des Auftrags lässt das nicht zu.',
  IDEMPOTENCY_KEY_CONFLICT: 'Dieser Idempotenzschlüssel gehört bereits zu einer anderen Anfrage.',
  MANAGED_INVESTOR_PROFILE_CONFLICT:
    'Einen Anleger mit dieser Referenz gibt es bereits, mit anderen Angaben.',
  VALIDATION_ERROR: 'Die Anfrage ist nicht gültig.',
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: 'Eine Vertretungsmacht setzt ein Unternehmen voraus.',
  RATE_LIMITED: 'Zu viele Anfragen.',
  NOT_FOUND: 'Unter dieser Adresse gibt es nichts.',
  METHOD_NOT_ALLOWED: 'Diese Adresse unterstützt die Methode nicht.',
  UNSUPPORTED_MEDIA_TYPE: 'Der Inhalt der Anfrage muss unkomprimiertes JSON sein.',
  PAYLOAD_TOO_LARGE: 'Der Inhalt der Anfrage ist zu groß.',
  SERVICE_UNAVAILABLE: 'Der Dienst kann das zurzeit nicht.',
  ORGANIZATION_NOT_FOUND: 'Diesen Partner gibt es nicht.',
  CLIENT_NOT_FOUND: 'Diesen Client gibt es nicht.',
  OPERATOR_NOT_FOUND: 'Diesen Operator gibt es nicht.',
  SIGNING_KEY_NOT_FOUND: 'Diesen Signaturschlüssel gibt es nicht.',
  CLIENT_SECRET_NOT_FOUND: 'Dieses Geheimnis hat der Client nicht.',
  NAME_TAKEN: 'Dieser Name ist vergeben.',
  ORGANIZATION_NOT_EMPTY: 'Der Partner hat Anleger.',
  SECRET_LIMIT_REACHED: 'Der Client hat bereits zwei gültige Geheimnisse.',
  LAST_SECRET: 'Dies ist das einzige gültige Geheimnis des Clients.',
  INVESTOR_NOT_FOUND: 'Diesen Anleger gibt es nicht.',
  INVESTOR_HAS_OPEN_ORDERS: 'Der Anleger hat offene Aufträge.',
  INVESTOR_IS_MEMBER: 'Der Anleger ist Mitglied einer Genossenschaft.',
  PAYMENT_NOT_FOUND: 'Zu diesem Auftrag gibt es keine Zahlung.',
  PAYMENT_ILLEGAL_STATE: 'Der Zustand der Zahlung lässt das nicht zu.',
  PAYMENT_OUTSTANDING: 'Der Auftrag ist nicht bezahlt.',
  PAYMENT_UNDER_WAY: 'Die Zahlung wird gerade eingezogen.',
  PAYMENT_RECEIVED: 'Der Auftrag ist bezahlt.',
  COLLECTION_NOT_FOUND: 'Diesen Einzug gibt es nicht.',
  COLLECTION_ILLEGAL_STATE: 'Der Zustand des Einzugs lässt das nicht zu.',
  STATEMENT_NOT_FOUND: 'Diesen Kontoauszug oder diese Buchung gibt es nicht.',
  STATEMENT_REFUSED: 'Die Datei kann nicht eingelesen werden.',
  CLIENT_DISABLED: 'Der Client ist gesperrt.',
  WEBHOOK_ENDPOINT_NOT_FOUND: 'Diesen Endpunkt gibt es nicht.',
  WEBHOOK_URL_REFUSED: 'An diese Adresse können keine Ereignisse gesendet werden.',
  ENDPOINT_LIMIT_REACHED: 'Der Partner hat die Höchstzahl von Endpunkten erreicht.',
  EVENT_NOT_PENDING: 'Keine Zustellung des Ereignisses steht aus.',
  EVENT_NOT_FOUND: 'Dieses Ereignis gibt es nicht.',
  ENVIRONMENT_MISMATCH: 'Der Speicher gehört zu einer anderen Umgebung.',
  TESTING_AID_IN_PRODUCTION: 'Das dient nur Tests und wird in der Produktion abgelehnt.',
  STORE_NOT_EMPTY: 'Das Ziel ist nicht leer.',
  STORE_DAMAGED: 'Der Speicher ist beschädigt.',
  STORE_NEWER: 'Der Speicher wurde von einer neueren Version geschrieben.',
  STORE_LOCKED: 'Ein anderer Prozess benutzt den Speicher.',
  STORE_NOT_FOUND: 'Es gibt keinen Speicher.',
  DATA_DIRECTORY_NOT_PRIVATE: 'Andere Benutzer können in das Datenverzeichnis schreiben.',
  STORE_MOVED: 'Der Speicher wurde an einen anderen Ort verschoben.',
  LISTENER_RUNNING: 'Ein anderer Empfänger benutzt diese Position.',
  ENCRYPTION_KEY_REFUSED: 'Der Schlüssel passt nicht zum Speicher.',
  NOT_FOR_DATABASES: 'Für einen Speicher in einer Datenbank ist das nicht nötig.',
  BENCH_OFF: 'Der Dienst läuft ohne Prüfstand.',
  FAULT_NOT_FOUND: 'Diese Störung gibt es nicht.',
  CLOCK_BACKWARDS: 'Die Uhr geht nie rückwärts.',
  CLOCK_BUSY: 'Fällige Arbeit läuft noch.',
  AWAIT_TIMEOUT: 'Der erwartete Austausch fand nicht rechtzeitig statt.',
  INTERNAL_SERVER_ERROR: 'Bei uns ist ein Fehler aufgetreten.',
  BAD_REQUEST: 'Ungültige Anfrage',
  REQUEST_TIMEOUT: 'Zeitüberschreitung der Anfrage',
  REQUEST_HEADER_FIELDS_TOO_LARGE: 'Kopf der Anfrage zu groß',
}
