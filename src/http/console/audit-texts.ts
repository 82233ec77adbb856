// What operations do, in sentences.
import type { OwnAction } from '../../domain/audit/audit-entry.ts'
import type { OperationName } from '../../operations/operations.ts'
import type { SandboxCallName } from '../../wire/sandbox-calls.ts'

/**
 * The parts of a sentence. A part in brackets is left out, or is what follows the bar, if the entry lacks a record that it
 * names in braces.
 */
export interface Deed {
  readonly en: readonly [past: string, infinitive: string, object: string]
  readonly de: readonly [object: string, participle: string, infinitive: string]
}

type Verbs = readonly [past: string, infinitive: string, participle: string, german: string]

function about(english: string, german: string) {
  return (...[past, infinitive, participle, verb]: Verbs): Deed => ({
    en: [past, infinitive, english],
    de: [german, participle, verb],
  })
}

const order = about(
  '[order {order}|an order][ of {partner}]',
  '[Auftrag {order}|einen Auftrag][ von {partner}]',
)
const partner = about('[partner {partner}|a partner]', '[Partner {partner}|einen Partner]')
const client = about(
  '[client {client}|a client][ of {partner}]',
  '[Client {client}|einen Client][ von {partner}]',
)
const endpoint = about(
  '[endpoint {endpoint}|an endpoint][ of {partner}]',
  '[Endpunkt {endpoint}|einen Endpunkt][ von {partner}]',
)
const cooperative = about(
  '[cooperative {cooperative}|a cooperative]',
  '[Genossenschaft {cooperative}|eine Genossenschaft]',
)
const operator = about('[operator {operator}|an operator]', '[Operator {operator}|einen Operator]')
const investor = about(
  '[investor {investor}|an investor][ of {partner}]',
  '[Anleger {investor}|einen Anleger][ von {partner}]',
)
const key = about(
  '[signing key {key}|a signing key]',
  '[Signaturschlüssel {key}|einen Signaturschlüssel]',
)
const event = about('[event {event}|events]', '[Ereignis {event}|Ereignisse]')

/** Operations that only read. They have no entries, not even refusals. */
export const readingOperations = [
  'audit.list',
  'audit.verify',
  'client.list',
  'client.show',
  'cooperative.export',
  'cooperative.list',
  'cooperative.price_history',
  'cooperative.show',
  'collection.list',
  'collection.show',
  'payment.list',
  'payment.report',
  'payment.show',
  'statement.list',
  'event.count',
  'event.follow',
  'event.follow_from_now',
  'event.list',
  'event.show',
  'find',
  'investor.list',
  'investor.show',
  'key.list',
  'operator.list',
  'organization.list',
  'organization.show',
  'purchase.list',
  'purchase.preview',
  'purchase.show',
  'webhook.list',
] as const satisfies readonly OperationName[]

/** Operations of the partner API that change something, by their ids in the contract. */
export const partnerChanges = [
  'cancelSharePurchase',
  'placeSharePurchase',
  'provisionInvestor',
  'replaceProfile',
] as const

type Audited =
  | Exclude<OperationName, (typeof readingOperations)[number]>
  | (typeof partnerChanges)[number]
  | Exclude<SandboxCallName, 'listOwnEvents' | 'readOwnEvent'>
  | OwnAction

/** Everything that an entry can be about. */
export const deeds: Readonly<Record<Audited, Deed>> = {
  'purchase.approve': order('approved', 'approve', 'freigegeben', 'freigeben'),
  'purchase.settle': order('settled', 'settle', 'ausgeführt', 'ausführen'),
  'purchase.cancel': order('cancelled', 'cancel', 'storniert', 'stornieren'),
  'purchase.reject': order('rejected', 'reject', 'abgelehnt', 'ablehnen'),
  'purchase.confirm': {
    en: [
      'confirmed the decision',
      'confirm the decision',
      '[on order {order}|on an order][ of {partner}]',
    ],
    de: [
      'die Entscheidung [über Auftrag {order}|über einen Auftrag][ von {partner}]',
      'bestätigt',
      'bestätigen',
    ],
  },
  placeSharePurchase: order('placed', 'place', 'erteilt', 'erteilen'),
  cancelSharePurchase: order('cancelled', 'cancel', 'storniert', 'stornieren'),
  approveOwnSharePurchase: order('approved', 'approve', 'freigegeben', 'freigeben'),
  settleOwnSharePurchase: order('settled', 'settle', 'ausgeführt', 'ausführen'),
  rejectOwnSharePurchase: order('rejected', 'reject', 'abgelehnt', 'ablehnen'),
  returnOwnDirectDebit: {
    en: [
      'returned the direct debit',
      'return the direct debit',
      '[of order {order}|of an order][ of {partner}]',
    ],
    de: [
      'die Lastschrift [zu Auftrag {order}|zu einem Auftrag][ von {partner}]',
      'zurückgegeben',
      'zurückgeben',
    ],
  },
  fate: {
    en: [
      'did the next step',
      'do the next step',
      '[with order {order}|with an order][ of {partner}]',
    ],
    de: [
      'den nächsten Schritt [mit Auftrag {order}|mit einem Auftrag][ von {partner}]',
      'getan',
      'tun',
    ],
  },

  'payment.record': {
    en: [
      'recorded a transfer',
      'record a transfer',
      '[for order {order}|for an order][ of {partner}]',
    ],
    de: [
      'eine Überweisung [für Auftrag {order}|für einen Auftrag][ von {partner}]',
      'erfasst',
      'erfassen',
    ],
  },
  'payment.retry': {
    en: [
      'made the payment due again',
      'make the payment due again',
      '[of order {order}|of an order][ of {partner}]',
    ],
    de: [
      'die Zahlung [zu Auftrag {order}|zu einem Auftrag][ von {partner}]',
      'wieder fällig gestellt',
      'wieder fällig stellen',
    ],
  },
  'collection.create': {
    en: ['created a collection', 'create a collection', ''],
    de: ['einen Einzug', 'angelegt', 'anlegen'],
  },
  'collection.confirm': {
    en: ['confirmed a collection', 'confirm a collection', ''],
    de: ['einen Einzug', 'bestätigt', 'bestätigen'],
  },
  'collection.export': {
    en: ['exported a collection', 'export a collection', ''],
    de: ['einen Einzug', 'exportiert', 'exportieren'],
  },
  'collection.cancel': {
    en: ['cancelled a collection', 'cancel a collection', ''],
    de: ['einen Einzug', 'storniert', 'stornieren'],
  },
  'statement.import': {
    en: ['imported a statement', 'import a statement', ''],
    de: ['einen Kontoauszug', 'eingelesen', 'einlesen'],
  },
  'statement.assign': {
    en: [
      'assigned an entry of a statement',
      'assign an entry of a statement',
      '[to order {order}|to an order][ of {partner}]',
    ],
    de: ['eine Buchung [Auftrag {order}|einem Auftrag][ von {partner}]', 'zugeordnet', 'zuordnen'],
  },
  'statement.show': {
    en: ['looked at entries of statements', 'look at entries of statements', ''],
    de: ['Umsätze von Kontoauszügen', 'angesehen', 'ansehen'],
  },
  'statement.simulate': {
    en: ['simulated a statement', 'simulate a statement', ''],
    de: ['einen Kontoauszug', 'simuliert', 'simulieren'],
  },

  provisionInvestor: investor('registered', 'register', 'angelegt', 'anlegen'),
  replaceProfile: {
    en: [
      'replaced the profile',
      'replace the profile',
      '[of investor {investor}|of an investor][ of {partner}]',
    ],
    de: [
      'das Profil [von Anleger {investor}|eines Anlegers][ von {partner}]',
      'ersetzt',
      'ersetzen',
    ],
  },
  'investor.export': {
    en: [
      'made a copy of the data',
      'make a copy of the data',
      '[of investor {investor}|of an investor][ of {partner}]',
    ],
    de: [
      'eine Kopie der Daten [von Anleger {investor}|eines Anlegers][ von {partner}]',
      'erstellt',
      'erstellen',
    ],
  },
  'investor.erase': investor('erased', 'erase', 'gelöscht', 'löschen'),

  'organization.create': partner('created', 'create', 'angelegt', 'anlegen'),
  'organization.update': {
    en: ['changed the settings', 'change the settings', '[of partner {partner}|of a partner]'],
    de: ['die Einstellungen [von Partner {partner}|eines Partners]', 'geändert', 'ändern'],
  },
  'organization.rename': partner('renamed', 'rename', 'umbenannt', 'umbenennen'),
  'organization.disable': partner('disabled', 'disable', 'gesperrt', 'sperren'),
  'organization.enable': partner('enabled', 'enable', 'freigegeben', 'freigeben'),
  'organization.delete': partner('deleted', 'delete', 'gelöscht', 'löschen'),

  'client.create': client('created', 'create', 'angelegt', 'anlegen'),
  'client.set_scopes': {
    en: [
      'changed the scopes',
      'change the scopes',
      '[of client {client}|of a client][ of {partner}]',
    ],
    de: ['die Rechte [von Client {client}|eines Clients][ von {partner}]', 'geändert', 'ändern'],
  },
  'client.rotate_secret': {
    en: [
      'rotated the secret',
      'rotate the secret',
      '[of client {client}|of a client][ of {partner}]',
    ],
    de: [
      'das Geheimnis [von Client {client}|eines Clients][ von {partner}]',
      'gewechselt',
      'wechseln',
    ],
  },
  'client.revoke_secret': {
    en: ['revoked a secret', 'revoke a secret', '[of client {client}|of a client][ of {partner}]'],
    de: [
      'ein Geheimnis [von Client {client}|eines Clients][ von {partner}]',
      'widerrufen',
      'widerrufen',
    ],
  },
  'client.disable': client('disabled', 'disable', 'gesperrt', 'sperren'),
  'client.enable': client('enabled', 'enable', 'freigegeben', 'freigeben'),
  'token.issue': {
    en: ['issued a token', 'issue a token', '[for client {client}|for a client][ of {partner}]'],
    de: [
      'einen Token [für Client {client}|für einen Client][ von {partner}]',
      'ausgestellt',
      'ausstellen',
    ],
  },
  'tokens.expire': {
    en: ['made all access tokens expire', 'make all access tokens expire', ''],
    de: ['alle Zugriffstoken', 'ungültig gemacht', 'ungültig machen'],
  },
  expireOwnTokens: {
    en: ['made its access tokens expire', 'make its access tokens expire', ''],
    de: ['die eigenen Zugriffstoken', 'ungültig gemacht', 'ungültig machen'],
  },

  'webhook.register': endpoint('registered', 'register', 'registriert', 'registrieren'),
  'webhook.rotate_secret': {
    en: [
      'rotated the signing secret',
      'rotate the signing secret',
      '[of endpoint {endpoint}|of an endpoint][ of {partner}]',
    ],
    de: [
      'das Signaturgeheimnis [von Endpunkt {endpoint}|eines Endpunkts][ von {partner}]',
      'gewechselt',
      'wechseln',
    ],
  },
  'webhook.pause': endpoint('paused', 'pause', 'angehalten', 'anhalten'),
  'webhook.resume': endpoint('resumed', 'resume', 'fortgesetzt', 'fortsetzen'),
  'webhook.remove': endpoint('removed', 'remove', 'entfernt', 'entfernen'),
  'webhook.test': {
    en: [
      'sent a test event',
      'send a test event',
      '[to endpoint {endpoint}|to an endpoint][ of {partner}]',
    ],
    de: [
      'ein Testereignis [an Endpunkt {endpoint}|an einen Endpunkt][ von {partner}]',
      'gesendet',
      'senden',
    ],
  },
  'webhook.doctor': endpoint('checked', 'check', 'geprüft', 'prüfen'),

  'event.send_now': {
    en: [
      'had the next attempt made now',
      'have the next attempt made now',
      '[for event {event}|for events]',
    ],
    de: [
      'den nächsten Versuch [für Ereignis {event}|für Ereignisse]',
      'sofort ausführen lassen',
      'sofort ausführen lassen',
    ],
  },
  'event.replay': event('replayed', 'replay', 'erneut zugestellt', 'erneut zustellen'),
  replayOwnEvent: event('replayed', 'replay', 'erneut zugestellt', 'erneut zustellen'),
  'event.purge': {
    en: ['removed old events', 'remove old events', '[of {partner}]'],
    de: ['alte Ereignisse[ von {partner}]', 'entfernt', 'entfernen'],
  },

  'cooperative.create': cooperative('created', 'create', 'angelegt', 'anlegen'),
  'cooperative.update': cooperative('changed', 'change', 'geändert', 'ändern'),
  'cooperative.publish': cooperative('published', 'publish', 'veröffentlicht', 'veröffentlichen'),
  'cooperative.unpublish': cooperative('hid', 'hide', 'verborgen', 'verbergen'),
  'cooperative.set_creditor': {
    en: ['set the creditor', 'set the creditor', '[of cooperative {cooperative}|of a cooperative]'],
    de: [
      'den Gläubiger [von Genossenschaft {cooperative}|einer Genossenschaft]',
      'festgelegt',
      'festlegen',
    ],
  },
  'cooperative.set_price': {
    en: ['set the price', 'set the price', '[of cooperative {cooperative}|of a cooperative]'],
    de: [
      'den Preis [von Genossenschaft {cooperative}|einer Genossenschaft]',
      'festgesetzt',
      'festsetzen',
    ],
  },
  'cooperative.import': {
    en: ['imported', 'import', '[cooperative {cooperative}|cooperatives]'],
    de: ['[Genossenschaft {cooperative}|Genossenschaften]', 'importiert', 'importieren'],
  },

  'operator.create': operator('created', 'create', 'angelegt', 'anlegen'),
  'operator.rotate_token': {
    en: ['rotated the token', 'rotate the token', '[of operator {operator}|of an operator]'],
    de: ['den Token [von Operator {operator}|eines Operators]', 'gewechselt', 'wechseln'],
  },
  'operator.set_role': {
    en: ['changed the role', 'change the role', '[of operator {operator}|of an operator]'],
    de: ['die Rolle [von Operator {operator}|eines Operators]', 'geändert', 'ändern'],
  },
  'operator.disable': operator('disabled', 'disable', 'gesperrt', 'sperren'),
  'operator.enable': operator('enabled', 'enable', 'freigegeben', 'freigeben'),
  sign_in: { en: ['signed in', 'sign in', ''], de: ['sich', 'angemeldet', 'anmelden'] },
  sign_out: { en: ['signed out', 'sign out', ''], de: ['sich', 'abgemeldet', 'abmelden'] },

  'console.create_link': {
    en: ['made a link that signs in', 'make a link that signs in', ''],
    de: ['einen Link zum Anmelden', 'erstellt', 'erstellen'],
  },

  'key.rotate': {
    en: ['rotated the signing key', 'rotate the signing key', ''],
    de: ['den Signaturschlüssel', 'gewechselt', 'wechseln'],
  },
  'key.revoke': key('revoked', 'revoke', 'widerrufen', 'widerrufen'),

  'fixtures.apply': {
    en: ['imported', 'import', '[order {order}|a file][ of {partner}]'],
    de: ['[Auftrag {order}|eine Datei][ von {partner}]', 'importiert', 'importieren'],
  },
  'fixtures.export': {
    en: ['exported the store', 'export the store', ''],
    de: ['den Inhalt des Speichers', 'exportiert', 'exportieren'],
  },
  'audit.export': {
    en: ['exported the audit', 'export the audit', ''],
    de: ['das Protokoll', 'exportiert', 'exportieren'],
  },
  'store.check': {
    en: ['checked the store', 'check the store', ''],
    de: ['den Speicher', 'geprüft', 'prüfen'],
  },
  'store.compact': {
    en: ['compacted the store', 'compact the store', ''],
    de: ['den Speicher', 'komprimiert', 'komprimieren'],
  },
  'store.rekey': {
    en: ['replaced the encryption key', 'replace the encryption key', ''],
    de: ['den Schlüssel des Speichers', 'ersetzt', 'ersetzen'],
  },
  'store.backup': {
    en: ['made a backup', 'make a backup', ''],
    de: ['eine Sicherung', 'erstellt', 'erstellen'],
  },
  'store.copy': {
    en: ['copied the store', 'copy the store', ''],
    de: ['den Speicher', 'kopiert', 'kopieren'],
  },
  'store.reopen': {
    en: ['brought the store back into use', 'bring the store back into use', ''],
    de: ['den Speicher', 'wieder in Betrieb genommen', 'wieder in Betrieb nehmen'],
  },
  'store.restore': {
    en: ['restored the store from a backup', 'restore the store from a backup', ''],
    de: ['den Speicher aus einer Sicherung', 'wiederhergestellt', 'wiederherstellen'],
  },
  'store.salvage': {
    en: ['salvaged the store', 'salvage the store', ''],
    de: ['den Speicher', 'gerettet', 'retten'],
  },
  bench: {
    en: ['changed the bench', 'change the bench', ''],
    de: ['die Testumgebung', 'geändert', 'ändern'],
  },
  start: {
    en: ['changed records at its start', 'change records at its start', ''],
    de: ['beim Start Datensätze', 'geändert', 'ändern'],
  },
}

/** An operation of another version: its name stands for what was done. */
export function unknownDeed(operation: string): Deed {
  return {
    en: [`ran ${operation}`, `run ${operation}`, '[about order {order}][ of {partner}]'],
    de: [`${operation}[ zu Auftrag {order}][ von {partner}]`, 'aufgerufen', 'aufrufen'],
  }
}

/** The sentences of the outcomes: English, German. */
export const sentences = {
  done: ['{who} {past}{object}{tail}.', '{who} hat {object} {participle}{tail}.'],
  proposed: [
    '{who} proposed to {infinitive}{object}{tail}. Another operator must confirm it.',
    '{who} möchte {object} {infinitive}{tail}. Jemand anderes muss es bestätigen.',
  ],
  refused: [
    '{who} tried to {infinitive}{object}{tail}. Refused: {code}.',
    '{who} wollte {object} {infinitive}{tail}. Abgelehnt: {code}.',
  ],
} as const

/** Texts of the page of the audit: English, German. */
export const auditTexts = {
  localAdministrator: ['The local administrator', 'Der lokale Administrator'],
  somebody: ['Somebody', 'Jemand'],
  oneShare: ['1 share', '1 Anteil'],
  manyShares: ['{count} shares', '{count} Anteile'],
  nowStatus: ['now {status}', 'jetzt {status}'],
  formerly: ['formerly {name}', 'früher {name}'],
  fromTo: ['{before} → {after}', '{before} → {after}'],
  oneAttempt: ['1 attempt', '1 Versuch'],
  attemptsOf: ['{count} attempts', '{count} Versuche'],
  atAddress: ['from {address}', 'von {address}'],
  withRole: ['with the role {role}', 'mit der Rolle {role}'],
  recordsOf: ['{kind}: {count}', '{kind}: {count}'],
  what: ['What happened', 'Was geschehen ist'],
  entryDetails: ['Details', 'Einzelheiten'],
  way: ['Way', 'Weg'],
  'via.command': ['command', 'Befehl'],
  'via.console': ['console', 'Konsole'],
  'via.api': ['API', 'API'],
  'via.service': ['the service itself', 'der Dienst selbst'],
} as const
