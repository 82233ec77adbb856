import t from 'tap'
import { openConsole, consoleOrigin as origin, signIn } from '../../fixtures/world/console.ts'
import { createMarket, placeAccepted } from '../../fixtures/world/market.ts'
import { shortIdLength } from '../../src/domain/ids.ts'
import { deeds, partnerChanges, readingOperations } from '../../src/http/console/audit-texts.ts'
import { apiOperations } from '../../src/http/operation-ids.ts'
import { type Output, operationNames, runOperation } from '../../src/operations/operations.ts'
import { isPrivileged } from '../../src/operations/roles.ts'
import { runAs } from '../../src/operations/run-audited.ts'
import { auditAttempt } from '../../src/usecases/audit/record-audit.ts'

/** The cells of the page, as people read them. */
function sentencesOf(text: string): string[] {
  return [
    ...text.matchAll(/<td data-head="(?:What happened|Was geschehen ist)">(.*?)<details>/gs),
  ].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '').replaceAll('\u00a0', ' '))
}

t.test('the audit says in a sentence who did what', async (t) => {
  const market = await createMarket({}, { settings: { fourEyes: ['settled'] } })
  const { service } = market.world
  const console = await openConsole({}, origin, market)
  const id = await placeAccepted(market)
  const short = `…${id.slice(-shortIdLength)}`
  const as = (name: string, role: 'operator' | 'administrator' | 'viewer') => {
    const operator = { operatorId: name, name, role } as const
    const caller = { operator, via: 'command', requestId: '0'.repeat(32) } as const
    return (operation: string, input: object) => runAs(service, caller, operation, input)
  }
  const [maria, otto, vera] = [
    as('Maria', 'administrator'),
    as('Otto', 'operator'),
    as('Vera', 'viewer'),
  ]
  await maria('purchase.approve', { share_purchase_id: id })
  const { proposal } = (await maria('purchase.settle', { share_purchase_id: id })) as {
    readonly proposal: { readonly at: string }
  }
  await otto('purchase.confirm', { share_purchase_id: id, proposed_at: proposal.at })
  await t.rejects(vera('purchase.reject', { share_purchase_id: id }), { code: 'FORBIDDEN' })
  const cooperative = market.cooperative.key
  await maria('cooperative.set_price', { cooperative, share_price: '260.00' })
  const created = await maria('organization.create', { name: 'Kurz Bank' })
  const { organization_id: organization } = created as { readonly organization_id: string }
  await maria('organization.rename', { organization, name: 'Kürzer <b>Bank</b>' })
  await maria('organization.delete', { organization })
  await maria('operator.create', { name: 'Paul', role: 'viewer' })
  await maria('operator.set_role', { name: 'Paul', role: 'operator' })
  const { cookie } = await signIn(console)
  const read = async (language: string, path = '/audit') =>
    sentencesOf((await console.get(path, { cookie, 'accept-language': language })).text)
  const [{ name: partner } = { name: '' }] = (await runOperation(
    service,
    'organization.list',
    {},
  )) as Output<'organization.list'>
  const { name } = market.cooperative
  const english = await read('en')
  const of = (order: string) => `order ${short} of ${partner}, 5 shares, ${order}`
  const expected = [
    'The local administrator signed in.',
    'Maria changed the role of operator Paul, viewer → operator.',
    'Maria created operator Paul, with the role viewer.',
    'Maria deleted partner Kürzer &lt;b&gt;Bank&lt;/b&gt;.',
    'Maria renamed partner Kürzer &lt;b&gt;Bank&lt;/b&gt;, formerly Kurz Bank.',
    'Maria created partner Kurz Bank.',
    `Maria set the price of cooperative ${name}, €250.00 → €260.00.`,
    `Vera tried to reject order ${short}, 5 shares, €1,250.00. Refused: FORBIDDEN.`,
    `Otto confirmed the decision on ${of('€1,250.00')}, now settled.`,
    `Maria proposed to settle ${of('€1,250.00')}. Another operator must confirm it.`,
    `Maria approved ${of('€1,250.00')}.`,
  ]
  t.strictSame(english.slice(0, expected.length), expected)
  t.match(
    english[expected.length],
    new RegExp(`^.+ \\(${partner}\\) placed order ${short}, 5 shares, €1,250\\.00\\.$`),
  )
  const german = await read('de')
  t.ok(
    german.includes(
      `Maria hat Auftrag ${short} von ${partner} freigegeben, 5 Anteile, 1.250,00 €.`,
    ),
  )
  t.ok(
    german.includes(
      `Vera wollte Auftrag ${short} ablehnen, 5 Anteile, 1.250,00 €. Abgelehnt: FORBIDDEN.`,
    ),
  )
  t.equal((await read('en', `/audit?order=${id}`)).length, 5)
  const ofOrder = await console.get(`/orders/${id}`, { cookie })
  t.ok(sentencesOf(ofOrder.text).includes(`Maria approved ${of('€1,250.00')}.`))
})

t.test('an operation of another version still has a sentence', async (t) => {
  const console = await openConsole()
  const { service } = console.market.world
  const actor = { kind: 'operator', id: 'maria', name: 'Maria', role: 'operator' } as const
  const acting = { actor, via: 'command', operation: 'moon.land', requestId: null } as const
  for (const attempts of ['3', '1'])
    await auditAttempt(service, acting, { subjects: { attempts }, outcome: 'done' })
  const { cookie } = await signIn(console)
  const { text } = await console.get('/audit', { cookie })
  t.ok(sentencesOf(text).includes('Maria ran moon.land, 3 attempts.'))
  t.ok(sentencesOf(text).includes('Maria ran moon.land, 1 attempt.'))
})

t.test('each operation that changes something has a sentence', async (t) => {
  const reading: readonly string[] = readingOperations
  t.strictSame(
    operationNames.filter((name) => !isPrivileged(name)).sort(),
    [...reading].sort(),
    'operations without entries',
  )
  for (const { en, de } of Object.values(deeds)) {
    for (const text of [...en, ...de])
      t.match(text, /^[^[\]{}|]*(\[[^[\]|]+(\|[^[\]{}|]+)?\][^[\]{}|]*)*$/)
  }
  const changes: readonly string[] = partnerChanges
  for (const name of apiOperations) {
    t.equal(changes.includes(name), !/^(read|list|find)/.test(name), name)
  }
})
