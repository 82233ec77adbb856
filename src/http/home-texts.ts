/** The texts of the first page: English, German. */
export const homeTexts = {
  title: ['Partner API for cooperative shares', 'Partner-API für Genossenschaftsanteile'],
  intro: [
    'Banks and apps offer their customers shares of energy cooperatives with this API: they read the catalogue, register investors and place orders.',
    'Mit dieser API bieten Banken und Apps ihren Kunden Anteile an Energiegenossenschaften an: Sie lesen den Katalog, registrieren Anleger und erteilen Aufträge.',
  ],
  staging: [
    'This is staging: nothing here is a real order.',
    'Dies ist die Testumgebung (staging): Nichts hier ist ein echter Auftrag.',
  ],
  production: ['This is production.', 'Dies ist die Produktion (production).'],
  address: ['Address', 'Adresse'],
  read: ['Read', 'Lesen'],
  reference: ['Reference of the API', 'Referenz der API (englisch)'],
  referenceHint: ['with code samples', 'mit Codebeispielen'],
  guide: ['Guide for partners', 'Leitfaden für Partner (englisch)'],
  guideHint: [
    'from your first order to receivers of webhooks',
    'vom ersten Auftrag bis zum Webhook-Empfänger',
  ],
  document: ['OpenAPI document', 'OpenAPI-Dokument'],
  collection: ['Postman collection', 'Postman-Sammlung'],
  collectionHint: [
    'gets its own token; import it into Postman or Bruno',
    'holt sich selbst einen Token; importieren Sie sie in Postman oder Bruno',
  ],
  errors: ['Error pages', 'Fehlerseiten (englisch)'],
  errorsHint: [
    'what each code means and what to do about it',
    'was jeder Code bedeutet und was zu tun ist',
  ],
  versions: ['Versions and their changes', 'Versionen und ihre Änderungen'],
  vectors: [
    'Signatures to test a receiver of webhooks',
    'Signaturen, um einen Webhook-Empfänger zu prüfen',
  ],
  sandbox: ['Sandbox', 'Sandbox'],
  sandboxHint: ['decide your own orders in tests', 'eigene Aufträge in Tests entscheiden'],
  health: ['Health', 'Zustand'],
  begin: ['First steps', 'Erste Schritte'],
  token: [
    'Get a token with the credentials of your client.',
    'Holen Sie einen Token mit den Zugangsdaten Ihres Clients.',
  ],
  catalogue: ['Read the catalogue with it.', 'Lesen Sie damit den Katalog.'],
  investor: ['Register an investor.', 'Registrieren Sie einen Anleger.'],
  order: ['Place an order.', 'Erteilen Sie einen Auftrag.'],
  demo: ['Demo data', 'Demodaten'],
  demoHint: [
    'Everybody knows these credentials, so they exist in demos only.',
    'Diese Zugangsdaten kennt jeder. Deshalb gibt es sie nur in Demos.',
  ],
  console: ['Console for operators', 'Konsole für Operatoren'],
  consoleHint: ['signs you in', 'meldet Sie an'],
} as const satisfies Readonly<Record<string, readonly [en: string, de: string]>>
