/** What an empty list will show, and the next step: English, German. */
export const emptyTexts = {
  nothingMatches: ['Nothing matches these filters.', 'Nichts passt zu diesen Filtern.'],
  withoutFilters: ['Show everything', 'Alles anzeigen'],
  'empty.orders': [
    'Here you will see the orders of all partners, with their investor, amount and status, and decide on them. A partner places the first one with its client.',
    'Hier sehen Sie die Aufträge aller Partner mit Anleger, Betrag und Status und entscheiden über sie. Den ersten erteilt ein Partner mit seinem Client.',
  ],
  'empty.investors': [
    'Here you will see the customers whom partners register, with their orders and holdings. A partner registers the first one with its client.',
    'Hier sehen Sie die Kunden, die Partner anlegen, mit ihren Aufträgen und Beständen. Den ersten legt ein Partner mit seinem Client an.',
  ],
  'empty.partners': [
    'Here you will see the companies whose customers buy shares. Create the first one below, then give it a client and an endpoint.',
    'Hier sehen Sie die Unternehmen, deren Kunden Anteile erwerben. Legen Sie unten das erste an und geben Sie ihm einen Client und einen Endpunkt.',
  ],
  'empty.catalogue': [
    'Here you will see the cooperatives whose shares partners offer. Create the first one below, or import a file with many.',
    'Hier sehen Sie die Genossenschaften, deren Anteile Partner anbieten. Legen Sie unten die erste an oder importieren Sie eine Datei mit mehreren.',
  ],
  'empty.events': [
    'Here you will see what partners and investors are notified of: an event for each step of an order, with its deliveries. A partner needs an endpoint to receive events.',
    'Hier sehen Sie, worüber Partner und Anleger benachrichtigt werden: ein Ereignis für jeden Schritt eines Auftrags mit seinen Zustellungen. Um Ereignisse zu erhalten, braucht ein Partner einen Endpunkt.',
  ],
  'empty.audit': [
    'Here you will see who changed what, and what was refused. The first change by an operator or a partner makes the first entry.',
    'Hier sehen Sie, wer was geändert hat und was abgelehnt wurde. Die erste Änderung durch einen Operator oder einen Partner ergibt den ersten Eintrag.',
  ],
  'empty.operators': [
    'Here you will see the people who work with the platform, with their roles. Create one below, so that the audit names the person.',
    'Hier sehen Sie die Personen, die mit der Plattform arbeiten, mit ihren Rollen. Legen Sie unten eine an, damit das Protokoll sie beim Namen nennt.',
  ],
  'empty.keys': [
    'Here you will see the keys that sign access tokens. The service makes the first one at its start.',
    'Hier sehen Sie die Schlüssel, mit denen Zugriffstoken signiert werden. Den ersten erzeugt der Dienst bei seinem Start.',
  ],
  'empty.today': [
    'As soon as partners place orders, this page shows what waits for you, each day’s orders and amounts, and whether events arrive. As the next step, create a partner and a client.',
    'Sobald Partner Aufträge erteilen, zeigt diese Seite, was auf Sie wartet, die Aufträge und Beträge jedes Tages und ob Ereignisse ankommen. Der nächste Schritt ist ein Partner mit einem Client.',
  ],
  'empty.live': [
    'Nothing has arrived since you opened this page. A request of a partner to this address appears here as soon as it is answered:',
    'Seit Sie diese Seite geöffnet haben, ist nichts angekommen. Eine Anfrage eines Partners an diese Adresse erscheint hier, sobald sie beantwortet ist:',
  ],
  'empty.clients': [
    'Here you will see the credentials with which the partner’s programs sign in. Create the first client below, and hand over its secret.',
    'Hier sehen Sie die Zugangsdaten, mit denen sich die Programme des Partners anmelden. Legen Sie unten den ersten Client an und übergeben Sie sein Geheimnis.',
  ],
  'empty.endpoints': [
    'Here you will see where the partner gets its events, and how many arrive. Register the first endpoint below, and hand over its signing secret.',
    'Hier sehen Sie, wo der Partner seine Ereignisse erhält und wie viele ankommen. Registrieren Sie unten den ersten Endpunkt und übergeben Sie sein Signaturgeheimnis.',
  ],
  'empty.deliveries': [
    'This event goes to nobody: when it happened, the partner had no endpoint for its type, and no e-mail was due. Events that happen after an endpoint is registered go there.',
    'Dieses Ereignis geht an niemanden: Als es eintrat, hatte der Partner keinen Endpunkt für seine Art, und es war keine E-Mail fällig. Spätere Ereignisse gehen an einen registrierten Endpunkt.',
  ],
  'empty.own_orders': [
    'Here you will see the orders of this person. The partner places them with its client.',
    'Hier sehen Sie die Aufträge dieser Person. Der Partner erteilt sie mit seinem Client.',
  ],
  'empty.holdings': [
    'Here you will see the shares of this person. They appear when an order is settled.',
    'Hier sehen Sie die Anteile dieser Person. Sie erscheinen, sobald ein Auftrag ausgeführt ist.',
  ],
  'empty.projects': [
    'Here you will see the projects of the cooperative. An import of a file adds them.',
    'Hier sehen Sie die Projekte der Genossenschaft. Der Import einer Datei fügt sie hinzu.',
  ],
  setUpPartner: ['Set up a partner', 'Einen Partner einrichten'],
} as const
