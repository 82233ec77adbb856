import t from 'tap'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { storeEngines } from '../../../fixtures/stores/engines.ts'
import { createMarket, type Market, placeAccepted } from '../../../fixtures/world/market.ts'
import type { WorldOptions } from '../../../fixtures/world/world.ts'
import { parseMoney, zeroMoney } from '../../../src/domain/money.ts'
import { addDays, platformDay } from '../../../src/domain/timestamp.ts'
import { eraseInvestor } from '../../../src/usecases/investors/erase-investor.ts'
import { assignEntry } from '../../../src/usecases/payments/assign-entry.ts'
import {
  cancelCollection,
  exportCollection,
  readCollection,
} from '../../../src/usecases/payments/collections.ts'
import { createCollections } from '../../../src/usecases/payments/create-collections.ts'
import { setCreditor } from '../../../src/usecases/payments/creditors.ts'
import { importStatements } from '../../../src/usecases/payments/import-statements.ts'
import {
  readPayment,
  recordTransfer,
  retryReturnedPayment,
} from '../../../src/usecases/payments/payments.ts'
import { reportPayments } from '../../../src/usecases/payments/report.ts'
import { simulateBank } from '../../../src/usecases/payments/simulate-statement.ts'
import { readStatement } from '../../../src/usecases/payments/statements.ts'
import { decideSharePurchase } from '../../../src/usecases/share-purchases/change-status.ts'

const account = 'DE02120300000000202051'
const otherAccount = 'DE02100500000054540402'

/** A cooperative that collects, with two approved orders for 1250.00 that use the same mandate. */
interface Collecting extends Market {
  readonly first: string
  readonly second: string
}

async function createCollecting(options: WorldOptions = {}): Promise<Collecting> {
  const market = await createMarket({}, options)
  await setAccount(market, account)
  const first = await approveOrder(market, 'M-1')
  return { ...market, first, second: await approveOrder(market, 'm-1') }
}

function setAccount({ world, cooperative }: Market, iban: string) {
  const terms = { name: 'Sonnenfirst Allgäu eG', creditorId: 'DE98ZZZ09999999999', iban }
  return setCreditor(world.service, cooperative.key, { ...terms, noticeDays: 14, leadDays: 2 })
}

async function approveOrder(market: Market, reference: string): Promise<string> {
  const sepa_mandate = { signed_at: '2026-01-10T09:30:00+01:00', reference }
  const sharePurchaseId = await placeAccepted(market, { sepa_mandate })
  await decideSharePurchase(market.world.service, { sharePurchaseId, to: 'approved' })
  return sharePurchaseId
}

async function collect({ world }: Market, limit?: number) {
  const { collections } = await createCollections(world.service, { limit })
  const [{ collection } = { collection: undefined }] = collections
  if (!collection) throw new Error('Nothing was collected.')
  await exportCollection(world.service, collection.collectionId)
  const { debits } = await readCollection(world.service, collection.collectionId)
  return {
    id: collection.collectionId,
    messageId: collection.collectionId.replaceAll('-', ''),
    dueDate: collection.dueDate,
    endToEndIds: debits.map(({ debit }) => debit.endToEndId),
  }
}

interface Told {
  readonly amount?: string
  readonly day?: string
  readonly ref?: string
  readonly details?: string
}

function entry(
  sign: 'CRDT' | 'DBIT',
  code: string,
  { amount = '1250.00', day, ref, details }: Told,
) {
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${ref ?? 'NONREF'}</AcctSvcrRef><BkTxCd><Prtry><Cd>${code}</Cd></Prtry></BkTxCd><NtryDtls>${details ?? ''}</NtryDtls></Ntry>`
}

const refs = (text: string) => `<TxDtls><Refs>${text}</Refs></TxDtls>`
const byId = (id: string) => refs(`<EndToEndId>${id}</EndToEndId>`)
const byMandate = refs('<MndtId>M-1</MndtId>')

const booked = (told: Told) => entry('CRDT', 'NDDT+171', told)
const returned = (told: Told) => entry('DBIT', 'NRTI+109++914', told)
const batch = (id: string, told: Told) =>
  entry('CRDT', 'NMSC+192', { ...told, details: `<Btch><PmtInfId>${id}</PmtInfId></Btch>` })

function statement(entries: string, iban = account): string {
  return `<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`
}

const refusal = (id: string) =>
  `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf></TxInfAndSts>`
const refusals = (...ids: string[]) =>
  `<Document><CstmrPmtStsRpt><OrgnlPmtInfAndSts><PmtInfSts>PART</PmtInfSts>${ids.map(refusal).join('')}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`

/** The outcomes of the entries of a file, in their order. */
async function importFile({ world }: Market, text: string) {
  const found: string[] = []
  const entryIds: string[] = []
  const previews = await importStatements(world.service, { name: 'x.xml', text }, { dryRun: true })
  const imported = await importStatements(world.service, { name: 'bank.xml', text })
  for (const [index, { statementId, counts }] of imported.entries()) {
    t.strictSame(previews[index]?.counts, counts, 'the preview has said so')
    const { entries } = await readStatement(world.service, statementId)
    found.push(...entries.map(({ entry: { outcome } }) => outcome ?? ''))
    entryIds.push(...entries.map(({ entry: { entryId } }) => entryId))
  }
  return { outcomes: found, entryIds, statementIds: imported.map((one) => one.statementId) }
}

const outcomesOf = async (market: Market, text: string) => (await importFile(market, text)).outcomes

async function states({ world, first, second }: Collecting) {
  const found = await Promise.all([first, second].map((id) => readPayment(world.service, id)))
  return found.map(({ payment }) => payment.state)
}

async function report({ world }: Market) {
  const [found] = await reportPayments(world.service, {})
  if (!found) throw new Error('There is no report.')
  const { paid, returned: back, charges, recorded, unexplained } = found
  return [paid, back, charges, recorded, unexplained.length]
}

t.test('a booking counts once, as one sum or one by one, in any sequence [D71]', async (t) => {
  for (const isBatchFirst of [true, false]) {
    const market = await createCollecting()
    const { messageId, dueDate: day, endToEndIds } = await collect(market)
    const sum = statement(batch(messageId.toUpperCase(), { day, amount: '2500.00' }))
    const [one = '', two = ''] = endToEndIds
    const each = statement(
      booked({ day, details: byId(one.toUpperCase()) }) +
        booked({ day, details: byId(`${two.slice(0, 9)} ${two.slice(9)}`) }),
    )
    await importFile(market, isBatchFirst ? sum : each)
    t.strictSame(await states(market), ['paid', 'paid'])
    t.strictSame(await report(market), ['2500.00', '0.00', '0.00', '0.00', 0])
    await importFile(market, isBatchFirst ? each : sum)
    t.strictSame(await report(market), ['2500.00', '0.00', '0.00', '0.00', 0])
  }
})

t.test('a collection of which something is booked cannot be cancelled', async (t) => {
  const market = await createCollecting()
  const { id, dueDate: day, endToEndIds } = await collect(market)
  await importFile(market, statement(booked({ day, details: byId(endToEndIds[0] ?? '') })))
  t.strictSame(await states(market), ['paid', 'collecting'])
  await t.rejects(cancelCollection(market.world.service, id, { isExported: true }), {
    message: /has booked this collection/,
  })
})

t.test('the bank books the rest of what it has refused, whatever is imported first', async (t) => {
  for (const isRefusalFirst of [true, false]) {
    const market = await createCollecting()
    const { id, messageId, dueDate: day, endToEndIds } = await collect(market)
    const [one = ''] = endToEndIds
    const sum = statement(batch(messageId, { day }))
    if (!isRefusalFirst) t.strictSame(await outcomesOf(market, sum), ['unmatched'])
    t.strictSame(await outcomesOf(market, refusals(one)), ['returned'])
    if (isRefusalFirst) {
      const { world } = market
      const text = await simulateBank(world.service, {
        collectionId: id,
        returns: [],
        charges: zeroMoney,
      })
      t.match(text, /<Amt Ccy="EUR">1250.00<\/Amt>.*<NbOfTxs>1</s, 'the simulated bank knows it')
      t.strictSame(
        await outcomesOf(market, statement(batch(messageId, { day, amount: '2500.00' }))),
        ['unmatched'],
      )
      t.strictSame(await outcomesOf(market, sum), ['booked'])
    }
    t.strictSame(await states(market), ['returned', 'paid'])
    t.strictSame(await report(market), ['1250.00', '0.00', '0.00', '0.00', isRefusalFirst ? 1 : 0])
    t.strictSame(await outcomesOf(market, sum), ['repeated'])
    t.strictSame(await outcomesOf(market, refusals(one)), ['repeated'])
  }
})

t.test('a refusal of what the bank has booked waits for a person', async (t) => {
  const market = await createCollecting()
  const { messageId, dueDate: day, endToEndIds } = await collect(market)
  await importFile(market, statement(batch(messageId, { day, amount: '2500.00' })))
  t.strictSame(await outcomesOf(market, refusals(endToEndIds[0] ?? '')), ['unmatched'])
  t.strictSame(await states(market), ['paid', 'paid'])
})

t.test('money of a collection that was cancelled waits for a person', async (t) => {
  const market = await createCollecting()
  const { service } = market.world
  const { id, messageId, dueDate: day, endToEndIds } = await collect(market)
  await cancelCollection(service, id, { isExported: true })
  const [one = '', two = ''] = endToEndIds
  const { outcomes, entryIds } = await importFile(
    market,
    statement(
      booked({ day, details: byId(one) }) +
        batch(messageId, { day, amount: '2500.00' }) +
        returned({ day, details: byId(two) }),
    ),
  )
  t.strictSame(outcomes, ['unmatched', 'unmatched', 'unmatched'])
  t.strictSame(await outcomesOf(market, refusals(one)), ['ignored'])
  t.strictSame(await states(market), ['due', 'due'])
  await assignEntry(service, entryIds[0] ?? '', market.first)
  t.match((await readPayment(service, market.first)).payment, {
    state: 'paid',
    paidBy: 'direct_debit',
  })
  t.strictSame(await outcomesOf(market, statement(returned({ day, details: byId(one) }))), [
    'returned',
  ])
  t.strictSame(await states(market), ['returned', 'due'])
})

t.test('a return without its reference never returns another direct debit [D71]', async (t) => {
  const market = await createCollecting()
  const { service, clock } = market.world
  const { messageId, dueDate } = await collect(market, 1)
  const return1 = returned({ day: dueDate, details: byMandate, ref: 'R1' })
  await importFile(market, statement(batch(messageId, { day: dueDate }) + return1))
  t.strictSame(await states(market), ['returned', 'due'])
  await retryReturnedPayment(service, market.first)
  clock.advance(3 * 24 * 3600)
  const second = await collect(market)
  const day = second.dueDate
  await importFile(market, statement(batch(second.messageId, { day, amount: '2500.00' })))
  t.strictSame(await states(market), ['paid', 'paid'])
  for (const [name, ref] of [
    ['the same', 'R1'],
    ['with another reference', 'R2'],
    ['without a reference', 'NONREF'],
  ] as const) {
    const again = statement(returned({ day: dueDate, details: byMandate, ref }))
    t.strictSame(await outcomesOf(market, again), ['repeated'], name)
  }
  t.strictSame(await states(market), ['paid', 'paid'])
  const either = statement(returned({ day, details: byMandate, ref: 'R3' }))
  const { outcomes, entryIds } = await importFile(market, either)
  t.strictSame(outcomes, ['unmatched'], 'two are alike')
  await assignEntry(service, entryIds[0] ?? '', market.second)
  t.strictSame(await outcomesOf(market, either), ['repeated'], 'the same again')
  const unclear = statement(returned({ day, details: byMandate, ref: 'R4' }))
  t.strictSame(await outcomesOf(market, unclear), ['unmatched'], 'it may be the same, or another')
  t.strictSame(await states(market), ['paid', 'returned'])
})

t.test('a reference decides, even if a mandate would fit', async (t) => {
  const market = await createCollecting()
  const other = await placeAccepted(market, {
    share_count: 4,
    sepa_mandate: { signed_at: '2026-01-10T09:30:00+01:00', reference: 'M-1' },
  })
  await decideSharePurchase(market.world.service, { sharePurchaseId: other, to: 'approved' })
  const { dueDate: day, endToEndIds } = await collect(market)
  const details = refs(`<EndToEndId>${endToEndIds[0]}</EndToEndId><MndtId>M-1</MndtId>`)
  const short = statement(returned({ day, amount: '1000.00', details }))
  t.strictSame(await outcomesOf(market, short), ['unmatched'])
})

t.test('nothing is matched across creditors', async (t) => {
  const market = await createCollecting()
  const { messageId, dueDate: day, endToEndIds } = await collect(market)
  const details = byId(endToEndIds[0] ?? '')
  const entries =
    batch(messageId, { day, amount: '2500.00' }) +
    booked({ day, details }) +
    returned({ day, details }) +
    returned({ day, details: byMandate })
  const { outcomes, entryIds } = await importFile(market, statement(entries, otherAccount))
  t.strictSame(new Set(outcomes), new Set(['unmatched']))
  t.strictSame(await states(market), ['collecting', 'collecting'])
  await t.rejects(assignEntry(market.world.service, entryIds[1] ?? '', market.first), {
    code: 'PAYMENT_ILLEGAL_STATE',
    message: /on another account/,
  })
})

t.test('money comes back to the account that the creditor had before', async (t) => {
  const market = await createCollecting()
  const { messageId, dueDate: day } = await collect(market, 1)
  await importFile(market, statement(batch(messageId, { day })))
  await setAccount(market, otherAccount)
  const unknown = returned({ day, amount: '7.00', details: refs('<MndtId>X</MndtId>') })
  t.strictSame(
    await outcomesOf(market, statement(returned({ day, details: byMandate }) + unknown)),
    ['returned', 'unmatched'],
  )
  t.strictSame(await report(market), ['1250.00', '1250.00', '0.00', '0.00', 1])
})

t.test('charges agree with the statement, in the entry or apart', async (t) => {
  const market = await createCollecting()
  const { messageId, dueDate: day, endToEndIds } = await collect(market)
  const [one = '', two = ''] = endToEndIds
  await importFile(market, statement(batch(messageId, { day, amount: '2500.00' })))
  const inside = returned({ day, amount: '1253.00', details: byId(one) })
  const apart =
    returned({ day, details: byId(two) }) +
    entry('DBIT', 'NCHG+808', { day, amount: '4.50', details: byId(two) }) +
    entry('DBIT', 'NCHG+808', { day, amount: '1.20' })
  t.strictSame(await outcomesOf(market, statement(inside + apart)), [
    'returned',
    'returned',
    'ignored',
    'ignored',
  ])
  t.strictSame(await report(market), ['2500.00', '2500.00', '8.70', '0.00', 0])
  const { payment } = await readPayment(market.world.service, market.second)
  t.equal(payment.charges, '4.50')
  const again = apart.replaceAll('NONREF', 'REF')
  t.strictSame((await outcomesOf(market, statement(again))).slice(0, 2), ['repeated', 'repeated'])
})

t.test('a transfer waits for a person, who sees which order it names', async (t) => {
  const market = await createCollecting()
  const { service } = market.world
  const { first, second } = market
  const today = platformDay(service.clock.now())
  const transfer = (id: string) =>
    entry('CRDT', 'NTRF+166', {
      day: today,
      details: `<TxDtls><RmtInf><Ustrd>Anteile Auf</Ustrd><Ustrd>trag ${id.slice(0, 20)}</Ustrd><Ustrd>${id.slice(20)} danke</Ustrd></RmtInf></TxDtls>`,
    })
  const { entryIds, outcomes, statementIds } = await importFile(
    market,
    statement(transfer(first) + transfer(second)),
  )
  t.strictSame(outcomes, ['unmatched', 'unmatched'])
  const { entries } = await readStatement(service, statementIds[0] ?? '')
  t.strictSame(
    entries.map(({ namedOrder }) => namedOrder),
    [first, second],
  )
  const [one = '', two = ''] = entryIds
  await t.test('what was recorded before is explained by the entry, once', async (t) => {
    const paid = { paidOn: addDays(today, -1), reference: null }
    await recordTransfer(service, first, paid)
    t.strictSame(await report(market), ['0.00', '0.00', '0.00', '1250.00', 2])
    await assignEntry(service, one, first)
    t.strictSame(await report(market), ['1250.00', '0.00', '0.00', '0.00', 1])
    const period = { since: today, until: today }
    t.match(
      await reportPayments(service, period),
      exactArrays([{ paid: '1250.00', recorded: '0.00' }]),
    )
    await t.rejects(assignEntry(service, one, first), { message: /is booked, so it cannot/ })
    await t.rejects(assignEntry(service, two, first), { message: /Another entry/ })
  })
  await t.test('money that comes while a direct debit is under way pays nothing', async (t) => {
    const { id } = await collect(market)
    await t.rejects(assignEntry(service, two, second), { message: /would pay twice/ })
    await cancelCollection(service, id, { isExported: true })
    await assignEntry(service, two, second)
    t.match((await readPayment(service, second)).payment, { state: 'paid', paidBy: 'transfer' })
    t.strictSame(await report(market), ['2500.00', '0.00', '0.00', '0.00', 0])
  })
  await t.test('the report holds when the money was paid back', async (t) => {
    const rejected = { to: 'rejected', money: 'refunded', reason: 'x' } as const
    await decideSharePurchase(service, { sharePurchaseId: second, ...rejected })
    t.strictSame(await report(market), ['2500.00', '0.00', '0.00', '0.00', 0])
  })
})

t.test('an order that was rejected takes no money', async (t) => {
  const market = await createCollecting()
  const { service } = market.world
  const { messageId, dueDate: day, endToEndIds } = await collect(market)
  const all = batch(messageId, { day, amount: '2500.00' })
  await importFile(market, statement(all + returned({ day, details: byId(endToEndIds[0] ?? '') })))
  const sharePurchaseId = market.first
  await decideSharePurchase(service, { sharePurchaseId, to: 'rejected', reason: 'x' })
  const how = { paidOn: day, reference: null }
  market.world.clock.advance(40 * 24 * 3600)
  await t.rejects(recordTransfer(service, sharePurchaseId, how), { message: /is rejected, so pay/ })
})

t.test('a person assigns a return with charges, and charges, once', async (t) => {
  const market = await createCollecting()
  const { service } = market.world
  const { messageId, dueDate: day } = await collect(market)
  const { entryIds } = await importFile(
    market,
    statement(
      batch(messageId, { day, amount: '2500.00' }) +
        returned({ day, amount: '1253.00' }) +
        entry('DBIT', 'NCHG+808', { day, amount: '4.50' }) +
        returned({ day, amount: '1999.00' }),
    ),
  )
  const [, back = '', charges = '', wrong = ''] = entryIds
  const assigned = await assignEntry(service, back, market.first)
  t.match(assigned.entry, { outcome: 'returned', amount: '1250.00', charges: '3.00' })
  await assignEntry(service, charges, market.first)
  await t.rejects(assignEntry(service, charges, market.first), { message: /cannot be assigned/ })
  t.match((await readPayment(service, market.first)).payment, {
    state: 'returned',
    charges: parseMoney('7.50'),
  })
  t.strictSame(await report(market), ['2500.00', '1250.00', '7.50', '0.00', 1])
  await t.rejects(assignEntry(service, wrong, market.second), { message: /has 1999.00 EUR/ })
})

t.test('two persons who assign one entry at once pay one order', async (t) => {
  for (const engine of storeEngines) {
    await t.test(engine.name, async (t) => {
      const market = await createCollecting({ store: (await engine.open(t)).store })
      const { service } = market.world
      const { entryIds } = await importFile(
        market,
        statement(
          entry('CRDT', 'NTRF+166', {
            day: '2026-12-01',
            details: `<TxDtls><RmtInf><Ustrd>${market.first}</Ustrd></RmtInf></TxDtls>`,
          }),
        ),
      )
      const [id = ''] = entryIds
      const done = await Promise.allSettled([
        assignEntry(service, id, market.first),
        assignEntry(service, id, market.second),
      ])
      t.strictSame(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      t.strictSame((await states(market)).sort(), ['due', 'paid'])
    })
  }
})

t.test('two imports of one file at once count each entry once', async (t) => {
  for (const engine of storeEngines) {
    await t.test(engine.name, async (t) => {
      const market = await createCollecting({ store: (await engine.open(t)).store })
      const { messageId, dueDate: day, endToEndIds } = await collect(market)
      const details = byId(endToEndIds[0] ?? '')
      const text = statement(
        batch(messageId, { day, amount: '2500.00' }) +
          returned({ day, amount: '1253.00', details }) +
          entry('DBIT', 'NCHG+808', { day, amount: '4.50', details }),
      )
      const file = { name: 'bank.xml', text }
      await Promise.all([1, 2, 3].map(() => importStatements(market.world.service, file)))
      t.strictSame(await states(market), ['returned', 'paid'])
      t.strictSame(await report(market), ['2500.00', '1250.00', '7.50', '0.00', 0])
      const { payment } = await readPayment(market.world.service, market.first)
      t.equal(payment.charges, '7.50')
    })
  }
})

t.test('a whole file that is refused returns everything, with the reasons of each', async (t) => {
  const market = await createCollecting()
  const { messageId, endToEndIds } = await collect(market)
  const whole = `<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>FF01</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts>`
  const text = refusals(endToEndIds[0] ?? '').replace('<OrgnlPmt', `${whole}<OrgnlPmt`)
  t.strictSame(await outcomesOf(market, text), ['returned', 'returned'])
  const found = await Promise.all(
    [market.first, market.second].map((id) => readPayment(market.world.service, id)),
  )
  t.match(
    found.map(({ payment }) => payment),
    exactArrays([
      { state: 'returned', returnCode: 'AC01' },
      { state: 'returned', returnCode: 'FF01' },
    ]),
  )
  t.strictSame(await report(market), ['0.00', '0.00', '0.00', '0.00', 0])
})

t.test(
  'a refused file is named, and what systems add around a document is no part of it',
  async (t) => {
    const market = await createCollecting()
    const text = statement('<Ntry></Ntry>')
    await t.rejects(importFile(market, text), {
      code: 'STATEMENT_REFUSED',
      message:
        /^x\.xml: The entry names no amount \(line 1\)\. Nothing in this file was imported\.$/,
    })
    const surrounded = `\ufeff\r\n<?xml version="1.0"?>${statement('')}\r\n\0\u001a`
    t.strictSame(await outcomesOf(market, surrounded), [])
    t.strictSame(await outcomesOf(market, statement('').replace('<Acct>', '<!-- a --><Acct>')), [])
  },
)

t.test('a person who is erased disappears from what banks have said', async (t) => {
  for (const engine of storeEngines) {
    await t.test(engine.name, async (t) => {
      const market = await createCollecting({ store: (await engine.open(t)).store })
      const { service } = market.world
      const { messageId, dueDate: day, endToEndIds } = await collect(market)
      const parties = '<RltdPties><Dbtr><Pty><Nm>Frieda Sonnenschein</Nm></Pty></Dbtr></RltdPties>'
      const name = (details: string) => details.replace('</Refs>', `</Refs>${parties}`)
      const returns = endToEndIds.map((id) => returned({ day, details: name(byId(id)) }))
      const sum = batch(messageId, { day, amount: '2500.00' }).replace(
        '</Btch>',
        `</Btch>${name(byId('E'))}`,
      )
      const { statementIds } = await importFile(market, statement(`${sum}${returns[0]}`))
      for (const sharePurchaseId of [market.first, market.second]) {
        const rejected = { to: 'rejected', money: 'refunded', reason: 'x' } as const
        await decideSharePurchase(service, { sharePurchaseId, ...rejected })
      }
      await eraseInvestor(service, { investorId: market.investorId })
      const later = await importFile(market, statement(`${returns[1]}`))
      t.strictSame(later.outcomes, ['returned'])
      for (const id of [...statementIds, ...later.statementIds]) {
        const { entries } = await readStatement(service, id)
        t.strictSame(new Set(entries.map(({ counterparty }) => counterparty)), new Set([null]))
      }
    })
  }
})

t.test('an export, a cancellation and a booking at once leave one truth', async (t) => {
  for (const engine of storeEngines) {
    await t.test(engine.name, async (t) => {
      const market = await createCollecting({ store: (await engine.open(t)).store })
      const { service } = market.world
      const { id, messageId, dueDate: day } = await collect(market)
      const text = statement(batch(messageId, { day, amount: '2500.00' }))
      const [, cancelled] = await Promise.allSettled([
        importStatements(service, { name: 'bank.xml', text }),
        cancelCollection(service, id, { isExported: true }),
        exportCollection(service, id),
        cancelCollection(service, id, { isExported: true }),
      ])
      const { collection } = await readCollection(service, id)
      const isCancelled = cancelled.status === 'fulfilled'
      t.equal(collection.state, isCancelled ? 'cancelled' : 'booked')
      const state = isCancelled ? 'due' : 'paid'
      t.strictSame(await states(market), [state, state])
      const paid = isCancelled ? '0.00' : '2500.00'
      t.strictSame(await report(market), [paid, '0.00', '0.00', '0.00', isCancelled ? 1 : 0])
    })
  }
})

t.test('two operators who collect at once put each payment into one collection', async (t) => {
  for (const engine of storeEngines) {
    await t.test(engine.name, async (t) => {
      const market = await createCollecting({ store: (await engine.open(t)).store })
      const { service } = market.world
      // Another instance has its own process, so it does not wait for this one.
      const other = { ...service, storeAdmin: { ...service.storeAdmin } }
      await Promise.all([createCollections(service, {}), createCollections(other, {})])
      await Promise.all([createCollections(service, {}), createCollections(other, {})])
      const listed = await service.store.read(({ debitCollections }) => debitCollections.list({}))
      const debits = await Promise.all(
        listed.map(({ collectionId }) => readCollection(service, collectionId)),
      )
      const orders = debits.flatMap((one) => one.debits.map(({ debit }) => debit.sharePurchaseId))
      t.strictSame(orders.sort(), [market.first, market.second].sort())
      t.ok(listed.every((one) => one.isComplete))
      t.equal(
        listed.reduce((count, one) => count + one.count, 0),
        2,
      )
    })
  }
})

t.test('a bank that books before the due date is understood', async (t) => {
  const market = await createCollecting()
  const { messageId } = await collect(market, 1)
  const [day, later] = ['2026-01-02', '2026-01-03']
  const entries =
    batch(messageId, { day }) + returned({ day: later, amount: '1250.00', details: byMandate })
  t.strictSame(await outcomesOf(market, statement(entries)), ['booked', 'returned'])
  t.strictSame(await states(market), ['returned', 'due'])
})

t.test('an entry in another currency pays nothing', async (t) => {
  const market = await createCollecting()
  const { messageId, dueDate: day, endToEndIds } = await collect(market)
  const entries =
    batch(messageId, { day, amount: '2500.00' }) +
    booked({ day, details: byId(endToEndIds[0] ?? '') }) +
    batch('0194c1d28b1e70008000000000000000', { day, amount: '2500.00' })
  const francs = statement(entries).replaceAll('Ccy="EUR"', 'Ccy="CHF"')
  t.strictSame(await outcomesOf(market, francs), ['unmatched', 'unmatched', 'ignored'])
  t.strictSame(await states(market), ['collecting', 'collecting'])
})
