/** The sentences of the console, which explain or advise: English, German. */
export const helpTexts = {
  searchHint: ['Name, e-mail, IBAN, reference or id', 'Name, E-Mail, IBAN, Referenz oder ID'],
  tokenHint: [
    'Your token is the one that “coopshare operator create” printed. With “coopshare console --open” you sign in without it.',
    'Ihr Token ist der, den „coopshare operator create“ ausgegeben hat. Mit „coopshare console --open“ melden Sie sich ohne ihn an.',
  ],
  sessionEnded: [
    'Your session has ended. Nothing was done. Sign in again.',
    'Ihre Sitzung ist abgelaufen. Es wurde nichts ausgeführt. Bitte melden Sie sich erneut an.',
  ],
  linkOver: [
    'This link is not valid any more. It signs you in once, within a minute. Make a new one with “coopshare console”, or use your token.',
    'Dieser Link gilt nicht mehr. Er meldet Sie nur einmal und nur innerhalb einer Minute an. Erzeugen Sie einen neuen mit „coopshare console“, oder verwenden Sie Ihren Token.',
  ],
  wrongToken: [
    'This token is unknown, replaced or disabled. Check it, or ask an administrator for a new one.',
    'Dieser Token ist unbekannt, ersetzt oder gesperrt. Bitte prüfen Sie ihn oder wenden Sie sich für einen neuen an einen Administrator.',
  ],
  shownOnce: [
    'The secret is shown only now. Copy it before you leave the page.',
    'Das Geheimnis wird nur jetzt angezeigt. Bitte kopieren Sie es, bevor Sie die Seite verlassen.',
  ],
  repeated: [
    'You have already sent this form, so nothing was done again. If you did not copy a secret that it showed, create another one.',
    'Sie haben dieses Formular bereits gesendet, deshalb wurde nichts noch einmal ausgeführt. Falls Sie ein angezeigtes Geheimnis nicht kopiert haben, erzeugen Sie bitte ein neues.',
  ],
  nothingSelected: [
    'No order is selected. Go back and select orders.',
    'Es ist kein Auftrag ausgewählt. Gehen Sie zurück und wählen Sie Aufträge aus.',
  ],
  proposedToDecide: [
    'Proposed: {count}. Another operator must confirm each decision.',
    'Vorgeschlagen: {count}. Jede Entscheidung muss eine andere Person bestätigen.',
  ],
  storeRefuses: [
    'The store accepts no writes at the moment. Try again later.',
    'Der Speicher nimmt zurzeit keine Änderungen an. Bitte versuchen Sie es später noch einmal.',
  ],
  failedToDecide: [
    'Not decided: {count}. The reasons are below, and these orders are still selected.',
    'Nicht entschieden: {count}. Die Gründe stehen darunter, und diese Aufträge sind weiterhin ausgewählt.',
  ],
  outcomeGone: [
    'What came of this decision is no longer known here. The audit has every decision:',
    'Das Ergebnis dieser Entscheidung ist hier nicht mehr bekannt. Jede Entscheidung steht im Protokoll:',
  ],
  'leftOut.approve': [
    'The order is {status}. Only submitted orders can be approved.',
    'Der Auftrag ist {status}. Freigeben lassen sich nur Aufträge, die eingegangen sind.',
  ],
  'leftOut.settle': [
    'The order is {status}. Only approved orders can be settled.',
    'Der Auftrag ist {status}. Ausführen lassen sich nur Aufträge, die freigegeben sind.',
  ],
  'leftOut.reject': [
    'The order is {status}. Only submitted or approved orders can be rejected.',
    'Der Auftrag ist {status}. Ablehnen lassen sich nur Aufträge, die eingegangen oder freigegeben sind.',
  ],
  'leftOut.confirm': [
    'The order is {status}, so you cannot confirm a decision about it.',
    'Der Auftrag ist {status}. Eine Entscheidung darüber lässt sich nicht mehr bestätigen.',
  ],
  nothingProposed: [
    'Nobody has proposed a decision that you could confirm.',
    'Niemand hat eine Entscheidung vorgeschlagen, die Sie bestätigen könnten.',
  ],
  ownProposal: [
    'You have proposed this decision yourself, so another operator must confirm it.',
    'Sie haben diese Entscheidung selbst vorgeschlagen. Bestätigen muss sie eine andere Person.',
  ],
  dependsOnUnsettled: [
    'Its entry fee or minimum number of shares depends on an order that must be settled first:',
    'Eintrittsgeld oder Mindestzahl von Anteilen hängen von einem Auftrag ab, der zuerst ausgeführt werden muss:',
  ],
  noSuchOrder: ['There is no such order.', 'Diesen Auftrag gibt es nicht.'],
  tooManySelected: [
    'You can select at most {count} orders one by one. Select all orders of the list instead.',
    'Einzeln lassen sich höchstens {count} Aufträge auswählen. Wählen Sie stattdessen alle Aufträge der Liste aus.',
  ],
  tooManyToSort: [
    'A list of more than 1,000 orders can be sorted by time only. Choose a status or a filter first.',
    'Eine Liste von mehr als 1.000 Aufträgen lässt sich nur nach der Zeit sortieren. Wählen Sie zuerst einen Status oder einen Filter.',
  ],
  badAddress: [
    'This list cannot be shown, because its address asks for something that does not exist.',
    'Diese Liste lässt sich nicht anzeigen, weil ihre Adresse etwas verlangt, das es nicht gibt.',
  ],
  changedSince: [
    'Orders have changed since the preview. Nothing was decided. This is their current state.',
    'Seit der Vorschau haben sich Aufträge geändert. Es wurde nichts entschieden. Dies ist der aktuelle Stand.',
  ],
  dryRunHint: [
    'This is what would happen. Nothing was changed.',
    'Dies würde geschehen. Es wurde nichts geändert.',
  ],
  rotateGuide: [
    'Planned change: rotate the secret, hand over the new one, wait until it is used, then revoke the older one. Both are valid until then.',
    'Geplanter Wechsel: Wechseln Sie das Geheimnis, übergeben Sie das neue, warten Sie, bis es verwendet wird, und widerrufen Sie dann das ältere. Bis dahin gelten beide.',
  ],
  leakGuide: [
    'After a leak: disable the client immediately. Rotate the secret, revoke the older one, which has leaked, and hand over the new one. Enable the client after 15 minutes, because tokens that were issued with the old secret work until then.',
    'Nach einem Leck: Sperren Sie den Client sofort. Wechseln Sie das Geheimnis, widerrufen Sie das ältere, das bekannt geworden ist, und übergeben Sie das neue. Geben Sie den Client erst nach 15 Minuten wieder frei, denn so lange gelten Tokens, die mit dem alten Geheimnis ausgestellt wurden.',
  ],
  certify: [
    'The partner certifies the receiver with its own secret:',
    'Der Partner zertifiziert den Empfänger mit seinem Geheimnis:',
  ],
  overlapGuide: [
    'Planned change: ask the partner whether the receiver accepts any matching v1. If so, also sign with the old secret, hand over the new one, and wait until the partner uses it. Otherwise both sides must change at the same moment: pause the endpoint, rotate the secret, hand it over, resume the endpoint.',
    'Geplanter Wechsel: Fragen Sie den Partner, ob der Empfänger jede passende v1 annimmt. Wenn ja, signieren Sie auch mit dem alten Geheimnis, übergeben Sie das neue und warten Sie, bis der Partner es verwendet. Andernfalls müssen beide Seiten gleichzeitig wechseln: Halten Sie den Endpunkt an, wechseln und übergeben Sie das Geheimnis und setzen Sie den Endpunkt fort.',
  ],
  signingLeakGuide: [
    'After a leak: pause the endpoint, rotate the secret, and do not sign with the old one any more. Hand over the new one and resume the endpoint when the receiver has it. Deliveries wait until then.',
    'Nach einem Leck: Halten Sie den Endpunkt an, wechseln Sie das Geheimnis und signieren Sie nicht mehr mit dem alten. Übergeben Sie das neue und setzen Sie den Endpunkt fort, sobald der Empfänger es hat. Die Zustellungen warten so lange.',
  ],
  rotateHint: [
    'The service stops signing with the old secret immediately. Unless the endpoint is paused, the receiver refuses every delivery until it has the new secret.',
    'Mit dem alten Geheimnis wird sofort nicht mehr signiert. Solange der Empfänger das neue nicht hat, lehnt er jede Zustellung ab, außer der Endpunkt ist angehalten.',
  ],
  twoSecrets: [
    'A client has at most two secrets. Revoke one before you rotate again.',
    'Ein Client hat höchstens zwei Geheimnisse. Bitte widerrufen Sie eines, bevor Sie erneut wechseln.',
  ],
  unlikelyPrice: [
    'A share of {name} costs {before}. The new price, {price}, differs by {change}.',
    'Ein Anteil von {name} kostet {before}. Der neue Preis, {price}, weicht um {change} ab.',
  ],
  newCooperativeHint: [
    'Partners do not see it until you publish it. You can add images on its page; projects come from a file.',
    'Partner sehen sie erst, wenn Sie sie veröffentlichen. Bilder können Sie auf ihrer Seite hinzufügen, Projekte kommen aus einer Datei.',
  ],
  importHint: [
    'A file with definitions of cooperatives. You see each change before anything is stored.',
    'Eine Datei mit Definitionen von Genossenschaften. Sie sehen jede Änderung, bevor etwas gespeichert wird.',
  ],
  liveHint: [
    'Requests of partners to this instance, as it answers them. Nothing is stored.',
    'Anfragen von Partnern an diese Instanz, sobald sie beantwortet sind. Nichts wird gespeichert.',
  ],
  noBackups: [
    'This instance makes no regular backups: start it with --backup-every. To make a backup now:',
    'Diese Instanz legt keine regelmäßigen Sicherungen an: Starten Sie sie mit --backup-every. So legen Sie jetzt eine an:',
  ],
  copyHint: [
    'Everything that is stored about the person, with the whole IBAN. Check who asks, hand the file over so that only the person can read it, and then delete it.',
    'Alles, was über die Person gespeichert ist, mit der ganzen IBAN. Bitte prüfen Sie, wer fragt, übergeben Sie die Datei so, dass nur die Person sie lesen kann, und löschen Sie sie danach.',
  ],
  eraseHint: [
    'Name, contact, bank account and reference are removed. Orders and holdings stay without the person, because bookkeeping needs them. The reason stays, so do not name the person in it.',
    'Name, Kontakt, Bankverbindung und Referenz verschwinden. Aufträge und Bestände bleiben ohne die Person, weil die Buchhaltung sie braucht. Bitte nennen Sie die Person nicht im Grund, denn er bleibt.',
  ],
  memberHint: [
    'This person holds shares. Each cooperative must keep the name and address of its members in its list of members (in Germany section 30 of the GenG). Erase the person only if the cooperative keeps them elsewhere.',
    'Diese Person hält Anteile. Jede Genossenschaft muss Name und Anschrift ihrer Mitglieder in der Mitgliederliste führen (§ 30 GenG). Löschen Sie die Person nur, wenn die Genossenschaft beides anderswo aufbewahrt.',
  ],
  openOrdersFirst: [
    'Settle, reject or cancel the open orders first:',
    'Bitte führen Sie zuerst die offenen Aufträge aus, lehnen Sie sie ab oder stornieren Sie sie:',
  ],
  template: [
    'To begin, download the catalogue as a workbook, edit it and upload it. If the catalogue is empty, the workbook has only the names of the columns.',
    'Laden Sie den Katalog zuerst als Arbeitsmappe herunter, bearbeiten Sie sie und laden Sie sie wieder hoch. Ist der Katalog leer, enthält die Mappe nur die Namen der Spalten.',
  ],
  alarms: [
    'Look at {count} of these changes twice: the price changes by more than half, or partners can no longer see the cooperative.',
    'Bitte sehen Sie sich {count} dieser Änderungen zweimal an: Der Preis ändert sich um mehr als die Hälfte, oder die Genossenschaft ist für Partner nicht mehr sichtbar.',
  ],
  scopesHint: [
    'The new scopes apply immediately, even to tokens that were issued before. Id and secrets do not change.',
    'Die neuen Rechte gelten sofort, auch für bereits ausgestellte Tokens. ID und Geheimnisse ändern sich nicht.',
  ],
  purgeHint: [
    'The service removes delivered events automatically after their retention. Events that are still being delivered stay. A removed event cannot be shown or replayed; its order does not change.',
    'Zugestellte Ereignisse entfernt der Dienst nach ihrer Aufbewahrungszeit von selbst. Was noch zugestellt wird, bleibt. Ein entferntes Ereignis lässt sich nicht mehr anzeigen oder zustellen; sein Auftrag ändert sich nicht.',
  ],
  purgeQuestion: [
    'Events to remove: {events}, with {deliveries} deliveries. This cannot be undone.',
    'Zu entfernende Ereignisse: {events}, mit {deliveries} Zustellungen. Das lässt sich nicht rückgängig machen.',
  ],
  rekeyHint: [
    'All encrypted values and the digests of the search are made again with new keys while the service keeps running. If you give the key to the service yourself, use the command:',
    'Alle verschlüsselten Werte und die Prüfsummen der Suche werden mit neuen Schlüsseln erneuert, während der Dienst weiterläuft. Wenn Sie dem Dienst den Schlüssel selbst geben, verwenden Sie das Kommando:',
  ],
  rekeyQuestion: [
    'Afterwards the previous key decrypts nothing in the store, and you sign in again. Make a new backup then: older backups need the previous key, and contain it if the store keeps its key itself. This takes some time in a large store.',
    'Danach entschlüsselt der bisherige Schlüssel im Speicher nichts mehr, und Sie melden sich neu an. Bitte legen Sie dann eine neue Sicherung an: Ältere Sicherungen brauchen den bisherigen Schlüssel und enthalten ihn, wenn der Speicher seinen Schlüssel selbst verwahrt. In einem großen Speicher dauert das etwas.',
  ],
  attempts_used_up: ['All attempts failed.', 'Alle Versuche sind gescheitert.'],
  endpoint_removed: ['The endpoint was removed.', 'Der Endpunkt wurde entfernt.'],
  mail_refused: ['The mail server refused it.', 'Der Mailserver hat es abgelehnt.'],
  mail_turned_off: [
    'E-mails to investors are turned off.',
    'E-Mails an Anleger sind ausgeschaltet.',
  ],
  no_mail_address: ['The investor has no e-mail address.', 'Der Anleger hat keine E-Mail-Adresse.'],
  own_faults: [
    'The mail server or the service kept failing until the end of the schedule.',
    'Der Mailserver oder der Dienst war bis zum Ende des Zeitplans gestört.',
  ],
  suggestions: ['Suggestions', 'Vorschläge'],
  suggestionsSome: ['Choose with the arrow keys.', 'Wählen Sie mit den Pfeiltasten.'],
  suggestionsNone: ['No suggestions.', 'Keine Vorschläge.'],
  allFound: ['All results', 'Alle Ergebnisse'],
  shortcuts: ['Keyboard shortcuts', 'Tastenkürzel'],
  keySearch: ['Search', 'Suchen'],
  keyNext: ['Next row of a list', 'Nächste Zeile einer Liste'],
  keyPrevious: ['Previous row of a list', 'Vorige Zeile einer Liste'],
  keyOpen: ['Open the row', 'Zeile öffnen'],
  keyList: ['Show this list', 'Diese Liste anzeigen'],
  keyClose: ['Close suggestions or this list', 'Vorschläge oder diese Liste schließen'],
  singleKeys: ['Use keys without Ctrl or ⌘', 'Tasten ohne Strg oder ⌘ verwenden'],
  close: ['Close', 'Schließen'],
  payment_cancelled: [
    'The direct debit was cancelled before it was announced to the investor.',
    'Die Lastschrift wurde storniert, bevor sie dem Anleger angekündigt war.',
  ],
  findHint: [
    'The first three letters of each word in a name are enough. An e-mail address, an IBAN or a reference must be complete. For an id, the first six characters are enough.',
    'Von jedem Wort eines Namens genügen die ersten drei Buchstaben. Eine E-Mail-Adresse, IBAN oder Referenz muss vollständig sein. Von einer ID genügen die ersten sechs Zeichen.',
  ],
  wrongIban: [
    'This is not a valid IBAN: a digit is wrong or missing. Ask for it again.',
    'Das ist keine gültige IBAN: Eine Ziffer ist falsch oder fehlt. Bitte lassen Sie sie sich noch einmal nennen.',
  ],
  noneWaiting: ['No order waits to be approved.', 'Kein Auftrag wartet auf Freigabe.'],
} as const satisfies Readonly<Record<string, readonly [english: string, german: string]>>
