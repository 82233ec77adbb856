import { readFile, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import CollectionCancel from '../../commands/collection/cancel.ts'
import CollectionConfirm from '../../commands/collection/confirm.ts'
import CollectionCreate from '../../commands/collection/create.ts'
import CollectionExport from '../../commands/collection/export.ts'
import CollectionList from '../../commands/collection/list.ts'
import CollectionShow from '../../commands/collection/show.ts'
import CooperativeSetCreditor from '../../commands/cooperative/set-creditor.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import Find from '../../commands/find.ts'
import FixturesApply from '../../commands/fixtures/apply.ts'
import InvestorErase from '../../commands/investor/erase.ts'
import InvestorExport from '../../commands/investor/export.ts'
import PaymentList from '../../commands/payment/list.ts'
import PaymentRecord from '../../commands/payment/record.ts'
import PaymentReport from '../../commands/payment/report.ts'
import PaymentRetry from '../../commands/payment/retry.ts'
import PaymentShow from '../../commands/payment/show.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseReject from '../../commands/purchase/reject.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import StatementAssign from '../../commands/statement/assign.ts'
import StatementImport from '../../commands/statement/import.ts'
import StatementList from '../../commands/statement/list.ts'
import StatementShow from '../../commands/statement/show.ts'
import StatementSimulate from '../../commands/statement/simulate.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreRekey from '../../commands/store/rekey.ts'
import { statementOfCredit } from '../../fixtures/builders/statement-files.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  type CommandContext,
  noSeed,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'

const ids = Array.from({ length: 6 }, (_, n) => `0194c1d2-8b1e-7000-8000-00000000000${n}`)

/** Six approved orders for 510.00, of three persons. */
const setUp = JSON.stringify({
  cooperatives: [
    {
      key: 'solar',
      name: 'Solar eG',
      energy_category: 'solar',
      share_price: '250.00',
      entry_fee: '10.00',
    },
    { key: 'wind', name: 'Wind eG', energy_category: 'wind', share_price: '100.00' },
  ],
  organizations: [
    {
      name: 'Demo Bank',
      investors: ids.map((id, n) => ({
        partner_customer_ref: `c-${n}`,
        email: `c${n}@example.org`,
        profile: {
          first_name: 'Jörg',
          last_name: `Müller ${n}`,
          birth_date: '1984-06-17',
          phone: '+49 831 5550101',
          tax_id: '12345678911',
          address: { street: 'Am Hof', house_number: '1', postal_code: '87435', city: 'Kempten' },
          bank_account: { iban: 'DE89370400440532013000' },
          consents: {
            terms: { given: true, given_at: '2026-03-02T09:15:00+01:00' },
            privacy: { given: true, given_at: '2026-03-02T09:15:00+01:00' },
            data_sharing: { given: true, given_at: '2026-03-02T09:15:00+01:00' },
          },
        },
        share_purchases: [
          { cooperative: 'solar', share_count: 2, status: 'approved', share_purchase_id: id },
        ],
      })),
    },
  ],
})

const creditor = [
  ...['--name', 'Solar eG', '--creditor-id', 'DE98ZZZ09999999999'],
  ...['--iban', 'DE02 1203 0000 0000 2020 51'],
]

const noDamage = exactArrays({ damaged_values: [] })

withAndWithoutService(t, {
  files: { 'set-up.json': setUp, 'bank.xml': '', 'good.xml': '' },
  seed: noSeed,
  test,
})

async function test(t: Test, { run, file }: CommandContext<unknown>): Promise<void> {
  const [one = '', two = '', three = '', four = '', five = '', six = ''] = ids
  await run(FixturesApply, file('set-up.json'))

  await t.test('without a creditor, an order has no payment', async (t) => {
    t.match((await run(PurchaseShow, one, '--json')).json, { payment: null, payment_state: null })
    t.match((await run(PaymentShow, one, '--json')).json, { error: { code: 'PAYMENT_NOT_FOUND' } })
    t.match((await run(CollectionCreate, '--cooperative', 'solar')).stderr, /has no creditor/)
  })

  await t.test('a wrong creditor is refused', async (t) => {
    const wrong = ['--name', 'Solar eG', '--creditor-id', 'DE97ZZZ09999999999', '--iban', 'DE00']
    const refused = await run(CooperativeSetCreditor, 'solar', ...wrong, '--json')
    t.match(refused.json.error, {
      code: 'VALIDATION_ERROR',
      errors: { creditor_id: /check digits/, iban: /IBAN/ },
    })
  })

  await t.test('approved orders get a payment when the creditor is set', async (t) => {
    await run(CooperativeSetCreditor, 'solar', ...creditor)
    const { creditor: shown } = (await run(CooperativeShow, 'solar', '--json')).json
    t.strictSame(shown, {
      name: 'Solar eG',
      creditor_id: 'DE98ZZZ09999999999',
      iban: 'DE02120300000000202051',
      bic: 'BYLADEM1001',
      notice_days: 14,
      lead_days: 2,
    })
    const listed = (await run(PaymentList, '--json')).json
    t.strictSame(
      listed.map(({ share_purchase_id, state, amount }: Record<string, string>) => [
        share_purchase_id,
        state,
        amount,
      ]),
      ids.map((id) => [id, 'due', '510.00']),
    )
  })

  await t.test('an order that is not paid is settled only with --unpaid [D69]', async (t) => {
    const refused = await run(PurchaseSettle, one, '--json')
    t.match(refused.json, { error: { code: 'PAYMENT_OUTSTANDING' } })
    t.equal(refused.exitCode, 4)
  })

  await t.test('an order that is paid by transfer can be settled', async (t) => {
    t.match((await run(PaymentRecord, six, '--paid-on', '2126-01-01')).stderr, /future/)
    const paid = await run(
      PaymentRecord,
      six,
      '--paid-on',
      '2026-11-01',
      '--reference',
      'X',
      '--json',
    )
    t.match(paid.json, { state: 'paid', paid_by: 'transfer', paid_at: '2026-11-01' })
    t.match((await run(PaymentRecord, six, '--paid-on', '2026-11-01')).stderr, /it is paid/)
    t.match((await run(PurchaseReject, six, '--json')).json, {
      error: { code: 'PAYMENT_RECEIVED' },
    })
    t.match((await run(PurchaseSettle, six, '--json')).json, { status: 'settled' })
  })

  let collection = ''
  await t.test('a collection takes all due payments [D70]', async (t) => {
    const preview = (await run(CollectionCreate, '--dry-run', '--limit', '4', '--json')).json
    t.match(preview, exactArrays({ collections: [{ count: 4, total: '2040.00' }], left_out: [] }))
    t.equal((await run(CollectionList, '--json')).json.length, 0)
    t.match((await run(CollectionCreate, '--due', '2026-12-25')).stderr, /Possible is \d{4}-/)
    const created = (await run(CollectionCreate, '--json')).json
    t.match(
      created,
      exactArrays({
        collections: [
          {
            cooperative_key: 'solar',
            state: 'created',
            count: 5,
            total: '2550.00',
            total_currency: 'EUR',
          },
        ],
        left_out: [],
      }),
    )
    collection = created.collections[0].collection_id
    t.equal(created.collections[0].message_id, collection.replaceAll('-', ''))
    t.equal((await run(CollectionCreate, '--json')).json.collections.length, 0)
    const shown = (await run(CollectionShow, collection, '--json')).json
    t.equal(shown.payments.length, 5)
    t.match(shown.payments[0], { end_to_end_id: one.replaceAll('-', ''), state: 'collecting' })
  })

  await t.test('an order whose payment is under way is not decided', async (t) => {
    t.match((await run(PurchaseReject, one, '--json')).json, {
      error: { code: 'PAYMENT_UNDER_WAY' },
    })
    t.match((await run(PurchaseSettle, one, '--json')).json, {
      error: { code: 'PAYMENT_OUTSTANDING' },
    })
    t.match((await run(PaymentRecord, one, '--paid-on', '2026-11-01')).stderr, /pay twice/)
  })

  await t.test('a cancelled collection leaves its payments due', async (t) => {
    t.match((await run(CollectionCancel, collection, '--json')).json, { state: 'cancelled' })
    const taken = exactArrays({ state: 'due', attempts: [{ state: 'cancelled' }] })
    t.match((await run(PaymentShow, one, '--json')).json, taken)
    t.match((await run(CollectionExport, collection)).stderr, /was cancelled/)
    const again = (await run(CollectionCreate, '--json')).json
    collection = again.collections[0].collection_id
    t.equal(again.collections[0].count, 5)
  })

  await t.test('the file has the same bytes each time', async (t) => {
    const path = file('direct-debits.xml')
    const early = await run(StatementSimulate, collection)
    t.match(early.stderr, /only for a collection whose file it has/)
    const { file_digest } = (await run(CollectionExport, collection, '--to', path, '--json')).json
    const text = await readFile(path, 'utf8')
    t.match(text, /<EndToEndId>0194c1d28b1e70008000000000000000-2<\/EndToEndId>/)
    t.match(text, /<Nm>Joerg Mueller 0<\/Nm>/)
    t.equal(text.split('<DrctDbtTxInf>').length, 6)
    const again = file('again.xml')
    const second = await run(CollectionExport, collection, '--to', again, '--json')
    t.equal(second.json.file_digest, file_digest)
    t.equal(await readFile(again, 'utf8'), text)
    t.match((await run(CollectionShow, collection, '--json')).json, {
      state: 'exported',
      file_digest,
    })
    for (const text of [collection, collection.replaceAll('-', '')]) {
      const { collections, found } = (await run(Find, text, '--json')).json
      t.match(collections, exactArrays([{ collection_id: collection, state: 'exported' }]))
      t.strictSame(found, [])
    }
    const reference = `${one.replaceAll('-', '')}-2`
    const { found } = (await run(Find, reference, '--json')).json
    t.match(found[0].share_purchases[0], { share_purchase_id: one })
    t.match(
      (await run(CollectionCancel, collection)).stderr,
      /only if the bank has not taken|--yes/,
    )
    t.match((await run(CollectionConfirm, collection)).stderr, /nothing to confirm/)
  })

  await t.test(
    'a statement books the collection, and returns come back with their codes',
    async (t) => {
      const returns = ['--return', `${one}=AM04`, '--return', `${two}=MD06`]
      const simulated = await run(
        StatementSimulate,
        collection,
        ...returns,
        '--charges',
        '3.00',
        '--json',
      )
      await writeFile(file('bank.xml'), simulated.json.file)
      const counts = { entries: 3, booked: 1, returned: 2, repeated: 0, unmatched: 0, ignored: 0 }
      t.match(
        (await run(StatementImport, file('bank.xml'), '--dry-run', '--json')).json,
        exactArrays([counts]),
      )
      t.equal((await run(StatementList, '--json')).json.length, 0)
      t.match((await run(StatementImport, file('bank.xml'), '--json')).json, exactArrays([counts]))
      t.match((await run(PaymentShow, three, '--json')).json, {
        state: 'paid',
        paid_by: 'direct_debit',
      })
      t.match((await run(PaymentShow, one, '--json')).json, {
        state: 'returned',
        return_code: 'AM04',
        charges: '3.00',
        paid_at: null,
      })
      t.match((await run(CollectionShow, collection, '--json')).json, { state: 'booked' })
    },
  )

  await t.test('the same entries count once [D71]', async (t) => {
    const again = (await run(StatementImport, file('bank.xml'), '--json')).json
    t.match(again, exactArrays([{ booked: 0, returned: 0, repeated: 3 }]))
    t.match((await run(PaymentShow, one, '--json')).json, { charges: '3.00' })
  })

  await t.test('what is paid is settled, and what came back is retried or rejected', async (t) => {
    const settled = (await run(PurchaseSettle, '--all-paid', '--json')).json
    t.strictSame(
      settled.map(({ share_purchase_id }: Record<string, string>) => share_purchase_id),
      [three, four, five],
    )
    t.match((await run(PaymentRetry, two)).stderr, /MD06.*must not be collected again/)
    t.match((await run(PaymentRetry, one, '--json')).json, { state: 'due' })
    const rejected = (
      await run(PurchaseReject, '--all-returned', '--reason', 'Paid back.', '--json')
    ).json
    t.match(rejected, exactArrays([{ share_purchase_id: two, status: 'rejected' }]))
    t.match((await run(PaymentRetry, two)).stderr, /is rejected/)
  })

  await t.test('the report balances with the statements', async (t) => {
    const { creditors } = (await run(PaymentReport, '--json')).json
    t.strictSame(creditors, [
      {
        cooperative_key: 'solar',
        due: '510.00',
        collecting: '0.00',
        paid: '2550.00',
        returned: '1020.00',
        charges: '6.00',
        recorded: '510.00',
        unexplained: [],
      },
    ])
  })

  await t.test('an entry that matches nothing waits for a person', async (t) => {
    const returned = await readFile(file('bank.xml'), 'utf8')
    const [, entry = ''] =
      /(<Ntry>(?:(?!<\/Ntry>).)*DBIT.*?<\/Ntry>)/s.exec(
        returned.split('</Ntry>').slice(1).join('</Ntry>'),
      ) ?? []
    const unknown = entry
      .replace(/<EndToEndId>.*?<\/EndToEndId>/, '')
      .replace(/<MndtId>.*?<\/MndtId>/, '<MndtId>UNKNOWN</MndtId>')
      .replace(/<AcctSvcrRef>.*?<\/AcctSvcrRef>/, '')
    const text = returned.replace(/<Ntry>.*<\/Ntry>/s, unknown)
    await writeFile(file('bank.xml'), text)
    const [imported] = (await run(StatementImport, file('bank.xml'), '--json')).json
    t.match(imported, { unmatched: 1, returned: 0 })
    const shown = (await run(StatementShow, imported.statement_id, '--json')).json
    const entryId = shown.entries[0].entry_id
    t.strictSame((await run(PaymentReport, '--json')).json.creditors[0].unexplained, [entryId])
    t.match((await run(StatementAssign, entryId, one)).stderr, /is due, so a return cannot/)
    const assigned = (await run(StatementAssign, entryId, three, '--json')).json
    t.match(assigned, { outcome: 'returned', matched_by: 'operator', share_purchase_id: three })
    t.ok(shown.entries[0].purpose)
    t.strictSame([assigned.counterparty, assigned.purpose], [null, null], 'the order has the name')
    t.match((await run(PurchaseShow, three, '--json')).json, {
      status: 'settled',
      payment_state: 'returned',
    })
    t.match((await run(StatementAssign, entryId, three)).stderr, /is returned, so it cannot/)
  })

  await t.test('a file that is not a statement is refused, and changes nothing', async (t) => {
    await writeFile(file('bank.xml'), '<html></html>')
    await writeFile(
      file('good.xml'),
      statementOfCredit({ iban: 'DE02120300000000202051', amount: '1.00', purpose: 'X' }),
    )
    const refused = await run(StatementImport, file('good.xml'), file('bank.xml'), '--json')
    t.match(refused.json, { error: { code: 'STATEMENT_REFUSED', message: /^bank\.xml: / } })
    t.equal((await run(StatementList, '--json')).json.length, 3)
  })

  await t.test(
    'an order of a cooperative with a creditor gets its payment when it is approved',
    async (t) => {
      t.match((await run(PurchaseApprove, one)).stderr, /is approved/)
      t.match((await run(PurchaseReject, one, '--json')).json, { status: 'rejected' })
      t.match((await run(PaymentShow, one, '--json')).json, { state: 'cancelled' })
    },
  )

  await t.test('after a change of the keys, a file has the same bytes', async (t) => {
    const collections = (await run(CollectionList, '--json')).json
    const readAll = async (moment: string) => {
      const texts: string[] = []
      for (const { collection_id: id, state } of collections) {
        if (state === 'cancelled') continue
        const path = file(`${id}-${moment}.xml`)
        await run(CollectionExport, id, '--to', path)
        texts.push(await readFile(path, 'utf8'))
      }
      return texts
    }
    const before = await readAll('before')
    t.match(before[0], '<IBAN>DE89370400440532013000</IBAN>')
    t.match((await run(StoreRekey, '--json')).json, noDamage)
    t.strictSame(await readAll('after'), before)
  })

  await t.test('the copy for a person has their payments', async (t) => {
    const { investor_id: investorId } = (await run(PurchaseShow, one, '--json')).json
    const exported = (await run(InvestorExport, investorId, '--json')).json
    const [{ payment, events }] = exported.share_purchases
    t.match(payment, { state: 'cancelled', return_code: 'AM04', charges: '3.00' })
    const debtor = { debtor_name: 'Jörg Müller 0', debtor_iban: 'DE89370400440532013000' }
    t.match(
      payment.attempts,
      exactArrays([
        { state: 'cancelled', ...debtor },
        { state: 'returned', ...debtor },
      ]),
    )
    t.ok(events.some(({ type }: { type: string }) => type === 'payment.announced'))
    const shown = (await run(InvestorExport, investorId)).stdout
    t.match(shown, /^Direct debit\nend_to_end_id +0194c1d2/m)
    t.match(shown, /^Sent to the investor, in words: .*"payment\.announced"/m)
    const page = (await run(InvestorExport, investorId, '-o', 'html', '--language', 'de')).stdout
    t.match(page, /<h3>Zahlung<\/h3>.*<dt>Zustand<\/dt><dd>storniert/s)
    t.match(page, /<h3>Lastschrift<\/h3>.*Jörg Müller 0/s)
  })

  await t.test('without an erased person, the rest of their collection can be read', async (t) => {
    const { attempts } = (await run(PaymentShow, one, '--json')).json
    const { investor_id: investorId } = (await run(PurchaseShow, one, '--json')).json
    t.match((await run(InvestorErase, investorId, '--yes', '--json')).json, {
      investor_id: investorId,
    })
    const id = attempts.find(({ state }: { state: string }) => state !== 'cancelled').collection_id
    t.ok((await run(CollectionShow, id, '--json')).json.payments.length > 0)
    t.match(
      (await run(CollectionExport, id)).stderr,
      /was erased, so the file cannot be made again/,
    )
    const exported = (await run(InvestorExport, investorId, '--json')).json
    t.match(exported, { investor: { name: null } })
    t.notMatch(JSON.stringify(exported), /DE89370400440532013000/)
    t.match((await run(StoreRekey, '--json')).json, noDamage)
    t.match((await run(StoreCheck, '--json')).json, { sound: true })
  })
}
