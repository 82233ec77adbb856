import { join } from 'node:path'
import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { serve } from '../../fixtures/program/serve.ts'

const entryCount = 4000

/** A statement whose entries match nothing. */
function statementText(): string {
  const entries = Array.from(
    { length: entryCount },
    (_, n) =>
      `<Ntry><Amt Ccy="EUR">500.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-12-14</Dt></BookgDt><AcctSvcrRef>R${n}</AcctSvcrRef></Ntry>`,
  )
  return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>S1</MsgId></GrpHdr><Stmt><Id>S1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
}

t.test('an import that was killed goes on at the next start', async (t) => {
  const dataDirectory = join(t.testdir(), 'data')
  const killed = await serve(t, ['--data-dir', dataDirectory])
  const before = await connectOperator(dataDirectory)
  const importing = before.call('statement.import', { name: 'bank.xml', text: statementText() })
  importing.catch(() => undefined)
  await until(t, async () => (await before.call('statement.list', {})).length === 1)
  await killed.stop('SIGKILL')
  await t.rejects(importing, 'the import has not ended')
  await serve(t, ['--data-dir', dataDirectory])
  const operator = await connectOperator(dataDirectory)
  const list = () => operator.call('statement.list', {})
  await until(t, async () => (await list())[0]?.is_complete === true)
  t.match(await list(), { length: 1, 0: { entries: entryCount, ignored: entryCount } })
})
